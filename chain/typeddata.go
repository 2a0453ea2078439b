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

// domainTypes are the members of every EIP-712 domain that we use.
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

// Permit is what the owner of tokens signs to let a spender take them.
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

// VerdictTypedData returns a verdict for a validator's wallet to sign: on the
// work of one round of one task, in one escrow on one chain and nowhere else.
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

// VoucherTypedData returns a voucher for the distributor's signer to sign: that
// the account may have been paid so much in all, before or by this voucher.
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

// StakePermit returns the permit that lets the staking contract take a stake.
func (c *Contracts) StakePermit(token Token, owner common.Address, stake, nonce, deadline *big.Int) apitypes.TypedData {
	d := c.deployment
	return PermitTypedData(Permit{
		TokenName: token.Name, Version: token.Version, ChainID: d.ChainID, Token: d.Token,
		Owner: owner, Spender: d.Staking, Value: stake, Nonce: nonce, Deadline: deadline,
	})
}

// Verdict returns what a validator signs about the work of a task in its round.
func (c *Contracts) Verdict(e *market.EscrowTask, approved bool) apitypes.TypedData {
	return VerdictTypedData(e.Escrow, e.ChainID, e.ID, e.WorkHash, e.Round().Number, approved)
}

// VerdictDigest returns the hash of Verdict that is signed.
func (c *Contracts) VerdictDigest(e *market.EscrowTask, approved bool) (common.Hash, error) {
	return Digest(c.Verdict(e, approved))
}

// WireTypedData returns typed data as wallets read it in JSON (EIP-712): without
// the members of the domain that are not used, which some refuse when they are
// empty, and with the chain as a number.
func WireTypedData(data apitypes.TypedData) map[string]any {
	wire := data.Map()
	domain := data.Domain.Map()
	if id := data.Domain.ChainId; id != nil {
		domain["chainId"] = (*big.Int)(id)
	}
	wire["domain"] = domain
	return wire
}

// Digest returns the hash of typed data that is signed (EIP-712).
func Digest(data apitypes.TypedData) (common.Hash, error) {
	hash, _, err := apitypes.TypedDataAndHash(data)
	if err != nil {
		return common.Hash{}, fmt.Errorf("hash typed data %s: %w", data.PrimaryType, err)
	}
	return common.BytesToHash(hash), nil
}

// SignaturesOf packs verdicts of one task and round for ApproveSubmission or
// RejectSubmission: a key's signature as it is, a contract wallet's behind the
// wallet's address. The verdicts must be ordered by validator, ascending.
func SignaturesOf(escrow common.Address, chainID, taskID uint64, verdicts []market.Verdict) ([][]byte, error) {
	signatures := make([][]byte, 0, len(verdicts))
	for _, v := range verdicts {
		digest, err := Digest(VerdictTypedData(escrow, chainID, taskID, v.WorkHash, v.Round, v.Approved))
		if err != nil {
			return nil, err
		}
		if signer, ok := RecoverSigner(digest, v.Signature); ok && signer == v.Validator {
			signatures = append(signatures, raiseV(v.Signature))
			continue
		}
		signatures = append(signatures, append(v.Validator.Bytes(), v.Signature...))
	}
	return signatures, nil
}

// raiseV turns a last byte of 0 or 1 to the 27 or 28 that contracts take.
func raiseV(signature []byte) []byte {
	raised := append(hexutil.Bytes(nil), signature...)
	if raised[64] < 27 {
		raised[64] += 27
	}
	return raised
}
