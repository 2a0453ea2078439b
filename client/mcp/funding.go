package mcp

import (
	"context"
	"errors"
	"math/big"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client"
	"taskmarket/market"
)

// Funding reads the wallet's state that is needed to fund a task. *chain.Reader implements it.
type Funding interface {
	// PermitNonce returns the token's nonce for the wallet's next permit.
	PermitNonce(ctx context.Context, wallet common.Address) (*big.Int, error)
}

// permitLife is how long a permit from prepare_task_funding is valid.
const permitLife = time.Hour

// funding is the result of prepare_task_funding: either the permit to sign, or the transaction that
// contains the signed permit.
type funding struct {
	TaskID      uuid.UUID      `json:"task_id"`
	Wallet      common.Address `json:"wallet_address"`
	ChainID     uint64         `json:"chain_id"`
	Spends      string         `json:"spends"`
	Payout      string         `json:"payout_amount"`
	FeePercent  string         `json:"fee_percent"`
	Spender     common.Address `json:"spender"`
	Deadline    string         `json:"permit_deadline"`
	TypedData   map[string]any `json:"typed_data,omitempty"`
	Transaction *transaction   `json:"transaction,omitempty"`
	Consequence string         `json:"consequence"`
}

// transaction is a transaction for the wallet to sign and send.
type transaction struct {
	To      common.Address `json:"to"`
	Data    hexutil.Bytes  `json:"data"`
	Value   string         `json:"value"`
	ChainID uint64         `json:"chain_id"`
}

// prepareFunding creates the tool that prepares the transaction that locks a task's amount.
func (c *contract) prepareFunding(chain Funding) (*tool, error) {
	t, err := newTool("prepare_task_funding",
		"Prepare the transaction that locks a new task's amount in the escrow. The first call, without a signature, returns the permit for the wallet to sign. "+
			"The second call, with permit_deadline and permit_signature, returns the unsigned transaction. Nothing changes until the wallet sends it; then call confirm_task_funding.",
		reads, c.fundingArguments(), fundingResult())
	if err != nil {
		return nil, err
	}
	t.do = func(ctx context.Context, caller *client.Client, arguments map[string]any) (any, error) {
		return prepareFunding(ctx, chain, caller, arguments)
	}
	return t, nil
}

func (c *contract) fundingArguments() schema {
	id := c.input(c.component("#/components/schemas/Uuid"))
	id["description"] = "The task."
	deadline := c.input(c.component("#/components/schemas/Uint256"))
	deadline["description"] = "The permit_deadline from the first call's result, unchanged."
	signature := c.input(c.component("#/components/schemas/Signature"))
	signature["description"] = "The wallet's signature of typed_data, as eth_signTypedData_v4 returns it."
	return object(schema{"task_id": id, "permit_deadline": deadline, "permit_signature": signature}, "task_id")
}

func fundingResult() schema {
	texts := schema{}
	for _, name := range []string{
		"task_id", "wallet_address", "spends", "payout_amount", "fee_percent", "spender", "permit_deadline", "consequence",
	} {
		texts[name] = schema{"type": "string"}
	}
	texts["chain_id"] = schema{"type": "integer"}
	texts["typed_data"] = schema{"type": "object", "description": "EIP-712, for eth_signTypedData_v4."}
	texts["transaction"] = schema{"type": "object", "description": "For the wallet to sign and send.", "properties": schema{
		"to": schema{"type": "string"}, "data": schema{"type": "string"},
		"value": schema{"type": "string"}, "chain_id": schema{"type": "integer"},
	}}
	return schema{"type": "object", "properties": texts, "required": []any{"task_id", "spends", "consequence"}}
}

func prepareFunding(ctx context.Context, node Funding, caller *client.Client, arguments map[string]any) (any, error) {
	id, err := uuid.Parse(text(arguments, "task_id"))
	if err != nil {
		return nil, err
	}
	task, err := caller.Task(ctx, id)
	if err != nil {
		return nil, err
	}
	config, err := caller.Config(ctx)
	if err != nil {
		return nil, err
	}
	if err := withheld(task); err != nil {
		return nil, err
	}
	if !task.Fundable {
		return nil, toolErrorf("the task is %s and cannot be funded; if the fee has changed since it was created, create it again", task.Status)
	}
	deadline, signature := text(arguments, "permit_deadline"), text(arguments, "permit_signature")
	if (deadline == "") != (signature == "") {
		return nil, toolErrorf("permit_deadline and permit_signature must be given together")
	}
	if deadline == "" {
		deadline = strconv.FormatInt(time.Now().Add(permitLife).Unix(), 10)
	}
	permit, err := permitOf(ctx, node, task, config, deadline)
	if err != nil {
		return nil, err
	}
	return fundingOf(task, permit, signature)
}

// withheld returns an error if moderation withholds the task. No human could see it, so its amount
// would be locked for nothing.
func withheld(task client.Task) error {
	refused, ok := errors.AsType[*client.NotShownError](client.CheckShown(task))
	if !ok {
		return nil
	}
	return notShown(refused)
}

// permitOf returns the permit that lets the escrow take exactly the task's amount.
func permitOf(ctx context.Context, node Funding, task client.Task, config client.ContractsConfig, deadline string) (chain.Permit, error) {
	amount, err := market.ParseWei(task.EscrowAmount)
	if err != nil {
		return chain.Permit{}, err
	}
	expires, err := market.ParseWei(deadline)
	if err != nil {
		return chain.Permit{}, toolErrorf("permit_deadline must be the one from the first call's result, unchanged")
	}
	owner := common.HexToAddress(task.AgentWalletAddress)
	nonce, err := node.PermitNonce(ctx, owner)
	if err != nil {
		return chain.Permit{}, err
	}
	return chain.Permit{
		TokenName: config.PermitDomain.Name, Version: config.PermitDomain.Version, ChainID: uint64(max(0, config.ChainID)),
		Token: common.HexToAddress(config.Token.Address), Owner: owner, Spender: common.HexToAddress(config.EscrowAddress),
		Value: amount, Nonce: nonce, Deadline: expires,
	}, nil
}

func fundingOf(task client.Task, permit chain.Permit, signature string) (funding, error) {
	f := funding{
		TaskID: task.ID, Wallet: permit.Owner, ChainID: permit.ChainID, Spends: task.EscrowAmount, Payout: task.PayoutAmount,
		FeePercent: task.FeePercent, Spender: permit.Spender, Deadline: permit.Deadline.String(),
	}
	typed := chain.PermitTypedData(permit)
	if signature == "" {
		f.TypedData = chain.WireTypedData(typed)
		f.Consequence = "The signature lets the escrow contract take `spends` from the wallet, once, until `permit_deadline`. The signature alone moves no money."
		return f, nil
	}
	signed, err := hexutil.Decode(signature)
	if err != nil {
		return f, toolErrorf("read permit_signature: %w", err)
	}
	if !signedBy(permit.Owner, typed, signed) {
		return f, toolErrorf("the signature does not match wallet %s and this permit; request a new permit and sign it", permit.Owner)
	}
	calls := chain.NewContracts(market.Deployment{ChainID: permit.ChainID, Token: permit.Token, Escrow: permit.Spender})
	call, err := calls.PostTaskWithPermit(permit.Value, uint16(task.FeeBasisPoints), //nolint:gosec // the API's schema allows at most 2000
		common.HexToHash(task.TermsHash), permit.Deadline, signed)
	if err != nil {
		return f, err
	}
	f.Transaction = &transaction{To: call.To, Data: call.Data, Value: "0", ChainID: permit.ChainID}
	f.Consequence = whenSent + market.ActOf(client.Fund(client.TaskRequest{}).Action).EffectInWords(market.RoleAgent)
	return f, nil
}

// signedBy reports whether the wallet's key signed the data. Signatures by contract wallets are not
// supported, because the token accepts no permits from them.
func signedBy(wallet common.Address, data apitypes.TypedData, signature []byte) bool {
	digest, err := chain.Digest(data)
	if err != nil || len(signature) != crypto.SignatureLength {
		return false
	}
	compact := append([]byte(nil), signature...)
	if last := len(compact) - 1; compact[last] >= legacyV {
		compact[last] -= legacyV
	}
	key, err := crypto.SigToPub(digest[:], compact)
	return err == nil && crypto.PubkeyToAddress(*key) == wallet
}

// legacyV is the offset that wallets add to the recovery id in the last byte of a signature.
const legacyV = 27
