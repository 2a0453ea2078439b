package tx

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"taskmarket/chain"
)

// nextNonce returns the nonce after all that the node knows of and all that are
// written down. A program that died between writing and sending left a
// transaction that the node has never seen; it is sent now, because one with a
// later nonce would wait for it. One that itself waits for missing nonces does
// not count: the next is one of those. The flow of the key is left out.
func (w *wallet) nextNonce(ctx context.Context, except string) (uint64, error) {
	next, err := w.sender.NextNonce(ctx)
	if err != nil {
		return 0, err
	}
	left, err := w.leftBehind(ctx, except)
	if err != nil {
		return 0, err
	}
	for _, l := range left {
		if l.newest.Nonce != next {
			continue
		}
		if err := w.sender.Broadcast(ctx, l.newest.Raw); err != nil {
			return 0, fmt.Errorf("send what was signed before: %w", err)
		}
		if next, err = w.sender.NextNonce(ctx); err != nil {
			return 0, err
		}
		if next <= l.newest.Nonce {
			return 0, fmt.Errorf("%w: the node does not take transaction %s, which was signed before; resume that one first",
				ErrUnderWay, l.newest.Hash)
		}
	}
	return next, w.awaitStrangers(ctx, next)
}

// awaitStrangers waits until all of the wallet's transactions before the nonce are
// mined or written down here. Others that the node speaks of may never be mined,
// or not exist, and what is signed after them would wait for ever.
func (w *wallet) awaitStrangers(ctx context.Context, next uint64) error {
	deadline := time.Now().Add(w.patient)
	for wait := firstPoll; ; wait = min(2*wait, longPoll) {
		strange, found, err := w.stranger(ctx, next)
		switch {
		case err == nil && !found:
			return nil
		case err != nil && !away(err):
			return err
		case time.Now().After(deadline):
			if err != nil {
				return err
			}
			return fmt.Errorf("%w: the node says that %s has a transaction with nonce %d waiting, which this program has not signed; "+
				"nothing was signed; ask again when that one is mined, or through another node", ErrNotMined, w.signer.Address(), strange)
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// stranger returns the first nonce before next that is neither used nor written down.
func (w *wallet) stranger(ctx context.Context, next uint64) (nonce uint64, found bool, err error) {
	used, err := w.sender.UsedNonces(ctx)
	if err != nil || used >= next {
		return 0, false, err
	}
	flows, err := w.signedFlows(ctx)
	if err != nil {
		return 0, false, err
	}
	ours := map[uint64]bool{}
	for _, flow := range flows {
		for _, tx := range flow.txs {
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

// left is a flow that somebody signed a transaction for.
type left struct {
	Flow
	txs    []chain.Signed
	newest chain.Signed
}

// signedFlows returns the wallet's flows with transactions by their nonces.
func (w *wallet) signedFlows(ctx context.Context) ([]left, error) {
	flows, err := w.flows.List(ctx)
	if err != nil {
		return nil, err
	}
	var found []left
	for _, flow := range flows {
		ours := flow.Wallet == w.signer.Address() && flow.ChainID == w.node.chain.ChainID()
		if !ours || len(flow.Transactions) == 0 {
			continue
		}
		txs, err := flow.transactions()
		if err != nil {
			return nil, err
		}
		found = append(found, left{Flow: flow, txs: txs, newest: txs[len(txs)-1]})
	}
	slices.SortFunc(found, func(a, b left) int { return cmp.Compare(a.newest.Nonce, b.newest.Nonce) })
	return found, nil
}

// leftBehind returns the wallet's other signed flows that are not finished.
func (w *wallet) leftBehind(ctx context.Context, except string) ([]left, error) {
	found, err := w.signedFlows(ctx)
	return slices.DeleteFunc(found, func(l left) bool { return l.Done || l.Key == except }), err
}
