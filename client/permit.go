package client

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/market"
)

const (
	// longestPermit is the maximum validity of a permit.
	longestPermit = time.Hour
	// permitLife is the validity of a new permit. It is shorter than longestPermit, because the
	// chain's clock can go back a little in a reorganisation.
	permitLife = longestPermit - 5*time.Minute
	// permitReserve is how much longer an agreed permit must be valid to be used. It leaves time to
	// sign the transaction and have it mined.
	permitReserve = 5 * time.Minute
)

// ErrPermitExpired is returned when the permit that was agreed to is no longer valid. The payment was
// not made. Repeat the request for a new permit.
var ErrPermitExpired = errors.New("the permit expired")

// ErrPermitUsed is returned when the permit of an abandoned payment has been used. That payment may
// have succeeded after all, so no replacement is signed.
var ErrPermitUsed = errors.New("an earlier attempt may already have paid, because its permit has been used; nothing was signed")

// permitNonce returns the nonce for the wallet's next permit. After an abandoned payment, it must
// still be the nonce in that payment's permit.
func (r *creation) permitNonce(ctx context.Context, owner common.Address) (*big.Int, error) {
	nonce, err := chain.NewReader(r.node.Chain, r.deployment.calls).PermitNonce(ctx, owner)
	if err != nil || r.flow == nil || r.flow.Permit == nil {
		return nonce, err
	}
	if nonce.Cmp(r.flow.Permit.ToInt()) != 0 {
		return nil, ErrPermitUsed
	}
	return nonce, r.paysOnce(ctx)
}

// permit returns the permit to sign, which lets the escrow take the amount, and its deadline in
// Unix seconds of chain time.
func (r *creation) permit(ctx context.Context) (data apitypes.TypedData, expires *big.Int, err error) {
	owner := r.signer.Address()
	nonce, err := r.permitNonce(ctx, owner)
	if err != nil {
		return data, nil, err
	}
	r.number = nonce
	until, err := r.permitDeadline(ctx)
	if err != nil {
		return data, nil, err
	}
	expires = big.NewInt(until.Unix())
	return chain.PermitTypedData(chain.Permit{
		TokenName: r.deployment.permit.Name, Version: r.deployment.permit.Version, ChainID: r.deployment.ChainID,
		Token: r.deployment.Token, Owner: owner, Spender: r.deployment.Escrow,
		Value: r.request.Amount, Nonce: nonce, Deadline: expires,
	}), expires, nil
}

// permitDeadline returns the deadline for the next permit. Once it was allowed, it is the allowed one. In
// a plan, it is the one that was agreed to before if that is still valid, so that a
// permit signed by another program can be used, and otherwise a new one.
func (r *creation) permitDeadline(ctx context.Context) (time.Time, error) {
	now, err := r.clock(ctx)
	if err != nil {
		return time.Time{}, err
	}
	if r.until != nil {
		if !now.Before(*r.until) {
			return time.Time{}, fmt.Errorf("%w at %s; nothing was signed; try again", ErrPermitExpired, market.FormatTime(*r.until))
		}
		return *r.until, nil
	}
	agreed := []*time.Time{r.agreed.Deadline}
	if r.flow != nil {
		agreed = append(agreed, r.flow.PermitDeadline)
	}
	for _, deadline := range agreed {
		if deadline != nil && deadline.After(now.Add(permitReserve)) && !deadline.After(now.Add(longestPermit)) {
			return *deadline, nil
		}
	}
	return now.Add(permitLife).Truncate(time.Second), nil
}

// clock returns the later of this machine's time and the latest block's. A chain without recent
// transactions may have an old block, but the next one has the current time.
func (r *creation) clock(ctx context.Context) (time.Time, error) {
	head, err := r.node.Header(ctx, rpc.LatestBlockNumber)
	if err != nil {
		return time.Time{}, err
	}
	now, mined := time.Now().UTC(), time.Unix(int64(head.Time), 0).UTC() //nolint:gosec // a block's time fits into int64
	if mined.After(now) {
		return mined, nil
	}
	return now, nil
}

// live reports whether a payment was signed for the flow and can still be made.
func (r *creation) live() bool { return r.flow.signed() && !r.renews }

// checkSigned sets renews if the signed payment must be replaced, because the node has none of its
// transactions, and the permit in them has expired. The replacement has the same permit nonce and,
// unless the node is wrong, the same account nonce, so that at most one of them can pay. A payment
// that the node has is not replaced, even if its permit has expired: if it is mined too late, it fails
// and is then abandoned.
func (r *creation) checkSigned(ctx context.Context) error {
	if r.flow == nil || !r.flow.signed() || r.flow.Done || r.flow.Paid != nil {
		return nil
	}
	lost, err := r.neverSent(ctx)
	if err != nil || !lost {
		return ignoreUnavailable(err) // if the node is unavailable, the later wait for the payment retries
	}
	var newest types.Transaction
	if err := newest.UnmarshalBinary(r.flow.Transactions[len(r.flow.Transactions)-1]); err != nil {
		return fmt.Errorf("decode saved transaction: %w", err)
	}
	expires := chain.PermitDeadline(newest.Data())
	now, err := r.clock(ctx)
	if err != nil || expires == nil {
		return ignoreUnavailable(err)
	}
	r.renews = expires.Cmp(big.NewInt(now.Unix())) < 0
	return nil
}

// neverSent reports whether the node has none of the flow's transactions, neither mined nor pending.
func (r *creation) neverSent(ctx context.Context) (bool, error) {
	txs, err := r.flow.transactions()
	if err != nil {
		return false, err
	}
	next, err := r.wallet.Sender.NextNonce(ctx)
	if err != nil {
		return false, err
	}
	for _, tx := range txs {
		if tx.Nonce < next {
			return false, nil
		}
	}
	receipt, err := r.wallet.Receipt(ctx, txs)
	return receipt == nil && err == nil, err
}
