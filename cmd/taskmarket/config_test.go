package main

import (
	"os"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

func TestConfigSources(t *testing.T) {
	u := newUser(t)
	u.write("config/taskmarket/config.yaml", "# mine\napi_url: https://file.example\nusername: from-file\nchain_id: 31337\n")
	u.set("USERNAME", "from-environment")
	u.set("RPC_URL", "https://node.example/v2/provider-key?x=1")
	u.set("API_KEY_FILE", u.write("key", "tm_secret\n"))
	u.set("SIGNER_URL", "unix:///run/clef.ipc?provider-key")
	u.set("FAUCET_PRIVATE_KEY", "unknown variables belong to other programs")
	r := u.run("config", "--json", "--api-url", "https://flag.example").ok()
	var got configDocument
	r.json(&got)
	for name, want := range map[string]struct{ Value, Source string }{
		"api_url":    {"https://flag.example", "flag --api-url"},
		"username":   {"from-environment", "environment TASKMARKET_USERNAME"},
		"chain_id":   {"31337", "file"},
		"rpc_url":    {"https://node.example/(hidden)", "environment TASKMARKET_RPC_URL"},
		"api_key":    {"(set)", "environment TASKMARKET_API_KEY_FILE, " + u.dir + "/key"},
		"signer_url": {"unix:///run/clef.ipc", "environment TASKMARKET_SIGNER_URL"},
	} {
		if got.Settings[name] != want {
			t.Errorf("%s is %+v, want %+v", name, got.Settings[name], want)
		}
	}
	for _, secret := range []string{"tm_secret", "provider-key"} {
		if strings.Contains(r.stdout+r.stderr, secret) {
			t.Errorf("config shows %q", secret)
		}
	}
	wantGolden(t, "config.txt", u.stable(u.run("config", "--api-url", "https://flag.example").ok().stdout))
}

func TestConfigErrors(t *testing.T) {
	for name, c := range map[string]struct {
		file       string
		env        map[string]string
		wantStderr string
	}{
		"an unknown name":                         {file: "api_ulr: x", wantStderr: `unknown setting "api_ulr"`},
		"a file for a setting that is not secret": {file: "api_url_file: x", wantStderr: `unknown setting "api_url_file"`},
		"invalid YAML":                            {file: "api_key: [tm_secret", wantStderr: "must consist of lines of the form"},
		"an invalid address":                      {env: map[string]string{"ESCROW_ADDRESS": "0x1"}, wantStderr: "escrow_address (environment TASKMARKET_ESCROW_ADDRESS)"},
		"an invalid number":                       {env: map[string]string{"CHAIN_ID": "one"}, wantStderr: `chain_id (environment TASKMARKET_CHAIN_ID) is "one"`},
		"a secret from two sources":               {env: map[string]string{"API_KEY": "tm_secret", "API_KEY_FILE": "/x"}, wantStderr: "both set"},
		"a missing secret file":                   {env: map[string]string{"API_KEY_FILE": "/no/such"}, wantStderr: "TASKMARKET_API_KEY_FILE"},
		"several errors":                          {env: map[string]string{"CHAIN_ID": "one", "START_BLOCK": "two"}, wantStderr: `; start_block`},
		"a file that is too large":                {file: "username: " + strings.Repeat("x", 64<<10), wantStderr: "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			if c.file != "" {
				u.write("config/taskmarket/config.yaml", c.file)
			}
			for name, value := range c.env {
				u.set(name, value)
			}
			r := u.run("config").ended(cli.ExitUsage).wantStderr(c.wantStderr)
			if strings.Contains(r.stderr, "tm_secret") {
				t.Errorf("the error contains a secret: %s", r.stderr)
			}
		})
	}
}

func TestSharedFilesAreRejected(t *testing.T) {
	u := newUser(t)
	path := u.write("config/taskmarket/config.yaml", "api_key: tm_secret\n")
	clitest.Must(t, os.Chmod(path, 0o644))
	u.run("config").ended(cli.ExitUsage).wantStderr("other users can access it").wantStderr("chmod 600")
	clitest.Must(t, os.Chmod(path, 0o600))
	key := u.write("key", "0x01")
	clitest.Must(t, os.Chmod(key, 0o644))
	u.set("PRIVATE_KEY_FILE", key)
	u.run("config").ended(cli.ExitUsage).wantStderr("other users can access it")
}

// A configuration file is UTF-8, with or without a byte order mark.
func TestConfigFileEncoding(t *testing.T) {
	u := newUser(t)
	u.write("config/taskmarket/config.yaml", "\ufeffusername: harbour\r\n")
	if got := u.run("config", "username").ok().stdout; got != "harbour\n" {
		t.Errorf("the username is %q", got)
	}
	clitest.Must(t, cli.WriteConfig(u.configPath(), map[string]string{cli.SettingUsername: "quay"}))
	if got := u.run("config", "username").ok().stdout; got != "quay\n" {
		t.Errorf("the changed username is %q", got)
	}
	u.write("config/taskmarket/config.yaml", "\xff\xfeu\x00")
	u.run("config").ended(cli.ExitUsage).wantStderr("the file is UTF-16: save it as UTF-8")
}

func TestIncompleteContractsAreRejected(t *testing.T) {
	u := newUser(t)
	u.set("API_URL", "https://market.example")
	u.set("API_KEY", "tm_"+"none")
	u.set("ESCROW_ADDRESS", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
	u.run("profile", "x").ended(cli.ExitUsage).wantStderr("chain_id, token_address, application_staking_address is missing")
}

func TestConfigSetting(t *testing.T) {
	u := newUser(t)
	u.set("USERNAME", "harbour")
	if got := u.run("config", "--field", "settings.username.value").ok().stdout; got != "harbour\n" {
		t.Errorf("the username is %q", got)
	}
	u.run("config", "--field", "nothing").ended(cli.ExitFailed).wantStderr("no member nothing")
}

// configDocument is the output of config --json.
type configDocument struct {
	Settings map[string]struct{ Value, Source string }
}
