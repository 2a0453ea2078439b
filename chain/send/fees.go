package send

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"taskmarket/chain/rpc"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
)

// raisedFee returns the fee plus 12.5% and one wei. The additional wei allows for nodes that round
// differently.
func raisedFee(fee *big.Int) *big.Int {
	more := new(big.Int).Rsh(fee, 3)
	return more.Add(more, fee).Add(more, big.NewInt(1))
}

func maxBig(a, b *big.Int) *big.Int {
	if a.Cmp(b) >= 0 {
		return a
	}
	return b
}

func minBig(a, b *big.Int) *big.Int {
	if a.Cmp(b) <= 0 {
		return a
	}
	return b
}

// Fees are the fees per unit of gas that a transaction offers, in wei: the tip to the block's
// producer, and the fee cap.
type Fees struct{ Tip, Limit *big.Int }

// Limits bounds what one transaction may offer. A nil field sets no limit.
type Limits struct {
	Gas  uint64   // units of gas; if zero, MostGas for new calls
	Fee  *big.Int // fee cap per unit of gas, in wei
	Tip  *big.Int // tip per unit of gas, in wei
	Cost *big.Int // gas times the fee cap, in wei
}

// ErrGasLimit is returned when the chain requires a higher fee than the sender may offer. The
// transaction would stay pending.
var ErrGasLimit = errors.New("gas costs more than the limit")

// CostError is returned when a transaction may cost more in total than the sender may spend. The
// transaction was not signed.
type CostError struct{ Cost, Limit *big.Int } // in wei

// Error implements error.
func (e *CostError) Error() string {
	return fmt.Sprintf("the transaction may cost %s wei, but the limit is %s wei", e.Cost, e.Limit)
}

// ErrFeesDiffer is returned when two providers disagree about the base fee by
// more than a factor of maxBaseFeeFactor: one of them is wrong or far behind.
var ErrFeesDiffer = errors.New("the providers disagree about the base fee")

// maxBaseFeeFactor is the largest accepted ratio of two providers' base fees. A base fee rises by
// at most an eighth per block, so it takes at least six full blocks to double.
const maxBaseFeeFactor = 2

// MostGas is the default gas limit of a call. The most expensive calls need about 125,000 units;
// some rollups also charge for data as gas.
const MostGas = 1_000_000

// ErrTooMuchGas is returned when a transaction needs more gas than its limit. The transaction was
// not signed.
var ErrTooMuchGas = errors.New("the transaction needs too much gas")

// Fees returns the fees that a transaction of this sender offers now: the chain's current fees,
// within the sender's limits. The fee cap leaves room for the base fee to double, which takes at
// least six full blocks. Fees returns ErrGasLimit if the base fee is above the limit, and
// ErrFeesDiffer if the providers disagree.
func (s *Sender) Fees(ctx context.Context) (Fees, error) {
	today, err := s.currentFees(ctx)
	if err != nil {
		return Fees{}, err
	}
	if isAbove(today.base, s.limits.Fee) {
		return Fees{}, fmt.Errorf("%w: the base fee is %s wei, but the limit is %s wei", ErrGasLimit, today.base, s.limits.Fee)
	}
	return s.capped(today.Fees), nil
}

func (s *Sender) capped(f Fees) Fees {
	return Fees{Tip: capped(capped(f.Tip, s.limits.Tip), s.limits.Fee), Limit: capped(f.Limit, s.limits.Fee)}
}

// capped returns the lower of value and limit; a nil limit is unlimited.
func capped(value, limit *big.Int) *big.Int {
	if isAbove(value, limit) {
		return limit
	}
	return value
}

// isAbove reports whether the value is above the limit; a nil limit is unlimited.
func isAbove(value, limit *big.Int) bool { return limit != nil && value.Cmp(limit) > 0 }

// limitText formats a limit for error messages.
func limitText(limit *big.Int) string {
	if limit == nil {
		return "none"
	}
	return limit.String()
}

// todaysFees are the fees that the chain currently requires, before the sender's limits.
type todaysFees struct {
	Fees
	base *big.Int
}

// feeBlocks and tipPercentile select the tips that suggestTip reads: in each of the last feeBlocks blocks, the
// one that half of the gas paid at most.
const (
	feeBlocks     = 10
	tipPercentile = 50
)

// suggestTip returns the tip that a node suggests. Not every node has eth_maxPriorityFeePerGas. Without it,
// the tip is the median of those in the last blocks or, without eth_feeHistory too, the gas price minus
// the base fee.
func suggestTip(ctx context.Context, c *ethclient.Client, base *big.Int) (*big.Int, error) {
	var failed error
	for _, read := range []func() (*big.Int, error){
		func() (*big.Int, error) { return c.SuggestGasTipCap(ctx) },
		func() (*big.Int, error) { return tipOfHistory(ctx, c) },
		func() (*big.Int, error) {
			price, err := c.SuggestGasPrice(ctx)
			if err != nil {
				return nil, err
			}
			return maxBig(new(big.Int).Sub(price, base), new(big.Int)), nil
		},
	} {
		tip, err := read()
		if err == nil {
			return tip, nil
		}
		if failed == nil || rpc.IsUnsupported(failed) {
			failed = err
		}
	}
	return nil, failed
}

// GasPrice returns what a node's next block charges per unit of gas: its base fee and a tip.
func GasPrice(ctx context.Context, c *ethclient.Client) (*big.Int, error) {
	head, err := rpc.Latest(ctx, c)
	if err != nil {
		return nil, err
	}
	base := baseFee(head)
	tip, err := suggestTip(ctx, c, base)
	if err != nil {
		return nil, err
	}
	return tip.Add(tip, base), nil
}

// baseFee returns the base fee of a block; 0 on a chain without one.
func baseFee(head *types.Header) *big.Int {
	if head.BaseFee == nil {
		return new(big.Int)
	}
	return head.BaseFee
}

// tipOfHistory returns the median of the tips in the last blocks that contain transactions; 0 if there is
// none.
func tipOfHistory(ctx context.Context, c *ethclient.Client) (*big.Int, error) {
	history, err := c.FeeHistory(ctx, feeBlocks, nil, []float64{tipPercentile})
	if err != nil {
		return nil, err
	}
	var tips []*big.Int
	for i, rewards := range history.Reward {
		if len(rewards) != 1 || rewards[0] == nil || rewards[0].Sign() < 0 || i >= len(history.GasUsedRatio) {
			return nil, fmt.Errorf("%w: the fee history is incomplete", rpc.ErrInvalidAnswer)
		}
		if history.GasUsedRatio[i] > 0 {
			tips = append(tips, rewards[0])
		}
	}
	if len(tips) == 0 {
		return new(big.Int), nil
	}
	slices.SortFunc(tips, (*big.Int).Cmp)
	return tips[len(tips)/2], nil
}

// currentFees reads the fees from every provider and returns the lowest tip and the highest base
// fee. It returns ErrFeesDiffer if the base fees differ by more than maxBaseFeeFactor.
func (s *Sender) currentFees(ctx context.Context) (todaysFees, error) {
	const what = "read fees"
	var tip, low, high *big.Int
	err := s.node.Each(ctx, what, func(ctx context.Context, c *ethclient.Client) error {
		head, err := rpc.Latest(ctx, c)
		if err != nil {
			return err
		}
		base := baseFee(head)
		suggested, err := suggestTip(ctx, c, base)
		if err != nil {
			return err
		}
		if tip == nil {
			tip, low, high = suggested, base, base
		}
		tip, low, high = minBig(tip, suggested), minBig(low, base), maxBig(high, base)
		return nil
	})
	if err != nil {
		return todaysFees{}, rpc.Unavailable(what, err)
	}
	if high.Cmp(new(big.Int).Mul(low, big.NewInt(maxBaseFeeFactor))) > 0 {
		return todaysFees{}, fmt.Errorf("%w: %s wei and %s wei differ by more than a factor of %d", ErrFeesDiffer, low, high, maxBaseFeeFactor)
	}
	return todaysFees{Fees: Fees{Tip: tip, Limit: new(big.Int).Add(tip, new(big.Int).Lsh(high, 1))}, base: high}, nil
}
