package hire

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/client/watch"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type watchOptions struct {
	*cli.App
	all      bool
	since    string
	cursor   string
	interval time.Duration
	enrich   bool
}

const watchHelp = `Print your tasks' on-chain events, one JSON object per line. On SIGINT or SIGTERM, the
command exits with code 0.
All members are strings:

  type "application"   a human applied and locked a stake: applicationId, human (wallet), amount (wei),
                       expiresAt (Unix seconds), blockNumber
  type "task_event"    a task changed: escrowTaskId, eventName (an event of the contract, such as TaskPosted,
                       TaskSubmitted or SubmissionApproved), blockNumber

applicationId and escrowTaskId are the ids in the contracts. --enrich adds the API's task_id and application_id
to lines of your own tasks, and tx_hash to all lines; it waits up to 5 s until the API has the event.

A ws or wss node (TASKMARKET_WS_URL, or --rpc-url) sends events as they happen; an http or https node is polled
every 12 s, or every --interval.

The first run starts now, or at --since; each later run continues where the last one ended. Each event is printed
once, even across runs: an event that a reorganisation removed is not retracted, and not repeated when it is mined
again. If its content changed, it is a new event: after a reorganisation a task may have another number. This holds
for reorganisations of up to 10,000 blocks.

When a signal or a closed pipe ends the watch, only complete lines have been written, and no line is lost or repeated.
When the process is killed, no line is lost, and at most the last one is repeated. If stdout is a file that only the
watch appends to, no line is repeated: the next run reads the end of the file, and completes a line that was written
in part. After a power failure, the lines of the last seconds may be repeated.

If another watch of the same events is running, the command waits up to 10 s for it to end, and then fails.

Warnings are printed on stderr. The watch continues while the node is unavailable.`

func watchCommand(a *cli.App) *cobra.Command {
	o := &watchOptions{App: a}
	c := &cobra.Command{
		Use:   "watch",
		Short: "Print the events of your tasks as they happen",
		Long:  watchHelp,
		Example: "  taskmarket watch\n" +
			"  taskmarket watch --since beginning >> events.jsonl\n" +
			"  taskmarket watch --enrich | jq -r --unbuffered 'select(.eventName == \"TaskSubmitted\") | .task_id'\n" +
			"  taskmarket watch --cursor accountant --all --rpc-url https://node.example --interval 1m",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.BoolVar(&o.all, "all", false, "also events of other agents' tasks")
	flags.StringVar(&o.since, "since", "", "start at this block number, or with \"beginning\" at the contracts' first block, and reset the cursor")
	flags.StringVar(&o.cursor, "cursor", "", "the name of a saved position; watches with different names are independent")
	flags.DurationVar(&o.interval, "interval", defaultInterval, "time between two polls of the node; a ws or wss node is also polled, in case its subscription is lost")
	flags.BoolVar(&o.enrich, "enrich", false, "add the API's ids and the transaction hash")
	return c
}

const (
	defaultInterval = 12 * time.Second
	sinceBeginning  = "beginning"
)

var cursorName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// run watches until ctx ends or the reader closes the pipe. It returns nil in both cases.
func (o *watchOptions) run(ctx context.Context) error {
	err := o.watch(ctx)
	if ctx.Err() != nil || errors.Is(err, errReaderGone) {
		return nil //nolint:nilerr // the end of ctx is the normal way to stop a watch
	}
	return err
}

func (o *watchOptions) watch(ctx context.Context) error {
	if o.interval <= 0 {
		return cli.UsageError("--interval %s: must be positive", o.interval)
	}
	if o.cursor != "" && !cursorName.MatchString(o.cursor) {
		return cli.UsageError("--cursor %q: use up to 64 letters, digits, hyphens and underscores", o.cursor)
	}
	agent, err := o.client()
	if err != nil {
		return err
	}
	defer agent.Close()
	options := watch.Options{Interval: o.interval}
	var me common.Address
	if !o.all || o.enrich {
		if me, err = o.walletAddress(ctx, agent); err != nil {
			return err
		}
	}
	if !o.all {
		options.Agent = me
	}
	if options.From, err = o.from(ctx, agent); err != nil {
		return err
	}
	if options.Cursor, err = o.open(ctx, agent, options.Agent); err != nil {
		return err
	}
	defer options.Cursor.Close()
	return o.follow(ctx, agent, options, &enricher{agent: agent, me: me, tasks: map[string]uuid.UUID{}})
}

// follow prints events from the stream until the stream ends.
func (o *watchOptions) follow(ctx context.Context, agent *client.Client, options watch.Options, ids *enricher) error {
	ctx, sink := openSink(ctx, o.Out, options.Cursor)
	defer sink.close()
	if options.From == 0 {
		if err := sink.finish(); err != nil {
			return err
		}
	}
	warned := ""
	for event, err := range agent.Watch(ctx, options) {
		if err != nil {
			if ends := watchEnd(err); ends != nil {
				return ends
			}
			if text := err.Error(); text != warned { // do not repeat the warning during an outage
				o.Note("taskmarket: %s; the watch continues", cli.OneLine(text))
				warned = text
			}
			continue
		}
		warned = ""
		var line any = event
		if o.enrich {
			line = ids.enrich(ctx, event)
		}
		if err := sink.print(ctx, event, line); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// watchEnd returns the error that ends the watch, or nil if the watch can continue.
func watchEnd(err error) error {
	switch {
	case errors.Is(err, watch.ErrOtherCursor):
		return (&cli.ExitError{Code: cli.ExitChain, Err: err}).WithHint("use a new cursor with --cursor NAME, or reset this one with --since beginning")
	case errors.Is(err, client.ErrOtherContracts), errors.Is(err, watch.ErrCursorLost):
		return err
	}
	return nil
}

// client returns a client. It uses the node with subscriptions if one is configured, unless a flag
// selects another node.
func (o *watchOptions) client() (*client.Client, error) {
	options, err := o.Options()
	if err != nil {
		return nil, err
	}
	s, err := o.Settings()
	if err != nil {
		return nil, err
	}
	if o.enrich {
		if err := cli.RequireKey(options); err != nil {
			return nil, err
		}
	}
	named := s.Values[cli.SettingRPCURL]
	if ws := s.Text(cli.SettingWSURL); ws != "" && !strings.HasPrefix(named.Source, "flag") {
		options.RPCURL = ws
	}
	u, err := url.Parse(options.RPCURL)
	if err != nil || u.Host == "" || !isNodeScheme(u.Scheme) {
		return nil, cli.Fail(cli.ExitUsage, "no valid URL of an Ethereum node is configured").
			WithHint("set TASKMARKET_WS_URL to the URL of a ws or wss node, or TASKMARKET_RPC_URL to that of any node")
	}
	return cli.NewClient(options)
}

func isNodeScheme(scheme string) bool {
	return scheme == "ws" || scheme == "wss" || scheme == "http" || scheme == "https"
}

// walletAddress returns the address of the wallet whose tasks are watched.
func (o *watchOptions) walletAddress(ctx context.Context, agent *client.Client) (common.Address, error) {
	s, err := o.Settings()
	if err != nil {
		return common.Address{}, err
	}
	if wallet := s.Address(cli.SettingWalletAddress); wallet != (common.Address{}) {
		return wallet, nil
	}
	if s.Text(cli.SettingAPIKey) == "" {
		return common.Address{}, cli.Fail(cli.ExitUsage, "no wallet to watch is configured").
			WithHint("set TASKMARKET_WALLET_ADDRESS or TASKMARKET_API_KEY, or watch all tasks with --all")
	}
	me, err := agent.Me(ctx)
	if err != nil {
		return common.Address{}, err
	}
	return common.HexToAddress(me.WalletAddress), nil
}

// from returns the first block to watch. 0 means to resume at the cursor.
func (o *watchOptions) from(ctx context.Context, agent *client.Client) (uint64, error) {
	switch o.since {
	case "":
		return 0, nil
	case sinceBeginning:
		return o.beginning(ctx, agent)
	}
	block, err := cli.ParseUint(o.since)
	if err != nil {
		return 0, cli.UsageError("--since %q: use a block number, or %q", o.since, sinceBeginning)
	}
	return max(1, block), nil // block 0 contains no events
}

// beginning returns the block in which the contracts were deployed, from the configuration or the
// chain.
func (o *watchOptions) beginning(ctx context.Context, agent *client.Client) (uint64, error) {
	s, err := o.Settings()
	if err != nil {
		return 0, err
	}
	contracts, err := s.Contracts()
	if err != nil {
		return 0, err
	}
	if contracts != nil && contracts.StartBlock > 0 {
		return contracts.StartBlock, nil
	}
	o.Progress("searching for the first block of the contracts")
	return agent.FirstBlock(ctx)
}

// open opens the cursor file for this selection of events. The file's path contains the escrow's
// address from the API, so open first checks that it is a valid address.
func (o *watchOptions) open(ctx context.Context, agent *client.Client, wallet common.Address) (*watch.Cursor, error) {
	config, err := agent.Config(ctx)
	if err != nil {
		return nil, err
	}
	escrow, err := market.ParseAddress("escrow_address", config.EscrowAddress)
	if err != nil {
		return nil, cli.Fail(cli.ExitChain, "watch the API's contracts: %w", err)
	}
	name := "all"
	if wallet != (common.Address{}) {
		name = strings.ToLower(wallet.Hex())
	}
	if o.cursor != "" {
		name += "-" + o.cursor
	}
	directory := fmt.Sprintf("%d-%s", config.ChainID, strings.ToLower(escrow.Hex()))
	state, err := o.StateDir()
	if err != nil {
		return nil, err
	}
	return o.openFile(ctx, filepath.Join(state, "watch", directory, name))
}

const (
	// cursorTimeout is how long a watch waits for another watch to release the cursor. After a
	// signal, the other watch still completes the line that it is writing.
	cursorTimeout = 10 * time.Second
	cursorPause   = 100 * time.Millisecond
)

// openFile opens the cursor file. If another watch uses the file, openFile waits until it is
// released.
func (o *watchOptions) openFile(ctx context.Context, path string) (*watch.Cursor, error) {
	deadline := time.Now().Add(cursorTimeout)
	for first := true; ; first = false {
		cursor, err := watch.OpenCursor(path)
		switch {
		case !errors.Is(err, watch.ErrCursorInUse):
			return cursor, err
		case time.Now().After(deadline):
			return nil, cli.Fail(cli.ExitFailed, "another watch of these events is running: %w", err).
				WithHint("stop it, or use a separate cursor with --cursor NAME")
		case first:
			o.Note("another watch of these events is running; waiting up to %s for it to end", cursorTimeout)
		}
		if err := cli.Sleep(ctx, cursorPause); err != nil {
			return nil, err
		}
	}
}
