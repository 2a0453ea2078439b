package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"taskmarket/client"
	"taskmarket/client/internal/durable"
	"taskmarket/market"
)

// day is the time over which Spending.PerDay counts, at any moment backwards.
const day = 24 * time.Hour

// memory is how long an expense stays in the file: longer than it counts, so that a
// clock that was ahead for a while makes nothing forgotten.
const memory = 30 * day

// Spending is how much of the agent's tokens its model may have spent. A model
// that is confused, or that was talked into something, gets no further. What
// comes back later, as from a cancelled task, still counts as spent.
type Spending struct {
	PerPlan *big.Int // wei; nil allows nothing
	PerDay  *big.Int // wei in any 24 hours; nil allows nothing
	// File remembers what was spent, also for other processes of the agent.
	File string
}

// some reports whether anything may be spent.
func (s Spending) some() bool { return orZero(s.PerPlan).Sign() > 0 && orZero(s.PerDay).Sign() > 0 }

// ledger holds an agent to its Spending.
type ledger struct {
	Spending
	flows client.FlowStore // for its lock between processes
	now   func() time.Time
}

// expense is one line of the file.
type expense struct {
	At  time.Time `json:"at"`
	Wei string    `json:"wei"`
}

// lockKey names the ledger among the locks of the agent's journal.
const lockKey = "mcp spending"

// spend counts the amount, or refuses it. It is counted before anything is
// signed, so that a crash leaves too much counted and never too little.
func (l *ledger) spend(ctx context.Context, wei *big.Int) error {
	if wei.Sign() == 0 {
		return nil
	}
	unlock, err := l.flows.Lock(ctx, lockKey)
	if err != nil {
		return err
	}
	defer unlock()
	expenses, left, err := l.read()
	if err != nil {
		return err
	}
	if err := l.fits(wei, left); err != nil {
		return err
	}
	return l.write(append(expenses, expense{l.now().UTC(), wei.String()}))
}

// check refuses an amount that spend would refuse now.
func (l *ledger) check(wei *big.Int) error {
	if wei.Sign() == 0 {
		return nil
	}
	_, left, err := l.read()
	if err != nil {
		return err
	}
	return l.fits(wei, left)
}

func (l *ledger) fits(wei, left *big.Int) error {
	switch {
	case l.PerPlan == nil || l.PerDay == nil:
		return ownf("no spending is allowed to these tools: whoever runs them sets --max-per-plan and --max-per-day")
	case wei.Cmp(l.PerPlan) > 0:
		return ownf("%s wei is above the cap of %s wei for one plan, which whoever runs these tools has set", wei, l.PerPlan)
	case wei.Cmp(left) > 0:
		return ownf("%s wei is above the %s wei that are left of the cap for 24 hours, which whoever runs these tools has set", wei, left)
	}
	return nil
}

// read returns the expenses that are to be kept, and what is left.
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
		return nil, nil, ownf("read what was spent: %w", err)
	}
	var all []expense
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, nil, ownf("read what was spent from %s: %w", l.File, err)
	}
	for _, e := range all {
		wei, err := market.ParseWei(e.Wei)
		if err != nil {
			return nil, nil, ownf("read what was spent from %s: %w", l.File, err)
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

// write puts a new file in the old one's place.
func (l *ledger) write(expenses []expense) error {
	raw, err := json.Marshal(expenses)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(l.File), 0o700); err != nil {
		return ownf("write what is spent: %w", err)
	}
	if err := durable.Replace(l.File, raw); err != nil {
		return ownf("write what is spent: %w", err)
	}
	return nil
}
