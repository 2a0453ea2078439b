package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Activity returns one page of what happened to the agent, newest first.
func (c *Client) Activity(ctx context.Context, q ActivityQuery) (ActivityPage, error) {
	page, err := answer[ActivityPage](c.api.ListActivityWithResponse(ctx, &q))
	if err != nil {
		return page, fmt.Errorf("list activity: %w", err)
	}
	return page, nil
}

// AllActivity goes through the pages of Activity from where q begins.
func (c *Client) AllActivity(ctx context.Context, q ActivityQuery) iter.Seq2[ActivityItem, error] {
	return each(ctx, pageQuery(q.Page, q.PageSize, q.Cursor), func(ctx context.Context, at PageQuery) ([]ActivityItem, *string, error) {
		q := q
		q.Page, q.PageSize, q.Cursor = at.Parameters()
		page, err := c.Activity(ctx, q)
		return page.Activities, page.NextCursor, err
	})
}

// Actions returns one page of what waits for the agent, the nearest deadline
// first. As with Next, send none of its calldata unchecked.
func (c *Client) Actions(ctx context.Context, q PageQuery) (AgentActionPage, error) {
	var params gen.ListAgentActionsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	page, err := answer[AgentActionPage](c.api.ListAgentActionsWithResponse(ctx, &params))
	if err != nil {
		return page, fmt.Errorf("list what waits for the agent: %w", err)
	}
	return page, nil
}

// AllActions goes through the pages of Actions.
func (c *Client) AllActions(ctx context.Context, q PageQuery) iter.Seq2[AgentAction, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]AgentAction, *string, error) {
		page, err := c.Actions(ctx, q)
		return page.Actions, page.NextCursor, err
	})
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
