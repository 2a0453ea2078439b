// Package send signs transactions, sends them, and waits until they are mined.
package send

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"sync"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/params"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
)

const (
	// receiptPoll is the first pause between two reads in Wait. An L2 produces a block every 200 ms
	// to 2 s.
	receiptPoll = 30 * time.Millisecond
	// maxReceiptPoll is the longest pause. Each pause is 1.5 times the one before.
	maxReceiptPoll = time.Second
)

// Signed is a signed transaction that may not have been sent. Raw can be sent any number of times,
// because its nonce can be used only once.
type Signed struct {
	Hash  common.Hash
	Nonce uint64
	Raw   []byte
}

// Sender sends calls as transactions of one account. It manages the account's nonces, so no other
// process may send from the account at the same time. It is safe for concurrent use.
type Sender struct {
	node   *rpc.Node
	signer chain.Signer
	limits Limits
	mu     sync.Mutex // locked from the choice of a nonce until the node has the transaction
}

// NewSender returns a sender for the signer's account.
func NewSender(node *rpc.Node, signer chain.Signer) *Sender {
	return &Sender{node: node, signer: signer}
}

// NewCappedSender returns a sender that never offers more than limit per unit of gas, in wei; nil
// is unlimited.
func NewCappedSender(node *rpc.Node, signer chain.Signer, limit *big.Int) *Sender {
	return &Sender{node: node, signer: signer, limits: Limits{Fee: limit}}
}

// Within returns a sender for the same account that offers at most limit per unit of gas, in wei,
// and not more than this sender. The two senders do not coordinate their nonces.
func (s *Sender) Within(limit *big.Int) *Sender {
	return s.WithLimits(Limits{Gas: s.limits.Gas, Fee: capped(limit, s.limits.Fee), Tip: s.limits.Tip, Cost: s.limits.Cost})
}

// WithLimits returns a sender for the same account with other limits.
func (s *Sender) WithLimits(limits Limits) *Sender {
	return &Sender{node: s.node, signer: s.signer, limits: limits}
}

// Address returns the sender's account.
func (s *Sender) Address() common.Address { return s.signer.Address() }

// Send signs a transaction, broadcasts it and waits for its receipt. It returns a *RevertError if
// the contract reverts. A revert in the estimate costs no gas.
func (s *Sender) Send(ctx context.Context, call chain.Call) (*types.Receipt, error) {
	_, receipt, err := s.send(ctx, &call.To, call.Data)
	return receipt, err
}

func (s *Sender) send(ctx context.Context, to *common.Address, data []byte) (Signed, *types.Receipt, error) {
	signed, err := s.submit(ctx, to, data)
	if err != nil {
		return Signed{}, nil, err
	}
	receipt, err := s.Wait(ctx, signed.Hash)
	if err != nil {
		return signed, nil, err
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		return signed, receipt, fmt.Errorf("transaction %s was mined but failed: %w", signed.Hash, &rpc.RevertError{Text: "reverted"})
	}
	return signed, receipt, nil
}

func (s *Sender) submit(ctx context.Context, to *common.Address, data []byte) (Signed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	nonce, err := s.NextNonce(ctx)
	if err != nil {
		return Signed{}, err
	}
	signed, err := s.build(ctx, to, data, nonce)
	if err != nil {
		return Signed{}, err
	}
	return signed, s.Broadcast(ctx, signed.Raw)
}

// Build signs the call with the nonce and current fees, without sending it. It returns a
// *RevertError if the contract reverts, ErrTooMuchGas, ErrGasLimit or *CostError if the sender's
// limits forbid the transaction, and ErrFeesDiffer if the providers disagree about the base fee.
func (s *Sender) Build(ctx context.Context, call chain.Call, nonce uint64) (Signed, error) {
	return s.build(ctx, &call.To, call.Data, nonce)
}

// BuildWithin is like Build, with limits on the cost: at most gas units of gas, and at most maxFee
// wei per unit. It returns ErrTooMuchGas or ErrGasLimit if a limit is too low.
func (s *Sender) BuildWithin(ctx context.Context, call chain.Call, nonce, gas uint64, maxFee *big.Int) (Signed, error) {
	needed, err := s.estimate(ctx, &call.To, call.Data, math.MaxUint64)
	if err != nil {
		return Signed{}, err
	}
	if withoutMargin(needed) > gas {
		return Signed{}, fmt.Errorf("%w: it needs %d gas, but at most %d was approved", ErrTooMuchGas, withoutMargin(needed), gas)
	}
	return s.Within(maxFee).buildWithGas(ctx, &call.To, call.Data, nonce, min(gas, needed))
}

// Renew signs the call of a transaction again with the nonce, the gas that it needs now and current
// fees, for a total of at most cost wei. It is only for a transaction that no node accepts: a
// transaction that a node has accepted can still be mined as well.
func (s *Sender) Renew(ctx context.Context, raw []byte, nonce uint64, cost *big.Int) (Signed, error) {
	var old types.Transaction
	if err := old.UnmarshalBinary(raw); err != nil {
		return Signed{}, fmt.Errorf("read the transaction to renew: %w", err)
	}
	gas, err := s.callGas(ctx, old.To(), old.Data())
	if err != nil {
		return Signed{}, err
	}
	return s.Within(new(big.Int).Quo(cost, new(big.Int).SetUint64(max(gas, 1)))).buildWithGas(ctx, old.To(), old.Data(), nonce, gas)
}

func (s *Sender) build(ctx context.Context, to *common.Address, data []byte, nonce uint64) (Signed, error) {
	limit := uint64(math.MaxUint64) // a deployment has no gas limit
	if to != nil {
		limit = cmp.Or(s.limits.Gas, MostGas)
	}
	gas, err := s.estimate(ctx, to, data, limit)
	if err != nil {
		return Signed{}, err
	}
	return s.buildWithGas(ctx, to, data, nonce, gas)
}

func (s *Sender) buildWithGas(ctx context.Context, to *common.Address, data []byte, nonce, gas uint64) (Signed, error) {
	fees, err := s.Fees(ctx)
	if err != nil {
		return Signed{}, err
	}
	if err := s.checkCost(gas, fees); err != nil {
		return Signed{}, err
	}
	return s.sign(ctx, &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(s.node.ChainID()), Nonce: nonce, To: to, Data: data, Gas: gas,
		GasTipCap: fees.Tip, GasFeeCap: fees.Limit,
	})
}

// Estimate returns the gas limit for a transaction of the call: a fifth more than it needs now. It
// returns a *RevertError if the contract reverts, and ErrTooMuchGas above MostGas.
func (s *Sender) Estimate(ctx context.Context, call chain.Call) (uint64, error) {
	return s.callGas(ctx, &call.To, call.Data)
}

func (s *Sender) callGas(ctx context.Context, to *common.Address, data []byte) (uint64, error) {
	return s.estimate(ctx, to, data, MostGas)
}

// checkCost returns a *CostError if a transaction may cost more than the limit.
func (s *Sender) checkCost(gas uint64, fees Fees) error {
	if cost := new(big.Int).Mul(new(big.Int).SetUint64(gas), fees.Limit); isAbove(cost, s.limits.Cost) {
		return &CostError{Cost: cost, Limit: s.limits.Cost}
	}
	return nil
}

// estimate reads every provider's estimate, adds a fifth to each, and returns the largest result
// that does not exceed the limit. It returns ErrTooMuchGas if every result exceeds it. An estimate
// below the intrinsic gas is the provider's fault: no node accepts a transaction with so little gas, and
// its nonce would block all later ones.
func (s *Sender) estimate(ctx context.Context, to *common.Address, data []byte, limit uint64) (uint64, error) {
	msg := ethereum.CallMsg{From: s.signer.Address(), To: to, Data: data}
	intrinsic, floor := minGas(to, data)
	var gas, above uint64
	responded := false
	err := s.node.Each(ctx, "estimate gas", func(ctx context.Context, c *ethclient.Client) error {
		needed, err := rpc.EstimateGas(ctx, c, msg)
		if _, ok := errors.AsType[ethrpc.Error](err); ok {
			responded = true
		}
		switch roomy := max(withMargin(needed), floor); {
		case err != nil:
			return err
		case needed < intrinsic:
			return fmt.Errorf("%w: the estimate is %d gas, but the transaction costs %d gas before it runs", rpc.ErrInvalidAnswer, needed, intrinsic)
		case roomy > limit:
			above = needed
		default:
			gas = max(gas, roomy)
		}
		return nil
	})
	if err == nil && gas == 0 && above > 0 {
		return 0, fmt.Errorf("%w: the node estimates %d gas; with a margin of a fifth, this exceeds the limit of %d", ErrTooMuchGas, above, limit)
	}
	if err == nil {
		return gas, nil
	}
	if _, reverted := errors.AsType[*rpc.RevertError](err); reverted {
		return 0, err
	}
	if responded {
		if poor := s.checkFunds(ctx, intrinsic); poor != nil {
			return 0, poor
		}
	}
	return 0, rpc.Unavailable("estimate gas", err)
}

// checkFunds returns ErrInsufficientFunds if the account cannot pay for the gas at the base fee. Some nodes
// return no estimate then.
func (s *Sender) checkFunds(ctx context.Context, gas uint64) error {
	var poor error
	_ = s.node.Do(ctx, "read a balance", func(ctx context.Context, c *ethclient.Client) error {
		balance, err := c.BalanceAt(ctx, s.signer.Address(), nil)
		if err != nil {
			return err
		}
		head, err := rpc.Latest(ctx, c)
		if err != nil {
			return err
		}
		if cost := new(big.Int).Mul(baseFee(head), new(big.Int).SetUint64(gas)); balance.Cmp(cost) < 0 {
			poor = fmt.Errorf("estimate gas: %w: it has %s wei, and the transaction costs at least %s wei", ErrInsufficientFunds, balance, cost)
		}
		return nil
	})
	return poor
}

// minGas returns the gas that a transaction costs before it runs, which is the least possible
// estimate, and the lowest gas limit that nodes accept (EIP-7623), which depends only on the data.
func minGas(to *common.Address, data []byte) (intrinsic, floor uint64) {
	base := params.TxGas
	if to == nil {
		base = params.TxGasContractCreation
	}
	zeros := uint64(bytes.Count(data, []byte{0})) //nolint:gosec // a count is not negative
	others := uint64(len(data)) - zeros
	intrinsic = base + zeros*params.TxDataZeroGas + others*params.TxDataNonZeroGasEIP2028
	floor = params.TxGas + (zeros+others*params.TxTokenPerNonZeroByte)*params.TxCostFloorPerToken
	return intrinsic, floor
}

// withMargin adds a fifth, because the gas that a call needs may rise before it is mined.
func withMargin(gas uint64) uint64 {
	if more := gas + gas/5; more > gas {
		return more
	}
	return gas // a forged estimate that would overflow
}

// withoutMargin inverts withMargin, with an error of at most one unit.
func withoutMargin(gas uint64) uint64 { return gas - gas/6 }

func (s *Sender) sign(ctx context.Context, inner *types.DynamicFeeTx) (Signed, error) {
	tx, err := s.signer.SignTx(ctx, types.NewTx(inner), s.node.ChainID())
	if err != nil {
		return Signed{}, err
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return Signed{}, fmt.Errorf("encode transaction %s: %w", tx.Hash(), err)
	}
	return Signed{Hash: tx.Hash(), Nonce: tx.Nonce(), Raw: raw}, nil
}

var (
	// ErrNonceTaken is returned when no node has a transaction, and another one of the account with the same
	// nonce is pending or mined.
	ErrNonceTaken = errors.New("another transaction of the account has its nonce")
	// ErrInsufficientFunds is returned when the account cannot pay for a transaction.
	ErrInsufficientFunds = errors.New("insufficient funds: the account's balance is too low to pay for gas")
)
