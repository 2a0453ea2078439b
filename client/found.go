package client

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/rpc"
	"taskmarket/client/internal/node"
	"taskmarket/market"
)

// clockMargin is the maximum time that the API's clock is assumed to be ahead of the chain's.
const clockMargin = 10 * time.Minute

const (
	// maxBlockRate is the maximum average number of blocks per second that a chain is assumed to add.
	maxBlockRate = 1000
	// rateMargin is added to a period, in seconds, because a chain can exceed maxBlockRate for a
	// short time.
	rateMargin = 600
)

// paidFor returns the hash of the mined transaction that paid for the task, or nil if there is
// none. It searches backwards to clockMargin before since, the time when the record was created. No
// payment can be older, because the terms contain the record's ID. It returns
// market.KindChainUnavailable if the blocks' times are impossible, because the search might then
// never end.
func (w *session) paidFor(ctx context.Context, task Task, since time.Time) (*common.Hash, error) {
	terms, err := w.terms(task)
	if err != nil {
		return nil, err
	}
	head, err := w.node.Header(ctx, ethrpc.LatestBlockNumber)
	if err != nil {
		return nil, err
	}
	since = since.Add(-clockMargin)
	for to, width := head.Number.Uint64(), uint64(node.MaxRange); ; {
		from := to + 1 - min(to+1, width)
		logs, err := w.postings(ctx, terms.Hash(), from, to)
		if _, answered := errors.AsType[ethrpc.Error](err); answered && width > 1 {
			width /= 2 // nodes reject wide ranges with different errors, so any RPC error halves the range
			continue
		}
		if err != nil {
			return nil, err
		}
		if tx, err := w.payment(ctx, logs, terms); tx != nil || err != nil {
			return tx, err
		}
		first, err := w.node.Header(ctx, ethrpc.BlockNumber(from)) //nolint:gosec // a block's number fits into int64
		if err != nil {
			return nil, err
		}
		if from == 0 || time.Unix(int64(first.Time), 0).Before(since) { //nolint:gosec // a block's time fits into int64
			return nil, nil
		}
		if err := checkRate(head.Number.Uint64()-from, first.Time, head.Time); err != nil {
			return nil, err
		}
		to = from - 1
	}
}

// checkRate returns market.KindChainUnavailable if a chain cannot have added the blocks between the two
// times, in Unix seconds. Example: 660,000 blocks in one minute are accepted, 660,001 are not.
func checkRate(blocks, since, until uint64) error {
	elapsed := min(until-min(since, until), rpc.MaxBlock/maxBlockRate) + rateMargin
	if blocks <= elapsed*maxBlockRate {
		return nil
	}
	return &market.Error{
		Kind:    market.KindChainUnavailable,
		Message: fmt.Sprintf("the node returned impossible block times: %d blocks between the Unix times %d and %d", blocks, since, until),
		Hint:    "use another node",
	}
}

// postings returns the escrow's logs that contain the terms hash, from a range of blocks.
func (w *session) postings(ctx context.Context, terms common.Hash, from, to uint64) ([]types.Log, error) {
	what := fmt.Sprintf("the logs of blocks %d to %d", from, to)
	return node.Read(ctx, w.node, what, func(ctx context.Context) ([]types.Log, error) {
		return w.node.FilterLogs(ctx, ethereum.FilterQuery{
			FromBlock: new(big.Int).SetUint64(from), ToBlock: new(big.Int).SetUint64(to),
			Addresses: []common.Address{w.deployment.Escrow},
			Topics:    [][]common.Hash{nil, nil, {terms}}, // topic 2 of TaskTerms is the terms hash
		})
	})
}

// payment returns the hash of the transaction that posted the terms with this wallet and this
// amount, or nil if there is none. It checks the wallet and the amount because any wallet can post
// the same terms hash. It returns market.KindChainUnavailable if the node has a log but not its
// receipt.
func (w *session) payment(ctx context.Context, logs []types.Log, terms market.Terms) (*common.Hash, error) {
	for _, log := range logs {
		event, err := w.deployment.calls.Decode(log)
		if err != nil || event.Kind != market.EventTaskTerms {
			continue
		}
		receipt, err := w.wallet.Sender.Receipt(ctx, log.TxHash)
		if err != nil {
			return nil, err
		}
		if receipt == nil { // possible if several nodes share one URL; returning nil would allow a second payment
			return nil, &market.Error{
				Kind:    market.KindChainUnavailable,
				Message: fmt.Sprintf("the node returned a log of transaction %s, but not its receipt", log.TxHash),
				Hint:    "try again, or use another node",
			}
		}
		if w.posted(receipt.Logs, event.TaskID, terms) {
			return &log.TxHash, nil
		}
	}
	return nil, nil
}
