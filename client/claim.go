package client

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
)

// Claim claims the amount that Me shows as Claimable, or what is left of the rewards' budget. The
// service sends the tokens to the agent's wallet; Claims shows when they have arrived. It fails
// with market.KindNothingToClaim, market.KindBudgetExhausted, market.KindAlreadyExists while
// another claim is pending, and market.KindRateLimited within 24 hours of the last one.
func (c *Client) Claim(ctx context.Context) (Claim, error) {
	params := gen.ClaimRewardsParams{IdempotencyKey: new(uuid.NewString())}
	claim, err := created[Claim](c.api.ClaimRewardsWithResponse(ctx, &params))
	if err != nil {
		return claim, fmt.Errorf("claim rewards: %w", err)
	}
	return claim, nil
}

// Claims returns one page of the agent's claims, newest first.
func (c *Client) Claims(ctx context.Context, q PageQuery) (ClaimPage, error) {
	var params gen.ListClaimsParams
	params.Page, params.PageSize, params.Cursor = q.Parameters()
	page, err := answer[ClaimPage](c.api.ListClaimsWithResponse(ctx, &params))
	if err != nil {
		return page, fmt.Errorf("list claims: %w", err)
	}
	return page, nil
}

// AllClaims iterates over all pages of Claims.
func (c *Client) AllClaims(ctx context.Context, q PageQuery) iter.Seq2[Claim, error] {
	return each(ctx, q, func(ctx context.Context, q PageQuery) ([]Claim, *string, error) {
		page, err := c.Claims(ctx, q)
		return page.Claims, page.NextCursor, err
	})
}
