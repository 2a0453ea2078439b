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
	"regexp"
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
	"taskmarket/market"
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
	most := uint64(math.MaxUint64) // a deployment has no gas limit
	if to != nil {
		most = cmp.Or(s.limits.Gas, MostGas)
	}
	gas, err := s.estimate(ctx, to, data, most)
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
// that does not exceed the limit most. It returns ErrTooMuchGas if every result exceeds it. An estimate
// below the intrinsic gas is the provider's fault: no node accepts a transaction with so little gas, and
// its nonce would block all later ones.
func (s *Sender) estimate(ctx context.Context, to *common.Address, data []byte, most uint64) (uint64, error) {
	msg := ethereum.CallMsg{From: s.signer.Address(), To: to, Data: data}
	intrinsic, floor := leastGas(to, data)
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
		case roomy > most:
			above = needed
		default:
			gas = max(gas, roomy)
		}
		return nil
	})
	if err == nil && gas == 0 && above > 0 {
		return 0, fmt.Errorf("%w: the node estimates %d gas; with a margin of a fifth, this exceeds the limit of %d", ErrTooMuchGas, above, most)
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

// leastGas returns the gas that a transaction costs before it runs, which is the least possible
// estimate, and the lowest gas limit that nodes accept (EIP-7623), which depends only on the data.
func leastGas(to *common.Address, data []byte) (intrinsic, floor uint64) {
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
	least := Fees{Tip: raisedFee(old.GasTipCap()), Limit: raisedFee(old.GasFeeCap())}
	if isAbove(least.Limit, s.limits.Fee) || isAbove(least.Tip, s.limits.Tip) {
		return Fees{}, fmt.Errorf("%w: replacing transaction %s needs a fee cap of %s wei and a tip of %s wei, but the limits are %s and %s",
			ErrGasLimit, old.Hash(), least.Limit, least.Tip, limitText(s.limits.Fee), limitText(s.limits.Tip))
	}
	return s.capped(Fees{Tip: maxBig(least.Tip, today.Tip), Limit: maxBig(least.Limit, today.Limit)}), nil
}

// Cancel signs an empty transfer of the account to itself with the nonce. Once it is mined, no other
// transaction with the nonce can be mined. raw is the transaction that it replaces; nil if none is
// known. Cancel returns the same errors as Replace.
func (s *Sender) Cancel(ctx context.Context, nonce uint64, raw []byte) (Signed, error) {
	own := s.signer.Address()
	gas, err := s.callGas(ctx, &own, nil)
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
		ChainID: new(big.Int).SetUint64(s.node.ChainID()), Nonce: nonce, To: &own, Gas: gas, GasTipCap: fees.Tip, GasFeeCap: fees.Limit,
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

// Broadcast sends a signed transaction to all providers, so that none of them can withhold it. It
// returns no error if one of them accepts or already has the transaction, or if its fee is too low for the
// next block. Use Wait or Receipt to find the result. If no provider accepts it, Broadcast asks the chain
// why (see lookUp), because nodes refuse transactions in their own words, also those that they already
// have. It returns ErrNonceTaken, ErrInsufficientFunds, or otherwise ErrRefused with the node's words. It
// returns market.KindChainUnavailable if no provider can process the transaction.
func (s *Sender) Broadcast(ctx context.Context, raw []byte) error {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(raw); err != nil {
		return fmt.Errorf("read the transaction to send: %w", err)
	}
	responded := false
	err := s.node.Each(ctx, "send a transaction", func(ctx context.Context, c *ethclient.Client) error {
		err := rpc.SendTransaction(ctx, c, &tx)
		if e, ok := errors.AsType[ethrpc.Error](err); ok {
			responded = true
			if knownWords.MatchString(e.Error()) {
				return nil
			}
		}
		return err
	})
	if err != nil && responded {
		err = s.whyRefused(ctx, &tx, err)
	}
	switch {
	case err == nil:
		return nil
	case market.KindOf(err) == market.KindChainUnavailable:
		return err
	}
	return fmt.Errorf("send transaction %s: %w", tx.Hash(), err)
}

// knownWords finds the messages of nodes that have the transaction. They save a look-up, and they are
// necessary for private pools, which do not show their transactions.
var knownWords = regexp.MustCompile(`(?i)already ?(known|imported|exists)|known transaction`)

// whyRefused returns the reason why no provider accepted the transaction; nil if one has it, or if its fee is
// below the base fee.
func (s *Sender) whyRefused(ctx context.Context, tx *types.Transaction, refusal error) error {
	found, err := s.lookUp(ctx, tx)
	switch {
	case err != nil:
		return err
	case found.known:
		return nil
	case found.used:
		return fmt.Errorf("%w: nonce %d is used", ErrNonceTaken, tx.Nonce())
	case found.pending:
		return fmt.Errorf("%w: a transaction with nonce %d is pending", ErrNonceTaken, tx.Nonce())
	case isAbove(found.baseFee, tx.GasFeeCap()):
		return nil
	case found.balance.Cmp(tx.Cost()) < 0:
		return fmt.Errorf("%w: it has %s wei, and the transaction may cost %s wei", ErrInsufficientFunds, found.balance, tx.Cost())
	}
	return refusal
}

// standing is what the providers know about a transaction that they did not accept. A fact counts if one
// provider reports it.
type standing struct {
	known   bool     // a provider has the transaction, pending or mined
	used    bool     // its nonce is used
	pending bool     // its nonce is that of a pending transaction
	baseFee *big.Int // of the latest block: the highest one
	balance *big.Int // of its account: the highest one
}

// lookUp reads a transaction's standing from all providers.
func (s *Sender) lookUp(ctx context.Context, tx *types.Transaction) (standing, error) {
	const what = "look up a refused transaction"
	account, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	if err != nil {
		return standing{}, fmt.Errorf("%s: %w", what, err)
	}
	all := standing{baseFee: new(big.Int), balance: new(big.Int)}
	err = s.node.Each(ctx, what, func(ctx context.Context, c *ethclient.Client) error {
		known, err := rpc.HasTransaction(ctx, c, tx.Hash())
		if known {
			all.known = true
			return nil
		}
		if err != nil {
			return err
		}
		next, err := plausible(c.PendingNonceAt(ctx, account))
		if err != nil {
			return err
		}
		used, err := plausible(c.NonceAt(ctx, account, nil))
		if err != nil {
			return err
		}
		balance, err := c.BalanceAt(ctx, account, nil)
		if err != nil {
			return err
		}
		head, err := rpc.Latest(ctx, c)
		if err != nil {
			return err
		}
		all.baseFee = maxBig(all.baseFee, baseFee(head))
		all.used, all.pending = all.used || used > tx.Nonce(), all.pending || next > tx.Nonce()
		all.balance = maxBig(all.balance, balance)
		return nil
	})
	if err != nil {
		return standing{}, rpc.Unavailable(what, err)
	}
	return all, nil
}

// Known reports whether the provider in use has the transaction, pending or mined. Other providers can differ.
func (s *Sender) Known(ctx context.Context, hash common.Hash) (known bool, err error) {
	err = s.node.Do(ctx, "read a transaction", func(ctx context.Context, c *ethclient.Client) error {
		known, err = rpc.HasTransaction(ctx, c, hash)
		return err
	})
	if err != nil {
		return false, rpc.Unavailable("read a transaction", err)
	}
	return known, nil
}

// Receipt returns the transaction's receipt; nil if it is not mined.
func (s *Sender) Receipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	var receipt *types.Receipt
	err := s.node.Do(ctx, "read a receipt", func(ctx context.Context, c *ethclient.Client) (err error) {
		receipt, err = rpc.ReceiptOf(ctx, c, hash)
		return err
	})
	if errors.Is(err, ethereum.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, rpc.Unavailable("read a receipt", err)
	}
	return receipt, nil
}

// Wait returns the receipt once the transaction is mined, or ctx's error.
func (s *Sender) Wait(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	pause := receiptPoll
	for {
		receipt, err := s.Receipt(ctx, hash)
		if receipt != nil {
			return receipt, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for transaction %s: %w", hash, errors.Join(ctx.Err(), err))
		case <-time.After(pause):
			pause = min(pause+pause/2, maxReceiptPoll)
		}
	}
}
