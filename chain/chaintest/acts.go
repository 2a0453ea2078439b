package chaintest

import (
	"bytes"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/market"
)

// SignPermit signs a permit of the deployment's token that is valid for a year.
func (n *Net) SignPermit(tb testing.TB, owner *chain.KeySigner, spender common.Address, value *big.Int) (deadline *big.Int, signature []byte) {
	tb.Helper()
	token, err := n.Reader.TokenInfo(tb.Context())
	Must(tb, err)
	nonce, err := n.Reader.PermitNonce(tb.Context(), owner.Address())
	Must(tb, err)
	deadline = big.NewInt(n.Head(tb).Time.Add(365 * 24 * time.Hour).Unix())
	signature, err = owner.SignTypedData(tb.Context(), chain.PermitTypedData(chain.Permit{
		TokenName: token.Name, Version: token.Version, ChainID: n.Deployment.ChainID, Token: n.Deployment.Token,
		Owner: owner.Address(), Spender: spender, Value: value, Nonce: nonce, Deadline: deadline,
	}))
	Must(tb, err)
	return deadline, signature
}

// Post posts a task with a permit. A zero terms hash posts it without terms.
func (n *Net) Post(tb testing.TB, agent *chain.KeySigner, amount *big.Int, terms common.Hash) (taskID uint64, receipt *types.Receipt) {
	tb.Helper()
	deadline, signature := n.SignPermit(tb, agent, n.Deployment.Escrow, amount)
	call, err := n.Contracts.PostTaskWithPermit(amount, FeeBasisPoints, terms, deadline, signature)
	Must(tb, err)
	receipt = n.Send(tb, agent, call)
	return n.event(tb, receipt, market.EventTaskPosted).TaskID, receipt
}

// Apply applies for a task and locks the stake that a task with this amount requires.
func (n *Net) Apply(tb testing.TB, human *chain.KeySigner, taskID uint64, amount *big.Int) (applicationID uint64, receipt *types.Receipt) {
	tb.Helper()
	stake := market.RequiredStake(amount)
	deadline, signature := n.SignPermit(tb, human, n.Deployment.Staking, stake)
	call, err := n.Contracts.LockStakeWithPermit(taskID, stake, deadline, signature)
	Must(tb, err)
	receipt = n.Send(tb, human, call)
	return n.event(tb, receipt, market.EventStakeLocked).ApplicationID, receipt
}

// Accept assigns the task to the applicant.
func (n *Net) Accept(tb testing.TB, agent *chain.KeySigner, taskID, applicationID uint64) *types.Receipt {
	tb.Helper()
	return n.Send(tb, agent, n.Contracts.AcceptApplication(n.Deployment.Escrow, taskID, applicationID))
}

// Submit submits the hash of the work as the human.
func (n *Net) Submit(tb testing.TB, human *chain.KeySigner, taskID uint64, work common.Hash) *types.Receipt {
	tb.Helper()
	return n.Send(tb, human, n.Contracts.SubmitTask(n.Deployment.Escrow, taskID, work))
}

// Approve approves the work.
func (n *Net) Approve(tb testing.TB, agent *chain.KeySigner, taskID uint64) *types.Receipt {
	tb.Helper()
	return n.Send(tb, agent, n.Contracts.ApproveTask(n.Deployment.Escrow, taskID))
}

// Dispute disputes the submission.
func (n *Net) Dispute(tb testing.TB, party *chain.KeySigner, taskID uint64) *types.Receipt {
	tb.Helper()
	return n.Send(tb, party, n.Contracts.DisputeTask(n.Deployment.Escrow, taskID))
}

// Cancel cancels the task as the agent, or resigns as the human.
func (n *Net) Cancel(tb testing.TB, party *chain.KeySigner, taskID uint64) *types.Receipt {
	tb.Helper()
	return n.Send(tb, party, n.Contracts.CancelTask(n.Deployment.Escrow, taskID))
}

// Verdicts returns verdicts signed by the first count validators, ordered by address.
func (n *Net) Verdicts(tb testing.TB, taskID uint64, work common.Hash, round uint8, approved bool, count int) []market.Verdict {
	tb.Helper()
	data := chain.VerdictTypedData(n.Deployment.Escrow, n.Deployment.ChainID, taskID, work, round, approved)
	var verdicts []market.Verdict
	for _, v := range n.Validators[:count] {
		signature, err := v.SignTypedData(tb.Context(), data)
		Must(tb, err)
		verdicts = append(verdicts, market.Verdict{
			Round: round, Validator: v.Address(), Approved: approved, WorkHash: work, Signature: signature,
		})
	}
	slices.SortFunc(verdicts, func(a, b market.Verdict) int { return bytes.Compare(a.Validator[:], b.Validator[:]) })
	return verdicts
}

// Decide relays the verdicts of a quorum from the keeper's account.
func (n *Net) Decide(tb testing.TB, taskID uint64, work common.Hash, round uint8, approved bool) *types.Receipt {
	tb.Helper()
	signatures, err := chain.SignaturesOf(n.Deployment.Escrow, n.Deployment.ChainID, taskID, n.Verdicts(tb, taskID, work, round, approved, 2))
	Must(tb, err)
	if approved {
		return n.Send(tb, n.Keeper, n.Contracts.ApproveSubmission(n.Deployment.Escrow, taskID, signatures))
	}
	return n.Send(tb, n.Keeper, n.Contracts.RejectSubmission(n.Deployment.Escrow, taskID, signatures))
}

// Submitted posts a task of one token, applies for it as the human, accepts the application and submits
// the work. Every transaction is in its own block.
func (n *Net) Submitted(tb testing.TB, terms, work common.Hash) (taskID uint64) {
	tb.Helper()
	amount := Tokens(1)
	taskID, _ = n.Post(tb, n.Agent, amount, terms)
	applicationID, _ := n.Apply(tb, n.Human, taskID, amount)
	n.Accept(tb, n.Agent, taskID, applicationID)
	n.Submit(tb, n.Human, taskID, work)
	return taskID
}

// event returns the first event of the kind that the transaction emitted.
func (n *Net) event(tb testing.TB, receipt *types.Receipt, kind market.EventKind) market.Event {
	tb.Helper()
	for _, log := range receipt.Logs {
		event, err := n.Contracts.Decode(*log)
		if err == nil && event.Kind == kind {
			return event
		}
	}
	tb.Fatalf("transaction %s emitted no %s", receipt.TxHash, kind)
	return market.Event{}
}
