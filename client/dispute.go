package client

import (
	"context"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// DisputeOf returns the dispute over a task's work.
func (c *Client) DisputeOf(ctx context.Context, task uuid.UUID) (_ DisputeRecord, err error) {
	defer wrap(&err, "get dispute of task %s", task)
	return answer[DisputeRecord](c.api.GetDisputeWithResponse(ctx, task))
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
	return answer[VerdictPage](c.api.ListVerdictsWithResponse(ctx, task, &params))
}

// AllVerdicts iterates over all pages of Verdicts.
func (c *Client) AllVerdicts(ctx context.Context, task uuid.UUID, q PageQuery) iter.Seq2[Verdict, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Verdict, *string, error) {
		page, err := c.Verdicts(ctx, task, q)
		return page.Verdicts, page.NextCursor, err
	})
}
