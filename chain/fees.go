package chain

import (
	"context"
	"errors"
	"fmt"
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

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// Fees are what a transaction offers for each unit of gas, in wei: the tip to
// whoever mines it, and the most in all.
type Fees struct{ Tip, Limit *big.Int }

// ErrGasLimit is returned when the chain asks for a higher fee than the sender may
// offer: a transaction would only wait.
var ErrGasLimit = errors.New("gas costs more than the limit")

// MostGas is what a call of the market is given at most. The dearest need about
// 125,000; some rollups count what they charge for data as gas, too.
const MostGas = 1_000_000

// ErrTooMuchGas is returned when the node says that a transaction needs more gas
// than it may have. It was not signed.
var ErrTooMuchGas = errors.New("the transaction needs too much gas")

// Fees returns what a transaction of this sender offers now: today's fees,
// within the sender's limit. The limit leaves room for the base fee to double,
// which takes at least six full blocks.
func (s *Sender) Fees(ctx context.Context) (Fees, error) {
	today, err := s.today(ctx)
	if err != nil {
		return Fees{}, err
	}
	if s.limit != nil && today.base.Cmp(s.limit) > 0 {
		return Fees{}, fmt.Errorf("%w: the base fee is %s wei, the limit %s", ErrGasLimit, today.base, s.limit)
	}
	return s.capped(today.Fees), nil
}

func (s *Sender) capped(f Fees) Fees {
	if s.limit == nil {
		return f
	}
	return Fees{Tip: smaller(f.Tip, s.limit), Limit: smaller(f.Limit, s.limit)}
}

// todaysFees are what the chain asks for, whatever the sender's limit.
type todaysFees struct {
	Fees
	base *big.Int
}

func (s *Sender) today(ctx context.Context) (todaysFees, error) {
	f := todaysFees{base: new(big.Int)}
	err := s.node.do(ctx, "read fees", func(ctx context.Context, c *ethclient.Client) (err error) {
		if f.Tip, err = c.SuggestGasTipCap(ctx); err != nil {
			return err
		}
		head, err := latest(ctx, c)
		if err != nil {
			return err
		}
		if head.BaseFee != nil {
			f.base = head.BaseFee
		}
		f.Limit = new(big.Int).Add(f.Tip, new(big.Int).Lsh(f.base, 1))
		return nil
	})
	if err != nil {
		return todaysFees{}, asUnavailable("read fees", err)
	}
	return f, nil
}
