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

// nextNonce returns the nonce after all transactions that the node has or the journal
// contains. It skips the flow with the key except.
//
// A program that was killed between saving and sending leaves a transaction that no node
// has. nextNonce sends it, because a transaction with a later nonce would wait for it. A
// saved transaction beyond a gap does not count: the next nonce lies in the gap.
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
		if err := w.Sender.Broadcast(ctx, tx.Raw); err != nil {
			return 0, fmt.Errorf("send transaction %s, which was signed before: %w", tx.Hash, err)
		}
		if next, err = w.Sender.NextNonce(ctx); err != nil {
			return 0, err
		}
		if next <= tx.Nonce {
			return 0, fmt.Errorf("%w: the node does not accept transaction %s, which was signed before; resume that one first",
				ErrUnderWay, tx.Hash)
		}
	}
	return next, w.awaitForeign(ctx, next)
}

// awaitForeign waits until each of the wallet's transactions before the nonce is mined or
// in the journal. Other transactions that the node reports may never be mined, or not
// exist, and a transaction that is signed after them would wait forever.
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
			return fmt.Errorf("%w: the node reports a pending transaction of %s with nonce %d, which this program has not signed; "+
				"nothing was signed; repeat the request when that one is mined, or use another node", ErrNotMined, w.Signer.Address(), nonce)
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// foreign returns the first nonce before next that is neither used nor in the journal.
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

// signed returns the wallet's flows with transactions, ordered by nonce.
func (w *Wallet) signed(ctx context.Context) ([]Flow, error) {
	flows, err := w.Journal.Signed(ctx, w.Signer.Address(), w.Node.Chain.ChainID())
	slices.SortFunc(flows, func(a, b Flow) int { return cmp.Compare(a.newest().Nonce, b.newest().Nonce) })
	return flows, err
}

// unfinished returns the wallet's other signed flows that are not finished.
func (w *Wallet) unfinished(ctx context.Context, except string) ([]Flow, error) {
	flows, err := w.signed(ctx)
	return slices.DeleteFunc(flows, func(f Flow) bool { return f.Done || f.Key == except }), err
}
