package watch

import (
	"context"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/client/internal/node"
)

// FirstBlock returns the block in which the escrow was deployed, the first that
// can hold an event. Where the node has forgotten what was deployed when, it is
// block 1, and a stream from there takes longer.
func FirstBlock(ctx context.Context, n *node.Node, escrow common.Address) (uint64, error) {
	deployed, err := node.Read(ctx, n, "the latest block's number", n.BlockNumber)
	if err != nil {
		return 0, err
	}
	for missing := uint64(0); missing+1 < deployed; { // there is no code at missing, and some at deployed
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
	return deployed, nil
}
