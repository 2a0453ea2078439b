package server

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

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
	caller := gate.CallerOf(ctx)
	key, fresh := freshKey()
	at, err := h.store.RotateKey(ctx, caller.Principal.ID, caller.Credential, fresh)
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

// ListAgentActions returns the pending actions of the calling agent.
func (h *agentsHandler) ListAgentActions(ctx context.Context, request api.ListAgentActionsRequestObject) (api.ListAgentActionsResponseObject, error) {
	p := request.Params
	query := pageQuery(p.Page, p.PageSize, p.Cursor)
	page, err := h.store.AgentActions(ctx, gate.PrincipalOf(ctx).ID, query)
	if err != nil {
		return nil, err
	}
	return api.ListAgentActions200JSONResponse{Body: api.AgentActionPage{
		Actions: mapAll(page.Items, h.toAPIAgentAction),
		Total:   int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func (h *agentsHandler) toAPIAgentAction(c store.AgentAction) api.AgentAction {
	title, details := agentActionTexts(c)
	out := api.AgentAction{
		ActionID: uuid.NewSHA1(c.ID, []byte(c.Kind)), ActionType: api.AgentActionKind(c.Kind),
		TaskID: c.TaskID, TaskTitle: optional(c.TaskTitle), Title: title, Details: details,
		Deadline: market.OptionalTime(c.Deadline), CreatedAt: market.TimeOf(c.CreatedAt),
	}
	// A posting that funds no task can be cancelled at once. If a reorganisation changed its number, the call
	// would fail, or return the amount of another of the agent's postings.
	lies := market.Task{ChainID: c.EscrowTask.ChainID, EscrowAddress: c.EscrowTask.Escrow, Finality: c.Finality}
	if c.Kind == store.AgentActionCancelPosting {
		lies.Finality = market.FinalityFinal
	}
	cancels := c.Kind == store.AgentActionCancelExpiredTask || c.Kind == store.AgentActionCancelPosting
	if cancels && h.checkFinality(lies) == nil {
		call := h.calls.CancelTask(c.EscrowTask.Escrow, c.EscrowTask.ID)
		out.Calldata = &api.NextTransaction{
			To: call.To.Hex(), ChainID: signed(c.EscrowTask.ChainID), Value: noValue, Data: hexutil.Encode(call.Data),
		}
	}
	return out
}

// agentActionTexts returns the title and the instructions for a pending action. They contain no
// text written by users.
func agentActionTexts(c store.AgentAction) (title, details string) {
	task := ""
	if c.TaskID != nil {
		task = gate.BasePath + "/tasks/" + c.TaskID.String()
	}
	switch c.Kind {
	case store.AgentActionReviewApplication:
		application := task + "/applications/" + c.ApplicationID.String()
		return "Review an application", fmt.Sprintf(
			"The application has a locked stake and can be accepted until the deadline. Assign the task with POST %s/accept, or forfeit the stake with POST %s/reject. Nothing happens until you send the call that the response contains.",
			application, application)
	case store.AgentActionReviewSubmission:
		return "Review a submission", fmt.Sprintf(
			"Approve the work with POST %s/approve or dispute it with POST %s/dispute before the deadline. After the deadline, validators review the work.", task, task)
	case store.AgentActionAnswerDispute:
		return "Answer a dispute", fmt.Sprintf(
			"The human disputes the task. Respond with POST %s/dispute/response before the deadline.", task)
	case store.AgentActionCancelExpiredTask:
		return "Cancel an expired task", fmt.Sprintf(
			"The deadline has passed and the amount is still locked. Send the calldata, or get it from POST %s/cancel, to get the amount back. Until you do, an assigned human can still submit work.", task)
	case store.AgentActionLeaveReview:
		return "Leave a review", fmt.Sprintf("The task has ended. Review the human with POST %s/reviews; the review is public.", task)
	case store.AgentActionCancelPosting:
		return "Cancel a posting that funds no task", postingDetails(c, task)
	}
	return "", ""
}

// postingDetails returns the instructions for a posting that is not linked to a task. They depend
// on whether the posting contains the terms hash of one of the agent's tasks.
func postingDetails(c store.AgentAction, task string) string {
	if c.TaskID != nil {
		return fmt.Sprintf("Escrow task %d contains the terms hash of the task at %s/, but does not fund that task: another posting funds it, or the amount or fee differs. Send the calldata to get the locked amount back.",
			c.EscrowTask.ID, task)
	}
	return fmt.Sprintf("Escrow task %d locks an amount for no task of this service. If it was meant for one of your new tasks, link it with POST %s/tasks/{id}/confirm-create; otherwise send the calldata to get the amount back.",
		c.EscrowTask.ID, gate.BasePath)
}

const (
	// freshBalance is how long a balance is reused. It is shorter than the block time.
	freshBalance = time.Second
	// maxBalances limits the memory that balances use.
	maxBalances = 10_000
	// balanceTimeout limits a read, with all attempts: GET /agents/me must not wait longer for the node.
	balanceTimeout = 5 * time.Second
)

// balances reads the balances of wallets. All requests within freshBalance share one successful read per
// wallet, until the service sees a new block. Nothing is reused while the head is unknown.
type balances struct {
	reader Reader
	head   func() (market.Block, error)

	mu     sync.Mutex
	block  common.Hash // head for which the entries were read
	cached map[common.Address]*balance
}

// balance is the result of a read. token, gas and err are set before done is closed.
type balance struct {
	since      time.Time
	done       chan struct{}
	token, gas *big.Int
	err        error
}

func newBalances(reader Reader, head func() (market.Block, error)) *balances {
	return &balances{reader: reader, head: head, cached: map[common.Address]*balance{}}
}

// of returns the wallet's balances of platform tokens and native coin, in wei.
func (b *balances) of(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error) {
	read, first := b.entry(wallet)
	if first {
		// Other requests can wait for this read, so it continues if this request is cancelled.
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), balanceTimeout)
		defer cancel()
		read.token, read.gas, read.err = b.reader.Balances(reading, wallet)
		if read.err != nil {
			b.drop(wallet, read)
		}
		close(read.done)
	}
	select {
	case <-read.done:
		return read.token, read.gas, read.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// entry returns the wallet's entry. If first is true, the entry is new, and the caller must read the balance.
func (b *balances) entry(wallet common.Address) (read *balance, first bool) {
	head, err := b.head()
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil || head.Hash != b.block || len(b.cached) >= maxBalances {
		b.block, b.cached = head.Hash, map[common.Address]*balance{}
	}
	if read, ok := b.cached[wallet]; ok && time.Since(read.since) < freshBalance {
		return read, false
	}
	read = &balance{since: time.Now(), done: make(chan struct{})}
	b.cached[wallet] = read
	return read, true
}

// drop removes a failed read, so that the next request repeats it.
func (b *balances) drop(wallet common.Address, failed *balance) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.cached[wallet] == failed {
		delete(b.cached, wallet)
	}
}
