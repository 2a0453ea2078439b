package tx

import (
	"context"
	"fmt"
	"time"
)

// mend looks at what keeps the newest transaction from being mined, besides its
// price, and signs its call anew where the transaction can never be: the node
// refuses it, or it has a nonce that the wallet does not come to. Either is
// left by a node that once did not tell the truth.
func (d *delivery) mend(ctx context.Context, refusal error) error {
	if away(refusal) {
		return refusal
	}
	next, err := d.sender.NextNonce(ctx)
	if err != nil {
		return err
	}
	if next < d.newest().Nonce {
		return d.bridge(ctx)
	}
	d.gap = time.Time{}
	if refusal != nil {
		return d.refused(ctx, refusal)
	}
	return nil
}

// refused signs the call anew under the same nonce, once.
func (d *delivery) refused(ctx context.Context, refusal error) error {
	if d.renewed {
		return refusal
	}
	old := d.newest()
	switch err := d.renew(ctx, old.Nonce); {
	case err != nil:
		return fmt.Errorf("%w, and another in its place is not possible: %w", refusal, err)
	case d.newest().Hash == old.Hash:
		return refusal
	}
	return d.sender.Broadcast(ctx, d.newest().Raw)
}

// bridge signs the call anew with the wallet's next nonce, once, after nonces before
// that of the transaction were missing for long. Both may be mined in the end.
func (d *delivery) bridge(ctx context.Context) error {
	if d.gap.IsZero() {
		d.gap = time.Now()
	}
	if d.renewed || time.Since(d.gap) < d.raise {
		return nil
	}
	if err := d.written.once(); err != nil {
		return fmt.Errorf("transaction %s has nonce %d, before which others are missing: %w", d.newest().Hash, d.newest().Nonce, err)
	}
	unlock, err := d.lockNonces(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	nonce, err := d.nextNonce(ctx, d.written.key)
	if err != nil || nonce >= d.newest().Nonce {
		return err
	}
	if err := d.renew(ctx, nonce); err != nil {
		return err
	}
	d.gap = time.Time{}
	return d.sender.Broadcast(ctx, d.newest().Raw)
}

// renew adds a transaction of the same call, unless it would be the same one.
func (d *delivery) renew(ctx context.Context, nonce uint64) error {
	old := d.newest()
	tx, err := d.bounded.Renew(ctx, old.Raw, nonce, d.cost)
	if err != nil || tx.Hash == old.Hash {
		return err
	}
	d.renewed = true
	return d.add(tx)
}
