package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/keystore"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/chain"
	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// each calls do with every command and help topic below the root.
func each(command *cobra.Command, do func(*cobra.Command)) {
	for _, c := range command.Commands() {
		do(c)
		each(c, do)
	}
}

// Every command without subcommands has an example, every top-level command belongs to a group, and each
// help text matches its golden file in testdata/help. Help topics need neither.
func TestHelp(t *testing.T) {
	u := newUser(t)
	wantGolden(t, "help/taskmarket.txt", u.run().ok().stdout)
	root := rootCommand(cli.New(u.streams(nil, nil), nil))
	each(root, func(c *cobra.Command) {
		words := strings.Fields(c.CommandPath())[1:]
		if c.Name() == "help" {
			return
		}
		help := u.run(append([]string{"help"}, words...)...).ok()
		wantGolden(t, "help/"+strings.Join(words, "-")+".txt", help.stdout)
		if help.stderr != "" {
			t.Errorf("help %s writes to stderr: %s", words, help.stderr)
		}
		switch {
		case c.IsAdditionalHelpTopicCommand():
		case c.Example == "" && !c.HasSubCommands():
			t.Errorf("%s has no example", c.CommandPath())
		case c.Parent() == root && c.GroupID == "":
			t.Errorf("%s is in no group", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if value, _ := pflag.UnquoteUsage(f); strings.Contains(value, " ") {
				t.Errorf("help %s: --%s takes a value called %q", words, f.Name, value)
			}
		})
		for line := range strings.Lines(help.stdout) {
			if len([]rune(line)) > maxHelpLine && !strings.Contains(line, "--") {
				t.Errorf("help %s: a line of %d characters: %s", words, len([]rune(line)), line)
			}
		}
	})
}

// maxHelpLine is the maximum length of a line of help text. Lines with flags are exempt.
const maxHelpLine = 120

func TestWrongUsage(t *testing.T) {
	for name, c := range map[string]struct {
		args       []string
		wantStderr string
	}{
		"an unknown command":             {[]string{"hire"}, `unknown command "hire"`},
		"a misspelled command":           {[]string{"balanc"}, "did you mean: balance?"},
		"an unknown flag":                {[]string{"balance", "--fast"}, "unknown flag: --fast\nhint: `taskmarket help balance` shows the usage"},
		"a missing subcommand":           {[]string{"files"}, "subcommand is missing: use one of download, list, upload\nhint: `taskmarket help files` shows the usage"},
		"an invalid id":                  {[]string{"files", "list", "one"}, "hint: `taskmarket help files list` shows the usage"},
		"a flag without a value":         {[]string{"balance", "--api-url"}, "flag needs an argument: --api-url"},
		"an extra argument":              {[]string{"version", "now"}, `unexpected argument "now"`},
		"two arguments instead of one":   {[]string{"profile", "one", "two"}, `unexpected argument "two"`},
		"a task without flags":           {[]string{"create-task"}, "--title, --description and --amount are missing"},
		"a task without an amount":       {[]string{"create-task", "--title", "x", "--description", "y"}, "--amount is missing"},
		"an argument with --resume":      {[]string{"accept-application", "x", "--resume"}, "takes no arguments"},
		"--wait without =":               {[]string{"approve-submission", "x", "--wait", "1h"}, "as in --wait=1h"},
		"--first --wait without =":       {[]string{"accept-application", "x", "--first", "--wait", "1h"}, "as in --wait=1h"},
		"three arguments instead of two": {[]string{"accept-application", "x", "y", "z"}, `unexpected argument "z"`},
		"a missing text":                 {[]string{"send-message", "x"}, "TEXT is missing"},
		"help for an unknown command":    {[]string{"help", "hire"}, "no help topic \"hire\"\nhint: `taskmarket help` lists"},
		"help for an unknown subcommand": {[]string{"help", "files", "hire"}, "no help topic \"files hire\""},
		"no configuration":               {[]string{"balance"}, "no API is configured"},
		"a secret as a flag":             {[]string{"balance", "--api-key", "x"}, "unknown flag: --api-key"},
		"an invalid API URL":             {[]string{"profile", "x", "--api-url", "market"}, "must begin with https:// or http://"},
		"an API key over plain http":     {[]string{"profile", "x", "--api-url", "http://market.example"}, "plain http"},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			u.set("API_KEY", "tm_"+"none")
			r := u.run(c.args...).ended(cli.ExitUsage).wantStderr(c.wantStderr).wantStderr("taskmarket: ")
			if !strings.Contains(r.stderr, "\nhint: ") || r.stdout != "" {
				t.Errorf("no hint, or a result: %s%s", r.stderr, r.stdout)
			}
		})
	}
}

// wantErrorJSON decodes the error document on stdout and checks its code.
func (r result) wantErrorJSON(code string) errorReply {
	r.t.Helper()
	var members map[string]any
	r.json(&members)
	for _, name := range []string{"error", "message", "hint", "request_id"} {
		if _, is := members[name].(string); !is {
			r.t.Errorf("taskmarket %s: the member %s is missing: %s", strings.Join(r.args, " "), name, r.stdout)
		}
	}
	var e errorReply
	clitest.Must(r.t, json.Unmarshal([]byte(r.stdout), &e))
	if e.Error != code || e.Message == "" {
		r.t.Errorf("taskmarket %s printed %s, want the code %s", strings.Join(r.args, " "), r.stdout, code)
	}
	return e
}

// With --json, every command prints usage errors as JSON, regardless of the flag's position.
func TestUsageErrorsAsJSON(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	for _, line := range []string{
		"get-task --json", "get-task --json one two", "--json get-task", "get-task --bogus --json", "get-task --json --bogus",
		"bogus --json", "--json=true bogus", "files --json bogus", "--bogus --json", "create-task --json", "config --json bogus",
		"list-tasks --limit --json", "help --json bogus", "mcp --bogus --json",
	} {
		e := u.run(strings.Fields(line)...).ended(cli.ExitUsage).wantErrorJSON("usage")
		if e.RequestID != "" || e.Hint == "" {
			t.Errorf("%s: %+v", line, e)
		}
	}
	root := rootCommand(cli.New(u.streams(nil, nil), nil))
	for _, c := range root.Commands() {
		if c.Name() == "watch" || c.Name() == "help" {
			continue
		}
		u.run(c.Name(), "--no-such-flag", "--json").ended(cli.ExitUsage).wantErrorJSON("usage")
	}
	for _, line := range []string{
		"get-task", "get-task --field id", "get-task --json=false", "get-task one two -- --json", "watch --json --bogus", "watch --json",
	} {
		if r := u.run(strings.Fields(line)...).ended(cli.ExitUsage); r.stdout != "" {
			t.Errorf("%s writes to stdout: %s", line, r.stdout)
		}
	}
}

// The JSON document contains the error code and request id of the API's error. The text on stderr
// and the exit code are the same with and without --json.
func TestErrorsAsJSON(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	e := u.run("get-task", uuid.NewString(), "--json").ended(cli.ExitRefused).wantStderr("taskmarket: ").wantErrorJSON("not_found")
	if e.RequestID == "" || strings.Contains(e.Message, e.RequestID) {
		t.Errorf("the document is %+v", e)
	}
	e = u.run("create-task", "--title", strings.Repeat("x", 300), "--description", "d", "--amount", "1 TASK", "--json", "--yes").
		ended(cli.ExitUsage).wantErrorJSON("invalid_request")
	if !strings.Contains(e.Message, "title") {
		t.Errorf("the document is %+v", e)
	}
	u.run("get-task", uuid.NewString(), "--json", "--api-url", "http://127.0.0.1:1").ended(cli.ExitLater).wantErrorJSON("unavailable")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	u.runIn(ended, "get-task", uuid.NewString(), "--json").ended(cli.ExitInterrupted).wantErrorJSON("interrupted")
	u.unset("API_KEY")
	u.run("list-tasks", "--json").ended(cli.ExitUnauthorized).wantErrorJSON("unauthorized")
	var one any
	// Stdout contains only the checks, and no second JSON document for the error.
	u.run("doctor", "--json").ended(cli.ExitFailed).json(&one)
	if r := u.run("get-task", uuid.NewString(), "--field", "id"); r.code == cli.ExitDone || r.stdout != "" {
		t.Errorf("a member of a result is %q", r.stdout)
	}
}

// errorReply is the error document that --json prints.
type errorReply struct {
	Error, Message, Hint string
	RequestID            string `json:"request_id"`
}

// If the user has no home directory, the program neither reads nor writes files in the working
// directory.
func TestWorkingDirectoryIsNotUsed(t *testing.T) {
	u := newUser(t)
	t.Chdir(t.TempDir())
	clitest.Must(t, os.MkdirAll(".config/taskmarket", 0o700))
	clitest.Must(t, os.WriteFile(".config/taskmarket/config.yaml", []byte("api_url: https://evil.example\n"), 0o600))
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		delete(u.env, name)
	}
	for _, home := range []string{"", "."} {
		u.env["HOME"] = home
		u.run("config").ended(cli.ExitUsage).wantStderr("no home directory").wantStderr("TASKMARKET_CONFIG")
		u.run("--help").ok()
	}
	u.set("CONFIG", filepath.Join(u.dir, "config.yaml"))
	u.run("config").ended(cli.ExitUsage).wantStderr("TASKMARKET_STATE_DIR")
	u.set("STATE_DIR", filepath.Join(u.dir, "state"))
	u.run("config").ok()
}

// The program rejects directories that other users can modify.
func TestDirectoriesOfOtherUsersAreRejected(t *testing.T) {
	for name, c := range map[string]struct {
		folder string
		mode   os.FileMode
		refuse bool
	}{
		"a configuration directory writable by all":              {"config/taskmarket", 0o777, true},
		"a configuration directory writable by the user's group": {"config/taskmarket", 0o770, false},
		"a sticky directory":                                     {"config/taskmarket", 0o777 | os.ModeSticky, false},
		"a state directory writable by all":                      {"state/taskmarket", 0o757, true},
		"a state directory readable by all":                      {"state/taskmarket", 0o755, false},
		"a parent writable by all":                               {"state", 0o777, true},
		"a sticky parent":                                        {"state", 0o777 | os.ModeSticky, false},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			u.write("config/taskmarket/config.yaml", "username: harbour\n")
			u.write("state/taskmarket/journal", "")
			clitest.Must(t, os.Chmod(filepath.Join(u.dir, c.folder), c.mode))
			if !c.refuse {
				u.run("config").ok()
				return
			}
			u.run("config").ended(cli.ExitUsage).wantStderr("other users can write to it").wantStderr("chmod go-w")
		})
	}
}

// The test requires root, because only root can create files that belong to other users.
func TestFilesOfOtherUsersAreRejected(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not checked: only root can change a file's owner")
		return
	}
	const other = 65534
	for _, path := range []string{"config/taskmarket/config.yaml", "config/taskmarket", "state/taskmarket"} {
		u := newUser(t)
		u.write("config/taskmarket/config.yaml", "username: harbour\n")
		u.write("state/taskmarket/journal", "")
		clitest.Must(t, os.Chown(filepath.Join(u.dir, path), other, other))
		u.run("config").ended(cli.ExitUsage).wantStderr("belongs to another user")
	}
}

// A parent of the state directory can be a symbolic link. The target of the link is checked too.
func TestStateDirectorySymlinks(t *testing.T) {
	u := newUser(t)
	u.write("elsewhere/shared/state/taskmarket/journal", "")
	clitest.Must(t, os.Symlink(filepath.Join(u.dir, "elsewhere", "shared", "state"), filepath.Join(u.dir, "state")))
	u.run("config").ok()
	clitest.Must(t, os.Chmod(filepath.Join(u.dir, "elsewhere", "shared"), 0o777))
	u.run("config").ended(cli.ExitUsage).wantStderr("other users can write to it")
}

// If the configuration file is a symbolic link, the link is preserved and its target is replaced.
func TestWriteConfigFollowsLinks(t *testing.T) {
	u := newUser(t)
	real, link := u.write("dotfiles/agent.yaml", "username: old\n"), filepath.Join(u.dir, "link.yaml")
	clitest.Must(t, os.Symlink(filepath.Join("dotfiles", "agent.yaml"), link))
	clitest.Must(t, cli.WriteConfig(link, map[string]string{cli.SettingUsername: "new"}))
	info, err := os.Lstat(link)
	clitest.Must(t, err)
	raw, err := os.ReadFile(real)
	clitest.Must(t, err)
	if info.Mode()&os.ModeSymlink == 0 || string(raw) != "username: new\n" {
		t.Errorf("the link is %v, and its target contains %q", info.Mode(), raw)
	}
	clitest.Must(t, os.Remove(real))
	if err := cli.WriteConfig(link, map[string]string{cli.SettingUsername: "new"}); err == nil {
		t.Error("a dangling link was written")
	}
	clitest.Must(t, os.MkdirAll(filepath.Join(u.dir, "shared"), 0o700))
	// The mode is set separately, because the umask limits the mode of a new directory.
	clitest.Must(t, os.Chmod(filepath.Join(u.dir, "shared"), 0o777))
	clitest.Must(t, os.WriteFile(filepath.Join(u.dir, "shared", "agent.yaml"), nil, 0o600))
	clitest.Must(t, os.Remove(link))
	clitest.Must(t, os.Symlink(filepath.Join("shared", "agent.yaml"), link))
	if err := cli.WriteConfig(link, map[string]string{cli.SettingUsername: "new"}); err == nil {
		t.Error("a file that others can replace was written")
	}
}

// A wallet created with a password file can be opened with the same file, and by typing what the file shows.
func TestPasswordFileOpensItsWallet(t *testing.T) {
	for text, want := range map[string]string{
		"word": "word", "word\n": "word", "word\r\n": "word", "word \n": "word ", " word": " word", "\ufeffword\r\n": "word", "w\u00f6rd": "w\u00f6rd",
	} {
		u := newUser(t)
		u.set("KEYSTORE_PASSWORD_FILE", u.write("password", text))
		s, err := cli.New(u.streams(nil, nil), u.environ()).Settings()
		clitest.Must(t, err)
		made, err := signer.ReadSecret(u.env[cli.EnvPrefix+"KEYSTORE_PASSWORD_FILE"])
		clitest.Must(t, err)
		if got := s.Text(cli.SettingKeystorePassword); got != want || made != want {
			t.Errorf("%q is read as %q, and by register as %q; want %q", text, got, made, want)
		}
	}
	u := newUser(t)
	u.set("API_KEY_FILE", u.write("key", " tm_1 \r\n"))
	s, err := cli.New(u.streams(nil, nil), u.environ()).Settings()
	clitest.Must(t, err)
	if got := s.Text(cli.SettingAPIKey); got != "tm_1" {
		t.Errorf("the key is read as %q", got)
	}
}

const (
	signerKey      = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
	signerPassword = "correct horse"
)

var signerAddress = common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")

// storeKey writes a keystore to Foundry's keystore directory in the user's home.
func (u *user) storeKey(name string) {
	u.t.Helper()
	key, err := crypto.HexToECDSA(signerKey)
	clitest.Must(u.t, err)
	text, err := keystore.EncryptKey(&keystore.Key{Id: uuid.New(), Address: signerAddress, PrivateKey: key}, signerPassword, 2, 1)
	clitest.Must(u.t, err)
	u.write(".foundry/keystores/"+name, string(text))
}

// opened opens the configured wallet in the same way as a command.
func (u *user) opened() (chain.Signer, error) {
	var output bytes.Buffer
	ctx, cancel := context.WithTimeout(u.t.Context(), testTimeout)
	defer cancel()
	return cli.New(u.streams(&output, &output), u.environ()).Signer(ctx)
}

func TestWallets(t *testing.T) {
	for name, c := range map[string]struct {
		set        func(*user)
		code       int
		wantStderr string
	}{
		"a key": {set: func(u *user) { u.set("PRIVATE_KEY", signerKey) }},
		"a key in a file": {set: func(u *user) {
			u.set("PRIVATE_KEY_FILE", u.write("key", "0x"+signerKey+"\n"))
		}},
		"a key in a file readable by all": {set: func(u *user) {
			path := u.write("key", signerKey)
			clitest.Must(t, os.Chmod(path, 0o644))
			u.set("PRIVATE_KEY_FILE", path)
		}, code: cli.ExitUsage, wantStderr: "other users can access it"},
		"a keystore with a password file": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.set("KEYSTORE_PASSWORD_FILE", u.write("password", signerPassword+"\n"))
		}},
		"a keystore with a password prompt": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.terminal, u.secrets = true, []string{signerPassword}
		}},
		"a wrong password that ends with a blank": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.set("KEYSTORE_PASSWORD_FILE", u.write("password", signerPassword+" \n"))
		}, code: cli.ExitUsage, wantStderr: "about the password in use: it ends with a blank"},
		"a keystore without a password": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
		}, code: cli.ExitUsage, wantStderr: "no password is configured for the keystore"},
		"a wrong password": {set: func(u *user) {
			u.storeKey("agent")
			u.set("KEYSTORE", "agent")
			u.terminal, u.secrets = true, []string{"wrong"}
		}, code: cli.ExitUsage, wantStderr: "does not open this keystore"},
		"an unknown keystore": {set: func(u *user) { u.set("KEYSTORE", "agent") }, code: cli.ExitUsage, wantStderr: "there is no keystore agent"},
		"a key entered at the prompt": {set: func(u *user) {
			u.terminal, u.secrets = true, []string{signerKey}
		}},
		"an invalid key entered at the prompt": {set: func(u *user) {
			u.terminal, u.secrets = true, []string{signerKey[1:]}
		}, code: cli.ExitUsage, wantStderr: "not 64 hexadecimal digits"},
		"no wallet":                {set: func(*user) {}, code: cli.ExitUsage, wantStderr: "no wallet is configured"},
		"a signer over plain http": {set: func(u *user) { u.set("SIGNER_URL", "http://signer.example") }, code: cli.ExitFailed, wantStderr: "https"},
		"two wallets":              {set: func(u *user) { u.set("PRIVATE_KEY", signerKey); u.set("KEYSTORE", "agent") }, code: cli.ExitUsage, wantStderr: "more than one wallet is configured: private_key, keystore"},
		"the environment takes precedence over the file": {set: func(u *user) {
			u.write("config/taskmarket/config.yaml", "keystore: elsewhere\n")
			u.set("PRIVATE_KEY", signerKey)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			c.set(u)
			wallet, err := u.opened()
			switch code := cli.ExitCode(t.Context(), err); {
			case code != c.code:
				t.Errorf("exit code %d (%v), want %d", code, err, c.code)
			case err != nil && (!strings.Contains(err.Error(), c.wantStderr) || strings.Contains(err.Error(), signerKey[1:20])):
				t.Errorf("error %v, want %q and no key", err, c.wantStderr)
			case err == nil && wallet.Address() != signerAddress:
				t.Errorf("the wallet is %s, want %s", wallet.Address(), signerAddress)
			}
		})
	}
}
