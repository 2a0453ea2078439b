package tx

import (
	"context"
	"fmt"
	"time"

	"taskmarket/client/internal/node"
)

// renew signs the call again if the newest transaction can never be mined for a reason other than
// its fee: either the node rejects it, or its nonce is beyond a gap. Both can happen after a node
// has reported wrong values.
func (d *delivery) renew(ctx context.Context, rejection error) error {
	if node.Unavailable(rejection) {
		return rejection
	}
	next, err := d.wallet.Sender.NextNonce(ctx)
	if err != nil {
		return err
	}
	if next < d.newest().Nonce {
		return d.bridgeGap(ctx)
	}
	d.gap = time.Time{}
	if rejection != nil {
		return d.signAgain(ctx, rejection)
	}
	return nil
}

// signAgain signs the call again with the same nonce. It does so at most once.
func (d *delivery) signAgain(ctx context.Context, rejection error) error {
	if d.renewed {
		return rejection
	}
	old := d.newest()
	switch err := d.addRenewed(ctx, old.Nonce); {
	case err != nil:
		return fmt.Errorf("%w, and it cannot be replaced: %w", rejection, err)
	case d.newest().Hash == old.Hash:
		return rejection
	}
	return d.broadcast(ctx)
}

// bridgeGap signs the call again with the wallet's next nonce, if nonces before the newest
// transaction have been missing for RaiseAfter. It does so at most once. Both transactions may be
// mined in the end, so it requires that the call cannot take effect twice.
func (d *delivery) bridgeGap(ctx context.Context) error {
	if d.gap.IsZero() {
		d.gap = time.Now()
	}
	if d.renewed || time.Since(d.gap) < d.wallet.RaiseAfter {
		return nil
	}
	if err := d.record.PaysOnce(); err != nil {
		return fmt.Errorf("transaction %s has nonce %d, and transactions before it are missing: %w", d.newest().Hash, d.newest().Nonce, err)
	}
	unlock, err := d.wallet.lockNonces(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	nonce, err := d.wallet.nextNonce(ctx, d.record.Key)
	if err != nil || nonce >= d.newest().Nonce {
		return err
	}
	if err := d.addRenewed(ctx, nonce); err != nil {
		return err
	}
	d.gap = time.Time{}
	return d.broadcast(ctx)
}

// addRenewed adds a transaction with the same call, unless it would be identical to the last one.
func (d *delivery) addRenewed(ctx context.Context, nonce uint64) error {
	old := d.newest()
	tx, err := d.bounded.Renew(ctx, old.Raw, nonce, d.cost)
	if err != nil || tx.Hash == old.Hash {
		return err
	}
	d.renewed = true
	return d.add(tx)
}
