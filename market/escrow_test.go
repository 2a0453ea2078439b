package market_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"taskmarket/market"
)

var (
	agent    = common.HexToAddress("0xa1")
	human    = common.HexToAddress("0xb1")
	stranger = common.HexToAddress("0xc1")
	genesis  = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
)

// escrow simulates the contract's rules for one task and records the logs that the contract would
// emit. It is based on the contract's source and independent of the code under test.
type escrow struct {
	now       time.Time
	block     uint64
	index     uint
	logs      []market.Log
	status    string
	approved  bool
	byAgent   bool // whether the agent, not the human, opened the dispute
	submitted time.Time
	disputed  time.Time
	activity  time.Time
	amount    *big.Int
}

func newEscrow() *escrow {
	return &escrow{now: genesis, block: 100, status: "none", amount: token(1000)}
}

func (c *escrow) emit(kind market.EventKind, set func(*market.Event)) {
	ev := market.Event{Kind: kind, TaskID: 7, Agent: agent, Human: human}
	if set != nil {
		set(&ev)
	}
	c.index++
	c.logs = append(c.logs, market.Log{
		ChainID: 1, Address: common.HexToAddress("0xe5c"), Index: c.index, Event: ev,
		Block:  market.Block{Number: c.block, Time: c.now},
		TxHash: common.BigToHash(new(big.Int).SetUint64(c.block)),
	})
}

const day = 24 * time.Hour

func (c *escrow) due() time.Time {
	switch {
	case c.approved:
		return c.activity.Add(72 * time.Hour)
	case c.status == "disputed" && c.byAgent:
		return c.disputed.Add(120 * time.Hour)
	}
	return c.activity.Add(30 * day)
}

func (c *escrow) reviewed() bool { return c.status == "submitted" || c.status == "disputed" }

func (c *escrow) verdictLegal() bool {
	var opens time.Time
	switch {
	case !c.reviewed():
		return false
	case c.status == "disputed" && c.byAgent, c.status == "submitted" && c.approved:
	default:
		opens = c.submitted.Add(day)
	}
	return !c.now.Before(opens) && c.now.Before(c.due())
}

// actions maps the name of each action to a function that attempts it and reports whether the
// contract allowed it.
func (c *escrow) actions() map[string]func() bool {
	return map[string]func() bool{
		"post": func() bool {
			return c.step(c.status == "none", func() {
				c.status = "posted"
				c.emit(market.EventTaskPosted, func(e *market.Event) { e.Amount, e.FeeBasisPoints = c.amount, 500 })
				c.emit(market.EventTaskTerms, func(e *market.Event) { e.Hash = common.HexToHash("0x77") })
			})
		},
		"accept": func() bool {
			return c.step(c.status == "posted", func() {
				c.status = "active"
				c.emit(market.EventTaskCreated, func(e *market.Event) { e.Amount = c.amount })
				c.emit(market.EventTaskCreatedWithApplication, func(e *market.Event) { e.ApplicationID = 3 })
			})
		},
		"submit": func() bool {
			return c.step(c.status == "active", func() {
				c.status, c.submitted, c.activity = "submitted", c.now, c.now
				c.emit(market.EventTaskSubmitted, nil)
				c.emit(market.EventWorkCommitted, func(e *market.Event) { e.Hash = common.HexToHash("0x99") })
			})
		},
		"approve": func() bool {
			return c.step(c.reviewed() && !c.approved, func() {
				c.approved, c.activity = true, c.now
				c.emit(market.EventAgentApproved, nil)
			})
		},
		"agent disputes": func() bool { return c.dispute(agent) },
		"human disputes": func() bool { return c.dispute(human) },
		"approve verdict": func() bool {
			return c.step(c.verdictLegal(), func() { c.emit(market.EventSubmissionApproved, nil); c.release() })
		},
		"reject verdict": func() bool {
			return c.step(c.verdictLegal() && !c.approved, func() {
				c.status = "refunded"
				c.emit(market.EventSubmissionRejected, nil)
				c.emit(market.EventTaskRefunded, func(e *market.Event) { e.Amount = c.amount })
			})
		},
		"settle": func() bool {
			at := c.activity.Add(37 * day)
			if c.approved || c.status == "disputed" && c.byAgent {
				at = c.due()
			}
			return c.step(c.reviewed() && !c.now.Before(at), c.release)
		},
		"emergency": func() bool {
			return c.step(c.reviewed() && !c.now.Before(c.activity.Add(30*day)), c.release)
		},
		"cancel": func() bool {
			return c.step(c.status == "posted" || c.status == "active", func() {
				c.status = "cancelled"
				c.emit(market.EventTaskCancelled, func(e *market.Event) { e.Amount, e.Fee = c.amount, new(big.Int) })
			})
		},
	}
}

func (c *escrow) step(legal bool, effect func()) bool {
	if legal {
		effect()
	}
	return legal
}

func (c *escrow) dispute(by common.Address) bool {
	legal := c.status == "submitted" && !c.approved && c.now.Before(c.submitted.Add(day))
	return c.step(legal, func() {
		c.status, c.byAgent, c.disputed, c.activity = "disputed", by == agent, c.now, c.now
		c.emit(market.EventTaskDisputed, func(e *market.Event) { e.Caller = by })
	})
}

func (c *escrow) release() {
	c.status = "released"
	c.emit(market.EventTaskReleased, func(e *market.Event) {
		e.Amount, e.Fee = market.Payout(c.amount, 500), market.Fee(c.amount, 500)
	})
}

// pass advances chain time by up to 40 days, or to within a second of a time limit.
func (c *escrow) pass(t *rapid.T) {
	c.block++
	c.index = 0
	edges := []time.Time{c.submitted.Add(day), c.due(), c.activity.Add(30 * day), c.activity.Add(37 * day), genesis.Add(3 * day)}
	to := c.now.Add(time.Duration(rapid.Int64Range(1, 40*24*3600).Draw(t, "seconds")) * time.Second)
	if rapid.Bool().Draw(t, "edge") {
		edge := edges[rapid.IntRange(0, len(edges)-1).Draw(t, "which")]
		to = edge.Add(time.Duration(rapid.IntRange(-1, 1).Draw(t, "off by")) * time.Second)
	}
	if to.After(c.now) {
		c.now = to
	}
}

func taskFor(deadline *time.Time) *market.Task {
	return &market.Task{
		ID: uuid.New(), AgentWallet: agent, Amount: token(1000), FeeBasisPoints: 500, Status: market.StatusNew,
		TermsHash: common.HexToHash("0x77"), ChainID: 1, EscrowAddress: common.HexToAddress("0xe5c"), Deadline: deadline,
	}
}

func panelThree(market.Log) uint64 { return 3 }

// For every history that the contract allows, the fold succeeds, each step is an edge in the status
// diagram, and the action table allows the same actions as the contract.
func TestFoldAcceptsEveryLegalHistory(t *testing.T) {
	deadline := genesis.Add(3 * day)
	rapid.Check(t, func(t *rapid.T) {
		contract := newEscrow()
		task := taskFor(nil)
		if rapid.Bool().Draw(t, "has deadline") {
			task.Deadline = &deadline
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			follow(t, contract, task)
			contract.pass(t)
			follow(t, contract, task)
			attempt(t, contract, task)
		}
		follow(t, contract, task)
		conserved(t, task)
	})
}

func follow(t *rapid.T, contract *escrow, task *market.Task) {
	e, err := market.FoldEscrowTask(contract.logs, panelThree)
	if err != nil {
		t.Fatalf("fold of a legal history: %v", err)
	}
	before := task.Status
	if err := task.LinkEscrow(e, contract.now); err != nil {
		t.Fatal(err)
	}
	if !canBecome(before, task.Status) {
		t.Fatalf("%s became %s", before, task.Status)
	}
}

// next returns the statuses that directly follow s in the status diagram. Submitted can follow
// expired, because the contract allows acceptance and submission after the deadline.
func next(s market.Status) []market.Status {
	switch s {
	case market.StatusNew:
		return []market.Status{market.StatusFunded, market.StatusExpired}
	case market.StatusFunded:
		return []market.Status{market.StatusActive, market.StatusExpired, market.StatusCancelled}
	case market.StatusActive:
		return []market.Status{market.StatusSubmitted, market.StatusExpired, market.StatusCancelled}
	case market.StatusExpired:
		return []market.Status{market.StatusSubmitted, market.StatusCancelled}
	case market.StatusSubmitted:
		return []market.Status{market.StatusValidating, market.StatusDisputed, market.StatusApproved}
	case market.StatusValidating, market.StatusDisputed:
		return []market.Status{market.StatusApproved, market.StatusRejected}
	case market.StatusApproved, market.StatusRejected, market.StatusCancelled:
		return nil
	}
	return nil
}

// canBecome reports whether one event or the passing of time can change the status from one to the
// other.
func canBecome(from, to market.Status) bool {
	return from == to || slices.Contains(next(from), to)
}

// attempt attempts one action on the contract and compares the result with the action table.
func attempt(t *rapid.T, contract *escrow, task *market.Task) {
	type asked struct {
		action market.Action
		role   market.Role
	}
	questions := map[string]asked{
		"post": {market.ActionFund, market.RoleAgent}, "submit": {market.ActionSubmit, market.RoleHuman},
		"approve":        {market.ActionApprove, market.RoleAgent},
		"agent disputes": {market.ActionDispute, market.RoleAgent}, "human disputes": {market.ActionDispute, market.RoleHuman},
		"approve verdict": {market.ActionVerdict, market.RoleValidator}, "settle": {market.ActionSettle, market.RoleOther},
		"emergency": {market.ActionEmergency, market.RoleHuman}, "cancel": {market.ActionCancel, market.RoleAgent},
	}
	names := []string{
		"post", "accept", "submit", "approve", "agent disputes", "human disputes", "approve verdict",
		"reject verdict", "settle", "emergency", "cancel",
	}
	name := rapid.SampledFrom(names).Draw(t, "action")
	permitted := true
	question, compared := questions[name]
	if compared {
		permitted = task.Allow(question.action, question.role, contract.now) == nil
	}
	if allowed := contract.actions()[name](); compared && allowed != permitted {
		t.Fatalf("%s at %s while %s: contract %t, table %t", name, contract.now, task.Status, allowed, permitted)
	}
}

func conserved(t *rapid.T, task *market.Task) {
	if task.Escrow == nil {
		return
	}
	sum := task.Escrow.Locked()
	for _, part := range []*big.Int{task.Escrow.Paid, task.Escrow.Fee, task.Escrow.Refund} {
		if part != nil {
			sum.Add(sum, part)
		}
	}
	if sum.Cmp(task.Escrow.Amount) != 0 {
		t.Fatalf("locked + paid + fee + refund = %s of %s", sum, task.Escrow.Amount)
	}
}

// Each log of an arbitrary sequence is rejected, or causes a status change that is an edge in the
// diagram.
func TestFoldRejectsInvalidHistories(t *testing.T) {
	kinds := []market.EventKind{
		market.EventTaskPosted, market.EventTaskCreated, market.EventTaskSubmitted, market.EventTaskDisputed,
		market.EventAgentApproved, market.EventSubmissionApproved, market.EventSubmissionRejected,
		market.EventTaskReleased, market.EventTaskRefunded, market.EventTaskCancelled, market.EventStakeLocked,
	}
	rapid.Check(t, func(t *rapid.T) {
		e := &market.EscrowTask{ID: 7}
		now := genesis
		before := market.StatusNew
		for range rapid.IntRange(1, 40).Draw(t, "logs") {
			now = now.Add(time.Duration(rapid.IntRange(0, 3*24*3600).Draw(t, "seconds")) * time.Second)
			ended := e.Status.Ended()
			err := e.Apply(market.Log{Block: market.Block{Time: now}, Event: market.Event{
				Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), TaskID: 7, Agent: agent, Human: human, Caller: human,
				Amount: token(1), Fee: new(big.Int),
			}})
			if ended && err == nil {
				t.Fatal("an ended task accepted a log")
			}
			after := market.StatusNew
			if e.Status != market.ChainNone {
				after = market.StatusAt(e, nil, now)
			}
			// The status may already have changed from submitted to validating through the passing
			// of time.
			turned := before
			if before == market.StatusSubmitted && !e.SubmittedAt.IsZero() && !now.Before(e.DisputeDeadline()) {
				turned = market.StatusValidating
			}
			if !canBecome(before, after) && !canBecome(turned, after) {
				t.Fatalf("%s became %s", before, after)
			}
			before = after
		}
	})
}

func TestApplyRejectsLogsOfOtherTasks(t *testing.T) {
	e := &market.EscrowTask{ID: 7}
	if err := e.Apply(market.Log{Event: market.Event{Kind: market.EventTaskPosted, TaskID: 8}}); err == nil {
		t.Fatal("Apply accepted a log of another task")
	}
}
