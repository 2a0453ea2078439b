package rescue_test

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

// history generates a random sequence of calls from several wallets. The contracts reject some of
// the calls.
type history struct {
	t       *testing.T
	net     *chaintest.Net
	rand    *rand.Rand
	now     time.Time
	wallets []common.Address
	tasks   []posted
	stakes  []staked
}

type posted struct {
	agent, human common.Address
	amount       *big.Int
}

type staked struct {
	human common.Address
	task  uint64
}

func newHistory(t *testing.T, net *chaintest.Net, seed uint64) *history {
	t.Helper()
	h := &history{
		t: t, net: net, rand: rand.New(rand.NewPCG(seed, 0)), now: net.Head(t).Time,
		wallets: []common.Address{net.Agent.Address(), net.OtherAgent.Address(), net.Human.Address(), net.OtherHuman.Address()},
	}
	for _, wallet := range h.wallets {
		for _, spender := range []common.Address{net.Deployment.Escrow, net.Deployment.Staking} {
			h.attempt(wallet, net.Contracts.ApproveToken(spender, chaintest.Tokens(1_000)))
		}
	}
	return h
}

// attempt advances the clock by up to six hours, tries the call from the wallet, and records the
// result.
func (h *history) attempt(from common.Address, call chain.Call) {
	h.t.Helper()
	h.now = h.now.Add(time.Duration(1+h.rand.IntN(int(6*time.Hour/time.Second))) * time.Second)
	for _, log := range h.net.Attempt(h.t, h.now, from, call).Logs {
		event, err := h.net.Contracts.Decode(*log)
		if err != nil {
			continue // the log is from the token
		}
		switch event.Kind {
		case market.EventTaskPosted:
			h.tasks = append(h.tasks, posted{agent: event.Agent, amount: event.Amount})
		case market.EventStakeLocked:
			h.stakes = append(h.stakes, staked{human: event.Human})
		case market.EventApplicationForTask:
			h.stakes[event.ApplicationID-1].task = event.TaskID
		case market.EventTaskCreated:
			h.tasks[event.TaskID-1].human = event.Human
		default:
		}
	}
}

func (h *history) randomWallet() common.Address { return h.wallets[h.rand.IntN(len(h.wallets))] }

// mostly usually returns the wallet unchanged. Sometimes, or if the wallet is zero, it returns a
// random wallet instead.
func (h *history) mostly(wallet common.Address) common.Address {
	if h.rand.IntN(8) == 0 || wallet == (common.Address{}) {
		return h.randomWallet()
	}
	return wallet
}

// sendSometimes sends only about a third of the calls, because they end a task or a stake early.
func (h *history) sendSometimes(from common.Address, call chain.Call) {
	h.t.Helper()
	if h.rand.IntN(3) == 0 {
		h.attempt(from, call)
	}
}

// recent returns one of the latest IDs.
func (h *history) recent(last int) uint64 {
	return uint64(last - h.rand.IntN(min(last, 4)))
}

// step posts a task, or tries a random action on one of the latest tasks or applications. It sometimes
// advances the time by 31 days.
func (h *history) step() {
	h.t.Helper()
	c, escrow := h.net.Contracts, h.net.Deployment.Escrow
	if len(h.tasks) == 0 || h.rand.IntN(30) == 0 {
		terms := common.Hash{byte(h.rand.IntN(2))}
		h.attempt(h.randomWallet(), c.PostTask(chaintest.Tokens(1+h.rand.Int64N(5)), chaintest.FeeBasisPoints, terms))
		return
	}
	id := h.recent(len(h.tasks))
	task := h.tasks[id-1]
	if len(h.stakes) == 0 || h.rand.IntN(4) == 0 {
		h.attempt(h.randomWallet(), c.LockStake(id, market.RequiredStake(task.amount)))
		return
	}
	application := h.recent(len(h.stakes))
	stake := h.stakes[application-1]
	agent, human := h.mostly(task.agent), h.mostly(task.human)
	either := []common.Address{agent, human}[h.rand.IntN(2)]
	switch h.rand.IntN(12) {
	case 0, 1:
		h.attempt(h.mostly(h.tasks[stake.task-1].agent), c.AcceptApplication(escrow, stake.task, application))
	case 2, 3, 4:
		h.attempt(human, c.SubmitTask(escrow, id, work))
	case 5:
		h.attempt(agent, c.ApproveTask(escrow, id))
	case 6:
		h.attempt(either, c.DisputeTask(escrow, id))
	case 7:
		h.sendSometimes(either, c.CancelTask(escrow, id))
	case 8:
		h.sendSometimes(h.mostly(stake.human), c.WithdrawStake(application))
	case 9:
		h.sendSometimes(h.mostly(h.tasks[stake.task-1].agent), c.RejectApplication(application))
	case 10:
		h.decide(id)
	case 11:
		if h.rand.IntN(4) == 0 {
			h.now = h.now.Add(31 * 24 * time.Hour)
		}
		h.attempt(human, c.EmergencyRelease(escrow, id))
		h.attempt(either, c.Settle(escrow, id))
	}
}

// decide submits a verdict for each round. At most one round can be open.
func (h *history) decide(task uint64) {
	h.t.Helper()
	approved := h.rand.IntN(2) == 0
	d := h.net.Deployment
	for round := range uint8(2) {
		verdicts := h.net.Verdicts(h.t, task, work, round, approved, 2)
		signatures, err := chain.SignaturesOf(d.Escrow, d.ChainID, task, verdicts)
		must(h.t, err)
		call := h.net.Contracts.RejectSubmission(d.Escrow, task, signatures)
		if approved {
			call = h.net.Contracts.ApproveSubmission(d.Escrow, task, signatures)
		}
		h.attempt(h.net.Keeper.Address(), call)
	}
}

// disputes adds records that random calls rarely produce: disputes by each side, with and without a
// later approval.
func (h *history) disputes() {
	h.t.Helper()
	for _, side := range []*chain.KeySigner{h.net.Agent, h.net.Human} {
		for _, approved := range []bool{false, true} {
			task := h.net.Submitted(h.t, common.Hash{}, work)
			h.net.Dispute(h.t, side, task)
			if approved {
				h.net.Approve(h.t, h.net.Agent, task)
			}
		}
	}
}
