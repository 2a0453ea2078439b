package e2e_test

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/market"
)

// watchedChain sends random transactions, and records everything that was ever true of the chain.
type watchedChain struct {
	*world
	random *rand.Rand
	from   uint64

	now             []watchedEvent
	ever            map[string]map[common.Hash][]uint64 // event → transaction → blocks
	dropped         []*types.Transaction
	reorganisations int
}

// watchedEvent is an event of the current chain.
type watchedEvent struct {
	market.Event
	what string
	tx   common.Hash
	mine bool
}

func newWatchedChain(w *world, random *rand.Rand) *watchedChain {
	return &watchedChain{world: w, random: random, from: w.net.Head(w.t).Number + 1, ever: map[string]map[common.Hash][]uint64{}}
}

// record reads the chain.
func (c *watchedChain) record() {
	c.t.Helper()
	c.now = nil
	if c.net.Head(c.t).Number < c.from {
		return
	}
	logs, err := c.net.Dev.Client().FilterLogs(c.ctx, ethereum.FilterQuery{
		FromBlock: new(big.Int).SetUint64(c.from), Addresses: []common.Address{c.net.Deployment.Escrow, c.net.Deployment.Staking},
	})
	c.must(err)
	for _, log := range logs {
		event, err := c.net.Contracts.Decode(log)
		c.must(err)
		e := watchedEvent{Event: event, tx: log.TxHash, what: fmt.Sprintf("%s %d", event.Kind, event.TaskID)}
		if event.Kind == market.EventStakeLocked {
			e.what = fmt.Sprintf("application %d", event.ApplicationID)
		}
		c.now = append(c.now, e)
		if c.ever[e.what] == nil {
			c.ever[e.what] = map[common.Hash][]uint64{}
		}
		if blocks := c.ever[e.what][e.tx]; !slices.Contains(blocks, log.BlockNumber) {
			c.ever[e.what][e.tx] = append(blocks, log.BlockNumber)
		}
	}
	c.attribute()
}

// attribute finds the events of the agent's tasks: some events do not name the agent.
func (c *watchedChain) attribute() {
	mine := map[uint64]bool{}
	for _, e := range c.now {
		if e.Kind == market.EventTaskPosted {
			mine[e.TaskID] = e.Agent == c.net.Agent.Address()
		}
	}
	for i, e := range c.now {
		c.now[i].mine = mine[e.TaskID] || e.Kind == market.EventStakeLocked && e.Agent == c.net.Agent.Address()
	}
}

// missing returns the chain's events that have no line.
func (c *watchedChain) missing(lines []watchLine, all bool) []string {
	var missing []string
	for _, e := range c.now {
		if !e.OfTask() && e.Kind != market.EventStakeLocked || !all && !e.mine {
			continue
		}
		told := slices.ContainsFunc(lines, func(l watchLine) bool {
			return l.what == e.what && slices.Contains(c.ever[e.what][e.tx], l.block)
		})
		if !told {
			missing = append(missing, e.what)
		}
	}
	return missing
}

// repeated returns the events with more lines than transactions that caused them: each line belongs
// to another transaction, in a block that once contained it.
func (c *watchedChain) repeated(lines []watchLine) []string {
	var repeated []string
	blocks := map[string][]uint64{}
	for _, line := range lines {
		blocks[line.what] = append(blocks[line.what], line.block)
	}
	for what, told := range blocks {
		for !assignable(told, c.ever[what], map[common.Hash]bool{}) {
			repeated = append(repeated, fmt.Sprintf("%s in block %d", what, told[len(told)-1]))
			told = told[:len(told)-1]
		}
	}
	return repeated
}

// assignable reports whether each block can be assigned a different transaction that was in it.
func assignable(blocks []uint64, transactions map[common.Hash][]uint64, taken map[common.Hash]bool) bool {
	if len(blocks) == 0 {
		return true
	}
	for tx, at := range transactions {
		if taken[tx] || !slices.Contains(at, blocks[0]) {
			continue
		}
		taken[tx] = true
		if assignable(blocks[1:], transactions, taken) {
			return true
		}
		taken[tx] = false
	}
	return false
}

// act performs one action that the contracts currently allow.
func (c *watchedChain) act() {
	c.t.Helper()
	c.record()
	amount := chaintest.Tokens(1)
	next := []func(){
		func() { c.net.Post(c.t, c.net.Agent, amount, common.Hash{1}) },
		func() { c.net.Post(c.t, c.net.OtherAgent, amount, common.Hash{}) },
		c.sendAgain,
	}
	stages := c.stages()
	for _, task := range slices.Sorted(maps.Keys(stages)) {
		last, agent := stages[task], c.net.Agent
		if last.Agent != agent.Address() {
			agent = c.net.OtherAgent
		}
		switch last.Kind {
		case market.EventTaskPosted:
			next = append(next,
				func() { c.net.Accept(c.t, agent, task, c.applied(task)) },
				func() { c.net.Cancel(c.t, agent, task) })
		case market.EventTaskCreated:
			next = append(next, func() { c.net.Submit(c.t, c.net.Human, task, common.Hash{2}) })
		case market.EventTaskSubmitted:
			next = append(next, func() { c.net.Approve(c.t, agent, task) }, func() { c.net.Dispute(c.t, agent, task) })
		}
	}
	next[c.random.IntN(len(next))]()
}

// stages returns the last status-changing event of each task.
func (c *watchedChain) stages() map[uint64]market.Event {
	stages := map[uint64]market.Event{}
	for _, e := range c.now {
		if e.Agent != (common.Address{}) && e.OfTask() && e.Kind != market.EventTaskCreatedWithApplication {
			stages[e.TaskID] = e.Event
		}
	}
	return stages
}

// applied has the human apply, unless the application exists.
func (c *watchedChain) applied(task uint64) uint64 {
	for _, e := range c.now {
		if e.Kind == market.EventApplicationForTask && e.TaskID == task {
			return e.ApplicationID
		}
	}
	id, _ := c.net.Apply(c.t, c.net.Human, task, chaintest.Tokens(1))
	return id
}

// sendAgain sends a transaction that a reorganisation has dropped, if its nonce is still the
// account's next one.
func (c *watchedChain) sendAgain() {
	for i, tx := range c.dropped {
		nonce, err := c.net.Dev.Client().NonceAt(c.ctx, senderOf(tx), nil)
		c.must(err)
		if nonce == tx.Nonce() {
			c.dropped = slices.Delete(c.dropped, i, i+1)
			c.must(c.net.Dev.Client().SendTransaction(c.ctx, tx))
			for _, err = c.net.Dev.Client().TransactionReceipt(c.ctx, tx.Hash()); err != nil; {
				c.pause("wait for a transaction that was sent again")
				_, err = c.net.Dev.Client().TransactionReceipt(c.ctx, tx.Hash())
			}
			return
		}
	}
}

// reorganise drops some blocks and mines as many others, with some of their transactions in another
// order: only the order within each account stays.
func (c *watchedChain) reorganise() {
	c.t.Helper()
	depth := 1 + c.random.IntN(8)
	if c.random.IntN(6) == 0 {
		depth = 1 + c.random.IntN(deepestReorg)
	}
	head := c.net.Head(c.t).Number
	if depth = min(depth, int(head+1-c.from)); depth < 1 {
		return
	}
	byAccount := map[common.Address][]*types.Transaction{}
	for number := head + 1 - uint64(depth); number <= head; number++ {
		block, err := c.net.Dev.Client().BlockByNumber(c.ctx, new(big.Int).SetUint64(number))
		c.must(err)
		for _, tx := range block.Transactions() {
			byAccount[senderOf(tx)] = append(byAccount[senderOf(tx)], tx)
		}
	}
	c.net.Reorg(c.t, depth, c.shuffle(byAccount, depth)...)
	c.reorganisations++
}

// shuffle gives most transactions new places. When a transaction is dropped, so are all later ones
// of its account.
func (c *watchedChain) shuffle(byAccount map[common.Address][]*types.Transaction, depth int) []devnet.ForkTx {
	var placed []devnet.ForkTx
	for _, account := range slices.SortedFunc(maps.Keys(byAccount), common.Address.Cmp) { // sorted, for reproducibility with the same seed
		all := byAccount[account]
		kept := len(all)
		if c.random.IntN(3) == 0 {
			kept = c.random.IntN(len(all) + 1)
		}
		c.dropped = append(c.dropped, all[kept:]...)
		blocks := make([]int, kept)
		for i := range blocks {
			blocks[i] = c.random.IntN(depth)
		}
		slices.Sort(blocks)
		for i, tx := range all[:kept] {
			raw, err := tx.MarshalBinary()
			c.must(err)
			placed = append(placed, devnet.ForkTx{Raw: raw, Block: blocks[i]})
		}
	}
	slices.SortStableFunc(placed, func(a, b devnet.ForkTx) int { return a.Block - b.Block })
	return placed
}

func senderOf(tx *types.Transaction) common.Address {
	from, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	if err != nil {
		panic(err)
	}
	return from
}
