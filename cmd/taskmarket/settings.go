package main

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/market"
)

// envPrefix begins the name of every environment variable that is ours.
const envPrefix = "TASKMARKET_"

// setting is one thing that can be configured. Its name stands in the
// configuration file; in the environment it is upper case with envPrefix.
type setting struct {
	name  string
	about string
	// flag: it can also be given as a flag, with hyphens.
	flag bool
	// secret: it is never printed, and can also be given as the name of a file,
	// under its name with _file appended.
	secret bool
	// holdsKey: it is a URL in which providers put keys; only its host is printed.
	holdsKey bool
}

const (
	settingAPIURL             = "api_url"
	settingRPCURL             = "rpc_url"
	settingWSURL              = "ws_url"
	settingInsecureNode       = "insecure_node"
	settingRPCTimeout         = "rpc_timeout"
	settingRPCTries           = "rpc_tries"
	settingAPIKey             = "api_key"
	settingPrivateKey         = "private_key"
	settingKeystore           = "keystore"
	settingKeystorePassword   = "keystore_password"
	settingSignerURL          = "signer_url"
	settingAgentID            = "agent_id"
	settingUsername           = "username"
	settingWalletAddress      = "wallet_address"
	settingChainID            = "chain_id"
	settingTokenSymbol        = "token_symbol"
	settingTokenAddress       = "token_address"
	settingEscrowAddress      = "escrow_address"
	settingStakingAddress     = "application_staking_address"
	settingTreasuryAddress    = "treasury_address"
	settingDistributorAddress = "reward_distributor_address"
	settingStartBlock         = "start_block"
	settingMaxFeePerGas       = "max_fee_per_gas"
	settingMaxPerPlan         = "max_per_plan"
	settingMaxPerDay          = "max_per_day"
)

// allSettings in the order in which they are shown and written.
var allSettings = []setting{
	{name: settingAPIURL, flag: true, about: "the market's API, as in https://market.example/api/v1"},
	{name: settingRPCURL, flag: true, holdsKey: true, about: "an Ethereum node, http(s) or ws(s)"},
	{name: settingWSURL, holdsKey: true, about: "an Ethereum node that announces events, ws(s)"},
	{name: settingInsecureNode, about: "true: a node elsewhere may be asked by http or ws, whose answers others can change"},
	{name: settingRPCTimeout, flag: true, about: "how long the node may take to answer a call, such as 30s; 10s if not set"},
	{name: settingRPCTries, about: "how often a call to the node is attempted, 1 to 10; 2 if not set"},
	{name: settingAPIKey, secret: true, about: "the agent's API key"},
	{name: settingPrivateKey, secret: true, about: "the wallet's private key, in hexadecimal digits"},
	{name: settingKeystore, flag: true, about: "the wallet's keystore file, or its name in ~/.foundry/keystores"},
	{name: settingKeystorePassword, secret: true, about: "the keystore's password; asked for when it is not set"},
	{name: settingSignerURL, flag: true, holdsKey: true, about: "a program that signs for the wallet, over JSON-RPC"},
	{name: settingAgentID, about: "the agent's id"},
	{name: settingUsername, about: "the agent's username"},
	{name: settingWalletAddress, about: "the agent's wallet; no other one signs"},
	{name: settingChainID, about: "the chain of the contracts"},
	{name: settingTokenSymbol, about: "the token's symbol, for amounts"},
	{name: settingTokenAddress, about: "the token's contract"},
	{name: settingEscrowAddress, about: "the escrow contract; an API that names another is refused"},
	{name: settingStakingAddress, about: "the contract of applicants' stakes"},
	{name: settingTreasuryAddress, about: "the treasury's contract"},
	{name: settingDistributorAddress, about: "the contract that pays rewards"},
	{name: settingStartBlock, about: "the first block of the contracts"},
	{name: settingMaxFeePerGas, flag: true, about: "the most that a unit of gas may cost, such as \"30 gwei\"; 100 gwei if not set"},
	{name: settingMaxPerPlan, about: "the most that one plan of `taskmarket mcp` may spend"},
	{name: settingMaxPerDay, about: "the most that it may spend in any 24 hours"},
}

// settingNamed returns the setting of the name.
func settingNamed(name string) (setting, bool) {
	for _, s := range allSettings {
		if s.name == name {
			return s, true
		}
	}
	return setting{}, false
}

func envName(name string) string { return envPrefix + strings.ToUpper(name) }

func flagName(name string) string { return strings.ReplaceAll(name, "_", "-") }

// fileSuffix is appended to a secret's name where a file is named instead.
const fileSuffix = "_file"

// sourceFile is the source of what the configuration file says.
const sourceFile = "file"

// settings are the values in force and where each comes from.
type settings struct {
	path   string // of the configuration file, whether it exists or not
	values map[string]value
}

// value of a setting. All members are empty when it is not set.
type value struct {
	text   string
	source string // begins with flag, environment or file
	path   string // of the file that holds a secret
}

// inConfigFile reports whether the value, or its file's name, comes from the
// configuration file.
func (v value) inConfigFile() bool { return strings.HasPrefix(v.source, sourceFile) }

func (s *settings) text(name string) string { return s.values[name].text }

// settings returns what is configured, read once: flag over environment over
// file. It returns every fault at once.
func (a *app) settings() (*settings, error) {
	if a.loaded != nil {
		return a.loaded, nil
	}
	path, err := a.configFile()
	if err != nil {
		return nil, err
	}
	file, err := readConfigFile(path)
	if err != nil {
		return nil, err
	}
	s := &settings{path: path, values: map[string]value{}}
	var faults []error
	for _, known := range allSettings {
		v, err := a.find(known, file)
		if err == nil && v.text != "" {
			err = check(known.name, v)
		}
		if err != nil {
			faults = append(faults, err)
		} else if v.text != "" {
			s.values[known.name] = v
		}
	}
	if len(faults) > 0 {
		return nil, &failure{code: exitUsage, err: errors.Join(faults...), hint: "taskmarket help configuration"}
	}
	a.loaded = s
	return s, nil
}

// find returns a setting's value from the first source that has one.
func (a *app) find(s setting, file map[string]string) (value, error) {
	if a.flags != nil && !s.secret {
		if f := a.flags.Lookup(flagName(s.name)); f != nil && f.Changed {
			return value{text: f.Value.String(), source: "flag --" + f.Name}, nil
		}
	}
	environment := func(name string) (text, source string) {
		return a.environ[envName(name)], "environment " + envName(name)
	}
	inFile := func(name string) (text, source string) { return file[name], sourceFile }
	for _, look := range []func(string) (string, string){environment, inFile} {
		v, err := choose(s, look)
		if err != nil || v.text != "" {
			return v, err
		}
	}
	return value{}, nil
}

// choose takes a setting from one source: the value itself, or the file that
// holds a secret.
func choose(s setting, look func(name string) (text, source string)) (value, error) {
	text, source := look(s.name)
	if !s.secret {
		return value{text: text, source: source}, nil
	}
	path, fileSource := look(s.name + fileSuffix)
	switch {
	case path == "":
		return value{text: text, source: source}, nil
	case text != "":
		return value{}, fmt.Errorf("%s and %s are both set: keep one", source, fileSource)
	}
	text, err := readSecretFile(path)
	if err != nil {
		return value{}, fmt.Errorf("%s: %w", fileSource, err)
	}
	if s.name != settingKeystorePassword { // keys have no spaces around them; a password may
		text = strings.TrimSpace(text)
	}
	return value{text: text, source: fileSource + ", " + path, path: path}, nil
}

// check refuses values that nothing could be done with.
func check(name string, v value) error {
	switch name {
	case settingWalletAddress, settingTokenAddress, settingEscrowAddress, settingStakingAddress,
		settingTreasuryAddress, settingDistributorAddress:
		if _, err := market.ParseAddress(name, v.text); err != nil {
			return fmt.Errorf("%s (%s) is %q, which is no address", name, v.source, v.text)
		}
	case settingChainID, settingStartBlock:
		if _, err := parseUint(v.text); err != nil {
			return fmt.Errorf("%s (%s) is %q, which is no number", name, v.source, v.text)
		}
	case settingInsecureNode:
		if v.text != "true" && v.text != "false" {
			return fmt.Errorf("%s (%s) is %q, and not true or false", name, v.source, v.text)
		}
	case settingRPCTimeout:
		if d, err := time.ParseDuration(v.text); err != nil || d < leastRPCTimeout || d > mostRPCTimeout {
			return fmt.Errorf("%s (%s) is %q, not a time from %s to %s, such as 30s", name, v.source, v.text, leastRPCTimeout, mostRPCTimeout)
		}
	case settingRPCTries:
		if n, err := parseUint(v.text); err != nil || n < 1 || n > mostRPCTries {
			return fmt.Errorf("%s (%s) is %q, not a number from 1 to %d", name, v.source, v.text, mostRPCTries)
		}
	case settingMaxFeePerGas:
		if _, err := parseGasPrice(v.text); err != nil {
			return fmt.Errorf("%s (%s) is %w", name, v.source, err)
		}
	}
	return nil
}

// insecureNode reports whether a node on another machine may be asked without
// encryption.
func (s *settings) insecureNode() bool { return s.text(settingInsecureNode) == "true" }

// Limits of what can be set for calls to the node.
const (
	leastRPCTimeout = 100 * time.Millisecond
	mostRPCTimeout  = 5 * time.Minute
	mostRPCTries    = 10
)

// nodeOptions returns the bounds of calls to the node. What is not set is 0,
// which stands for the default.
func (s *settings) nodeOptions() chain.NodeOptions {
	timeout, _ := time.ParseDuration(s.text(settingRPCTimeout)) // check has refused what does not parse
	tries, _ := parseUint(s.text(settingRPCTries))
	return chain.NodeOptions{CallTimeout: timeout, Tries: int(tries)} //nolint:gosec // at most mostRPCTries
}

// maxFeePerGas returns the most that a unit of gas may cost, in wei.
func (s *settings) maxFeePerGas() *big.Int {
	most, err := parseGasPrice(s.text(settingMaxFeePerGas))
	if err != nil { // check has refused what is set and does not parse
		return new(big.Int).Mul(big.NewInt(defaultMaxFee), gwei)
	}
	return most
}

// contracts returns the contracts that are pinned, nil when none are. A part of
// them is an error: it would look pinned and be none.
func (s *settings) contracts() (*market.Deployment, error) {
	needed := []string{settingChainID, settingTokenAddress, settingEscrowAddress, settingStakingAddress}
	var missing []string
	for _, name := range needed {
		if s.text(name) == "" {
			missing = append(missing, name)
		}
	}
	switch {
	case s.text(settingEscrowAddress) == "" && s.text(settingTokenAddress) == "" && s.text(settingStakingAddress) == "":
		return nil, nil
	case len(missing) > 0:
		return nil, fail(exitUsage, "contracts are named, but not all of them: %s is missing", strings.Join(missing, ", ")).
			next("taskmarket help configuration")
	}
	d := &market.Deployment{
		Token: s.address(settingTokenAddress), Escrow: s.address(settingEscrowAddress), Staking: s.address(settingStakingAddress),
		Treasury: s.address(settingTreasuryAddress), Distributor: s.address(settingDistributorAddress),
	}
	d.ChainID, _ = parseUint(s.text(settingChainID))       // check has refused what does not parse
	d.StartBlock, _ = parseUint(s.text(settingStartBlock)) // 0 when it is not set
	return d, nil
}

// address returns a setting that check has found to be one, or the zero address.
func (s *settings) address(name string) common.Address { return common.HexToAddress(s.text(name)) }

// redact returns what may be shown of a value.
func (s setting) redact(text string) string {
	switch {
	case s.secret:
		return "(set)"
	case s.holdsKey:
		return redactURL(text)
	default:
		return text
	}
}

// redactURL leaves of a URL what holds no key: the scheme and the host.
func redactURL(text string) string {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return "(no URL)"
	}
	shown := u.Scheme + "://" + u.Host
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		shown += "/(hidden)"
	}
	return shown
}
