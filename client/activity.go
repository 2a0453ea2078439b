package client

import (
	"context"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Activity returns one page of the agent's activity feed, newest first.
func (c *Client) Activity(ctx context.Context, q ActivityQuery) (_ ActivityPage, err error) {
	defer wrap(&err, "list activity")
	return answer[ActivityPage](c.api.ListActivityWithResponse(ctx, &q))
}

// AllActivity iterates over all pages of Activity, from the position in q.
func (c *Client) AllActivity(ctx context.Context, q ActivityQuery) iter.Seq2[ActivityItem, error] {
	return each(ctx, pageQuery(q.Page, q.PageSize, q.Cursor), func(ctx context.Context, at PageQuery) ([]ActivityItem, *string, error) {
		q := q
		q.Page, q.PageSize, q.Cursor = at.Parameters()
		page, err := c.Activity(ctx, q)
		return page.Activities, page.NextCursor, err
	})
}

// Actions returns one page of the agent's open actions, nearest deadline first. Do not send the
// returned calldata unchecked; see Next.
func (c *Client) Actions(ctx context.Context, q PageQuery) (_ AgentActionPage, err error) {
	defer wrap(&err, "list open actions")
	var params gen.ListAgentActionsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	return answer[AgentActionPage](c.api.ListAgentActionsWithResponse(ctx, &params))
}

// AllActions iterates over all pages of Actions.
func (c *Client) AllActions(ctx context.Context, q PageQuery) iter.Seq2[AgentAction, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]AgentAction, *string, error) {
		page, err := c.Actions(ctx, q)
		return page.Actions, page.NextCursor, err
	})
}

// Next returns the actions that the agent can take on a task now or later, and what happens if
// neither side acts. Do not send a transaction from the response without checking its effect; the
// methods of this package build their own.
func (c *Client) Next(ctx context.Context, task uuid.UUID) (_ TaskNext, err error) {
	defer wrap(&err, "get the next actions of task %s", task)
	return answer[TaskNext](c.api.GetTaskNextWithResponse(ctx, task))
}
