package client

import (
	"context"
	"fmt"
	"iter"
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
