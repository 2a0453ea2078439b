package client

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain"
)

// ErrNotMined is returned when a transaction was sent and is still waiting.
var ErrNotMined = errors.New("the transaction is not mined yet")

// errOvertaken: another transaction of the wallet has the nonce for good.
var errOvertaken = errors.New("another transaction of the wallet took its place")

const (
	firstPoll = 100 * time.Millisecond
	longPoll  = 2 * time.Second
)

// wallet signs and sends for the agent on one node.
type wallet struct {
	node    *node
	signer  chain.Signer
	patient time.Duration // how long a transaction is waited for
}

// prepare signs a transaction for the call under the wallet's next nonce. It
// sends nothing. A call that would revert is refused with a *RevertError.
func (w *wallet) prepare(ctx context.Context, call chain.Call) (*types.Transaction, error) {
	from := w.signer.Address()
	gas, err := ask(ctx, "the call's gas", func(ctx context.Context) (uint64, error) {
		gas, err := w.node.EstimateGas(ctx, ethereum.CallMsg{From: from, To: &call.To, Data: call.Data})
		return gas, explain(err)
	})
	if err != nil {
		return nil, err
	}
	nonce, err := ask(ctx, "the wallet's nonce", func(ctx context.Context) (uint64, error) {
		return w.node.PendingNonceAt(ctx, from)
	})
	if err != nil {
		return nil, err
	}
	tip, head, err := w.fees(ctx)
	if err != nil {
		return nil, err
	}
	return w.sign(&types.DynamicFeeTx{
		ChainID: bigID(w.node.chainID), Nonce: nonce, To: &call.To, Data: call.Data,
		Gas: gas + gas/4, GasTipCap: tip, GasFeeCap: feeCap(tip, head),
	})
}

func (w *wallet) fees(ctx context.Context) (tip *big.Int, head *types.Header, err error) {
	if tip, err = ask(ctx, "the usual tip", w.node.SuggestGasTipCap); err != nil {
		return nil, nil, err
	}
	head, err = ask(ctx, "the latest block", func(ctx context.Context) (*types.Header, error) {
		return w.node.HeaderByNumber(ctx, nil)
	})
	if err == nil && head.BaseFee == nil {
		err = errors.New("the node's chain has no base fee (EIP-1559)")
	}
	return tip, head, err
}

// feeCap leaves room for the base fee to double.
func feeCap(tip *big.Int, head *types.Header) *big.Int {
	limit := new(big.Int).Lsh(head.BaseFee, 1)
	return limit.Add(limit, tip)
}

func (w *wallet) sign(inner *types.DynamicFeeTx) (*types.Transaction, error) {
	signed, err := w.signer.SignTx(types.NewTx(inner), w.node.chainID)
	if err != nil {
		return nil, fmt.Errorf("sign transaction: %w", err)
	}
	return signed, nil
}

// dearer signs the same call under the same nonce for today's fees when the
// base fee has outgrown what tx offers; nil when it has not. Of the two at most
// one can be mined.
func (w *wallet) dearer(ctx context.Context, tx *types.Transaction) (*types.Transaction, error) {
	tip, head, err := w.fees(ctx)
	if err != nil || head.BaseFee.Cmp(tx.GasFeeCap()) <= 0 {
		return nil, err
	}
	return w.sign(&types.DynamicFeeTx{
		ChainID: tx.ChainId(), Nonce: tx.Nonce(), To: tx.To(), Data: tx.Data(), Gas: tx.Gas(),
		GasTipCap: larger(tip, tx.GasTipCap()), GasFeeCap: larger(feeCap(tip, head), tx.GasFeeCap()),
	})
}

// larger returns the larger of the fee of today and the old one plus an eighth,
// below which nodes refuse a replacement.
func larger(today, old *big.Int) *big.Int {
	least := new(big.Int).Rsh(old, 3)
	least.Add(least, old).Add(least, big.NewInt(1))
	if today.Cmp(least) > 0 {
		return today
	}
	return least
}

// deliver sends the newest of the transactions, which share one nonce, again
// and again until one of them is mined, and returns its receipt. When fees have
// grown it signs a dearer one and gives it to save before sending it. A node
// that is away for a while is waited for.
func (w *wallet) deliver(ctx context.Context, txs []*types.Transaction, save func(*types.Transaction) error) (*types.Receipt, error) {
	deadline := time.Now().Add(w.patient)
	for wait := firstPoll; ; wait = min(2*wait, longPoll) {
		receipt, err := w.receipt(ctx, txs)
		if receipt != nil {
			return receipt, nil
		}
		if err == nil {
			txs, err = w.push(ctx, txs, save)
		}
		switch {
		case err != nil && !away(err):
			return nil, err
		case time.Now().After(deadline):
			waiting := fmt.Errorf("%w: %s; ask again to go on waiting", ErrNotMined, txs[len(txs)-1].Hash())
			return nil, errors.Join(waiting, err)
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// push sends the newest transaction, or when the node refuses it because fees
// have grown, a dearer one, which it adds to the list.
func (w *wallet) push(ctx context.Context, txs []*types.Transaction, save func(*types.Transaction) error) ([]*types.Transaction, error) {
	newest := txs[len(txs)-1]
	refused := w.broadcast(ctx, newest)
	if refused == nil || away(refused) || errors.Is(refused, errOvertaken) {
		return txs, refused
	}
	dearer, err := w.dearer(ctx, newest)
	if err != nil || dearer == nil {
		return txs, refused
	}
	if err := save(dearer); err != nil {
		return txs, &saveError{err}
	}
	return append(txs, dearer), w.broadcast(ctx, dearer)
}

// saveError is a journal's failure, which no waiting cures.
type saveError struct{ error }

func (e *saveError) Unwrap() error { return e.error }

// away reports whether the node could not be asked, as opposed to an answer
// that it gave.
func away(err error) bool {
	_, answered := errors.AsType[rpc.Error](err)
	_, unsaved := errors.AsType[*saveError](err)
	return !answered && !unsaved && !errors.Is(err, errOvertaken)
}

// receipt returns the receipt of the one that was mined, nil when none is yet.
func (w *wallet) receipt(ctx context.Context, txs []*types.Transaction) (*types.Receipt, error) {
	for _, tx := range txs {
		receipt, err := ask(ctx, "a receipt", func(ctx context.Context) (*types.Receipt, error) {
			return w.node.TransactionReceipt(ctx, tx.Hash())
		})
		if err == nil {
			return receipt, nil
		}
		if !errors.Is(err, ethereum.NotFound) {
			return nil, err
		}
	}
	return nil, nil
}

// broadcast sends the transaction. Nodes word their refusal of one that they
// know already in many ways, so they are asked whether they know it.
func (w *wallet) broadcast(ctx context.Context, tx *types.Transaction) error {
	_, refused := ask(ctx, "sending a transaction", func(ctx context.Context) (struct{}, error) {
		return struct{}{}, w.node.SendTransaction(ctx, tx)
	})
	if refused == nil {
		return nil
	}
	_, err := ask(ctx, "a transaction", func(ctx context.Context) (*types.Transaction, error) {
		known, _, err := w.node.TransactionByHash(ctx, tx.Hash())
		return known, err
	})
	if err == nil {
		return nil
	}
	used, err := w.used(ctx, tx, rpc.LatestBlockNumber)
	if err != nil || !used {
		return refused
	}
	return w.settled(ctx, tx)
}

// settled tells what became of a transaction that is not known while its nonce
// is used: nil as long as a reorganisation may still bring it back.
func (w *wallet) settled(ctx context.Context, tx *types.Transaction) error {
	final, err := w.used(ctx, tx, rpc.FinalizedBlockNumber)
	if err != nil || !final {
		return nil // not certain: go on looking for it
	}
	return fmt.Errorf("transaction %s: %w", tx.Hash(), errOvertaken)
}

// used reports whether the transaction's nonce is spent at the block.
func (w *wallet) used(ctx context.Context, tx *types.Transaction, at rpc.BlockNumber) (bool, error) {
	next, err := ask(ctx, "the wallet's nonce", func(ctx context.Context) (uint64, error) {
		return w.node.NonceAt(ctx, w.signer.Address(), big.NewInt(at.Int64()))
	})
	return next > tx.Nonce(), err
}

// final reports whether the receipt's block can no longer be dropped.
func (w *wallet) final(ctx context.Context, receipt *types.Receipt) bool {
	header, err := ask(ctx, "the finalized block", func(ctx context.Context) (*types.Header, error) {
		return w.node.HeaderByNumber(ctx, big.NewInt(rpc.FinalizedBlockNumber.Int64()))
	})
	return err == nil && header.Number.Cmp(receipt.BlockNumber) >= 0
}
