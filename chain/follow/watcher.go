package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// releaseTimeout bounds the release of a lease at the end of a run.
const releaseTimeout = 2 * time.Second

// WatcherOptions configures a watcher. The zero value follows the head without delay.
type WatcherOptions struct {
	Holder       string        // identifies this process in the lease; required with several watchers
	Lease        time.Duration // lifetime of a lease without renewal; 15 s if zero
	Poll         time.Duration // pause between two reads of the head; 500 ms if zero
	Range        uint64        // largest number of finalized blocks per request; 2,000 if zero
	Logs         int           // largest number of logs per range and commit, unless one block has more; 2,000 if zero
	StallTimeout time.Duration // time without a new head before another provider is tried; 10 s if zero
	// Doubt is how long repeated checks must agree before the watcher accepts that the chain became
	// shorter or that finality was violated; in most cases the nodes only lag. It is also the time without
	// progress after which a provider on another branch is used. 3 min if zero.
	Doubt time.Duration
	// Reorged is called after each rewind with the number of dropped blocks. It must not block.
	// Optional.
	Reorged func(depth uint64)
	// Trace begins a trace for each step. Optional.
	Trace chain.Trace
}

func (o WatcherOptions) complete() WatcherOptions {
	o.Holder = cmp.Or(o.Holder, "watcher")
	o.Lease = cmp.Or(o.Lease, 15*time.Second)
	o.Poll = cmp.Or(o.Poll, 500*time.Millisecond)
	o.Range = cmp.Or(o.Range, 2_000)
	o.Logs = cmp.Or(o.Logs, 2_000)
	o.StallTimeout = cmp.Or(o.StallTimeout, 10*time.Second)
	o.Doubt = cmp.Or(o.Doubt, 3*time.Minute)
	if o.Reorged == nil {
		o.Reorged = func(uint64) {}
	}
	if o.Trace == nil {
		o.Trace = chain.NoTrace
	}
	return o
}

// Progress is the result of a step.
type Progress string

// The possible results of a step.
const (
	CaughtUp Progress = "caught_up" // no new block
	Advanced Progress = "advanced"  // followed one block or one range
	Rewound  Progress = "rewound"   // rewound to the last common block
	Standby  Progress = "standby"   // another watcher leads
)

// Outcome is the result of one step.
type Outcome struct {
	Progress Progress
	Head     uint64       // the provider's latest block; 0 on standby
	Block    market.Block // the last followed block after the step
	Logs     int          // number of logs followed in this step
}

// Watcher follows the logs of one deployment's contracts and stores them in a journal. Any number
// of watchers can use one journal. Only the watcher that has the lease follows the chain.
type Watcher struct {
	node      *rpc.Node
	journal   Journal
	contracts *chain.Contracts
	addresses []common.Address
	options   WatcherOptions
	log       *slog.Logger
	wake      chan struct{}

	// Used only by the goroutine that calls Step.
	lease      market.Lease
	leadsSince time.Time // when this watcher acquired the lease
	renewed    time.Time
	rangeSize  uint64        // blocks per request
	cautious   bool          // whether a range could not be read, so that later ones grow slowly
	prefetched prefetches    // ranges that are read ahead of the current step
	belowSince time.Time     // time at which the head fell below the cursor; zero if it is not below
	forkSince  time.Time     // time of the first check that found a fork below a finalized block; zero if none
	rereadAt   time.Time     // time at which to read doubtful blocks again
	reread     uint64        // number of the last doubtful block that was read again
	halted     error         // the declared violation of finality; nil if none
	head       uint64        // the highest head reported so far
	headSince  time.Time     // when head was first reported, or when a provider was marked as failed because of it
	behindAt   time.Time     // time of the last comparison with the heads of other providers; see checkBehind
	faulty     *rpc.Provider // the provider of the last failed step; nil after a step that made progress
	faultyAt   time.Time     // time of the first failed step of faulty
	agreed     rpc.Levels    // the highest levels that all providers have reported; see agreedLevels

	mu     sync.Mutex
	status Status
}

// Status is a watcher's state, for readiness checks and metrics.
type Status struct {
	Leading bool
	Epoch   int64     // epoch of the lease; 0 if this watcher does not lead
	Since   time.Time // when this watcher last acquired the lease
	Outcome Outcome
	Err     error     // error of the last step; nil if it succeeded
	Stopped bool      // set if following has stopped until the nodes agree again or an operator acts
	At      time.Time // time of the last step
}

// NewWatcher returns a watcher. Run or Step starts it.
func NewWatcher(node *rpc.Node, journal Journal, contracts *chain.Contracts, options WatcherOptions, log *slog.Logger) *Watcher {
	options = options.complete()
	return &Watcher{
		node: node, journal: journal, contracts: contracts, addresses: contracts.Deployment().Contracts(),
		options: options, log: log, wake: make(chan struct{}, 1), rangeSize: min(firstRange, options.Range),
	}
}

// Run follows until ctx ends, releases the lease and returns nil. After a violation of finality, it
// releases the lease, repeats the check, and resumes when the nodes agree with the journal again.
// It returns an error only for ErrUnknownEvent, because continuing would make the records wrong.
func (w *Watcher) Run(ctx context.Context) error {
	defer w.Release(context.WithoutCancel(ctx))
	for ctx.Err() == nil {
		// Errors after cancellation are expected.
		_, err := w.CatchUp(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, market.ErrFinalityViolated) {
			return err
		}
		w.pause(ctx, w.options.Poll)
	}
	return nil
}

// CatchUp follows until it reaches the head or another process leads, and returns the last outcome.
// It retries temporary failures. It returns market.ErrFinalityViolated, ErrUnknownEvent or ctx's
// error.
func (w *Watcher) CatchUp(ctx context.Context) (Outcome, error) {
	defer w.prefetched.drop()
	w.rereadAt = zeroTime
	for wait := w.options.Poll; ; {
		outcome, err := w.tracedStep(ctx)
		switch {
		case ctx.Err() != nil:
			return Outcome{}, ctx.Err()
		case isFatal(err):
			return Outcome{}, fmt.Errorf("follow the chain: %w", err)
		case err != nil:
			wait = min(2*wait, 10*w.options.Poll)
			w.pause(ctx, wait)
		case outcome.Progress == CaughtUp || outcome.Progress == Standby:
			return outcome, nil
		default:
			wait = w.options.Poll
		}
	}
}

// tracedStep calls Step in a trace and logs temporary failures.
func (w *Watcher) tracedStep(ctx context.Context) (Outcome, error) {
	ctx, end := w.options.Trace(ctx)
	outcome, err := w.Step(ctx)
	end(err)
	if err != nil && !isFatal(err) && ctx.Err() == nil {
		w.log.WarnContext(ctx, "watch step failed; will retry", slog.Any("err", err))
	}
	return outcome, err
}

// isFatal reports whether the watcher must stop following because of err.
func isFatal(err error) bool {
	return errors.Is(err, market.ErrFinalityViolated) || errors.Is(err, chain.ErrUnknownEvent)
}

// pause waits for d. It returns early on Wake or when ctx ends.
func (w *Watcher) pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-w.wake:
	case <-timer.C:
	}
}

// Wake makes Run read the head at once. It never blocks.
func (w *Watcher) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Status returns the watcher's state after the last step.
func (w *Watcher) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// Leads returns the lease's epoch while this watcher leads.
func (w *Watcher) Leads() (epoch int64, ok bool) {
	status := w.Status()
	return status.Epoch, status.Leading
}

// Step follows the next block or range, rewinds to the last common block, or finds that there is no
// new block. It is not safe for concurrent use. If it returns an error, the journal has either the
// complete step or no change.
func (w *Watcher) Step(ctx context.Context) (Outcome, error) {
	outcome, err := w.step(ctx)
	if errors.Is(err, market.ErrNotLeader) {
		w.lease = market.Lease{}
		w.prefetched.drop()
		outcome, err = Outcome{Progress: Standby}, nil
	}
	if errors.Is(err, market.ErrFinalityViolated) {
		w.halt(ctx, err)
	}
	reported := err
	// A declared violation remains in effect if the check failed, for example because no provider
	// responded.
	if w.halted != nil && !isFatal(err) {
		reported = w.halted
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status = Status{
		Leading: w.lease.Epoch > 0, Epoch: w.lease.Epoch, Since: w.leadsSince,
		Outcome: outcome, Err: reported, Stopped: isFatal(reported), At: time.Now(),
	}
	return outcome, err
}

func (w *Watcher) step(ctx context.Context) (Outcome, error) {
	if err := w.resume(ctx); err != nil {
		return Outcome{}, err
	}
	if err := w.lead(ctx); err != nil {
		return Outcome{}, err
	}
	cursor, err := w.journal.Cursor(ctx)
	if err != nil {
		return Outcome{}, fmt.Errorf("read the cursor: %w", err)
	}
	if cursor.Epoch != w.lease.Epoch {
		return Outcome{}, market.ErrNotLeader
	}
	p, err := w.provider(ctx, cursor)
	if err != nil {
		return Outcome{}, err
	}
	if time.Now().After(w.rereadAt) {
		w.rereadAt = time.Now().Add(w.options.Poll)
		w.rereadAll(ctx, cursor)
	}
	outcome, err := w.follow(ctx, p, cursor)
	err = w.checkUnknown(ctx, p, err)
	if _, faulty := errors.AsType[*rpc.ProviderError](err); faulty && ctx.Err() == nil {
		w.fail(p, err)
	} else if err == nil && outcome.Progress != CaughtUp { // CaughtUp: the provider may be stuck
		p.Succeeded()
		w.faulty = nil
	}
	return outcome, err
}

// lead acquires the lease, and renews it after a third of its lifetime.
func (w *Watcher) lead(ctx context.Context) error {
	if w.lease.Epoch > 0 && time.Since(w.renewed) < w.options.Lease/3 {
		return nil
	}
	requestedAt := time.Now()
	lease, err := w.journal.Lead(ctx, w.options.Holder, w.options.Lease)
	if err != nil {
		return fmt.Errorf("acquire the watcher's lease: %w", err)
	}
	if lease.Epoch != w.lease.Epoch {
		w.log.InfoContext(ctx, "acquired the watcher's lease", slog.Int64("epoch", lease.Epoch))
		w.leadsSince = requestedAt
	}
	w.lease, w.renewed = lease, requestedAt
	return nil
}

// Release releases the lease, so that another process can acquire it at once. Call it after the
// last step, from the goroutine that calls Step. Run calls it.
func (w *Watcher) Release(ctx context.Context) {
	if w.lease.Epoch == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
	defer cancel()
	if err := w.journal.Release(ctx, w.lease); err != nil {
		w.log.WarnContext(ctx, "releasing the watcher's lease failed; it expires by itself", slog.Any("err", err))
	}
	w.lease = market.Lease{}
}
