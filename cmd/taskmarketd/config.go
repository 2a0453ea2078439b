package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"
	"taskmarket/chain"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/rpc"
	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarketd/internal/traces"
	"taskmarket/market"
	"taskmarket/origin"
	"taskmarket/server/gate"
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
// can be stored in a file: the variable with the suffix _FILE contains the file's path.
type config struct {
	// Roles lists the parts that this process runs; empty means all. Every deployment needs at least
	// one process with each role.
	Roles       []string `env:"ROLES" envDefault:"api,watcher,keeper"`
	DatabaseURL secret   `env:"DATABASE_URL"`
	// DatabaseListenURL is the URL for the connection that waits for notifications. It is needed only
	// if DatabaseURL points to a connection pooler that shares sessions between clients.
	DatabaseListenURL secret `env:"DATABASE_LISTEN_URL"`
	// DatabaseStandbyURL is the URL of a streaming replica of the database, which serves the public
	// lists. Optional.
	DatabaseStandbyURL secret `env:"DATABASE_STANDBY_URL"`
	// DatabaseServiceRole and DatabaseReaderRole are existing PostgreSQL roles. `migrate` grants the
	// first one the privileges that `serve` needs, and the second one read access for reports. Optional.
	DatabaseServiceRole string `env:"DATABASE_SERVICE_ROLE"`
	DatabaseReaderRole  string `env:"DATABASE_READER_ROLE"`
	// AllowPlaintext lists the services that may be reached over a network without TLS: database, node,
	// signer, scanner.
	AllowPlaintext []string `env:"ALLOW_PLAINTEXT"`
	// DatabaseConnections is the size of the connection pool. One more connection waits for
	// notifications.
	DatabaseConnections int    `env:"DATABASE_CONNECTIONS" envDefault:"20"`
	Listen              string `env:"LISTEN" envDefault:"127.0.0.1:8080"`
	// Connections and ConnectionsPerNetwork limit the open connections to Listen: in total, and from one
	// network. Connections from TrustedProxies are exempt from the limit per network.
	Connections           int `env:"CONNECTIONS" envDefault:"10000"`
	ConnectionsPerNetwork int `env:"CONNECTIONS_PER_NETWORK" envDefault:"500"`
	// IdleTimeout is how long a connection without a request stays open. It must be longer than the time after
	// which the load balancer closes its idle connections: otherwise the balancer can send a request over a
	// connection that the server closes at this moment, and answers 502.
	IdleTimeout time.Duration `env:"IDLE_TIMEOUT" envDefault:"75s"`
	// UnfundedTasks limits the listed tasks of each agent that are not funded. DailyRejections limits the
	// staked applications that each agent can reject in a day.
	UnfundedTasks   int `env:"UNFUNDED_TASKS" envDefault:"50"`
	DailyRejections int `env:"DAILY_REJECTIONS" envDefault:"20"`
	// FilesMinFree is the free space in bytes below which uploads are refused, if BlobURL is a folder;
	// 0 disables the check.
	FilesMinFree int64 `env:"FILES_MIN_FREE" envDefault:"1073741824"`
	// FileScanner is the malware scanner for uploaded files; see content.ParseScanner. Empty disables it.
	FileScanner string `env:"FILE_SCANNER"`
	// MetricsListen is the address for /metrics and profiles, which have no access control; "off"
	// disables them.
	MetricsListen string `env:"METRICS_LISTEN" envDefault:"127.0.0.1:9464"`
	// ConsoleListen is the address of the operator's console: host:port, unix:/path, or "off".
	ConsoleListen string `env:"CONSOLE_LISTEN" envDefault:"off"`
	// ConsoleURL is the origin under which browsers reach the console. The console refuses other hosts.
	ConsoleURL string `env:"CONSOLE_URL" envDefault:"http://127.0.0.1:9465"`
	// ConsoleProxySecret enables sign-in through an identity proxy, which sends it as X-Console-Secret
	// with the operator's name as X-Console-Operator. ConsoleProxies lists the proxy's addresses.
	ConsoleProxySecret secret   `env:"CONSOLE_PROXY_SECRET"`
	ConsoleProxies     []string `env:"CONSOLE_PROXIES"`
	// ConsoleOperators and ConsoleModerators are the names that get the role operator or moderator when
	// they sign in through the proxy.
	ConsoleOperators  []string `env:"CONSOLE_OPERATORS"`
	ConsoleModerators []string `env:"CONSOLE_MODERATORS"`
	// ConsoleOIDCIssuer enables sign-in to the console through an OpenID Connect provider, where the
	// console is registered as ConsoleOIDCClientID. The operator's name is in the claim
	// ConsoleOIDCNameClaim, and the operator's groups are in ConsoleOIDCRoleClaim. ConsoleOIDCOperators
	// and ConsoleOIDCModerators are the groups that get the role operator or moderator.
	ConsoleOIDCIssuer       string   `env:"CONSOLE_OIDC_ISSUER"`
	ConsoleOIDCClientID     string   `env:"CONSOLE_OIDC_CLIENT_ID"`
	ConsoleOIDCClientSecret secret   `env:"CONSOLE_OIDC_CLIENT_SECRET"`
	ConsoleOIDCNameClaim    string   `env:"CONSOLE_OIDC_NAME_CLAIM" envDefault:"email"`
	ConsoleOIDCRoleClaim    string   `env:"CONSOLE_OIDC_ROLE_CLAIM" envDefault:"groups"`
	ConsoleOIDCOperators    []string `env:"CONSOLE_OIDC_OPERATORS"`
	ConsoleOIDCModerators   []string `env:"CONSOLE_OIDC_MODERATORS"`
	// TracesURL is the OTLP endpoint for traces, such as http://collector:4318/v1/traces; empty
	// disables them. TracesShare is the share of the traces that are exported, from 0 to 1.
	TracesURL   string  `env:"TRACES_URL"`
	TracesShare float64 `env:"TRACES_SHARE" envDefault:"0.01"`
	// BaseURL is the public origin, to which /api/v1 is appended for the API.
	BaseURL  string `env:"BASE_URL" envDefault:"http://127.0.0.1:8080"`
	LogLevel string `env:"LOG_LEVEL" envDefault:"info"`
	BlobURL  string `env:"BLOB_URL"` // file:///var/lib/taskmarket/blobs or s3://bucket

	RPCURLs []string `env:"RPC_URLS"`
	// WSURL is an optional WebSocket endpoint of a node. It announces new blocks, so that they are
	// followed before the next poll.
	WSURL string `env:"WS_URL"`
	// RPCTimeout limits one attempt of a call to a node. RPCBatchTimeout limits one attempt of a
	// batch of calls or of a request for the logs of a block range. RPCTries is the number of
	// attempts.
	RPCTimeout         time.Duration `env:"RPC_TIMEOUT" envDefault:"10s"`
	RPCBatchTimeout    time.Duration `env:"RPC_BATCH_TIMEOUT" envDefault:"30s"`
	RPCTries           int           `env:"RPC_TRIES" envDefault:"2"`
	ChainID            uint64        `env:"CHAIN_ID"`
	TokenAddress       string        `env:"TOKEN_ADDRESS"`
	EscrowAddress      string        `env:"ESCROW_ADDRESS"`
	StakingAddress     string        `env:"APPLICATION_STAKING_ADDRESS"`
	TreasuryAddress    string        `env:"TREASURY_ADDRESS"`
	DistributorAddress string        `env:"REWARD_DISTRIBUTOR_ADDRESS"`
	StartBlock         uint64        `env:"START_BLOCK"`
	// ConfirmationDepth is the number of confirmations that a block needs before the watcher follows it.
	ConfirmationDepth uint64 `env:"CONFIRMATION_DEPTH"`
	// Instance is the name of this replica in the watcher's lease, and the prefix of its name in
	// the keeper's lease. The default consists of the host name and the process id. A watcher that
	// restarts with the same name need not wait until its old lease expires.
	Instance     string        `env:"INSTANCE"`
	PollInterval time.Duration `env:"POLL_INTERVAL" envDefault:"1s"`
	// FinalityDoubt is how long repeated checks must agree on a fork below a finalized block, or on
	// a shorter chain, before the watcher accepts it. The usual cause is a lagging node.
	FinalityDoubt time.Duration `env:"FINALITY_DOUBT" envDefault:"3m"`
	// AuditInterval is the pause between two comparisons of the database records with the
	// contracts.
	AuditInterval time.Duration `env:"AUDIT_INTERVAL" envDefault:"10s"`
	// AuditLogRetention is how long entries of the audit log are kept. Whole months are deleted. It is
	// unrelated to AuditInterval.
	AuditLogRetention time.Duration `env:"AUDIT_LOG_RETENTION" envDefault:"8760h"`
	// StopDelay is how long a stopping server still accepts requests while its health check fails.
	// It must be longer than the interval of the load balancer's health checks.
	StopDelay   time.Duration `env:"STOP_DELAY" envDefault:"3s"`
	ExplorerURL string        `env:"EXPLORER_URL"`
	// ChainName and PublicRPCURL are passed to the web app, which adds the chain to wallets in
	// which it is not configured. If PublicRPCURL is set, browsers also read the chain from it.
	ChainName    string `env:"CHAIN_NAME"`
	PublicRPCURL string `env:"PUBLIC_RPC_URL"`

	// SessionKeys are random strings of at least 32 bytes. The first signs sessions, and all verify them.
	SessionKeys      []secret `env:"SESSION_KEYS"`
	KeeperPrivateKey secret   `env:"KEEPER_PRIVATE_KEY"`
	// KeeperSignerURL selects an external signer instead of the private key: Web3Signer or Clef, with
	// the key of KeeperAddress. It can contain a user name and a password for a proxy.
	KeeperSignerURL     secret        `env:"KEEPER_SIGNER_URL"`
	KeeperAddress       string        `env:"KEEPER_ADDRESS"`
	KeeperSignerTimeout time.Duration `env:"KEEPER_SIGNER_TIMEOUT" envDefault:"10s"` // limit for one signature
	// KeeperSignerCA, KeeperSignerCertificate and KeeperSignerKey are for TLS connections to the signer,
	// in PEM format: the CA certificate for the signer, and a client certificate with its key. Empty
	// values select the system's CA certificates and no client certificate.
	KeeperSignerCA          secret `env:"KEEPER_SIGNER_CA"`
	KeeperSignerCertificate secret `env:"KEEPER_SIGNER_CERTIFICATE"`
	KeeperSignerKey         secret `env:"KEEPER_SIGNER_KEY"`
	// Limits for the keeper's transactions; empty selects the default for the chain. Fee and tip
	// are in wei per unit of gas. The daily limit is in wei and applies to any period of 24 hours.
	KeeperMaxFee     string `env:"KEEPER_MAX_FEE"`
	KeeperMaxTip     string `env:"KEEPER_MAX_TIP"`
	KeeperMaxGas     uint64 `env:"KEEPER_MAX_GAS"` // gas limit of each keeper transaction
	KeeperDailyLimit string `env:"KEEPER_DAILY_LIMIT"`
	// SettlementOverdue is how long, in chain time, a task can be due for settlement before the
	// health check reports it as overdue.
	SettlementOverdue time.Duration `env:"SETTLEMENT_OVERDUE" envDefault:"10m"`
	// RewardSignerPrivateKey signs the vouchers that the distributor pays. Its account needs no
	// funds, and the distributor's budget limits the payments. If the key is not set, agents earn
	// karma but cannot claim rewards.
	RewardSignerPrivateKey secret `env:"REWARD_SIGNER_PRIVATE_KEY"`
	// RewardSignerAddress is the account of that key, for processes without the role keeper, which
	// accept claims but do not need the key.
	RewardSignerAddress string `env:"REWARD_SIGNER_ADDRESS"`
	RewardRate          string `env:"REWARD_RATE" envDefault:"1000000000000000"` // wei per point of karma

	// SocialHosts lists the social networks whose posts can verify users: bsky.app, x.com, and
	// hosts with the Mastodon API. bsky.app=HOST selects a different Bluesky AppView server.
	SocialHosts []string `env:"SOCIAL_HOSTS" envDefault:"mastodon.social,bsky.app,x.com"`
	// TrustedProxies are the CIDR ranges of proxies whose X-Forwarded-For header is trusted.
	TrustedProxies []string `env:"TRUSTED_PROXIES"`
	// RateLimits overrides the rate limits in openapi.yaml. Each entry has the form
	// operationId=rate:burst, and "*" stands for all other operations: for example,
	// registerAgent=60/min:20,*=600/min:100. The additional names readPages, readApp, refusedCredentials
	// and unprovenSignatures set limits for each client address, and signIns for each wallet.
	RateLimits []string `env:"RATE_LIMITS"`
	// Finality is the finality level that a task must reach before the API returns calldata for it.
	Finality market.Finality `env:"FINALITY" envDefault:"safe"`
	// KarmaFeeFloor is the minimum platform fee, in wei, for a task to affect karma.
	KarmaFeeFloor string `env:"KARMA_FEE_FLOOR" envDefault:"1000000000000000"`

	// HoldRulesFile is a JSON file of rules that hold tasks until a moderator decides; empty selects
	// the built-in rules. SanctionsFile lists wallets, one per line, for which no account, task or
	// application is created. Both are read again when they change.
	HoldRulesFile string `env:"HOLD_RULES_FILE"`
	SanctionsFile string `env:"SANCTIONS_FILE"`
	// ForbiddenCategories are categories of work. A task that lists one as a skill is rejected, and a task
	// whose title or description mentions one is held. ForbiddenCountries are the ISO 3166-1 alpha-2 codes
	// of countries in which a task or human cannot be located.
	ForbiddenCategories []string `env:"FORBIDDEN_CATEGORIES"`
	ForbiddenCountries  []string `env:"FORBIDDEN_COUNTRIES"`
	// MinimumAge is 18 if humans must declare that they are 18 or older before they apply, otherwise 0.
	MinimumAge int `env:"MINIMUM_AGE"`
	// TermsURL, PrivacyURL and ContactURL are links in the footer of the web app. Optional.
	TermsURL   string `env:"TERMS_URL"`
	PrivacyURL string `env:"PRIVACY_URL"`
	ContactURL string `env:"CONTACT_URL"`

	faucetPath string // path of the faucet; set only by `dev`, never from the environment
}

// loadConfig parses the environment, a list of KEY=value strings, and reports all errors together.
func loadConfig(environ []string) (config, error) {
	c, err := parse[config](environ, "DATABASE_URL", "DATABASE_LISTEN_URL", "DATABASE_STANDBY_URL", "RPC_URLS", "WS_URL",
		"SESSION_KEYS", "KEEPER_PRIVATE_KEY", "REWARD_SIGNER_PRIVATE_KEY",
		"CONSOLE_PROXY_SECRET", "CONSOLE_OIDC_CLIENT_SECRET", "KEEPER_SIGNER_URL", "KEEPER_SIGNER_CA", "KEEPER_SIGNER_CERTIFICATE", "KEEPER_SIGNER_KEY")
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

// readVariable returns the content of the file with the value of a variable. Certificates have several
// lines, and those that are public may be readable by all users.
func readVariable(name, path string) (string, error) {
	read := signer.ReadPrivate
	if name == "KEEPER_SIGNER_CA" || name == "KEEPER_SIGNER_CERTIFICATE" {
		read = os.ReadFile
	}
	raw, err := read(path)
	if err != nil {
		return "", err
	}
	if !bytes.Contains(raw, []byte("-----BEGIN ")) {
		return signer.KeyText(raw)
	}
	text, err := market.FileText(raw)
	return strings.TrimSpace(text), err
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
	check(c.ChainID != 0, "CHAIN_ID is missing")
	for name, value := range c.addresses() {
		_, err := market.ParseAddress(prefix+name, value)
		check(err == nil, "%s is %q: %s", name, value, addressForm)
	}
	check(len(c.SessionKeys) > 0 || !c.runs(roleAPI), "SESSION_KEYS is missing: one or more random strings of 32 bytes or more, separated by commas")
	check(c.PublicRPCURL == "" || isPlainURL(c.PublicRPCURL), "PUBLIC_RPC_URL is %q: %s, such as https://node.example/path", c.PublicRPCURL, plainURLForm)
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
	faults = append(faults, c.instanceFaults()...)
	c.checkProcess(check)
	c.checkTimes(check)
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
	check(c.Connections > 0, "CONNECTIONS is %d: must be positive", c.Connections)
	check(c.ConnectionsPerNetwork > 0, "CONNECTIONS_PER_NETWORK is %d: must be positive", c.ConnectionsPerNetwork)
	check(c.hasKeeper() || !slices.Equal(c.Roles, []string{roleKeeper}), "ROLES is keeper, but neither KEEPER_PRIVATE_KEY nor KEEPER_SIGNER_URL is set")
	check(c.UnfundedTasks > 0, "UNFUNDED_TASKS is %d: must be positive", c.UnfundedTasks)
	check(c.DailyRejections > 0, "DAILY_REJECTIONS is %d: must be positive", c.DailyRejections)
	_, fault := c.scanner()
	check(fault == nil, "FILE_SCANNER: %v", fault)
	check(c.FilesMinFree >= 0, "FILES_MIN_FREE is %d: must not be negative", c.FilesMinFree)
	if c.servesMetrics() {
		_, _, err := net.SplitHostPort(c.MetricsListen)
		check(err == nil, "METRICS_LISTEN is %q, not host:port or %q", c.MetricsListen, metricsOff)
	}
	check(c.TracesURL == "" || isPlainURL(c.TracesURL), "TRACES_URL is %q: %s, such as http://collector:4318/v1/traces", c.TracesURL, plainURLForm)
	check(c.TracesShare >= 0 && c.TracesShare <= 1, "TRACES_SHARE is %v, not between 0 and 1", c.TracesShare)
}

// runs reports whether the process has the role.
func (c config) runs(role string) bool { return len(c.Roles) == 0 || slices.Contains(c.Roles, role) }

// RPC_TIMEOUT must be at least leastRPCTimeout, and RPC_TIMEOUT times RPC_TRIES at most mostRPCTime,
// because an HTTP request that waits for a node must finish within writeTimeout.
const (
	leastRPCTimeout = 100 * time.Millisecond
	mostRPCTime     = 60 * time.Second
)

// nodeOptions returns the timeouts and the number of attempts for calls to the nodes.
func (c config) nodeOptions() rpc.NodeOptions {
	return rpc.NodeOptions{CallTimeout: c.RPCTimeout, BatchTimeout: c.RPCBatchTimeout, Tries: c.RPCTries}
}

// checkTimes validates the durations and the number of attempts.
func (c config) checkTimes(check func(ok bool, format string, args ...any)) {
	check(c.RPCTimeout >= leastRPCTimeout, "RPC_TIMEOUT is %s, less than %s", c.RPCTimeout, leastRPCTimeout)
	check(c.RPCBatchTimeout >= c.RPCTimeout, "RPC_BATCH_TIMEOUT is %s, less than RPC_TIMEOUT", c.RPCBatchTimeout)
	check(c.RPCTries >= 1, "RPC_TRIES is %d, less than 1", c.RPCTries)
	check(c.RPCTimeout*time.Duration(c.RPCTries) <= mostRPCTime,
		"RPC_TIMEOUT times RPC_TRIES is %s; requests to the API wait for the node, so the maximum is %s", c.RPCTimeout*time.Duration(c.RPCTries), mostRPCTime)
	check(c.IdleTimeout >= minIdleTimeout, "IDLE_TIMEOUT is %s, less than %s: it must be longer than the idle timeout of the load balancer, which is often 60s", c.IdleTimeout, minIdleTimeout)
	check(c.StopDelay >= 0, "STOP_DELAY is %s: must not be negative", c.StopDelay)
	check(c.FinalityDoubt > 0, "FINALITY_DOUBT is %s: must be positive, such as 3m", c.FinalityDoubt)
	check(c.AuditInterval >= 100*time.Millisecond, "AUDIT_INTERVAL is %s, less than 100ms", c.AuditInterval)
	check(c.AuditLogRetention >= store.MinAuditRetention, "AUDIT_LOG_RETENTION is %s, less than %s", c.AuditLogRetention, store.MinAuditRetention)
}

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

func (c config) addresses() map[string]string {
	return map[string]string{
		"TOKEN_ADDRESS": c.TokenAddress, "ESCROW_ADDRESS": c.EscrowAddress,
		"APPLICATION_STAKING_ADDRESS": c.StakingAddress, "TREASURY_ADDRESS": c.TreasuryAddress,
		"REWARD_DISTRIBUTOR_ADDRESS": c.DistributorAddress,
	}
}

// deployment returns the configured contracts.
func (c config) deployment() market.Deployment {
	return market.Deployment{
		ChainID: c.ChainID, StartBlock: c.StartBlock,
		Token: common.HexToAddress(c.TokenAddress), Escrow: common.HexToAddress(c.EscrowAddress),
		Staking: common.HexToAddress(c.StakingAddress), Treasury: common.HexToAddress(c.TreasuryAddress),
		Distributor: common.HexToAddress(c.DistributorAddress),
	}
}

// name sets the chain, the start block and the contracts' addresses to those of the deployment.
func (c *config) name(d market.Deployment) {
	c.ChainID, c.StartBlock = d.ChainID, d.StartBlock
	c.TokenAddress, c.EscrowAddress, c.StakingAddress = d.Token.Hex(), d.Escrow.Hex(), d.Staking.Hex()
	c.TreasuryAddress, c.DistributorAddress = d.Treasury.Hex(), d.Distributor.Hex()
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
		store.WithQuotas(store.Quotas{Unfunded: c.UnfundedTasks, Rejections: c.DailyRejections}),
	}
	if c.AuditLogRetention > 0 {
		options = append(options, store.WithAuditRetention(c.AuditLogRetention))
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
