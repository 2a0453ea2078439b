package chain

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"slices"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/market"
)

// searchRange is how many blocks a search for one record's logs asks about at once.
const searchRange = 2_000

// search asks one provider after the other for the logs of a record and returns
// the blocks in which they differ from the journal's. The answers are hints: the
// watcher reads these blocks with receipts.
func (a *Auditor) search(ctx context.Context, at market.Block, r market.OnchainRef) ([]uint64, error) {
	places, err := a.records.LogPlaces(ctx, r)
	if err != nil {
		return nil, err
	}
	from, err := a.openedAfter(ctx, r, places)
	if err != nil {
		return nil, err
	}
	var failed error
	for _, p := range a.node.witnesses() {
		if failed = p.check(ctx, a.node.want); failed != nil {
			continue
		}
		found, err := p.logPlaces(ctx, a.contracts, r, from, at.Number)
		if err != nil {
			failed = err
			continue
		}
		if blocks := disputedBlocks(places, found, at.Number); len(blocks) > 0 {
			return blocks, nil
		}
	}
	return nil, failed
}

// openedAfter returns a block before which the record has no logs: its own first
// log's, or that of the record that the contract opened before it.
func (a *Auditor) openedAfter(ctx context.Context, r market.OnchainRef, places []market.LogPlace) (uint64, error) {
	for len(places) == 0 && r.ID > 1 {
		r.ID--
		var err error
		if places, err = a.records.LogPlaces(ctx, r); err != nil {
			return 0, err
		}
	}
	if len(places) == 0 {
		return a.contracts.deployment.StartBlock, nil
	}
	return places[0].Block, nil
}

// logPlaces asks for all logs that name the record, which is their first argument.
func (p *provider) logPlaces(ctx context.Context, c *Contracts, r market.OnchainRef, from, to uint64) ([]market.LogPlace, error) {
	contract := c.deployment.Escrow
	if r.Kind == market.OnchainApplication {
		contract = c.deployment.Staking
	}
	var places []market.LogPlace
	for ; from <= to; from += searchRange {
		asking, cancel := context.WithTimeout(ctx, p.options.BatchTimeout)
		logs, err := p.client.FilterLogs(asking, ethereum.FilterQuery{
			FromBlock: new(big.Int).SetUint64(from), ToBlock: new(big.Int).SetUint64(min(from+searchRange-1, to)),
			Addresses: []common.Address{contract}, Topics: [][]common.Hash{nil, {common.BigToHash(number(r.ID))}},
		})
		cancel()
		if err != nil {
			return nil, p.errorf("search the logs of %s: %w", r, err)
		}
		for _, log := range logs {
			places = append(places, market.LogPlace{Block: log.BlockNumber, Index: log.Index})
		}
	}
	return places, nil
}

// disputedBlocks returns the blocks, up to one, in which the two lists differ.
func disputedBlocks(ours, theirs []market.LogPlace, upTo uint64) []uint64 {
	disputed := make(map[uint64]bool)
	for _, pair := range [][2][]market.LogPlace{{ours, theirs}, {theirs, ours}} {
		for _, place := range pair[0] {
			if place.Block <= upTo && !slices.Contains(pair[1], place) {
				disputed[place.Block] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(disputed))
}

// witnesses returns the providers, the current one last: what it left out it may
// leave out again.
func (n *Node) witnesses() []*provider {
	providers := n.inTurn()
	return append(providers[1:], providers[0])
}

// callsAt calls views of deployed contracts in the state of one block. It asks
// one provider after the other, the current one last, until one answers from
// that state; it returns errNoState when none keeps it.
func (n *Node) callsAt(ctx context.Context, block common.Hash, calls []Call) ([]hexutil.Bytes, error) {
	failed := errNoState
	for _, p := range n.witnesses() {
		err := p.check(ctx, n.want)
		if err == nil {
			var answers []hexutil.Bytes
			answers, err = p.callsAt(ctx, block, calls)
			if err == nil && slices.ContainsFunc(answers, func(b hexutil.Bytes) bool { return len(b) == 0 }) {
				err = p.errorf("call the contracts at block %s: %w", block, errNone)
			}
			if err == nil {
				return answers, nil
			}
		}
		if !errors.Is(err, errNoState) {
			failed = err
		}
	}
	return nil, failed
}
