package store_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// history is a store and a chain to which random actions are applied.
type history struct {
	s       *store.Store
	chain   *storetest.Chain
	random  *rand.Rand
	agents  []market.Agent
	tasks   []market.Task
	wallets []common.Address // wallets of humans, with or without an account
	known   map[common.Address]market.Human
	session map[uuid.UUID]common.Hash // SHA-256 of each human's session id, keyed by human id
	pool    []storetest.Tx            // transactions that a reorganisation dropped, to be mined again
	recent  [][]storetest.Tx
	claims  []storetest.Tx // postings without a terms hash
}

func newHistory(t *testing.T, seed uint64) *history {
	t.Helper()
	h := &history{s: storetest.New(t), random: rand.New(rand.NewPCG(seed, 1)), known: make(map[common.Address]market.Human)}
	h.session = make(map[uuid.UUID]common.Hash)
	h.chain = storetest.NewChain(t, h.s)
	for range 2 {
		h.agents = append(h.agents, storetest.Agent(t, h.s))
	}
	for i := range 6 {
		h.tasks = append(h.tasks, storetest.Task(t, h.s, h.agents[i%2], func(task *market.Task) {
			if i%3 > 0 {
				at := h.chain.Head().Time.Add(time.Duration(i) * 24 * time.Hour)
				task.Deadline = &at
			}
		}))
	}
	for range 4 {
		h.wallets = append(h.wallets, newWallet())
	}
	return h
}

// collect adds to met the statuses in which the records of the history ended.
func (h *history) collect(t *testing.T, met *sync.Map) {
	t.Helper()
	var statuses []string
	if err := storetest.DB(t, h.s).Select(&statuses, `
		SELECT 'task ' || status FROM tasks
		UNION SELECT 'application ' || status FROM applications`); err != nil {
		t.Fatal(err)
	}
	for _, status := range statuses {
		met.Store(status, true)
	}
}

func (h *history) task() market.Task { return h.tasks[h.random.IntN(len(h.tasks))] }

func (h *history) wallet() common.Address { return h.wallets[h.random.IntN(len(h.wallets))] }

// happen performs a random step, which is usually a block, sometimes a request or a reorganisation.
func (h *history) happen(t *testing.T) {
	t.Helper()
	if n := h.random.IntN(100); n < 12 {
		h.reorganise(t)
	} else {
		h.act(t, n)
	}
}

// act performs an action other than a reorganisation; n is from 12 to 99.
func (h *history) act(t *testing.T, n int) {
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

func (h *history) mine(t *testing.T) {
	t.Helper()
	if h.random.IntN(8) == 0 {
		h.chain.Pass(time.Duration(h.random.Int64N(int64(3 * 24 * time.Hour))).Truncate(time.Second))
	}
	if h.random.IntN(40) == 0 {
		h.chain.Pass(40 * 24 * time.Hour)
	}
	var txs []storetest.Tx
	for range h.random.IntN(5) {
		txs = append(txs, h.transaction(t))
	}
	h.include(t, txs)
}

// include mines a block with txs and some of the dropped transactions, in random order.
func (h *history) include(t *testing.T, txs []storetest.Tx) {
	t.Helper()
	for len(h.pool) > 0 && h.random.IntN(4) > 0 {
		i := h.random.IntN(len(h.pool))
		txs = append(txs, h.pool[i])
		h.pool = append(h.pool[:i], h.pool[i+1:]...)
	}
	h.random.Shuffle(len(txs), func(i, j int) { txs[i], txs[j] = txs[j], txs[i] })
	if n := h.chain.Head().Number; n > 10 {
		h.chain.Finalized = max(h.chain.Finalized, n-10)
	}
	h.chain.Mine(t, txs...)
	h.recent = append(h.recent, txs)
}

// transaction returns a random transaction, usually one that advances a task.
func (h *history) transaction(t *testing.T) storetest.Tx {
	t.Helper()
	state := h.chain.State()
	id := state.TaskOf(h.task())
	if n := len(state.Tasks); n > 0 && h.random.IntN(4) == 0 {
		id = uint64(1 + h.random.IntN(n)) // any posting, including those that are not linked to a task
	}
	of := storetest.Numbered(id)
	if id > 0 && h.random.IntN(3) > 0 {
		return h.further(t, of, state.Tasks[id])
	}
	switch h.random.IntN(10) {
	case 0, 1, 2:
		return storetest.Post(t, h.task(), false)
	case 3:
		task := h.task()
		task.AgentWallet = newWallet() // another wallet posts with this task's terms
		return storetest.Post(t, task, false)
	case 4:
		h.claims = append(h.claims, storetest.Post(t, h.task(), true))
		return h.claims[len(h.claims)-1]
	case 5, 6:
		return storetest.Stake(t, of, h.wallet())
	case 7:
		return storetest.Reject(t, of, h.staker(id))
	case 8:
		return storetest.Withdraw(t, of, h.staker(id))
	default:
		return storetest.Cancel(t, of)
	}
}

// staker returns the wallet of an open stake on the posting, or a random wallet if there is none.
func (h *history) staker(taskID uint64) common.Address {
	stakes := h.chain.State().Stakes
	for id := uint64(1); id <= uint64(len(stakes)); id++ {
		if stakes[id].TaskID == taskID && stakes[id].Status == market.StakeLive {
			return stakes[id].Human
		}
	}
	return h.wallet()
}

func (h *history) further(t *testing.T, of storetest.Target, e *market.EscrowTask) storetest.Tx {
	t.Helper()
	status, yes := e.Status, h.random.IntN(2) == 0
	switch {
	case status == market.ChainPosted && yes:
		return storetest.Stake(t, of, h.wallet())
	case status == market.ChainPosted:
		return storetest.Accept(t, of, h.staker(e.ID))
	case status == market.ChainActive:
		return storetest.Submit(t, of, newHash())
	case status == market.ChainSubmitted && h.random.IntN(3) == 0:
		return storetest.Dispute(t, of, yes)
	case status == market.ChainSubmitted && h.random.IntN(3) == 0:
		return storetest.Approve(t, of)
	case h.random.IntN(4) == 0:
		return storetest.Settle(t, of)
	default:
		return storetest.Decide(t, of, yes)
	}
}

func (h *history) reorganise(t *testing.T) {
	t.Helper()
	if h.rewind(t) {
		h.include(t, nil)
	}
}

// rewind drops blocks and saves their transactions, so that they can be mined again. It returns
// false if every block is finalized.
func (h *history) rewind(t *testing.T) bool {
	t.Helper()
	most := min(len(h.recent), int(h.chain.Head().Number-h.chain.Finalized))
	if most == 0 {
		return false
	}
	depth := 1 + h.random.IntN(most)
	for _, txs := range h.recent[len(h.recent)-depth:] {
		h.pool = append(h.pool, txs...)
	}
	h.recent = h.recent[:len(h.recent)-depth]
	h.chain.Rewind(t, depth)
	return true
}

func (h *history) signIn(t *testing.T) {
	t.Helper()
	wallet, session := h.wallet(), newSession()
	human, err := h.s.SignIn(t.Context(), loginChallenge(t, h.s, wallet), newcomer(wallet), session)
	if err != nil {
		t.Fatalf("SignIn() error = %v", err)
	}
	h.known[wallet], h.session[human.ID] = human, session.IDHash
}

// apply creates an application by each human with an account, to a random task. The store can
// reject it because the task is not funded or the human has already applied.
func (h *history) apply(t *testing.T) {
	t.Helper()
	for _, wallet := range h.wallets {
		human, known := h.known[wallet]
		if !known {
			continue
		}
		_, err := h.s.CreateApplication(t.Context(), newApplication(h.task(), human))
		if err != nil && market.KindOf(err) == "" {
			t.Fatalf("CreateApplication() error = %v", err)
		}
	}
}

func (h *history) decide(t *testing.T) {
	t.Helper()
	task := h.task()
	page, err := h.s.Applications(t.Context(), task.ID, store.PageQuery{Page: 1, PageSize: 20})
	if err != nil {
		t.Fatalf("Applications() error = %v", err)
	}
	for _, a := range page.Items {
		_, err := h.s.UpdateApplication(t.Context(), task.ID, a.ID, (*market.Application).Reject)
		if err != nil && market.KindOf(err) == "" {
			t.Fatalf("UpdateApplication() error = %v", err)
		}
	}
}

func (h *history) claim(t *testing.T) {
	t.Helper()
	if len(h.claims) == 0 {
		return
	}
	hash := h.claims[h.random.IntN(len(h.claims))].Hash
	err := h.s.LinkFunding(t.Context(), h.task().ID, market.Posting{TxHash: hash})
	if err != nil && market.KindOf(err) == "" {
		t.Fatalf("LinkFunding() error = %v", err)
	}
}
