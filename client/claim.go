package client

import (
	"context"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

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
	return answer[ClaimPage](c.api.ListClaimsWithResponse(ctx, &params))
}

// AllClaims iterates over all pages of Claims.
func (c *Client) AllClaims(ctx context.Context, q PageQuery) iter.Seq2[Claim, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Claim, *string, error) {
		page, err := c.Claims(ctx, q)
		return page.Claims, page.NextCursor, err
	})
}
