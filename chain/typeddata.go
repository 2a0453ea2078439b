package chain

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/market"
)

// domainTypes returns the fields of every EIP-712 domain in use.
func domainTypes() []apitypes.Type {
	return []apitypes.Type{
		{Name: "name", Type: "string"},
		{Name: "version", Type: "string"},
		{Name: "chainId", Type: "uint256"},
		{Name: "verifyingContract", Type: "address"},
	}
}

func domain(name, version string, chainID uint64, contract common.Address) apitypes.TypedDataDomain {
	return apitypes.TypedDataDomain{
		Name: name, Version: version,
		ChainId: (*math.HexOrDecimal256)(number(chainID)), VerifyingContract: contract.Hex(),
	}
}

// Permit is the message by which an owner of tokens allows a spender to transfer them.
type Permit = market.Permit

// PermitTypedData returns the permit for the owner's wallet to sign.
func PermitTypedData(p Permit) apitypes.TypedData {
	return apitypes.TypedData{
		Types: apitypes.Types{
			"EIP712Domain": domainTypes(),
			"Permit": {
				{Name: "owner", Type: "address"},
				{Name: "spender", Type: "address"},
				{Name: "value", Type: "uint256"},
				{Name: "nonce", Type: "uint256"},
				{Name: "deadline", Type: "uint256"},
			},
		},
		PrimaryType: "Permit",
		Domain:      domain(p.TokenName, p.Version, p.ChainID, p.Token),
		Message: apitypes.TypedDataMessage{
			"owner": p.Owner.Hex(), "spender": p.Spender.Hex(),
			"value": p.Value.String(), "nonce": p.Nonce.String(), "deadline": p.Deadline.String(),
		},
	}
}

// VerdictTypedData returns a verdict for a validator's wallet to sign. It is valid for the work of
// one round of one task, in one escrow on one chain.
func VerdictTypedData(escrow common.Address, chainID, taskID uint64, workHash common.Hash, round uint8, approved bool) apitypes.TypedData {
	return apitypes.TypedData{
		Types: apitypes.Types{
			"EIP712Domain": domainTypes(),
			"Verdict": {
				{Name: "taskId", Type: "uint256"},
				{Name: "workHash", Type: "bytes32"},
				{Name: "round", Type: "uint8"},
				{Name: "approved", Type: "bool"},
			},
		},
		PrimaryType: "Verdict",
		Domain:      domain("TaskmarketEscrow", "1", chainID, escrow),
		Message: apitypes.TypedDataMessage{
			"taskId": strconv.FormatUint(taskID, 10), "workHash": workHash.Hex(),
			"round": strconv.Itoa(int(round)), "approved": approved,
		},
	}
}

// VoucherTypedData returns a voucher for the distributor's signer to sign. It states the total that
// the account will have received after this voucher.
func VoucherTypedData(distributor common.Address, chainID uint64, account common.Address, cumulative, deadline *big.Int) apitypes.TypedData {
	return apitypes.TypedData{
		Types: apitypes.Types{
			"EIP712Domain": domainTypes(),
			"Claim": {
				{Name: "account", Type: "address"},
				{Name: "cumulativeAmount", Type: "uint256"},
				{Name: "deadline", Type: "uint256"},
			},
		},
		PrimaryType: "Claim",
		Domain:      domain("TaskmarketRewards", "1", chainID, distributor),
		Message: apitypes.TypedDataMessage{
			"account": account.Hex(), "cumulativeAmount": cumulative.String(), "deadline": deadline.String(),
		},
	}
}

// StakePermit returns the permit that allows the staking contract to transfer a stake.
func (c *Contracts) StakePermit(token Token, owner common.Address, stake, nonce, deadline *big.Int) apitypes.TypedData {
	d := c.deployment
	return PermitTypedData(Permit{
		TokenName: token.Name, Version: token.Version, ChainID: d.ChainID, Token: d.Token,
		Owner: owner, Spender: d.Staking, Value: stake, Nonce: nonce, Deadline: deadline,
	})
}

// Verdict returns the verdict on the current round of a task for a validator to sign.
func (c *Contracts) Verdict(e *market.EscrowTask, approved bool) apitypes.TypedData {
	return VerdictTypedData(e.Escrow, e.ChainID, e.ID, e.WorkHash, e.Round().Number, approved)
}

// VerdictDigest returns the EIP-712 digest that a validator signs for a verdict.
func (c *Contracts) VerdictDigest(e *market.EscrowTask, approved bool) (common.Hash, error) {
	return Digest(c.Verdict(e, approved))
}

// WireTypedData returns typed data as JSON for wallets (EIP-712). It omits the unused members of
// the domain, which some wallets reject when empty, and encodes the chain id as a number.
func WireTypedData(data apitypes.TypedData) map[string]any {
	wire := data.Map()
	domain := data.Domain.Map()
	if id := data.Domain.ChainId; id != nil {
		domain["chainId"] = (*big.Int)(id)
	}
	wire["domain"] = domain
	return wire
}

// Digest returns the EIP-712 digest of typed data.
func Digest(data apitypes.TypedData) (common.Hash, error) {
	hash, _, err := apitypes.TypedDataAndHash(data)
	if err != nil {
		return common.Hash{}, fmt.Errorf("hash typed data %s: %w", data.PrimaryType, err)
	}
	return common.BytesToHash(hash), nil
}

// SignaturesOf packs the verdicts of one task and round for ApproveSubmission or RejectSubmission:
// a key's signature unchanged, a contract wallet's signature prefixed by the wallet's address. The
// verdicts must be in ascending order of validators.
func SignaturesOf(escrow common.Address, chainID, taskID uint64, verdicts []market.Verdict) ([][]byte, error) {
	signatures := make([][]byte, 0, len(verdicts))
	for _, v := range verdicts {
		digest, err := Digest(VerdictTypedData(escrow, chainID, taskID, v.WorkHash, v.Round, v.Approved))
		if err != nil {
			return nil, err
		}
		if signer, ok := RecoverSigner(digest, v.Signature); ok && signer == v.Validator {
			signatures = append(signatures, normalizeV(v.Signature))
			continue
		}
		signatures = append(signatures, append(v.Validator.Bytes(), v.Signature...))
	}
	return signatures, nil
}

// normalizeV changes a last byte of 0 or 1 to 27 or 28, which contracts require.
func normalizeV(signature []byte) []byte {
	raised := append(hexutil.Bytes(nil), signature...)
	if raised[64] < 27 {
		raised[64] += 27
	}
	return raised
}
