package main

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/market"
)

// unfinished is one line of the journal as --resume --dry-run lists it.
type unfinished struct {
	Action        market.Action `json:"action"`
	TaskID        *uuid.UUID    `json:"task_id"`
	ApplicationID *uuid.UUID    `json:"application_id"`
	Title         string        `json:"title,omitempty"`
	Signed        bool          `json:"signed"`
}

// resumeAll goes on with what the journal has of this kind.
func (s *spending) resumeAll(ctx context.Context) error {
	o, err := s.spendingOptions(ctx)
	if err != nil {
		return err
	}
	var agent *client.Client
	o.Review = func(ctx context.Context, p client.Plan) error {
		return s.agree(ctx, agent, "Go on with it?", p)
	}
	if agent, err = newClient(o); err != nil {
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
		s.note("nothing is unfinished")
	}
	symbol, err := s.symbol(ctx, agent)
	if err != nil {
		return err
	}
	return s.resumeEach(ctx, agent, flows, symbol)
}

// resumeEach goes on with the flows and prints what came of them.
func (s *spending) resumeEach(ctx context.Context, agent *client.Client, flows []client.Flow, symbol string) error {
	var faults []error
	tasks := []client.Task{}
	for _, flow := range flows {
		outcome, err := agent.Resume(ctx, flow)
		if err == nil && !s.json {
			if err = s.printFields(s.came(outcome, symbol).fields...); err == nil {
				err = agent.Delivered(ctx, outcome.Task.ID)
			}
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		tasks = append(tasks, outcome.Task)
	}
	if !s.json {
		return errors.Join(faults...)
	}
	result := map[string]any{"tasks": tasks}
	if len(faults) > 0 {
		result["errors"] = s.documentsOf(ctx, faults)
	}
	if err := s.printJSON(result); err != nil {
		return errors.Join(append(faults, err)...)
	}
	for _, task := range tasks {
		faults = append(faults, agent.Delivered(ctx, task.ID))
	}
	return errors.Join(faults...)
}

// came is what resuming came to.
func (s *spending) came(outcome client.Outcome, symbol string) record {
	if s.action == market.ActionFund {
		return posted(outcome.Task, symbol)
	}
	return outcomeOf(outcome, symbol)
}

// open returns the unfinished flows of this kind. A payment whose journal is
// lost counts as one.
func (s *spending) open(ctx context.Context, agent *client.Client) ([]client.Flow, error) {
	all, err := agent.Unfinished(ctx)
	if err != nil {
		return nil, err
	}
	var flows []client.Flow
	known := map[uuid.UUID]bool{}
	for _, flow := range all {
		if flow.Action == s.action {
			flows = append(flows, flow)
			if flow.TaskID != nil {
				known[*flow.TaskID] = true
			}
		}
	}
	if s.action != market.ActionFund {
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

func (s *spending) printUnfinished(flows []client.Flow) error {
	list := make([]unfinished, 0, len(flows))
	for _, flow := range flows {
		list = append(list, unfinishedOf(flow))
	}
	if s.json {
		return s.printJSON(map[string]any{"unfinished": list})
	}
	if len(list) == 0 {
		s.note("nothing is unfinished")
		return nil
	}
	return s.printTable(unfinishedHeading, rowsOf(list))
}

var unfinishedHeading = []string{"TO DO", "TASK", "SIGNED", "TITLE"}

func rowsOf(list []unfinished) [][]string {
	var rows [][]string
	for _, u := range list {
		rows = append(rows, []string{acts[u.Action], idOrNone(u.TaskID), yesNo(u.Signed), u.Title})
	}
	return rows
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
