package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/market"
)

// spending is what the commands that send a transaction have in common: the
// plan is shown and agreed to before anything is signed, and only what was
// agreed to is signed.
type spending struct {
	*app
	action market.Action

	yes      bool
	dryRun   bool
	resume   bool
	discard  bool // with resume: remove what is only planned
	unsigned bool
	// wallet, signature and txHash belong to --unsigned: who signs elsewhere,
	// the file with the signature that was made there, and what was sent there.
	wallet, signature, txHash string

	journal client.FlowStore // of the wallet
}

// deed is one thing that is planned and then done.
type deed struct {
	question string // asked before it is done
	plan     func(context.Context) (client.Plan, error)
	// do does it and returns the API's record of it.
	do func(context.Context) (record, error)
	// confirm tells the API of a transaction that another wallet sent. Nil: the
	// API sees it by itself.
	confirm func(ctx context.Context, sent sentElsewhere) error
	// delivered notes that the result was printed. Nil: doing it again would do
	// nothing, whether it was printed or not.
	delivered func(context.Context) error
}

// record is what a command answers: the API's record, and the fields of it that
// a person wants to see first.
type record struct {
	api    any
	fields []field
}

// flags adds the flags of all commands that spend.
func (s *spending) flags(c *cobra.Command) {
	f := c.Flags()
	f.BoolVarP(&s.yes, "yes", "y", false, "do it without asking; needs contracts that are pinned")
	f.BoolVar(&s.dryRun, "dry-run", false, "show the plan and try it on the chain; sign nothing")
	f.BoolVar(&s.resume, "resume", false, "go on with all of this kind that is unfinished (with --dry-run: list it)")
	f.BoolVar(&s.discard, "discard", false, "with --resume: remove what is unfinished from the journal instead, unless a transaction of it was signed")
	f.BoolVar(&s.unsigned, "unsigned", false, "print what another wallet can sign and send; see the topic unsigned")
	f.StringVar(&s.wallet, "wallet", "", "with --unsigned: the wallet's address, if it is not configured")
	f.StringVar(&s.signature, "signature", "", "with --unsigned: the file with the wallet's signature over the typed data, or - for stdin")
	f.StringVar(&s.txHash, "tx-hash", "", "finish what another wallet sent in this transaction")
	c.MarkFlagsMutuallyExclusive("dry-run", "unsigned", "tx-hash")
	c.MarkFlagsMutuallyExclusive("resume", "unsigned", "tx-hash")
	c.MarkFlagsMutuallyExclusive("dry-run", "yes")
	c.MarkFlagsMutuallyExclusive("dry-run", "discard")
}

// run does what the flags say. begin reads the arguments that need the API, and
// waits where that was asked for.
func (s *spending) run(ctx context.Context, begin func(context.Context, *client.Client) (deed, error)) error {
	switch {
	case s.discard && s.resume:
		return s.discardAll(ctx)
	case s.discard:
		return usageError("--discard belongs to --resume")
	case s.txHash != "":
		return s.finishElsewhere(ctx, begin)
	case s.unsigned || s.signature != "":
		return s.prepareElsewhere(ctx, begin)
	case s.resume:
		return s.resumeAll(ctx)
	}
	o, err := s.spendingOptions(ctx)
	if err != nil {
		return err
	}
	s.journal = o.Flows
	var agreed client.Plan
	o.Review = func(_ context.Context, p client.Plan) error { return sameAs(agreed, p) }
	agent, err := newClient(o)
	if err != nil {
		return err
	}
	defer agent.Close()
	d, err := begin(ctx, agent)
	if err != nil {
		return err
	}
	if agreed, err = d.plan(ctx); err != nil {
		return err
	}
	if s.dryRun {
		return s.printPlan(ctx, agent, agreed)
	}
	if err := s.agree(ctx, agent, d.question, agreed); err != nil {
		return err
	}
	return s.finish(ctx, d)
}

// spendingOptions are walletOptions. With --yes they need contracts that are pinned.
func (s *spending) spendingOptions(ctx context.Context) (client.Options, error) {
	o, err := s.walletOptions(ctx)
	if err == nil && s.yes {
		err = needPinned(o)
	}
	return o, err
}

// finish does the deed and prints what came of it.
func (s *spending) finish(ctx context.Context, d deed) error {
	done, err := d.do(ctx)
	if err != nil {
		return err
	}
	return s.deliver(ctx, d, done)
}

// deliver prints the result, and only then lets the deed be done once more.
func (s *spending) deliver(ctx context.Context, d deed, done record) error {
	err := s.printRecord(done)
	if f, ok := errors.AsType[*failure](err); ok && f.hint == "" {
		return f.next("it is done: run the same again to see what came of it, which pays nothing")
	}
	if err != nil || d.delivered == nil {
		return err
	}
	return d.delivered(ctx)
}

func (s *spending) printRecord(r record) error {
	if s.json {
		return s.printJSON(r.api)
	}
	return s.printFields(r.fields...)
}

// sameAs refuses a plan that is not the one that was agreed to.
func sameAs(agreed, now client.Plan) error {
	if err := agreed.Covers(now); err != nil {
		return (&failure{code: exitChain, err: err}).next("run it again and look at the new plan; the platform's fee may be another now")
	}
	return nil
}

// agree shows what will be signed and asks, unless it is signed already.
func (s *spending) agree(ctx context.Context, agent *client.Client, question string, p client.Plan) error {
	switch {
	case p.Done:
		s.note("this is done already; nothing is signed")
		return nil
	case p.Resumes:
		s.note("this was signed before; it goes on, and nothing new is signed")
		return nil
	}
	fields, err := s.planFields(ctx, agent, p)
	if err != nil {
		return err
	}
	fmt.Fprint(s.stderr, s.fieldText(fields))
	s.note("%s", p.Consequence)
	if s.yes {
		return nil
	}
	return s.confirm(ctx, question)
}

// of returns the task's record as a command answers it.
func of(t client.Task, symbol string) record {
	fields := []field{
		{"Task", t.ID.String()},
		{"Title", t.Title},
		{"Status", string(t.Status)},
		{"Amount", formatWei(t.EscrowAmount, symbol)},
	}
	if t.HumanUsername != nil {
		fields = append(fields, field{"Human", *t.HumanUsername})
	}
	return record{api: t, fields: fields}
}

// posted is of for a task that was funded, with the transaction that did it.
func posted(t client.Task, symbol string) record {
	r := of(t, symbol)
	r.fields = append(r.fields, field{"Transaction", optional(t.EscrowCreationTxHash)})
	return r
}

// outcomeOf is of for an action, with the transaction that did it.
func outcomeOf(o client.Outcome, symbol string) record {
	r := of(o.Task, symbol)
	if o.TxHash != nil {
		r.fields = append(r.fields, field{"Transaction", o.TxHash.Hex()})
	}
	return r
}

// waitFlag adds a flag for a wait: without a value it is a day. So that the
// parser can tell, a value follows after "=".
func waitFlag(c *cobra.Command, into *time.Duration, name, about string) {
	c.Flags().DurationVar(into, name, 0, about)
	c.Flags().Lookup(name).NoOptDefVal = "24h"
}

// exactlyUnlessResumed wants these arguments, and none with --resume.
func exactlyUnlessResumed(resume *bool, names ...string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case *resume && len(args) > 0:
			return usageError("--resume goes on with all that is unfinished: give no arguments")
		case *resume:
			return nil
		}
		return counted(args, names, 0)
	}
}
