//go:build operations

package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/store/localpg"
	"taskmarket/test/process"
)

// faults contains a function for each kind of fault. The function causes the fault and returns a
// function that ends it, or nil if the fault is not possible at the moment.
var faults = map[string]func(h *history, s step) (end func() error, err error){
	"kill a server":      (*history).killServer,
	"suspend the leader": (*history).suspendLeader,
	"fail over":          (*history).failOver,
	"fill the disk":      (*history).fillDisk,
	"reorganise":         (*history).reorganise,
	"answer wrongly":     (*history).answerWrongly,
}

var kinds = slices.Sorted(maps.Keys(faults))

// inflict plays the steps. The next step does not wait for the end of the fault before it.
func (h *history) inflict(steps []step) {
	var group sync.WaitGroup
	for _, s := range steps {
		time.Sleep(s.After)
		end, err := faults[s.Kind](h, s)
		h.note(s, err)
		if end == nil {
			continue
		}
		h.saw(s.Kind)
		group.Go(func() {
			time.Sleep(s.For)
			h.note(s, end())
		})
	}
	group.Wait()
}

func (h *history) saw(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seen[what]++
}

// note records the error of a step, if any.
func (h *history) note(s step, err error) {
	if err != nil {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.errs = append(h.errs, fmt.Errorf("%s: %w", s.Kind, err))
	}
}

// reserve reports whether no other step uses the server, and reserves it.
func (h *history) reserve(r *replica) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	free := !h.busy[r]
	h.busy[r] = true
	return free
}

func (h *history) release(r *replica) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.busy[r] = false
}

// killServer kills a server, and starts it again at the end.
func (h *history) killServer(s step) (func() error, error) {
	r := h.replicas[s.Pick%2]
	if !h.reserve(r) {
		return nil, nil
	}
	h.expireLeases(s)
	return func() error {
		defer h.release(r)
		return r.launch()
	}, r.kill()
}

// suspendLeader suspends the server that follows the chain, and resumes it at the end.
func (h *history) suspendLeader(s step) (func() error, error) {
	var holder string
	if err := h.query(&holder, `SELECT coalesce(holder, '') FROM chain_head`); err != nil {
		return nil, nil //nolint:nilerr // the database is unavailable
	}
	for _, r := range h.replicas {
		if !h.reserve(r) {
			continue
		}
		if !strings.HasPrefix(holder, h.instance(r)) {
			h.release(r)
			continue
		}
		err := r.proc.Signal(process.Suspend)
		h.expireLeases(s)
		return func() error {
			defer h.release(r)
			return r.proc.Signal(process.Resume)
		}, err
	}
	return nil, nil
}

// expireLeases ends the leases at once in three of four steps. Otherwise the leases would expire only
// after the fault.
func (h *history) expireLeases(s step) {
	if s.Pick%4 > 0 {
		var ignored []bool // the leases stay if the database is unavailable
		_ = h.query(&ignored, `WITH watcher AS (UPDATE chain_head SET lease_until = now() - interval '1 s') UPDATE keeper_lease SET lease_until = now() - interval '1 s' RETURNING true`)
	}
}

// query runs a query on the primary, with a short time limit.
func (h *history) query(into any, query string) error {
	db, err := openCluster(h.primary())
	if err != nil {
		return err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeout(h.ctx, time.Second)
	defer cancel()
	if _, many := into.(*[]bool); many {
		return db.SelectContext(ctx, into, query)
	}
	return db.GetContext(ctx, into, query)
}

// failOver kills the primary and promotes the standby, once in a history.
func (h *history) failOver(step) (func() error, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.promoted {
		return nil, nil
	}
	h.promoted = true
	return func() error { return nil }, h.pair.fail()
}

// fillDisk fills the disk of the primary. At the end it frees the disk and starts the primary again if
// the full disk has stopped it, as an operator would.
func (h *history) fillDisk(s step) (func() error, error) {
	hog, err := os.Create(filepath.Join(h.primaryDir(), fmt.Sprint("hog-", s.Pick)))
	if err != nil {
		return nil, nil //nolint:nilerr // the disk is full already
	}
	for zeros := make([]byte, 1<<20); err == nil; {
		_, err = hog.Write(zeros)
	}
	for err = nil; err == nil; { // up to the last byte
		_, err = hog.Write([]byte{0})
	}
	for range s.Pick % 2 * 5 { // uses up the existing WAL segments, so that PostgreSQL stops
		var ignored string
		_ = h.query(&ignored, `SELECT pg_switch_wal()::text`)
		time.Sleep(2 * writerRest)
	}
	return func() error {
		if err := os.Remove(hog.Name()); err != nil {
			return err
		}
		hog.Close()
		return h.restartPrimary()
	}, nil
}

// restartPrimary waits until the primary accepts writes, and starts it if it has ended.
func (h *history) restartPrimary() error {
	for {
		recovering, err := true, h.restart() // it fails while another step fills the disk
		if err == nil {
			err = h.query(&recovering, `SELECT pg_is_in_recovery()`)
		}
		if err == nil && !recovering {
			return nil
		}
		if h.ctx.Err() != nil {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// restart starts the primary if it has ended.
func (h *history) restart() error {
	h.mu.Lock() // so that the standby is not promoted meanwhile
	defer h.mu.Unlock()
	ended, o := &h.pair.primary, localpg.Options{Dir: h.dirs[0], Settings: append(slices.Clone(clusterSettings), synchronously)}
	if h.promoted {
		ended, o = &h.pair.standby, localpg.Options{Dir: h.dirs[1], Settings: clusterSettings}
	}
	o.Port = (*ended).Port()
	select {
	case <-(*ended).Done():
	default:
		return nil
	}
	h.seen["primary stopped by the full disk"]++
	_ = (*ended).Stop() // unlocks the directory
	again, err := localpg.Start(h.ctx, o)
	if err != nil {
		return err
	}
	h.t.Cleanup(func() { _ = again.Stop() })
	*ended = again
	return nil
}

// reorganise replaces the last blocks. Their transactions move to other blocks of the new branch, or
// they are pending until the fault ends.
func (h *history) reorganise(s step) (func() error, error) {
	if err := h.net.Dev.SetMining(h.ctx, false); err != nil { // so that no block is added meanwhile
		return nil, err
	}
	mine := func() error { return h.net.Dev.SetMining(h.ctx, true) }
	random := rand.New(rand.NewPCG(uint64(s.Pick), 0))
	depth := 1 + random.IntN(4)
	lost, err := h.lastTransactions(depth)
	if err != nil {
		return mine, err
	}
	if random.IntN(2) == 0 {
		err := h.net.Dev.Reorg(h.ctx, depth)
		for _, tx := range lost {
			if err == nil {
				err = h.net.Dev.Client().SendTransaction(h.ctx, tx)
			}
		}
		return func() error {
			if err := h.net.Dev.Mine(h.ctx, 1); err != nil {
				return err
			}
			return mine()
		}, err
	}
	var moved []devnet.ForkTx
	at := 0
	for _, tx := range lost {
		raw, err := tx.MarshalBinary()
		if err != nil {
			return mine, err
		}
		at += random.IntN(depth - at)
		moved = append(moved, devnet.ForkTx{Raw: hexutil.Bytes(raw), Block: at})
	}
	if err := h.net.Dev.Reorg(h.ctx, depth, moved...); err != nil {
		return mine, err
	}
	if err := h.net.Dev.Mine(h.ctx, 1); err != nil { // mines what was sent meanwhile
		return mine, err
	}
	return func() error { return nil }, mine()
}

// lastTransactions returns the transactions of the last blocks in their order.
func (h *history) lastTransactions(depth int) (found types.Transactions, err error) {
	client := h.net.Dev.Client()
	head, err := client.BlockNumber(h.ctx)
	if err != nil {
		return nil, err
	}
	for number := head - uint64(depth) + 1; number <= head; number++ {
		var block struct{ Transactions []*types.Transaction }
		if err := client.Client().CallContext(h.ctx, &block, "eth_getBlockByNumber", hexutil.Uint64(number), true); err != nil {
			return nil, err
		}
		found = append(found, block.Transactions...)
	}
	return found, nil
}

// lies are the ways in which a node can answer wrongly. Each changes the responses and returns true, or
// returns false to close the connection.
var lies = append(otherLies, errorLies()...)

// errorLies returns a lie for each error that real providers return with HTTP status 200.
func errorLies() (lies []func([]*chaintest.Exchange) bool) {
	faults := chaintest.ProviderFaults()
	for _, name := range slices.Sorted(maps.Keys(faults)) {
		lies = append(lies, func(calls []*chaintest.Exchange) bool {
			for _, c := range calls {
				fault := faults[name]
				c.Result, c.Fault = nil, &fault
			}
			return true
		})
	}
	return lies
}

var otherLies = []func([]*chaintest.Exchange) bool{
	func([]*chaintest.Exchange) bool { return false },
	func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			c.Result = json.RawMessage("null")
		}
		return true
	},
	func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			if c.Method == "eth_getLogs" || c.Method == "eth_getBlockReceipts" {
				c.Result = json.RawMessage("[]")
			}
		}
		return true
	},
}

// answerWrongly makes one node answer wrongly.
func (h *history) answerWrongly(s step) (func() error, error) {
	node := h.nodes[s.Pick%2]
	node.Misbehave(lies[s.Pick/2%uint32(len(lies))])
	return func() error { node.Misbehave(nil); return nil }, nil
}
