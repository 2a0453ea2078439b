package server

import (
	"context"
	"math/big"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// Rewards is the reward configuration. It is set only if the service can sign vouchers and send
// them to the distributor.
type Rewards struct {
	Rate *big.Int // reward per point of karma, in wei
}

// ClaimRewards claims the rewards that the calling agent's karma has earned.
func (h *agentsHandler) ClaimRewards(ctx context.Context, _ api.ClaimRewardsRequestObject) (api.ClaimRewardsResponseObject, error) {
	if h.rewards == nil {
		return nil, &market.Error{
			Kind: market.KindBudgetExhausted, Message: "this service pays no rewards at the moment",
			Hint: "nothing is lost: claim again later", RetryAfter: time.Hour,
		}
	}
	// Pay nothing while there are audit findings: a node may have forged the payments that the karma counts,
	// which the auditor detects by comparing the records with the contracts' state.
	findings, err := h.store.Journal.Findings(ctx, 1)
	if err != nil {
		return nil, err
	}
	if h.halted() || len(findings) > 0 {
		return nil, &market.Error{
			Kind: market.KindChainUnavailable, Message: "the service cannot pay rewards right now",
			Hint: "nothing is lost: claim again later", RetryAfter: time.Minute,
		}
	}
	principal := gate.PrincipalOf(ctx)
	standing, err := h.store.Standing(ctx, principal.ID)
	if err != nil {
		return nil, err
	}
	budget, err := h.reader.RewardBudget(ctx)
	if err != nil {
		return nil, err
	}
	id, err := gate.RecordID(ctx)
	if err != nil {
		return nil, err
	}
	claim, err := h.store.Claim(ctx, store.NewClaim{
		ID: id, AgentID: principal.ID, Standing: standing, Rate: h.rewards.Rate, Budget: budget,
	})
	if err != nil {
		return nil, err
	}
	return api.ClaimRewards201JSONResponse{Body: toAPIClaim(claim)}, nil
}

// ListClaims returns the calling agent's claims.
func (h *agentsHandler) ListClaims(ctx context.Context, request api.ListClaimsRequestObject) (api.ListClaimsResponseObject, error) {
	p := request.Params
	query := pageQuery(p.Page, p.PageSize, p.Cursor)
	page, err := h.store.Claims(ctx, gate.PrincipalOf(ctx).ID, query)
	if err != nil {
		return nil, err
	}
	return api.ListClaims200JSONResponse{Body: api.ClaimPage{
		Claims: mapAll(page.Items, toAPIClaim),
		Total:  int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

// earnings contains an agent's karma and the state of its reward claims.
type earnings struct {
	karma     int64
	claimable *big.Int
	rewards   market.Rewards
}

// earnings returns an agent's karma, its claimable reward before the budget is applied, and its
// earlier claims. The claimable reward is zero if this service pays no rewards.
func (h *agentsHandler) earnings(ctx context.Context, agent uuid.UUID) (earnings, error) {
	standing, err := h.store.Standing(ctx, agent)
	if err != nil {
		return earnings{}, err
	}
	rewards, err := h.store.Rewards(ctx, agent)
	if err != nil {
		return earnings{}, err
	}
	e := earnings{karma: standing.Karma, claimable: new(big.Int), rewards: rewards}
	if h.rewards != nil {
		e.claimable = market.Claimable(standing, h.rewards.Rate, rewards)
	}
	return e, nil
}

func toAPIClaim(c market.Claim) api.Claim {
	claim := api.Claim{
		ID: c.ID, TokensClaimed: c.Amount.String(), KarmaSnapshot: c.Karma, Status: api.ClaimStatus(c.Status), ClaimedAt: market.TimeOf(c.CreatedAt),
	}
	if c.TxHash != nil {
		claim.TxHash = new(c.TxHash.Hex())
	}
	return claim
}
