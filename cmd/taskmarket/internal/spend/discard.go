package spend

import (
	"context"
	"errors"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// discardAll removes the command's unfinished operations from the journal. It does not remove an
// operation with a signed transaction, because the transaction can still be mined.
func (s *Command) discardAll(ctx context.Context) error {
	o, err := s.WalletOptions(ctx)
	if err != nil {
		return err
	}
	agent, err := cli.NewClient(o)
	if err != nil {
		return err
	}
	defer agent.Close()
	flows, err := s.open(ctx, agent)
	if err != nil {
		return err
	}
	if err := s.agreeToDiscard(ctx, flows); err != nil {
		return err
	}
	return s.discardEach(ctx, agent, flows)
}

// agreeToDiscard lists the unfinished operations and asks for confirmation.
func (s *Command) agreeToDiscard(ctx context.Context, flows []client.Flow) error {
	if len(flows) == 0 {
		s.Note("no unfinished operations")
		return nil
	}
	for _, flow := range flows {
		u := unfinishedOf(flow)
		s.Note("unfinished: %s, task %s, signed: %s%s", market.ActOf(u.Action).Does, idOrNone(u.TaskID), cli.YesNo(u.Signed), cli.Labelled(", title", cli.Quoted(u.Title)))
	}
	if s.Act.Money == market.MoneyLocked {
		s.Note("Discarded tasks stay unfunded in the service, which stops listing them after %s.", market.FormatDuration(market.UnfundedLifetime))
	}
	s.Note("Do not send transactions that you have already exported with --unsigned.")
	if s.yes {
		return nil
	}
	return s.Confirm(ctx, "Discard the unsigned operations?")
}

// discardEach removes the operations and prints those that it removed.
func (s *Command) discardEach(ctx context.Context, agent *client.Client, flows []client.Flow) error {
	var faults []error
	discarded := []unfinished{}
	for _, flow := range flows {
		if err := agent.Discard(ctx, flow.Key); err != nil {
			faults = append(faults, err)
			continue
		}
		discarded = append(discarded, unfinishedOf(flow))
	}
	fault := errors.Join(faults...)
	if errors.Is(fault, client.ErrSigned) {
		fault = (&cli.ExitError{Code: cli.ExitCode(ctx, fault), Err: fault}).
			WithHint("run the command with --resume and without --discard: it finishes the operation, or finds that the transaction can no longer be mined")
	}
	if s.JSON {
		result := map[string]any{"discarded": discarded}
		if len(faults) > 0 {
			result["errors"] = s.DocumentsOf(ctx, faults)
		}
		return errors.Join(s.PrintJSON(result), fault)
	}
	if len(discarded) == 0 {
		return fault
	}
	s.Note("discarded:")
	return errors.Join(s.printRows(discarded), fault)
}
