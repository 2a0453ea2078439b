package chain

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/ethclient"
)

// raised is 12.5 % more and one wei, because nodes round as they like.
func raised(fee *big.Int) *big.Int {
	more := new(big.Int).Rsh(fee, 3)
	return more.Add(more, fee).Add(more, big.NewInt(1))
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

// Fees are what a transaction offers for each unit of gas, in wei: the tip to
// whoever mines it, and the most in all.
type Fees struct{ Tip, Limit *big.Int }

// Fees returns today's: the limit leaves room for the base fee to double, which
// takes at least six full blocks.
func (s *Sender) Fees(ctx context.Context) (Fees, error) {
	var f Fees
	err := s.node.do(ctx, "read fees", func(ctx context.Context, c *ethclient.Client) (err error) {
		if f.Tip, err = c.SuggestGasTipCap(ctx); err != nil {
			return err
		}
		head, err := c.HeaderByNumber(ctx, nil)
		if err != nil {
			return err
		}
		f.Limit = new(big.Int).Set(f.Tip)
		if head.BaseFee != nil {
			f.Limit.Add(f.Limit, new(big.Int).Lsh(head.BaseFee, 1))
		}
		return nil
	})
	if err != nil {
		return Fees{}, asUnavailable("read fees", err)
	}
	return f, nil
}
