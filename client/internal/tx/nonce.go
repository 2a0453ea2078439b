package tx

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"taskmarket/client/internal/node"
	"taskmarket/client/internal/poll"
)

// nextNonce returns the next nonce after all of the wallet's transactions that the node has or that
// the journal contains. It ignores the flow with the key except.
//
// A program that crashed between saving and sending leaves a transaction that no node has.
// nextNonce sends it if Resume allows it, because a transaction with a later nonce would have to
// wait for it. A saved transaction beyond a nonce gap does not count: in that case, the next nonce
// is the first one in the gap.
func (w *Wallet) nextNonce(ctx context.Context, except string) (uint64, error) {
	next, err := w.Sender.NextNonce(ctx)
	if err != nil {
		return 0, err
	}
	flows, err := w.unfinished(ctx, except)
	if err != nil {
		return 0, err
	}
	for _, flow := range flows {
		tx := flow.newest()
		if tx.Nonce != next {
			continue
		}
		if err := w.sendOther(ctx, flow.Key, tx); err != nil {
			return 0, fmt.Errorf("send transaction %s, which was signed earlier: %w", tx.Hash, err)
		}
		if next, err = w.Sender.NextNonce(ctx); err != nil {
			return 0, err
		}
		if next <= tx.Nonce {
			return 0, fmt.Errorf("%w: the node does not accept its transaction %s", ErrUnderWay, tx.Hash)
		}
	}
	return next, w.awaitForeign(ctx, next)
}

// awaitForeign waits until each of the wallet's transactions with a lower nonce is mined or in the
// journal. Other pending transactions that the node reports may not exist or may never be mined,
// and a transaction with a later nonce would then wait forever.
func (w *Wallet) awaitForeign(ctx context.Context, next uint64) error {
	deadline := time.Now().Add(w.MineTimeout)
	for wait := poll.First; ; wait = poll.Next(wait) {
		nonce, found, err := w.foreign(ctx, next)
		switch {
		case err == nil && !found:
			return nil
		case err != nil && !node.Unavailable(err):
			return err
		case time.Now().After(deadline):
			if err != nil {
				return err
			}
			return fmt.Errorf("%w: wallet %s has a pending transaction (nonce %d) from another program; "+
				"nothing was signed; try again when it is mined, or use another node", ErrNotMined, w.Signer.Address(), nonce)
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// foreign returns the first nonce below next that is neither used nor in the journal.
func (w *Wallet) foreign(ctx context.Context, next uint64) (nonce uint64, found bool, err error) {
	used, err := w.Sender.UsedNonces(ctx)
	if err != nil || used >= next {
		return 0, false, err
	}
	flows, err := w.signed(ctx)
	if err != nil {
		return 0, false, err
	}
	ours := map[uint64]bool{}
	for _, flow := range flows {
		for _, tx := range flow.Transactions {
			ours[tx.Nonce] = true
		}
	}
	for nonce = used; nonce < next; nonce++ {
		if !ours[nonce] {
			return nonce, true, nil
		}
	}
	return 0, false, nil
}

// signed returns the wallet's flows that have transactions, ordered by nonce.
func (w *Wallet) signed(ctx context.Context) ([]Flow, error) {
	flows, err := w.Journal.Signed(ctx, w.Signer.Address(), w.Node.Chain.ChainID())
	slices.SortFunc(flows, func(a, b Flow) int { return cmp.Compare(a.newest().Nonce, b.newest().Nonce) })
	return flows, err
}

// unfinished returns the wallet's signed flows that are not finished, without the flow with the key
// except.
func (w *Wallet) unfinished(ctx context.Context, except string) ([]Flow, error) {
	flows, err := w.signed(ctx)
	return slices.DeleteFunc(flows, func(f Flow) bool { return f.Done || f.Key == except }), err
}
