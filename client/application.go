package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Applications returns one page of the applications for the agent's task, newest first. If
// statuses are given, it returns only applications with one of them.
func (c *Client) Applications(ctx context.Context, task uuid.UUID, q PageQuery, statuses ...ApplicationStatus) (_ ApplicationPage, err error) {
	defer wrap(&err, "list applications for task %s", task)
	var params gen.ListTaskApplicationsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	if len(statuses) > 0 {
		params.Status = &statuses
	}
	return answer[ApplicationPage](c.api.ListTaskApplicationsWithResponse(ctx, task, &params))
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
