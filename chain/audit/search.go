package audit

import (
	"context"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// maxDisputed is the number of blocks that one search requests again for each provider. A record has few
// logs, but a dishonest provider can invent any number. If the journal is wrong in more blocks, later
// rounds request them.
const maxDisputed = 32

// search reads the logs of a record from every provider and returns the blocks in which they differ from
// the journal's logs, at most maxDisputed for each provider. With a limit for all providers together, the
// logs that one of them invents would hide what the others return. The responses are only hints: the
// watcher reads these blocks again with their receipts.
func (a *Auditor) search(ctx context.Context, at market.Block, r market.OnchainRef) ([]uint64, error) {
	places, err := a.records.LogPositions(ctx, r)
	if err != nil {
		return nil, err
	}
	from, err := a.openedAfter(ctx, r, places)
	if err != nil {
		return nil, err
	}
	// The record's id is the first argument of each of its events.
	query := rpc.LogQuery{Contract: a.deployment.Escrow, Topic: common.BigToHash(number(r.ID)), From: from, To: at.Number}
	if r.Kind == market.OnchainApplication {
		query.Contract = a.deployment.Staking
	}
	var disputed []uint64
	err = a.node.SearchLogs(ctx, query, func(logs []types.Log) {
		found := make([]market.LogPosition, len(logs))
		for i, log := range logs {
			found[i] = market.LogPosition{Block: log.BlockNumber, Index: log.Index}
		}
		blocks := disputedBlocks(places, found, at.Number)
		disputed = append(disputed, blocks[:min(len(blocks), maxDisputed)]...)
	})
	slices.Sort(disputed)
	return slices.Compact(disputed), err
}

// openedAfter returns a block before which the record has no logs: the block of its first log, or
// the block of the record created before it.
func (a *Auditor) openedAfter(ctx context.Context, r market.OnchainRef, places []market.LogPosition) (uint64, error) {
	for len(places) == 0 && r.ID > 1 {
		r.ID--
		var err error
		if places, err = a.records.LogPositions(ctx, r); err != nil {
			return 0, err
		}
	}
	if len(places) == 0 {
		return a.deployment.StartBlock, nil
	}
	return places[0].Block, nil
}

// disputedBlocks returns the blocks, up to upTo, in which the two lists differ.
func disputedBlocks(ours, theirs []market.LogPosition, upTo uint64) []uint64 {
	disputed := make(map[uint64]bool)
	for _, pair := range [][2][]market.LogPosition{{ours, theirs}, {theirs, ours}} {
		for _, place := range pair[0] {
			if place.Block <= upTo && !slices.Contains(pair[1], place) {
				disputed[place.Block] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(disputed))
}
