package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"time"

	"taskmarket/client"
	"taskmarket/client/internal/durable"
	"taskmarket/market"
)

// day is the length of the sliding window for Spending.PerDay.
const day = 24 * time.Hour

// memory is how long an expense stays in the file. It is much longer than the PerDay window, so
// that a clock that is temporarily ahead does not remove expenses too early.
const memory = 30 * day

// Spending limits the tokens that the tools may move. It reduces the possible damage from a model
// that follows injected instructions. Three amounts count: the amount that a new task locks, the
// escrowed amount that an acceptance or an approval gives up, and the stake that a rejection
// forfeits.
//
// An acceptance counts because submitted work is then paid for even if the agent does nothing;
// approving the same task adds nothing. Disputes and cancellations do not count, because they pay no human.
// An amount that is returned later, for example by a cancellation, still counts.
type Spending struct {
	PerPlan *big.Int // maximum amount for one plan, in wei; nil means 0
	PerDay  *big.Int // maximum amount in any 24 hours, in wei; nil means 0
	// File is the path of the file that stores the expenses. All of the agent's processes must use
	// the same file.
	File string
}

// some reports whether any spending is allowed.
func (s Spending) some() bool { return orZero(s.PerPlan).Sign() > 0 && orZero(s.PerDay).Sign() > 0 }

// ledger enforces the limits in an agent's Spending.
type ledger struct {
	Spending
	flows client.FlowStore // only used for its lock, which also excludes other processes
	now   func() time.Time
}

// expense is one entry in the spending file, which contains a JSON array.
type expense struct {
	At   time.Time `json:"at"`
	Wei  string    `json:"wei"`
	Name string    `json:"name,omitempty"` // name of the charge; empty if it has none
}

// charge is an amount that counts against the caps.
type charge struct {
	name string // a charge with a name counts only if the file has no expense with this name yet
	wei  *big.Int
}

// lockKey is the key of the ledger's lock in the agent's journal.
const lockKey = "mcp spending"

// spend counts the charge, or rejects it if it exceeds the caps. A charge is counted before
// anything is signed or sent. A crash can therefore lead to too high a count, but never to too low
// a count.
func (l *ledger) spend(ctx context.Context, c charge) error {
	if c.wei.Sign() == 0 {
		return nil
	}
	unlock, err := l.flows.Lock(ctx, lockKey)
	if err != nil {
		return err
	}
	defer unlock()
	expenses, counted, err := l.admit(c)
	if err != nil || counted {
		return err
	}
	return l.write(append(expenses, expense{l.now().UTC(), c.wei.String(), c.name}))
}

// check returns the error that spend would return for the charge, without counting it.
func (l *ledger) check(c charge) error {
	if c.wei.Sign() == 0 {
		return nil
	}
	_, _, err := l.admit(c)
	return err
}

// admit rejects a charge above the caps. It returns the expenses to store, and whether the charge
// was already counted. The cap for one plan applies in both cases.
func (l *ledger) admit(c charge) (expenses []expense, counted bool, err error) {
	expenses, left, err := l.read()
	if err != nil {
		return nil, false, err
	}
	counted = c.name != "" && slices.ContainsFunc(expenses, func(e expense) bool { return e.Name == c.name })
	if counted {
		left = c.wei
	}
	return expenses, counted, l.checkCaps(c.wei, left)
}

func (l *ledger) checkCaps(wei, left *big.Int) error {
	switch {
	case l.PerPlan == nil || l.PerDay == nil:
		return toolErrorf("this server is not allowed to lock, release or forfeit tokens: the operator can enable it with --max-per-plan and --max-per-day")
	case wei.Cmp(l.PerPlan) > 0:
		return toolErrorf("%s wei is above the cap of %s wei for one plan (--max-per-plan)", wei, l.PerPlan)
	case wei.Cmp(left) > 0:
		return toolErrorf("%s wei is above the %s wei left under the cap for 24 hours (--max-per-day)", wei, left)
	}
	return nil
}

// read returns the expenses that are still needed, and the remaining amount for the current window.
func (l *ledger) read() (expenses []expense, left *big.Int, err error) {
	left = new(big.Int)
	if l.PerDay != nil {
		left.Set(l.PerDay)
	}
	raw, err := os.ReadFile(l.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, left, nil
	}
	if err != nil {
		return nil, nil, toolErrorf("read the spending file: %w", err)
	}
	var all []expense
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, nil, toolErrorf("parse the spending file %s: %w", l.File, err)
	}
	for _, e := range all {
		wei, err := market.ParseWei(e.Wei)
		if err != nil {
			return nil, nil, toolErrorf("parse the spending file %s: %w", l.File, err)
		}
		if l.now().Before(e.At.Add(day)) {
			left.Sub(left, wei)
		}
		if l.now().Before(e.At.Add(memory)) {
			expenses = append(expenses, e)
		}
	}
	return expenses, left, nil
}

// write replaces the file's content with the expenses.
func (l *ledger) write(expenses []expense) error {
	raw, err := json.Marshal(expenses)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.File), 0o700); err != nil {
		return toolErrorf("write the spending file: %w", err)
	}
	if err := durable.Replace(l.File, raw); err != nil {
		return toolErrorf("write the spending file: %w", err)
	}
	return nil
}
