package server

import (
	"context"
	"crypto/sha256"
	"math/big"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/social"
	"taskmarket/store"
)

// agentsHandler handles the operations with the tag "agents".
type agentsHandler struct {
	*accounts
	*contracts
	*signatures

	store    *store.Store
	balances *balances
	rewards  *Rewards // nil if this service pays no rewards
	now      func() time.Time
}

// GetAgentMe returns the calling agent's record with live balances.
func (h *agentsHandler) GetAgentMe(ctx context.Context, request api.GetAgentMeRequestObject) (api.GetAgentMeResponseObject, error) {
	agent, err := h.store.Agent(ctx, gate.PrincipalOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	if agent, err = h.withCode(ctx, agent, request.Params.Handle); err != nil {
		return nil, err
	}
	earned, err := h.earnings(ctx, agent.ID)
	if err != nil {
		return nil, err
	}
	tokens, gas, err := h.balances.of(ctx, agent.Wallet)
	if err != nil {
		return nil, err
	}
	return api.GetAgentMe200JSONResponse{Body: toAPIAgentAccount(agent, tokens, gas, earned)}, nil
}

func toAPIAgentAccount(a market.Agent, tokens, gas *big.Int, earned earnings) api.AgentAccount {
	account := api.AgentAccount{
		ID: a.ID, Username: a.Username, UsernameChanged: a.UsernameChanged, IsAvailable: false, DisplayName: a.Name, Bio: a.Bio, WalletAddress: a.Wallet.Hex(),
		IsVerified: a.Link != nil, IsXVerified: a.Link != nil && a.Link.Network == social.XHost, VerificationCode: optional(a.VerificationCode), VerificationHandle: optional(a.CodeAccount),
		Balance: tokens.String(), GasBalance: gas.String(),
		Karma: earned.karma, Claimable: earned.claimable.String(), LastClaimAt: market.OptionalTime(earned.rewards.LastAt),
		Readiness: readiness(a, tokens, gas), APIKeyPrefix: a.APIKeyPrefix, CreatedAt: market.TimeOf(a.CreatedAt),
	}
	if a.Link != nil {
		account.Network, account.Handle = &a.Link.Network, &a.Link.Handle
	}
	return account
}

// readiness lists the conditions that the agent must still meet to fund a task.
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

// ChangeAgentUsername changes the calling agent's username. An agent can do this once.
func (h *agentsHandler) ChangeAgentUsername(ctx context.Context, request api.ChangeAgentUsernameRequestObject) (api.ChangeAgentUsernameResponseObject, error) {
	if err := market.CheckUsername(request.Body.Username); err != nil {
		return nil, err
	}
	agent, err := h.store.ChangeAgentUsername(ctx, gate.PrincipalOf(ctx).ID, request.Body.Username)
	if err != nil {
		return nil, err
	}
	h.screenText(ctx, writing{record: agent.ID, title: "profile", texts: []string{agent.Username}})
	return api.ChangeAgentUsername200JSONResponse{Body: api.AgentUsername{
		AgentID: agent.ID, Username: agent.Username, UsernameChanged: agent.UsernameChanged,
	}}, nil
}

// RotateAPIKey replaces the key that authenticated the request.
func (h *agentsHandler) RotateAPIKey(ctx context.Context, _ api.RotateAPIKeyRequestObject) (api.RotateAPIKeyResponseObject, error) {
	who := gate.CallerOf(ctx)
	key, fresh := freshKey()
	at, err := h.store.RotateKey(ctx, who.Principal.ID, who.Credential, fresh)
	if err != nil {
		return nil, err
	}
	return api.RotateAPIKey200JSONResponse{Body: toAPIKeyReplacement(key, at)}, nil
}

// RecoverAPIKey works in two steps. It first returns a challenge for the wallet to sign, whether or
// not an agent has that wallet. When the same body arrives with the signature, it replaces the
// agent's key.
func (h *agentsHandler) RecoverAPIKey(ctx context.Context, request api.RecoverAPIKeyRequestObject) (api.RecoverAPIKeyResponseObject, error) {
	wallet, err := market.ParseAddress("wallet_address", request.Body.WalletAddress)
	if err != nil {
		return nil, err
	}
	challenge, signature := request.Body.Challenge, request.Body.Signature
	signed, err := secondStep(challenge, signature)
	if err != nil {
		return nil, err
	}
	if !signed {
		return nil, h.askToSign(ctx, "Task Market: recover an API key", store.Challenge{Purpose: store.PurposeRecover, Wallet: wallet})
	}
	if err := h.checkMessage(ctx, store.Challenge{Purpose: store.PurposeRecover, Wallet: wallet}, *challenge, *signature); err != nil {
		return nil, charged(ctx, err)
	}
	key, fresh := freshKey()
	at, err := h.store.RecoverKey(ctx, wallet, sha256.Sum256([]byte(*challenge)), fresh)
	if err != nil {
		return nil, charged(ctx, err)
	}
	return api.RecoverAPIKey200JSONResponse{Body: toAPIKeyReplacement(key, at)}, nil
}

// freshKey generates an API key and its database record.
func freshKey() (string, store.Key) {
	key := gate.NewAPIKey()
	return key, store.Key{Hash: sha256.Sum256([]byte(key)), Prefix: key[:gate.KeyPrefixShown]}
}

func toAPIKeyReplacement(key string, at time.Time) api.APIKeyReplacement {
	return api.APIKeyReplacement{APIKey: key, RotatedAt: market.TimeOf(at)}
}
