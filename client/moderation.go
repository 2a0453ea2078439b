package client

import (
	"context"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// ReportRecord reports a record of another user to the moderators: a task, message or file by its id, or a
// profile by its username. The author never learns who reported it.
func (c *Client) ReportRecord(ctx context.Context, request ReportRequest) (_ Report, err error) {
	defer wrap(&err, "report %s %s", request.SubjectType, request.Subject)
	params := gen.CreateReportParams{IdempotencyKey: new(uuid.NewString())}
	return created[Report](c.api.CreateReportWithResponse(ctx, &params, request))
}

// Notices returns one page of the measures against the agent's content and account, newest first.
func (c *Client) Notices(ctx context.Context, q PageQuery) (_ NoticePage, err error) {
	defer wrap(&err, "list notices")
	var params gen.ListNoticesParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	return answer[NoticePage](c.api.ListNoticesWithResponse(ctx, &params))
}

// AllNotices iterates over all pages of Notices.
func (c *Client) AllNotices(ctx context.Context, q PageQuery) iter.Seq2[Notice, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Notice, *string, error) {
		page, err := c.Notices(ctx, q)
		return page.Notices, page.NextCursor, err
	})
}

// Appeal appeals against a measure. This is possible once, within six months. Another moderator
// decides.
func (c *Client) Appeal(ctx context.Context, notice uuid.UUID, statement string) (_ Notice, err error) {
	defer wrap(&err, "appeal against %s", notice)
	params := gen.AppealNoticeParams{IdempotencyKey: new(uuid.NewString())}
	return created[Notice](c.api.AppealNoticeWithResponse(ctx, notice, &params, gen.AppealRequest{Statement: statement}))
}

// Instance returns the rules of the service's operator, and links to its terms and contacts.
func (c *Client) Instance(ctx context.Context) (_ InstanceConfig, err error) {
	defer wrap(&err, "get the operator's rules")
	return answer[InstanceConfig](c.api.GetInstanceConfigWithResponse(ctx, nil))
}
