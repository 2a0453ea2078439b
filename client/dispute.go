package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// DisputeOf returns the dispute about a task's work.
func (c *Client) DisputeOf(ctx context.Context, task uuid.UUID) (DisputeRecord, error) {
	dispute, err := answer[DisputeRecord](c.api.GetDisputeWithResponse(ctx, task))
	if err != nil {
		return dispute, fmt.Errorf("get dispute of task %s: %w", task, err)
	}
	return dispute, nil
}

// AnswerDispute answers the human's dispute, once, within 48 hours of it. The validators read both
// sides.
func (c *Client) AnswerDispute(ctx context.Context, task uuid.UUID, response string) (DisputeRecord, error) {
	params := gen.AnswerDisputeParams{IdempotencyKey: new(uuid.NewString())}
	dispute, err := created[DisputeRecord](c.api.AnswerDisputeWithResponse(ctx, task, &params, gen.AnswerDisputeRequest{Response: response}))
	if err != nil {
		return dispute, fmt.Errorf("answer dispute of task %s: %w", task, err)
	}
	return dispute, nil
}

// Verdicts returns one page of the validators' verdicts on a task's work, the earliest first.
// Before the decision the response contains only their count.
func (c *Client) Verdicts(ctx context.Context, task uuid.UUID, q PageQuery) (VerdictPage, error) {
	var params gen.ListVerdictsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	page, err := answer[VerdictPage](c.api.ListVerdictsWithResponse(ctx, task, &params))
	if err != nil {
		return page, fmt.Errorf("list verdicts on task %s: %w", task, err)
	}
	return page, nil
}

// AllVerdicts iterates over all pages of Verdicts.
func (c *Client) AllVerdicts(ctx context.Context, task uuid.UUID, q PageQuery) iter.Seq2[Verdict, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Verdict, *string, error) {
		page, err := c.Verdicts(ctx, task, q)
		return page.Verdicts, page.NextCursor, err
	})
}
