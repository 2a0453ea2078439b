package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"gopkg.in/yaml.v3"

	"taskmarket/chain/devnet"
	"taskmarket/market"
)

// Session keys as an operator creates them.
const (
	randomKey = "9f1c7e52d03ab86d4e5f12a7c8b30d69"
	otherKey  = "Kq3vX8zR1mW6tB9yN4cF7hJ2pL5sD0gA"
)

// address is used for all contracts.
const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

// onChain returns the variable with a deployment file of a chain.
func onChain(id int) string {
	return fmt.Sprintf(`TASKMARKET_DEPLOYMENT={"chain_id": %d, "token": "%[2]s", "escrow": "%[2]s", "application_staking": "%[2]s", `+
		`"treasury": "%[2]s", "reward_distributor": "%[2]s", "start_block": 7}`, id, address)
}

// valid returns environment variables that serve accepts.
func valid() []string {
	return []string{
		"TASKMARKET_DATABASE_URL=postgres://user:password@db/taskmarket", "TASKMARKET_BLOB_URL=mem://",
		"TASKMARKET_BASE_URL=https://market.example", "TASKMARKET_RPC_URLS=https://node:8545,https://other:8545", onChain(8453),
		"TASKMARKET_SESSION_KEYS=" + randomKey + "," + otherKey,
	}
}

func TestValidConfiguration(t *testing.T) {
	c, err := loadConfig(valid())
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	if len(c.RPCURLs) != 2 || len(c.SessionKeys) != 2 {
		t.Errorf("lists were not split: %v", c)
	}
}

func TestValidateReturnsAllErrors(t *testing.T) {
	c, err := loadConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	err = c.Validate()
	for _, name := range []string{
		"DATABASE_URL", "BLOB_URL", "RPC_URLS", "DEPLOYMENT_FILE", "SESSION_KEYS",
	} {
		if err == nil || !strings.Contains(err.Error(), prefix+name) {
			t.Errorf("Validate() does not name %s: %v", name, err)
		}
	}
}

func TestValidateRejects(t *testing.T) {
	tests := map[string]string{
		"a public origin with plain http":      "BASE_URL=http://market.example",
		"a base URL with a path":               "BASE_URL=https://market.example/api/v1",
		"a base URL with a user":               "BASE_URL=https://ada:secret@market.example",
		"a base URL with a query":              "BASE_URL=https://market.example?",
		"a base URL with a fragment":           "BASE_URL=https://market.example#",
		"a base URL without a scheme":          "BASE_URL=market.example",
		"a console URL with a fragment":        "CONSOLE_URL=https://console.example#x",
		"a console URL with a user":            "CONSOLE_URL=https://ada@console.example",
		"a short session key":                  "SESSION_KEYS=short",
		"a session key of one letter":          "SESSION_KEYS=" + strings.Repeat("k", 64),
		"a session key of words":               "SESSION_KEYS=" + strings.Repeat("secret-session-key", 2),
		"a session key of consecutive letters": "SESSION_KEYS=abcdefghijklmnopqrstuvwxyz012345",
		"one weak session key of two":          "SESSION_KEYS=" + randomKey + ",changeme",
		"a session key twice":                  "SESSION_KEYS=" + randomKey + "," + randomKey,
		"a published key on a public chain":    "KEEPER_PRIVATE_KEY=59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
		"a keeper key that is a small number":  "KEEPER_PRIVATE_KEY=" + strings.Repeat("0", 63) + "1",
		"all addresses as proxies":             "TRUSTED_PROXIES=0.0.0.0/0",
		"half of all addresses as proxies":     "TRUSTED_PROXIES=128.0.0.0/1",
		"all IPv6 addresses as proxies":        "TRUSTED_PROXIES=::/0",
		"a public network as proxies":          "TRUSTED_PROXIES=10.0.0.0/8,64.0.0.0/8",
		"a proxy without a prefix length":      "TRUSTED_PROXIES=10.0.0.1",
		"an invalid keeper key":                "KEEPER_PRIVATE_KEY=0x12",
		"an invalid voucher key":               "REWARD_SIGNER_PRIVATE_KEY=0x12",
		"vouchers without a keeper":            "REWARD_SIGNER_PRIVATE_KEY=" + strings.Repeat("1f", 32),
		"an invalid voucher address":           "REWARD_SIGNER_ADDRESS=0x12",
		"a voucher address without a key":      "REWARD_SIGNER_ADDRESS=0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
		"an invalid reward rate":               "REWARD_RATE=0.001",
		"a listen address without a port":      "LISTEN=localhost",
		"an unknown role":                      "ROLES=api,cook",
		"a keeper without a key":               "ROLES=keeper",
		"a traces URL without a host":          "TRACES_URL=collector",
		"a pool that is too small":             "DATABASE_CONNECTIONS=7",
		"a scanner without a protocol":         "FILE_SCANNER=clamd:3310",
		"a metrics address without a port":     "METRICS_LISTEN=localhost",
		"an unknown log level":                 "LOG_LEVEL=loud",
		"a missing screening file":             "SCREENING_FILE=/does/not/exist",
		"an unknown finality":                  "FINALITY=soon",
		"a negative fee floor":                 "KARMA_FEE_FLOOR=-1",
		"a limit without a burst":              "RATE_LIMITS=registerAgent=60/min",
		"a limit without an operation":         "RATE_LIMITS=60/min:5",
		"a rate that is no limit":              "RATE_LIMITS=registerAgent=60000000/min:100",
		"a burst that is no limit":             "RATE_LIMITS=loginHuman=10/min:100000",
		"a social network on this machine":     "SOCIAL_HOSTS=mastodon.social,127.0.0.1:8080",
		"a social network called localhost":    "SOCIAL_HOSTS=localhost",
		"a social network in this network":     "SOCIAL_HOSTS=10.0.0.7",
		"a proxy of a network on this machine": "SOCIAL_HOSTS=x.com=[::1]:8080",
		"an invalid fee":                       "KEEPER_MAX_FEE=1gwei",
		"a fee of zero":                        "KEEPER_MAX_FEE=0",
		"a daily limit of zero":                "KEEPER_DAILY_LIMIT=0",
		"a negative daily limit":               "KEEPER_DAILY_LIMIT=-1",
		"a signer without its address":         "KEEPER_SIGNER_URL=https://signer.example",
	}
	for name, variable := range tests {
		t.Run(name, func(t *testing.T) {
			c, err := loadConfig(append(valid(), prefix+variable))
			if err != nil {
				t.Fatal(err)
			}
			key, _, _ := strings.Cut(variable, "=")
			if err := c.Validate(); err == nil || !strings.Contains(err.Error(), prefix+key) {
				t.Errorf("Validate() = %v, want a fault in %s", err, key)
			}
		})
	}
}

// URLs can be spelled in ways that browsers do not use.
func TestURLsAreNormalized(t *testing.T) {
	c, err := loadConfig(append(valid(), prefix+"BASE_URL=HTTPS://Market.Example:443/", prefix+"CONSOLE_URL=http://[0:0:0:0:0:0:0:1]:9465/"))
	if err := errors.Join(err, c.Validate()); err != nil {
		t.Fatal(err)
	}
	if console, err := c.consoleURL(); err != nil || console.String() != "http://[::1]:9465" {
		t.Errorf("consoleURL() = %v, %v", console, err)
	}
}

// publishedAccounts includes the accounts of the local chain.
func TestPublishedAccounts(t *testing.T) {
	node, err := devnet.Start(t.Context(), devnet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = node.Stop() })
	for _, account := range node.Accounts() {
		if !slices.Contains(publishedAccounts, account.Address) {
			t.Errorf("%s is not in publishedAccounts", account.Address)
		}
	}
	c, err := loadConfig(append(valid(), onChain(31337), prefix+"KEEPER_PRIVATE_KEY="+hex.EncodeToString(crypto.FromECDSA(node.Accounts()[1].Key))))
	if err := errors.Join(err, c.Validate()); err != nil {
		t.Errorf("Validate() on a development chain = %v, want nil", err)
	}
}

func addressOf(t *testing.T, key string) string {
	t.Helper()
	parsed, err := crypto.HexToECDSA(key)
	if err != nil {
		t.Fatal(err)
	}
	return crypto.PubkeyToAddress(parsed.PublicKey).Hex()
}

// The keeper's key is either in the process or in an external signer.
func TestKeeperSigner(t *testing.T) {
	key := strings.Repeat("2e", 32)
	account := addressOf(t, key)
	for name, c := range map[string]struct {
		variables []string
		fault     string // variable that the error must name; empty for a valid configuration
	}{
		"a key":                       {variables: []string{"KEEPER_PRIVATE_KEY=" + key}},
		"a key and its address":       {variables: []string{"KEEPER_PRIVATE_KEY=" + key, "KEEPER_ADDRESS=" + account}},
		"a key and another address":   {variables: []string{"KEEPER_PRIVATE_KEY=" + strings.Repeat("1f", 32), "KEEPER_ADDRESS=" + account}, fault: "KEEPER_ADDRESS"},
		"a signer":                    {variables: []string{"KEEPER_SIGNER_URL=https://signer.example", "KEEPER_ADDRESS=" + account, "ROLES=keeper"}},
		"a socket":                    {variables: []string{"KEEPER_SIGNER_URL=unix:///run/clef/clef.ipc", "KEEPER_ADDRESS=" + account}},
		"both":                        {variables: []string{"KEEPER_SIGNER_URL=https://signer.example", "KEEPER_ADDRESS=" + account, "KEEPER_PRIVATE_KEY=" + key}, fault: "KEEPER_PRIVATE_KEY"},
		"a signer of a published key": {variables: []string{"KEEPER_SIGNER_URL=https://signer.example", "KEEPER_ADDRESS=0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}, fault: "KEEPER_ADDRESS"},
		"the same on a local chain":   {variables: []string{"KEEPER_SIGNER_URL=https://signer.example", "KEEPER_ADDRESS=0x70997970C51812dc3A010C7d01b50e0d17dc79C8", strings.TrimPrefix(onChain(31337), prefix)}},
		"an address with a typo":      {variables: []string{"KEEPER_SIGNER_URL=https://signer.example", "KEEPER_ADDRESS=0x12"}, fault: "KEEPER_ADDRESS"},
		"http to another machine":     {variables: []string{"KEEPER_SIGNER_URL=http://signer:9000", "KEEPER_ADDRESS=" + account}, fault: "KEEPER_SIGNER_URL"},
		"permitted http":              {variables: []string{"KEEPER_SIGNER_URL=http://signer:9000", "KEEPER_ADDRESS=" + account, "PLAINTEXT_HOSTS=node,signer"}},
		"vouchers of the same key":    {variables: []string{"KEEPER_SIGNER_URL=https://signer.example", "KEEPER_ADDRESS=" + account, "REWARD_SIGNER_PRIVATE_KEY=" + key}, fault: "REWARD_SIGNER_PRIVATE_KEY"},
		"vouchers of a published key": {variables: []string{"KEEPER_PRIVATE_KEY=" + key, "REWARD_SIGNER_PRIVATE_KEY=59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"}, fault: "REWARD_SIGNER_PRIVATE_KEY"},
		"vouchers of another key":     {variables: []string{"KEEPER_SIGNER_URL=https://signer.example", "KEEPER_ADDRESS=" + account, "REWARD_SIGNER_PRIVATE_KEY=" + strings.Repeat("1f", 32)}},
	} {
		environ := valid()
		for _, variable := range c.variables {
			environ = append(environ, prefix+variable)
		}
		config, err := loadConfig(environ)
		if err != nil {
			t.Fatal(err)
		}
		err = config.Validate()
		if (err == nil) != (c.fault == "") || err != nil && !strings.Contains(err.Error(), prefix+c.fault) {
			t.Errorf("%s: Validate() = %v, want a fault in %q", name, err, c.fault)
		}
		if err == nil && !config.hasKeeper() {
			t.Errorf("%s: the configuration has no keeper", name)
		}
	}
}

// If the maximum fee is lower than the default tip, the tip is lowered to it, because the fee includes
// the tip.
func TestKeeperFeeBoundsTheDefaultTip(t *testing.T) {
	c, err := loadConfig(append(valid(), prefix+"KEEPER_MAX_FEE=5"))
	if err != nil {
		t.Fatal(err)
	}
	limits, err := c.keeperLimits()
	if err := errors.Join(err, c.Validate()); err != nil || limits.Tip.Int64() != 5 {
		t.Errorf("Validate() = %v with a tip of %s, want nil and 5", err, limits.Tip)
	}
}

// The keeper and the voucher signer must use different keys, so that a stolen key has the rights of
// only one of them.
func TestKeeperAndVoucherKeysDiffer(t *testing.T) {
	key := strings.Repeat("1f", 32)
	for other, fine := range map[string]bool{key: false, "0x" + key: false, strings.Repeat("2e", 32): true} {
		c, err := loadConfig(append(valid(), prefix+"KEEPER_PRIVATE_KEY="+key, prefix+"REWARD_SIGNER_PRIVATE_KEY="+other))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); (err == nil) != fine {
			t.Errorf("Validate() = %v, want valid: %t", err, fine)
		}
	}
}

func TestSecretsComeFromFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(path, []byte(strings.Repeat("k", 40)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := loadConfig([]string{prefix + "SESSION_KEYS_FILE=" + path})
	if err != nil || len(c.SessionKeys) != 1 || len(c.SessionKeys[0]) != 40 {
		t.Errorf("loadConfig() = %v, %v", c.SessionKeys, err)
	}
	if _, err := loadConfig([]string{prefix + "SESSION_KEYS=x", prefix + "SESSION_KEYS_FILE=" + path}); err == nil {
		t.Error("a secret from two sources was accepted")
	}
	if _, err := loadConfig([]string{prefix + "SESSION_KEYS_FILE=" + path + ".none"}); err == nil {
		t.Error("a missing file was accepted")
	}
}

// A file with a secret is refused by name if its text is not the secret, or if other users can read it.
func TestSecretFilesAreChecked(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		variable, text string
		mode           os.FileMode
		value, words   string
	}{
		{"KEEPER_PRIVATE_KEY", "\ufeff0x1234\r\n", 0o600, "0x1234", ""},
		{"KEEPER_PRIVATE_KEY", "\xff\xfe1\x002\x00", 0o600, "", "save it as UTF-8"},
		{"KEEPER_PRIVATE_KEY", "1\x002\x00", 0o600, "", "save it as UTF-8"},
		{"KEEPER_PRIVATE_KEY", "0x12\xf6", 0o600, "", "not UTF-8"},
		{"KEEPER_PRIVATE_KEY", "0x12\n0x13\n", 0o600, "", "several lines"},
		{"KEEPER_PRIVATE_KEY", "\n", 0o600, "", "it is empty"},
		{"KEEPER_PRIVATE_KEY", "0x1234", 0o644, "", "chmod 600"},
		{"KEEPER_PRIVATE_KEY", "0x1234", 0o620, "", "set TASKMARKET_KEEPER_PRIVATE_KEY itself"},
	} {
		path := filepath.Join(folder, "secret")
		if err := errors.Join(os.WriteFile(path, []byte(c.text), 0o600), os.Chmod(path, c.mode)); err != nil {
			t.Fatal(err)
		}
		got, err := loadConfig([]string{prefix + c.variable + "_FILE=" + path})
		value := string(got.KeeperPrivateKey)
		if c.words == "" && (err != nil || value != c.value) || c.words != "" && (err == nil || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%s %q, mode %o: %q, %v; want %q", c.variable, c.text, c.mode, value, err, c.value+c.words)
		}
		if err != nil && strings.Contains(err.Error(), "0x12") {
			t.Errorf("the error contains the secret: %v", err)
		}
	}
}

// The deployment file describes the chain and the contracts. All users may read it. A contract that is missing or
// mistyped, or an unknown member, is refused, because money is sent to these addresses.
func TestDeploymentFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deployment.json")
	deployed := market.Deployment{
		ChainID: 8453, StartBlock: 7, Token: common.Address{1}, Escrow: common.Address{2}, Staking: common.Address{3}, Treasury: common.Address{4}, Distributor: common.Address{5},
	}
	if err := newDeploymentFile(deployed).write(path); err != nil {
		t.Fatal(err)
	}
	c, err := loadConfig([]string{prefix + "DEPLOYMENT_FILE=" + path})
	if err != nil || c.deployment() != deployed {
		t.Errorf("loadConfig() = %+v, %v, want %+v", c.deployment(), err, deployed)
	}
	_, written, _ := strings.Cut(onChain(8453), "=")
	for name, change := range map[string][2]string{
		"no chain": {"8453", "0"}, "no token": {`"token": "` + address + `",`, ""}, "a zero address": {address, common.Address{}.Hex()},
		"a wrong checksum": {"C51812dc3A", "c51812dc3A"}, "an address without 0x": {`"0x`, `"`}, "an unknown member": {"start_block", "first_block"},
		"a repeated member": {`{`, `{"Token": "` + common.Address{9}.Hex() + `", `}, "a bracket after the object": {"}", "}}"},
		"an explorer that is a script": {`"start_block"`, `"explorer_url": "javascript:x", "start_block"`},
	} {
		c, err := loadConfig(append(valid(), prefix+"DEPLOYMENT="+strings.Replace(written, change[0], change[1], 1)))
		if err := errors.Join(err, c.Validate()); err == nil || !strings.Contains(err.Error(), prefix+"DEPLOYMENT") {
			t.Errorf("%s: %v, want an error that names DEPLOYMENT", name, err)
		}
	}
}

// deploy overwrites no deployment file.
func TestDeployKeepsTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deployment.json")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	root := command()
	root.SetArgs([]string{"deploy", path, "--chain-id", "1", "--validators", address})
	if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "name a new file") {
		t.Errorf("deploy to an existing file: %v", err)
	}
}

// The address of a node often contains an access key, so it can be read from a file.
func TestNodeAddressesComeFromFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nodes")
	if err := os.WriteFile(path, []byte("https://node/v2/key,https://other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := loadConfig([]string{prefix + "RPC_URLS_FILE=" + path, prefix + "WS_URL_FILE=" + path})
	if err != nil || len(c.RPCURLs) != 2 || c.RPCURLs[1] != "https://other" || c.WSURL == "" {
		t.Errorf("loadConfig() = %v, %v", c.RPCURLs, err)
	}
}

// Only the API signs sessions, so the other roles run without its keys.
func TestOnlyTheAPINeedsSessionKeys(t *testing.T) {
	keys := prefix + "SESSION_KEYS="
	for roles, fine := range map[string]bool{"watcher": true, "watcher,keeper": true, "api": false, "": false} {
		c, err := loadConfig(append(valid(), keys, prefix+"ROLES="+roles))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Validate(); (err == nil) != fine {
			t.Errorf("ROLES=%s: Validate() = %v, want valid: %t", roles, err, fine)
		}
	}
}

func TestConfigCommandHidesSecrets(t *testing.T) {
	for _, line := range append(valid(), prefix+"DATABASE_LISTEN_URL=postgres://user:password@db/taskmarket",
		prefix+"DATABASE_STANDBY_URL=postgres://user:password@standby/taskmarket",
		prefix+"RPC_URLS=https://node/nodekey,https://user:nodekey@other?key=nodekey", prefix+"WS_URL=wss://node/nodekey",
		prefix+"KEEPER_SIGNER_URL=https://keeper:hunter2@signer.example", prefix+"KEEPER_ADDRESS=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		prefix+"REWARD_SIGNER_PRIVATE_KEY="+strings.Repeat("2e", 32)) {
		key, value, _ := strings.Cut(line, "=")
		t.Setenv(key, value)
	}
	var out bytes.Buffer
	root := command()
	root.SetArgs([]string{"config"})
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{"password", "nodekey", "kkkk", "oooo", "hunter2", "2e2e"} {
		if strings.Contains(out.String(), hidden) {
			t.Errorf("the output contains %q:\n%s", hidden, out.String())
		}
	}
	for _, shown := range []string{"TASKMARKET_BASE_URL=https://market.example", "TASKMARKET_DATABASE_URL=(set)", "TASKMARKET_RPC_URLS=[https://node https://other]"} {
		if !strings.Contains(out.String(), shown) {
			t.Errorf("the output lacks %q:\n%s", shown, out.String())
		}
	}
}

// The web app offers its development wallet only if there is a faucet, which environment variables
// cannot enable.
func TestServeOffersNoDevelopmentWallet(t *testing.T) {
	c, err := loadConfig(append(valid(), "TASKMARKET_FAUCET_PATH="+faucetPath, "TASKMARKET_FAUCETPATH="+faucetPath))
	if err != nil {
		t.Fatal(err)
	}
	if got := c.app().FaucetPath; got != "" {
		t.Errorf("the app of serve gets the faucet %q", got)
	}
}

var composeVariable = regexp.MustCompile(`TASKMARKET_[A-Z_]+`)

// The program reads every variable that docker-compose.yml sets.
// serve and config refuse variables that no command reads: a misspelt name, one of an earlier version, and values in
// files that are not read.
func TestUnknownVariablesAreRefused(t *testing.T) {
	for _, name := range []string{"SANCTIONS_FILE", "MINIMUM_AGE", "CONFIRMATION_DEPTH", "SCREENINGFILE", "SCREENING_FILE_FILE", "base_url", "TUNING", "DEPLOYER_PRIVATE_KEY_FILES", "FAUCETPATH", ""} {
		if err := checkVariables(append(valid(), prefix+name+"=1")); err == nil || !strings.Contains(err.Error(), prefix+name+" is not a setting") {
			t.Errorf("%s%s: %v, want an error that names the variable", prefix, name, err)
		}
	}
	if err := checkVariables(append(valid(), prefix+"DEPLOYMENT_FILE=x", prefix+"SESSION_KEYS_FILE=x", prefix+"DEPLOYER_PRIVATE_KEY_FILE=x", prefix+"DEV_PORT=1", "TASKMARKETS=x", "PATH=x")); err != nil {
		t.Error(err)
	}
}

func TestComposeSetsOnlyKnownVariables(t *testing.T) {
	raw, err := os.ReadFile("../../docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := yaml.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	var content strings.Builder
	for line := range strings.Lines(string(raw)) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			content.WriteString(line)
		}
	}
	found := composeVariable.FindAllString(content.String(), -1)
	if len(found) == 0 {
		t.Fatal("docker-compose.yml sets no TASKMARKET_ variable")
	}
	if err := checkVariables(found); err != nil {
		t.Errorf("docker-compose.yml: %v", err)
	}
}
