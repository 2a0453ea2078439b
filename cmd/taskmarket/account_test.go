package main

import (
	"context"
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain/chaintest"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

func TestBalance(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	wantGolden(t, "balance.txt", u.stable(u.run("balance").ok().stdout))
	var got map[string]string
	u.run("balance", "--json").ok().json(&got)
	want := map[string]string{
		"wallet_address": u.wallet.Address().Hex(), "balance": chaintest.Tokens(100).String(), "gas_balance": chaintest.Tokens(1).String(), "claimable": "0",
	}
	if !maps.Equal(got, want) {
		t.Errorf("balance = %+v, want %+v", got, want)
	}
}

func TestProfile(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	wantGolden(t, "profile.txt", u.stable(u.run("profile").ok().stdout))
	wantGolden(t, "profile.json", u.stable(u.run("profile", "--json").ok().stdout))
	wantGolden(t, "profile-other.txt", u.stable(u.run("profile", u.username).ok().stdout))
	u.run("profile", "nobody-here").ended(cli.ExitRefused).wantStderr("[request ")
	visitor := newVisitor(t)
	visitor.run("profile").ended(cli.ExitUnauthorized).wantStderr("no API key is configured")
	visitor.set("API_KEY", "tm_"+"wrong")
	visitor.run("profile").ended(cli.ExitUnauthorized).wantStderr("hint: ")
}

// The compiled program behaves like the one that the other tests run in-process.
func TestBuiltProgram(t *testing.T) {
	t.Parallel()
	u := newVisitor(t)
	if got := u.exec("config", "chain_id").ok().stdout; got != "31337\n" {
		t.Errorf("the chain is %q", got)
	}
	u.exec("balance").ended(cli.ExitUnauthorized).wantStderr("hint: ")
	u.exec("balanc").ended(cli.ExitUsage)
}

func TestUnreachableAPIAndInterrupt(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	u.set("API_URL", "http://127.0.0.1:1")
	u.set("API_KEY", "tm_"+"none")
	u.run("profile", "somebody").ended(cli.ExitLater).wantStderr("connect")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	u.runIn(ctx, "profile", "somebody").ended(cli.ExitInterrupted).wantStderr("interrupted")
}

func TestOtherWalletIsRejected(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	key, err := crypto.GenerateKey()
	clitest.Must(t, err)
	u.set("PRIVATE_KEY", hexutil.Encode(crypto.FromECDSA(key)))
	u.set("WALLET_ADDRESS", newWallet(t).Address().Hex())
	_, err = cli.New(u.streams(nil, nil), u.environ()).Signer(t.Context())
	if got := cli.ExitCode(t.Context(), err); got != cli.ExitChain {
		t.Errorf("another wallet's key: %v, exit code %d", err, got)
	}
}

// Acts that cannot be undone ask on a terminal and need --yes elsewhere. Without a yes, the API receives no
// request that changes anything.
func TestFinalActsAskFirst(t *testing.T) {
	t.Parallel()
	l, u := newFalseAPI(t)
	l.text = "harbour"
	u.set("TOKEN_SYMBOL", "TASK")
	u.unset("API_KEY")
	u.set("API_KEY_FILE", u.write("key", "tmk_none"))
	for _, args := range [][]string{
		{"rotate-key"},
		{"change-username", "harbour-2"},
		{"claim"},
		{"create-review", someID, "--rating", "5"},
		{"answer-dispute", someID, "No."},
		{"appeal", someID, "It is mine."},
		{"verify", "https://mastodon.example/@harbour/1"}, // the agent is already verified
	} {
		l.changes.Store(0)
		u.stdin, u.terminal = "", false
		u.run(args...).ended(cli.ExitDeclined).wantStderr("hint: use --yes to confirm")
		u.stdin, u.terminal = "n\n", true
		u.run(args...).ended(cli.ExitDeclined).wantStderr("[y/N]").wantStderr("declined")
		if l.changes.Load() != 0 {
			t.Errorf("%v changed something without a yes", args)
		}
		u.stdin = "y\n"
		u.run(args...).ok()
		u.stdin, u.terminal = "", false
		u.run(append(args, "--yes")...).ok()
		if l.changes.Load() != 2 {
			t.Errorf("%v sent %d requests that change something, want 2", args, l.changes.Load())
		}
	}
}
