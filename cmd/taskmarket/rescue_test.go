package main

import (
	"taskmarket/chain"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	"taskmarket/market"
)

// rescueUser is a user with access to a chain with the contracts, but not to the service.
type rescueUser struct {
	*user
	net    *chaintest.Net
	wallet *chain.KeySigner
}

func newRescueUser(t *testing.T, net *chaintest.Net, wallet *chain.KeySigner) *rescueUser {
	t.Helper()
	u := newUser(t)
	u.set("RPC_URL", net.Dev.URL())
	u.set("ESCROW_ADDRESS", net.Deployment.Escrow.Hex())
	i := slices.IndexFunc(net.Dev.Accounts(), func(a devnet.Account) bool { return a.Address == wallet.Address() })
	u.set("PRIVATE_KEY", hexutil.Encode(crypto.FromECDSA(net.Dev.Accounts()[i].Key)))
	return &rescueUser{u, net, wallet}
}

var rescueAmount = chaintest.Tokens(10)

// gasFigures matches gas costs, which differ between runs.
var gasFigures = []struct{ pattern, name string }{
	{`[0-9.]+ ETH`, "<gas> ETH"},
	{`"(gas_balance|max_gas_cost|max_fee_per_gas|max_priority_fee_per_gas)": "\d+"`, `"$1": "<gas>"`},
	{`"gas": \d+`, `"gas": "<gas>"`},
}

// stable is like user.stable, but also replaces gas costs.
func (c *rescueUser) stable(text string) string {
	for _, f := range gasFigures {
		text = regexp.MustCompile(f.pattern).ReplaceAllString(text, f.name)
	}
	return c.user.stable(text)
}

// holds returns the token balance of the user's wallet.
func (c *rescueUser) holds() *big.Int {
	c.t.Helper()
	got, _, err := c.net.Reader.Balances(c.t.Context(), c.wallet.Address())
	clitest.Must(c.t, err)
	return got
}

// brings checks that do increases the wallet's token balance by exactly want.
func (c *rescueUser) brings(want *big.Int, do func()) {
	c.t.Helper()
	before := c.holds()
	do()
	if got := new(big.Int).Sub(c.holds(), before); got.Cmp(want) != 0 {
		c.t.Errorf("the balance increased by %s wei, want %s", got, want)
	}
}

func TestRescueLists(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	agent := newRescueUser(t, net, net.Agent)
	agent.set("REWARD_DISTRIBUTOR_ADDRESS", net.Deployment.Distributor.Hex())
	human := newRescueUser(t, net, net.Human)
	agent.run("rescue").ok().wantStderr("this wallet has no money in the contracts")
	ended, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{})
	net.Cancel(t, net.Agent, ended)
	open, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{1})
	net.Apply(t, net.Human, open, rescueAmount)
	net.Submitted(t, common.Hash{2}, common.Hash{3})
	for name, c := range map[string]*rescueUser{"agent": agent, "human": human} {
		listed := c.run("rescue").ok()
		wantGolden(t, "rescue-"+name+".txt", c.stable(listed.stdout))
		wantGolden(t, "rescue-"+name+".json", c.stable(c.run("rescue", "--json").ok().stdout))
	}
	agent.run("rescue").ok().wantStderr("ended records not shown: 1; --all shows them")
	if all := agent.run("rescue", "--all").ok().stdout; !strings.Contains(all, "cancelled") {
		t.Errorf("--all does not show the ended task: %s", all)
	}
	// Reading the contracts requires no private key.
	stranger := newUser(t)
	stranger.set("ESCROW_ADDRESS", net.Deployment.Escrow.Hex())
	looked := stranger.run("rescue", "--rpc", net.Dev.URL(), "--wallet", net.Human.Address().Hex()).ok()
	if want := human.run("rescue").ok().stdout; looked.stdout != want {
		t.Errorf("a stranger sees %s, the human %s", looked.stdout, want)
	}
}

func TestRescueConfirmation(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	agent := newRescueUser(t, net, net.Agent)
	id, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{})
	task := fmt.Sprint(id)
	nothing := new(big.Int)
	agent.brings(nothing, func() {
		agent.run("rescue", "cancel", task).ended(cli.ExitDeclined).wantStderr("stdin is not a terminal")
		agent.terminal, agent.stdin = true, "no\n"
		asked := agent.run("rescue", "cancel", task).ended(cli.ExitDeclined).wantStderr("Sign and send this? [y/N]")
		wantGolden(t, "rescue-cancel-asks.txt", agent.stable(asked.stderr))
		planned := agent.run("rescue", "cancel", task, "--dry-run").ok()
		wantGolden(t, "rescue-cancel-dry-run.txt", agent.stable(planned.stdout))
	})
	agent.brings(rescueAmount, func() {
		agent.stdin = "yes\n"
		done := agent.run("rescue", "cancel", task).ok()
		wantGolden(t, "rescue-cancel.txt", agent.stable(done.stdout))
	})
	agent.run("rescue", "cancel", task, "-y").ended(cli.ExitChain).wantStderr("the task is cancelled")
	agent.run("rescue", "resign", task, "--yes").ended(cli.ExitChain).wantStderr("only the assigned human can do this").wantStderr("hint: `taskmarket rescue` lists")
	agent.run("rescue", "cancel", "77", "--yes").ended(cli.ExitChain).wantStderr("there is no task 77").wantStderr("hint: `taskmarket rescue` lists")
}

// An external wallet can sign and send the transaction that --unsigned prints.
func TestRescueUnsigned(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	agent := newRescueUser(t, net, net.Agent)
	id, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{})
	agent.unset("PRIVATE_KEY")
	printed := agent.run("rescue", "cancel", fmt.Sprint(id), "--unsigned", "--wallet", net.Agent.Address().Hex()).ok()
	wantGolden(t, "rescue-cancel-unsigned.json", agent.stable(printed.stdout))
	var plan struct {
		Transaction map[string]any `json:"transaction"`
		Receives    string         `json:"receives"`
	}
	printed.json(&plan)
	if plan.Receives != rescueAmount.String() {
		t.Errorf("the plan returns %s", plan.Receives)
	}
	agent.brings(rescueAmount, func() {
		var receipt any // anvil signs and sends for the wallet's account
		clitest.Must(t, net.Dev.Client().Client().CallContext(t.Context(), &receipt, "eth_sendTransactionSync", map[string]any{
			"from": plan.Transaction["from"], "to": plan.Transaction["to"], "data": plan.Transaction["data"],
		}))
	})
}

// Validators can decide without the service: they sign the printed verdict, and the human sends the
// transaction with their signatures.
func TestRescueByVerdict(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	human := newRescueUser(t, net, net.Human)
	task := fmt.Sprint(net.Submitted(t, common.Hash{2}, common.Hash{3}))
	net.Warp(t, market.DisputeWindow)
	verdict := human.run("rescue", "verdict", task, "--approve").ok().wantStderr("at least 2 of the validators in panel 1 must sign")
	var asked struct {
		Quorum    uint8
		TypedData apitypes.TypedData `json:"typed_data"`
	}
	verdict.json(&asked)
	args := []string{"rescue", "approve-submission", task, "--yes", "--json"}
	for i, validator := range net.Validators[:asked.Quorum] {
		signature, err := validator.SignTypedData(t.Context(), asked.TypedData)
		clitest.Must(t, err)
		text := hexutil.Encode(signature) + "\n"
		if i == 0 { // one signature in the JSON format
			raw, err := json.Marshal(map[string]string{"validator": validator.Address().Hex(), "signature": hexutil.Encode(signature)})
			clitest.Must(t, err)
			text = string(raw)
		}
		args = append(args, "--signature", human.write(fmt.Sprintf("signature-%d", i), text))
	}
	human.run(args[:len(args)-2]...).ended(cli.ExitChain).wantStderr("QuorumNotReached")
	stranger, err := net.OtherAgent.SignTypedData(t.Context(), asked.TypedData)
	clitest.Must(t, err)
	human.run(append(args, "--signature", human.write("stranger", hexutil.Encode(stranger)))...).ended(cli.ExitChain).wantStderr("which is not a validator")
	human.run("rescue", "approve-submission", task, "--signature", human.write("junk", "junk")).ended(cli.ExitUsage).wantStderr("no signature found")
	// A contract wallet's signature can be as large as the service accepts.
	wallet := func(size int) string {
		return human.write("wallet", fmt.Sprintf(`{"validator": "%s", "signature": "%#x"}`, net.OtherAgent.Address(), make([]byte, size)))
	}
	human.run("rescue", "approve-submission", task, "--signature", wallet(16<<10)).ended(cli.ExitChain).wantStderr("which is not a validator")
	human.run("rescue", "approve-submission", task, "--signature", wallet(32<<10)).ended(cli.ExitUsage).wantStderr("larger than 65536 bytes")
	amount := chaintest.Tokens(1) // the amount of the task that Submitted posts
	wages := new(big.Int).Add(market.Payout(amount, chaintest.FeeBasisPoints), market.RequiredStake(amount))
	human.brings(wages, func() {
		var done struct {
			TxHash string `json:"tx_hash"`
			Plan   struct {
				Receives string `json:"receives"`
			} `json:"plan"`
		}
		human.run(args...).ok().json(&done)
		if done.Plan.Receives != wages.String() || len(done.TxHash) != 66 {
			t.Errorf("got %+v", done)
		}
	})
}

func TestRescueUsage(t *testing.T) {
	t.Parallel()
	const escrow = "0x00000000000000000000000000000000000000e5"
	for name, c := range map[string]struct {
		args       []string
		code       int
		wantStderr string
	}{
		"no node":                   {[]string{"rescue", "--escrow", escrow, "--wallet", escrow}, cli.ExitUsage, "no Ethereum node"},
		"no escrow":                 {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--wallet", escrow}, cli.ExitUsage, "no escrow contract is configured"},
		"an invalid escrow address": {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--escrow", "here", "--wallet", escrow}, cli.ExitUsage, `--escrow "here": must be an address`},
		"no wallet":                 {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--escrow", escrow}, cli.ExitUsage, "no wallet"},
		"an unreachable node":       {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--escrow", escrow, "--wallet", escrow}, cli.ExitLater, "could not connect to the node"},
		"no task":                   {[]string{"rescue", "cancel"}, cli.ExitUsage, "TASK is missing"},
		"an invalid task number":    {[]string{"rescue", "cancel", "first"}, cli.ExitUsage, `TASK "first": must be the number`},
		"no hash":                   {[]string{"rescue", "submit", "1", "--work-hash", "0x12"}, cli.ExitUsage, "64 hexadecimal digits"},
		"no signature":              {[]string{"rescue", "approve-submission", "1"}, cli.ExitUsage, "--signature is missing"},
		"no verdict":                {[]string{"rescue", "verdict", "1"}, cli.ExitUsage, "approve reject"},
		"contradictory flags":       {[]string{"rescue", "cancel", "1", "--dry-run", "--yes"}, cli.ExitUsage, "none of the others can be"},
		"an unknown exit":           {[]string{"rescue", "leave"}, cli.ExitUsage, "unknown command"},
	} {
		t.Run(name, func(t *testing.T) {
			newUser(t).run(c.args...).ended(c.code).wantStderr(c.wantStderr)
		})
	}
}

func TestRescueRejectsOtherSigner(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	stranger := newRescueUser(t, net, net.OtherAgent)
	id, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{})
	stranger.run("rescue", "cancel", fmt.Sprint(id), "--yes", "--wallet", net.Agent.Address().Hex()).ended(cli.ExitChain).wantStderr("the key belongs to wallet")
	stranger.run("rescue", "cancel", fmt.Sprint(id), "--yes").ended(cli.ExitChain).wantStderr("only the task's agent can do this")
}
