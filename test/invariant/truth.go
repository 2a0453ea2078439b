package invariant

import (
	"maps"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/market"
)

// Truth is the state that follows from the canonical logs up to a block.
type Truth struct {
	Head   market.Block
	Logs   []market.Log
	Tasks  map[uint64]*market.EscrowTask
	Stakes map[uint64]*market.Stake

	byTask, byStake map[uint64][]market.Log
	contracts       *chain.Contracts
	deployment      market.Deployment
}

// NewTruth returns the state of the contracts before their first log.
func NewTruth(contracts *chain.Contracts, deployment market.Deployment) *Truth {
	return &Truth{
		Tasks: make(map[uint64]*market.EscrowTask), Stakes: make(map[uint64]*market.Stake),
		byTask: make(map[uint64][]market.Log), byStake: make(map[uint64][]market.Log), contracts: contracts, deployment: deployment,
	}
}

// Add adds the logs of the next block. Logs of other contracts are ignored.
func (t *Truth) Add(block market.Block, logs []*types.Log) error {
	t.Head = block
	for _, l := range logs {
		if !slices.Contains(t.deployment.Contracts(), l.Address) {
			continue
		}
		event, err := t.contracts.Decode(*l)
		if err != nil {
			return err
		}
		log := market.Log{
			ChainID: t.deployment.ChainID, Address: l.Address, Block: block, TxHash: l.TxHash, TxIndex: l.TxIndex, Index: l.Index,
			Topics: l.Topics, Data: l.Data, Event: event,
		}
		t.Logs = append(t.Logs, log)
		if event.OfTask() {
			t.byTask[event.TaskID] = append(t.byTask[event.TaskID], log)
		}
		if event.OfStake() {
			t.byStake[event.ApplicationID] = append(t.byStake[event.ApplicationID], log)
		}
	}
	return nil
}

// Fold computes the tasks and stakes from the added logs.
func (t *Truth) Fold() (err error) {
	for id, logs := range t.byTask {
		if t.Tasks[id], err = market.FoldEscrowTask(logs, func(market.Log) uint64 { return 1 }); err != nil {
			return err
		}
	}
	for id, logs := range t.byStake {
		if t.Stakes[id], err = market.FoldStake(logs); err != nil {
			return err
		}
	}
	return nil
}

// EscrowOf returns the posting that funds the task with these terms: the first one, as the service
// links them; nil if there is none.
func (t *Truth) EscrowOf(terms common.Hash) *market.EscrowTask {
	var found *market.EscrowTask
	for _, e := range t.Tasks {
		if e.TermsHash == terms && (found == nil || e.ID < found.ID) {
			found = e
		}
	}
	return found
}

// Agrees compares a task in the API, which was created with these terms, with the chain.
func (t *Truth) Agrees(terms common.Hash, got client.Task) error {
	e := t.EscrowOf(terms)
	want, number := market.StatusAt(e, nil, t.Head.Time), ""
	if e != nil {
		number = strconv.FormatUint(e.ID, 10)
	}
	escrowID := ""
	if got.EscrowTaskID != nil {
		escrowID = *got.EscrowTaskID
	}
	if string(got.Status) != string(want) || escrowID != number {
		return Violated(Agree, "task %s: the API returns status %s and escrow task %q, but on the chain they are %s and %q", got.ID, got.Status, escrowID, want, number)
	}
	return nil
}

// Ended checks that no task and no stake is open.
func (t *Truth) Ended() error {
	for _, id := range slices.Sorted(maps.Keys(t.Tasks)) {
		if e := t.Tasks[id]; !e.Status.Ended() {
			return Violated(End, "task %d is still %s", id, e.Status)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(t.Stakes)) {
		if s := t.Stakes[id]; s.Status == market.StakeLive || s.Status == market.StakeActivated {
			return Violated(End, "the stake of application %d is still %s", id, s.Status)
		}
	}
	return nil
}
