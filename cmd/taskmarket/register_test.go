package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

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
