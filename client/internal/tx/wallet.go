package tx

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
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
	flows   FlowStore
	maxFee  *big.Int      // for a unit of gas, in wei; nil: first offers bound replacements
	patient time.Duration // how long a transaction is waited for
	raise   time.Duration // after what time it pays more
}

func newWallet(n *node, signer chain.Signer, o *Options) wallet {
	most := o.MaxFeePerGas
	if most == nil {
		most = o.MaxOffer
	}
	return wallet{
		node: n, signer: signer, sender: chain.NewCappedSender(n.chain, signer, most),
		flows: o.Flows, maxFee: o.MaxFeePerGas, patient: o.MineTimeout, raise: o.ReplaceAfter,
	}
}

// NonceLock is the key of the lock in a FlowStore that is held while a nonce of
// the wallet is chosen and used, for programs that send for it by other means.
func NonceLock(wallet common.Address, chainID uint64) string {
	return fmt.Sprintf("nonces of %s on chain %d", wallet, chainID)
}

// lockNonces makes the caller the only one that chooses a nonce of the wallet,
// among all that share the journal. Hold it until the node has the transaction.
func (w *wallet) lockNonces(ctx context.Context) (unlock func(), err error) {
	return w.flows.Lock(ctx, NonceLock(w.signer.Address(), w.node.chain.ChainID()))
}

// lockPermits does the same for permits, which have nonces of their own: the
// next one is known only when this one is mined, so hold it until then.
func (w *wallet) lockPermits(ctx context.Context) (unlock func(), err error) {
	return w.flows.Lock(ctx, fmt.Sprintf("permits of %s on chain %d", w.signer.Address(), w.node.chain.ChainID()))
}

// quiet waits until no transaction of the wallet is waiting.
func (w *wallet) quiet(ctx context.Context) error {
	sent, err := w.sender.NextNonce(ctx)
	if err != nil {
		return err
	}
	deadline := time.Now().Add(w.patient)
	for wait := firstPoll; ; wait = min(2*wait, longPoll) {
		used, err := w.sender.UsedNonces(ctx)
		switch {
		case err == nil && used >= sent:
			return nil
		case err != nil && !away(err):
			return err
		case time.Now().After(deadline):
			return fmt.Errorf("%w: the one with nonce %d of %s", ErrNotMined, sent-1, w.signer.Address())
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// awaitPermits waits until no other posting with a permit of the wallet is on
// its way. Call it under lockPermits: those that are left behind have nobody
// who waits for them.
func (w *wallet) awaitPermits(ctx context.Context, except string) error {
	left, err := w.leftBehind(ctx, except)
	if err != nil {
		return err
	}
	for _, l := range left {
		if l.Action != market.ActionFund {
			continue
		}
		if _, err := w.deliver(ctx, l.txs, nil); err != nil && !errors.Is(err, errOvertaken) {
			return fmt.Errorf("wait for the payment of task %s, which was signed before: %w", l.TaskID, err)
		}
	}
	return nil
}

// written is where a flow's transactions are written down.
type written struct {
	key  string                   // of the flow
	save func(chain.Signed) error // adds one
	once func() error             // nil: the call cannot take effect twice
}

// delivery is a wait for one of a flow's transactions.
type delivery struct {
	*wallet
	txs       []chain.Signed
	written   *written      // nil: the transactions must stay as they are
	bounded   *chain.Sender // offers no more than the flow may
	cost      *big.Int      // the most that a transaction of the flow may cost, in wei
	since     time.Time     // the newest was sent
	gap       time.Time     // since when nonces before the newest are missing; zero: none are
	renewed   bool          // signed anew in this delivery
	contested bool          // others have all the nonces, not yet for good
	limited   error         // why no dearer one was signed
}

// dearest is how many times what its first transaction offers a flow's others may
// offer, where no limit is set.
const dearest = 4

// newDelivery bounds what the flow may cost by what its first transaction offers.
func (w *wallet) newDelivery(txs []chain.Signed, where *written) (*delivery, error) {
	var first types.Transaction
	if err := first.UnmarshalBinary(txs[0].Raw); err != nil {
		return nil, fmt.Errorf("decode transaction %s: %w", txs[0].Hash, err)
	}
	limit := w.maxFee
	if limit == nil {
		limit = new(big.Int).Mul(first.GasFeeCap(), big.NewInt(dearest))
	}
	return &delivery{
		wallet: w, txs: txs, written: where, bounded: w.sender.Within(limit),
		cost: new(big.Int).Mul(limit, bigID(first.Gas())), since: time.Now(),
	}, nil
}

// deliver waits until one of a flow's transactions is mined, and returns its
// receipt. It sends the newest at once and again when the wait gets long. When
// that one pays too little, or has waited longer than it may, it signs a dearer
// one and gives that to where.save before sending it; so it does when the
// transaction cannot be mined as it is. A node that is away for a while is
// waited for.
func (w *wallet) deliver(ctx context.Context, txs []chain.Signed, where *written) (*types.Receipt, error) {
	d, err := w.newDelivery(txs, where)
	if err != nil {
		return nil, err
	}
	deadline := time.Now().Add(w.patient)
	for wait := firstPoll; ; wait = min(2*wait, longPoll) {
		receipt, err := w.receipt(ctx, d.txs)
		if receipt != nil {
			return receipt, nil
		}
		if err == nil && (wait == firstPoll || wait == longPoll) {
			err = d.push(ctx)
		}
		switch {
		case err != nil && !away(err):
			return nil, err
		case time.Now().After(deadline):
			return nil, errors.Join(d.stillWaiting(), err)
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

func (d *delivery) newest() chain.Signed { return d.txs[len(d.txs)-1] }

// turn makes the newest one whose nonce is free the last of the list. It reports
// whether there is one.
func (d *delivery) turn(used uint64) bool {
	for i := len(d.txs) - 1; i >= 0; i-- {
		if tx := d.txs[i]; tx.Nonce >= used {
			d.txs = append(slices.Delete(slices.Clone(d.txs), i, i+1), tx)
			return true
		}
	}
	return false
}

func (d *delivery) stillWaiting() error {
	tx := d.newest()
	switch {
	case d.contested:
		return fmt.Errorf("%w: %s; another transaction of the wallet has its nonce %d, and only when that one is final "+
			"another nonce is taken; ask again then", ErrNotMined, tx.Hash, tx.Nonce)
	case !d.gap.IsZero():
		return fmt.Errorf("%w: %s; it has nonce %d, and the node has none of the wallet's transactions before it; "+
			"ask again to go on waiting", ErrNotMined, tx.Hash, tx.Nonce)
	case d.limited != nil:
		return fmt.Errorf("%w: %w; ask again with a higher --max-fee-per-gas (Options.MaxFeePerGas), or when gas is cheaper",
			ErrNotMined, d.limited)
	}
	return fmt.Errorf("%w: %s; ask again to go on waiting", ErrNotMined, tx.Hash)
}

// push sends the newest transaction, or in its place a dearer one, which it
// adds to the list: of the two at most one can be mined.
func (d *delivery) push(ctx context.Context) error {
	used, err := d.sender.UsedNonces(ctx)
	if err != nil {
		return err
	}
	if d.contested = !d.turn(used); d.contested {
		return d.overtaken(ctx, d.txs)
	}
	if d.written == nil {
		return d.sender.Broadcast(ctx, d.newest().Raw)
	}
	if err := d.replace(ctx, used == d.newest().Nonce); err != nil {
		return err
	}
	return d.mend(ctx, d.sender.Broadcast(ctx, d.newest().Raw))
}

// replace signs a dearer transaction where the newest needs one and the limit
// allows it. One that is not the wallet's next waits for others, and not for a
// better price.
func (d *delivery) replace(ctx context.Context, next bool) error {
	dearer := d.bounded.Raise
	if !next || time.Since(d.since) < d.raise {
		outgrown, err := d.outgrown(ctx, d.newest())
		if err != nil || !outgrown {
			return err
		}
		dearer = d.bounded.Replace
	}
	tx, err := dearer(ctx, d.newest().Raw)
	if d.limited = nil; errors.Is(err, chain.ErrGasLimit) {
		d.limited, err = err, nil
		return err
	}
	if err != nil || tx.Hash == d.newest().Hash {
		return err
	}
	return d.add(tx)
}

// add writes a transaction down, to be sent.
func (d *delivery) add(tx chain.Signed) error {
	if err := d.written.save(tx); err != nil {
		return err
	}
	d.txs, d.since = append(d.txs, tx), time.Now()
	return nil
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

// overtaken answers errOvertaken when the nonces are spent in the finalized block
// and none of the transactions has a receipt. Earlier a reorganisation, or a
// node that lags, could still bring one of them, so it answers nil.
func (w *wallet) overtaken(ctx context.Context, txs []chain.Signed) error {
	finalized, last := big.NewInt(rpc.FinalizedBlockNumber.Int64()), txs[0]
	for _, tx := range txs {
		if tx.Nonce > last.Nonce {
			last = tx
		}
	}
	used, err := ask(ctx, w.node, "the wallet's final nonce", func(ctx context.Context) (uint64, error) {
		return w.node.NonceAt(ctx, w.signer.Address(), finalized)
	})
	if final := err == nil && used > last.Nonce; !final {
		return nil
	}
	if receipt, err := w.receipt(ctx, txs); receipt != nil || err != nil {
		return err
	}
	return fmt.Errorf("transaction %s: %w", last.Hash, errOvertaken)
}

// final reports whether the receipt's block can no longer be dropped.
func (w *wallet) final(ctx context.Context, receipt *types.Receipt) bool {
	header, err := w.header(ctx, rpc.FinalizedBlockNumber)
	return err == nil && header.Number.Cmp(receipt.BlockNumber) >= 0
}

func (w *wallet) header(ctx context.Context, number rpc.BlockNumber) (*types.Header, error) {
	header, err := ask(ctx, w.node, "a block", func(ctx context.Context) (*types.Header, error) {
		return w.node.HeaderByNumber(ctx, big.NewInt(number.Int64()))
	})
	if err != nil {
		return nil, &market.Error{Kind: market.KindChainUnavailable, Message: "the node does not answer", Cause: err}
	}
	return header, nil
}
