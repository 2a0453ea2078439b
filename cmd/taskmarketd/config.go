package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarketd/internal/traces"
	"taskmarket/market"
	"taskmarket/origin"
	"taskmarket/server/gate"
	"taskmarket/server/screening"
	"taskmarket/server/social"
	"taskmarket/store"
)

// prefix is the prefix of the program's environment variables.
const prefix = "TASKMARKET_"

// secret is a string that must not be printed or logged.
type secret string

// String returns a placeholder, so that the value does not appear in logs or in the output of
// `taskmarketd config`.
func (s secret) String() string {
	if s == "" {
		return ""
	}
	return "(set)"
}

// config is the configuration of `serve`, read from environment variables with the prefix. A secret
// can be stored in a file: the variable with the suffix _FILE contains the file's path. A setting exists
// only if two real deployments need different values; everything else is a constant (see tuning.go).
// docs/configuration.md is generated from the comments on the fields.
type config struct {
	// Roles lists the parts that this process runs: api, watcher, keeper. Every deployment needs at least one
	// process with each role. Only processes with the role api need SESSION_KEYS.
	Roles []string `env:"ROLES" envDefault:"api,watcher,keeper"`
	// DatabaseURL is the PostgreSQL database, for example
	// postgres://user:password@host1,host2/taskmarket?port=5432,5432&target_session_attrs=read-write.
	DatabaseURL secret `env:"DATABASE_URL"`
	// DatabaseListenURL is the database for the connection that waits for notifications. It is needed only
	// if DATABASE_URL is a connection pooler that shares sessions between clients.
	DatabaseListenURL secret `env:"DATABASE_LISTEN_URL"`
	// DatabaseStandbyURL is a streaming replica of the database, which serves the public lists. Optional.
	DatabaseStandbyURL secret `env:"DATABASE_STANDBY_URL"`
	// DatabaseServiceRole is an existing PostgreSQL role, to which migrate grants the privileges that serve
	// needs. Then serve can neither change the schema nor the audit log. Optional.
	DatabaseServiceRole string `env:"DATABASE_SERVICE_ROLE"`
	// DatabaseConnections is the size of the connection pool, at least 8. One more connection waits for
	// notifications.
	DatabaseConnections int `env:"DATABASE_CONNECTIONS" envDefault:"20"`
	// PlaintextHosts lists other machines, in a private network, that may be reached without TLS: databases,
	// nodes, the keeper's signer and the file scanner.
	PlaintextHosts []string `env:"PLAINTEXT_HOSTS"`
	// BlobURL is the file store, for example file:///var/lib/taskmarket/blobs or s3://bucket?region=eu-central-1.
	BlobURL string `env:"BLOB_URL"`
	// FileScanner is the malware scanner for uploads: unix:///run/clamav/clamd.ctl or tcp://HOST:PORT of ClamAV,
	// or exec:///PATH of a program that reads the file and exits with 0 for a clean one, 1 for malware. Optional.
	FileScanner string `env:"FILE_SCANNER"`

	// Deployment is the content of the deployment file that deploy wrote: the chain and the contracts. Usually,
	// DEPLOYMENT_FILE names the file.
	Deployment string `env:"DEPLOYMENT"`
	// RPCURLs lists the chain's nodes, best of two companies, in the order of preference.
	RPCURLs []string `env:"RPC_URLS"`
	// WSURL is a WebSocket address of a node that announces new blocks, so that they are followed before the
	// next poll. Optional.
	WSURL string `env:"WS_URL"`
	// Finality is the level that a task must reach before the API returns calldata for it: seen, safe or final.
	Finality market.Finality `env:"FINALITY" envDefault:"safe"`

	// Listen is the address of the API and the web app.
	Listen string `env:"LISTEN" envDefault:"127.0.0.1:8080"`
	// BaseURL is the public origin, under which clients reach them.
	BaseURL string `env:"BASE_URL" envDefault:"http://127.0.0.1:8080"`
	// TrustedProxies lists the networks of proxies, such as 10.0.0.0/8, and no clients. Their X-Forwarded-For
	// header is trusted, and the identity proxy of the console must be in one of them.
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	// RateLimits overrides limits of openapi.yaml: registerAgent=60/min:20,*=600/min:100, where * stands for all
	// other operations. readPages, readApp, refusedCredentials and unprovenSignatures are limits of a client
	// address, signIns of a wallet.
	RateLimits []string `env:"RATE_LIMITS"`
	// SessionKeys are random strings of at least 32 bytes. The first signs sessions, and all verify them.
	SessionKeys []secret `env:"SESSION_KEYS"`
	// SocialHosts lists the networks whose posts can verify users: bsky.app, x.com, and hosts with the Mastodon
	// API. bsky.app=HOST selects a different Bluesky AppView server.
	SocialHosts []string `env:"SOCIAL_HOSTS" envDefault:"mastodon.social,bsky.app,x.com"`
	// ScreeningFile is a JSON file with what the operator forbids and requires. It is read again when it changes.
	// Optional.
	ScreeningFile string `env:"SCREENING_FILE"`

	// KeeperPrivateKey is the key of the account that pays gas for settlements, verdicts and claims.
	KeeperPrivateKey secret `env:"KEEPER_PRIVATE_KEY"`
	// KeeperSignerURL is an external signer instead of the private key: Web3Signer or Clef, as https://HOST:PORT
	// or unix:///PATH. It can contain a user name and a password for a proxy.
	KeeperSignerURL secret `env:"KEEPER_SIGNER_URL"`
	// KeeperAddress is the account of the external signer's key.
	KeeperAddress string `env:"KEEPER_ADDRESS"`
	// KeeperMaxFee limits the fee of the keeper's transactions, in wei per unit of gas. The default depends on the
	// chain.
	KeeperMaxFee string `env:"KEEPER_MAX_FEE"`
	// KeeperDailyLimit limits the keeper's costs in any 24 hours, in wei. The default depends on the chain.
	KeeperDailyLimit string `env:"KEEPER_DAILY_LIMIT"`
	// RewardSignerPrivateKey signs the vouchers that the distributor pays, for processes with the role keeper. Its
	// account needs no funds. Without the key, agents earn karma but cannot claim rewards.
	RewardSignerPrivateKey secret `env:"REWARD_SIGNER_PRIVATE_KEY"`
	// RewardSignerAddress is the account of that key, for processes without the role keeper, which accept claims.
	RewardSignerAddress string `env:"REWARD_SIGNER_ADDRESS"`
	// RewardRate is the reward for a point of karma, in wei.
	RewardRate string `env:"REWARD_RATE" envDefault:"1000000000000000"`
	// KarmaFeeFloor is the minimum platform fee, in wei, for a task to affect karma.
	KarmaFeeFloor string `env:"KARMA_FEE_FLOOR" envDefault:"1000000000000000"`

	// MetricsListen is the address for /metrics and profiles, which have no access control; off disables them.
	MetricsListen string `env:"METRICS_LISTEN" envDefault:"127.0.0.1:9464"`
	// TracesURL is the OTLP endpoint for traces, such as http://collector:4318/v1/traces. Optional.
	TracesURL string `env:"TRACES_URL"`
	// LogLevel is debug, info, warn or error.
	LogLevel string `env:"LOG_LEVEL" envDefault:"info"`
	// ConsoleListen is the address of the operators' console: host:port, unix:/path, or off.
	ConsoleListen string `env:"CONSOLE_LISTEN" envDefault:"off"`
	// ConsoleURL is the origin under which browsers reach the console. The console refuses other hosts.
	ConsoleURL string `env:"CONSOLE_URL" envDefault:"http://127.0.0.1:9465"`
	// ConsoleProxySecret enables sign-in through an identity proxy, which sends it as X-Console-Secret, with the
	// operator's name as X-Console-Operator: a random string of at least 32 bytes.
	ConsoleProxySecret secret `env:"CONSOLE_PROXY_SECRET"`
	// ConsoleOperators lists the names that get the role operator when they sign in through the proxy.
	ConsoleOperators []string `env:"CONSOLE_OPERATORS"`
	// ConsoleModerators lists the names that get the role moderator.
	ConsoleModerators []string `env:"CONSOLE_MODERATORS"`

	deployed deploymentFile // parsed from Deployment
	tuning   tuning

	nodeOptions rpc.NodeOptions // timeouts and tries; tests use shorter ones

	instance   string // name of this replica in the leases; by default the host name and the process id
	faucetPath string // path of the faucet; set only by `dev`
}

// inFiles are the variables of config whose values can be in files.
var inFiles = []string{
	"DATABASE_URL", "DATABASE_LISTEN_URL", "DATABASE_STANDBY_URL", "RPC_URLS", "WS_URL", "SESSION_KEYS", "KEEPER_PRIVATE_KEY",
	"REWARD_SIGNER_PRIVATE_KEY", "CONSOLE_PROXY_SECRET", "KEEPER_SIGNER_URL", deploymentVariable,
}

// settingNames are the names of the variables that the commands read.
var settingNames = func() map[string]bool {
	names := map[string]bool{deployerVariable + "_FILE": true}
	for _, name := range inFiles {
		names[name+"_FILE"] = true
	}
	for _, settings := range []reflect.Type{reflect.TypeFor[config](), reflect.TypeFor[deployConfig](), reflect.TypeFor[devConfig]()} {
		for i := range settings.NumField() {
			if name := settings.Field(i).Tag.Get("env"); name != "" {
				names[name] = true
			}
		}
	}
	return names
}()

// checkVariables returns an error for each variable with the prefix that no command reads. A misspelt setting, or one
// of another version, would otherwise permit silently what it should forbid.
func checkVariables(environ []string) error {
	var faults []error
	for _, entry := range environ {
		variable, _, _ := strings.Cut(entry, "=")
		if name, ours := strings.CutPrefix(variable, prefix); ours && !settingNames[name] {
			faults = append(faults, fmt.Errorf("%s is not a setting: correct its name or remove it; docs/configuration.md lists all", variable))
		}
	}
	return errors.Join(faults...)
}

// loadConfig parses the environment, a list of KEY=value strings, and reports all errors together.
func loadConfig(environ []string) (config, error) {
	c, err := parse[config](environ, inFiles...)
	c.tuning = tuned
	if c.Deployment != "" {
		var fault error
		if c.deployed, fault = parseDeployment(c.Deployment); fault != nil {
			err = errors.Join(err, fmt.Errorf("%s%s: %w", prefix, deploymentVariable, fault))
		}
	}
	return c.withKeeperDefaults(), err
}

// parse reads environment variables into a struct. The variables listed in secrets can be stored in
// files.
func parse[T any](environ []string, secrets ...string) (T, error) {
	variables := env.ToMap(environ)
	var faults []error
	for _, name := range secrets {
		path := variables[prefix+name+"_FILE"]
		if path == "" {
			continue
		}
		if variables[prefix+name] != "" {
			faults = append(faults, fmt.Errorf("%s%s and %s%s_FILE are both set: remove one", prefix, name, prefix, name))
			continue
		}
		text, err := readVariable(name, path)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s%s_FILE is %q: %w; or set %s%s itself", prefix, name, path, err, prefix, name))
			continue
		}
		variables[prefix+name] = text
	}
	c, err := env.ParseAsWithOptions[T](env.Options{Prefix: prefix, Environment: variables})
	return c, errors.Join(append(faults, err)...)
}

// readVariable returns the content of the file with the value of a variable. All users may read the deployment
// file, which has no secrets.
func readVariable(name, path string) (string, error) {
	if name != deploymentVariable {
		raw, err := signer.ReadPrivate(path)
		if err != nil {
			return "", err
		}
		return signer.KeyText(raw)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return market.FileText(raw)
}

// Validate returns all errors that prevent `serve` from running with this configuration.
func (c config) Validate() error {
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(prefix+format, args...))
		}
	}
	check(c.DatabaseURL != "", "DATABASE_URL is missing: the URL of the PostgreSQL database, for example postgres://user@host/taskmarket")
	_, _, err := net.SplitHostPort(c.Listen)
	check(err == nil, "LISTEN is %q, not host:port", c.Listen)
	limits, err := c.limits()
	check(err == nil, "RATE_LIMITS: %v", err)
	c.checkBaseURL(check, limits)
	check(c.BlobURL != "", "BLOB_URL is missing: the URL of the file store, for example file:///var/lib/taskmarket/blobs")
	check(len(c.RPCURLs) > 0, "RPC_URLS is missing: one or more addresses of chain nodes, separated by commas")
	check(c.deployed != deploymentFile{}, "DEPLOYMENT_FILE is missing: the file that `taskmarketd deploy` wrote")
	check(len(c.SessionKeys) > 0 || !c.runs(roleAPI), "SESSION_KEYS is missing: one or more random strings of 32 bytes or more, separated by commas")
	_, err = social.New(c.SocialHosts...)
	check(err == nil, "SOCIAL_HOSTS: %v", err)
	if _, err := c.trustedProxies(); err != nil {
		faults = append(faults, err)
	}
	faults = append(faults, c.sessionKeyFaults()...)
	faults = append(faults, c.privateKeyFaults()...)
	faults = append(faults, c.plaintextFaults()...)
	faults = append(faults, c.keeperFaults()...)
	faults = append(faults, c.consoleFaults()...)
	faults = append(faults, c.rewardFaults()...)
	check(slices.Contains([]market.Finality{market.FinalitySeen, market.FinalitySafe, market.FinalityFinal}, c.Finality),
		"FINALITY is %q, not seen, safe or final", c.Finality)
	_, err = market.ParseWei(c.KarmaFeeFloor)
	check(err == nil, "KARMA_FEE_FLOOR is %q, not a whole number of wei below 2^256", c.KarmaFeeFloor)
	_, err = screening.New(c.ScreeningFile)
	check(err == nil, "SCREENING_FILE: %v", err)
	c.checkProcess(check)
	var level slog.Level
	check(level.UnmarshalText([]byte(c.LogLevel)) == nil, "LOG_LEVEL is %q, not debug, info, warn or error", c.LogLevel)
	return errors.Join(faults...)
}

// checkBaseURL validates BASE_URL, and the settings that depend on whether others can reach it.
func (c config) checkBaseURL(check func(ok bool, format string, args ...any), limits map[string]gate.Limit) {
	base, err := origin.ParseOrigin(c.BaseURL)
	switch check(err == nil, "BASE_URL, an origin such as https://market.example, %v", err); {
	case err != nil || isLoopback(base.Hostname()):
	case base.Scheme == "http":
		check(false, "BASE_URL is %q: use https, because http is allowed only for a loopback address", c.BaseURL)
	default:
		c.checkPublic(check, limits)
	}
}

// maxPublicRate and maxPublicBurst are the largest limits of one client for an operation of a public service. A
// larger limit, which tests and benchmarks use, has no effect on a flood.
const (
	maxPublicRate  = 100 // requests per second
	maxPublicBurst = 10_000
)

// checkPublic rejects settings that are only for development and tests, for a service that others can reach.
func (c config) checkPublic(check func(ok bool, format string, args ...any), limits map[string]gate.Limit) {
	for operation, limit := range limits {
		check(float64(limit.Count) <= maxPublicRate*limit.Period.Seconds() && limit.Burst <= maxPublicBurst,
			"RATE_LIMITS: the limit of %s is so high that there is none: the maximum is %d/min:%d", operation, 60*maxPublicRate, maxPublicBurst)
	}
	for _, entry := range c.SocialHosts {
		for host := range strings.SplitSeq(entry, "=") {
			name := (&url.URL{Host: host}).Hostname()
			check(!isInternal(name), "SOCIAL_HOSTS contains %q, which only this machine or its network can reach: remove it", host)
		}
	}
}

// isInternal reports whether a host is this machine or in its network.
func isInternal(host string) bool {
	ip := net.ParseIP(host)
	return isLoopback(host) || strings.HasSuffix(host, ".localhost") || ip != nil && (ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast())
}

// The roles of a process.
const (
	roleAPI     = "api"
	roleWatcher = "watcher"
	roleKeeper  = "keeper"
)

// minConnections is the minimum size of the connection pool, in which some connections are reserved for
// reads.
const minConnections = 8

// checkProcess validates the roles of this process, its limits, its listener for metrics, and its traces.
func (c config) checkProcess(check func(ok bool, format string, args ...any)) {
	for _, role := range c.Roles {
		check(slices.Contains([]string{roleAPI, roleWatcher, roleKeeper}, role), "ROLES contains %q, which is not api, watcher or keeper", role)
	}
	check(c.DatabaseConnections == 0 || c.DatabaseConnections >= minConnections,
		"DATABASE_CONNECTIONS is %d, less than %d", c.DatabaseConnections, minConnections)
	check(c.hasKeeper() || !slices.Equal(c.Roles, []string{roleKeeper}), "ROLES is keeper, but neither KEEPER_PRIVATE_KEY nor KEEPER_SIGNER_URL is set")
	_, fault := c.scanner()
	check(fault == nil, "FILE_SCANNER: %v", fault)
	if c.servesMetrics() {
		_, _, err := net.SplitHostPort(c.MetricsListen)
		check(err == nil, "METRICS_LISTEN is %q, not host:port or %q", c.MetricsListen, metricsOff)
	}
	check(c.TracesURL == "" || isPlainURL(c.TracesURL), "TRACES_URL is %q: %s, such as http://collector:4318/v1/traces", c.TracesURL, plainURLForm)
}

// runs reports whether the process has the role.
func (c config) runs(role string) bool { return len(c.Roles) == 0 || slices.Contains(c.Roles, role) }

// rewardFaults returns the errors in the configuration of reward claims.
func (c config) rewardFaults() []error {
	var faults []error
	if _, err := market.ParseWei(c.RewardRate); err != nil {
		faults = append(faults, fmt.Errorf("%sREWARD_RATE is %q, not a whole number of wei below 2^256", prefix, c.RewardRate))
	}
	if c.RewardSignerPrivateKey == "" {
		return append(faults, c.rewardAddressFaults()...)
	}
	switch vouchers, err := chain.ParseKeySigner(string(c.RewardSignerPrivateKey)); {
	case err != nil:
		faults = append(faults, fmt.Errorf("%sREWARD_SIGNER_PRIVATE_KEY is not a private key in hexadecimal digits", prefix))
	case !c.hasKeeper() && c.runs(roleKeeper):
		faults = append(faults, fmt.Errorf("%sREWARD_SIGNER_PRIVATE_KEY is set, but neither %sKEEPER_PRIVATE_KEY nor %sKEEPER_SIGNER_URL is set: a process with the role keeper needs one of them to submit the vouchers", prefix, prefix, prefix))
	case c.RewardSignerAddress != "" && common.HexToAddress(c.RewardSignerAddress) != vouchers.Address():
		faults = append(faults, fmt.Errorf("%sREWARD_SIGNER_ADDRESS is %s, but %sREWARD_SIGNER_PRIVATE_KEY is the key of %s", prefix, c.RewardSignerAddress, prefix, vouchers.Address()))
	case vouchers.Address() == c.keeperAddress():
		faults = append(faults, fmt.Errorf("%sREWARD_SIGNER_PRIVATE_KEY is the keeper's key: use another key, whose account needs no funds", prefix))
	}
	return faults
}

// rewardAddressFaults returns the errors in the reward signer's address, for a process without its key.
func (c config) rewardAddressFaults() []error {
	if c.RewardSignerAddress == "" {
		return nil
	}
	if _, err := market.ParseAddress(prefix+"REWARD_SIGNER_ADDRESS", c.RewardSignerAddress); err != nil {
		return []error{fmt.Errorf("%sREWARD_SIGNER_ADDRESS is %q: %s", prefix, c.RewardSignerAddress, addressForm)}
	}
	if c.runs(roleKeeper) {
		return []error{fmt.Errorf("%sREWARD_SIGNER_ADDRESS is set, but %sREWARD_SIGNER_PRIVATE_KEY is missing: a process with the role keeper needs it to sign vouchers", prefix, prefix)}
	}
	return nil
}

// Descriptions of what market.ParseAddress and isPlainURL accept, for error messages.
const (
	addressForm  = "an address is 0x followed by 40 hexadecimal digits, not all of them 0, with a valid EIP-55 checksum if in mixed case"
	plainURLForm = "it must be an http or https URL without spaces, quotes, commas or semicolons"
)

// isPlainURL reports whether the URL can be used in a content security policy.
func isPlainURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && !strings.ContainsAny(text, " ;,'\"")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// limits parses RATE_LIMITS.
func (c config) limits() (map[string]gate.Limit, error) {
	limits := make(map[string]gate.Limit, len(c.RateLimits))
	for _, text := range c.RateLimits {
		operation, limit, found := strings.Cut(text, "=")
		if !found {
			return nil, fmt.Errorf("%q is not a limit such as registerAgent=60/min:20", text)
		}
		var err error
		if limits[operation], err = gate.ParseLimit(limit); err != nil {
			return nil, err
		}
	}
	return limits, nil
}

// storeOptions returns the options of the store.
func (c config) storeOptions() []store.Option {
	options := []store.Option{
		store.WithKarmaFeeFloor(c.karmaFeeFloor()), store.WithListenURL(string(c.DatabaseListenURL)), store.WithStandby(string(c.DatabaseStandbyURL)),
		store.WithQuotas(store.Quotas{Unfunded: c.tuning.UnfundedTasks, Rejections: c.tuning.DailyRejections}),
	}
	if c.DatabaseConnections > 0 {
		options = append(options, store.WithConnections(c.DatabaseConnections))
	}
	return options
}

// karmaFeeFloor returns KARMA_FEE_FLOOR as a number. Validate has checked the value.
func (c config) karmaFeeFloor() *big.Int {
	floor, _ := market.ParseWei(c.KarmaFeeFloor)
	return floor
}

func (c config) logger(w io.Writer) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.LogLevel)) // the error is ignored, because Validate has checked the value
	return slog.New(gate.LogHandler(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}), traces.LogID))
}

func originOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return secret(address).String()
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
}
