// Package cli contains the code that the taskmarket commands share: configuration, API client,
// arguments, output, prompts, errors and exit codes.
package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/client"
)

// App contains the streams, the environment and the configuration of the program, and creates API
// clients for the commands. Commands print results on stdout and all other text on stderr. Both
// streams escape terminal control characters.
type App struct {
	Streams
	Version string // version of the program
	environ map[string]string
	Stdout  *screen // receives only results
	Stderr  *screen // receives all text that is not a result

	command string // the command and its parents, each preceded by a space; set after it has run
	running bool   // set once the command has started; errors after that are not usage errors
	// jsonErrors is set with --json: errors are also printed as JSON on stdout.
	jsonErrors bool
	Flags      *pflag.FlagSet // flags of the running command

	// JSON and the following fields are the values of the global flags.
	JSON       bool
	verbose    bool
	field      string // path of the only field of the result to print; empty for all
	configPath string

	Loaded *Settings // the configuration; nil until Settings is called
}

// New returns an App with the streams and the environment.
func New(s Streams, environ []string) *App {
	a := &App{Streams: s, environ: map[string]string{}}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		a.environ[name] = value
	}
	_, plain := a.environ["NO_COLOR"]
	plain = plain && a.environ["NO_COLOR"] != "" || a.environ["TERM"] == "dumb"
	a.Stdout = &screen{w: s.Out, styled: s.OutTerminal && !plain}
	a.Stderr = &screen{w: s.Err, styled: s.ErrTerminal && !plain}
	return a
}

// Note prints a line on stderr that is not part of the result. It escapes newlines in the
// arguments, which can contain third-party text.
func (a *App) Note(format string, args ...any) { fmt.Fprintf(a.Stderr, format+"\n", inLine(args)...) }

// inLine escapes newlines in the arguments.
func inLine(args []any) []any {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch value := arg.(type) {
		case error:
			safe[i] = OneLine(value.Error())
		case fmt.Stringer:
			safe[i] = OneLine(value.String())
		default:
			if safe[i] = arg; reflect.ValueOf(arg).Kind() == reflect.String {
				safe[i] = OneLine(reflect.ValueOf(arg).String())
			}
		}
	}
	return safe
}

// Progress prints a line about a long wait if stderr is a terminal or --verbose is set.
func (a *App) Progress(format string, args ...any) {
	if a.ErrTerminal || a.verbose {
		a.Note(format, args...)
	}
}

// RawOutput returns stdout without escaping. It is for output that is not text for a terminal, such
// as the content of a file or protocol messages.
func (a *App) RawOutput() io.Writer {
	a.Stdout.used = true
	return a.Out
}

// Options returns client options from the configuration, without a wallet.
func (a *App) Options() (client.Options, error) {
	s, err := a.Settings()
	if err != nil {
		return client.Options{}, err
	}
	base := s.Text(SettingAPIURL)
	if base == "" {
		return client.Options{}, Fail(ExitUsage, "no API is configured").
			WithHint("set TASKMARKET_API_URL, or use --api-url; `taskmarket config` shows the configuration")
	}
	contracts, err := s.Contracts()
	if err != nil {
		return client.Options{}, err
	}
	o := client.Options{
		BaseURL: base, APIKey: s.Text(SettingAPIKey), RPCURL: s.Text(SettingRPCURL), Contracts: contracts,
		MaxOffer: s.MaxFeePerGas(), InsecureNode: s.InsecureNode(), Node: s.NodeOptions(),
	}
	// The user set the limit explicitly, so a replacement can use all of it.
	if s.Text(SettingMaxFeePerGas) != "" {
		o.MaxFeePerGas = s.MaxFeePerGas()
	}
	return o, nil
}

// PublicClient returns a client for public operations. It sends the API key if one is configured.
func (a *App) PublicClient() (*client.Client, error) {
	o, err := a.Options()
	if err != nil {
		return nil, err
	}
	return NewClient(o)
}

// AgentClient returns a client with the agent's API key and without a wallet.
func (a *App) AgentClient() (*client.Client, error) {
	o, err := a.Options()
	if err != nil {
		return nil, err
	}
	if err := RequireKey(o); err != nil {
		return nil, err
	}
	return NewClient(o)
}

// WithAgent calls use with an AgentClient and closes it afterwards.
func (a *App) WithAgent(use func(*client.Client) error) error {
	agent, err := a.AgentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	return use(agent)
}

// AgentRun returns the RunE function for a command that takes no arguments and uses an AgentClient.
func (a *App) AgentRun(run func(context.Context, *client.Client) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, _ []string) error {
		return a.WithAgent(func(agent *client.Client) error { return run(c.Context(), agent) })
	}
}

// WalletOptions returns client options for commands that sign, including the API key, wallet, node
// and journal.
func (a *App) WalletOptions(ctx context.Context) (client.Options, error) {
	o, err := a.NodeOptions()
	if err != nil {
		return o, err
	}
	if o.Signer, err = a.Signer(ctx); err != nil {
		return o, err
	}
	o.Flows, err = a.Flows(o.Signer.Address())
	return o, err
}

// NodeOptions returns client options with the API key and the node.
func (a *App) NodeOptions() (client.Options, error) {
	o, err := a.Options()
	if err != nil {
		return o, err
	}
	if err := RequireKey(o); err != nil {
		return o, err
	}
	if o.RPCURL == "" {
		return o, ErrNoNode
	}
	return o, nil
}

// NewClient returns an API client. It reports an error as a configuration error.
func NewClient(o client.Options) (*client.Client, error) {
	c, err := client.New(o)
	if err != nil {
		return nil, &ExitError{Code: ExitUsage, Err: err, Hint: "`taskmarket config` shows the configuration and its sources"}
	}
	return c, nil
}

// ErrNoNode is returned when a command must read the chain but no node is configured.
var ErrNoNode = Fail(ExitUsage, "no Ethereum node is configured").WithHint("set TASKMARKET_RPC_URL, or use --rpc-url")

// RequireKey returns an error if no API key is configured.
func RequireKey(o client.Options) error {
	if o.APIKey == "" {
		return Fail(ExitUnauthorized, "no API key is configured").
			WithHint("`taskmarket register` creates one; to use an existing key, set TASKMARKET_API_KEY or TASKMARKET_API_KEY_FILE")
	}
	return nil
}

// RequirePinned returns an error if no contract addresses are pinned. Without a confirmation by the
// user, the contract addresses must not come from the API that requests the transaction.
func RequirePinned(o client.Options) error {
	if o.Contracts != nil {
		return nil
	}
	return Fail(ExitUsage, "unattended spending (--yes, mcp) requires pinned contracts, and no contracts are pinned").
		WithHint("`taskmarket register` and `taskmarket recover-key` pin them; or set chain_id, token_address, escrow_address and " +
			"application_staking_address to the published values: see `taskmarket help configuration`")
}

// Flows returns the journal of the wallet's unfinished operations.
func (a *App) Flows(wallet common.Address) (client.FlowStore, error) {
	state, err := a.StateDir()
	if err != nil {
		return nil, err
	}
	return client.FileFlows(filepath.Join(state, strings.ToLower(wallet.Hex()), "flows")), nil
}
