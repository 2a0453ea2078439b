package rescue

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/market"
)

// oldestWaiting returns the nonce of the wallet's oldest pending transaction.
func (r *Rescue) oldestWaiting(ctx context.Context, wallet common.Address) (*uint64, error) {
	sender := r.sender(onlooker(wallet))
	next, err := ask(ctx, sender.NextNonce)
	if err != nil {
		return nil, err
	}
	used, err := ask(ctx, sender.UsedNonces)
	if err != nil {
		return nil, err
	}
	if used >= next {
		return nil, market.Errorf(market.KindWrongStatus, "no transaction of the wallet is pending, so there is none to replace")
	}
	return &used, nil
}

// maxFeeFactor limits a replacement's fee, as a multiple of the current fee, if no other limit is
// set.
const maxFeeFactor = 4

// replacing returns the fees for a replacement. The pending transaction's fee is unknown, so the
// replacement offers the highest fee that the limit and the wallet's balance allow, but at least today's: the
// caller checks the balance. The actual cost is only the base fee and the tip.
func (r *Rescue) replacing(today send.Fees, affordable *big.Int) send.Fees {
	limit := r.options.MaxFeePerGas
	if limit == nil {
		limit = new(big.Int).Mul(today.Limit, big.NewInt(maxFeeFactor))
	}
	if limit.Cmp(affordable) > 0 {
		limit = affordable
	}
	if limit.Cmp(today.Limit) < 0 {
		limit = today.Limit
	}
	return send.Fees{Tip: today.Tip, Limit: limit}
}

// replace signs and sends the plan's transaction with the nonce of the pending transaction that it
// replaces. It doubles the tip until the node accepts the transaction or the tip reaches the plan's
// MaxFee.
func (r *Rescue) replace(ctx context.Context, signer chain.Signer, p Plan) (common.Hash, error) {
	maxFee := p.Transaction.MaxFee
	for tip := new(big.Int).Add(p.Transaction.Tip, common.Big1); ; tip = new(big.Int).Lsh(tip, 1) {
		last := tip.Cmp(maxFee) >= 0
		if last {
			tip = maxFee
		}
		hash, err := r.offer(ctx, signer, p, *p.Replaces, tip)
		if !errors.Is(err, send.ErrNonceTaken) {
			return hash, err
		}
		used, err := r.sender(signer).UsedNonces(ctx)
		switch {
		case err != nil:
			return hash, err
		case used > *p.Replaces:
			return hash, fmt.Errorf("%w: the transaction that it was to replace was mined first; list the holdings again", client.ErrNotMined)
		case last:
			return hash, fmt.Errorf("%w: the pending transaction already pays close to the most that the limit and the wallet's balance allow", send.ErrGasLimit)
		}
	}
}
