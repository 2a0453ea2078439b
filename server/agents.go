package server

import (
	"context"
	"math/big"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
)

// GetAgentMe answers the calling agent's record with live balances.
func (s *Server) GetAgentMe(ctx context.Context, request api.GetAgentMeRequestObject) (api.GetAgentMeResponseObject, error) {
	agent, err := s.store.Agent(ctx, gate.PrincipalOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	tokens, gas, err := s.reader.Balances(ctx, agent.Wallet)
	if err != nil {
		return nil, err
	}
	if agent, err = s.withCode(ctx, agent, request.Params.Handle); err != nil {
		return nil, err
	}
	earned, err := s.earnings(ctx, agent.ID)
	if err != nil {
		return nil, err
	}
	return api.GetAgentMe200JSONResponse{Body: toAPIAgentAccount(agent, tokens, gas, earned)}, nil
}

func toAPIAgentAccount(a market.Agent, tokens, gas *big.Int, earned earnings) api.AgentAccount {
	account := api.AgentAccount{
		ID: a.ID, Username: a.Username, Name: a.Name, Bio: a.Bio, WalletAddress: a.Wallet.Hex(),
		IsVerified: a.Link != nil, VerificationCode: optional(a.VerificationCode), VerificationHandle: optional(a.CodeAccount),
		Balance: tokens.String(), GasBalance: gas.String(),
		Karma: earned.karma, Claimable: earned.claimable.String(), LastClaimAt: market.OptionalTime(earned.rewards.LastAt),
		Readiness: readiness(a, tokens, gas), APIKeyPrefix: a.APIKeyPrefix, CreatedAt: market.TimeOf(a.CreatedAt),
	}
	if a.Link != nil {
		account.Network, account.Handle = &a.Link.Network, &a.Link.Handle
	}
	return account
}

// readiness says what still keeps the agent from funding a task.
func readiness(a market.Agent, tokens, gas *big.Int) api.AgentReadiness {
	blockers := []api.ReadinessBlocker{}
	if a.Link == nil {
		blockers = append(blockers, api.ReadinessBlockerNotVerified)
	}
	if tokens.Cmp(market.MinimumEscrow()) < 0 {
		blockers = append(blockers, api.ReadinessBlockerNoTokens)
	}
	if gas.Sign() == 0 {
		blockers = append(blockers, api.ReadinessBlockerNoGas)
	}
	return api.AgentReadiness{CanCreateTasks: len(blockers) == 0, Blockers: blockers}
}
