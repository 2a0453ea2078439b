package watch

import (
	"context"
	"errors"
	"math/big"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	"taskmarket/market"
)

// FirstBlock returns the block in which the escrow was deployed, which is the first that can
// contain an event. If the node does not have the state of old blocks, it returns 1; a stream that
// starts there takes longer.
func FirstBlock(ctx context.Context, n *node.Node, escrow common.Address) (uint64, error) {
	deployed, err := n.Head(ctx)
	if err != nil {
		return 0, err
	}
	for missing := uint64(0); missing+1 < deployed; { // the contract does not exist at block missing and exists at block deployed
		middle := missing + (deployed-missing)/2
		code, err := node.Read(ctx, n, "the escrow's code", func(ctx context.Context) ([]byte, error) {
			return n.CodeAt(ctx, escrow, new(big.Int).SetUint64(middle))
		})
		switch _, refused := errors.AsType[rpc.Error](err); {
		case refused:
			return 1, nil
		case err != nil:
			return 0, err
		case len(code) == 0:
			missing = middle
		default:
			deployed = middle
		}
	}
	return confirmed(ctx, n, escrow, deployed)
}

// confirmed returns the block if it contains the log of the escrow's deployment, and 1 otherwise.
func confirmed(ctx context.Context, n *node.Node, escrow common.Address, block uint64) (uint64, error) {
	number := new(big.Int).SetUint64(block)
	logs, err := node.Read(ctx, n, "the escrow's first logs", func(ctx context.Context) ([]types.Log, error) {
		return n.FilterLogs(ctx, ethereum.FilterQuery{Addresses: []common.Address{escrow}, FromBlock: number, ToBlock: number})
	})
	if _, refused := errors.AsType[rpc.Error](err); err != nil && !refused {
		return 0, err
	}
	if !node.Deployed(chain.NewContracts(market.Deployment{Escrow: escrow}), logs) {
		return 1, nil
	}
	return block, nil
}
