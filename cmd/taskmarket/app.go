package main

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

// app is what every command works with: who runs it, what is configured, and
// the library. Commands print results on stdout and everything else on stderr;
// both escape what a terminal would act on.
type app struct {
	streams
	version string // of the program
	environ map[string]string
	stdout  *screen // results
	stderr  *screen // everything else

	command string // that was given, each of its words after a blank
	running bool   // it has begun: what fails now is no wrong usage
	// jsonErrors: --json was given, so that an error is a document on stdout, too.
	jsonErrors bool
	flags      *pflag.FlagSet // of the command that runs

	// Global flags.
	json       bool
	verbose    bool
	field      string // the only member of the result to print
	configPath string

	loaded *settings // nil until somebody asks
}

func newApp(s streams, environ []string) *app {
	a := &app{streams: s, environ: map[string]string{}}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		a.environ[name] = value
	}
	_, plain := a.environ["NO_COLOR"]
	plain = plain && a.environ["NO_COLOR"] != "" || a.environ["TERM"] == "dumb"
	a.stdout = &screen{w: s.out, styled: s.outTerminal && !plain}
	a.stderr = &screen{w: s.err, styled: s.errTerminal && !plain}
	return a
}

// note tells a person something that is no result, on one line: texts among the
// arguments may be others', and must not pass for lines of their own.
func (a *app) note(format string, args ...any) { fmt.Fprintf(a.stderr, format+"\n", inLine(args)...) }

// inLine keeps the texts among arguments in their line.
func inLine(args []any) []any {
	safe := make([]any, len(args))
	for i, arg := range args {
		switch value := arg.(type) {
		case error:
			safe[i] = oneLine(value.Error())
		case fmt.Stringer:
			safe[i] = oneLine(value.String())
		default:
			if safe[i] = arg; reflect.ValueOf(arg).Kind() == reflect.String {
				safe[i] = oneLine(reflect.ValueOf(arg).String())
			}
		}
	}
	return safe
}

// progress tells of a long wait: on a terminal, or when asked with --verbose.
func (a *app) progress(format string, args ...any) {
	if a.errTerminal || a.verbose {
		a.note(format, args...)
	}
}

// raw is stdout without escaping: for bytes that are no text for people, such as
// a file's or a protocol's.
func (a *app) raw() io.Writer {
	a.stdout.used = true
	return a.out
}

// options are the library's, as configured, without a wallet.
func (a *app) options() (client.Options, error) {
	s, err := a.settings()
	if err != nil {
		return client.Options{}, err
	}
	base := s.text(settingAPIURL)
	if base == "" {
		return client.Options{}, fail(exitUsage, "no API is configured").
			next("set TASKMARKET_API_URL, or give --api-url; `taskmarket config` shows what is set")
	}
	contracts, err := s.contracts()
	if err != nil {
		return client.Options{}, err
	}
	o := client.Options{
		BaseURL: base, APIKey: s.text(settingAPIKey), RPCURL: s.text(settingRPCURL), Contracts: contracts,
		MaxOffer: s.maxFeePerGas(), InsecureNode: s.insecureNode(), Node: s.nodeOptions(),
	}
	if s.text(settingMaxFeePerGas) != "" { // said so: then replacements may cost as much, too
		o.MaxFeePerGas = s.maxFeePerGas()
	}
	return o, nil
}

// publicClient is for what anybody may ask. It carries the API key if there is one.
func (a *app) publicClient() (*client.Client, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	return newClient(o)
}

// agentClient is for what needs the agent's API key and signs nothing.
func (a *app) agentClient() (*client.Client, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	if err := needKey(o); err != nil {
		return nil, err
	}
	return newClient(o)
}

// withAgent runs use with an agentClient and closes it.
func (a *app) withAgent(use func(*client.Client) error) error {
	agent, err := a.agentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	return use(agent)
}

// walletOptions are for what signs: with the agent's key, wallet, node and journal.
func (a *app) walletOptions(ctx context.Context) (client.Options, error) {
	o, err := a.nodeOptions()
	if err != nil {
		return o, err
	}
	if o.Signer, err = a.signer(ctx); err != nil {
		return o, err
	}
	o.Flows, err = a.flows(o.Signer.Address())
	return o, err
}

// nodeOptions are walletOptions without a wallet and its journal.
func (a *app) nodeOptions() (client.Options, error) {
	o, err := a.options()
	if err != nil {
		return o, err
	}
	if err := needKey(o); err != nil {
		return o, err
	}
	if o.RPCURL == "" {
		return o, errNoNode
	}
	return o, nil
}

func newClient(o client.Options) (*client.Client, error) {
	c, err := client.New(o)
	if err != nil {
		return nil, &failure{code: exitUsage, err: err, hint: "`taskmarket config` shows what is set, and where"}
	}
	return c, nil
}

// errNoNode: what the chain says can be asked of nobody.
var errNoNode = fail(exitUsage, "no Ethereum node is configured").next("set TASKMARKET_RPC_URL, or give --rpc-url")

func needKey(o client.Options) error {
	if o.APIKey == "" {
		return fail(exitUnauthorized, "no API key is configured").
			next("`taskmarket register` makes one; an agent that has one sets TASKMARKET_API_KEY or TASKMARKET_API_KEY_FILE")
	}
	return nil
}

// needPinned refuses to sign where nobody looks at what is signed, unless the
// contracts are known from somewhere else than the API that asks for it.
func needPinned(o client.Options) error {
	if o.Contracts != nil {
		return nil
	}
	return fail(exitUsage, "no contracts are pinned, so nothing is spent without a person who looks at it").
		next("`taskmarket register` and `taskmarket recover-key` pin them; or set chain_id, token_address, escrow_address and " +
			"application_staking_address as the market announces them: `taskmarket help configuration`")
}

// flows is the journal of one wallet.
func (a *app) flows(wallet common.Address) (client.FlowStore, error) {
	state, err := a.stateDir()
	if err != nil {
		return nil, err
	}
	return client.FileFlows(filepath.Join(state, strings.ToLower(wallet.Hex()), "flows")), nil
}
