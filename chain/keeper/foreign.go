package keeper

import (
	"context"
	"log/slog"
	"time"

	"taskmarket/market"
)

// foreignAlarm is how long Status reports that another program used the key.
const foreignAlarm = time.Hour

// foreignStep is how many foreign nonces one check can skip. Without this bound, one forged, high number
// of used nonces would disable all further checks.
const foreignStep = 16

// KeyShared reports whether another program used the keeper's key: whether a mined transaction that no
// keeper recorded was found in the last hour.
func (s Status) KeyShared() bool {
	return !s.ForeignAt.IsZero() && time.Since(s.ForeignAt) < foreignAlarm
}

// checkNonces raises the alarm if the account used a nonce without a recorded transaction. The used
// nonces are read first: a keeper records a transaction before it sends it, so each of its nonces has a
// record by then. The first check of an epoch begins after the highest recorded nonce, and so covers the
// time without a keeper. If the account has no records, it begins after the used nonces, because a person
// may have used the account before.
//
// Example: nonces up to 6 are recorded, and 9 nonces (0 to 8) are used. The nonces 7 and 8 are foreign.
// If nonce 9 is recorded and mined next, the following check begins with nonce 9 and finds no foreign one.
func (k *Keeper) checkNonces(ctx context.Context) error {
	used, _, _, err := k.sender.NonceBounds(ctx) // the lowest, because one node can report too many
	if err != nil {
		return err
	}
	if k.checkedNonces == nil {
		_, next, err := k.store.RecordedNonces(ctx, k.sender.Address(), used, used)
		if err != nil {
			return err
		}
		if next == 0 || next > used {
			next = used
		}
		k.checkedNonces = &next
	}
	first := *k.checkedNonces
	if used <= first { // a reorg or a node that lags
		return nil
	}
	recorded, next, err := k.store.RecordedNonces(ctx, k.sender.Address(), first, used)
	if err != nil {
		return err
	}
	checked := min(used, max(first, next)+foreignStep)
	k.checkedNonces = &checked
	if recorded < used-first {
		k.reportForeign(ctx, first, used-first-recorded)
	}
	return nil
}

// checkVersions raises the alarm if the nonce is used, but no transaction that a keeper recorded with it
// is mined.
func (k *Keeper) checkVersions(ctx context.Context, nonce uint64) error {
	versions, complete, err := k.store.KeeperVersions(ctx, market.AccountNonce{Account: k.sender.Address(), Nonce: nonce})
	if err != nil || !complete {
		return err
	}
	for _, hash := range versions {
		receipt, err := k.sender.Receipt(ctx, hash)
		if err != nil || receipt != nil {
			return err
		}
	}
	k.reportForeign(ctx, nonce, 1)
	return nil
}

// reportForeign raises the alarm for count foreign nonces, none of them below first.
func (k *Keeper) reportForeign(ctx context.Context, first, count uint64) {
	k.updateStatus(func(s *Status) { s.ForeignAt = time.Now() })
	k.log.ErrorContext(ctx, "another program uses the keeper's key", slog.String("account", k.sender.Address().Hex()),
		slog.Uint64("from_nonce", first), slog.Uint64("transactions", count))
}
