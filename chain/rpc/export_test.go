package rpc

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// ProveReceipts returns true if the receipts of a block hash to its receipts root, and an error
// otherwise.
func ProveReceipts(ctx context.Context, n *Node, block common.Hash) (bool, error) {
	p := n.providers[0]
	h, err := p.client.HeaderByHash(ctx, block)
	if err != nil {
		return false, err
	}
	if _, err := p.ProvenLogs(ctx, []*types.Header{h}, nil); err != nil {
		return false, err
	}
	return true, nil
}

// SplitAnswer returns the results in an answer to bulk calls.
var SplitAnswer = splitAnswer
