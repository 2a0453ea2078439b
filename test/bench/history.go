package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain"
	"taskmarket/chain/send"
)

const (
	postingsPerBlock = 25 // an estimate for one dapp in a busy L2 block
	postingGas       = 250_000
)

// post posts a task for each terms hash, several per block, from the agent's account. It returns when
// all are mined. Afterwards, blocks are mined only on request, so that the chain does not change.
func post(ctx context.Context, w *world, amount *big.Int, terms []common.Hash) error {
	contracts := chain.NewContracts(w.deployment)
	sender := send.NewSender(w.node, w.agent)
	allowance := new(big.Int).Lsh(big.NewInt(1), 89)
	if _, err := sender.Send(ctx, contracts.ApproveToken(w.deployment.Escrow, allowance)); err != nil {
		return fmt.Errorf("approve transfers by the escrow contract: %w", err)
	}
	nonce, err := sender.NextNonce(ctx)
	if err != nil {
		return err
	}
	if err := w.chain.SetMining(ctx, false); err != nil {
		return err
	}
	for first := 0; first < len(terms); first += postingsPerBlock {
		batch := terms[first:min(first+postingsPerBlock, len(terms))]
		var calls []chain.Call
		for _, hash := range batch {
			calls = append(calls, contracts.PostTask(amount, feeBasisPoints, hash))
		}
		if err := w.sendAll(ctx, nonce, calls); err != nil {
			return err
		}
		nonce += uint64(len(batch))
		if err := w.mineUntil(ctx, sender, nonce); err != nil {
			return err
		}
	}
	// The watcher reads ranges of blocks up to the finalized block, which is two blocks behind the
	// head.
	return w.chain.Mine(ctx, 4)
}

// sendAll signs the calls with consecutive nonces and sends them in one batch.
func (w *world) sendAll(ctx context.Context, nonce uint64, calls []chain.Call) error {
	batch := make([]rpc.BatchElem, len(calls))
	for i, call := range calls {
		tx, err := w.agent.SignTx(ctx, types.NewTx(&types.DynamicFeeTx{
			ChainID: new(big.Int).SetUint64(w.deployment.ChainID), Nonce: nonce + uint64(i), To: &call.To, Data: call.Data,
			Gas: postingGas, GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(100e9),
		}), w.deployment.ChainID)
		if err != nil {
			return err
		}
		raw, err := tx.MarshalBinary()
		if err != nil {
			return fmt.Errorf("encode a posting: %w", err)
		}
		batch[i] = rpc.BatchElem{Method: "eth_sendRawTransaction", Args: []any{hexutil.Bytes(raw)}, Result: new(common.Hash)}
	}
	if err := w.chain.Client().Client().BatchCallContext(ctx, batch); err != nil {
		return fmt.Errorf("send %d postings: %w", len(calls), err)
	}
	for _, element := range batch {
		if element.Error != nil {
			return fmt.Errorf("send a posting: %w", element.Error)
		}
	}
	return nil
}

// mineUntil mines blocks until all of the sender's nonces below next are used. The first block can
// be mined before all transactions have reached the mempool.
func (w *world) mineUntil(ctx context.Context, sender *send.Sender, next uint64) error {
	const attempts = 100
	for range attempts {
		if err := w.chain.Mine(ctx, 1); err != nil {
			return err
		}
		used, err := sender.UsedNonces(ctx)
		if err != nil {
			return err
		}
		if used >= next {
			return nil
		}
	}
	return errors.New("mine the postings: some transactions were not mined")
}
