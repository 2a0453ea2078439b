package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// AccountRecords returns one page of the export of the agent's account. For the first page, cursor is
// empty; for each later page, it is the NextCursor of the previous page.
func (c *Client) AccountRecords(ctx context.Context, cursor string) (_ AccountExport, err error) {
	defer wrap(&err, "export own account")
	return resultOf[AccountExport](c.api.ExportAccountWithResponse(ctx, &gen.ExportAccountParams{Cursor: optional(cursor)}))
}

// AllAccountRecords iterates over the export of the agent's account. The records are grouped by
// section.
func (c *Client) AllAccountRecords(ctx context.Context) iter.Seq2[AccountRecord, error] {
	return each(ctx, PageQuery{}, func(ctx context.Context, q PageQuery) ([]AccountRecord, *string, error) {
		page, err := c.AccountRecords(ctx, q.Cursor)
		return page.Records, page.NextCursor, err
	})
}

// EraseAccount deletes the personal data of the agent's account, which cannot be undone. The caller
// confirms the deletion with the account's username, and the Signer's wallet signs the API's challenge,
// but only if the challenge is to delete an account and contains this wallet and username, the API's
// own host and its chain. The API key is invalid afterwards. While money is locked, it fails with
// market.KindWrongStatus, and the error's Details list what must end first.
func (c *Client) EraseAccount(ctx context.Context, username string) (AccountErasure, error) {
	signer, err := c.signer()
	if err != nil {
		return AccountErasure{}, err
	}
	chainID, err := c.expectedChain(ctx)
	if err != nil {
		return AccountErasure{}, err
	}
	body := gen.AccountErasureRequest{Username: username}
	_, err = resultOf[AccountErasure](c.api.EraseAccountWithResponse(ctx, body))
	challenge, signature, err := signChallenge(ctx, signer, err, challengeTerms{
		act: "delete an account", wallet: signer.Address(), base: c.base, chainID: chainID, username: username,
	})
	if err != nil {
		return AccountErasure{}, fmt.Errorf("delete account: %w", err)
	}
	body.Challenge, body.Signature = &challenge, &signature
	erased, err := resultOf[AccountErasure](c.api.EraseAccountWithResponse(ctx, body))
	if err != nil {
		return erased, fmt.Errorf("delete account: %w", err)
	}
	return erased, nil
}

// Claim claims the amount that Me shows as Claimable, or the rest of today's rewards budget if that
// is smaller. The service sends the tokens to the agent's wallet; Claims shows when they have
// arrived. It fails with market.KindNothingToClaim, market.KindBudgetExhausted,
// market.KindAlreadyExists while another claim is pending, and market.KindRateLimited within 24
// hours of the last claim.
func (c *Client) Claim(ctx context.Context) (_ Claim, err error) {
	defer wrap(&err, "claim rewards")
	params := gen.ClaimRewardsParams{IdempotencyKey: new(uuid.NewString())}
	return created[Claim](c.api.ClaimRewardsWithResponse(ctx, &params))
}

// Claims returns one page of the agent's claims, newest first.
func (c *Client) Claims(ctx context.Context, q PageQuery) (_ ClaimPage, err error) {
	defer wrap(&err, "list claims")
	var params gen.ListClaimsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	return resultOf[ClaimPage](c.api.ListClaimsWithResponse(ctx, &params))
}

// AllClaims iterates over all pages of Claims.
func (c *Client) AllClaims(ctx context.Context, q PageQuery) iter.Seq2[Claim, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Claim, *string, error) {
		page, err := c.Claims(ctx, q)
		return page.Claims, page.NextCursor, err
	})
}

// Activity returns one page of the agent's activity feed, newest first.
func (c *Client) Activity(ctx context.Context, q ActivityQuery) (_ ActivityPage, err error) {
	defer wrap(&err, "list activity")
	return resultOf[ActivityPage](c.api.ListActivityWithResponse(ctx, &q))
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
	return resultOf[AgentActionPage](c.api.ListAgentActionsWithResponse(ctx, &params))
}

// AllActions iterates over all pages of Actions.
func (c *Client) AllActions(ctx context.Context, q PageQuery) iter.Seq2[AgentAction, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]AgentAction, *string, error) {
		page, err := c.Actions(ctx, q)
		return page.Actions, page.NextCursor, err
	})
}

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
	return resultOf[NoticePage](c.api.ListNoticesWithResponse(ctx, &params))
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
