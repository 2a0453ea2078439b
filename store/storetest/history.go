package storetest

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
)

// History is a store and a chain to which random actions are applied.
type History struct {
	Store   *store.Store
	Chain   *Chain
	Random  *rand.Rand
	Agents  []market.Agent
	tasks   []market.Task
	wallets []common.Address                // wallets of humans, with or without an account
	humans  map[common.Address]market.Human // by wallet
	Session map[uuid.UUID]common.Hash       // SHA-256 of each human's session id, keyed by human id
	pool    []Tx                            // transactions that a reorganisation dropped, to be mined again
	recent  [][]Tx
	claims  []Tx // postings without a terms hash
}

// NewHistory returns a history whose actions depend only on the seed.
func NewHistory(t *testing.T, seed uint64) *History {
	t.Helper()
	h := &History{Store: New(t), Random: rand.New(rand.NewPCG(seed, 1)), humans: make(map[common.Address]market.Human)}
	h.Session = make(map[uuid.UUID]common.Hash)
	h.Chain = NewChain(t, h.Store)
	for range 2 {
		h.Agents = append(h.Agents, Agent(t, h.Store))
	}
	for i := range 6 {
		h.tasks = append(h.tasks, Task(t, h.Store, h.Agents[i%2], func(task *market.Task) {
			if i%3 > 0 {
				at := h.Chain.Head().Time.Add(time.Duration(i) * 24 * time.Hour)
				task.Deadline = &at
			}
		}))
	}
	for range 4 {
		h.wallets = append(h.wallets, NewWallet())
	}
	return h
}

// Collect adds to met the statuses in which the records of the history ended.
func (h *History) Collect(t *testing.T, met *sync.Map) {
	t.Helper()
	var statuses []string
	if err := DB(t, h.Store).Select(&statuses, `
		SELECT 'task ' || status FROM tasks
		UNION SELECT 'application ' || status FROM applications`); err != nil {
		t.Fatal(err)
	}
	for _, status := range statuses {
		met.Store(status, true)
	}
}

func (h *History) task() market.Task { return h.tasks[h.Random.IntN(len(h.tasks))] }

func (h *History) wallet() common.Address { return h.wallets[h.Random.IntN(len(h.wallets))] }

// Happen performs a random step, which is usually a block, sometimes a request or a reorganisation.
func (h *History) Happen(t *testing.T) {
	t.Helper()
	if n := h.Random.IntN(100); n < 12 {
		h.reorganise(t)
	} else {
		h.Act(t, n)
	}
}

// Act performs an action other than a reorganisation; n is from 12 to 99.
func (h *History) Act(t *testing.T, n int) {
	t.Helper()
	switch {
	case n < 18:
		h.signIn(t)
	case n < 30:
		h.apply(t)
	case n < 34:
		h.decide(t)
	case n < 38:
		h.claim(t)
	default:
		h.mine(t)
	}
}

func (h *History) mine(t *testing.T) {
	t.Helper()
	if h.Random.IntN(8) == 0 {
		h.Chain.Pass(time.Duration(h.Random.Int64N(int64(3 * 24 * time.Hour))).Truncate(time.Second))
	}
	if h.Random.IntN(40) == 0 {
		h.Chain.Pass(40 * 24 * time.Hour)
	}
	var txs []Tx
	for range h.Random.IntN(5) {
		txs = append(txs, h.transaction(t))
	}
	h.include(t, txs)
}

// include mines a block with txs and some of the dropped transactions, in random order.
func (h *History) include(t *testing.T, txs []Tx) {
	t.Helper()
	for len(h.pool) > 0 && h.Random.IntN(4) > 0 {
		i := h.Random.IntN(len(h.pool))
		txs = append(txs, h.pool[i])
		h.pool = append(h.pool[:i], h.pool[i+1:]...)
	}
	h.Random.Shuffle(len(txs), func(i, j int) { txs[i], txs[j] = txs[j], txs[i] })
	if n := h.Chain.Head().Number; n > 10 {
		h.Chain.Finalized = max(h.Chain.Finalized, n-10)
	}
	h.Chain.Mine(t, txs...)
	h.recent = append(h.recent, txs)
}

// transaction returns a random transaction, usually one that advances a task.
func (h *History) transaction(t *testing.T) Tx {
	t.Helper()
	state := h.Chain.State()
	id := state.TaskOf(h.task())
	if n := len(state.Tasks); n > 0 && h.Random.IntN(4) == 0 {
		id = uint64(1 + h.Random.IntN(n)) // any posting, including those that are not linked to a task
	}
	of := Numbered(id)
	if id > 0 && h.Random.IntN(3) > 0 {
		return h.further(t, of, state.Tasks[id])
	}
	switch h.Random.IntN(10) {
	case 0, 1, 2:
		return Post(t, h.task(), false)
	case 3:
		task := h.task()
		task.AgentWallet = NewWallet() // another wallet posts with this task's terms
		return Post(t, task, false)
	case 4:
		h.claims = append(h.claims, Post(t, h.task(), true))
		return h.claims[len(h.claims)-1]
	case 5, 6:
		return Stake(t, of, h.wallet())
	case 7:
		return Reject(t, of, h.staker(id))
	case 8:
		return Withdraw(t, of, h.staker(id))
	default:
		return Cancel(t, of)
	}
}

// staker returns the wallet of an open stake on the posting, or a random wallet if there is none.
func (h *History) staker(taskID uint64) common.Address {
	stakes := h.Chain.State().Stakes
	for id := uint64(1); id <= uint64(len(stakes)); id++ {
		if stakes[id].TaskID == taskID && stakes[id].Status == market.StakeLive {
			return stakes[id].Human
		}
	}
	return h.wallet()
}

func (h *History) further(t *testing.T, of Target, e *market.EscrowTask) Tx {
	t.Helper()
	status, yes := e.Status, h.Random.IntN(2) == 0
	switch {
	case status == market.ChainPosted && yes:
		return Stake(t, of, h.wallet())
	case status == market.ChainPosted:
		return Accept(t, of, h.staker(e.ID))
	case status == market.ChainActive:
		return Submit(t, of, NewHash())
	case status == market.ChainSubmitted && h.Random.IntN(3) == 0:
		return Dispute(t, of, yes)
	case status == market.ChainSubmitted && h.Random.IntN(3) == 0:
		return Approve(t, of)
	case h.Random.IntN(4) == 0:
		return Settle(t, of)
	default:
		return Decide(t, of, yes)
	}
}

func (h *History) reorganise(t *testing.T) {
	t.Helper()
	if h.Rewind(t) {
		h.include(t, nil)
	}
}

// Rewind drops blocks and saves their transactions, so that they can be mined again. It returns
// false if every block is finalized.
func (h *History) Rewind(t *testing.T) bool {
	t.Helper()
	maxDepth := min(len(h.recent), int(h.Chain.Head().Number-h.Chain.Finalized))
	if maxDepth == 0 {
		return false
	}
	depth := 1 + h.Random.IntN(maxDepth)
	for _, txs := range h.recent[len(h.recent)-depth:] {
		h.pool = append(h.pool, txs...)
	}
	h.recent = h.recent[:len(h.recent)-depth]
	h.Chain.Rewind(t, depth)
	return true
}

func (h *History) signIn(t *testing.T) {
	t.Helper()
	wallet, session := h.wallet(), NewSession()
	human, err := h.Store.SignIn(t.Context(), NewLogin(t, h.Store, wallet), Newcomer(wallet), session)
	if err != nil {
		t.Fatalf("SignIn() error = %v", err)
	}
	h.humans[wallet], h.Session[human.ID] = human, session.IDHash
}

// apply creates an application by each human with an account, to a random task. The store can
// reject it because the task is not funded or the human has already applied.
func (h *History) apply(t *testing.T) {
	t.Helper()
	for _, wallet := range h.wallets {
		human, ok := h.humans[wallet]
		if !ok {
			continue
		}
		_, err := h.Store.CreateApplication(t.Context(), NewApplication(h.task(), human))
		if err != nil && market.KindOf(err) == "" {
			t.Fatalf("CreateApplication() error = %v", err)
		}
	}
}

func (h *History) decide(t *testing.T) {
	t.Helper()
	task := h.task()
	page, err := h.Store.Applications(t.Context(), task.ID, store.PageQuery{Page: 1, PageSize: 20})
	if err != nil {
		t.Fatalf("Applications() error = %v", err)
	}
	for _, a := range page.Items {
		_, err := h.Store.UpdateApplication(t.Context(), task.ID, a.ID, (*market.Application).Reject)
		if err != nil && market.KindOf(err) == "" {
			t.Fatalf("UpdateApplication() error = %v", err)
		}
	}
}

func (h *History) claim(t *testing.T) {
	t.Helper()
	if len(h.claims) == 0 {
		return
	}
	hash := h.claims[h.Random.IntN(len(h.claims))].Hash
	err := h.Store.LinkFunding(t.Context(), h.task().ID, market.Posting{TxHash: hash})
	if err != nil && market.KindOf(err) == "" {
		t.Fatalf("LinkFunding() error = %v", err)
	}
}
