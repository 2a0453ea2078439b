package spend

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

// unfinished is an operation in the journal, as printed by --resume --dry-run and --resume --discard.
type unfinished struct {
	Action        market.Action `json:"action"`
	TaskID        *uuid.UUID    `json:"task_id"`
	ApplicationID *uuid.UUID    `json:"application_id"`
	Title         string        `json:"title,omitempty"`
	Signed        bool          `json:"signed"`
}

// resumeAll resumes all unfinished operations of this command.
func (s *Command) resumeAll(ctx context.Context) error {
	o, err := s.spendingOptions(ctx)
	if err != nil {
		return err
	}
	var agent *client.Client
	o.Review = func(ctx context.Context, p client.Plan) error {
		return s.agree(ctx, agent, "Resume this operation?", p)
	}
	if agent, err = cli.NewClient(o); err != nil {
		return err
	}
	defer agent.Close()
	flows, err := s.open(ctx, agent)
	if err != nil {
		return err
	}
	if s.dryRun {
		return s.printUnfinished(flows)
	}
	if len(flows) == 0 {
		s.Note("no unfinished operations")
	}
	symbol, err := s.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	return s.resumeEach(ctx, agent, flows, symbol)
}

// resumeEach resumes the operations one by one and prints their results.
func (s *Command) resumeEach(ctx context.Context, agent *client.Client, flows []client.Flow, symbol string) error {
	var faults []error
	tasks := []client.Task{}
	for _, flow := range flows {
		outcome, err := agent.Resume(ctx, flow)
		if err == nil && !s.JSON {
			if err = s.PrintFields(s.outcome(outcome, symbol).Fields...); err == nil {
				err = agent.Delivered(ctx, outcome.Task.ID)
			}
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		tasks = append(tasks, outcome.Task)
	}
	if !s.JSON {
		return errors.Join(faults...)
	}
	result := map[string]any{"tasks": tasks}
	if len(faults) > 0 {
		result["errors"] = s.DocumentsOf(ctx, faults)
	}
	if err := s.PrintJSON(result); err != nil {
		return errors.Join(append(faults, err)...)
	}
	for _, task := range tasks {
		faults = append(faults, agent.Delivered(ctx, task.ID))
	}
	return errors.Join(faults...)
}

// outcome returns the result of a resumed operation.
func (s *Command) outcome(outcome client.Outcome, symbol string) Result {
	if s.Act.Money == market.MoneyLocked {
		return Posted(outcome.Task, symbol)
	}
	return OutcomeResult(outcome, symbol)
}

// open returns the unfinished operations of this command, including payments whose journal entry
// was lost.
func (s *Command) open(ctx context.Context, agent *client.Client) ([]client.Flow, error) {
	all, err := agent.Unfinished(ctx)
	if err != nil {
		return nil, err
	}
	var flows []client.Flow
	known := map[uuid.UUID]bool{}
	for _, flow := range all {
		if flow.Action == s.Act.Action {
			flows = append(flows, flow)
			if flow.TaskID != nil {
				known[*flow.TaskID] = true
			}
		}
	}
	if s.Act.Money != market.MoneyLocked {
		return flows, nil
	}
	paid, err := agent.FindPaid(ctx)
	if err != nil {
		return nil, err
	}
	for _, flow := range paid {
		if !known[*flow.TaskID] {
			flows = append(flows, flow)
		}
	}
	return flows, nil
}

func (s *Command) printUnfinished(flows []client.Flow) error {
	list := make([]unfinished, 0, len(flows))
	for _, flow := range flows {
		list = append(list, unfinishedOf(flow))
	}
	if s.JSON {
		return s.PrintJSON(map[string]any{"unfinished": list})
	}
	if len(list) == 0 {
		s.Note("no unfinished operations")
		return nil
	}
	return s.printRows(list)
}

// printRows prints a table of unfinished operations.
func (s *Command) printRows(list []unfinished) error {
	return cli.PrintItems(s.App, list, []cli.Column[unfinished]{
		{Title: "TO DO", Cell: func(u unfinished) string { return market.ActOf(u.Action).Does }},
		{Title: "TASK", Cell: func(u unfinished) string { return idOrNone(u.TaskID) }},
		{Title: "SIGNED", Cell: func(u unfinished) string { return cli.YesNo(u.Signed) }},
	}, cli.LastColumn[unfinished]{Title: "TITLE", Cell: func(u unfinished) string { return u.Title }})
}

func unfinishedOf(flow client.Flow) unfinished {
	u := unfinished{flow.Action, flow.TaskID, flow.ApplicationID, "", len(flow.Transactions) > 0 || flow.Paid != nil}
	if flow.Task != nil {
		u.Title = flow.Task.Title
	}
	return u
}

func idOrNone(id *uuid.UUID) string {
	if id == nil {
		return "none yet"
	}
	return id.String()
}
