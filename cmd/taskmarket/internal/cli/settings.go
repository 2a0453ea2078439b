package cli

import (
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/rpc"
	"taskmarket/client/signer"
	"taskmarket/market"
)

// EnvPrefix is the prefix of the program's environment variables.
const EnvPrefix = "TASKMARKET_"

// setting is a configuration setting. Name is its name in the configuration file. The environment
// variable is EnvPrefix followed by the name in upper case.
type setting struct {
	Name  string
	About string
	// Flag is set if there is a global flag for the setting: the name with hyphens for underscores.
	Flag bool
	// Secret is set if the value must not be printed. The name with the suffix _file is a setting
	// for the path of a file that contains the value.
	Secret bool
	// HoldsKey is set for URLs that may contain a provider's API key. Only the host is printed.
	HoldsKey bool
}

// The names of the settings.
const (
	SettingAPIURL             = "api_url"
	SettingRPCURL             = "rpc_url"
	SettingWSURL              = "ws_url"
	settingInsecureNode       = "insecure_node"
	settingRPCTimeout         = "rpc_timeout"
	settingRPCTries           = "rpc_tries"
	SettingAPIKey             = "api_key"
	SettingPrivateKey         = "private_key"
	SettingKeystore           = "keystore"
	SettingKeystorePassword   = "keystore_password"
	settingSignerURL          = "signer_url"
	SettingAgentID            = "agent_id"
	SettingUsername           = "username"
	SettingWalletAddress      = "wallet_address"
	SettingChainID            = "chain_id"
	SettingTokenSymbol        = "token_symbol"
	SettingTokenAddress       = "token_address"
	SettingEscrowAddress      = "escrow_address"
	SettingStakingAddress     = "application_staking_address"
	SettingTreasuryAddress    = "treasury_address"
	SettingDistributorAddress = "reward_distributor_address"
	SettingStartBlock         = "start_block"
	SettingMaxFeePerGas       = "max_fee_per_gas"
	SettingMaxPerPlan         = "max_per_plan"
	SettingMaxPerDay          = "max_per_day"
)

// AllSettings lists the settings in the order in which they are printed and written.
var AllSettings = []setting{
	{Name: SettingAPIURL, Flag: true, About: "the URL of the market's API, such as https://market.example/api/v1"},
	{Name: SettingRPCURL, Flag: true, HoldsKey: true, About: "the URL of an Ethereum node (http, https, ws or wss)"},
	{Name: SettingWSURL, HoldsKey: true, About: "a node with subscriptions (ws or wss) for `taskmarket watch`; default: rpc_url"},
	{Name: settingInsecureNode, About: "true: allow unencrypted connections (http, ws) to remote nodes, at the risk of tampering"},
	{Name: settingRPCTimeout, Flag: true, About: "the timeout of a call to the node, such as 30s; default 10s"},
	{Name: settingRPCTries, About: "the maximum number of attempts for a call to the node, 1 to 10; default 2"},
	{Name: SettingAPIKey, Secret: true, About: "the agent's API key"},
	{Name: SettingPrivateKey, Secret: true, About: "the wallet's private key, in hexadecimal digits"},
	{Name: SettingKeystore, Flag: true, About: "the wallet's keystore file, or its name in ~/.foundry/keystores"},
	{Name: SettingKeystorePassword, Secret: true, About: "the keystore's password; prompted for if not set"},
	{Name: settingSignerURL, Flag: true, HoldsKey: true, About: "the URL of an external signer (JSON-RPC)"},
	{Name: SettingAgentID, About: "the agent's id"},
	{Name: SettingUsername, About: "the agent's username"},
	{Name: SettingWalletAddress, About: "the agent's wallet; the key of a different wallet is rejected"},
	{Name: SettingChainID, About: "the id of the chain with the contracts"},
	{Name: SettingTokenSymbol, About: "the token's symbol, for amounts"},
	{Name: SettingTokenAddress, About: "the token contract"},
	{Name: SettingEscrowAddress, About: "the escrow contract; an API that reports a different one is rejected"},
	{Name: SettingStakingAddress, About: "the contract that holds applicants' stakes"},
	{Name: SettingTreasuryAddress, About: "the treasury contract"},
	{Name: SettingDistributorAddress, About: "the contract that pays rewards"},
	{Name: SettingStartBlock, About: "the first block that `taskmarket rescue` searches; default: found automatically"},
	{Name: SettingMaxFeePerGas, Flag: true, About: "the maximum price per unit of gas, such as \"30 gwei\"; default 100 gwei"},
	{Name: SettingMaxPerPlan, About: "the maximum that one plan of `taskmarket mcp` may lock, release or forfeit"},
	{Name: SettingMaxPerDay, About: "the maximum that all plans in any 24 hours may lock, release or forfeit"},
}

// LookupSetting returns the setting with the name, and whether it exists.
func LookupSetting(name string) (setting, bool) {
	for _, s := range AllSettings {
		if s.Name == name {
			return s, true
		}
	}
	return setting{}, false
}

func envName(name string) string { return EnvPrefix + strings.ToUpper(name) }

// FlagName returns the name of the flag for a setting.
func FlagName(name string) string { return strings.ReplaceAll(name, "_", "-") }

// FileSuffix is appended to the name of a secret setting. The result is the setting for the path of
// the file that contains the secret.
const FileSuffix = "_file"

// sourceFile is the value of Source for settings from the configuration file.
const sourceFile = "file"

// Settings contains the effective settings and their sources.
type Settings struct {
	Path   string // path of the configuration file, which may not exist
	Values map[string]value
}

// value is the effective value of a setting. All members are empty if the setting is not set.
type value struct {
	Text   string
	Source string // flag, environment or file, possibly followed by details
	Path   string // path of the file that contains the secret; otherwise empty

	raw []byte // content of that file
}

// InConfigFile reports whether the configuration file contains the value or the path of its secret
// file.
func (v value) InConfigFile() bool { return strings.HasPrefix(v.Source, sourceFile) }

// Text returns the value of a setting, or "" if it is not set.
func (s *Settings) Text(name string) string { return s.Values[name].Text }

// Settings returns the configuration, which it reads only once. Flags take precedence over
// environment variables, and environment variables over the configuration file. It reports all
// errors together.
func (a *App) Settings() (*Settings, error) {
	if a.Loaded != nil {
		return a.Loaded, nil
	}
	path, err := a.configFile()
	if err != nil {
		return nil, err
	}
	file, err := readConfigFile(path)
	if err != nil {
		return nil, err
	}
	s := &Settings{Path: path, Values: map[string]value{}}
	var faults []error
	for _, def := range AllSettings {
		v, err := a.find(def, file)
		if err == nil && v.Text != "" {
			err = check(def.Name, v)
		}
		if err != nil {
			faults = append(faults, err)
		} else if v.Text != "" {
			s.Values[def.Name] = v
		}
	}
	if len(faults) > 0 {
		return nil, &ExitError{Code: ExitUsage, Err: errors.Join(faults...), Hint: "`taskmarket help configuration` lists the settings"}
	}
	a.Loaded = s
	return s, nil
}

// find returns the value of a setting from the source with the highest precedence that contains it.
func (a *App) find(s setting, file map[string]string) (value, error) {
	if a.Flags != nil && !s.Secret {
		if f := a.Flags.Lookup(FlagName(s.Name)); f != nil && f.Changed {
			return value{Text: f.Value.String(), Source: "flag --" + f.Name}, nil
		}
	}
	environment := func(name string) (text, source string) {
		return a.environ[envName(name)], "environment " + envName(name)
	}
	inFile := func(name string) (text, source string) { return file[name], sourceFile }
	for _, look := range []func(string) (string, string){environment, inFile} {
		v, err := choose(s, look)
		if err != nil || v.Text != "" {
			return v, err
		}
	}
	return value{}, nil
}

// choose returns the value of a setting from one source. For a secret, the source can contain the
// value or the path of a file with the value.
func choose(s setting, look func(name string) (text, source string)) (value, error) {
	text, source := look(s.Name)
	if !s.Secret {
		return value{Text: text, Source: source}, nil
	}
	path, fileSource := look(s.Name + FileSuffix)
	switch {
	case path == "":
		return value{Text: text, Source: source}, nil
	case text != "":
		return value{}, fmt.Errorf("%s (%s) and %s (%s) are both set: remove one", s.Name, source, s.Name+FileSuffix, fileSource)
	}
	fault := func(err error) error {
		return fmt.Errorf("%s (%s) is %q: %w", s.Name+FileSuffix, fileSource, path, err)
	}
	raw, err := signer.ReadPrivate(path)
	if err != nil {
		return value{}, fault(fmt.Errorf("%w; or set %s itself", err, envName(s.Name)))
	}
	// Surrounding spaces are removed from keys; a password can start or end with a space.
	if s.Name == SettingKeystorePassword {
		text = signer.Passwords(raw)[0]
	} else if text, err = signer.KeyText(raw); err != nil {
		return value{}, fault(err)
	}
	if text == "" {
		return value{}, fault(errors.New("it is empty"))
	}
	return value{text, fileSource + ", " + path, path, raw}, nil
}

// check returns an error for an invalid value.
func check(name string, v value) error {
	switch name {
	case SettingWalletAddress, SettingTokenAddress, SettingEscrowAddress, SettingStakingAddress,
		SettingTreasuryAddress, SettingDistributorAddress:
		if _, err := market.ParseAddress(name, v.Text); err != nil {
			return fmt.Errorf("%s (%s) is %q: %s", name, v.Source, v.Text, AddressFault(name, err))
		}
	case SettingChainID, SettingStartBlock:
		if _, err := ParseUint(v.Text); err != nil {
			return fmt.Errorf("%s (%s) is %q, not a whole number", name, v.Source, v.Text)
		}
	case settingInsecureNode:
		if v.Text != "true" && v.Text != "false" {
			return fmt.Errorf("%s (%s) is %q, not true or false", name, v.Source, v.Text)
		}
	case settingRPCTimeout:
		if d, err := time.ParseDuration(v.Text); err != nil || d < minRPCTimeout || d > maxRPCTimeout {
			return fmt.Errorf("%s (%s) is %q, not a duration from %s to %s, such as 30s", name, v.Source, v.Text, minRPCTimeout, maxRPCTimeout)
		}
	case settingRPCTries:
		if n, err := ParseUint(v.Text); err != nil || n < 1 || n > maxRPCTries {
			return fmt.Errorf("%s (%s) is %q, not a number from 1 to %d", name, v.Source, v.Text, maxRPCTries)
		}
	case SettingMaxFeePerGas:
		if _, err := parseGasPrice(v.Text); err != nil {
			return fmt.Errorf("%s (%s) is %w", name, v.Source, err)
		}
	}
	return nil
}

// InsecureNode reports whether an unencrypted connection to a remote node is allowed.
func (s *Settings) InsecureNode() bool { return s.Text(settingInsecureNode) == "true" }

// Limits for the settings that control calls to the node.
const (
	minRPCTimeout = 100 * time.Millisecond
	maxRPCTimeout = 5 * time.Minute
	maxRPCTries   = 10
)

// NodeOptions returns the timeout and the number of attempts for calls to the node. 0 selects the
// default.
func (s *Settings) NodeOptions() rpc.NodeOptions {
	// The error is ignored, because check has validated the value.
	timeout, _ := time.ParseDuration(s.Text(settingRPCTimeout))
	tries, _ := ParseUint(s.Text(settingRPCTries))
	return rpc.NodeOptions{CallTimeout: timeout, Tries: int(tries)} //nolint:gosec // the value is at most maxRPCTries
}

// MaxFeePerGas returns the maximum price per unit of gas, in wei.
func (s *Settings) MaxFeePerGas() *big.Int {
	price, err := parseGasPrice(s.Text(SettingMaxFeePerGas))
	if err != nil { // not configured; an invalid value was already rejected by check
		return new(big.Int).Mul(big.NewInt(defaultMaxFee), gwei)
	}
	return price
}

// Contracts returns the pinned contracts, or nil if none are pinned. An incomplete set is an error,
// because it would not protect the user.
func (s *Settings) Contracts() (*market.Deployment, error) {
	needed := []string{SettingChainID, SettingTokenAddress, SettingEscrowAddress, SettingStakingAddress}
	var missing []string
	for _, name := range needed {
		if s.Text(name) == "" {
			missing = append(missing, name)
		}
	}
	switch {
	case s.Text(SettingEscrowAddress) == "" && s.Text(SettingTokenAddress) == "" && s.Text(SettingStakingAddress) == "":
		return nil, nil
	case len(missing) > 0:
		return nil, Fail(ExitUsage, "the pinned contracts are incomplete: %s is missing", strings.Join(missing, ", ")).
			WithHint("`taskmarket help configuration` lists the settings")
	}
	d := &market.Deployment{
		Token: s.Address(SettingTokenAddress), Escrow: s.Address(SettingEscrowAddress), Staking: s.Address(SettingStakingAddress),
		Treasury: s.Address(SettingTreasuryAddress), Distributor: s.Address(SettingDistributorAddress),
	}
	// The error is ignored, because check has validated the value.
	d.ChainID, _ = ParseUint(s.Text(SettingChainID))
	d.StartBlock, _ = ParseUint(s.Text(SettingStartBlock)) // 0 if the setting is not set
	return d, nil
}

// Address returns the value of an address setting, or the zero address if it is not set.
func (s *Settings) Address(name string) common.Address { return common.HexToAddress(s.Text(name)) }

// Redact returns the value in a form that is safe to print.
func (s setting) Redact(text string) string {
	switch {
	case s.Secret:
		return "(set)"
	case s.HoldsKey:
		return redactURL(text)
	default:
		return text
	}
}

// redactURL returns only the scheme and the host of a URL, because the rest may contain an API key. The path of a
// socket contains none.
func redactURL(text string) string {
	u, err := url.Parse(text)
	if err == nil && u.Scheme == "unix" && u.Host == "" {
		return "unix://" + u.Path
	}
	if err != nil || u.Host == "" {
		return "(not a URL)"
	}
	redacted := u.Scheme + "://" + u.Host
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		redacted += "/(hidden)"
	}
	return redacted
}
