package client

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain"
	"taskmarket/market"
)

// ErrNotMined is returned when a transaction was sent and is still waiting.
var ErrNotMined = errors.New("the transaction is not mined yet")

// errOvertaken: another transaction of the wallet has the nonce for good.
var errOvertaken = errors.New("another transaction of the wallet took its place")

const (
	firstPoll = 50 * time.Millisecond
	longPoll  = 2 * time.Second
)

// wallet sends for the agent on one node.
type wallet struct {
	node    *node
	signer  chain.Signer
	sender  *chain.Sender
	patient time.Duration // how long a transaction is waited for
}

func newWallet(n *node, signer chain.Signer, patient time.Duration) wallet {
	return wallet{node: n, signer: signer, sender: chain.NewSender(n.chain, signer), patient: patient}
}

// prepare signs a transaction for the call under the wallet's next nonce. It
// sends nothing. A call that would revert is refused with a *chain.RevertError.
func (w *wallet) prepare(ctx context.Context, call chain.Call) (chain.Signed, error) {
	nonce, err := w.sender.NextNonce(ctx)
	if err != nil {
		return chain.Signed{}, err
	}
	return w.sender.Build(ctx, call, nonce)
}

// deliver waits until one of the transactions, which share one nonce, is mined,
// and returns its receipt. It sends the newest at once and again when the wait
// gets long. When fees have outgrown it, it signs a dearer one and gives that to
// save before sending it. A node that is away for a while is waited for.
func (w *wallet) deliver(ctx context.Context, txs []chain.Signed, save func(chain.Signed) error) (*types.Receipt, error) {
	deadline := time.Now().Add(w.patient)
	for wait := firstPoll; ; wait = min(2*wait, longPoll) {
		receipt, err := w.receipt(ctx, txs)
		if receipt != nil {
			return receipt, nil
		}
		if err == nil && (wait == firstPoll || wait == longPoll) {
			txs, err = w.push(ctx, txs, save)
		}
		switch {
		case err != nil && !away(err):
			return nil, err
		case time.Now().After(deadline):
			waiting := fmt.Errorf("%w: %s; ask again to go on waiting", ErrNotMined, txs[len(txs)-1].Hash)
			return nil, errors.Join(waiting, err)
		}
		if err := pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// away reports whether the node only could not be asked.
func away(err error) bool { return market.KindOf(err) == market.KindChainUnavailable }

// receipt returns the receipt of the one that was mined, nil when none is yet.
func (w *wallet) receipt(ctx context.Context, txs []chain.Signed) (*types.Receipt, error) {
	for _, tx := range txs {
		receipt, err := w.sender.Receipt(ctx, tx.Hash)
		if receipt != nil || err != nil {
			return receipt, err
		}
	}
	return nil, nil
}

// push sends the newest transaction, or in its place a dearer one, which it
// adds to the list: of the two at most one can be mined.
func (w *wallet) push(ctx context.Context, txs []chain.Signed, save func(chain.Signed) error) ([]chain.Signed, error) {
	newest := txs[len(txs)-1]
	used, err := w.sender.UsedNonces(ctx)
	if err != nil {
		return txs, err
	}
	if used > newest.Nonce {
		return txs, w.overtaken(ctx, txs)
	}
	outgrown, err := w.outgrown(ctx, newest)
	if err != nil {
		return txs, err
	}
	if outgrown {
		if newest, err = w.sender.Replace(ctx, newest.Raw); err != nil {
			return txs, err
		}
		if err := save(newest); err != nil {
			return txs, err
		}
		txs = append(txs, newest)
	}
	return txs, w.sender.Broadcast(ctx, newest.Raw)
}

// outgrown reports whether the base fee is above what the transaction offers.
func (w *wallet) outgrown(ctx context.Context, signed chain.Signed) (bool, error) {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(signed.Raw); err != nil {
		return false, fmt.Errorf("decode transaction %s: %w", signed.Hash, err)
	}
	head, err := w.header(ctx, rpc.LatestBlockNumber)
	if err != nil {
		return false, err
	}
	return head.BaseFee != nil && head.BaseFee.Cmp(tx.GasFeeCap()) > 0, nil
}

// overtaken answers errOvertaken when the nonce is spent in the finalized block
// and none of the transactions has a receipt. Earlier a reorganisation, or a
// node that lags, could still bring one of them, so it answers nil.
func (w *wallet) overtaken(ctx context.Context, txs []chain.Signed) error {
	finalized := big.NewInt(rpc.FinalizedBlockNumber.Int64())
	used, err := ask(ctx, "the wallet's final nonce", func(ctx context.Context) (uint64, error) {
		return w.node.NonceAt(ctx, w.signer.Address(), finalized)
	})
	if final := err == nil && used > txs[0].Nonce; !final {
		return nil
	}
	if receipt, err := w.receipt(ctx, txs); receipt != nil || err != nil {
		return err
	}
	return fmt.Errorf("transaction %s: %w", txs[0].Hash, errOvertaken)
}

// final reports whether the receipt's block can no longer be dropped.
func (w *wallet) final(ctx context.Context, receipt *types.Receipt) bool {
	header, err := w.header(ctx, rpc.FinalizedBlockNumber)
	return err == nil && header.Number.Cmp(receipt.BlockNumber) >= 0
}

func (w *wallet) header(ctx context.Context, number rpc.BlockNumber) (*types.Header, error) {
	header, err := ask(ctx, "a block", func(ctx context.Context) (*types.Header, error) {
		return w.node.HeaderByNumber(ctx, big.NewInt(number.Int64()))
	})
	if err != nil {
		return nil, &market.Error{Kind: market.KindChainUnavailable, Message: "the node does not answer", Cause: err}
	}
	return header, nil
}
