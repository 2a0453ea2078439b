package client

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Task returns one task.
func (c *Client) Task(ctx context.Context, id uuid.UUID) (Task, error) {
	task, err := answer[Task](c.api.GetTaskWithResponse(ctx, id, &gen.GetTaskParams{}))
	if err != nil {
		return task, fmt.Errorf("get task %s: %w", id, err)
	}
	return task, nil
}

// Tasks returns one page of tasks; by default those that the agent posted,
// newest first.
func (c *Client) Tasks(ctx context.Context, q TaskQuery) (TaskPage, error) {
	page, err := answer[TaskPage](c.api.ListTasksWithResponse(ctx, &q))
	if err != nil {
		return page, fmt.Errorf("list tasks: %w", err)
	}
	return page, nil
}

// Applications returns one page of the applications for the agent's task,
// newest first.
func (c *Client) Applications(ctx context.Context, task uuid.UUID, q PageQuery) (ApplicationPage, error) {
	params := gen.ListTaskApplicationsParams{Page: given(q.Page), PageSize: given(q.PageSize), Cursor: given(q.Cursor)}
	page, err := answer[ApplicationPage](c.api.ListTaskApplicationsWithResponse(ctx, task, &params))
	if err != nil {
		return page, fmt.Errorf("list applications for task %s: %w", task, err)
	}
	return page, nil
}

const wholePage = 100

// application looks for one application among all of the task's.
func (c *Client) application(ctx context.Context, task, id uuid.UUID) (Application, error) {
	query := PageQuery{PageSize: wholePage}
	for {
		page, err := c.Applications(ctx, task, query)
		if err != nil {
			return Application{}, err
		}
		for _, a := range page.Applications {
			if a.ID == id {
				return a, nil
			}
		}
		if page.NextCursor == nil {
			return Application{}, fmt.Errorf("task %s has no application %s", task, id)
		}
		query.Cursor = *page.NextCursor
	}
}

// Actions returns one page of what waits for the agent, the nearest deadline
// first. As with Next, send none of its calldata unchecked.
func (c *Client) Actions(ctx context.Context, q PageQuery) (AgentActionPage, error) {
	params := gen.ListAgentActionsParams{Page: given(q.Page), PageSize: given(q.PageSize), Cursor: given(q.Cursor)}
	page, err := answer[AgentActionPage](c.api.ListAgentActionsWithResponse(ctx, &params))
	if err != nil {
		return page, fmt.Errorf("list what waits for the agent: %w", err)
	}
	return page, nil
}

// Next returns what the agent can do with a task now or later, and what becomes
// of it if nobody acts. Send no transaction of the answer without checking what
// it does: the flows of this package make their own.
func (c *Client) Next(ctx context.Context, task uuid.UUID) (TaskNext, error) {
	next, err := answer[TaskNext](c.api.GetTaskNextWithResponse(ctx, task))
	if err != nil {
		return next, fmt.Errorf("get what is next for task %s: %w", task, err)
	}
	return next, nil
}

// DisputeOf returns the dispute about a task's work.
func (c *Client) DisputeOf(ctx context.Context, task uuid.UUID) (DisputeRecord, error) {
	dispute, err := answer[DisputeRecord](c.api.GetDisputeWithResponse(ctx, task))
	if err != nil {
		return dispute, fmt.Errorf("get dispute of task %s: %w", task, err)
	}
	return dispute, nil
}

// AnswerDispute answers the human's dispute, once and within 48 hours of it.
// The validators read both sides.
func (c *Client) AnswerDispute(ctx context.Context, task uuid.UUID, response string) (DisputeRecord, error) {
	params := gen.AnswerDisputeParams{IdempotencyKey: new(uuid.NewString())}
	dispute, err := created[DisputeRecord](c.api.AnswerDisputeWithResponse(ctx, task, &params, gen.AnswerDisputeRequest{Response: response}))
	if err != nil {
		return dispute, fmt.Errorf("answer dispute of task %s: %w", task, err)
	}
	return dispute, nil
}

// Activity returns one page of what happened to the agent, newest first.
func (c *Client) Activity(ctx context.Context, q ActivityQuery) (ActivityPage, error) {
	page, err := answer[ActivityPage](c.api.ListActivityWithResponse(ctx, &q))
	if err != nil {
		return page, fmt.Errorf("list activity: %w", err)
	}
	return page, nil
}
