// Package spend is what the commands that send a transaction share: the plan, the question,
// the journal, and the steps for a wallet on another machine.
package spend

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// Command is what the commands that send a transaction have in common: the
// plan is shown and agreed to before anything is signed, and only what was
// agreed to is signed.
type Command struct {
	*cli.App
	Action market.Action

	yes      bool
	dryRun   bool
	Resume   bool
	Discard  bool // with resume: remove what is only planned
	unsigned bool
	// wallet, signature and txHash belong to --unsigned: who signs elsewhere,
	// the file with the signature that was made there, and what was sent there.
	wallet, signature, txHash string

	Journal client.FlowStore // of the wallet
}

// Operation is one thing that is planned and then done.
type Operation struct {
	Question string // asked before it is done
	Plan     func(context.Context) (client.Plan, error)
	// do does it and returns the API's record of it.
	Do func(context.Context) (Result, error)
	// confirm tells the API of a transaction that another wallet sent. Nil: the
	// API sees it by itself.
	Confirm func(ctx context.Context, sent ExternalTx) error
	// delivered notes that the result was printed. Nil: doing it again would do
	// nothing, whether it was printed or not.
	Delivered func(context.Context) error
}

// Result is what a command answers: the API's record, and the fields of it that
// a person wants to see first.
type Result struct {
	API    any
	Fields []cli.Field
}

// AddFlags adds the flags of all commands that spend.
func (s *Command) AddFlags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVarP(&s.yes, "yes", "y", false, "do it without asking; needs contracts that are pinned")
	f.BoolVar(&s.dryRun, "dry-run", false, "show the plan and try it on the chain; sign nothing")
	f.BoolVar(&s.Resume, "resume", false, "go on with all of this kind that is unfinished (with --dry-run: list it)")
	f.BoolVar(&s.Discard, "discard", false, "with --resume: remove what is unfinished from the journal instead, unless a transaction of it was signed")
	f.BoolVar(&s.unsigned, "unsigned", false, "print what another wallet can sign and send; see the topic unsigned")
	f.StringVar(&s.wallet, "wallet", "", "with --unsigned: the wallet's address, if it is not configured")
	f.StringVar(&s.signature, "signature", "", "with --unsigned: the file with the wallet's signature over the typed data, or - for stdin")
	f.StringVar(&s.txHash, "tx-hash", "", "finish what another wallet sent in this transaction")
	c.MarkFlagsMutuallyExclusive("dry-run", "unsigned", "tx-hash")
	c.MarkFlagsMutuallyExclusive("resume", "unsigned", "tx-hash")
	c.MarkFlagsMutuallyExclusive("dry-run", "yes")
	c.MarkFlagsMutuallyExclusive("dry-run", "discard")
}

// Run does what the flags say. begin reads the arguments that need the API, and
// waits where that was asked for.
func (s *Command) Run(ctx context.Context, begin func(context.Context, *client.Client) (Operation, error)) error {
	switch {
	case s.Discard && s.Resume:
		return s.discardAll(ctx)
	case s.Discard:
		return cli.UsageError("--discard belongs to --resume")
	case s.txHash != "":
		return s.finishExternal(ctx, begin)
	case s.unsigned || s.signature != "":
		return s.prepareUnsigned(ctx, begin)
	case s.Resume:
		return s.resumeAll(ctx)
	}
	o, err := s.spendingOptions(ctx)
	if err != nil {
		return err
	}
	s.Journal = o.Flows
	var agreed client.Plan
	o.Review = func(_ context.Context, p client.Plan) error { return samePlan(agreed, p) }
	agent, err := cli.NewClient(o)
	if err != nil {
		return err
	}
	defer agent.Close()
	d, err := begin(ctx, agent)
	if err != nil {
		return err
	}
	if agreed, err = d.Plan(ctx); err != nil {
		return err
	}
	if s.dryRun {
		return s.printPlan(ctx, agent, agreed)
	}
	if err := s.agree(ctx, agent, d.Question, agreed); err != nil {
		return err
	}
	return s.finish(ctx, d)
}

// spendingOptions are walletOptions. With --yes they need contracts that are pinned.
func (s *Command) spendingOptions(ctx context.Context) (client.Options, error) {
	o, err := s.WalletOptions(ctx)
	if err == nil && s.yes {
		err = cli.RequirePinned(o)
	}
	return o, err
}

// finish does the deed and prints what came of it.
func (s *Command) finish(ctx context.Context, d Operation) error {
	done, err := d.Do(ctx)
	if err != nil {
		return err
	}
	return s.deliver(ctx, d, done)
}

// deliver prints the result, and only then lets the deed be done once more.
func (s *Command) deliver(ctx context.Context, d Operation, done Result) error {
	err := s.printRecord(done)
	if f, ok := errors.AsType[*cli.ExitError](err); ok && f.Hint == "" {
		return f.WithHint("it is done: run the same again to see what came of it, which pays nothing")
	}
	if err != nil || d.Delivered == nil {
		return err
	}
	return d.Delivered(ctx)
}

func (s *Command) printRecord(r Result) error {
	if s.JSON {
		return s.PrintJSON(r.API)
	}
	return s.PrintFields(r.Fields...)
}

// samePlan refuses a plan that is not the one that was agreed to.
func samePlan(agreed, now client.Plan) error {
	if err := agreed.Covers(now); err != nil {
		return (&cli.ExitError{Code: cli.ExitChain, Err: err}).WithHint("run it again and look at the new plan; the platform's fee may be another now")
	}
	return nil
}

// agree shows what will be signed and asks, unless it is signed already.
func (s *Command) agree(ctx context.Context, agent *client.Client, question string, p client.Plan) error {
	switch {
	case p.Done:
		s.Note("this is done already; nothing is signed")
		return nil
	case p.Resumes:
		s.Note("this was signed before; it goes on, and nothing new is signed")
		return nil
	}
	fields, err := s.planFields(ctx, agent, p)
	if err != nil {
		return err
	}
	fmt.Fprint(s.Stderr, s.FieldText(fields))
	s.Note("%s", p.Consequence)
	if s.yes {
		return nil
	}
	return s.Confirm(ctx, question)
}

// taskResult returns the task's record as a command answers it.
func taskResult(t client.Task, symbol string) Result {
	fields := []cli.Field{
		{"Task", t.ID.String()},
		{"Title", t.Title},
		{"Status", string(t.Status)},
		{"Amount", cli.FormatWei(t.EscrowAmount, symbol)},
	}
	if t.HumanUsername != nil {
		fields = append(fields, cli.Field{"Human", *t.HumanUsername})
	}
	return Result{API: t, Fields: fields}
}

// Posted is of for a task that was funded, with the transaction that did it.
func Posted(t client.Task, symbol string) Result {
	r := taskResult(t, symbol)
	r.Fields = append(r.Fields, cli.Field{"Transaction", cli.Optional(t.EscrowCreationTxHash)})
	return r
}

// OutcomeResult is of for an action, with the transaction that did it.
func OutcomeResult(o client.Outcome, symbol string) Result {
	r := taskResult(o.Task, symbol)
	if o.TxHash != nil {
		r.Fields = append(r.Fields, cli.Field{"Transaction", o.TxHash.Hex()})
	}
	return r
}

// WaitFlag adds a flag for a wait: without a value it is a day. So that the
// parser can tell, a value follows after "=".
func WaitFlag(c *cobra.Command, into *time.Duration, name, about string) {
	c.Flags().DurationVar(into, name, 0, about)
	c.Flags().Lookup(name).NoOptDefVal = "24h"
}

// ArgsUnlessResumed wants these arguments, and none with --resume.
func ArgsUnlessResumed(resume *bool, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case *resume && len(args) > 0:
			return cli.UsageError("--resume goes on with all that is unfinished: give no arguments")
		case *resume:
			return nil
		}
		return cli.CountArgs(args, names, 0)
	}
}
