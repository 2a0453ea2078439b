package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"taskmarket/chain"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/origin"
	"taskmarket/server/console"
	"taskmarket/server/gate"
	"taskmarket/server/operate"
)

const (
	// consoleOff disables the console.
	consoleOff = "off"
	// unixPrefix begins the address of a unix socket in CONSOLE_LISTEN.
	unixPrefix = "unix:"
	// socketMode lets the group of the server's user connect to the socket.
	socketMode = 0o660
	// maxConsoleConnections limits the open connections to the console, and maxConsoleNetwork those of one
	// network. Connections of proxies and to a unix socket count only towards the first.
	maxConsoleConnections = 512
	maxConsoleNetwork     = 24
	// consoleReadTimeout limits how long a client may take to send a form.
	consoleReadTimeout = 15 * time.Second
	// consoleNodeTimeout limits how long a page waits for the node.
	consoleNodeTimeout = 5 * time.Second
)

// servesConsole reports whether the configuration enables the console.
func (c config) servesConsole() bool { return c.ConsoleListen != "" && c.ConsoleListen != consoleOff }

// consoleFaults returns the errors in the console's configuration.
func (c config) consoleFaults() []error {
	var faults []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			faults = append(faults, fmt.Errorf(prefix+format, args...))
		}
	}
	if c.servesConsole() && !strings.HasPrefix(c.ConsoleListen, unixPrefix) {
		_, _, err := net.SplitHostPort(c.ConsoleListen)
		check(err == nil, "CONSOLE_LISTEN is %q, not host:port, %s/path or %q", c.ConsoleListen, unixPrefix, consoleOff)
	}
	if _, err := c.consoleURL(); err != nil {
		faults = append(faults, err)
	}
	return append(faults, c.consoleProxyFaults()...)
}

// consoleProxyFaults returns the errors in the configuration of the identity proxy.
func (c config) consoleProxyFaults() []error {
	var faults []error
	check := func(ok bool, fault string) {
		if !ok {
			faults = append(faults, errors.New(prefix+fault))
		}
	}
	roles, err := c.consoleRoles()
	if err != nil {
		faults = append(faults, err)
	}
	if c.ConsoleProxySecret == "" {
		check(len(roles) == 0, "CONSOLE_PROXY_SECRET is missing: CONSOLE_OPERATORS and CONSOLE_MODERATORS need it")
		return faults
	}
	check(len(c.ConsoleProxySecret) >= gate.MinSessionKey && !predictable(string(c.ConsoleProxySecret)),
		"CONSOLE_PROXY_SECRET is too short or not random: create one with `openssl rand -hex 32`")
	check(len(c.TrustedProxies) > 0 || strings.HasPrefix(c.ConsoleListen, unixPrefix),
		"CONSOLE_PROXY_SECRET is set, but TRUSTED_PROXIES is empty: list the identity proxy in it, or let the console listen on a unix socket")
	check(len(roles) > 0, "CONSOLE_OPERATORS and CONSOLE_MODERATORS are both missing: list the names that the identity proxy sends in at least one of them")
	return faults
}

func (c config) consoleURL() (*url.URL, error) {
	u, err := origin.ParseOrigin(c.ConsoleURL)
	if err != nil {
		return nil, fmt.Errorf("%sCONSOLE_URL, an origin such as https://console.example, %w", prefix, err)
	}
	if u.Scheme == "http" && !isLoopback(u.Hostname()) {
		return nil, fmt.Errorf("%sCONSOLE_URL is %q: use https, because http is allowed only for a loopback address", prefix, c.ConsoleURL)
	}
	return u, nil
}

// consoleRoles returns the roles of the names that the identity proxy sends.
func (c config) consoleRoles() (map[string]market.OperatorRole, error) {
	for _, name := range slices.Concat(c.ConsoleOperators, c.ConsoleModerators) {
		if err := market.CheckOperatorName(name); err != nil {
			return nil, fmt.Errorf("%sCONSOLE_OPERATORS or CONSOLE_MODERATORS: %q: %w", prefix, name, err)
		}
	}
	roles := make(map[string]market.OperatorRole)
	for _, name := range c.ConsoleOperators {
		roles[name] = market.RoleOperator
	}
	for _, name := range c.ConsoleModerators {
		if roles[name] == market.RoleOperator {
			return nil, fmt.Errorf("%sCONSOLE_OPERATORS and %[1]sCONSOLE_MODERATORS both contain %q: remove one", prefix, name)
		}
		roles[name] = market.RoleModerator
	}
	return roles, nil
}

// newConsole returns the console.
func (s *service) newConsole(reader *chain.Reader) (*console.Console, error) {
	origin, err := s.config.consoleURL()
	if err != nil {
		return nil, err
	}
	options := console.Options{
		Store: s.store, Files: s.files, URL: origin, Keeper: consoleKeeper{s}, Clause: s.clause,
		Refused: s.refusals.Note, Served: s.metrics.ConsoleServed, Log: s.log, Trace: s.traces.Page,
		State: func(ctx context.Context) (console.State, error) { return s.consoleState(ctx, reader) },
	}
	if options.TrustedProxies, err = s.config.trustedProxies(); err != nil {
		return nil, err
	}
	if s.config.ConsoleProxySecret != "" {
		options.Proxy = &console.Proxy{Secret: string(s.config.ConsoleProxySecret)}
		if options.Proxy.Roles, err = s.config.consoleRoles(); err != nil {
			return nil, err
		}
	}
	return console.New(options)
}

// serveConsole serves the console until ctx ends.
func (s *service) serveConsole(ctx context.Context) error {
	listener, err := s.listenConsole(ctx)
	if err != nil {
		return fmt.Errorf("%sCONSOLE_LISTEN: %w", prefix, err)
	}
	limits := gate.ConnectionLimits{Total: maxConsoleConnections, Network: maxConsoleNetwork, Refused: s.metrics.ConnectionRefused}
	if limits.Proxies, err = s.config.trustedProxies(); err != nil {
		return err
	}
	if strings.HasPrefix(s.config.ConsoleListen, unixPrefix) {
		limits.Network = maxConsoleConnections
	}
	listener = gate.LimitConnections(listener, limits)
	s.log.InfoContext(ctx, "the console is served", slog.String("address", s.config.ConsoleListen), slog.String("url", s.config.ConsoleURL))
	web := s.webServer(s.console)
	web.ReadTimeout = consoleReadTimeout
	stopped := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stopped()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the console: %w", err)
	}
	return nil
}

// listenConsole opens the console's listener. It replaces a unix socket that an earlier process left behind.
func (s *service) listenConsole(ctx context.Context) (net.Listener, error) {
	path, unix := strings.CutPrefix(s.config.ConsoleListen, unixPrefix)
	if !unix {
		return new(net.ListenConfig).Listen(ctx, "tcp", s.config.ConsoleListen)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSocket != 0 {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, socketMode); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// consoleState returns the state of the service. If no node responds, the state lacks the data that only
// a node can provide.
func (s *service) consoleState(ctx context.Context, reader *chain.Reader) (console.State, error) {
	f, err := s.readFacts(ctx, reader)
	if err != nil && market.KindOf(err) != market.KindNotFound {
		return console.State{}, err
	}
	state := console.State{Operations: f.Operations, Balance: f.balance, NonceGap: f.gap, Moderation: f.moderation}
	if state.Head, err = s.heads.Head(); err != nil {
		state.Problems = append(state.Problems, "no node responds"+seeRunbook+"TaskmarketAllProvidersFailing")
	}
	for _, reason := range s.problems(ctx) {
		state.Problems = append(state.Problems, reasonProblem(reason))
	}
	state.Problems = append(state.Problems, f.problems()...)
	state.Runway, _ = metrics.Runway(f.balance, f.KeeperSpent)
	if f.balanceErr != nil {
		s.log.WarnContext(ctx, "the console cannot read the keeper's balance", slog.Any("err", f.balanceErr))
	}
	return state, f.moderationErr
}

// consoleKeeper implements operate.Keeper.
type consoleKeeper struct{ *service }

// Transactions implements operate.Keeper.
func (k consoleKeeper) Transactions(ctx context.Context) ([]operate.Transaction, error) {
	ctx, cancel := context.WithTimeout(ctx, consoleNodeTimeout)
	defer cancel()
	return k.keeperEntries(ctx)
}

// Resend implements operate.Keeper.
func (k consoleKeeper) Resend(ctx context.Context, nonce uint64) error {
	return k.perform(ctx, resendRequest, nonce)
}

// Cancel implements operate.Keeper.
func (k consoleKeeper) Cancel(ctx context.Context, nonce uint64) error {
	return k.perform(ctx, cancelRequest, nonce)
}

// perform stores a request for the running keeper.
func (k consoleKeeper) perform(ctx context.Context, request keeperRequest, nonce uint64) error {
	n, err := k.keeperNonce(ctx, nonce)
	if errors.Is(err, errNoKeeper) {
		return &market.Error{Kind: market.KindUnavailable, Message: "no keeper is running, and only a running keeper can send transactions", Cause: err}
	}
	if err != nil {
		return err
	}
	_, err = request.store(ctx, k.service, n)
	if market.KindOf(err) == market.KindNotFound {
		return market.Errorf(market.KindNotFound, "no open job has a transaction with nonce %d of %s", n.Nonce, n.Account)
	}
	return err
}
