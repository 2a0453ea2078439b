package send

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"
)

// Replace signs the transaction again with the same nonce and with fees at which nodes accept a
// replacement: at least 12.5% more, and at least the current fees within the sender's limits. If
// the transaction already offers current fees, Replace returns it unchanged, because its fees are
// not the reason for the delay. It returns ErrTooMuchGas, ErrGasLimit or *CostError if the
// replacement would exceed the sender's limits, and ErrFeesDiffer like Build.
func (s *Sender) Replace(ctx context.Context, raw []byte) (Signed, error) {
	return s.replace(ctx, raw, false)
}

// Raise is like Replace for a transaction that has been pending for a long time: it raises the fees
// even if they are at the current level.
func (s *Sender) Raise(ctx context.Context, raw []byte) (Signed, error) {
	return s.replace(ctx, raw, true)
}

func (s *Sender) replace(ctx context.Context, raw []byte, always bool) (Signed, error) {
	var old types.Transaction
	if err := old.UnmarshalBinary(raw); err != nil {
		return Signed{}, fmt.Errorf("decode the transaction to replace: %w", err)
	}
	same := Signed{Hash: old.Hash(), Nonce: old.Nonce(), Raw: raw}
	today, err := s.currentFees(ctx)
	if err != nil {
		return Signed{}, err
	}
	if !always && old.GasFeeCap().Cmp(today.Limit) >= 0 && old.GasTipCap().Cmp(today.Tip) >= 0 {
		return same, nil
	}
	if s.limits.Gas > 0 && old.Gas() > s.limits.Gas {
		return Signed{}, fmt.Errorf("%w: transaction %s has a gas limit of %d, which is above the limit of %d", ErrTooMuchGas, same.Hash, old.Gas(), s.limits.Gas)
	}
	fees, err := s.outbid(&old, today)
	if err != nil {
		return Signed{}, err
	}
	if err := s.checkCost(old.Gas(), fees); err != nil {
		return Signed{}, err
	}
	return s.sign(ctx, &types.DynamicFeeTx{
		ChainID: old.ChainId(), Nonce: old.Nonce(), To: old.To(), Data: old.Data(), Gas: old.Gas(),
		GasTipCap: fees.Tip, GasFeeCap: fees.Limit,
	})
}

// outbid returns the fees of a transaction that replaces the old one: at least the current fees, and
// as much more than the old ones as nodes require. It returns ErrGasLimit if that exceeds the limits.
func (s *Sender) outbid(old *types.Transaction, today todaysFees) (Fees, error) {
	minimum := Fees{Tip: raisedFee(old.GasTipCap()), Limit: raisedFee(old.GasFeeCap())}
	if isAbove(minimum.Limit, s.limits.Fee) || isAbove(minimum.Tip, s.limits.Tip) {
		return Fees{}, fmt.Errorf("%w: replacing transaction %s needs a fee cap of %s wei and a tip of %s wei, but the limits are %s and %s",
			ErrGasLimit, old.Hash(), minimum.Limit, minimum.Tip, limitText(s.limits.Fee), limitText(s.limits.Tip))
	}
	return s.capped(Fees{Tip: maxBig(minimum.Tip, today.Tip), Limit: maxBig(minimum.Limit, today.Limit)}), nil
}

// Cancel signs an empty transfer of the account to itself with the nonce. Once it is mined, no other
// transaction with the nonce can be mined. raw is the transaction that it replaces; nil if none is
// known. Cancel returns the same errors as Replace.
func (s *Sender) Cancel(ctx context.Context, nonce uint64, raw []byte) (Signed, error) {
	self := s.signer.Address()
	gas, err := s.callGas(ctx, &self, nil)
	if err != nil {
		return Signed{}, err
	}
	fees, err := s.Fees(ctx)
	if raw != nil {
		fees, err = s.feesAbove(ctx, raw)
	}
	if err != nil {
		return Signed{}, err
	}
	if err := s.checkCost(gas, fees); err != nil {
		return Signed{}, err
	}
	return s.sign(ctx, &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(s.node.ChainID()), Nonce: nonce, To: &self, Gas: gas, GasTipCap: fees.Tip, GasFeeCap: fees.Limit,
	})
}

func (s *Sender) feesAbove(ctx context.Context, raw []byte) (Fees, error) {
	var old types.Transaction
	if err := old.UnmarshalBinary(raw); err != nil {
		return Fees{}, fmt.Errorf("decode the transaction to replace: %w", err)
	}
	today, err := s.currentFees(ctx)
	if err != nil {
		return Fees{}, err
	}
	return s.outbid(&old, today)
}
