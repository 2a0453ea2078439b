package tx

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/send"
	"taskmarket/client/internal/node"
	"taskmarket/client/internal/poll"
)

// Record saves the transactions that a delivery adds to a flow.
type Record struct {
	Key string // the flow's key in the journal
	// Save saves a new transaction in the flow. If nil, the flow is not the current one: nothing
	// new is signed, and its transactions are sent only if Wallet.Resume allows it.
	Save     func(send.Signed) error
	PaysOnce func() error // returns nil if the call cannot take effect twice
}

// delivery waits until one of a flow's transactions is mined.
type delivery struct {
	wallet    *Wallet
	txs       []send.Signed
	record    *Record
	bounded   *send.Sender // sender whose fees are limited to the flow's maximum
	cost      *big.Int     // maximum gas cost of one transaction in the flow, in wei
	since     time.Time    // when this delivery began or, if later, when it added its newest transaction
	gap       time.Time    // when a gap in the wallet's nonces before the newest transaction was noticed; zero: no gap
	renewed   bool         // the call has already been signed again in this delivery
	contested bool         // other transactions have used all the nonces, but not yet in finalized blocks
	limited   error        // reason why no transaction with a higher fee was signed
}

// maxFeeFactor limits the fees of replacements, as a multiple of the first transaction's fee, if
// Wallet.MaxFee is nil.
const maxFeeFactor = 4

// newDelivery limits the flow's fees to MaxFee or, if that is nil, to a multiple of the first
// transaction's fee. The Sender's limit applies as well.
func (w *Wallet) newDelivery(txs []send.Signed, record *Record) (*delivery, error) {
	var first types.Transaction
	if err := first.UnmarshalBinary(txs[0].Raw); err != nil {
		return nil, fmt.Errorf("decode transaction %s: %w", txs[0].Hash, err)
	}
	limit := w.MaxFee
	if limit == nil {
		limit = new(big.Int).Mul(first.GasFeeCap(), big.NewInt(maxFeeFactor))
	}
	return &delivery{
		wallet: w, txs: txs, record: record, bounded: w.Sender.Within(limit),
		cost: new(big.Int).Mul(limit, new(big.Int).SetUint64(first.Gas())), since: time.Now(),
	}, nil
}

// Deliver waits until one of a flow's transactions is mined, and returns its receipt. It sends the
// newest transaction at once and, when the interval between checks has grown to poll.Longest, again
// at each check.
//
// A transaction whose fee is too low, or that has been pending for longer than RaiseAfter, is
// replaced by one with a higher fee. If a transaction can never be mined, its call is signed again.
// Each new transaction is saved with record.Save before it is sent. Deliver retries while the node
// is unavailable. After MineTimeout it returns ErrNotMined. If other transactions have used all the
// nonces in finalized blocks, it returns ErrReplaced.
func (w *Wallet) Deliver(ctx context.Context, txs []send.Signed, record *Record) (*types.Receipt, error) {
	d, err := w.newDelivery(txs, record)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(w.MineTimeout)
	for wait := poll.First; ; wait = poll.Next(wait) {
		receipt, err := w.Receipt(ctx, d.txs)
		if receipt != nil {
			return receipt, nil
		}
		if err == nil && (wait == poll.First || wait == poll.Longest) {
			err = d.push(ctx)
		}
		switch {
		case err != nil && !node.Unavailable(err):
			return nil, err
		case time.Now().After(deadline):
			return nil, errors.Join(d.notMined(), err)
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return nil, err
		}
	}
}

func (d *delivery) newest() send.Signed { return d.txs[len(d.txs)-1] }

// promote moves the newest transaction with an unused nonce to the end of the list. It reports
// whether there is one.
func (d *delivery) promote(used uint64) bool {
	for i := len(d.txs) - 1; i >= 0; i-- {
		if tx := d.txs[i]; tx.Nonce >= used {
			d.txs = append(slices.Delete(slices.Clone(d.txs), i, i+1), tx)
			return true
		}
	}
	return false
}

// notMined returns the error for the end of the wait. The message contains the reason, if it is
// known, and the next step.
func (d *delivery) notMined() error {
	tx := d.newest()
	switch {
	case d.contested:
		return fmt.Errorf("%w: %s; another transaction of the wallet has used its nonce %d; when that one is final, "+
			"try again to sign with another nonce", ErrNotMined, tx.Hash, tx.Nonce)
	case !d.gap.IsZero():
		return fmt.Errorf("%w: %s; it has nonce %d, and the node lacks earlier transactions of the wallet; "+
			"try again to resume", ErrNotMined, tx.Hash, tx.Nonce)
	case d.limited != nil:
		return fmt.Errorf("%w: %w; try again with a higher limit, or when gas is cheaper", ErrNotMined, d.limited)
	}
	return fmt.Errorf("%w: %s; try again to resume", ErrNotMined, tx.Hash)
}

// push sends the newest transaction whose nonce is unused. If its fee is too low or it has been pending
// for too long, push first adds a replacement with the same nonce, so that at most one of the two can
// be mined. If the transaction can never be mined, push signs the call again; see renew. If all nonces
// are used, it sends nothing and returns the result of Replaced.
func (d *delivery) push(ctx context.Context) error {
	used, err := d.wallet.Sender.UsedNonces(ctx)
	if err != nil {
		return err
	}
	if d.contested = !d.promote(used); d.contested {
		return d.wallet.Replaced(ctx, d.txs)
	}
	if d.record.Save == nil {
		return d.wallet.sendOther(ctx, d.record.Key, d.newest())
	}
	if err := d.replace(ctx, used == d.newest().Nonce); err != nil {
		return err
	}
	return d.renew(ctx, d.broadcast(ctx))
}

func (d *delivery) broadcast(ctx context.Context) error {
	return d.wallet.broadcast(ctx, d.newest())
}

// replace signs a replacement with a higher fee if the newest transaction needs one and the limit
// allows it. next means that the transaction has the wallet's next nonce. Otherwise it has to wait
// for other transactions, so a long wait is no reason for a higher fee, but a base fee above its
// limit is.
func (d *delivery) replace(ctx context.Context, next bool) error {
	raise := d.bounded.Raise
	if !next || time.Since(d.since) < d.wallet.RaiseAfter {
		underpriced, err := d.underpriced(ctx)
		if err != nil || !underpriced {
			return err
		}
		raise = d.bounded.Replace
	}
	tx, err := raise(ctx, d.newest().Raw)
	if d.limited = nil; errors.Is(err, send.ErrGasLimit) {
		d.limited, err = err, nil
		return err
	}
	if err != nil || tx.Hash == d.newest().Hash {
		return err
	}
	return d.add(tx)
}

// add saves a transaction before it is sent.
func (d *delivery) add(tx send.Signed) error {
	if err := d.record.Save(tx); err != nil {
		return err
	}
	d.txs, d.since = append(d.txs, tx), time.Now()
	return nil
}

// underpriced reports whether the base fee is higher than the newest transaction's fee limit.
func (d *delivery) underpriced(ctx context.Context) (bool, error) {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(d.newest().Raw); err != nil {
		return false, fmt.Errorf("decode transaction %s: %w", d.newest().Hash, err)
	}
	head, err := d.wallet.Node.Header(ctx, rpc.LatestBlockNumber)
	if err != nil {
		return false, err
	}
	return head.BaseFee != nil && head.BaseFee.Cmp(tx.GasFeeCap()) > 0, nil
}
