package client

import (
	"context"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Task returns one task.
func (c *Client) Task(ctx context.Context, id uuid.UUID) (_ Task, err error) {
	defer wrap(&err, "get task %s", id)
	return answer[Task](c.api.GetTaskWithResponse(ctx, id, &gen.GetTaskParams{}))
}

// Tasks returns one page of tasks, newest first. By default these are the tasks that the agent
// posted.
func (c *Client) Tasks(ctx context.Context, q TaskQuery) (_ TaskPage, err error) {
	defer wrap(&err, "list tasks")
	return answer[TaskPage](c.api.ListTasksWithResponse(ctx, &q))
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
	return answer[BoardPage](c.api.GetBoardWithResponse(ctx, &params))
}

// AllBoard iterates over all pages of Board.
func (c *Client) AllBoard(ctx context.Context, q PageQuery) iter.Seq2[BoardTask, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]BoardTask, *string, error) {
		page, err := c.Board(ctx, q)
		return page.Tasks, page.NextCursor, err
	})
}
