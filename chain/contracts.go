package chain

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// Call is a contract call, ready to be signed and sent.
type Call = market.Call

// Contracts encodes calls to the contracts of one deployment and decodes their logs. It does no I/O
// and is safe for concurrent use.
//
// Calls for a task use the escrow address in the task's record, because a task stays in the escrow
// in which it was posted, even after a new deployment.
type Contracts struct {
	deployment market.Deployment
	abis       map[common.Address]*abi.ABI
	escrow     *contracts.Escrow
	staking    *contracts.ApplicationStaking
	token      *contracts.TaskToken
	rewards    *contracts.RewardDistributor
}

// NewContracts returns the deployment's contracts.
func NewContracts(d market.Deployment) *Contracts {
	return &Contracts{
		deployment: d,
		abis: map[common.Address]*abi.ABI{
			d.Escrow:      rpc.ParseABI(&contracts.EscrowMetaData),
			d.Staking:     rpc.ParseABI(&contracts.ApplicationStakingMetaData),
			d.Treasury:    rpc.ParseABI(&contracts.TreasuryMetaData),
			d.Distributor: rpc.ParseABI(&contracts.RewardDistributorMetaData),
		},
		escrow:  contracts.NewEscrow(),
		staking: contracts.NewApplicationStaking(),
		token:   contracts.NewTaskToken(),
		rewards: contracts.NewRewardDistributor(),
	}
}

// Deployment returns the contracts' addresses.
func (c *Contracts) Deployment() market.Deployment { return c.deployment }

// PostTaskWithPermit posts a task and pays by permit. A zero terms hash posts the task without
// terms. The signature is the agent's signature over PermitTypedData.
func (c *Contracts) PostTaskWithPermit(amount *big.Int, fee uint16, terms common.Hash, deadline *big.Int, signature []byte) (Call, error) {
	s, err := split(signature)
	if err != nil {
		return Call{}, err
	}
	if terms == (common.Hash{}) {
		return Call{To: c.deployment.Escrow, Data: c.escrow.PackPostTaskWithPermit0(amount, fee, deadline, s.v, s.r, s.s)}, nil
	}
	return Call{To: c.deployment.Escrow, Data: c.escrow.PackPostTaskWithPermit(amount, fee, terms, deadline, s.v, s.r, s.s)}, nil
}

// PermitDeadline returns the permit's deadline, in Unix seconds, from the data of a PostTaskWithPermit call
// with a terms hash. It returns nil for any other data.
func PermitDeadline(data []byte) *big.Int {
	const (
		word     = 32
		before   = 3 * word // the amount, the fee and the terms hash
		wholeLen = 4 + 7*word
	)
	pattern := contracts.NewEscrow().PackPostTaskWithPermit(new(big.Int), 0, common.Hash{}, new(big.Int), 0, common.Hash{}, common.Hash{})
	if len(data) != wholeLen || !bytes.Equal(data[:4], pattern[:4]) {
		return nil
	}
	return new(big.Int).SetBytes(data[4+before : 4+before+word])
}

// PostTask posts a task. The escrow takes the payment from its allowance of the agent's tokens.
func (c *Contracts) PostTask(amount *big.Int, fee uint16, terms common.Hash) Call {
	return Call{To: c.deployment.Escrow, Data: c.escrow.PackPostTask(amount, fee, terms)}
}

// AcceptApplication assigns the task to the applicant; the agent sends it.
func (c *Contracts) AcceptApplication(escrow common.Address, taskID, applicationID uint64) Call {
	return Call{To: escrow, Data: c.escrow.PackAcceptApplicationForTask(number(taskID), number(applicationID))}
}

// SubmitTask submits the hash of the work; the assigned human sends it.
func (c *Contracts) SubmitTask(escrow common.Address, taskID uint64, workHash common.Hash) Call {
	return Call{To: escrow, Data: c.escrow.PackSubmitTask(number(taskID), workHash)}
}

// ApproveTask approves the work; the agent sends it.
func (c *Contracts) ApproveTask(escrow common.Address, taskID uint64) Call {
	return Call{To: escrow, Data: c.escrow.PackAgentApproveTask(number(taskID))}
}

// DisputeTask disputes a submission; the agent or the assigned human sends it.
func (c *Contracts) DisputeTask(escrow common.Address, taskID uint64) Call {
	return Call{To: escrow, Data: c.escrow.PackDisputeTask(number(taskID))}
}

// CancelTask ends a task that has no submission. The agent sends it to cancel the task, or the
// assigned human to resign.
func (c *Contracts) CancelTask(escrow common.Address, taskID uint64) Call {
	return Call{To: escrow, Data: c.escrow.PackCancelTask(number(taskID))}
}

// ApproveSubmission releases the payment by verdict; anyone can send it. The signatures come from
// SignaturesOf.
func (c *Contracts) ApproveSubmission(escrow common.Address, taskID uint64, signatures [][]byte) Call {
	return Call{To: escrow, Data: c.escrow.PackApproveSubmission(number(taskID), signatures)}
}

// RejectSubmission refunds the payment by verdict; anyone can send it. The signatures come from
// SignaturesOf.
func (c *Contracts) RejectSubmission(escrow common.Address, taskID uint64, signatures [][]byte) Call {
	return Call{To: escrow, Data: c.escrow.PackRejectSubmission(number(taskID), signatures)}
}

// Settle releases the payment after a timeout; anyone can send it.
func (c *Contracts) Settle(escrow common.Address, taskID uint64) Call {
	return Call{To: escrow, Data: c.escrow.PackSettle(number(taskID))}
}

// EmergencyRelease releases the payment after 30 days without activity; the assigned human sends
// it.
func (c *Contracts) EmergencyRelease(escrow common.Address, taskID uint64) Call {
	return Call{To: escrow, Data: c.escrow.PackEmergencyRelease(number(taskID))}
}

// LockStakeWithPermit applies for a task and pays the stake by permit. The signature is the human's
// signature over PermitTypedData, with the staking contract as spender.
func (c *Contracts) LockStakeWithPermit(taskID uint64, amount, deadline *big.Int, signature []byte) (Call, error) {
	s, err := split(signature)
	if err != nil {
		return Call{}, err
	}
	return c.onStaking(c.staking.PackLockApplicationStakeWithPermit(number(taskID), amount, deadline, s.v, s.r, s.s)), nil
}

// LockStake applies for a task. The staking contract takes the stake from its allowance of the
// human's tokens.
func (c *Contracts) LockStake(taskID uint64, amount *big.Int) Call {
	return c.onStaking(c.staking.PackLockApplicationStake(number(taskID), amount))
}

// RejectApplication rejects an application and forfeits its stake; the task's agent sends it.
func (c *Contracts) RejectApplication(applicationID uint64) Call {
	return c.onStaking(c.staking.PackRejectApplication(number(applicationID)))
}

// WithdrawStake withdraws an application and its stake; the human sends it. Once the application
// has expired or the task is no longer open, anyone can send it.
func (c *Contracts) WithdrawStake(applicationID uint64) Call {
	return c.onStaking(c.staking.PackWithdrawStake(number(applicationID)))
}

// WithdrawCredit pays out what the escrow or the staking contract owes the account after a failed
// payment; anyone can send it.
func (c *Contracts) WithdrawCredit(contract, account common.Address) Call {
	// The escrow and the staking contract both have this function.
	return Call{To: contract, Data: c.escrow.PackWithdrawCredit(account)}
}

// ApproveToken allows the spender to transfer up to amount of the sender's tokens.
func (c *Contracts) ApproveToken(spender common.Address, amount *big.Int) Call {
	return Call{To: c.deployment.Token, Data: c.token.PackApprove(spender, amount)}
}

// TransferToken transfers tokens.
func (c *Contracts) TransferToken(to common.Address, amount *big.Int) Call {
	return Call{To: c.deployment.Token, Data: c.token.PackTransfer(to, amount)}
}

// ClaimReward pays the unpaid part of a voucher; anyone can send it. The distributor's signer must
// have signed VoucherTypedData.
func (c *Contracts) ClaimReward(account common.Address, cumulative, deadline *big.Int, signature []byte) Call {
	return Call{To: c.deployment.Distributor, Data: c.rewards.PackClaim(account, cumulative, deadline, signature)}
}

func (c *Contracts) onStaking(data []byte) Call {
	return Call{To: c.deployment.Staking, Data: data}
}

func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// parts contains the three values of an ECDSA signature, as the contracts take them.
type parts struct {
	r, s [32]byte
	v    uint8
}

// split splits a signature into r, s and v. It accepts a v of 0, 1, 27 or 28, and adds 27 to 0 and
// 1.
func split(signature []byte) (parts, error) {
	if len(signature) != 65 {
		return parts{}, market.Errorf(market.KindSignatureInvalid, "invalid permit signature: it has %d bytes, but must have 65", len(signature))
	}
	p := parts{r: [32]byte(signature[:32]), s: [32]byte(signature[32:64]), v: signature[64]}
	if p.v < 27 {
		p.v += 27
	}
	if p.v != 27 && p.v != 28 {
		return parts{}, market.Errorf(market.KindSignatureInvalid, "invalid permit signature: its last byte is %d, but must be 27 or 28", signature[64])
	}
	return p, nil
}
