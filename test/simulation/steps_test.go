package simulation_test

import (
	"math/big"
	"math/rand/v2"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

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

// act performs an action that the rules allow; Direct without the service.
type act struct {
	Pick   uint32
	Direct bool
}

func (s act) play(w *world) error {
	possible, err := w.deeds(true)
	if err != nil || len(possible) == 0 {
		return err
	}
	var weighed []deed // so that most tasks get far before they end
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
	case market.ActionFund, market.ActionApprove, market.ActionVerdict, market.ActionSettle:
		return 4
	case market.ActionApply, market.ActionDispute:
		return 2
	default:
		return 1
	}
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
		return invariant.Violated("the contracts refuse what the rules forbid", "%s succeeded", d)
	}
	w.seen["refused attempt"]++
	return nil
}

// mine adds blocks. Omit selects the transactions that the first one leaves out: one in eight.
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

// reorg replaces the last blocks. Their transactions are reordered, or lost, or pending again.
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

// watch takes steps of a server's watcher, and keep one of its keeper.
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

// cut loses a server's next COMMIT or the response to it.
type cut struct {
	Server int
	Lost   cutting
}

func (s cut) play(w *world) error {
	w.cuts[s.Server] = s.Lost
	return nil
}

// kill ends a server in the middle of a step, or between two steps if After is larger than the
// number of the step's requests to the node, and starts another one.
type kill struct {
	Server, After int
	Keeper        bool
}

func (s kill) play(w *world) error {
	w.servers[s.Server].pauseAt(s.After, s.Keeper)
	w.servers[s.Server].kill()
	return w.startServer(s.Server)
}

// pause stops a server in the middle of a step, and resume continues it.
type pause struct {
	Server, After int
	Keeper        bool
}

func (s pause) play(w *world) error {
	w.servers[s.Server].pauseAt(s.After, s.Keeper)
	return nil
}

type resume struct{ Server int }

func (s resume) play(w *world) error {
	w.servers[s.Server].resume()
	return nil
}

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

// confirm sends a hint about a transaction that funded a task.
type confirm struct{ Pick uint32 }

func (s confirm) play(w *world) error { return w.confirm(s.Pick) }

// drawers draw the steps of each kind; a kind is repeated by its weight.
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
		{8, func(r *rand.Rand) []step { return []step{pass{draw(r, shortTimes)}} }},
		{4, func(r *rand.Rand) []step { return []step{pass{draw(r, longTimes)}, mine{Blocks: 1}} }},
		{10, func(r *rand.Rand) []step {
			return []step{fail{r.IntN(2), draw(r, faults()), 1 + r.IntN(30), 1 + r.IntN(8)}}
		}},
		{6, func(r *rand.Rand) []step { return []step{reorg{depth(r), r.Uint64()}} }},
		{4, func(r *rand.Rand) []step {
			return []step{cut{r.IntN(instances), draw(r, []cutting{cutCommit, cutAnswer})}}
		}},
		{2, func(r *rand.Rand) []step { return []step{kill{r.IntN(instances), r.IntN(12), r.IntN(3) == 0}} }},
		{2, func(r *rand.Rand) []step { return []step{pause{r.IntN(instances), r.IntN(8), r.IntN(3) == 0}} }},
		{2, func(r *rand.Rand) []step { return []step{resume{r.IntN(instances)}} }},
		{2, func(r *rand.Rand) []step { return []step{fees{draw(r, []int64{1, 40, 6_000, 20_000})}} }},
		{2, func(r *rand.Rand) []step { return []step{skew{seconds(r, 30), seconds(r, 30)}} }},
		{3, func(r *rand.Rand) []step { return []step{confirm{r.Uint32()}} }},
	} {
		for range kind.weight {
			all = append(all, kind.draw)
		}
	}
	return all
}

var (
	shortTimes = []time.Duration{time.Second, 5 * time.Second, 20 * time.Second, 4 * time.Minute}
	longTimes  = []time.Duration{time.Hour, 24*time.Hour - time.Second, 25 * time.Hour, 73 * time.Hour, 31 * 24 * time.Hour}
)

func draw[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func seconds(r *rand.Rand, most int64) time.Duration {
	return time.Duration(r.Int64N(2*most+1)-most) * time.Second
}

// depth draws the depth of a reorg: mostly a few blocks, sometimes up to 64.
func depth(r *rand.Rand) int {
	if r.IntN(8) == 0 {
		return 1 + r.IntN(64)
	}
	return 1 + r.IntN(6)
}

// most and least are the numbers of draws in a history.
const least, most = 15, 40

// history returns the steps of a seed.
func history(seed uint64) []step {
	r := rand.New(rand.NewPCG(seed, 0))
	kinds := drawers()
	// The API answers once the deployment has been followed.
	steps := []step{watch{0, 100}, post{0, 10}, act{Pick: r.Uint32()}, mine{Blocks: 1}, watch{0, 20}}
	if r.IntN(10) == 0 { // enough blocks for a deep reorg
		steps = append(steps, mine{Blocks: 64}, watch{0, 80})
	}
	for range least + r.IntN(most-least) {
		steps = append(steps, draw(r, kinds)(r)...)
	}
	return steps
}
