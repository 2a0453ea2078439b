// Package spend contains the code that all commands that send a transaction share: the plan, the
// confirmation, the journal, and the steps for a wallet on another machine.
package spend

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// Command contains the flags and steps that all commands that send a transaction share. It prints
// the plan and asks for confirmation before anything is signed, and signs only the confirmed plan.
type Command struct {
	*cli.App
	Act market.Act // the act that the command performs

	yes      bool
	dryRun   bool
	Resume   bool
	Discard  bool // with Resume: remove operations that have no signed transaction
	unsigned bool
	// wallet, signature and txHash are the flags for an external wallet: its address, the file with
	// its signature, and the hash of the transaction that it sent.
	wallet, signature, txHash string

	Journal client.FlowStore // journal of the wallet's operations
	signer  *signRecorder
}

// Operation is an action that is planned and then executed.
type Operation struct {
	Question string // the prompt for confirmation
	Plan     func(context.Context) (client.Plan, error)
	// Do executes the action and returns the record from the API.
	Do func(context.Context) (Result, error)
	// Confirm reports to the API the transaction that an external wallet sent. It is nil if the API
	// detects the transaction by itself.
	Confirm func(ctx context.Context, sent ExternalTx) error
	// Delivered records that the result was printed. It is nil for actions that have no effect when
	// they are repeated.
	Delivered func(context.Context) error
}

// Result is the result of a command: the API's record, and the fields to print as text.
type Result struct {
	API    any
	Fields []cli.Field
}

// AddFlags finds the command's act by the command's name, and adds the flags that all commands that send a transaction
// share, and the flag for a signed permit if the act needs one.
func (s *Command) AddFlags(c *cobra.Command) {
	s.Act, _ = market.ActOfCommand(c.Name())
	f := c.Flags()
	f.BoolVarP(&s.yes, "yes", "y", false, "skip the confirmation; requires pinned contracts")
	f.BoolVar(&s.dryRun, "dry-run", false, "show the plan and simulate it; sign nothing")
	f.BoolVar(&s.Resume, "resume", false, "resume every unfinished operation of this kind (with --dry-run: list them)")
	f.BoolVar(&s.Discard, "discard", false, "with --resume: remove the unfinished operations from the journal instead, except those with a signed transaction")
	f.BoolVar(&s.unsigned, "unsigned", false, "print the unsigned transaction, to sign it in another wallet; see \"taskmarket help unsigned\"")
	f.StringVar(&s.wallet, "wallet", "", "with --unsigned or --tx-hash: the wallet's address, if not configured")
	f.StringVar(&s.txHash, "tx-hash", "", "finish the operation with this transaction, sent by another wallet")
	c.MarkFlagsMutuallyExclusive("dry-run", "unsigned", "tx-hash")
	c.MarkFlagsMutuallyExclusive("resume", "unsigned", "tx-hash")
	c.MarkFlagsMutuallyExclusive("dry-run", "yes")
	c.MarkFlagsMutuallyExclusive("dry-run", "discard")
	if s.Act.Money == market.MoneyLocked {
		f.StringVar(&s.signature, "signature", "", "with --unsigned: the file with the wallet's signature of the permit (typed_data), or - for stdin")
	}
}

// Run executes the command as selected by its flags. begin resolves the arguments that require API
// requests, and waits for an application or a submission if a flag requests it.
func (s *Command) Run(ctx context.Context, begin func(context.Context, *client.Client) (Operation, error)) error {
	switch {
	case s.Discard && s.Resume:
		return s.discardAll(ctx)
	case s.Discard:
		return cli.UsageError("--discard requires --resume")
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
	s.signer = &signRecorder{Signer: o.Signer}
	o.Signer = s.signer
	if err = s.runPlan(ctx, o, begin); err != nil && cli.ExitCode(ctx, err) == cli.ExitInterrupted {
		return interrupted(s.signer.signed)
	}
	return err
}

// RunOnTask is like Run, for a command whose first argument is a task. With --resume, the command
// takes no arguments.
func (s *Command) RunOnTask(
	ctx context.Context, args []string, begin func(context.Context, *client.Client, uuid.UUID) (Operation, error),
) error {
	if s.Resume {
		return s.Run(ctx, nil)
	}
	task, err := cli.ParseID("a task", args[0])
	if err != nil {
		return err
	}
	return s.Run(ctx, func(ctx context.Context, agent *client.Client) (Operation, error) { return begin(ctx, agent, task) })
}

// OnTask returns an operation whose result contains the task and the transaction.
func (s *Command) OnTask(
	ctx context.Context, agent *client.Client, question string,
	plan func(context.Context) (client.Plan, error), do func(context.Context) (client.Outcome, error),
) (Operation, error) {
	symbol, err := s.Symbol(ctx, agent)
	return Operation{Question: question, Plan: plan, Do: func(ctx context.Context) (Result, error) {
		outcome, err := do(ctx)
		if err != nil {
			return Result{}, err
		}
		return OutcomeResult(outcome, symbol), nil
	}}, err
}

// runPlan plans the operation, asks for confirmation and then executes it.
func (s *Command) runPlan(ctx context.Context, o client.Options, begin func(context.Context, *client.Client) (Operation, error)) error {
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
	s.signer.signed = agreed.Resumes
	if s.dryRun {
		return s.printPlan(ctx, agent, agreed)
	}
	if err := s.agree(ctx, agent, d.Question, agreed); err != nil {
		return err
	}
	return s.finish(ctx, d)
}

// spendingOptions is like WalletOptions, but requires pinned contracts if --yes is set.
func (s *Command) spendingOptions(ctx context.Context) (client.Options, error) {
	o, err := s.WalletOptions(ctx)
	if err == nil && s.yes {
		err = cli.RequirePinned(o)
	}
	return o, err
}

// finish executes the operation and prints its result.
func (s *Command) finish(ctx context.Context, d Operation) error {
	done, err := d.Do(ctx)
	if err != nil {
		return err
	}
	return s.deliver(ctx, d, done)
}

// deliver prints the result. It then marks the operation as delivered, so that running the command
// again starts a new operation.
func (s *Command) deliver(ctx context.Context, d Operation, done Result) error {
	err := s.printRecord(done)
	if f, ok := errors.AsType[*cli.ExitError](err); ok && f.Hint == "" {
		return f.WithHint("the action is done: run the same command again to see the result; it does not pay again")
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

// samePlan returns an error if the current plan differs from the confirmed one.
func samePlan(agreed, now client.Plan) error {
	if err := agreed.Covers(now); err != nil {
		return (&cli.ExitError{Code: cli.ExitChain, Err: err}).WithHint("run the command again and check the new plan; the platform fee may have changed")
	}
	return nil
}

// agree prints the plan and asks for confirmation. It requires no confirmation if the action is
// already done or its transaction is already signed.
func (s *Command) agree(ctx context.Context, agent *client.Client, question string, p client.Plan) error {
	switch {
	case p.Done:
		s.Note("already done; nothing is signed")
		return nil
	case p.Resumes:
		s.Note("resuming a signed transaction; nothing new is signed")
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

// taskResult returns a command result that contains the task.
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

// Posted returns a command result that contains the funded task and its funding transaction.
func Posted(t client.Task, symbol string) Result {
	r := taskResult(t, symbol)
	r.Fields = append(r.Fields, cli.Field{"Transaction", cli.Optional(t.EscrowCreationTxHash)})
	return r
}

// OutcomeResult returns a command result that contains the task after an action and the
// transaction.
func OutcomeResult(o client.Outcome, symbol string) Result {
	r := taskResult(o.Task, symbol)
	if o.TxHash != nil {
		r.Fields = append(r.Fields, cli.Field{"Transaction", o.TxHash.Hex()})
	}
	return r
}

// WaitFlag adds a duration flag. Without a value, the flag means 24 hours; a value must be attached
// with "=".
func WaitFlag(c *cobra.Command, into *time.Duration, name, about string) {
	c.Flags().DurationVar(into, name, 0, about)
	c.Flags().Lookup(name).NoOptDefVal = "24h"
}

// ArgsUnlessResumed requires the named arguments, or no arguments if --resume is set.
func ArgsUnlessResumed(resume *bool, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case *resume && len(args) > 0:
			return cli.UsageError("--resume takes no arguments")
		case *resume:
			return nil
		}
		return cli.CountArgs(args, names, 0)
	}
}
