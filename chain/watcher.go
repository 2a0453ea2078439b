package chain

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
)

// releaseTimeout bounds the release of a lease at the end of a run.
const releaseTimeout = 2 * time.Second

// WatcherOptions tune a watcher. The zero value follows the head closely.
type WatcherOptions struct {
	Holder   string        // names this process in the lease; required where several run
	Lease    time.Duration // how long the right to follow lasts without renewal; 15 s if zero
	Poll     time.Duration // between two looks at the head; 500 ms if zero
	Depth    uint64        // blocks on top of one before it is followed
	Range    uint64        // most blocks asked for at once behind finality; 2,000 if zero
	Logs     int           // most logs that one range may bring into memory and into one commit, unless one block has more; 10,000 if zero
	Patience time.Duration // how long a head may stand still before another provider is tried; 10 s if zero
	// Doubt is how long repeated checks must agree before the watcher believes
	// that the chain became shorter or that finality was violated: nearly always
	// the nodes lag. 3 min if zero.
	Doubt time.Duration
}

func (o WatcherOptions) complete() WatcherOptions {
	if o.Holder == "" {
		o.Holder = "watcher"
	}
	if o.Lease == 0 {
		o.Lease = 15 * time.Second
	}
	if o.Poll == 0 {
		o.Poll = 500 * time.Millisecond
	}
	if o.Range == 0 {
		o.Range = 2_000
	}
	if o.Logs == 0 {
		o.Logs = 10_000
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Doubt == 0 {
		o.Doubt = 3 * time.Minute
	}
	return o
}

// Progress is what a step did.
type Progress string

// What a step can do.
const (
	CaughtUp Progress = "caught_up" // nothing to follow yet
	Advanced Progress = "advanced"  // followed one block, or a range
	Rewound  Progress = "rewound"   // went back to where the chain forked
	Standby  Progress = "standby"   // another watcher leads
)

// Outcome is the result of one step.
type Outcome struct {
	Progress Progress
	Head     uint64       // the provider's latest block; 0 on standby
	Block    market.Block // the last block followed, after the step
	Logs     int          // followed in this step
}

// Watcher follows the logs of one deployment's contracts into a journal. Any
// number may run against one journal: the holder of the lease follows, the
// others stand by.
type Watcher struct {
	node      *Node
	journal   Journal
	contracts *Contracts
	addresses []common.Address
	options   WatcherOptions
	log       *slog.Logger
	wake      chan struct{}

	// Of the one goroutine that steps.
	lease      market.Lease
	renewed    time.Time
	span       uint64     // blocks to ask for at once
	ahead      prefetches // read before they are needed
	belowSince time.Time  // since when the head is below the cursor; zero when it is not
	forkSince  time.Time  // since when the chain forks below a finalized block; zero when it does not
	rereadAt   time.Time  // when to look for blocks to read again
	halted     error      // the violation of finality that was declared; nil for none
	head       uint64     // the highest seen
	headSince  time.Time  // when it was first seen, or a provider was left because of it

	mu     sync.Mutex
	status Status
}

// Status is where a watcher stands, for readiness checks and metrics.
type Status struct {
	Leading bool
	Epoch   int64 // of the lease, while leading
	Outcome Outcome
	Err     error     // of the last step; nil when it went well
	Stopped bool      // the watcher follows nothing until the nodes agree again or an operator acts
	At      time.Time // of the last step
}

// NewWatcher returns a watcher that has not begun.
func NewWatcher(node *Node, journal Journal, contracts *Contracts, options WatcherOptions, log *slog.Logger) *Watcher {
	options = options.complete()
	return &Watcher{
		node: node, journal: journal, contracts: contracts, addresses: contracts.deployment.Contracts(),
		options: options, log: log, wake: make(chan struct{}, 1), span: options.Range,
	}
}

// Run follows until ctx ends, gives up the lease and returns nil. A violation of
// finality halts it: it leaves the lease to others, checks on, and resumes when
// the nodes agree with the journal again. It returns an error only when going on
// would do harm: ErrUnknownEvent.
func (w *Watcher) Run(ctx context.Context) error {
	defer w.Release(context.WithoutCancel(ctx))
	for ctx.Err() == nil {
		// Errors after cancellation are expected.
		_, err := w.CatchUp(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, market.ErrFinalityViolated) {
			return err
		}
		w.sleep(ctx, w.options.Poll)
	}
	return nil
}

// CatchUp follows until it is at the head, or another process leads, and returns
// which. It retries temporary failures. It returns market.ErrFinalityViolated,
// ErrUnknownEvent or ctx's error.
func (w *Watcher) CatchUp(ctx context.Context) (Outcome, error) {
	defer w.ahead.drop()
	w.rereadAt = zeroTime
	for wait := w.options.Poll; ; {
		outcome, err := w.Step(ctx)
		switch {
		case ctx.Err() != nil:
			return Outcome{}, ctx.Err()
		case stops(err):
			return Outcome{}, fmt.Errorf("follow the chain: %w", err)
		case err != nil:
			w.log.WarnContext(ctx, "watch step failed; will retry", slog.Any("err", err))
			wait = min(2*wait, 10*w.options.Poll)
			w.sleep(ctx, wait)
		case outcome.Progress == CaughtUp || outcome.Progress == Standby:
			return outcome, nil
		default:
			wait = w.options.Poll
		}
	}
}

// stops reports whether nothing more can be followed at present.
func stops(err error) bool {
	return errors.Is(err, market.ErrFinalityViolated) || errors.Is(err, ErrUnknownEvent)
}

// sleep ends early when it is woken, or when ctx ends.
func (w *Watcher) sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-w.wake:
	case <-timer.C:
	}
}

// Wake makes Run look at the head at once. It never blocks.
func (w *Watcher) Wake() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// Status returns where the watcher stands.
func (w *Watcher) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// Leads tells the lease's epoch while this watcher leads.
func (w *Watcher) Leads() (epoch int64, ok bool) {
	status := w.Status()
	return status.Epoch, status.Leading
}

// Step does one thing: follow the next block or range, go back to a fork, or
// find that there is nothing to do. It is not safe for concurrent use. After an
// error the journal is where it was, or where the step would have taken it.
func (w *Watcher) Step(ctx context.Context) (Outcome, error) {
	outcome, err := w.step(ctx)
	if errors.Is(err, market.ErrNotLeader) {
		w.lease = market.Lease{}
		w.ahead.drop()
		outcome, err = Outcome{Progress: Standby}, nil
	}
	if errors.Is(err, market.ErrFinalityViolated) {
		w.halt(ctx, err)
	}
	said := err
	if w.halted != nil && !stops(err) { // such as a node that does not answer the check
		said = w.halted
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status = Status{
		Leading: w.lease.Epoch > 0, Epoch: w.lease.Epoch, Outcome: outcome, Err: said, Stopped: stops(said), At: time.Now(),
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
	p, err := w.node.pick(ctx, cursor.Block.Hash)
	if err != nil {
		return Outcome{}, err
	}
	if time.Now().After(w.rereadAt) {
		w.rereadAt = time.Now().Add(w.options.Poll)
		w.rereadAll(ctx, p, cursor)
	}
	outcome, err := w.follow(ctx, p, cursor)
	if _, faulty := errors.AsType[*ProviderError](err); faulty && ctx.Err() == nil {
		p.failed(time.Now())
	} else if err == nil && outcome.Progress != CaughtUp { // which proves nothing: the provider may be stuck
		p.succeeded()
	}
	return outcome, err
}

// lead acquires the lease, and renews it every third of its life.
func (w *Watcher) lead(ctx context.Context) error {
	if w.lease.Epoch > 0 && time.Since(w.renewed) < w.options.Lease/3 {
		return nil
	}
	asked := time.Now()
	lease, err := w.journal.Lead(ctx, w.options.Holder, w.options.Lease)
	if err != nil {
		return fmt.Errorf("take the lead: %w", err)
	}
	if lease.Epoch != w.lease.Epoch {
		w.log.InfoContext(ctx, "watcher leads", slog.Int64("epoch", lease.Epoch))
	}
	w.lease, w.renewed = lease, asked
	return nil
}

// Release gives up the lease, so that another process need not wait for its end.
// It is for the goroutine that steps, after its last step; Run does it itself.
func (w *Watcher) Release(ctx context.Context) {
	if w.lease.Epoch == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, releaseTimeout)
	defer cancel()
	if err := w.journal.Release(ctx, w.lease); err != nil {
		w.log.WarnContext(ctx, "the watcher's lease was not released; it ends by itself", slog.Any("err", err))
	}
	w.lease = market.Lease{}
}
