package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// nameCallers sets the caller of each cancellation of an accepted task. The
// contract's event does not name it. A transaction that its sender sent to the
// contract itself does: there the sender is the caller. Of any other, such as a
// relayer's or a contract wallet's, the caller stays zero.
func (p *provider) nameCallers(ctx context.Context, logs []market.Log) error {
	for i := range logs {
		event := &logs[i].Event
		if event.Kind != market.EventTaskCancelled || event.Human == (common.Address{}) {
			continue
		}
		sender, err := p.directSender(ctx, logs[i])
		if err != nil {
			return p.errorf("read the transaction of log %d of block %d: %w", logs[i].Index, logs[i].Block.Number, err)
		}
		if sender == event.Agent || sender == event.Human {
			event.Caller = sender
		}
	}
	return nil
}

// directSender returns the account that sent the log's transaction to the
// contract that emitted it, zero if it was sent elsewhere or is of a type
// without a signature that is known here. The sender is recovered from the
// signature, so the provider is not trusted with it: it can only hide the sender.
func (p *provider) directSender(ctx context.Context, log market.Log) (common.Address, error) {
	ctx, cancel := context.WithTimeout(ctx, p.options.CallTimeout)
	defer cancel()
	// By block and not by hash: nodes do not index the hashes of old transactions.
	tx, err := p.client.TransactionInBlock(ctx, log.Block.Hash, log.TxIndex)
	switch {
	case errors.Is(err, types.ErrTxTypeNotSupported):
		return common.Address{}, nil
	case err != nil:
		return common.Address{}, fmt.Errorf("ask for transaction %d: %w", log.TxIndex, err)
	case tx.Hash() != log.TxHash: // another transaction, or one that is encoded as only its chain does
		return common.Address{}, nil
	case tx.To() == nil || *tx.To() != log.Address:
		return common.Address{}, nil
	}
	sender, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	if err != nil { // no signature of a kind that is known here
		return common.Address{}, nil
	}
	return sender, nil
}
