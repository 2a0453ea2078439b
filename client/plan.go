package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client/internal/node"
	"taskmarket/market"
)

// ErrNoGas is returned when the wallet has too little of the chain's native coin for the
// transaction. Nothing was signed.
var ErrNoGas = errors.New("nothing was signed: the wallet's balance is too low to pay for gas")

// Plan describes what an action will sign and send, and its consequence. Making a plan signs
// nothing, sends nothing and changes nothing.
//
// A plan is made from the request, not from the API's response. Making it fails if the two differ in
// the chain, the contracts, the amount, the fee or the terms. Its JSON uses the API's field names, with
// amounts as decimal strings in wei.
type Plan struct {
	// Key identifies the operation in the journal, from before its first request until it is finished: see Resume.
	Key     string
	Request ActionRequest // the request that the plan is for
	// ID is the same for every plan for the same action on the same contracts with the same
	// contents, wallets and amounts. It does not cover gas and nonces, which can change with every
	// block, or the API record of a task to create.
	ID            string
	Action        market.Action
	TaskID        *uuid.UUID // nil for a task that has no record yet
	ApplicationID *uuid.UUID // the application to accept or reject
	// EscrowTaskID is the task's ID in the escrow contract; nil before the task is funded.
	EscrowTaskID *uint64
	// Title and TaskDeadline describe a task to create, as the agent wrote them. TaskDeadline is
	// nil if there is no deadline.
	Title        string
	TaskDeadline *time.Time
	// Human is the wallet, according to the chain, of the applicant to accept or reject or of the
	// human whose work is to be approved. It is nil for other actions and for an application
	// without a stake. StakeID is the application's ID in the staking contract, and Stake is its
	// stake in wei.
	Human   *common.Address
	StakeID *uint64
	Stake   *big.Int
	// WorkHash is the hash of the work to approve, as recorded on the chain. The note, the link and
	// the files that the API shows match this hash.
	WorkHash *common.Hash
	ChainID  uint64
	Wallet   common.Address // the wallet that signs and pays
	// Done means that the chain already shows the action, so nothing will be sent.
	Done bool
	// Resumes means that a transaction was already signed and saved, so that it will only be sent again.
	Resumes bool
	// Transaction is what will be sent; nil if nothing will be sent.
	Transaction *PlannedTransaction
	// Signature is the permit for Spender, which will be signed before the transaction and becomes
	// part of it. It is nil if no permit is needed.
	Signature *apitypes.TypedData
	// TermsHash is stored on the chain with a task's amount. It covers the record's ID, so it is
	// nil before the record exists.
	TermsHash *common.Hash

	Spends *big.Int // amount that leaves the wallet, in wei of the token; nil if none
	// Releases is the amount outside the wallet that the agent gives up control of, in wei of the
	// token. For an acceptance it is the escrowed amount, because from then on the human is paid if
	// the agent does nothing; for an approval it is also the escrowed amount; for a rejection it is
	// the human's stake. It is nil for other actions.
	Releases       *big.Int
	FeeBasisPoints uint16   // the platform's fee for a payout, in basis points of the amount
	Fee            *big.Int // the platform's fee, in wei of the token
	Payout         *big.Int // the amount that the human receives, in wei of the token
	// Spender is the contract that may take Spends, by the permit, until Deadline, which is at most an
	// hour after the plan was made.
	Spender  *common.Address
	Deadline *time.Time
	// GasCost is the maximum cost of gas, in wei of the chain's coin. A rollup charges an
	// additional fee for the transaction's data.
	GasCost     *big.Int
	Consequence string // one sentence; contains no untrusted text
	// Simulated means that a simulation on the node found no reason for the transaction to fail. A
	// posting is simulated without its permit, so the missing allowance is ignored.
	Simulated bool

	saved bool // the operation was in the journal when the plan was made
}

// ErrOtherPlan is returned when the data to sign differs from what was agreed to. Nothing was
// signed.
var ErrOtherPlan = errors.New("the plan has changed since it was agreed to; nothing was signed")

// covers returns nil if p, which is executed, allows fresh to be signed, and otherwise an
// ErrOtherPlan. If p resumes or is done, it allows no new signature. The gas cost of fresh may be
// up to twice as high, because the gas price changes with every block.
func (p Plan) covers(fresh Plan) error {
	switch {
	case p.Resumes, p.Done:
		return fmt.Errorf("%w: the plan allowed no new signature, but the earlier transaction is finished or its permit has expired", ErrOtherPlan)
	case p.ID == "", p.ID != fresh.ID:
		return ErrOtherPlan
	case p.TaskID != nil && (fresh.TaskID == nil || *fresh.TaskID != *p.TaskID):
		return fmt.Errorf("%w: it was for task %s, which another process has finished or replaced", ErrOtherPlan, p.TaskID)
	case !sameMoment(p.Deadline, fresh.Deadline):
		return fmt.Errorf("%w: the permit's deadline is different", ErrOtherPlan)
	case fresh.GasCost != nil && fresh.GasCost.Cmp(double(p.GasCost)) > 0:
		return fmt.Errorf("%w: gas would cost up to %s, more than twice the planned cost",
			ErrOtherPlan, market.FormatAmount(fresh.GasCost, market.ChainCoin))
	}
	return nil
}

func sameMoment(a, b *time.Time) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(*b)
}

// double returns twice the amount; nil counts as 0.
func double(wei *big.Int) *big.Int {
	if wei == nil {
		return new(big.Int)
	}
	return new(big.Int).Lsh(wei, 1)
}

// PlannedTransaction is an unsigned transaction. Its nonce is chosen when it is signed.
type PlannedTransaction struct {
	To   common.Address
	Data []byte   // call data; nil if it will contain the signature of Plan.Signature
	Gas  uint64   // gas limit
	Tip  *big.Int // maximum priority fee per unit of gas, in wei
	// MaxFee is the maximum total fee per unit of gas, in wei.
	MaxFee *big.Int
}

// MarshalJSON writes amounts as decimal strings, as the API does.
func (p Plan) MarshalJSON() ([]byte, error) {
	type transaction struct {
		From      common.Address `json:"from"`
		To        common.Address `json:"to"`
		Data      *hexutil.Bytes `json:"data"`
		Value     string         `json:"value"`
		ChainID   uint64         `json:"chain_id"`
		Gas       uint64         `json:"gas"`
		MaxFee    string         `json:"max_fee_per_gas"`
		MaxTipFee string         `json:"max_priority_fee_per_gas"`
	}
	wire := struct {
		Key            string          `json:"key"`
		ID             string          `json:"plan_id"`
		Action         market.Action   `json:"action"`
		TaskID         *uuid.UUID      `json:"task_id,omitempty"`
		ApplicationID  *uuid.UUID      `json:"application_id,omitempty"`
		Title          string          `json:"title,omitempty"`
		TaskDeadline   *market.Time    `json:"deadline,omitempty"`
		Human          *common.Address `json:"human_wallet_address,omitempty"`
		EscrowTaskID   string          `json:"escrow_task_id,omitempty"`
		StakeID        string          `json:"onchain_application_id,omitempty"`
		Stake          string          `json:"stake_amount,omitempty"`
		WorkHash       *common.Hash    `json:"work_hash,omitempty"`
		ChainID        uint64          `json:"chain_id"`
		Wallet         common.Address  `json:"wallet_address"`
		Done           bool            `json:"already_done"`
		Resumes        bool            `json:"resumes"`
		Transaction    *transaction    `json:"transaction,omitempty"`
		Signature      map[string]any  `json:"typed_data,omitempty"`
		TermsHash      *common.Hash    `json:"terms_hash,omitempty"`
		Spends         string          `json:"spends"`
		Releases       string          `json:"releases"`
		FeeBasisPoints uint16          `json:"fee_basis_points"`
		Fee            string          `json:"fee_amount"`
		Payout         string          `json:"payout_amount"`
		Spender        *common.Address `json:"spender,omitempty"`
		Deadline       *market.Time    `json:"spend_deadline,omitempty"`
		GasCost        string          `json:"max_gas_cost"`
		Consequence    string          `json:"consequence"`
		Simulated      bool            `json:"simulated"`
	}{
		p.Key, p.ID, p.Action, p.TaskID, p.ApplicationID, p.Title, market.OptionalTime(p.TaskDeadline), p.Human, "", "", "", p.WorkHash, p.ChainID, p.Wallet, p.Done, p.Resumes, nil, nil, p.TermsHash,
		decimal(p.Spends), decimal(p.Releases), p.FeeBasisPoints, decimal(p.Fee), decimal(p.Payout), p.Spender, market.OptionalTime(p.Deadline),
		decimal(p.GasCost), p.Consequence, p.Simulated,
	}
	if p.EscrowTaskID != nil {
		wire.EscrowTaskID = strconv.FormatUint(*p.EscrowTaskID, 10)
	}
	if p.StakeID != nil {
		wire.StakeID, wire.Stake = strconv.FormatUint(*p.StakeID, 10), decimal(p.Stake)
	}
	if p.Signature != nil {
		wire.Signature = chain.WireTypedData(*p.Signature)
	}
	if tx := p.Transaction; tx != nil {
		wire.Transaction = &transaction{
			From: p.Wallet, To: tx.To, Value: "0", ChainID: p.ChainID, Gas: tx.Gas,
			MaxFee: decimal(tx.MaxFee), MaxTipFee: decimal(tx.Tip),
		}
		if tx.Data != nil {
			wire.Transaction.Data = (*hexutil.Bytes)(&tx.Data)
		}
	}
	return json.Marshal(wire)
}

func decimal(n *big.Int) string {
	if n == nil {
		return "0"
	}
	return n.String()
}

// planID returns a hash of everything that the caller agrees to.
func planID(agreed ...any) (string, error) {
	text, err := json.Marshal(agreed)
	if err != nil {
		return "", fmt.Errorf("encode plan: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16]), nil
}

// price adds the call with its gas and fees to the plan. It returns ErrNoGas if the wallet cannot
// pay for the gas.
func (w *session) price(ctx context.Context, p *Plan, call chain.Call, gas uint64) error {
	fees, err := w.wallet.Sender.Fees(ctx)
	if err != nil {
		return err
	}
	p.Transaction = &PlannedTransaction{To: call.To, Data: call.Data, Gas: gas, Tip: fees.Tip, MaxFee: fees.Limit}
	p.GasCost = new(big.Int).Mul(fees.Limit, bigID(gas))
	coin, err := node.Read(ctx, w.node, "the wallet's balance", func(ctx context.Context) (*big.Int, error) {
		return w.node.BalanceAt(ctx, w.signer.Address(), nil)
	})
	if err != nil {
		return err
	}
	if coin.Cmp(p.GasCost) < 0 {
		return fmt.Errorf("%w: it has %s and may need up to %s",
			ErrNoGas, market.FormatAmount(coin, market.ChainCoin), market.FormatAmount(p.GasCost, market.ChainCoin))
	}
	return nil
}

// allow checks that the executed plan covers the current one, and calls Options.Allow, before anything is signed.
func (w *session) allow(ctx context.Context, fresh Plan) error {
	if err := w.agreed.covers(fresh); err != nil {
		return err
	}
	w.limit = fresh.Transaction
	if w.client.options.Allow == nil {
		return nil
	}
	return w.client.options.Allow(ctx, fresh)
}

// allowAgain calls the option, if it is set, before the plan's transaction, which was signed earlier, is sent again.
func allowAgain(ctx context.Context, option func(context.Context, Plan) error, p Plan) error {
	if option == nil {
		return nil
	}
	p.Resumes = true
	return option(ctx, p)
}
