package simulation_test

// Events that are counted: effects of faults, and others that must happen.
const (
	auditRound     = "an audit round"
	feeSpike       = "the base fee is above that of a pending transaction of the keeper"
	feeLimit       = "the keeper reaches its fee limit"
	keeperReplaces = "the keeper replaces a transaction"
	keeperDropped  = "a reorg drops a transaction of the keeper"
	followedReorg  = "followed reorg"
	deepReorg      = "followed reorg of more than 8 blocks"
	deepestReorg   = "followed reorg of 33 or more blocks"
	killedInStep   = "a server is killed in the middle of a step"
	killedBetween  = "a server is killed between two steps"
	suspended      = "a user is suspended"
)

// Owners of clocks that can differ from the servers' clock.
const (
	chainClock    = "the chain"
	databaseClock = "the database"
)

func nodeFault(f fault) string        { return "a node " + string(f) }
func pausedLeader(r role) string      { return "the leading " + string(r) + " is paused" }
func deposed(r role) string           { return "the paused " + string(r) + " no longer leads" }
func clockAhead(whose string) string  { return "the clock of " + whose + " is ahead" }
func clockBehind(whose string) string { return "the clock of " + whose + " is behind" }

// effects returns the events that must happen in many histories: each kind of fault must take effect.
func effects() []string {
	all := []string{
		auditRound, followedReorg, deepReorg, deepestReorg, feeSpike, feeLimit, keeperReplaces, keeperDropped, killedInStep, killedBetween,
		suspended, string(cutCommit), string(cutAnswer),
	}
	for _, f := range append(faults(), errorFaults()...) {
		all = append(all, nodeFault(f))
	}
	for _, role := range roles() {
		all = append(all, pausedLeader(role), deposed(role))
	}
	for _, clock := range []string{chainClock, databaseClock} {
		all = append(all, clockAhead(clock), clockBehind(clock))
	}
	return all
}

// countReorg counts a reorg that a watcher followed.
func (w *world) countReorg(depth uint64) {
	w.count(followedReorg)
	if depth > 8 {
		w.count(deepReorg)
	}
	if depth > deepest/2 {
		w.count(deepestReorg)
	}
}

// countLate counts the effects of faults that are visible only after the last step.
func (w *world) countLate() error {
	var limited bool
	if err := w.db.GetContext(w.ctx, &limited, `SELECT EXISTS (SELECT FROM keeper_lease WHERE limited_at IS NOT NULL)`); err != nil {
		return err
	}
	if limited {
		w.count(feeLimit)
	}
	for _, p := range w.providers {
		for _, hash := range p.denied {
			if w.chain.Head().Receipt(hash) != nil {
				w.count(nodeFault(deniesSent))
			}
		}
	}
	return nil
}
