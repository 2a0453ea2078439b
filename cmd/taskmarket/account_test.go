package main

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client/signer"
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

// newName returns an unused username.
func newName() string { return "agent-" + uuid.NewString()[:13] }

// registeredUser returns a user with a wallet, a registered agent and a configuration file, but no
// TASKMARKET_ environment variables.
func registeredUser(tb testing.TB) (u *user, name string) {
	tb.Helper()
	u, name = newVisitor(tb), newName()
	u.run("register", "--username", name, "--name", "Harbour agent", "--new-wallet", filepath.Join(u.dir, "wallet.json"),
		"--password-file", filepath.Join(u.dir, "password")).ok()
	for variable := range u.env {
		if strings.HasPrefix(variable, cli.EnvPrefix) {
			delete(u.env, variable)
		}
	}
	return u, name
}

func TestRegister(t *testing.T) {
	t.Parallel()
	u, name := registeredUser(t)
	var shown configDocument
	u.run("config", "--json").ok().json(&shown)
	w := sharedWorld(t)
	for setting, want := range map[string]string{
		cli.SettingUsername: name, cli.SettingAPIURL: w.variable["API_URL"], cli.SettingEscrowAddress: w.variable["ESCROW_ADDRESS"],
		cli.SettingTokenAddress: w.variable["TOKEN_ADDRESS"], cli.SettingStakingAddress: w.variable["APPLICATION_STAKING_ADDRESS"],
		cli.SettingDistributorAddress: w.variable["REWARD_DISTRIBUTOR_ADDRESS"], cli.SettingChainID: "31337", cli.SettingTokenSymbol: "TASK",
		cli.SettingKeystore: filepath.Join(u.dir, "wallet.json"), cli.SettingAPIKey: "(set)", cli.SettingKeystorePassword: "(set)",
	} {
		if got := shown.Settings[setting].Value; got != want {
			t.Errorf("%s is %q, want %q", setting, got, want)
		}
	}
	password, err := signer.ReadSecret(filepath.Join(u.dir, "password"))
	clitest.Must(t, err)
	wallet, err := signer.Keystore(filepath.Join(u.dir, "wallet.json"), password)
	clitest.Must(t, err)
	if got := strings.TrimSpace(u.run("config", "wallet_address").ok().stdout); got != wallet.Address().Hex() {
		t.Errorf("the wallet is %s, the keystore's %s", got, wallet.Address())
	}
	info, err := os.Stat(u.configPath())
	clitest.Must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the configuration has mode %o", info.Mode().Perm())
	}
	u.run("profile").ok()
	u.run("register", "--username", newName(), "--name", "Another").ended(cli.ExitUsage).wantStderr("an agent is already configured")
}

func TestRegisterShowsNoSecret(t *testing.T) {
	t.Parallel()
	u := newVisitor(t)
	key, err := crypto.GenerateKey()
	clitest.Must(t, err)
	u.set("PRIVATE_KEY_FILE", u.write("key", hexutil.Encode(crypto.FromECDSA(key))))
	r := u.run("register", "--username", newName(), "--name", "Harbour agent").ok()
	wantGolden(t, "register.txt", u.stable(r.stdout+r.stderr))
	file, err := os.ReadFile(u.configPath())
	clitest.Must(t, err)
	_, after, _ := strings.Cut(string(file), "api_key: ")
	apiKey, _, _ := strings.Cut(after, "\n")
	if apiKey == "" || strings.Contains(r.stdout+r.stderr, apiKey) {
		t.Errorf("the API key %q is shown: %s%s", apiKey, r.stdout, r.stderr)
	}
	if digits := hexutil.Encode(crypto.FromECDSA(key))[2:]; strings.Contains(r.stdout+r.stderr+string(file), digits) {
		t.Error("the private key is shown or written")
	}
	if !strings.Contains(string(file), "private_key_file: "+filepath.Join(u.dir, "key")) {
		t.Errorf("the path of the key's file was not saved: %s", file)
	}
	// This user has a home directory without a configuration, but the same wallet, for which an agent
	// is already registered.
	other := newVisitor(t)
	other.set("PRIVATE_KEY_FILE", filepath.Join(u.dir, "key"))
	other.run("register", "--username", newName(), "--name", "Again").ended(cli.ExitRefused).wantStderr("recover-key")
}

func TestRegisterErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare    func(u *user)
		args       []string
		code       int
		wantStderr string
	}{
		"no wallet":   {code: cli.ExitUsage, wantStderr: "no wallet is configured"},
		"no node":     {prepare: func(u *user) { u.unset("RPC_URL") }, code: cli.ExitUsage, wantStderr: "no Ethereum node"},
		"no password": {args: []string{"--new-wallet", "DIR/w"}, code: cli.ExitUsage, wantStderr: "the new wallet needs a password"},
		"two wallets": {func(u *user) { u.set("KEYSTORE", "x") }, []string{"--new-wallet", "DIR/w"}, cli.ExitUsage, "a wallet is already configured"},
		"a password without a new wallet": {
			args: []string{"--password-file", "p"}, code: cli.ExitUsage, wantStderr: "--password-file requires --new-wallet",
		},
		"other contracts": {
			prepare: func(u *user) { u.set("ESCROW_ADDRESS", u.env[cli.EnvPrefix+"TOKEN_ADDRESS"]) },
			code:    cli.ExitChain, wantStderr: "the contracts are not the expected ones",
		},
	} {
		t.Run(name, func(t *testing.T) {
			u := newVisitor(t)
			if c.prepare != nil {
				c.prepare(u)
			}
			args := []string{"register", "--username", newName(), "--name", "x"}
			for _, arg := range c.args {
				args = append(args, strings.Replace(arg, "DIR", u.dir, 1))
			}
			u.run(args...).ended(c.code).wantStderr(c.wantStderr)
			if entries, err := os.ReadDir(u.dir); err != nil || len(entries) > 0 {
				t.Errorf("the command left the files %v, %v", entries, err)
			}
		})
	}
	newUser(t).run("register").ended(cli.ExitUsage).wantStderr(`required flag(s) "username", "name" not set`)
}

// register prompts for the password twice. If the API rejects the registration, the new wallet file
// is not removed.
func TestRegisterPromptsForPassword(t *testing.T) {
	t.Parallel()
	u := newVisitor(t)
	u.terminal = true
	u.secrets = []string{"correct horse", "battery staple"}
	path := filepath.Join(u.dir, "wallet.json")
	u.run("register", "--username", newName(), "--name", "x", "--new-wallet", path).ended(cli.ExitDeclined).wantStderr("differ")
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a wallet was created: %v", err)
	}
	u.secrets = []string{"corre\u0301ct"}
	u.run("register", "--username", newName(), "--name", "x", "--new-wallet", path).ended(cli.ExitUsage).wantStderr("decomposed characters")
	for text, want := range map[string]string{"\xff\xfew\x00o\x00": "is UTF-16: save it as UTF-8", "word\n\n": "more than one newline", "w\xf6rd": "not UTF-8"} {
		u.run("register", "--username", newName(), "--name", "x", "--new-wallet", path, "--password-file", u.write("typed", text)).
			ended(cli.ExitUsage).wantStderr(want).wantStderr("no wallet was created")
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a wallet was created: %v", err)
	}
	u.secrets = []string{"correct horse", "correct horse"}
	u.run("register", "--username", "not a name!", "--name", "x", "--new-wallet", path).ended(cli.ExitRefused)
	u.secrets = []string{"correct horse"} // opens the keystore of the rejected registration
	u.run("register", "--username", newName(), "--name", "x").ok()
	if _, err := signer.Keystore(path, "correct horse"); err != nil {
		t.Error(err)
	}
}

// apiKeyIn reads the API key from a configuration file.
func apiKeyIn(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	clitest.Must(t, err)
	_, key, _ := strings.Cut("\n"+string(raw), "\napi_key: ")
	key, _, _ = strings.Cut(key, "\n")
	return key
}

func TestRotateKey(t *testing.T) {
	t.Parallel()
	u, _ := registeredUser(t)
	old := apiKeyIn(t, u.configPath())
	r := u.run("rotate-key", "--yes").ok()
	fresh := apiKeyIn(t, u.configPath())
	if fresh == old || fresh == "" || strings.Contains(r.stdout+r.stderr, fresh) {
		t.Errorf("the old key is %q, the new %q; printed %s%s", old, fresh, r.stdout, r.stderr)
	}
	wantGolden(t, "rotate-key.txt", u.stable(r.stdout+r.stderr))
	u.run("profile").ok()
	u.set("API_KEY_FILE", u.write("old", old))
	u.run("profile").ended(cli.ExitUnauthorized).wantStderr("recover-key")
	u.unset("API_KEY_FILE")
	u.run("rotate-key", "--yes").ended(cli.ExitLater).wantStderr("hint: Use the key that you received then, or try again in 2")
}

// rotate-key replaces the old key in the file that contains it. If the file is not writable, the
// command fails before it requests a new key.
func TestRotateKeyStorage(t *testing.T) {
	t.Parallel()
	u, _ := registeredUser(t)
	key := apiKeyIn(t, u.configPath())
	clitest.Must(t, cli.WriteConfig(u.configPath(), map[string]string{cli.SettingAPIKey: ""}))
	u.set("API_KEY", key)
	u.run("rotate-key", "--yes").ended(cli.ExitUsage).wantStderr("cannot be replaced")
	u.unset("API_KEY")
	// Even root cannot create the temporary file, because its name would be too long.
	u.set("API_KEY_FILE", u.write(strings.Repeat("k", 250), key))
	u.run("rotate-key", "--yes").ended(cli.ExitUsage).wantStderr("replace the API key file")
	place := u.write("secrets/key", key)
	u.set("API_KEY_FILE", place)
	u.run("rotate-key", "--yes").ok()
	raw, err := os.ReadFile(place)
	clitest.Must(t, err)
	if strings.TrimSpace(string(raw)) == key || apiKeyIn(t, u.configPath()) != "" {
		t.Errorf("the key's file has %q", raw)
	}
	u.run("profile").ok()
}

// If the response to a key rotation is lost, recover-key returns a new key at once. A second call is
// rejected.
func TestRecoverKey(t *testing.T) {
	t.Parallel()
	u, name := registeredUser(t)
	target, err := url.Parse(sharedWorld(t).variable["WEB_URL"])
	clitest.Must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		if strings.HasSuffix(r.Request.URL.Path, "/rotate") {
			panic(http.ErrAbortHandler) // closes the connection without a response
		}
		return nil
	}
	lossy := httptest.NewServer(proxy)
	defer lossy.Close()
	u.run("rotate-key", "--yes", "--api-url", lossy.URL).ended(cli.ExitLater).wantStderr("recover-key")
	u.run("profile").ended(cli.ExitUnauthorized)
	u.run("recover-key").ended(cli.ExitDeclined).wantStderr("use --yes to confirm")
	u.run("recover-key", "--yes").ok()
	u.run("profile").ok()
	u.run("recover-key", "--yes").ended(cli.ExitLater).wantStderr("hint: Use the key that you received then, or try again in 2")

	other := newVisitor(t) // a user without an API key
	other.set("KEYSTORE", filepath.Join(u.dir, "wallet.json"))
	other.set("KEYSTORE_PASSWORD_FILE", filepath.Join(u.dir, "password"))
	other.run("recover-key", "--yes").ended(cli.ExitLater)

	fresh, freshName := registeredUser(t)
	path := fresh.configPath()
	clitest.Must(t, cli.WriteConfig(path, map[string]string{cli.SettingAPIKey: "", cli.SettingAgentID: "", cli.SettingUsername: "", cli.SettingEscrowAddress: ""}))
	clitest.Must(t, cli.WriteConfig(path, map[string]string{cli.SettingTokenAddress: "", cli.SettingStakingAddress: ""}))
	r := fresh.run("recover-key", "--yes").ok()
	if key := apiKeyIn(t, path); key == "" || strings.Contains(r.stdout+r.stderr, key) {
		t.Errorf("the key is %q; printed %s%s", key, r.stdout, r.stderr)
	}
	if got := strings.TrimSpace(fresh.run("config", "username").ok().stdout); got != freshName || got == name {
		t.Errorf("the username is %q, want %q", got, freshName)
	}
	fresh.run("config", "escrow_address").ok()
	fresh.run("profile").ok()
}

func TestVerify(t *testing.T) {
	t.Parallel()
	u, name := registeredUser(t)
	text := u.run("verify").ok()
	wantGolden(t, "verify.txt", u.stable(text.stdout+text.stderr))
	u.run("profile").ok()
	w := sharedWorld(t)
	u.run("verify", "https://unknown.example/@a/1").ended(cli.ExitRefused).wantStderr("not the URL of a post on a supported network")
	u.run("verify", w.post(t, name, "something else")).ended(cli.ExitRefused).wantStderr("does not contain the verification code")
	linked := u.run("verify", w.post(t, name, strings.TrimSpace(text.stdout)), "--wait", "1m").ok()
	wantGolden(t, "verify-linked.txt", u.stable(linked.stdout))
	if changed := u.run("change-username", name+"-2", "--yes").ok().stdout; !strings.Contains(changed, name+"-2") {
		t.Errorf("changed to %s", changed)
	}
	u.run("change-username", name+"-3", "--yes").ended(cli.ExitRefused).wantStderr("already changed its username")
	if username := u.run("config", "username").ok().stdout; strings.TrimSpace(username) != name+"-2" {
		t.Errorf("the saved username is %q", username)
	}
	if profile := u.run("profile").ok(); !strings.Contains(profile.stdout, "as "+name+" on ") {
		t.Errorf("the profile shows no account: %s", profile.stdout)
	}
}

func TestClaimErrors(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.run("claim", "--yes").ended(cli.ExitRefused).wantStderr("[request ")
	newVisitor(t).run("claim").ended(cli.ExitUnauthorized).wantStderr("no API key")
}
