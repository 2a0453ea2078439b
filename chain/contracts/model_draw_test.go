package contracts_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// action is an attempted call and the model's prediction.
type action struct {
	kind string
	by   common.Address
	with string // the arguments, for failure messages
	call func() chain.Call
	*outcome
}

func (a action) String() string {
	return fmt.Sprintf("%s by %s: %s", a.kind, a.by, a.with)
}

// draw draws the arguments of actions. Most are valid, so that tasks progress; some are invalid.
type draw struct {
	*rig
	*rand.Rand
	w     *world
	focus uint64 // the task for which the clock is close to the start or end of a window; 0 if none
}

// card is a kind of action with its weight: the probability of a draw is proportional to the
// weight.
type card struct {
	weight int
	draw   func(*draw) action
}

// deck returns all cards. Those that end a task early or block other actions have low weights.
func deck() []card {
	return []card{
		{8, (*draw).post},
		{16, (*draw).apply},
		{60, (*draw).accept},
		{3, (*draw).rejectApplication},
		{3, (*draw).withdrawStake},
		{90, (*draw).submit},
		{24, (*draw).approve},
		{60, (*draw).dispute},
		{1, (*draw).cancel},
		{3, (*draw).resign},
		{80, (*draw).verdict},
		{40, (*draw).settle},
		{30, (*draw).emergency},
		{30, (*draw).withdrawCredit},
		{1, (*draw).setFee},
		{3, (*draw).changePanel},
		{1, (*draw).pause},
		{20, (*draw).unpause},
		{1, (*draw).renounce},
		{1, (*draw).moveStake},
		{1, (*draw).donate},
		{4, (*draw).setAllowance},
		{1, (*draw).usePermit},
	}
}

// any draws an action of any kind.
func (d *draw) any() action { return d.kind()(d) }

// kind draws a kind of action.
func (d *draw) kind() func(*draw) action {
	cards, total := deck(), 0
	for _, c := range cards {
		total += c.weight
	}
	at := d.IntN(total)
	for _, c := range cards {
		if at -= c.weight; at < 0 {
			return c.draw
		}
	}
	panic("no card")
}

// oneIn returns true with a probability of 1/n.
func (d *draw) oneIn(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d *draw, from ...T) T { return from[d.IntN(len(from))] }

func (d *draw) party() common.Address { return pick(d, d.parties...).Address() }

// anyone returns a party, the owner, the guardian or a validator.
func (d *draw) anyone() common.Address {
	return pick(d, append(slices.Clone(d.parties), d.net.Owner, d.guardian, d.net.Validators[0])...).Address()
}

// mostly returns who in most cases if it is a party, and otherwise a random account.
func (d *draw) mostly(who common.Address) common.Address {
	if d.oneIn(8) || !slices.ContainsFunc(d.parties, func(p *chain.KeySigner) bool { return p.Address() == who }) {
		return d.anyone()
	}
	return who
}

// task draws a task in one of the statuses, often the one in focus. Sometimes it draws any task, or
// a nonexistent one.
func (d *draw) task(statuses ...market.ChainStatus) *market.EscrowTask {
	var fitting []*market.EscrowTask
	for _, task := range d.w.tasks {
		if e := task.Escrow; slices.Contains(statuses, e.Status) {
			fitting = append(fitting, e)
			if e.ID == d.focus && !d.oneIn(3) {
				return e
			}
		}
	}
	if len(fitting) == 0 || d.oneIn(10) {
		return d.w.escrow(d.Uint64N(uint64(len(d.w.tasks) + 2)))
	}
	return pick(d, fitting...)
}

// application draws a live application, often for the task in focus. Sometimes it draws any
// application, or a nonexistent one.
func (d *draw) application() *market.Stake {
	var live []*market.Stake
	for _, s := range d.w.stakes {
		if s.Status == market.StakeLive {
			live = append(live, s)
			if s.TaskID == d.focus && !d.oneIn(3) {
				return s
			}
		}
	}
	if len(live) == 0 || d.oneIn(10) {
		return d.w.stake(d.Uint64N(uint64(len(d.w.stakes) + 2)))
	}
	return pick(d, live...)
}

// amount draws a task's amount, for which the stake is the minimum, the maximum or in between.
// Sometimes it draws zero, an amount just outside the limits, or one that exceeds a party's
// balance.
func (d *draw) amount() *big.Int {
	odd, _ := new(big.Int).SetString("1234567890123456789", 10)
	least, most := market.MinimumEscrow(), market.MaximumEscrow()
	if d.oneIn(8) {
		return pick(d, new(big.Int), less(least), plusOne(most), chaintest.Tokens(2*purse))
	}
	return pick(d, least, odd, chaintest.Tokens(1), chaintest.Tokens(150), chaintest.Tokens(250))
}

// nearly returns the amount, or sometimes one wei more or less.
func (d *draw) nearly(amount *big.Int) *big.Int {
	if d.oneIn(10) {
		return pick(d, less(amount), plusOne(amount))
	}
	return amount
}

func less(n *big.Int) *big.Int {
	if n.Sign() == 0 {
		return n
	}
	return new(big.Int).Sub(n, big.NewInt(1))
}

func plusOne(n *big.Int) *big.Int { return new(big.Int).Add(n, big.NewInt(1)) }

// callOf returns a call to a method that package chain does not encode.
func callOf(to common.Address, data []byte) func() chain.Call {
	return func() chain.Call { return chain.Call{To: to, Data: data} }
}

var (
	escrowCalls  = contracts.NewEscrow()
	stakingCalls = contracts.NewApplicationStaking()
	tokenCalls   = contracts.NewTaskToken()
)
