package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"taskmarket/chain"
	"taskmarket/chain/devnet"
	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/cmd/taskmarketd/internal/traces"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/server/socialdev"
	"taskmarket/store/localpg"
	"taskmarket/store/schema"
)

// devConfig is the configuration of `dev`, in addition to DATABASE_URL and RATE_LIMITS.
type devConfig struct {
	// Dir is the folder of the development world of dev. A second folder is a second world.
	Dir string `env:"DEV_DIR" envDefault:".dev"`
	// Port is the port of the API and the web app of dev. By default the last one is used again, if it is free.
	Port int `env:"DEV_PORT"`

	databaseURL secret // if empty, `dev` starts a PostgreSQL cluster
	rateLimits  []string
	manual      bool // no automatic votes, and no human who does tasks
	demo        bool
}

func devCommand() *cobra.Command {
	var demo, manual bool
	command := &cobra.Command{
		Use:   "dev",
		Short: "Run a complete development world on this machine",
		Long: "Run a complete development world on this machine: PostgreSQL, a chain, the contracts, the API with watcher and\n" +
			"keeper, a stand-in for the social network, validators who vote and a human who takes tasks with the\n" +
			"skill \"demo\". Once everything runs, the addresses and keys are written to the file env in the world's folder (.dev).\n" +
			"The state is kept between runs. Ctrl-C stops everything.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := parse[devConfig](os.Environ())
			if err != nil {
				return err
			}
			serve, err := loadConfig(os.Environ())
			if err != nil {
				return err
			}
			c.databaseURL, c.rateLimits = secret(cmp.Or(string(serve.DatabaseURL), os.Getenv("DATABASE_URL"))), serve.RateLimits
			c.demo, c.manual = demo, manual
			return newDev(c, cmd.OutOrStdout()).run(cmd.Context())
		},
	}
	command.Flags().BoolVar(&demo, "demo", false, "hire the simulated human once after start-up")
	command.Flags().BoolVar(&manual, "manual", false, "no automatic votes, and no simulated human who takes tasks")
	command.AddCommand(faucetCommand(), postCommand(), devConsoleCommand())
	return command
}

// dev is a running development world: a chain, a database, a service and its simulated users.
type dev struct {
	config  devConfig
	out     io.Writer
	home    *home
	world   world
	cluster *localpg.Cluster // the started cluster; nil if a database is configured
	net     *devnet.Node
	node    *rpc.Node
	log     *slog.Logger
	faucet  *faucet
}

func newDev(c devConfig, out io.Writer) *dev {
	d := &dev{config: c, out: out}
	d.faucet = &faucet{dev: d}
	return d
}

// tokenSymbol is the symbol of the token of a development world.
const tokenSymbol = "TASK"

// Indexes of the accounts that anvil creates.
const (
	accountDeployer = iota // also the owner, the guardian and the reward signer
	accountKeeper
	accountValidators // the first of three consecutive accounts
	accountHuman      = accountValidators + validatorCount
	accountAgent      = accountHuman + 1
	accountFaucet     = 9
	validatorCount    = 3
)

func (d *dev) key(account int) *chain.KeySigner {
	return chain.NewKeySigner(d.net.Accounts()[account].Key)
}

func (d *dev) privateKey(account int) string {
	return hexutil.Encode(crypto.FromECDSA(d.net.Accounts()[account].Key))
}

func (d *dev) printf(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

// run starts the components in the order of their dependencies and stops them in reverse order.
func (d *dev) run(ctx context.Context) (err error) {
	var stops []func() error
	defer func() {
		for i := len(stops) - 1; i >= 0; i-- {
			err = errors.Join(err, stops[i]())
		}
	}()
	for _, start := range []func(context.Context) (func() error, error){
		d.startHome, d.startDatabase, d.startChain, d.startLog,
	} {
		stop, err := start(ctx)
		if err != nil {
			return err
		}
		stops = append(stops, stop)
	}
	databaseURL, err := d.ensureContracts(ctx)
	if err != nil {
		return err
	}
	err = d.serve(ctx, databaseURL)
	if ctx.Err() != nil {
		d.printf("stopping")
		return nil
	}
	return err
}

func (d *dev) startHome(context.Context) (stop func() error, err error) {
	if d.home, err = openHome(d.config.Dir); err != nil {
		return nil, err
	}
	stop = func() error { return errors.Join(d.home.deleteMissing("env"), d.home.Close()) }
	if d.world, err = d.home.read(); err != nil {
		return nil, errors.Join(err, stop())
	}
	if err := errors.Join(d.home.deleteMissing("env"), d.choosePorts()); err != nil {
		return nil, errors.Join(err, stop())
	}
	return stop, nil
}

func (d *dev) choosePorts() error {
	var faults []error
	p := &d.world.Ports
	for _, port := range []*int{&p.API, &p.Social, &p.Chain, &p.Database, &p.Metrics, &p.Console} {
		configured := 0
		if port == &p.API {
			configured = d.config.Port
		}
		var err error
		*port, err = choosePort(configured, *port)
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func (d *dev) startDatabase(ctx context.Context) (stop func() error, err error) {
	if d.config.databaseURL != "" {
		d.printf("database   the configured DATABASE_URL")
		return func() error { return nil }, nil
	}
	d.cluster, err = localpg.Start(ctx, localpg.Options{Dir: d.home.path("postgres"), Port: d.world.Ports.Database})
	if err != nil {
		return nil, err
	}
	d.printf("database   127.0.0.1:%d", d.world.Ports.Database)
	return d.cluster.Stop, nil
}

func (d *dev) startChain(ctx context.Context) (stop func() error, err error) {
	d.net, err = devnet.Start(ctx, devnet.Options{
		Dir: d.home.path("chain"), Port: d.world.Ports.Chain, Mining: devnet.Periodic,
		// Allows reorganisations of up to 64 blocks, as on a public chain.
		SlotsPerEpoch: 32,
	})
	if err != nil {
		return nil, err
	}
	if d.node, err = rpc.Dial(ctx, []string{d.net.URL()}, devnet.ChainID, rpc.NodeOptions{}); err != nil {
		return nil, errors.Join(err, d.net.Stop())
	}
	d.printf("chain      %s", d.net.URL())
	return func() error { d.node.Close(); return d.net.Stop() }, nil
}

func (d *dev) startLog(context.Context) (stop func() error, err error) {
	file, err := os.OpenFile(d.home.path("server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the server's log: %w", err)
	}
	d.log = slog.New(gate.LogHandler(slog.NewJSONHandler(file, &slog.HandlerOptions{Level: slog.LevelInfo}), traces.LogID))
	return file.Close, nil
}

// ensureContracts deploys the contracts unless the stored ones exist on this chain. It returns the
// URL of the database for these contracts.
func (d *dev) ensureContracts(ctx context.Context) (databaseURL string, err error) {
	stored := d.world.Deployment
	if stored.Escrow != (market.Deployment{}).Escrow &&
		chain.NewReader(d.node, chain.NewContracts(stored)).CheckCode(ctx) == nil {
		d.printf("contracts  found: escrow %s", stored.Escrow)
	} else {
		if d.world.Deployment, err = send.Deploy(ctx, d.node, d.key(accountDeployer), d.deployment()); err != nil {
			return "", fmt.Errorf("deploy the contracts: %w", err)
		}
		if err := d.fundRewards(ctx); err != nil {
			return "", err
		}
		d.world.DemoKey = ""
		d.world.Database = "world_" + strconv.FormatInt(time.Now().Unix(), 10)
		d.printf("contracts  deployed: escrow %s", d.world.Deployment.Escrow)
	}
	if err := d.home.write(d.world); err != nil {
		return "", err
	}
	if d.cluster == nil {
		return string(d.config.databaseURL), nil
	}
	if err := schema.CreateDatabase(ctx, d.cluster.URL("postgres"), d.world.Database); err != nil {
		return "", err
	}
	return d.cluster.URL(d.world.Database), nil
}

// fundRewards transfers tokens to the distributor, which pays reward claims.
func (d *dev) fundRewards(ctx context.Context) error {
	contracts := chain.NewContracts(d.world.Deployment)
	pay := contracts.TransferToken(d.world.Deployment.Distributor, tokens(100_000))
	if _, err := send.NewSender(d.node, d.key(accountFaucet)).Send(ctx, pay); err != nil {
		return fmt.Errorf("fund the rewards: %w", err)
	}
	return nil
}

// deployment returns deployment parameters that assign all roles to development accounts.
func (d *dev) deployment() send.DeployParams {
	accounts := d.net.Accounts()
	owner := accounts[accountDeployer].Address
	p := send.DeployParams{
		Name: "Task Token", Symbol: tokenSymbol, Supply: tokens(1_000_000_000), Holder: accounts[accountFaucet].Address,
		Owner: owner, Guardian: owner, FeeBasisPoints: 500, Quorum: 2, RewardSigner: owner, DailyBudget: tokens(1_000),
	}
	for i := range validatorCount {
		p.Validators = append(p.Validators, accounts[accountValidators+i].Address)
	}
	return p
}

// serve runs the service, the simulated social network and the simulated users until ctx ends.
func (d *dev) serve(ctx context.Context, databaseURL string) error {
	if _, err := schema.Migrate(ctx, databaseURL); err != nil {
		return err
	}
	files := d.home.path("files")
	if err := os.MkdirAll(files, 0o700); err != nil {
		return fmt.Errorf("create the directory for files: %w", err)
	}
	s, err := newService(ctx, d.serviceConfig(databaseURL, files), d.log)
	if err != nil {
		return err
	}
	defer s.close(ctx)
	if err := s.connect(ctx); err != nil {
		return err
	}
	// A new chain gets a new database, but the directory may still belong to the previous database.
	if err := server.AdoptFiles(ctx, s.files, s.store); err != nil {
		return err
	}
	s.handler = d.withFaucet(s.handler)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return d.listen(ctx, d.world.Ports.API, s.run) })
	group.Go(func() error { return d.listen(ctx, d.world.Ports.Social, d.serveOutside) })
	group.Go(func() error { return d.watchChildren(ctx) })
	group.Go(func() error { return d.people(ctx, databaseURL) })
	return group.Wait()
}

func (d *dev) serviceConfig(databaseURL, files string) config {
	c := config{
		MetricsListen: net.JoinHostPort("127.0.0.1", strconv.Itoa(d.world.Ports.Metrics)),
		ConsoleListen: net.JoinHostPort("127.0.0.1", strconv.Itoa(d.world.Ports.Console)), ConsoleURL: d.origin(d.world.Ports.Console),
		DatabaseURL: secret(databaseURL), BaseURL: d.origin(d.world.Ports.API), BlobURL: "file://" + files,
		RPCURLs: []string{d.net.URL()}, WSURL: d.net.WSURL(),
		instance: "dev", // a fixed name is safe, because a directory lock prevents a second instance
		tuning:   tuning{Poll: 100 * time.Millisecond}, SessionKeys: []secret{secret(d.world.SessionKey)},
		KeeperPrivateKey:       secret(d.privateKey(accountKeeper)),
		RewardSignerPrivateKey: secret(d.privateKey(accountDeployer)), RewardRate: market.DefaultKarmaRate().String(),
		RateLimits: d.config.rateLimits, Finality: market.FinalitySeen,
		SocialHosts:   []string{"127.0.0.1:" + strconv.Itoa(d.world.Ports.Social)},
		KarmaFeeFloor: market.DefaultKarmaFeeFloor().String(),
		faucetPath:    faucetPath, deployed: newDeploymentFile(d.world.Deployment),
	}
	c.deployed.ChainName, c.deployed.PublicRPCURL = "Task Market on this machine", d.net.URL()
	return c
}

func (d *dev) origin(port int) string { return "http://127.0.0.1:" + strconv.Itoa(port) }

// listen opens a port on the loopback address and runs a server on it.
func (d *dev) listen(ctx context.Context, port int, serve func(context.Context, net.Listener) error) error {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("listen on port %d: %w", port, err)
	}
	return serve(ctx, listener)
}

// serveOutside serves the simulated social network and the faucet.
func (d *dev) serveOutside(ctx context.Context, listener net.Listener) error {
	mux := http.NewServeMux()
	mux.Handle("/", socialdev.New("http://"+listener.Addr().String()).Handler())
	mux.Handle("POST /faucet/{wallet}", d.faucet)
	web := &http.Server{Handler: mux, ReadHeaderTimeout: readHeaderTimeout}
	stopped := context.AfterFunc(ctx, func() { _ = web.Close() })
	defer stopped()
	if err := web.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve the social network and the faucet: %w", err)
	}
	return nil
}

// watchChildren returns an error if PostgreSQL or anvil exits unexpectedly.
func (d *dev) watchChildren(ctx context.Context) error {
	var database <-chan struct{}
	if d.cluster != nil {
		database = d.cluster.Done()
	}
	select {
	case <-ctx.Done():
		return nil
	case <-database:
		return errors.New("PostgreSQL exited unexpectedly: see postgres/postgres.log in the world's folder")
	case <-d.net.Done():
		return errors.New("anvil exited unexpectedly: see chain/anvil.log in the world's folder")
	}
}
