package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Task returns one task.
func (c *Client) Task(ctx context.Context, id uuid.UUID) (_ Task, err error) {
	defer wrap(&err, "get task %s", id)
	return resultOf[Task](c.api.GetTaskWithResponse(ctx, id, &gen.GetTaskParams{}))
}

// Tasks returns one page of tasks, newest first. By default these are the tasks that the agent
// posted.
func (c *Client) Tasks(ctx context.Context, q TaskQuery) (_ TaskPage, err error) {
	defer wrap(&err, "list tasks")
	return resultOf[TaskPage](c.api.ListTasksWithResponse(ctx, &q))
}

// AllTasks iterates over all pages of Tasks, from the position in q.
func (c *Client) AllTasks(ctx context.Context, q TaskQuery) iter.Seq2[Task, error] {
	return each(ctx, pageQuery(q.Page, q.PageSize, q.Cursor), func(ctx context.Context, at PageQuery) ([]Task, *string, error) {
		q := q
		q.Page, q.PageSize, q.Cursor = at.Parameters()
		page, err := c.Tasks(ctx, q)
		return page.Tasks, page.NextCursor, err
	})
}

// Board returns one page of the tasks that are open for applications, newest first. It is public
// and needs no API key.
func (c *Client) Board(ctx context.Context, q PageQuery) (_ BoardPage, err error) {
	defer wrap(&err, "read the board")
	var params gen.GetBoardParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	return resultOf[BoardPage](c.api.GetBoardWithResponse(ctx, &params))
}

// AllBoard iterates over all pages of Board.
func (c *Client) AllBoard(ctx context.Context, q PageQuery) iter.Seq2[BoardTask, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]BoardTask, *string, error) {
		page, err := c.Board(ctx, q)
		return page.Tasks, page.NextCursor, err
	})
}

// Applications returns one page of the applications for the agent's task, newest first. If
// statuses are given, it returns only applications with one of them.
func (c *Client) Applications(ctx context.Context, task uuid.UUID, q PageQuery, statuses ...ApplicationStatus) (_ ApplicationPage, err error) {
	defer wrap(&err, "list applications for task %s", task)
	var params gen.ListTaskApplicationsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	if len(statuses) > 0 {
		params.Status = &statuses
	}
	return resultOf[ApplicationPage](c.api.ListTaskApplicationsWithResponse(ctx, task, &params))
}

// AllApplications iterates over all pages of Applications.
func (c *Client) AllApplications(ctx context.Context, task uuid.UUID, q PageQuery, statuses ...ApplicationStatus) iter.Seq2[Application, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Application, *string, error) {
		page, err := c.Applications(ctx, task, q, statuses...)
		return page.Applications, page.NextCursor, err
	})
}

// application returns the task's application with the ID.
func (c *Client) application(ctx context.Context, task, id uuid.UUID) (Application, error) {
	for a, err := range c.AllApplications(ctx, task, PageQuery{}) {
		if err != nil || a.ID == id {
			return a, err
		}
	}
	return Application{}, fmt.Errorf("task %s has no application %s", task, id)
}

// DisputeOf returns the dispute over a task's work.
func (c *Client) DisputeOf(ctx context.Context, task uuid.UUID) (_ DisputeRecord, err error) {
	defer wrap(&err, "get dispute of task %s", task)
	return resultOf[DisputeRecord](c.api.GetDisputeWithResponse(ctx, task))
}

// AnswerDispute responds to the human's dispute. It is possible once, within 48 hours after the
// dispute was opened. The validators read both sides.
func (c *Client) AnswerDispute(ctx context.Context, task uuid.UUID, response string) (_ DisputeRecord, err error) {
	defer wrap(&err, "answer dispute of task %s", task)
	params := gen.AnswerDisputeParams{IdempotencyKey: new(uuid.NewString())}
	return created[DisputeRecord](c.api.AnswerDisputeWithResponse(ctx, task, &params, gen.AnswerDisputeRequest{Response: response}))
}

// Verdicts returns one page of the validators' verdicts on a task's work, oldest first. Before the
// decision, the response contains only the counts.
func (c *Client) Verdicts(ctx context.Context, task uuid.UUID, q PageQuery) (_ VerdictPage, err error) {
	defer wrap(&err, "list verdicts on task %s", task)
	var params gen.ListVerdictsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	return resultOf[VerdictPage](c.api.ListVerdictsWithResponse(ctx, task, &params))
}

// AllVerdicts iterates over all pages of Verdicts.
func (c *Client) AllVerdicts(ctx context.Context, task uuid.UUID, q PageQuery) iter.Seq2[Verdict, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Verdict, *string, error) {
		page, err := c.Verdicts(ctx, task, q)
		return page.Verdicts, page.NextCursor, err
	})
}

// Next returns the actions that the agent can take on a task now or later, and what happens if
// neither side acts. Do not send a transaction from the response without checking its effect; the
// methods of this package build their own.
func (c *Client) Next(ctx context.Context, task uuid.UUID) (_ TaskNext, err error) {
	defer wrap(&err, "get the next actions of task %s", task)
	return resultOf[TaskNext](c.api.GetTaskNextWithResponse(ctx, task))
}
