// Package cli is what the commands of taskmarket share: the configuration, the library's
// client, arguments, output, questions, errors and exit codes.
package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/pflag"

	"taskmarket/client"
)

// App is what every command works with: who runs it, what is configured, and
// the library. Commands print results on stdout and everything else on stderr;
// both escape what a terminal would act on.
type App struct {
	Streams
	Version string // of the program
	environ map[string]string
	Stdout  *screen // results
	Stderr  *screen // everything else

	command string // that was given, each of its words after a blank
	running bool   // it has begun: what fails now is no wrong usage
	// jsonErrors: --json was given, so that an error is a document on stdout, too.
	jsonErrors bool
	Flags      *pflag.FlagSet // of the command that runs

	// Global flags.
	JSON       bool
	verbose    bool
	field      string // the only member of the result to print
	configPath string

	Loaded *Settings // nil until somebody asks
}

// New returns an App on the streams and the environment.
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

// Note tells a person something that is no result, on one line: texts among the
// arguments may be others', and must not pass for lines of their own.
func (a *App) Note(format string, args ...any) { fmt.Fprintf(a.Stderr, format+"\n", inLine(args)...) }

// inLine keeps the texts among arguments in their line.
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

// Progress tells of a long wait: on a terminal, or when asked with --verbose.
func (a *App) Progress(format string, args ...any) {
	if a.ErrTerminal || a.verbose {
		a.Note(format, args...)
	}
}

// RawOutput is stdout without escaping: for bytes that are no text for people, such as
// a file's or a protocol's.
func (a *App) RawOutput() io.Writer {
	a.Stdout.used = true
	return a.Out
}

// Options are the library's, as configured, without a wallet.
func (a *App) Options() (client.Options, error) {
	s, err := a.Settings()
	if err != nil {
		return client.Options{}, err
	}
	base := s.Text(SettingAPIURL)
	if base == "" {
		return client.Options{}, Fail(ExitUsage, "no API is configured").
			WithHint("set TASKMARKET_API_URL, or give --api-url; `taskmarket config` shows what is set")
	}
	contracts, err := s.Contracts()
	if err != nil {
		return client.Options{}, err
	}
	o := client.Options{
		BaseURL: base, APIKey: s.Text(SettingAPIKey), RPCURL: s.Text(SettingRPCURL), Contracts: contracts,
		MaxOffer: s.MaxFeePerGas(), InsecureNode: s.InsecureNode(), Node: s.NodeOptions(),
	}
	if s.Text(SettingMaxFeePerGas) != "" { // said so: then replacements may cost as much, too
		o.MaxFeePerGas = s.MaxFeePerGas()
	}
	return o, nil
}

// PublicClient is for what anybody may ask. It carries the API key if there is one.
func (a *App) PublicClient() (*client.Client, error) {
	o, err := a.Options()
	if err != nil {
		return nil, err
	}
	return NewClient(o)
}

// AgentClient is for what needs the agent's API key and signs nothing.
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

// WithAgent runs use with an agentClient and closes it.
func (a *App) WithAgent(use func(*client.Client) error) error {
	agent, err := a.AgentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	return use(agent)
}

// WalletOptions are for what signs: with the agent's key, wallet, node and journal.
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

// NodeOptions are walletOptions without a wallet and its journal.
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

// NewClient returns a client of the library. Its error is one of the configuration.
func NewClient(o client.Options) (*client.Client, error) {
	c, err := client.New(o)
	if err != nil {
		return nil, &ExitError{Code: ExitUsage, Err: err, Hint: "`taskmarket config` shows what is set, and where"}
	}
	return c, nil
}

// ErrNoNode is returned when a command reads the chain and no node is configured.
var ErrNoNode = Fail(ExitUsage, "no Ethereum node is configured").WithHint("set TASKMARKET_RPC_URL, or give --rpc-url")

// RequireKey returns an error if no API key is configured.
func RequireKey(o client.Options) error {
	if o.APIKey == "" {
		return Fail(ExitUnauthorized, "no API key is configured").
			WithHint("`taskmarket register` makes one; an agent that has one sets TASKMARKET_API_KEY or TASKMARKET_API_KEY_FILE")
	}
	return nil
}

// RequirePinned refuses to sign where nobody looks at what is signed, unless the
// contracts are known from somewhere else than the API that asks for it.
func RequirePinned(o client.Options) error {
	if o.Contracts != nil {
		return nil
	}
	return Fail(ExitUsage, "no contracts are pinned, so nothing is spent without a person who looks at it").
		WithHint("`taskmarket register` and `taskmarket recover-key` pin them; or set chain_id, token_address, escrow_address and " +
			"application_staking_address as the market announces them: `taskmarket help configuration`")
}

// Flows is the journal of one wallet.
func (a *App) Flows(wallet common.Address) (client.FlowStore, error) {
	state, err := a.StateDir()
	if err != nil {
		return nil, err
	}
	return client.FileFlows(filepath.Join(state, strings.ToLower(wallet.Hex()), "flows")), nil
}
