package send

import (
	"context"
	"fmt"
	"math"

	"taskmarket/chain/rpc"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
)

// maxNonce is above every nonce of a real account: at a transaction per millisecond, it is reached
// after 35 years.
const maxNonce = 1 << 40

// NextNonce returns the first nonce above all transactions that the node has, including pending
// ones.
func (s *Sender) NextNonce(ctx context.Context) (uint64, error) {
	return s.NextNonceOf(ctx, s.signer.Address())
}

// NextNonceOf is like NextNonce, for any account.
func (s *Sender) NextNonceOf(ctx context.Context, account common.Address) (uint64, error) {
	return s.nonce(ctx, account, (*ethclient.Client).PendingNonceAt)
}

// UsedNonces returns how many nonces the account has used up to the latest block.
func (s *Sender) UsedNonces(ctx context.Context) (uint64, error) {
	return s.UsedNoncesOf(ctx, s.signer.Address())
}

// UsedNoncesOf is like UsedNonces, for any account.
func (s *Sender) UsedNoncesOf(ctx context.Context, account common.Address) (uint64, error) {
	return s.nonce(ctx, account, func(c *ethclient.Client, ctx context.Context, address common.Address) (uint64, error) {
		return c.NonceAt(ctx, address, nil)
	})
}

// LeastUsedNoncesOf is like UsedNoncesOf, but asks all providers, except stalled ones if another one
// responds. It returns the lowest answer, so that no single provider can count a nonce that is not used.
func (s *Sender) LeastUsedNoncesOf(ctx context.Context, account common.Address) (uint64, error) {
	lowest := uint64(math.MaxUint64)
	err := s.node.EachCurrent(ctx, "read a nonce", func(ctx context.Context, c *ethclient.Client) error {
		used, err := plausible(c.NonceAt(ctx, account, nil))
		if err == nil {
			lowest = min(lowest, used)
		}
		return err
	})
	if err != nil {
		return 0, rpc.Unavailable("read a nonce", err)
	}
	return lowest, nil
}

func (s *Sender) nonce(
	ctx context.Context, account common.Address, ask func(*ethclient.Client, context.Context, common.Address) (uint64, error),
) (uint64, error) {
	var nonce uint64
	err := s.node.Do(ctx, "read a nonce", func(ctx context.Context, c *ethclient.Client) (err error) {
		nonce, err = plausible(ask(c, ctx, account))
		return err
	})
	if err != nil {
		return 0, rpc.Unavailable("read a nonce", err)
	}
	return nonce, nil
}

// NonceBounds asks all providers, except stalled ones if another one responds. It returns the lowest number of nonces that the account has used, and
// the lowest and the highest answer for the first nonce above its pending transactions. The answers
// differ if a provider lags or forges them.
func (s *Sender) NonceBounds(ctx context.Context) (used, low, high uint64, err error) {
	used, low = math.MaxUint64, math.MaxUint64
	err = s.node.EachCurrent(ctx, "read the nonces", func(ctx context.Context, c *ethclient.Client) error {
		// Read the pending nonce first: a transaction that is mined in between then counts in both.
		pending, err := plausible(c.PendingNonceAt(ctx, s.signer.Address()))
		if err != nil {
			return err
		}
		mined, err := plausible(c.NonceAt(ctx, s.signer.Address(), nil))
		if err != nil {
			return err
		}
		next := max(pending, mined)
		used, low, high = min(used, mined), min(low, next), max(high, next)
		return nil
	})
	if err != nil {
		return 0, 0, 0, rpc.Unavailable("read the nonces", err)
	}
	return used, low, high, nil
}

// plausible returns ErrInvalidAnswer for a nonce that no account can have reached. A plausible nonce also
// fits into the database's integers, even after an addition.
func plausible(nonce uint64, err error) (uint64, error) {
	if err == nil && nonce > maxNonce {
		err = fmt.Errorf("%w: it reports %d transactions of one account", rpc.ErrInvalidAnswer, nonce)
	}
	return nonce, err
}
