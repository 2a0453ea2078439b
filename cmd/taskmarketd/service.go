package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob" // registers the file:// scheme
	"gocloud.dev/blob/s3blob"   // registers the s3:// scheme
	"golang.org/x/sync/errgroup"

	"taskmarket/chain"
	"taskmarket/chain/audit"
	"taskmarket/chain/follow"
	"taskmarket/chain/keeper"
	"taskmarket/chain/rpc"
	"taskmarket/client/mcp"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/cmd/taskmarketd/internal/traces"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/auditlog"
	"taskmarket/server/console"
	"taskmarket/server/gate"
	"taskmarket/server/screening"
	"taskmarket/server/site"
	"taskmarket/server/social"
	"taskmarket/store"
	"taskmarket/web"
)

// Limits of the HTTP server, and intervals of background jobs. Uploads, downloads and event streams
// replace readTimeout and writeTimeout with longer ones.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 60 * time.Second
	writeTimeout      = 90 * time.Second
	// idleTimeout is longer than the time after which load balancers close their idle connections: 60 s of most,
	// 600 s of Google Cloud. Otherwise a balancer can send a request over a connection that the server closes at
	// this moment, and answers 502.
	idleTimeout       = 620 * time.Second
	maxHeaderBytes    = 16 << 10
	drainTimeout      = 15 * time.Second
	sweepInterval     = 10 * time.Minute
	fileSweepInterval = time.Hour
)

// service is one replica: an API server, a watcher and a keeper that use a database and a chain.
type service struct {
	config  config
	log     *slog.Logger
	store   *store.Store
	node    *rpc.Node
	files   *blob.Bucket
	heads   *chain.HeadMonitor
	disk    *disk
	watcher *follow.Watcher
	auditor *audit.Auditor
	keeper  *keeper.Keeper // nil without a keeper key; other replicas then send the transactions
	metrics *metrics.Metrics
	traces  *traces.Tracer // nil without TRACES_URL
	state   *metrics.State
	handler http.Handler
	screen  *screening.Screen

	refusals *auditlog.Refusals
	console  *console.Console // nil if it is disabled

	// sources are the health checks of the process's parts. Each enforces its own time limit.
	sources []func(context.Context) []market.HealthReason

	started   atomic.Bool // set once the database, the chain and the blob store have been reached and checked
	stopping  atomic.Bool // set while the server is shutting down but still accepts requests
	startedAt time.Time   // when the process started

	vouchers *chain.KeySigner // signs reward vouchers; nil without a key
}

// newService creates the configured components. It does not connect to the database or a node;
// connect does.
func newService(ctx context.Context, c config, log *slog.Logger) (*service, error) {
	s := &service{config: c, log: log, startedAt: time.Now(), metrics: metrics.New(version)}
	if err := s.open(ctx); err != nil {
		s.close(ctx)
		return nil, err
	}
	if err := s.assemble(); err != nil { //nolint:contextcheck // handlers use their requests' contexts instead of ctx
		s.close(ctx)
		return nil, err
	}
	return s, nil
}

func (s *service) open(ctx context.Context) error {
	var err error
	if s.config.TracesURL != "" {
		if s.traces, err = traces.New(ctx, s.config.TracesURL, s.config.tuning.TracesShare, version, s.log); err != nil {
			return err
		}
	}
	opened := append(s.config.storeOptions(), store.WithOpen(s.traces.OpenDB))
	if s.store, err = store.New(string(s.config.DatabaseURL), s.config.deployment(), opened...); err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	options := s.config.nodeOptions
	options.Log = s.log
	options.Transport = func(provider string, next http.RoundTripper) http.RoundTripper {
		return s.traces.Transport(provider, s.metrics.Transport(provider, next))
	}
	if s.node, err = rpc.NewNode(s.config.RPCURLs, s.config.deployed.ChainID, options); err != nil {
		return err
	}
	if s.config.RewardSignerPrivateKey != "" {
		if s.vouchers, err = chain.ParseKeySigner(string(s.config.RewardSignerPrivateKey)); err != nil {
			return fmt.Errorf("%sREWARD_SIGNER_PRIVATE_KEY: %w", prefix, err)
		}
	}
	s.files, err = openFiles(ctx, s.config.BlobURL)
	return err
}

// openFiles opens the blob store. If the store is a directory, temporary files are also created in
// it, because a file cannot be renamed across file systems. On S3, the SDK's verification of response
// checksums is disabled, because the SDK cannot verify multipart uploads and logs a warning for each of
// them to stderr. The SHA-256 in each file's record protects the content instead.
func openFiles(ctx context.Context, address string) (*blob.Bucket, error) {
	if u, err := url.Parse(address); err == nil {
		query := u.Query()
		switch u.Scheme {
		case fileblob.Scheme:
			query.Set("no_tmp_dir", "true")
		case s3blob.Scheme:
			query.Set("response_checksum_validation", "when_required")
		}
		u.RawQuery = query.Encode()
		address = u.String()
	}
	files, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("open the file store: %w", err)
	}
	return files, nil
}

func (s *service) assemble() error {
	contracts := chain.NewContracts(s.config.deployment())
	s.disk = &disk{service: s, name: uuid.NewString()}
	s.sources = append(s.sources, s.disk.problems)
	instance := s.config.instance
	if instance == "" {
		host, _ := os.Hostname()
		instance = host + "/" + strconv.Itoa(os.Getpid())
	}
	s.watcher = follow.NewWatcher(s.node, s.store.Journal, contracts, follow.WatcherOptions{
		Holder: instance, Poll: s.config.tuning.Poll, Doubt: s.config.tuning.FinalityDoubt,
		Reorged: s.metrics.Reorged, Trace: s.traces.Step("watcher"),
	}, s.log)
	s.auditor = s.newAuditor(contracts)
	s.sources = append(s.sources, s.keeperProblems, s.watcherProblems)
	var err error
	if s.keeper, err = s.newKeeper(contracts, instance); err != nil {
		return err
	}
	reader := chain.NewReader(s.node, contracts)
	s.heads = chain.NewHeadMonitor(reader, 2*s.config.tuning.Poll)
	s.refusals = auditlog.New(s.store.Operators.WriteAudit, s.metrics.RefusalsMerged)
	options, err := s.options(contracts, reader)
	if err != nil {
		return err
	}
	s.state = s.newState(reader, server.HealthReasons(options))
	if err := s.metrics.Add(s.state, s.store.PoolStats); err != nil {
		return err
	}
	if s.handler, err = server.New(options); err != nil {
		return err
	}
	if s.config.servesConsole() {
		if s.console, err = s.newConsole(reader); err != nil {
			return err
		}
	}
	if !s.config.runs(roleAPI) {
		s.handler = probesOnly(s.handler)
	}
	return nil
}

// rewardSigner returns the account that signs vouchers, in this process or in another one with the
// role keeper; the zero address if agents cannot claim rewards.
func (s *service) rewardSigner() common.Address {
	if s.vouchers != nil {
		return s.vouchers.Address()
	}
	return common.HexToAddress(s.config.RewardSignerAddress)
}

// rewards returns the configuration for reward claims, or nil if claims are disabled.
func (s *service) rewards() (*server.Rewards, error) {
	if s.rewardSigner() == (common.Address{}) {
		return nil, nil
	}
	rate, err := market.ParseWei(s.config.RewardRate)
	if err != nil {
		return nil, fmt.Errorf("%sREWARD_RATE: %w", prefix, err)
	}
	return &server.Rewards{Rate: rate}, nil
}

func (s *service) options(contracts *chain.Contracts, reader *chain.Reader) (server.Options, error) {
	proxies, err := s.config.trustedProxies()
	if err != nil {
		return server.Options{}, err
	}
	limits, err := s.config.limits()
	if err != nil {
		return server.Options{}, err
	}
	networks, err := social.New(s.config.SocialHosts...)
	if err != nil {
		return server.Options{}, fmt.Errorf("%sSOCIAL_HOSTS: %w", prefix, err)
	}
	keys := gate.SessionKeys{Keys: map[string][]byte{}}
	for i, key := range s.sessionKeys() {
		// The key's id is a hash of the key, so that its position in the list can change.
		id := hex.EncodeToString(crypto.Keccak256([]byte(key))[:4])
		if i == 0 {
			keys.Current = id
		}
		keys.Keys[id] = []byte(key)
	}
	rewards, err := s.rewards()
	if err != nil {
		return server.Options{}, err
	}
	if s.screen, err = screening.New(s.config.ScreeningFile); err != nil {
		return server.Options{}, fmt.Errorf("%sSCREENING_FILE: %w", prefix, err)
	}
	scanner, err := s.config.scanner()
	if err != nil {
		return server.Options{}, fmt.Errorf("%sFILE_SCANNER: %w", prefix, err)
	}
	if scanner != nil {
		scanner = s.metrics.Scanner(scanner)
	}
	return server.Options{
		Screen: s.screen, App: s.config.app(), Rewards: rewards,
		Tools: func(api http.Handler) (http.Handler, error) {
			return mcp.NewHandler(mcp.HandlerOptions{API: api, BaseURL: s.config.BaseURL, Version: version, Funding: reader, Log: s.log})
		},
		Store: s.store, Calls: contracts, Reader: reader, Head: s.heads.Head, Verifier: chain.NewVerifier(s.node),
		Files: s.files, DiskLow: s.disk.low, Scanner: scanner, Networks: networks, Sessions: keys, BaseURL: s.config.BaseURL, TrustedProxies: proxies,
		Limits: limits, Finality: s.config.Finality, ExplorerURL: s.config.deployed.ExplorerURL, Version: version, Wake: s.watcher.Wake,
		Halted: func() bool { return s.watcher.Status().Stopped }, Stopping: s.stopping.Load, Log: s.log,
		Starting: func() bool { return !s.started.Load() }, Problems: s.problems, Observer: s.traces.Observe(s.metrics),
		Refused: s.refusals.Note,
	}, nil
}

// sessionKeys returns the configured keys, or a random key if none is configured. Only a process without
// the API, which serves no sessions, can run without configured keys.
func (s *service) sessionKeys() []secret {
	if len(s.config.SessionKeys) == 0 {
		return []secret{secret(rand.Text() + rand.Text())}
	}
	return s.config.SessionKeys
}

// run serves requests on the listener until ctx ends, and then shuts down gracefully.
func (s *service) run(ctx context.Context, listener net.Listener) error {
	// The watcher runs until the last response is sent, because requests that confirm a transaction
	// wait for it.
	working, stopWorking := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWorking()
	group, working := errgroup.WithContext(working)
	if s.config.servesMetrics() {
		group.Go(func() error { return s.serveMetrics(working) })
	}
	if s.console != nil {
		group.Go(func() error { return s.serveConsole(working) })
	}
	group.Go(func() error { s.heads.Run(working); return nil })
	group.Go(func() error { s.disk.run(working, diskInterval); return nil })
	group.Go(func() error {
		if err := s.awaitDependencies(working); err != nil {
			return err
		}
		if s.started.Load() {
			s.startBackground(working, group)
		}
		return nil
	})
	group.Go(func() error {
		defer stopWorking()
		return s.serve(ctx, working, listener)
	})
	return group.Wait()
}

// startBackground starts the background goroutines, which use the database and the chain.
func (s *service) startBackground(working context.Context, group *errgroup.Group) {
	if s.config.runs(roleWatcher) {
		s.startWatcher(working, group)
	}
	if s.config.runs(roleAPI) {
		s.startCleanup(working, group)
		s.startModeration(working, group)
	}
	if s.config.runs(roleAPI) || s.console != nil {
		group.Go(func() error { return s.writeRefusals(working) })
	}
	group.Go(func() error {
		return s.runPeriodically(working, keeperAlarmInterval, metrics.JobKeeperCheck, s.checkKeeper)
	})
	if s.keeper != nil {
		group.Go(func() error { return s.keeper.Run(working) })
	}
}

// startCleanup starts the periodic cleanup of the database and the blob store.
func (s *service) startCleanup(working context.Context, group *errgroup.Group) {
	group.Go(func() error { return s.runPeriodically(working, sweepInterval, metrics.JobSweep, s.store.Sweep) })
	group.Go(func() error {
		return s.runPeriodically(working, fileSweepInterval, metrics.JobFileSweep, func(ctx context.Context) error {
			return server.SweepFiles(ctx, s.files, s.store, time.Now())
		})
	})
}

// writeRefusals writes refused requests to the audit log until ctx ends, and then writes the last ones.
func (s *service) writeRefusals(ctx context.Context) error {
	if err := s.runPeriodically(ctx, auditlog.Interval, metrics.JobRefusals, s.refusals.Flush); err != nil {
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := s.refusals.Flush(last); err != nil {
		s.log.WarnContext(last, "the last refusals are missing from the audit log", slog.Any("err", err))
	}
	return nil
}

// probesOnly limits a handler to the endpoints for supervisors and load balancers.
func probesOnly(all http.Handler) http.Handler {
	probes := http.NewServeMux()
	for _, path := range []string{"GET /livez", "GET /readyz", "GET " + gate.BasePath + "/health"} {
		probes.Handle(path, all)
	}
	return probes
}

// webServer returns a server of the handler with the limits of the API and the console.
func (s *service) webServer(handler http.Handler) *http.Server {
	return &http.Server{
		Handler: handler, MaxHeaderBytes: maxHeaderBytes,
		ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout,
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// serve handles requests until ctx ends or another part fails.
func (s *service) serve(ctx, working context.Context, listener net.Listener) error {
	web := s.webServer(s.handler)
	web.Protocols = new(http.Protocols)
	web.Protocols.SetHTTP1(true) // the reverse proxy terminates HTTP/2
	listener, err := s.limited(listener)
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-working.Done():
		return web.Close()
	case <-ctx.Done():
	}
	s.announceStop(working)
	draining, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := web.Shutdown(draining); err != nil {
		return errors.Join(fmt.Errorf("wait for requests: %w", err), web.Close())
	}
	return nil
}

// limited applies the connection limits. A development world has none.
func (s *service) limited(listener net.Listener) (net.Listener, error) {
	if s.config.tuning.Connections == 0 {
		return listener, nil
	}
	proxies, err := s.config.trustedProxies()
	if err != nil {
		return nil, err
	}
	return gate.LimitConnections(listener, gate.ConnectionLimits{
		Total: s.config.tuning.Connections, Network: s.config.tuning.ConnectionsPerNetwork, Proxies: proxies, Refused: s.metrics.ConnectionRefused,
	}), nil
}

// announceStop continues to serve requests for a while. During this time, the health check fails
// and each connection is closed after its next response, so that no request reaches a closed port.
func (s *service) announceStop(working context.Context) {
	s.stopping.Store(true)
	s.log.InfoContext(working, "stopping", slog.Duration("delay", s.config.tuning.StopDelay))
	select {
	case <-working.Done():
	case <-time.After(s.config.tuning.StopDelay):
	}
}

// runPeriodically runs a background job at the interval until ctx ends. It logs errors, and exports when the
// job last succeeded.
func (s *service) runPeriodically(ctx context.Context, interval time.Duration, job metrics.JobName, do func(context.Context) error) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	trace, ran := s.traces.Step(string(job)), s.metrics.Job(job, interval)
	for {
		ctx, end := trace(ctx)
		err := do(ctx)
		end(err)
		if ctx.Err() == nil {
			ran(err)
		}
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "periodic job failed; will retry", slog.String("job", string(job)), slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

func (s *service) close(ctx context.Context) {
	if s.files != nil {
		_ = s.files.Close()
	}
	if s.node != nil {
		s.node.Close()
	}
	if s.store != nil {
		_ = s.store.Close()
	}
	_ = s.traces.Close(context.WithoutCancel(ctx))
}

// app returns the web app, configured for the chain.
func (c config) app() *site.App {
	files, _ := web.Files()
	name := c.deployed.ChainName
	if name == "" {
		name = "Chain " + strconv.FormatUint(c.deployed.ChainID, 10)
	}
	return &site.App{Files: files, Routes: web.Routes(), ChainName: name, RPCURL: c.deployed.PublicRPCURL, FaucetPath: c.faucetPath}
}
