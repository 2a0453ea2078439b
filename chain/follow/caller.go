package follow

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// setCallers sets the caller in each cancellation of an accepted task, because the contract's event
// does not contain it. If an account sent the transaction to the contract directly, that account is
// the caller. For other transactions, such as those sent through a relayer or a contract wallet,
// the caller remains zero.
func setCallers(ctx context.Context, p *rpc.Provider, logs []market.Log) error {
	for i := range logs {
		event := &logs[i].Event
		if event.Kind != market.EventTaskCancelled || event.Human == (common.Address{}) {
			continue
		}
		sender, err := directSender(ctx, p, logs[i])
		if err != nil {
			return p.Errorf("read the transaction of log %d of block %d: %w", logs[i].Index, logs[i].Block.Number, err)
		}
		if sender == event.Agent || sender == event.Human {
			event.Caller = sender
		}
	}
	return nil
}

// directSender returns the account that sent the log's transaction to the contract that emitted it.
// It returns zero if the transaction was sent to another address, or if its type, encoding or
// signature scheme is unknown. The sender is recovered from the signature. A provider can
// hide the sender, or substitute another transaction by returning a wrong transaction hash, but it
// cannot forge a signature.
func directSender(ctx context.Context, p *rpc.Provider, log market.Log) (common.Address, error) {
	// Read by position in the block, not by hash: nodes do not index the hashes of old
	// transactions.
	tx, err := p.TransactionInBlock(ctx, log.Block.Hash, log.TxIndex)
	switch {
	case errors.Is(err, types.ErrTxTypeNotSupported):
		return common.Address{}, nil
	case err != nil:
		return common.Address{}, fmt.Errorf("read the transaction at index %d of its block: %w", log.TxIndex, err)
	// The provider returned another transaction, or one with an encoding that only this chain uses.
	case tx.Hash() != log.TxHash:
		return common.Address{}, nil
	case tx.To() == nil || *tx.To() != log.Address:
		return common.Address{}, nil
	}
	// The transaction's own chain id is 0 without replay protection, and LatestSignerForChainID
	// panics for 0.
	sender, err := types.Sender(types.LatestSignerForChainID(new(big.Int).SetUint64(log.ChainID)), tx)
	if err == nil {
		return sender, nil
	}
	return common.Address{}, nil // the signature scheme is unknown, or the transaction is for another chain
}
