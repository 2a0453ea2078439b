// Package spend contains the code that all commands that send a transaction share: the plan, the
// confirmation, the journal, and the steps for a wallet on another machine.
package spend

import (
	"context"
	"errors"
	"fmt"
	"strings"
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

	// After waits after the action if a flag requests it, and returns the task to print. It may be nil.
	After func(context.Context, *client.Client, client.Task) (client.Task, error)

	Journal client.FlowStore // journal of the wallet's operations
	signer  *signRecorder
}

// Begin returns the request of a command. It resolves the arguments that require API requests, and waits for an
// application or a submission if a flag requests it.
type Begin = func(context.Context, *client.Client) (client.ActionRequest, error)

// AddFlags finds the command's act by the command's name, and adds the flags that all commands that send a transaction
// share, and the flag for a signed permit if the act needs one.
func (s *Command) AddFlags(c *cobra.Command) {
	act, ok := market.ActOfCommand(c.Name())
	if !ok {
		panic("no act has the command " + c.Name())
	}
	s.Act = act
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

// Run executes the command as selected by its flags.
func (s *Command) Run(ctx context.Context, begin Begin) error {
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
	ctx context.Context, args []string, begin func(context.Context, *client.Client, uuid.UUID) (client.ActionRequest, error),
) error {
	if s.Resume {
		return s.Run(ctx, nil)
	}
	task, err := cli.ParseID("a task", args[0])
	if err != nil {
		return err
	}
	return s.Run(ctx, func(ctx context.Context, agent *client.Client) (client.ActionRequest, error) {
		return begin(ctx, agent, task)
	})
}

// runPlan plans the request, asks for confirmation and then executes the plan.
func (s *Command) runPlan(ctx context.Context, o client.Options, begin Begin) error {
	agent, err := cli.NewClient(o)
	if err != nil {
		return err
	}
	defer agent.Close()
	plan, err := planOf(ctx, agent, begin)
	if err != nil {
		return err
	}
	s.signer.signed = plan.Resumes
	if s.dryRun {
		return s.printPlan(ctx, agent, plan)
	}
	if err := s.agree(ctx, agent, plan); err != nil {
		return err
	}
	return s.execute(ctx, agent, plan)
}

// planOf returns the plan of the request that begin returns.
func planOf(ctx context.Context, agent *client.Client, begin Begin) (client.Plan, error) {
	request, err := begin(ctx, agent)
	if err != nil {
		return client.Plan{}, err
	}
	return agent.Plan(ctx, request)
}

// spendingOptions is like WalletOptions, but requires pinned contracts if --yes is set.
func (s *Command) spendingOptions(ctx context.Context) (client.Options, error) {
	o, err := s.WalletOptions(ctx)
	if err == nil && s.yes {
		err = cli.RequirePinned(o)
	}
	return o, err
}

// execute executes the plan and prints the result.
func (s *Command) execute(ctx context.Context, agent *client.Client, plan client.Plan) error {
	outcome, err := agent.Execute(ctx, plan)
	if err == nil && s.After != nil {
		outcome.Task, err = s.After(ctx, agent, outcome.Task)
	}
	if err != nil {
		return err
	}
	return s.deliver(ctx, agent, plan.Key, outcome)
}

// deliver prints the outcome of the operation with the key. After that, the same command starts a new operation, so a
// key that the command chose is no longer needed.
func (s *Command) deliver(ctx context.Context, agent *client.Client, key string, outcome client.Outcome) error {
	err := s.printOutcome(ctx, agent, outcome)
	if f, ok := errors.AsType[*cli.ExitError](err); ok && f.Hint == "" {
		return f.WithHint("the action is done: run the same command again to see the result; it does not pay again")
	}
	if err != nil {
		return err
	}
	return forget(ctx, agent, key)
}

func (s *Command) printOutcome(ctx context.Context, agent *client.Client, outcome client.Outcome) error {
	rejected := s.Act.Money == market.MoneyForfeited
	switch {
	case s.JSON && rejected:
		return s.PrintJSON(outcome.Application)
	case s.JSON:
		return s.PrintJSON(outcome.Task)
	case rejected:
		return s.PrintFields(applicationFields(*outcome.Application)...)
	}
	symbol, err := s.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	return s.PrintFields(outcomeFields(outcome, symbol)...)
}

// agree prints the plan and asks for confirmation. It requires no confirmation if the action is
// already done or its transaction is already signed.
func (s *Command) agree(ctx context.Context, agent *client.Client, p client.Plan) error {
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
	return s.Confirm(ctx, questionOf(s.Act))
}

// questionOf returns the prompt for the confirmation of an act.
func questionOf(act market.Act) string {
	question := strings.ToUpper(act.Does[:1]) + act.Does[1:] + "?"
	if act.Final {
		question += " This cannot be undone."
	}
	return question
}

// outcomeFields returns the output fields with the task after an action, and the transaction.
func outcomeFields(o client.Outcome, symbol string) []cli.Field {
	fields := []cli.Field{
		{"Task", o.Task.ID.String()},
		{"Title", o.Task.Title},
		{"Status", string(o.Task.Status)},
		{"Amount", cli.FormatWei(o.Task.EscrowAmount, symbol)},
	}
	if o.Task.HumanUsername != nil {
		fields = append(fields, cli.Field{"Human", *o.Task.HumanUsername})
	}
	if o.TxHash != nil {
		fields = append(fields, cli.Field{"Transaction", o.TxHash.Hex()})
	}
	return fields
}

func applicationFields(a client.Application) []cli.Field {
	return []cli.Field{
		{"Application", a.ID.String()},
		{"Human", a.HumanUsername},
		{"Status", string(a.Status)},
		{"Reason", cli.Optional(a.RejectionReason)},
	}
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
