package spend

import (
	"context"
	"errors"
	"slices"

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
	o.Allow = func(ctx context.Context, p client.Plan) error { return s.agree(ctx, agent, p) }
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
	return s.resumeEach(ctx, agent, flows)
}

// resumeEach resumes the operations one by one and prints their results.
func (s *Command) resumeEach(ctx context.Context, agent *client.Client, flows []client.Flow) error {
	var faults []error
	tasks, keys := []client.Task{}, []string{}
	for _, flow := range flows {
		outcome, err := agent.Resume(ctx, flow.Key)
		if err == nil && !s.JSON {
			err = s.deliver(ctx, agent, flow.Key, outcome)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		tasks, keys = append(tasks, outcome.Task), append(keys, flow.Key)
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
	for _, key := range keys {
		faults = append(faults, forget(ctx, agent, key))
	}
	return errors.Join(faults...)
}

// open returns the unfinished operations of this command.
func (s *Command) open(ctx context.Context, agent *client.Client) ([]client.Flow, error) {
	flows, err := agent.Unfinished(ctx)
	return slices.DeleteFunc(flows, func(f client.Flow) bool { return f.Action != s.Act.Action }), err
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
	u := unfinished{flow.Action, flow.TaskID, flow.ApplicationID, "", flow.Signed()}
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
