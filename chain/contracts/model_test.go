package contracts_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

const (
	lives = 40 // tasks that are brought to an end at random
	steps = 14 // at most, of one life
)

// life is one task in the contracts, with what the Go rules make of its logs.
type life struct {
	*testing.T
	net    *chaintest.Net
	random *rand.Rand
	task   *market.Task
	stake  *market.Stake
	logs   []market.Log
	stakes []market.Log
	work   common.Hash
}

// act is a call and whether the Go rules permit it at the head's time.
type act struct {
	name      string
	from      *chain.KeySigner
	call      chain.Call
	permitted func(now time.Time) bool
	early     bool // ends a life before there is work, so it is rarely done
}

// TestRulesAreTheContracts lets tasks live at random, mostly at the edges of
// their windows, and asks the contracts at each step which acts they allow: the
// Go rules must permit the same ones, and the fold of the logs must be what the
// contracts hold.
func TestRulesAreTheContracts(t *testing.T) {
	net := chaintest.New(t)
	random := rand.New(rand.NewPCG(1, 2))
	done := make(map[string]int)
	for n := range lives {
		l := newLife(t, net, random, n)
		for range steps {
			l.pass()
			acts := l.acts()
			l.compare(acts)
			if name := l.step(acts); name != "" {
				done[name]++
			}
		}
	}
	for _, a := range newLife(t, net, random, lives).acts() {
		if done[a.name] == 0 {
			t.Errorf("%q was never done: %v", a.name, done)
		}
	}
}

func newLife(t *testing.T, net *chaintest.Net, random *rand.Rand, n int) *life {
	t.Helper()
	amount, terms := chaintest.Tokens(1), common.BigToHash(big.NewInt(int64(n+1)))
	l := &life{T: t, net: net, random: random, work: common.Hash{7}, task: &market.Task{
		AgentWallet: net.Agent.Address(), Amount: amount, FeeBasisPoints: chaintest.FeeBasisPoints, TermsHash: terms,
		ChainID: net.Deployment.ChainID, EscrowAddress: net.Deployment.Escrow, Status: market.StatusNew,
	}}
	_, receipt := net.Post(t, net.Agent, amount, terms)
	l.follow(receipt)
	l.apply()
	return l
}

func (l *life) apply() {
	_, receipt := l.net.Apply(l.T, l.net.Human, l.task.Escrow.ID, l.task.Amount)
	l.stakes = nil
	l.follow(receipt)
}

// follow folds the logs of a transaction in.
func (l *life) follow(receipt *types.Receipt) {
	l.Helper()
	now := l.net.Head(l.T).Time
	for _, raw := range receipt.Logs {
		if raw.Address == l.net.Deployment.Token {
			continue
		}
		event, err := l.net.Contracts.Decode(*raw)
		if err != nil {
			l.Fatal(err)
		}
		log := market.Log{
			ChainID: l.task.ChainID, Address: raw.Address, TxHash: raw.TxHash, Index: raw.Index, Event: event,
			Block: market.Block{Number: raw.BlockNumber, Time: now},
		}
		switch {
		case event.OfTask():
			l.logs = append(l.logs, log)
		case event.OfStake():
			l.stakes = append(l.stakes, log)
		}
	}
	escrow, err := market.FoldEscrowTask(l.logs, func(market.Log) uint64 { return 1 })
	if err != nil {
		l.Fatalf("fold of a history that happened: %v", err)
	}
	if l.stake, err = market.FoldStake(l.stakes); err != nil {
		l.Fatalf("fold of a history that happened: %v", err)
	}
	if err := l.task.Follow(escrow, now); err != nil {
		l.Fatal(err)
	}
}

// pass lets time run and makes a block, often at an edge of a window or a second
// beside it.
func (l *life) pass() {
	now, e := l.net.Head(l.T).Time, l.task.Escrow
	to := now.Add(time.Duration(l.random.IntN(3*24)) * time.Hour)
	edges := []time.Time{
		l.stake.ExpiresAt, e.DisputeDeadline(), e.Round().Opens, e.Due(), e.SettleAt(), e.EmergencyAt(),
	}
	if edge := edges[l.random.IntN(len(edges))]; l.random.IntN(3) > 0 && edge.After(now.Add(2*time.Second)) {
		to = edge.Add(time.Duration(l.random.IntN(3)-1) * time.Second)
	}
	if l.random.IntN(3) == 0 || !to.After(now) {
		to = now.Add(time.Second)
	}
	must(l.T, l.net.Dev.SetNextTime(l.Context(), to))
	l.net.Mine(l.T, 1)
	must(l.T, l.task.Follow(e, l.net.Head(l.T).Time))
}

func (l *life) acts() []act {
	net, escrow, id := l.net, l.net.Deployment.Escrow, l.task.Escrow.ID
	allow := func(action market.Action, role market.Role) func(time.Time) bool {
		return func(now time.Time) bool { return l.task.Allow(action, role, now) == nil }
	}
	pending := func(now time.Time) bool {
		return market.ApplicationStatusAt("", l.stake, l.task.Escrow, now) == market.ApplicationPending
	}
	live := func(time.Time) bool { return l.stake.Status == market.StakeLive }
	verdict := allow(market.ActionVerdict, market.RoleValidator)
	rejects := func(now time.Time) bool { return verdict(now) && !l.task.Escrow.AgentApproved }
	resend := func(now time.Time) bool { return live(now) && !pending(now) }
	return []act{
		{name: "accept", from: net.Agent, call: net.Contracts.AcceptApplication(escrow, id, l.stake.ID), permitted: pending},
		{name: "reject", from: net.Agent, call: net.Contracts.RejectApplication(l.stake.ID), permitted: pending, early: true},
		{name: "withdraw", from: net.Human, call: net.Contracts.WithdrawStake(l.stake.ID), permitted: live, early: true},
		{name: "send back", from: net.Keeper, call: net.Contracts.WithdrawStake(l.stake.ID), permitted: resend, early: true},
		{name: "submit", from: net.Human, call: net.Contracts.SubmitTask(escrow, id, l.work), permitted: allow(market.ActionSubmit, market.RoleHuman)},
		{name: "approve", from: net.Agent, call: net.Contracts.ApproveTask(escrow, id), permitted: allow(market.ActionApprove, market.RoleAgent)},
		{name: "agent disputes", from: net.Agent, call: net.Contracts.DisputeTask(escrow, id), permitted: allow(market.ActionDispute, market.RoleAgent)},
		{name: "human disputes", from: net.Human, call: net.Contracts.DisputeTask(escrow, id), permitted: allow(market.ActionDispute, market.RoleHuman)},
		{name: "approving verdict", from: net.Keeper, call: net.Contracts.ApproveSubmission(escrow, id, l.signatures(true)), permitted: verdict},
		{name: "rejecting verdict", from: net.Keeper, call: net.Contracts.RejectSubmission(escrow, id, l.signatures(false)), permitted: rejects},
		{name: "settle", from: net.Keeper, call: net.Contracts.Settle(escrow, id), permitted: allow(market.ActionSettle, market.RoleOther)},
		{name: "emergency", from: net.Human, call: net.Contracts.EmergencyRelease(escrow, id), permitted: allow(market.ActionEmergency, market.RoleHuman)},
		{name: "cancel", from: net.Agent, call: net.Contracts.CancelTask(escrow, id), permitted: allow(market.ActionCancel, market.RoleAgent), early: true},
		{name: "resign", from: net.Human, call: net.Contracts.CancelTask(escrow, id), permitted: allow(market.ActionResign, market.RoleHuman), early: true},
	}
}

func (l *life) signatures(approved bool) [][]byte {
	d, e := l.net.Deployment, l.task.Escrow
	verdicts := l.net.Verdicts(l.T, e.ID, e.WorkHash, e.Round().Number, approved, 2)
	signatures, err := chain.SignaturesOf(d.Escrow, d.ChainID, e.ID, verdicts)
	must(l.T, err)
	return signatures
}

// compare asks the contracts for every act, and for what they hold.
func (l *life) compare(acts []act) {
	l.Helper()
	now := l.net.Head(l.T).Time
	for _, a := range acts {
		err := l.net.Reader.Simulate(l.Context(), a.from.Address(), a.call)
		if permitted := a.permitted(now); (err == nil) != permitted {
			l.Fatalf("%s at %s while %s: contract %v, rules %t", a.name, now, l.task.Status, err, permitted)
		}
	}
	l.compareState()
}

// compareState reads what the contracts hold.
func (l *life) compareState() {
	l.Helper()
	e, d := l.task.Escrow, l.net.Deployment
	escrow, staking := contracts.NewEscrow(), contracts.NewApplicationStaking()
	values := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
	task := view(l, d.Escrow, escrow.PackGetTask(number(e.ID)), escrow.UnpackGetTask)
	if diff := cmp.Diff(task, viewOf(e), values); diff != "" {
		l.Fatalf("getTask (-contract +fold):\n%s", diff)
	}
	due := view(l, d.Escrow, escrow.PackDue(number(e.ID)), escrow.UnpackDue)
	if diff := cmp.Diff(due, seconds(e.Due()), values); diff != "" {
		l.Fatalf("due (-contract +fold):\n%s", diff)
	}
	stake := view(l, d.Staking, staking.PackGetStake(number(l.stake.ID)), staking.UnpackGetStake)
	if diff := cmp.Diff(stake, stakeViewOf(l.stake), values); diff != "" {
		l.Fatalf("getStake (-contract +fold):\n%s", diff)
	}
}

// step does one of the permitted acts and tells which, or applies again.
func (l *life) step(acts []act) string {
	now := l.net.Head(l.T).Time
	next := now.Add(time.Second)
	legal := slices.DeleteFunc(slices.Clone(acts), func(a act) bool { return !a.permitted(now) || !a.permitted(next) })
	onwards := slices.DeleteFunc(slices.Clone(legal), func(a act) bool { return a.early })
	if len(onwards) > 0 && l.random.IntN(6) > 0 {
		legal = onwards
	}
	if len(legal) == 0 || l.random.IntN(3) == 0 {
		if l.task.Escrow.Status == market.ChainPosted && l.stake.Status != market.StakeLive {
			l.apply()
		}
		return ""
	}
	a := legal[l.random.IntN(len(legal))]
	must(l.T, l.net.Dev.SetNextTime(l.Context(), next))
	l.follow(l.net.Send(l.T, a.from, a.call))
	return a.name
}

// viewOf says the fold in the contract's words.
func viewOf(e *market.EscrowTask) contracts.IEscrowTaskView {
	return contracts.IEscrowTaskView{
		Agent: e.Agent, Human: e.Human, Amount: e.Locked(), FeeBasisPoints: e.FeeBasisPoints, Status: uint8(e.Status),
		AgentApproved: e.AgentApproved, SubmittedAt: seconds(e.SubmittedAt), DisputeDeadline: seconds(e.DisputeDeadline()),
		LastActivityAt: seconds(e.LastActivityAt), ApplicationId: number(e.ApplicationID),
	}
}

func stakeViewOf(s *market.Stake) contracts.IApplicationStakingStakeView {
	v := contracts.IApplicationStakingStakeView{
		Human: s.Human, IntendedAgent: s.Agent, TaskId: number(s.TaskID), Amount: s.Amount, ExpiresAt: seconds(s.ExpiresAt), Status: 1,
	}
	switch s.Status {
	case market.StakeLive:
	case market.StakeActivated:
		v.Status = 2
	case market.StakeReturned, market.StakeForfeited:
		v.Status, v.Amount = 3, new(big.Int)
	}
	return v
}

func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// seconds says an instant as the contracts do: 0 for none.
func seconds(t time.Time) *big.Int {
	if t.IsZero() {
		return new(big.Int)
	}
	return big.NewInt(t.Unix())
}

// view calls a function that changes nothing.
func view[T any](l *life, to common.Address, data []byte, unpack func([]byte) (T, error)) T {
	l.Helper()
	answer, err := l.net.Dev.Client().CallContract(l.Context(), ethereum.CallMsg{To: &to, Data: data}, nil)
	must(l.T, err)
	value, err := unpack(answer)
	must(l.T, err)
	return value
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
