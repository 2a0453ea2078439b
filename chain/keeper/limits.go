package keeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/send"
	"taskmarket/market"
)

// Gas limits for a keeper's transactions, four to five times the measured gas: a settlement needs
// 80,000, and a relay of three key signatures 110,000. A validator's contract wallet may verify a
// passkey signature in the contract, which needs more.
const (
	jobGas           = 400_000 // a settlement, a claim, or a relay excluding its signatures
	keyVerdictGas    = 30_000
	walletVerdictGas = 400_000
)

const (
	limitPause = time.Minute // pause before a job that needs too much gas is retried
	alarmPause = time.Minute // pause between two alarms about a reached limit
)

// Limits bounds the cost of what a keeper signs. It covers everything that a transaction pays for
// gas, but not the L1 data fee of OP-stack chains such as Base. The chain deducts that fee from the
// account's balance, and a transaction cannot limit it.
type Limits struct {
	Fee   *big.Int // maximum fee per unit of gas, in wei
	Tip   *big.Int // maximum tip per unit of gas, in wei
	Gas   uint64   // highest gas limit of a transaction
	Daily *big.Int // maximum wei in any 24 hours, for all keepers of the chain together
}

// DefaultLimits returns limits that are above usual peaks of the chain's fees.
func DefaultLimits(chainID uint64) Limits {
	switch chainID {
	case 1: // Ethereum
		return newLimits(200, 5, 5_000_000, 500)
	case 10, 8453, 84532: // OP, Base, Base Sepolia
		return newLimits(10, 1, 5_000_000, 50)
	case arbitrumOne:
		return newLimits(10, 1, 20_000_000, 50)
	case 31337: // anvil
		return newLimits(10_000, 100, 5_000_000, 100_000)
	}
	return newLimits(100, 5, 5_000_000, 100)
}

// Arbitrum One charges for data as gas, so its gas limits are higher.
const (
	arbitrumOne       = 42161
	arbitrumGasFactor = 4
)

// newLimits takes the fee and the tip in gwei, and the daily limit in thousandths of an ether.
func newLimits(fee, tip int64, gas uint64, daily int64) Limits {
	gwei, milliEther := big.NewInt(1e9), big.NewInt(1e15)
	return Limits{
		Fee: new(big.Int).Mul(big.NewInt(fee), gwei), Tip: new(big.Int).Mul(big.NewInt(tip), gwei),
		Gas: gas, Daily: new(big.Int).Mul(big.NewInt(daily), milliEther),
	}
}

// complete fills in the chain's defaults.
func (l Limits) complete(chainID uint64) Limits {
	defaults := DefaultLimits(chainID)
	return Limits{
		Fee: cmp.Or(l.Fee, defaults.Fee), Tip: cmp.Or(l.Tip, defaults.Tip),
		Gas: cmp.Or(l.Gas, defaults.Gas), Daily: cmp.Or(l.Daily, defaults.Daily),
	}
}

// gasFor returns the gas limit of a job with the given numbers of key signatures and
// contract-wallet signatures.
func (k *Keeper) gasFor(keys, wallets int) uint64 {
	gas := uint64(jobGas + keys*keyVerdictGas + wallets*walletVerdictGas) //nolint:gosec // a panel has at most 32 members
	if k.contracts.Deployment().ChainID == arbitrumOne {
		gas *= arbitrumGasFactor
	}
	return min(gas, k.options.Limits.Gas)
}

// ErrDailyLimit is returned when a transaction may cost more than what is left of Limits.Daily. It names the
// setting of `taskmarketd serve`, because operators read it.
var ErrDailyLimit = errors.New("the transaction may cost more than what is left of KEEPER_DAILY_LIMIT")

// dailyLimited returns the results of a limitedSender, with ErrDailyLimit instead of a *chain.CostError.
func (k *Keeper) dailyLimited(signed send.Signed, err error) (send.Signed, error) {
	if over, ok := errors.AsType[*send.CostError](err); ok {
		err = fmt.Errorf("%w: it may cost %s wei, but only %s of %s wei for 24 hours are left", ErrDailyLimit, over.Cost, over.Limit, k.options.Limits.Daily)
	}
	return signed, err
}

// limitedSender returns a sender for one transaction with the nonce. The rest of the daily limit
// bounds its cost.
func (k *Keeper) limitedSender(ctx context.Context, nonce, gas uint64) (*send.Sender, error) {
	spent, err := k.store.KeeperSpent(ctx, k.sender.Address(), nonce)
	if err != nil {
		return nil, err
	}
	left := new(big.Int).Sub(k.options.Limits.Daily, spent)
	if left.Sign() < 0 {
		left.SetUint64(0)
	}
	return k.sender.WithLimits(send.Limits{Gas: gas, Fee: k.options.Limits.Fee, Tip: k.options.Limits.Tip, Cost: left}), nil
}

// isLimit reports whether a limit prevented a transaction from being signed, or the providers disagree
// about the base fee.
func isLimit(err error) bool {
	return errors.Is(err, send.ErrTooMuchGas) || errors.Is(err, send.ErrGasLimit) || errors.Is(err, ErrDailyLimit) || errors.Is(err, send.ErrFeesDiffer)
}

// atLimit reports whether a transaction offers the highest permitted fee or tip. The fee cap leaves room
// for the base fee to double, so the current base fee can be as low as about half of the limit.
func (k *Keeper) atLimit(signed send.Signed) bool {
	var tx types.Transaction
	return tx.UnmarshalBinary(signed.Raw) == nil &&
		(tx.GasTipCap().Cmp(k.options.Limits.Tip) >= 0 || tx.GasFeeCap().Cmp(k.options.Limits.Fee) >= 0)
}

// reportLimit raises the alarm for a reached limit, at most once a minute: it logs an error, and
// records the limit, so that the health check of every replica reports it.
func (k *Keeper) reportLimit(ctx context.Context, job market.Job, cause error) {
	if time.Since(k.limitReportedAt) < alarmPause {
		return
	}
	k.limitReportedAt = time.Now()
	k.log.ErrorContext(ctx, "the keeper has reached a spending limit, or the providers' base fees differ; check the nodes and the fees, or raise the limit",
		slog.String("job", job.String()), slog.Any("err", cause))
	if err := k.store.KeeperLimited(ctx, k.lease.Epoch); err != nil {
		k.limitReportedAt = time.Time{}
		k.log.WarnContext(ctx, "recording the limit alarm failed; will retry", slog.Any("err", err))
	}
}

// reconcile records the actual cost of mined transactions, which replaces their maximum cost, and
// checks the nonces that were used.
func (k *Keeper) reconcile(ctx context.Context) error {
	if time.Since(k.reconciledAt) < reconcilePause {
		return nil
	}
	k.reconciledAt = time.Now()
	if err := k.checkNonces(ctx); err != nil {
		return err
	}
	transactions, err := k.store.UnpaidTransactions(ctx, maxUnpaid)
	if err != nil {
		return err
	}
	for _, tx := range transactions {
		receipt, err := k.sender.Receipt(ctx, tx.Hash)
		if err != nil {
			return err
		}
		if receipt == nil || receipt.EffectiveGasPrice == nil {
			continue
		}
		cost := new(big.Int).Mul(new(big.Int).SetUint64(receipt.GasUsed), receipt.EffectiveGasPrice)
		if err := k.store.TransactionPaid(ctx, k.lease.Epoch, tx, cost); err != nil {
			return err
		}
	}
	return nil
}

// maxCost returns the highest possible cost of a transaction, in wei.
func maxCost(signed send.Signed) *big.Int {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(signed.Raw); err != nil {
		return new(big.Int) // a transaction that cannot be decoded cannot be sent either
	}
	return new(big.Int).Mul(new(big.Int).SetUint64(tx.Gas()), tx.GasFeeCap())
}
