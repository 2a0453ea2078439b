package simulation_test

import (
	"cmp"
	"math/big"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/test/invariant"
)

// step is one act in a history. A step chooses among what is possible when it is played: Pick
// selects one of the possible actions, so that a history remains valid without some of its steps.
type step interface{ play(w *world) error }

// post records a task through the API.
type post struct {
	Agent  int
	Tokens int64
}

func (s post) play(w *world) error { return w.post(w.agents[s.Agent%len(w.agents)], tokens(s.Tokens)) }

// act performs an action that the rules allow, without the service if Direct is set.
type act struct {
	Pick   uint32
	Direct bool
}

func (s act) play(w *world) error {
	possible, err := w.deeds(true)
	if err != nil || len(possible) == 0 {
		return err
	}
	var weighed []deed // weighted, so that most tasks advance far before they end
	for _, d := range possible {
		for range weightOf(d.action) {
			weighed = append(weighed, d)
		}
	}
	return w.act(weighed[s.Pick%uint32(len(weighed))], s.Direct)
}

func weightOf(action market.Action) int {
	switch action { //nolint:exhaustive // the others are equally likely
	case market.ActionAccept, market.ActionSubmit:
		return 10
	case market.ActionFund, market.ActionApprove, market.ActionDispute, market.ActionVerdict, market.ActionSettle:
		return 4
	case market.ActionApply:
		return 2
	default:
		return 1
	}
}

// hire performs the possible action that is closest to a submission.
type hire struct{ Pick uint32 }

func (s hire) play(w *world) error {
	possible, err := w.deeds(true)
	if err != nil {
		return err
	}
	for _, action := range []market.Action{market.ActionSubmit, market.ActionAccept, market.ActionApply, market.ActionFund} {
		var next []deed
		for _, d := range possible {
			if d.action == action {
				next = append(next, d)
			}
		}
		if len(next) > 0 {
			return w.act(next[s.Pick%uint32(len(next))], false)
		}
	}
	return nil
}

// attempt sends a transaction that the rules forbid. The contracts must refuse it.
type attempt struct{ Pick uint32 }

func (s attempt) play(w *world) error {
	all, err := w.deeds(false)
	if err != nil {
		return err
	}
	var forbidden []deed
	for _, d := range all {
		if !d.anyone() {
			forbidden = append(forbidden, d)
		}
	}
	if len(forbidden) == 0 {
		return nil
	}
	d := forbidden[s.Pick%uint32(len(forbidden))]
	hash, err := w.send(d.by, w.call(d))
	if err != nil {
		return err
	}
	if err := w.mine(func(tx *types.Transaction) bool { return tx.Hash() != hash }); err != nil {
		return err
	}
	if r := w.chain.Head().Receipt(hash); r != nil && r.Status == types.ReceiptStatusSuccessful {
		return invariant.Violated(invariant.Refusal, "%s succeeded", d)
	}
	w.count("refused attempt")
	return nil
}

// mine adds blocks. Unless Omit is 0, it selects the transactions that the first block leaves out: about
// one in eight.
type mine struct {
	Blocks int
	Omit   uint64
}

func (s mine) play(w *world) error {
	omit := rand.New(rand.NewPCG(s.Omit, 0))
	for i := range s.Blocks {
		if err := w.mine(func(*types.Transaction) bool { return i == 0 && s.Omit > 0 && omit.IntN(8) == 0 }); err != nil {
			return err
		}
	}
	return nil
}

// reorg replaces the last blocks. Some of their transactions are lost, some are pending again, and the
// others may be reordered.
type reorg struct {
	Depth   int
	Shuffle uint64
}

func (s reorg) play(w *world) error {
	depth := min(s.Depth, int(w.chain.Head().NumberU64()-w.base.chain.Head().NumberU64()))
	if depth == 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(s.Shuffle, 0))
	return w.chain.Reorg(depth, w.now(), func(txs []*types.Transaction) (mined, pending []*types.Transaction) {
		for _, tx := range txs {
			switch random.IntN(8) {
			case 0: // lost
				if w.byKeeper(tx) {
					w.count(keeperDropped)
				}
			case 1:
				pending = append(pending, tx)
			default:
				mined = append(mined, tx)
			}
		}
		if random.IntN(2) == 0 {
			random.Shuffle(len(mined), func(i, j int) { mined[i], mined[j] = mined[j], mined[i] })
		}
		return mined, pending
	})
}

// watch runs steps of a server's watcher, and keep a step of its keeper.
type watch struct{ Server, Steps int }

func (s watch) play(w *world) error {
	_ = w.servers[s.Server].watch(s.Steps) // errors are retried
	return nil
}

type keep struct{ Server int }

func (s keep) play(w *world) error {
	_ = w.servers[s.Server].keep() // errors are retried
	return nil
}

// audit runs a round of a server's auditor, if its watcher leads.
type audit struct{ Server int }

func (s audit) play(w *world) error {
	_ = w.servers[s.Server].audit() // errors are retried
	return nil
}

// pass lets time pass.
type pass struct{ Time time.Duration }

func (s pass) play(w *world) error { return w.pass(s.Time) }

// fail makes a provider faulty for some calls.
type fail struct {
	Provider int
	Fault    fault
	Calls    int
	Lag      int
}

func (s fail) play(w *world) error {
	p := w.providers[s.Provider]
	p.fault, p.calls, p.lag, p.kept = s.Fault, s.Calls, s.Lag, w.chain.Head()
	return nil
}

// cut loses a server's next COMMIT, or the response to it.
type cut struct {
	Server int
	Lost   cutting
}

func (s cut) play(w *world) error {
	w.commits[s.Server].next = s.Lost
	return nil
}

// kill ends a server in the middle of a step, or between two steps if After is larger than the
// number of the step's requests to the node, and starts another one.
type kill struct {
	Server, After int
	Role          role
}

func (s kill) play(w *world) error {
	killed := w.servers[s.Server]
	if err := killed.pauseAt(s.After, s.Role); err != nil {
		return err
	}
	if killed.stalled == nil {
		w.count(killedBetween)
	}
	if err := killed.kill(); err != nil {
		return err
	}
	return w.startServer(s.Server)
}

// pause stops the server that leads in a role, in the middle of a step, and resume continues it. If
// no server holds the lease, pause stops Server, whose step acquires the lease.
type pause struct {
	Server, After int
	Role          role
}

func (s pause) play(w *world) error {
	held, err := w.lease(s.Role)
	if err != nil {
		return err
	}
	return cmp.Or(held.leader, w.servers[s.Server]).pauseAt(s.After, s.Role)
}

type resume struct{ Server int }

func (s resume) play(w *world) error { return w.servers[s.Server].resume() }

// fees sets the chain's base fee.
type fees struct{ Gwei int64 }

func (s fees) play(w *world) error {
	w.chain.SetBaseFee(big.NewInt(s.Gwei * params.GWei))
	return nil
}

// skew sets the differences between the servers' clocks and those of the chain and the database.
type skew struct{ Chain, Database time.Duration }

func (s skew) play(w *world) error {
	w.chainSkew, w.databaseSkew = s.Chain, s.Database
	return nil
}

// confirm sends the API the hash of a transaction that funded a task.
type confirm struct{ Pick uint32 }

func (s confirm) play(w *world) error { return w.confirm(s.Pick) }

// suspend suspends the account of a user, or reinstates a suspended one.
type suspend struct {
	Pick      uint32
	Reinstate bool
}

func (s suspend) play(w *world) error {
	moderation := w.servers[0].store // errors are ignored, because a server can lose the COMMIT
	if s.Reinstate && len(w.suspensions) > 0 {
		_, _ = moderation.Moderation.Lift(w.ctx, w.suspensions[s.Pick%uint32(len(w.suspensions))], "ada")
		return nil
	}
	p := w.people()[s.Pick%uint32(len(w.people()))]
	d := market.Decision{
		ID: uuid.Must(uuid.NewV7()), Subject: market.Subject{Kind: market.SubjectProfile}, Measure: market.MeasureSuspend,
		Territory: "worldwide", Facts: "Spam.", Clause: "3.1", DecidedBy: "ada",
	}
	if err := w.db.GetContext(w.ctx, &d.Subject.ID, `SELECT id FROM users WHERE wallet = $1`, p.wallet.Address()); err != nil {
		return err
	}
	if _, err := moderation.Moderation.Decide(w.ctx, d); err == nil {
		w.count(suspended)
		w.suspensions = append(w.suspensions, d.ID)
	}
	return nil
}

// drawers returns the functions that draw the steps of each kind. Each occurs as many times as its weight.
func drawers() []func(*rand.Rand) []step {
	var all []func(*rand.Rand) []step
	for _, kind := range []struct {
		weight int
		draw   func(*rand.Rand) []step
	}{
		{5, func(r *rand.Rand) []step {
			return []step{post{r.IntN(2), 1 + r.Int64N(20)}, act{Pick: r.Uint32()}, mine{Blocks: 1}}
		}},
		{34, func(r *rand.Rand) []step {
			return []step{act{r.Uint32(), r.IntN(6) == 0}, mine{Blocks: 1, Omit: r.Uint64N(2) * r.Uint64()}, watch{r.IntN(instances), 1 + r.IntN(8)}}
		}},
		{4, func(r *rand.Rand) []step { return []step{attempt{r.Uint32()}} }},
		{4, func(r *rand.Rand) []step { return []step{mine{Blocks: 1 + r.IntN(3)}} }},
		{10, func(r *rand.Rand) []step { return []step{watch{r.IntN(instances), 1 + r.IntN(8)}} }},
		{8, func(r *rand.Rand) []step { return []step{keep{r.IntN(instances)}, mine{Blocks: 1}} }},
		{4, func(*rand.Rand) []step { return onAll(func(server int) step { return audit{server} }) }},
		{8, func(r *rand.Rand) []step { return []step{pass{draw(r, shortTimes)}} }},
		{4, func(r *rand.Rand) []step { return []step{pass{draw(r, longTimes)}, mine{Blocks: 1}} }},
		{10, func(r *rand.Rand) []step {
			return []step{fail{r.IntN(2), draw(r, faults()), 1 + r.IntN(30), 1 + r.IntN(8)}}
		}},
		{6, func(r *rand.Rand) []step { return []step{reorg{depth(r), r.Uint64()}} }},
		{4, func(r *rand.Rand) []step {
			return []step{cut{r.IntN(instances), draw(r, []cutting{cutCommit, cutAnswer})}}
		}},
		{2, func(r *rand.Rand) []step { return []step{kill{r.IntN(instances), stopAt(r), draw(r, roles())}} }},
		{3, drawPause},
		{6, drawJob},
		{2, func(r *rand.Rand) []step { return []step{resume{r.IntN(instances)}} }},
		{2, func(r *rand.Rand) []step { return []step{fees{draw(r, append(spikes, 1))}} }},
		{2, func(r *rand.Rand) []step { return []step{skew{seconds(r, 30), seconds(r, 30)}} }},
		{3, func(r *rand.Rand) []step { return []step{confirm{r.Uint32()}} }},
	} {
		for range kind.weight {
			all = append(all, kind.draw)
		}
	}
	return all
}

// drawPause pauses a leader. In most cases another server takes over before it continues.
func drawPause(r *rand.Rand) []step {
	steps := []step{pause{r.IntN(instances), stopAt(r), draw(r, roles())}}
	if r.IntN(4) > 0 {
		steps = append(steps, pass{draw(r, []time.Duration{20 * time.Second, 4 * time.Minute})})
		steps = append(steps, onAll(func(server int) step { return watch{server, 1 + r.IntN(4)} })...)
		steps = append(steps, onAll(func(server int) step { return keep{server} })...)
	}
	if r.IntN(2) == 0 {
		steps = append(steps, onAll(func(server int) step { return resume{server} })...)
	}
	return steps
}

// stopAt draws the number of requests to a node before a step stops. Most steps make few requests.
func stopAt(r *rand.Rand) int { return r.IntN(1 + r.IntN(12)) }

// onAll returns a step for each server.
func onAll(of func(server int) step) []step {
	var steps []step
	for server := range instances {
		steps = append(steps, of(server))
	}
	return steps
}

// drawJob makes a submitted task due for settlement, and disturbs the keeper, which settles it.
func drawJob(r *rand.Rand) []step {
	var steps []step
	watches := onAll(func(server int) step { return watch{server, 8} })
	keeps := onAll(func(server int) step { return keep{server} })
	for range 3 {
		steps = slices.Concat(steps, []step{hire{r.Uint32()}, mine{Blocks: 1}}, watches)
	}
	steps = slices.Concat(steps, []step{pass{draw(r, dueTimes)}, mine{Blocks: 1}}, watches)
	switch r.IntN(6) {
	case 0: // the nodes drop the transaction, or reject it but mine it
		f := draw(r, []fault{dropsSent, deniesSent})
		return slices.Concat(steps, []step{fail{Provider: 0, Fault: f, Calls: 40}, fail{Provider: 1, Fault: f, Calls: 40}}, keeps, []step{mine{Blocks: 1}})
	case 1: // fees rise after the transaction was sent
		return slices.Concat(steps, keeps, []step{fees{draw(r, spikes)}, mine{Blocks: 1}, pass{40 * time.Second}}, keeps, []step{mine{Blocks: 1}})
	case 2: // fees are high
		return slices.Concat(steps, []step{fees{draw(r, spikes)}}, keeps, []step{mine{Blocks: 1}})
	case 3: // the keeper is paused while another one takes over
		return slices.Concat(steps, []step{pause{r.IntN(instances), stopAt(r), keeping}, pass{20 * time.Second}}, keeps, []step{mine{Blocks: 1}},
			onAll(func(server int) step { return resume{server} }))
	default: // reorgs follow
		steps = append(steps, keeps...)
		for range 3 {
			steps = append(steps, mine{Blocks: 1}, watch{r.IntN(instances), 2}, reorg{1 + r.IntN(3), r.Uint64()})
		}
		return append(steps, keeps...)
	}
}

// dueTimes are the delays after which a submitted task can be settled, plus an hour.
var dueTimes = []time.Duration{
	market.ApprovedReview + time.Hour, market.DisputedReview + time.Hour, market.SettleDelay + time.Hour, market.SettleDelay + time.Hour,
}

// spikes are high base fees, in gwei. The last one is above the keeper's limit.
var spikes = []int64{40, 6_000, 20_000}

var (
	shortTimes = []time.Duration{time.Second, 5 * time.Second, 20 * time.Second, 4 * time.Minute}
	longTimes  = []time.Duration{time.Hour, 24*time.Hour - time.Second, 25 * time.Hour, 73 * time.Hour, 31 * 24 * time.Hour}
)

func draw[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func seconds(r *rand.Rand, most int64) time.Duration {
	return time.Duration(r.Int64N(2*most+1)-most) * time.Second
}

// deepest is the maximum depth of a reorg, in blocks.
const deepest = 64

// depth draws the depth of a reorg: mostly a few blocks, sometimes up to deepest.
func depth(r *rand.Rand) int {
	if r.IntN(8) == 0 {
		return 1 + r.IntN(deepest)
	}
	return 1 + r.IntN(6)
}

// least and most limit the number of draws in a history: least inclusive, most exclusive.
const least, most = 15, 40

// history returns the steps of a seed.
func history(seed uint64) []step {
	r := rand.New(rand.NewPCG(seed, 0))
	kinds := drawers()
	// The API responds only after the deployment has been followed.
	steps := []step{watch{0, 100}, post{0, 10}, act{Pick: r.Uint32()}, mine{Blocks: 1}, watch{0, 20}}
	beginning, draws, deepAt := len(steps), least+r.IntN(most-least), -1
	if r.IntN(6) == 0 { // enough blocks for a deep reorg
		steps = append(steps, mine{Blocks: deepest}, watch{0, 80})
		deepAt = r.IntN(draws)
	}
	for i := range draws {
		steps = append(steps, draw(r, kinds)(r)...)
		if i == deepAt {
			steps = append(steps, reorg{deepest/2 + 1 + r.IntN(deepest/2), r.Uint64()})
		}
	}
	others := rand.New(rand.NewPCG(seed, 1)) // separate, so that suspensions do not change a seed's other steps
	for range others.IntN(6) {
		steps = slices.Insert(steps, beginning+others.IntN(len(steps)-beginning), step(suspend{others.Uint32(), others.IntN(3) == 0}))
	}
	broken := rand.New(rand.NewPCG(seed, 3)) // separate for the same reason
	for range broken.IntN(6) {
		next := fail{broken.IntN(2), draw(broken, errorFaults()), 1 + broken.IntN(60), broken.IntN(1 << 10)}
		steps = slices.Insert(steps, beginning+broken.IntN(len(steps)-beginning), step(next))
	}
	return steps
}
