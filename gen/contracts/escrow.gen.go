// Code generated via abigen V2 - DO NOT EDIT.
// This file is a generated binding and any manual changes will be lost.

package contracts

import (
	"bytes"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// Reference imports to suppress errors if they are not otherwise used.
var (
	_ = bytes.Equal
	_ = errors.New
	_ = big.NewInt
	_ = common.Big1
	_ = types.BloomLookup
	_ = abi.ConvertType
)

// IEscrowTaskView is an auto generated low-level Go binding around an user-defined struct.
type IEscrowTaskView struct {
	Agent           common.Address
	Human           common.Address
	Amount          *big.Int
	FeeBasisPoints  uint16
	Status          uint8
	AgentApproved   bool
	SubmittedAt     *big.Int
	DisputeDeadline *big.Int
	LastActivityAt  *big.Int
	ApplicationId   *big.Int
}

// EscrowMetaData contains all meta data concerning the Escrow contract.
var EscrowMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"contractIERC20\",\"name\":\"token_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"treasury_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"owner_\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"guardian_\",\"type\":\"address\"},{\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"},{\"internalType\":\"address[]\",\"name\":\"validators\",\"type\":\"address[]\"},{\"internalType\":\"uint8\",\"name\":\"quorum\",\"type\":\"uint8\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"AgentHasApproved\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"minimum\",\"type\":\"uint256\"}],\"name\":\"AmountBelowMinimum\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"closedAt\",\"type\":\"uint256\"}],\"name\":\"DisputeWindowClosed\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"EmptyWorkHash\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"EnforcedPause\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ExpectedPause\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint16\",\"name\":\"given\",\"type\":\"uint16\"},{\"internalType\":\"uint16\",\"name\":\"inForce\",\"type\":\"uint16\"}],\"name\":\"FeeMismatch\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"},{\"internalType\":\"uint16\",\"name\":\"maximum\",\"type\":\"uint16\"}],\"name\":\"FeeTooHigh\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"quorum\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"validators\",\"type\":\"uint256\"}],\"name\":\"InvalidQuorum\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"InvalidShortString\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"index\",\"type\":\"uint256\"}],\"name\":\"InvalidSignature\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotAParty\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"signer\",\"type\":\"address\"}],\"name\":\"NotAValidatorOfTask\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"dueAt\",\"type\":\"uint256\"}],\"name\":\"NotDue\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotOwnerOrGuardian\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotTheAgent\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"}],\"name\":\"NotTheHuman\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"NothingToWithdraw\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"OwnableInvalidOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"OwnableUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"OwnershipNotRenounceable\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"PanelUnchanged\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"signatures\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"quorum\",\"type\":\"uint256\"}],\"name\":\"QuorumNotReached\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ReentrancyGuardReentrantCall\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"closedAt\",\"type\":\"uint256\"}],\"name\":\"ReviewClosed\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"opensAt\",\"type\":\"uint256\"}],\"name\":\"ReviewNotOpen\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint8\",\"name\":\"bits\",\"type\":\"uint8\"},{\"internalType\":\"uint256\",\"name\":\"value\",\"type\":\"uint256\"}],\"name\":\"SafeCastOverflowedUintDowncast\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"SafeERC20FailedOperation\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"index\",\"type\":\"uint256\"}],\"name\":\"SignersNotAscending\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"string\",\"name\":\"str\",\"type\":\"string\"}],\"name\":\"StringTooLong\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"signatures\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"maximum\",\"type\":\"uint256\"}],\"name\":\"TooManySignatures\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"validators\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"maximum\",\"type\":\"uint256\"}],\"name\":\"TooManyValidators\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"expected\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"received\",\"type\":\"uint256\"}],\"name\":\"TransferMismatch\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"ValidatorIsParty\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"validator\",\"type\":\"address\"}],\"name\":\"ValidatorKnown\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"validator\",\"type\":\"address\"}],\"name\":\"ValidatorUnknown\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ValidatorZero\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"enumIEscrow.Status\",\"name\":\"status\",\"type\":\"uint8\"}],\"name\":\"WrongStatus\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"ZeroAddress\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"}],\"name\":\"AgentApproved\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"CreditWithdrawn\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"Credited\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[],\"name\":\"EIP712DomainChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"}],\"name\":\"FeeChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferStarted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferred\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"Paused\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"uint8\",\"name\":\"quorum\",\"type\":\"uint8\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"panel\",\"type\":\"uint256\"}],\"name\":\"QuorumChanged\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"}],\"name\":\"SubmissionApproved\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"}],\"name\":\"SubmissionRejected\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"refundAmount\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"feeAmount\",\"type\":\"uint256\"}],\"name\":\"TaskCancelled\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"}],\"name\":\"TaskCreated\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"}],\"name\":\"TaskCreatedWithApplication\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"disputedAt\",\"type\":\"uint256\"}],\"name\":\"TaskDisputed\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"}],\"name\":\"TaskPosted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"TaskRefunded\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"humanAmount\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"feeAmount\",\"type\":\"uint256\"}],\"name\":\"TaskReleased\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"caller\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"submittedAt\",\"type\":\"uint256\"}],\"name\":\"TaskSubmitted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":true,\"internalType\":\"bytes32\",\"name\":\"termsHash\",\"type\":\"bytes32\"}],\"name\":\"TaskTerms\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":false,\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"Unpaused\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"validator\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"panel\",\"type\":\"uint256\"}],\"name\":\"ValidatorAdded\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"validator\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"panel\",\"type\":\"uint256\"}],\"name\":\"ValidatorRemoved\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"indexed\":false,\"internalType\":\"bytes32\",\"name\":\"workHash\",\"type\":\"bytes32\"}],\"name\":\"WorkCommitted\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"AGENT_DISPUTE_DELAY\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"APPROVAL_DELAY\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"DISPUTE_WINDOW\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"EMERGENCY_DELAY\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MAX_FEE_BASIS_POINTS\",\"outputs\":[{\"internalType\":\"uint16\",\"name\":\"\",\"type\":\"uint16\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MAX_VALIDATORS\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"MINIMUM_ESCROW\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"SETTLE_DELAY\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"name\":\"acceptApplicationForTask\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"acceptOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"agentApproveTask\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"applicationStaking\",\"outputs\":[{\"internalType\":\"contractIApplicationStaking\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"bytes[]\",\"name\":\"signatures\",\"type\":\"bytes[]\"}],\"name\":\"approveSubmission\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"cancelTask\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address[]\",\"name\":\"added\",\"type\":\"address[]\"},{\"internalType\":\"address[]\",\"name\":\"removed\",\"type\":\"address[]\"},{\"internalType\":\"uint8\",\"name\":\"quorum\",\"type\":\"uint8\"}],\"name\":\"changePanel\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"disputeTask\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"disputedBy\",\"outputs\":[{\"internalType\":\"enumIEscrow.Party\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"due\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"eip712Domain\",\"outputs\":[{\"internalType\":\"bytes1\",\"name\":\"fields\",\"type\":\"bytes1\"},{\"internalType\":\"string\",\"name\":\"name\",\"type\":\"string\"},{\"internalType\":\"string\",\"name\":\"version\",\"type\":\"string\"},{\"internalType\":\"uint256\",\"name\":\"chainId\",\"type\":\"uint256\"},{\"internalType\":\"address\",\"name\":\"verifyingContract\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"salt\",\"type\":\"bytes32\"},{\"internalType\":\"uint256[]\",\"name\":\"extensions\",\"type\":\"uint256[]\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"emergencyRelease\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"getTask\",\"outputs\":[{\"components\":[{\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"human\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"},{\"internalType\":\"uint8\",\"name\":\"status\",\"type\":\"uint8\"},{\"internalType\":\"bool\",\"name\":\"agentApproved\",\"type\":\"bool\"},{\"internalType\":\"uint256\",\"name\":\"submittedAt\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"disputeDeadline\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"lastActivityAt\",\"type\":\"uint256\"},{\"internalType\":\"uint256\",\"name\":\"applicationId\",\"type\":\"uint256\"}],\"internalType\":\"structIEscrow.TaskView\",\"name\":\"\",\"type\":\"tuple\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"guardian\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"isValidator\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"offerOf\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"applicant\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"offerTo\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"agent\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"panel\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"panelOf\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pause\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"paused\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pendingOwner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"platformFeeBasisPoints\",\"outputs\":[{\"internalType\":\"uint16\",\"name\":\"\",\"type\":\"uint16\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"},{\"internalType\":\"bytes32\",\"name\":\"termsHash\",\"type\":\"bytes32\"}],\"name\":\"postTask\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"},{\"internalType\":\"bytes32\",\"name\":\"termsHash\",\"type\":\"bytes32\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"uint8\",\"name\":\"v\",\"type\":\"uint8\"},{\"internalType\":\"bytes32\",\"name\":\"r\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"s\",\"type\":\"bytes32\"}],\"name\":\"postTaskWithPermit\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"},{\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"},{\"internalType\":\"uint256\",\"name\":\"deadline\",\"type\":\"uint256\"},{\"internalType\":\"uint8\",\"name\":\"v\",\"type\":\"uint8\"},{\"internalType\":\"bytes32\",\"name\":\"r\",\"type\":\"bytes32\"},{\"internalType\":\"bytes32\",\"name\":\"s\",\"type\":\"bytes32\"}],\"name\":\"postTaskWithPermit\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"panelNumber\",\"type\":\"uint256\"}],\"name\":\"quorumOf\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"bytes[]\",\"name\":\"signatures\",\"type\":\"bytes[]\"}],\"name\":\"rejectSubmission\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"renounceOwnership\",\"outputs\":[],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint16\",\"name\":\"feeBasisPoints\",\"type\":\"uint16\"}],\"name\":\"setPlatformFee\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"settle\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"bytes32\",\"name\":\"workHash\",\"type\":\"bytes32\"}],\"name\":\"submitTask\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"taskCount\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"token\",\"outputs\":[{\"internalType\":\"contractIERC20\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"transferOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"treasury\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"unpause\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"panelNumber\",\"type\":\"uint256\"}],\"name\":\"validatorCountOf\",\"outputs\":[{\"internalType\":\"uint8\",\"name\":\"\",\"type\":\"uint8\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"panelNumber\",\"type\":\"uint256\"}],\"name\":\"validatorIn\",\"outputs\":[{\"internalType\":\"bool\",\"name\":\"\",\"type\":\"bool\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"},{\"internalType\":\"bool\",\"name\":\"approved\",\"type\":\"bool\"}],\"name\":\"verdictDigest\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"withdrawCredit\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"withdrawable\",\"outputs\":[{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"uint256\",\"name\":\"taskId\",\"type\":\"uint256\"}],\"name\":\"workHash\",\"outputs\":[{\"internalType\":\"bytes32\",\"name\":\"\",\"type\":\"bytes32\"}],\"stateMutability\":\"view\",\"type\":\"function\"}]",
	ID:  "Escrow",
	Bin: "0x6101e0806040523461078657616d3a803803809161001d82856107bd565b8339810160e082820312610786578151906001600160a01b0382168083036107865761004b602085016107e0565b610057604086016107e0565b93610064606087016107e0565b9360808701519361ffff8516978886036107865760a08101516001600160401b0381116107865781019280601f85011215610786578351936001600160401b03851161066b578460051b9060208201956100c160405197886107bd565b865260208087019282010192831161078657602001905b82821061078a5750505060c001519760ff891693848a03610786576040516101016040826107bd565b6010815260208101906f5461736b6d61726b6574457363726f7760801b82526040519161012f6040846107bd565b600183526020830191603160f81b83526101488161081c565b610120526101558461081c565b61014052519020918260e05251902080610100524660a0526040519060208201927f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f8452604083015260608201524660808201523060a082015260a081526101be60c0826107bd565b5190206080523060c052821561067f57610160526001600160a01b038816958615610773576006546005805462010000600160b01b0319811660109c8d1b62010000600160b01b03169081179092559a9098919291908b901c6001600160a01b03167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a388610180526107d0831161075a57600162ffff0160a01b031990911660a89190911b61ffff60a81b16176006556040519081527f931a978d852c1b6fa9dd97300fd89c773ff625b91f697b0911e943ba15f9e24390602090a1602095604051946102ae88876107bd565b5f86525f36813761ffff891694855f526004895260405f209560ff604051976102d6896107a2565b54818116895260081c16908a8801918083528751159081610750575b81610746575b506107375761ffff811461070c576001909c9b9c019b61ffff8d16998a9160018060b01b031916171760055563ffff00005f9c60101b169b5b88518110156103dc576001600160a01b0361034c828b6107f4565b5116805f5260038c5260405f205461ffff8116151590816103cc575b50156103bb5790818e60038e6001955f525260405f209063ffff0000198254161790557f50ecbf35c0ff0910f48ecaf45471c41781b549230264f6cb51997d7d425a02c38d8d604051908152a201610331565b62f82fc760e61b5f5260045260245ffd5b61ffff915060101c16155f610368565b508a8a97985f5b8851811015610485576001600160a01b036103fe828b6107f4565b5116801561047657805f5260038b5261ffff60405f2054166104645790817f9000b209805850a65058f21361a9978cb30f1413ed555553ab52a59b440b5d998c8f6001955f526003825260405f208161ffff19825416179055604051908152a2016103e3565b63de179c4960e01b5f5260045260245ffd5b6366b54d0b60e01b5f5260045ffd5b50968a929189979860ff8c51169251830180931161070c5751820391821161070c578782116107205760011b6101fe168415600286830414171561070c578110801590610703575b6106ed5760ff81116106d6579060ff9182604051916104eb836107a2565b168152878101858152845f52600489528360405f2092511661ff008354925160081b169161ffff191617179055511682036106a0575b50506001600160a01b03811691821590811561068e575b5061067f576101c0526040519261202391828501916001600160401b0383118684101761066b576060948694614d17863930845283015260408201520301905ff08015610660576001600160a01b03166101a05260405161448f90816108888239608051816142f6015260a051816143b3015260c051816142c7015260e051816143450152610100518161436b015261012051816114710152610140518161149b01526101605181818161027901528181610d8e01528181611f8f015281816135f8015281816138940152613f8301526101805181818161158a0152818161276901526127a701526101a0518181816117c301528181611ca301528181612e9f015281816131d801528181613ba20152613d8501526101c0518181816120e10152613e110152f35b6040513d5f823e3d90fd5b634e487b7160e01b5f52604160045260245ffd5b63d92e233d60e01b5f5260045ffd5b6001600160a01b031615905085610538565b7f61f538defd7659e2152e9ee0cbf86c3e07ea08f6c95e6757a2efb97ae4d18ccf91604091825191825286820152a18480610521565b6306dfcc6560e41b5f52600860045260245260445ffd5b8363158589c560e11b5f5260045260245260445ffd5b508084116104cd565b634e487b7160e01b5f52601160045260245ffd5b8782632152704b60e01b5f5260045260245260445ffd5b633de1015560e01b5f5260045ffd5b905083145f6102f8565b8a511591506102f2565b82633c057d7b60e01b5f526004526107d060245260445ffd5b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b60208091610797846107e0565b8152019101906100d8565b604081019081106001600160401b0382111761066b57604052565b601f909101601f19168101906001600160401b0382119082101761066b57604052565b51906001600160a01b038216820361078657565b80518210156108085760209160051b010190565b634e487b7160e01b5f52603260045260245ffd5b601f815111610847576020815191015160208210610838571790565b5f198260200360031b1b161790565b604460209160405192839163305a27a960e01b83528160048401528051918291826024860152018484015e5f828201840152601f01601f19168101030190fdfe6080806040526004361015610012575f80fd5b5f905f3560e01c908163033e7c69146131fc5750806307ac0440146131b9578063084b600c14612e2d578063098dd2eb14612da357806318d17c2114612d865780631d65e77e14612bdf5780631f30e0cb14612baf5780631fc3332914612b8e5780632df145e21461294b57806339c28c62146128a05780633f4ba83a1461278d578063452a93201461274a5780634807c0e5146125975780634befe2ca1461257b5780635978fbd8146122065780635c975abb146121e05780635cbc742c1461210557806361d027b3146120c1578063696ef771146120a35780636c8cc9d914611f155780636ff50b3f14611ed5578063714897df14611eba578063715018a614611e79578063743b3911146119ce57806379ba5097146118de5780637eec20a81461168d57806382944e2d1461166f5780638456cb591461156f57806384b0196e146114575780638da5cb5b1461142d5780638df828001461132f57806390a677f31461130757806397d9c23e146110a757806397e068e814610b435780639db9500714610b21578063a3cb2f4414610b04578063b12542f114610a9d578063b1ed367c14610a11578063b4c5ed13146109cc578063b6cb58a5146109a1578063bb3fcd9b14610974578063c58bfb661461094f578063c647bbc71461091b578063ce513b6f146108e3578063e30c3978146108bc578063ef52404614610869578063f2fde38b146107de578063f585dc57146107c0578063f7483cae146107a2578063f9dfa791146102ce578063facd743b146102a05763fc0c546a1461025a575f80fd5b3461029d578060031936011261029d5760206040516001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168152f35b80fd5b503461029d57602060031936011261029d5760206102c46102bf61329b565b6134c6565b6040519015158152f35b503461029d57606060031936011261029d5760043567ffffffffffffffff811161079e57610300903690600401613236565b909160243567ffffffffffffffff811161079e57610322903690600401613236565b93906044359160ff83169485840361079a57610354929161034c91610345613e45565b3691613460565b953691613460565b6005549361ffff8516958685526004602052604085209160ff6040519361037a85613325565b54818116855260081c1660208401908082528351159081610790575b81610786575b5061075e5761ffff891461074a5760017fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff000099989698019561ffff8716998a91161760055563ffff0000879660101b16955b85518110156104ac576001600160a01b036104088288614137565b5116610413816134c6565b156104815790816001928a52600360205260408a20897fffffffffffffffffffffffffffffffffffffffffffffffffffffffff0000ffff8254161790557f50ecbf35c0ff0910f48ecaf45471c41781b549230264f6cb51997d7d425a02c360208d604051908152a2016103ed565b7f3e0bf1c0000000000000000000000000000000000000000000000000000000008952600452602488fd5b50929691945092855b85518110156105a8576001600160a01b036104d08288614137565b5116801561058057808852600360205261ffff60408920541661055557908160019289526003602052604089208b7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff00008254161790557f9000b209805850a65058f21361a9978cb30f1413ed555553ab52a59b440b5d9960206040518d8152a2016104b5565b7fde179c49000000000000000000000000000000000000000000000000000000008852600452602487fd5b6004887f66b54d0b000000000000000000000000000000000000000000000000000000008152fd5b506105c8906105c089959660ff8a51169051906133a1565b905190613c75565b90602082116107195760011b6101fe16841560028683041417156107055781108015906106fc575b6106cc5760ff811161069c579060ff91826040519161060e83613325565b16815260208101858152848752600460205283604088209251167fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff000061ff008454935160081b1692161717905551168203610666578280f35b7f61f538defd7659e2152e9ee0cbf86c3e07ea08f6c95e6757a2efb97ae4d18ccf9160409182519182526020820152a181808280f35b7f6dfcc6500000000000000000000000000000000000000000000000000000000085526008600452602452604484fd5b84604491857f2b0b138a000000000000000000000000000000000000000000000000000000008352600452602452fd5b508084116105f0565b602486634e487b7160e01b81526011600452fd5b604486837f2152704b0000000000000000000000000000000000000000000000000000000082526004526020602452fd5b602487634e487b7160e01b81526011600452fd5b6004877f3de10155000000000000000000000000000000000000000000000000000000008152fd5b905082145f61039c565b8651159150610396565b8480fd5b5080fd5b503461029d578060031936011261029d5760206040516203f4808152f35b503461029d578060031936011261029d576020604051620151808152f35b503461029d57602060031936011261029d576001600160a01b0361080061329b565b610808613e45565b16807fffffffffffffffffffffffff000000000000000000000000000000000000000060065416176006556001600160a01b0360055460101c167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227008380a380f35b503461029d57602060031936011261029d576004358152600760205260ff600160408320015460f01c166040519060038110156108a857602092508152f35b602483634e487b7160e01b81526021600452fd5b503461029d578060031936011261029d5760206001600160a01b0360065416604051908152f35b503461029d57602060031936011261029d5760406020916001600160a01b0361090a61329b565b168152600283522054604051908152f35b503461029d57602060031936011261029d5761ffff6001604060209360043581526007855220015460d81c16604051908152f35b503461029d578060031936011261029d57602061ffff60065460a81c16604051908152f35b503461029d57602060031936011261029d5760026040602092600435815260078452200154604051908152f35b503461029d578060031936011261029d57602067ffffffffffffffff60065460b81c16604051908152f35b503461029d57604060031936011261029d576024356004358115158203610a0d579081604084610a059460209652600786522090614071565b604051908152f35b8280fd5b503461029d57604060031936011261029d57610a2b61329b565b90610a346135b3565b610a3d826134c6565b610a6957610a4c602435613417565b604080516001600160a01b03939093168352602083019190915290f35b6001600160a01b036024927f098f81cc00000000000000000000000000000000000000000000000000000000835216600452fd5b503461029d57606060031936011261029d57602090610ad9610abd613225565b610ac56134f9565b610acd6135b3565b6044359060043561368f565b907f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d604051908152f35b503461029d57602060031936011261029d57610a4c600435613417565b503461029d578060031936011261029d576020604051662386f26fc100008152f35b503461029d5760c060031936011261029d5760043590610b61613225565b9160643560ff81168103610a0d57610b9490610b7b6134f9565b610b836135b3565b60a4359060843590604435856135ea565b662386f26fc100008110611070576006549261ffff8460a81c169061ffff8116918083036110405750610bc6336134c6565b6110145767ffffffffffffffff8560b81c1667ffffffffffffffff811461100057600101947fff0000000000000000ffffffffffffffffffffffffffffffffffffffffffffff7effffffffffffffff000000000000000000000000000000000000000000000067ffffffffffffffff88169760b81b169116176006558484526007602052604084206001600160a01b0333167fffffffffffffffffffffffff00000000000000000000000000000000000000008254161781556bffffffffffffffffffffffff8411610fcf5760018101916bffffffffffffffffffffffff808616167fffffffffffffffffffffffffffffffffffffffff0000000000000000000000008454161783557fffffffffffffffffffff0000ffffffffffffffffffffffffffffffffffffffff75ffff000000000000000000000000000000000000000083549260a01b1691161790557d0100000000000000000000000000000000000000000000000000000000007fffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffff825416179055604051908282526020820152837f79ef4423a59800784ccde7c28e939c7d30b3d574b92a3e5d3d02a82985515e2c60403393a37f00000000000000000000000000000000000000000000000000000000000000006001600160a01b038116604051907f70a08231000000000000000000000000000000000000000000000000000000008252306004830152602082602481845afa918215610fc4578592610f90575b50604051927f23b872dd00000000000000000000000000000000000000000000000000000000865233600452306024528460445260208660648180855af1906001875114821615610f71575b50836040528560605215610f4657826024816020937f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa8015610f3b578490610f03575b610e9e9250613c75565b90808203610ed457602084847f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d604051908152f35b604493507fad48e590000000000000000000000000000000000000000000000000000000008352600452602452fd5b506020823d602011610f33575b81610f1d60209383613341565b81010312610f2f57610e9e9151610e94565b5f80fd5b3d9150610f10565b6040513d86823e3d90fd5b7f5274afe7000000000000000000000000000000000000000000000000000000008552600452602484fd5b6001821516610f87573b15153d1516165f610e47565b843d88823e3d90fd5b9091506020813d602011610fbc575b81610fac60209383613341565b81010312610f2f5751905f610dfb565b3d9150610f9f565b6040513d87823e3d90fd5b604485857f6dfcc6500000000000000000000000000000000000000000000000000000000082526060600452602452fd5b602485634e487b7160e01b81526011600452fd5b6024847f098f81cc00000000000000000000000000000000000000000000000000000000815233600452fd5b84604491847ffb8d7384000000000000000000000000000000000000000000000000000000008352600452602452fd5b604492507f30196ade000000000000000000000000000000000000000000000000000000008252600452662386f26fc10000602452fd5b503461029d57602060031936011261029d576004356110c46134f9565b8082526007602052604082206110da8183614009565b9060018101805460ff8160e81c1660088110156112f357600381036112c257508060f81c6112965764ffffffffff9060881c166201518081018091116107055780421015611266575061112c4261356d565b927d0400000000000000000000000000000000000000000000000000000000007fffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffff83541617825560038110156112525781547fff00ffffff0000000000ffffffffffffffffffffffffffffffffffffffffffff1660f09190911b7eff000000000000000000000000000000000000000000000000000000000000161760b084901b7affffffffff00000000000000000000000000000000000000000000161790556001600160a01b039054169164ffffffffff604051921682527fa07cb881f448591f848e56459244abfad39e1750da1d9f9bc76527d4b934353560203393a4807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b602486634e487b7160e01b81526021600452fd5b85604491867fde200e6a000000000000000000000000000000000000000000000000000000008352600452602452fd5b602486867f08b4c1cb000000000000000000000000000000000000000000000000000000008252600452fd5b6112f08791877fa5d15e1f0000000000000000000000000000000000000000000000000000000084526133ae565b90fd5b602487634e487b7160e01b81526021600452fd5b503461029d57604060031936011261029d5760206102c461132661329b565b602435906133c3565b503461029d57602060031936011261029d576004359061134d6134f9565b818152600760205260408120916113648382613bf1565b60018301548060f81c8015611400575b156113c657508261139161138b6113a09495613eb2565b83613c3c565b61139a81613b52565b91613c82565b807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b64ffffffffff9060b01c16926230c78084018094116113ec576113916113a0939461138b565b602483634e487b7160e01b81526011600452fd5b5060ff8160f01c16600381101561141957600114611374565b602484634e487b7160e01b81526021600452fd5b503461029d578060031936011261029d5760206001600160a01b0360055460101c16604051908152f35b503461029d578060031936011261029d57611513906114957f000000000000000000000000000000000000000000000000000000000000000061415f565b906114bf7f000000000000000000000000000000000000000000000000000000000000000061415f565b906020611521604051936114d38386613341565b8385525f3681376040519687967f0f00000000000000000000000000000000000000000000000000000000000000885260e08589015260e08801906132b1565b9086820360408801526132b1565b904660608601523060808601528260a086015284820360c08601528080855193848152019401925b82811061155857505050500390f35b835185528695509381019392810192600101611549565b503461029d578060031936011261029d576001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001633141580611657575b61162b576115bf6135b3565b740100000000000000000000000000000000000000007fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff60065416176006557f62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a2586020604051338152a180f35b807f6b1883f3000000000000000000000000000000000000000000000000000000006024925233600452fd5b506001600160a01b0360055460101c163314156115b3565b503461029d578060031936011261029d57602060405162278d008152f35b503461029d57602060031936011261029d576004356116aa6134f9565b808252600760205260408220906001820180549260ff8460e81c169060088210156112525760028214918215806118d3575b6118a557508115611896576001600160a01b036116f882613b52565b915b5416948533141580611883575b6118535783547fffff00ffffffffffffffffffffffffffffffffff000000000000000000000000167d070000000000000000000000000000000000000000000000000000000000178455604080516bffffffffffffffffffffffff9092168083526020830189905295889594936001600160a01b03169288927f5f43ca08de95c563e26231217198424bf7afaaed63c9b8549d12ae31faabb27991a46117b3575b50506113a091613f20565b64ffffffffff6001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016915460601c16813b15610a0d5782916024839260405194859384927f275d95a100000000000000000000000000000000000000000000000000000000845260048401525af1801561184857156117a8578161183d91613341565b610a0d57825f6117a8565b6040513d84823e3d90fd5b604487867f968c0a4200000000000000000000000000000000000000000000000000000000825260045233602452fd5b506001600160a01b038216331415611707565b6001600160a01b0386916116fa565b6112f08791867fa5d15e1f0000000000000000000000000000000000000000000000000000000084526133ae565b5060018114156116dc565b503461029d578060031936011261029d57600654336001600160a01b038216036119a2577fffffffffffffffffffffffff00000000000000000000000000000000000000001660065560055475ffffffffffffffffffffffffffffffffffffffff00003360101b167fffffffffffffffffffff0000000000000000000000000000000000000000ffff8216176005556001600160a01b03339160101c167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e08380a380f35b6024827f118cdaa700000000000000000000000000000000000000000000000000000000815233600452fd5b503461029d576119dd36613267565b9091926119e86134f9565b8381526007602052604081206119fe8186613bf1565b6001810193845460f81c611e4d57845460ff8160f01c166003811015611e395760018114908115611e20575b5015611df35764ffffffffff8160b01c165b804210611dc35750611a4d83613eb2565b80421015611d93575060d81c61ffff1693611a69848489614071565b91858552600460205260ff604086205460081c1660208311611d6257808310611d32575090958493368390037fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe1019291855b89871015611bca578660051b84013585811215611bc657840180359067ffffffffffffffff8211611bc2576020018136038113611bc25790611afd91886141b6565b906001600160a01b038216908115611b96576001600160a01b0316811115611b6a57611b298a836133c3565b15611b3a5750600190960195611abb565b886044918d7f2a972fd6000000000000000000000000000000000000000000000000000000008352600452602452fd5b602489897f590a84f7000000000000000000000000000000000000000000000000000000008252600452fd5b60248a8a7f52bf9848000000000000000000000000000000000000000000000000000000008252600452fd5b8980fd5b8880fd5b87838c82856001600160a01b0380611be186613b52565b95541694168085857fc1c4a75454f6ad81c6157ea21d6216de16fe6f339eb9563e5c46c696dcb44dac8680a481547d0600000000000000000000000000000000000000000000000000000000007fffff00ffffffffffffffffffffffffffffffffff00000000000000000000000082161783556040516bffffffffffffffffffffffff9091168082529486917f4e9b68e9a5dd50429bc290f92167cc46de7aa4ca17536353fa36ef5b05fc00ee90602090a464ffffffffff6001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016915460601c16813b15610a0d5782916024839260405194859384927ff398418b00000000000000000000000000000000000000000000000000000000845260048401525af1801561184857611d1d5750506113a091613f20565b81611d2791613341565b610a0d5782846117a8565b85604491847f6a215984000000000000000000000000000000000000000000000000000000008352600452602452fd5b604486847f3f8ea0250000000000000000000000000000000000000000000000000000000082526004526020602452fd5b84604491897fe5709cb5000000000000000000000000000000000000000000000000000000008352600452602452fd5b84604491897fdac02291000000000000000000000000000000000000000000000000000000008352600452602452fd5b64ffffffffff8160881c1662015180810180911115611a3c57602485634e487b7160e01b81526011600452fd5b90501580611e2f575b5f611a2a565b508060f81c611e29565b602485634e487b7160e01b81526021600452fd5b602483877f08b4c1cb000000000000000000000000000000000000000000000000000000008252600452fd5b503461029d578060031936011261029d57600490611e95613e45565b7f162a7846000000000000000000000000000000000000000000000000000000008152fd5b503461029d578060031936011261029d576020604051818152f35b503461029d57602060031936011261029d5760209060043581526007825260408120611f0081613e88565b15611f0f57610a059150613eb2565b50610a05565b503461029d57602060031936011261029d576001600160a01b03611f3761329b565b611f3f6134f9565b1680825260026020526040822054908115612078578083526002602052826040812055807f6b00960292e7976c9eb5434816470b38a441061eee645921536131ccb937cafe6020604051858152a27f000000000000000000000000000000000000000000000000000000000000000091604051917fa9059cbb00000000000000000000000000000000000000000000000000000000855260045260245260208360448180865af1906001845114821615612057575b604052156120235750807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b7f5274afe70000000000000000000000000000000000000000000000000000000082526001600160a01b0316600452602490fd5b90600181151661206f57823b15153d15161690611ff4565b503d83823e3d90fd5b7fdc69dc16000000000000000000000000000000000000000000000000000000008352600452602482fd5b503461029d578060031936011261029d576020604051620697808152f35b503461029d578060031936011261029d5760206040516001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168152f35b503461029d57602060031936011261029d5760043561ffff811690818103610a0d5761212f613e45565b6107d082116121ae577f931a978d852c1b6fa9dd97300fd89c773ff625b91f697b0911e943ba15f9e243916020917fffffffffffffffffff0000ffffffffffffffffffffffffffffffffffffffffff76ffff0000000000000000000000000000000000000000006006549260a81b16911617600655604051908152a180f35b604483837f3c057d7b0000000000000000000000000000000000000000000000000000000082526004526107d0602452fd5b503461029d578060031936011261029d57602060ff60065460a01c166040519015158152f35b34610f2f5761221436613267565b61221f9291926134f9565b815f52600760205260405f20916122368382613bf1565b600183015460ff8160f01c166003811015612567576001811490811561254e575b50156125205764ffffffffff8160b01c165b8042106124f1575061227a84613eb2565b804210156124c2575060d81c61ffff169161229760018584614071565b90835f52600460205260ff60405f205460081c166020821161249157808210612462575093945f905f967fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe182360301925b878910156123ee578860051b83013584811215610f2f57830180359067ffffffffffffffff8211610f2f57602001908036038213610f2f5761232a91876141b6565b906001600160a01b0382169081156123c2576001600160a01b03168111156123965761235688836133c3565b1561236757506001909801976122e8565b867f2a972fd6000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b897f590a84f7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b8a7f52bf9848000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b61243d86836123fc81613b52565b916001600160a01b038254166001600160a01b03841690827f2f016ae70a2e7045a489cd0c5ed6553e50d52fe92d02cc3ad7bd8c0580c1fe415f80a4613c82565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b907f6a215984000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b507f3f8ea025000000000000000000000000000000000000000000000000000000005f52600452602060245260445ffd5b827fe5709cb5000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b827fdac02291000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b64ffffffffff8160881c1662015180810180911115612269575b634e487b7160e01b5f52601160045260245ffd5b9050158061255d575b86612257565b508060f81c612557565b634e487b7160e01b5f52602160045260245ffd5b34610f2f575f600319360112610f2f5760206040516107d08152f35b34610f2f576020600319360112610f2f576004356125b36134f9565b805f5260076020526001600160a01b0360405f205416330361271b57805f52600760205260405f206125e58183613bf1565b600181018054918260f81c6126ef5761269d6126a2927f01000000000000000000000000000000000000000000000000000000000000007effffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff6001600160a01b0396161781556126524261356d565b7fffffffffff0000000000ffffffffffffffffffffffffffffffffffffffffffff7affffffffff0000000000000000000000000000000000000000000083549260b01b169116179055565b613b52565b169033907fb5077d76e695756ef6bb4113b58400f156494a9e32e4cf6376c5599945f47d695f80a45f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b837f08b4c1cb000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b7f947a76ab000000000000000000000000000000000000000000000000000000005f526004523360245260445ffd5b34610f2f575f600319360112610f2f5760206040516001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168152f35b34610f2f575f600319360112610f2f576001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001633141580612888575b61285c5760065460ff8160a01c1615612834577fffffffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffff166006557f5db9ee0a495bf2e6ff9c91a7834c1ba4fdd244a5e8aa4e537bd38aeae4b073aa6020604051338152a1005b7f8dfc202b000000000000000000000000000000000000000000000000000000005f5260045ffd5b7f6b1883f3000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b506001600160a01b0360055460101c163314156127d0565b34610f2f576020600319360112610f2f576004356128bc6134f9565b805f52600760205260405f206128d181613b52565b906128dc8184613bf1565b6001600160a01b038216330361291b5764ffffffffff600182015460b01c169262278d00840180941161253a5761291661243d9482613c3c565b613c82565b827fbdb333b6000000000000000000000000000000000000000000000000000000005f526004523360245260445ffd5b34610f2f576040600319360112610f2f5760043560243561296a6134f9565b815f52600760205260405f20600181019160ff835460e81c1660088110156125675760028103612b5e57506001600160a01b036129a683613b52565b163303612b2e578015612b02577f4bb86b0de76a9b740a09d95539a299bcb4dca7883faca57ad9a5bbad323c2d2f926001600160a01b03602093612a9a6129ec4261356d565b84547fffffffffff0000000000ffffffffffffffffffffffffffffffffffffffffffff7fffff00ffffffffffffff0000000000ffffffffffffffffffffffffffffffffff909116608883901b75ffffffffff000000000000000000000000000000000016177d030000000000000000000000000000000000000000000000000000000000171660b082901b7affffffffff000000000000000000000000000000000000000000001617909455565b83600282015554169064ffffffffff60405191168152857f9afcb946559911b15c57fbfbfa2c8d05b8311eebda4be1068d2291e24d77bfaf853393a4604051908152a25f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b837fee5db505000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b837fbdb333b6000000000000000000000000000000000000000000000000000000005f526004523360245260445ffd5b612b8b90857fa5d15e1f000000000000000000000000000000000000000000000000000000005f526133ae565b5ffd5b34610f2f575f600319360112610f2f57602061ffff60055416604051908152f35b34610f2f576020600319360112610f2f576004355f526004602052602060ff60405f205460081c16604051908152f35b34610f2f576020600319360112610f2f575f610120604051612c00816132f4565b8281528260208201528260408201528260608201528260808201528260a08201528260c08201528260e08201528261010082015201526004355f52600760205260405f208054906001600160a01b038216906001612c5d82613b52565b9101549060ff8260e81c1660088110156125675764ffffffffff8360881c169081155f14612d5f57908360ff64ffffffffff949361ffff610140995f965b6001600160a01b0360405191612cb0836132f4565b8c83528160208401911681528a61012060408501946bffffffffffffffffffffffff8b16865287606082019760a01c1687526080810198895260a081019a8060f81c15158c5260c082019c8d5260e082019d8e5261010082019e8f9160b01c169052019c60601c168c526040519c8d52511660208c01525160408b0152511660608901525116608087015251151560a08601525160c08501525160e08401525161010083015251610120820152f35b919062015180810180821161253a5760ff64ffffffffff9461ffff61014099889496612c9b565b34610f2f575f600319360112610f2f5760206040516230c7808152f35b34610f2f5760e0600319360112610f2f57600435612dbf613225565b906084359060ff82168203610f2f57602092612df9612e0293612de06134f9565b612de86135b3565b60c4359060a43590606435866135ea565b6044359161368f565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d604051908152f35b34610f2f576040600319360112610f2f57602435600435612e4c6134f9565b805f5260076020526001600160a01b0360405f205416330361271b57805f52600760205260405f20916001830192835460ff8160e81c1660088110156125675760018103612b5e57506001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001694604051917f630644b30000000000000000000000000000000000000000000000000000000083528460048401526020836024818a5afa9283156130fc575f93613198575b50612f0e336134c6565b61316c57612f1b836134c6565b613137576005549061ffff821661ffff811161310757509261ffff6bffffffffffffffffffffffff604496946001600160a01b039489977fffffff0000ffffffffffffffffffff0000000000ffffffffffffffffffffffff7cffff00000000000000000000000000000000000000000000000000000070ffffffffff000000000000000000000000612faf60209f9e61356d565b60601b169360d81b169116171781557d0200000000000000000000000000000000000000000000000000000000007fffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8254161781555416935460a01c16604051938452878401521690847fed32cc4c84d3b357a677b16675a859f6181961fc4fa60f51f73d11cb4c6193bf60403393a45f60405195869485933381837f38c66ecdcbe2e156832dcbcebd815f58da58a90076d354de049f951f5087b3f18780a47fa7aebcf0000000000000000000000000000000000000000000000000000000008552600485015260248401525af180156130fc576130cd575f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b6130ee9060203d6020116130f5575b6130e68183613341565b810190613382565b508061243d565b503d6130dc565b6040513d5f823e3d90fd5b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52601060045260245260445ffd5b6001600160a01b03837f098f81cc000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b7f098f81cc000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b6131b291935060203d6020116130f5576130e68183613341565b9187612f04565b34610f2f575f600319360112610f2f5760206040516001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000168152f35b34610f2f576020600319360112610f2f576020906004355f526004825260ff60405f2054168152f35b6024359061ffff82168203610f2f57565b9181601f84011215610f2f5782359167ffffffffffffffff8311610f2f576020808501948460051b010111610f2f57565b906040600319830112610f2f57600435916024359067ffffffffffffffff8211610f2f5761329791600401613236565b9091565b600435906001600160a01b0382168203610f2f57565b907fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0601f602080948051918291828752018686015e5f8582860101520116010190565b610140810190811067ffffffffffffffff82111761331157604052565b634e487b7160e01b5f52604160045260245ffd5b6040810190811067ffffffffffffffff82111761331157604052565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff82111761331157604052565b90816020910312610f2f57516001600160a01b0381168103610f2f5790565b9190820180921161253a57565b60045260449190600881101561256757602452565b6001600160a01b03165f52600360205260405f205461ffff8082169160101c1690801590811561340d575b5061340757801591821561340157505090565b10919050565b50505f90565b905082105f6133ee565b5f52600760205260405f209060016001600160a01b0383541692015460ff8160e81c1660088110156125675760010361345b576bffffffffffffffffffffffff1690565b505f90565b90929167ffffffffffffffff8411613311578360051b9160208084016134896040519182613341565b8096815201928101918211610f2f57915b8183106134a657505050565b82356001600160a01b0381168103610f2f5781526020928301920161349a565b6001600160a01b03165f52600360205260405f205461ffff8116151590816134ec575090565b61ffff915060101c161590565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c6135455760017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d565b7f3ee5aeb5000000000000000000000000000000000000000000000000000000005f5260045ffd5b64ffffffffff81116135835764ffffffffff1690565b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52602860045260245260445ffd5b60ff60065460a01c166135c257565b7fd93c0665000000000000000000000000000000000000000000000000000000005f5260045ffd5b939091936001600160a01b037f00000000000000000000000000000000000000000000000000000000000000001693843b15610f2f575f9460e493869260ff604051998a9889977fd505accf0000000000000000000000000000000000000000000000000000000089523360048a01523060248a01526044890152606488015216608486015260a485015260c48401525af16136835750565b5f61368d91613341565b565b909291662386f26fc100008210613b1b5760065461ffff8160a81c1661ffff861690808203613aec57506136c2336134c6565b61316c5767ffffffffffffffff8260b81c1667ffffffffffffffff811461253a57600101917fff0000000000000000ffffffffffffffffffffffffffffffffffffffffffffff7effffffffffffffff000000000000000000000000000000000000000000000067ffffffffffffffff85169460b81b169116176006558195825f52600760205260405f206001600160a01b0333167fffffffffffffffffffffffff00000000000000000000000000000000000000008254161781556bffffffffffffffffffffffff8611613abb5760018101916bffffffffffffffffffffffff808816167fffffffffffffffffffffffffffffffffffffffff0000000000000000000000008454161783557fffffffffffffffffffff0000ffffffffffffffffffffffffffffffffffffffff75ffff000000000000000000000000000000000000000083549260a01b1691161790557d0100000000000000000000000000000000000000000000000000000000007fffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffff825416179055604051908482526020820152817f79ef4423a59800784ccde7c28e939c7d30b3d574b92a3e5d3d02a82985515e2c60403393a381613a90575b50507f00000000000000000000000000000000000000000000000000000000000000006001600160a01b038116604051907f70a08231000000000000000000000000000000000000000000000000000000008252306004830152602082602481845afa9182156130fc575f92613a5c575b50604051927f23b872dd000000000000000000000000000000000000000000000000000000005f5233600452306024528460445260205f60648180855af19060015f5114821615613a3d575b50836040525f60605215613a1257826024816020937f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa80156130fc575f906139de575b6139a49250613c75565b908082036139b0575050565b7fad48e590000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b506020823d602011613a0a575b816139f860209383613341565b81010312610f2f576139a4915161399a565b3d91506139eb565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6001821516613a53573b15153d1516165f61394d565b843d5f823e3d90fd5b9091506020813d602011613a88575b81613a7860209383613341565b81010312610f2f5751905f613901565b3d9150613a6b565b7f280d060f45cfdcc3a341d9bb44b4029619acd87b235ec4cdb22411f23df9e2745f80a35f80613890565b857f6dfcc650000000000000000000000000000000000000000000000000000000005f52606060045260245260445ffd5b907ffb8d7384000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b507f30196ade000000000000000000000000000000000000000000000000000000005f52600452662386f26fc1000060245260445ffd5b6001015460601c64ffffffffff16801561345b57604051907f630644b300000000000000000000000000000000000000000000000000000000825260048201526020816024816001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000165afa9081156130fc575f91613bd5575090565b613bee915060203d6020116130f5576130e68183613341565b90565b90613bfb81613e88565b15613c04575050565b9060ff6001612b8b93015460e81c16907fa5d15e1f000000000000000000000000000000000000000000000000000000005f526133ae565b814210613c47575050565b7f39c32aeb000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b9190820391821161253a57565b906001600160a01b0381541692600182019361ffff6bffffffffffffffffffffffff865416937fffffffffffffffffffffffffffffffffffffffff00000000000000000000000087541687557d0500000000000000000000000000000000000000000000000000000000007fffff00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffff8854161787555460a01c1680840290848204148415171561253a57612710900493613d398585613c75565b906040519182528560208301527f331696bfb20edda2c46a35e13f5060dd6099fd0612c3939371aeaac353ec89c560406001600160a01b03861693a464ffffffffff6001600160a01b037f000000000000000000000000000000000000000000000000000000000000000016945460601c16843b15610f2f575f946024869260405197889384927f275d95a100000000000000000000000000000000000000000000000000000000845260048401525af19384156130fc5783613e0f93613e099261368d97613e35575b50613c75565b90613f20565b7f0000000000000000000000000000000000000000000000000000000000000000613f20565b5f613e3f91613341565b5f613e03565b6001600160a01b0360055460101c163303613e5c57565b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b6001015460e81c60ff1660088110156125675760038114908115613eaa575090565b600491501490565b600101548060f81c613f055760ff8160f01c1690600382101561256757600164ffffffffff9214613ef15760b01c1662278d00810180911161253a5790565b60b01c1662069780810180911161253a5790565b64ffffffffff9060b01c166203f480810180911161253a5790565b81158015613f80575b613f7c5760206001600160a01b037f9c9e0cdb1670e88302408e5b941dc636f63a3293204694bb68910fcf3d9305f3921692835f526002825260405f20613f718282546133a1565b9055604051908152a2565b5050565b507f0000000000000000000000000000000000000000000000000000000000000000604051907fa9059cbb000000000000000000000000000000000000000000000000000000005f526001600160a01b0383166004528360245260205f60448180855af19060015f5114821615613ffc575b5090604052613f29565b3b15153d1516165f613ff2565b91906001600160a01b03815416331461406a5761402d6001600160a01b0391613b52565b16331461406457507f968c0a42000000000000000000000000000000000000000000000000000000005f526004523360245260445ffd5b60029150565b5060019150565b9060ff600182015460f01c169260038410156125675760429361412b5760ff60025f935b0154926040519360208501957ffe1ab2832b7c43f5be1a80908c630fa151f63d5baa48b9b08dc60b688164fb9e875260408601526060850152166080830152151560a082015260a081526140ea60c082613341565b5190206140f56142bd565b90604051917f19010000000000000000000000000000000000000000000000000000000000008352600283015260228201522090565b60ff6002600193614095565b805182101561414b5760209160051b010190565b634e487b7160e01b5f52603260045260245ffd5b60ff811690601f821161418e576040519161417b604084613341565b6020808452838101919036833783525290565b7fb3512b0c000000000000000000000000000000000000000000000000000000005f5260045ffd5b9091604181106142b657604181146142a65780601411610f2f5760209160647fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0600b5f94873560601c9760147fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec830191604051977f1626ba7e0000000000000000000000000000000000000000000000000000000089526004890152604060248901528260448901520185870137856050828701015201160190845afa7f1626ba7e000000000000000000000000000000000000000000000000000000005f5114601f3d1116165f1461345b5790565b90916142b1926143d9565b505090565b5050505f90565b6001600160a01b037f0000000000000000000000000000000000000000000000000000000000000000163014806143b0575b15614318577f000000000000000000000000000000000000000000000000000000000000000090565b60405160208101907f8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f82527f000000000000000000000000000000000000000000000000000000000000000060408201527f000000000000000000000000000000000000000000000000000000000000000060608201524660808201523060a082015260a081526143aa60c082613341565b51902090565b507f000000000000000000000000000000000000000000000000000000000000000046146142ef565b9060418303614403576143fc9250602081013591604082359201355f1a9061440d565b9192909190565b50505f9160029190565b91907f7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a08411614484579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa156130fc575f516001600160a01b0381161561447a57905f905f90565b505f906001905f90565b5050505f91600391905660e03461012557601f61202338819003918201601f19168301916001600160401b03831184841017610129578084926060946040528339810103126101255780516001600160a01b03811681036101255760208201516001600160a01b038116928382036101255760400151926001600160a01b038416840361012557156101165760805260a05260c052604051611ee5908161013e823960805181818161012d01528181610abf01528181610c29015281816117a20152611c13015260a051818181610180015281816102a301528181610627015281816108750152818161090d01528181610e31015281816110ed015281816113210152611438015260c051818181610200015281816107380152610db50152f35b63d92e233d60e01b5f5260045ffd5b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe60806040526004361015610011575f80fd5b5f5f3560e01c8063136c8db41461115257806325d5971f14610f2257806326239a9514610f06578063275d95a114610e06578063499029bd14610dd957806361d027b314610d89578063630644b314610d495780636c8cc9d914610ba257806392909fda14610a7b578063a7aebcf0146108e6578063af932d1214610818578063c5e83e9714610593578063c98517c514610570578063cb1c2b5c1461054e578063ce325bf81461036e578063ce513b6f14610322578063de4973d2146102e5578063deac25dc146102c7578063e2fdcc1714610276578063f398418b146101545763fc0c546a14610101575f80fd5b34610151578060031936011261015157602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b80fd5b50346101515760206003193601126101515760043573ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016330361024a57610224906101b2611371565b6101bb81611ca6565b917f2f88355b18479fa30ca79d04a60a6a862551ecab9b673b2ea76bba639b791fec602073ffffffffffffffffffffffffffffffffffffffff604051948686521693a37f0000000000000000000000000000000000000000000000000000000000000000611ba1565b807f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d80f35b6024827fb57ce6b100000000000000000000000000000000000000000000000000000000815233600452fd5b5034610151578060031936011261015157602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b5034610151578060031936011261015157602060405162093a808152f35b50346101515760206003193601126101515760206103046004356112c9565b73ffffffffffffffffffffffffffffffffffffffff60405191168152f35b50346101515760206003193601126101515760043573ffffffffffffffffffffffffffffffffffffffff811680910361036a5781604091602093528083522054604051908152f35b5080fd5b5034610151576020600319360112610151576004358160a0604051610392816111ef565b82815282602082015282604082015282606082015282608082015201526103b881611ab6565b9182548164ffffffffff8260601c16149061043073ffffffffffffffffffffffffffffffffffffffff855116956103ee856112c9565b956bffffffffffffffffffffffff60208201511693855f14610547576bffffffffffffffffffffffff8116955b1561053f5760881c64ffffffffff1695611e03565b936040519561043e876111ef565b865273ffffffffffffffffffffffffffffffffffffffff6020870191168152604086019182526bffffffffffffffffffffffff606087019316835264ffffffffff608087019416845260a08601946004811015610512579073ffffffffffffffffffffffffffffffffffffffff918652816040519751168752511660208601525160408501525160608401525160808301525160048110156104e55760c0925060a0820152f35b6024837f4e487b710000000000000000000000000000000000000000000000000000000081526021600452fd5b6024887f4e487b710000000000000000000000000000000000000000000000000000000081526021600452fd5b508895611e03565b899561041b565b5034610151578060031936011261015157602060405166038d7ea4c680008152f35b50346101515780600319360112610151576020604051678ac7230489e800008152f35b503461015157602060031936011261015157600435906105b1611371565b6105ba82611ab6565b6105c78183869496611b3a565b9160208501946bffffffffffffffffffffffff86511692604051937fa3cb2f44000000000000000000000000000000000000000000000000000000008552600485015260408460248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa93841561080d57869087956107c7575b5073ffffffffffffffffffffffffffffffffffffffff1693843303610797571561075c5761022495965073ffffffffffffffffffffffffffffffffffffffff7f2f88355b18479fa30ca79d04a60a6a862551ecab9b673b2ea76bba639b791fec92826106c760209487611d6a565b80547fffffffffffffffffff00ffffffffffffffffffff0000000000000000000000001676030000000000000000000000000000000000000000000017905560405195857fd88c67b75067601e318509cc4cd19649c6e5b2af3396e2152bd8faf039f624a18b80a3511693858152a37f0000000000000000000000000000000000000000000000000000000000000000611ba1565b6024866bffffffffffffffffffffffff8951167f9d6bda0b000000000000000000000000000000000000000000000000000000008252600452fd5b604487857fbbea176e00000000000000000000000000000000000000000000000000000000825260045233602452fd5b73ffffffffffffffffffffffffffffffffffffffff9550610800915060403d604011610806575b6107f88183611254565b810190611295565b94610659565b503d6107ee565b6040513d88823e3d90fd5b5034610151576020600319360112610151576040517fa3cb2f44000000000000000000000000000000000000000000000000000000008152600435600482015260408160248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa9081156108db57906108b291602093916108ba575b50611db2565b604051908152f35b6108d3915060403d604011610806576107f88183611254565b90505f6108ac565b6040513d84823e3d90fd5b5034610151576108f53661119e565b9173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000163303610a4f5761093b611371565b61094482611ab6565b610952818386979497611b3a565b50816bffffffffffffffffffffffff60208701511603610a20579373ffffffffffffffffffffffffffffffffffffffff918561099060209787611d6a565b7602000000000000000000000000000000000000000000007fffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffffffff825416179055604051947fe4522d59039c24345c4cf8f836257c39d439243afaa0ce00131e8247f5f3d3958580a35116907f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d8152f35b506044927ff57443d5000000000000000000000000000000000000000000000000000000008352600452602452fd5b807fb57ce6b1000000000000000000000000000000000000000000000000000000006024925233600452fd5b5034610b9e5760c0600319360112610b9e57602435906064359160ff8316809303610b9e57610aa8611371565b73ffffffffffffffffffffffffffffffffffffffff7f000000000000000000000000000000000000000000000000000000000000000016803b15610b9e575f809160e460209660405194859384927fd505accf0000000000000000000000000000000000000000000000000000000084523360048501523060248501528860448501526044356064850152608484015260843560a484015260a43560c48401525af1610b87575b50610b5c906004356113e5565b907f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d604051908152f35b610b949192505f90611254565b5f90610b5c610b4f565b5f80fd5b34610b9e576020600319360112610b9e5760043573ffffffffffffffffffffffffffffffffffffffff8116809103610b9e57610bdc611371565b805f525f60205260405f2054908115610d1e57805f525f6020525f6040812055807f6b00960292e7976c9eb5434816470b38a441061eee645921536131ccb937cafe6020604051858152a27f000000000000000000000000000000000000000000000000000000000000000091604051917fa9059cbb000000000000000000000000000000000000000000000000000000005f5260045260245260205f60448180865af19060015f5114821615610cfd575b60405215610cbb575f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b73ffffffffffffffffffffffffffffffffffffffff907f5274afe7000000000000000000000000000000000000000000000000000000005f521660045260245ffd5b906001811516610d1557823b15153d15161690610c8e565b503d5f823e3d90fd5b7fdc69dc16000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b34610b9e576020600319360112610b9e576004355f526002602052602073ffffffffffffffffffffffffffffffffffffffff60405f205416604051908152f35b34610b9e575f600319360112610b9e57602060405173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000168152f35b34610b9e576020600319360112610b9e576004355f526002602052602060405f205460a01c604051908152f35b34610b9e576020600319360112610b9e5760043573ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000163303610eda57610eb590610e63611371565b610e6c81611ca6565b91604051908382527f9f3368cae11cf2d1705ad6eff0c3202aca05cd785d9eede15cdeb62845a481a0602073ffffffffffffffffffffffffffffffffffffffff851693a3611ba1565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d005b7fb57ce6b1000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b34610b9e575f600319360112610b9e5760206040516101f48152f35b34610b9e576020600319360112610b9e57600435610f3e611371565b610f4781611ab6565b90610f53828285611b3a565b9164ffffffffff815460881c164210908161108f575b818061106e575b61103e5780547fffffffffffffffffff00ffffffffffffffffffff00000000000000000000000016760300000000000000000000000000000000000000000000179055610eb59373ffffffffffffffffffffffffffffffffffffffff92911561100a5782825116907fa84442f7fa7080aa68affe4662553db3717da7deea79ba2aa9e5bb98f3af633a6020604051878152a35b5116611ba1565b82825116907f9f3368cae11cf2d1705ad6eff0c3202aca05cd785d9eede15cdeb62845a481a06020604051878152a3611003565b847ffa7f31de000000000000000000000000000000000000000000000000000000005f526004523360245260445ffd5b5073ffffffffffffffffffffffffffffffffffffffff835116331415610f70565b90506bffffffffffffffffffffffff602083015116604051907fa3cb2f44000000000000000000000000000000000000000000000000000000008252600482015260408160248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa908115611147575f91611126575b50151590610f69565b61113f915060403d604011610806576107f88183611254565b90508561111d565b6040513d5f823e3d90fd5b34610b9e5760206111736111653661119e565b9061116e611371565b6113e5565b5f7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d604051908152f35b6003196040910112610b9e576004359060243590565b60048110156111c257602452565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52602160045260245ffd5b60c0810190811067ffffffffffffffff82111761120b57604052565b7f4e487b71000000000000000000000000000000000000000000000000000000005f52604160045260245ffd5b6040810190811067ffffffffffffffff82111761120b57604052565b90601f7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe0910116810190811067ffffffffffffffff82111761120b57604052565b9190826040910312610b9e57815173ffffffffffffffffffffffffffffffffffffffff81168103610b9e5760209092015190565b5f52600260205260405f205460a01c604051907fa3cb2f44000000000000000000000000000000000000000000000000000000008252600482015260408160248173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa908115611147575f91611354575090565b61136d915060403d604011610806576107f88183611254565b5090565b7f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005c6113bd5760017f9b779b17422d0df92223018b32b4d1fa46e071723d6817e2486d003becc55f005d565b7f3ee5aeb5000000000000000000000000000000000000000000000000000000005f5260045ffd5b919091604051927fb1ed367c00000000000000000000000000000000000000000000000000000000845233600485015281602485015260408460448173ffffffffffffffffffffffffffffffffffffffff7f0000000000000000000000000000000000000000000000000000000000000000165afa938415611147575f905f95611a92575b508415611a665773ffffffffffffffffffffffffffffffffffffffff1693843314611a3a5761149890611db2565b808203611a0b5750815f52600360205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f5260205260405f205460ff8160b01c1660048110156111c2576001146119d557506001549164ffffffffff83169264ffffffffff84146118f65764ffffffffff60017fffffffffffffffffffffffffffffffffffffffffffffffffffffff00000000009501169384911617600155829462093a8042018042116118f65761154a90611e4b565b61155383611e91565b6040519061156082611238565b3382526bffffffffffffffffffffffff6020830191168152865f5260026020527fffffffffffffffffffffffff000000000000000000000000000000000000000073ffffffffffffffffffffffffffffffffffffffff60405f20935116915160a01b161790556115cf84611e91565b6115d886611e4b565b60405191608083019083821067ffffffffffffffff83111761120b576bffffffffffffffffffffffff9160405216825264ffffffffff602083019116815264ffffffffff60408301931692838152606083019160018352865f52600360205260405f2073ffffffffffffffffffffffffffffffffffffffff33165f526020526bffffffffffffffffffffffff60405f209451167fffffffffffffffffffffffffffffffffffffffff00000000000000000000000085541617845551907fffffffffffffffffffff00000000000000000000ffffffffffffffffffffffff70ffffffffff00000000000000000000000075ffffffffff00000000000000000000000000000000008654935160881b169360601b169116171782555160048110156111c2577fffffffffffffffffff00ffffffffffffffffffffffffffffffffffffffffffff76ff0000000000000000000000000000000000000000000083549260b01b169116179055604051908482526020820152847fb0b9fe59509d44745dc5104c29464589d3281bdf62cadbed747b46cf02eab6de339260408180030190a4604051927f0bdecb3758c18812a0670c5a38f6a8e54905be0c5e924aa3be891d6c33f0fbac5f80a37f00000000000000000000000000000000000000000000000000000000000000009173ffffffffffffffffffffffffffffffffffffffff83167f70a08231000000000000000000000000000000000000000000000000000000008252306004830152602082602481845afa918215611147575f926119a1575b50604051937f23b872dd000000000000000000000000000000000000000000000000000000005f5233600452306024528360445260205f60648180855af19060015f5114821615611982575b50846040525f6060521561195757836024816020937f70a082310000000000000000000000000000000000000000000000000000000082523060048301525afa928315611147575f93611923575b5082039182116118f6578082036118c8575050565b7fad48e590000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b7f4e487b71000000000000000000000000000000000000000000000000000000005f52601160045260245ffd5b9092506020813d60201161194f575b8161193f60209383611254565b81010312610b9e5751915f6118b3565b3d9150611932565b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b6001821516611998573b15153d1516165f611865565b853d5f823e3d90fd5b9091506020813d6020116119cd575b816119bd60209383611254565b81010312610b9e5751905f611819565b3d91506119b0565b64ffffffffff907f0269e775000000000000000000000000000000000000000000000000000000005f5260601c1660045260245ffd5b907fe18f366b000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b847f24bf5c3b000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b827f9d6bda0b000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b9050611aae91945060403d604011610806576107f88183611254565b93905f61146a565b5f6020604051611ac581611238565b82815201525f52600260205260405f209060405191611ae383611238565b5473ffffffffffffffffffffffffffffffffffffffff8116835260a01c9182602082015280925f52600360205273ffffffffffffffffffffffffffffffffffffffff8060405f20925116165f5260205260405f2090565b9082611b469183611e03565b9060048210156111c25760018203611b6c575050546bffffffffffffffffffffffff1690565b611b9c92507faf0fd4d3000000000000000000000000000000000000000000000000000000005f526004526111b4565b60445ffd5b81158015611c10575b611c0c5773ffffffffffffffffffffffffffffffffffffffff1690815f525f60205260405f208054918083018093116118f6577f9c9e0cdb1670e88302408e5b941dc636f63a3293204694bb68910fcf3d9305f39260209255604051908152a2565b5050565b507f0000000000000000000000000000000000000000000000000000000000000000604051907fa9059cbb000000000000000000000000000000000000000000000000000000005f5273ffffffffffffffffffffffffffffffffffffffff83166004528360245260205f60448180855af19060015f5114821615611c99575b5090604052611baa565b3b15153d1516165f611c8f565b90611cb082611ab6565b92611cbc848383611e03565b9060048210156111c25760028203611d3a57505082547fffffffffffffffffff00ffffffffffffffffffff0000000000000000000000008116760300000000000000000000000000000000000000000000179093555173ffffffffffffffffffffffffffffffffffffffff16916bffffffffffffffffffffffff1690565b611b9c92507f25a14699000000000000000000000000000000000000000000000000000000005f526004526111b4565b9064ffffffffff905460881c169081421015611d84575050565b7fe44f6821000000000000000000000000000000000000000000000000000000005f5260045260245260445ffd5b8015611dfe576101f481029081046101f4036118f657612710900480678ac7230489e800001081678ac7230489e800001802188066038d7ea4c68000118166038d7ea4c6800018021890565b505f90565b919073ffffffffffffffffffffffffffffffffffffffff90511615611e4557549064ffffffffff8260601c16145f14611e3f5760b01c60ff1690565b50600390565b50505f90565b64ffffffffff8111611e615764ffffffffff1690565b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52602860045260245260445ffd5b6bffffffffffffffffffffffff8111611eb5576bffffffffffffffffffffffff1690565b7f6dfcc650000000000000000000000000000000000000000000000000000000005f52606060045260245260445ffd",
}

// Escrow is an auto generated Go binding around an Ethereum contract.
type Escrow struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Escrow) GetABI() abi.ABI {
	return c.abi
}

// NewEscrow creates a new instance of Escrow.
func NewEscrow() *Escrow {
	parsed, err := EscrowMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Escrow{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Escrow) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address token_, address treasury_, address owner_, address guardian_, uint16 feeBasisPoints, address[] validators, uint8 quorum) returns()
func (escrow *Escrow) PackConstructor(token_ common.Address, treasury_ common.Address, owner_ common.Address, guardian_ common.Address, feeBasisPoints uint16, validators []common.Address, quorum uint8) []byte {
	enc, err := escrow.abi.Pack("", token_, treasury_, owner_, guardian_, feeBasisPoints, validators, quorum)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAGENTDISPUTEDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x696ef771.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function AGENT_DISPUTE_DELAY() view returns(uint256)
func (escrow *Escrow) PackAGENTDISPUTEDELAY() []byte {
	enc, err := escrow.abi.Pack("AGENT_DISPUTE_DELAY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAGENTDISPUTEDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x696ef771.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function AGENT_DISPUTE_DELAY() view returns(uint256)
func (escrow *Escrow) TryPackAGENTDISPUTEDELAY() ([]byte, error) {
	return escrow.abi.Pack("AGENT_DISPUTE_DELAY")
}

// UnpackAGENTDISPUTEDELAY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x696ef771.
//
// Solidity: function AGENT_DISPUTE_DELAY() view returns(uint256)
func (escrow *Escrow) UnpackAGENTDISPUTEDELAY(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("AGENT_DISPUTE_DELAY", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackAPPROVALDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf7483cae.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function APPROVAL_DELAY() view returns(uint256)
func (escrow *Escrow) PackAPPROVALDELAY() []byte {
	enc, err := escrow.abi.Pack("APPROVAL_DELAY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAPPROVALDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf7483cae.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function APPROVAL_DELAY() view returns(uint256)
func (escrow *Escrow) TryPackAPPROVALDELAY() ([]byte, error) {
	return escrow.abi.Pack("APPROVAL_DELAY")
}

// UnpackAPPROVALDELAY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xf7483cae.
//
// Solidity: function APPROVAL_DELAY() view returns(uint256)
func (escrow *Escrow) UnpackAPPROVALDELAY(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("APPROVAL_DELAY", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackDISPUTEWINDOW is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf585dc57.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function DISPUTE_WINDOW() view returns(uint256)
func (escrow *Escrow) PackDISPUTEWINDOW() []byte {
	enc, err := escrow.abi.Pack("DISPUTE_WINDOW")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDISPUTEWINDOW is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf585dc57.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function DISPUTE_WINDOW() view returns(uint256)
func (escrow *Escrow) TryPackDISPUTEWINDOW() ([]byte, error) {
	return escrow.abi.Pack("DISPUTE_WINDOW")
}

// UnpackDISPUTEWINDOW is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xf585dc57.
//
// Solidity: function DISPUTE_WINDOW() view returns(uint256)
func (escrow *Escrow) UnpackDISPUTEWINDOW(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("DISPUTE_WINDOW", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackEMERGENCYDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x82944e2d.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function EMERGENCY_DELAY() view returns(uint256)
func (escrow *Escrow) PackEMERGENCYDELAY() []byte {
	enc, err := escrow.abi.Pack("EMERGENCY_DELAY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEMERGENCYDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x82944e2d.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function EMERGENCY_DELAY() view returns(uint256)
func (escrow *Escrow) TryPackEMERGENCYDELAY() ([]byte, error) {
	return escrow.abi.Pack("EMERGENCY_DELAY")
}

// UnpackEMERGENCYDELAY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x82944e2d.
//
// Solidity: function EMERGENCY_DELAY() view returns(uint256)
func (escrow *Escrow) UnpackEMERGENCYDELAY(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("EMERGENCY_DELAY", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMAXFEEBASISPOINTS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4befe2ca.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MAX_FEE_BASIS_POINTS() view returns(uint16)
func (escrow *Escrow) PackMAXFEEBASISPOINTS() []byte {
	enc, err := escrow.abi.Pack("MAX_FEE_BASIS_POINTS")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMAXFEEBASISPOINTS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4befe2ca.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MAX_FEE_BASIS_POINTS() view returns(uint16)
func (escrow *Escrow) TryPackMAXFEEBASISPOINTS() ([]byte, error) {
	return escrow.abi.Pack("MAX_FEE_BASIS_POINTS")
}

// UnpackMAXFEEBASISPOINTS is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x4befe2ca.
//
// Solidity: function MAX_FEE_BASIS_POINTS() view returns(uint16)
func (escrow *Escrow) UnpackMAXFEEBASISPOINTS(data []byte) (uint16, error) {
	out, err := escrow.abi.Unpack("MAX_FEE_BASIS_POINTS", data)
	if err != nil {
		return *new(uint16), err
	}
	out0 := *abi.ConvertType(out[0], new(uint16)).(*uint16)
	return out0, nil
}

// PackMAXVALIDATORS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x714897df.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MAX_VALIDATORS() view returns(uint256)
func (escrow *Escrow) PackMAXVALIDATORS() []byte {
	enc, err := escrow.abi.Pack("MAX_VALIDATORS")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMAXVALIDATORS is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x714897df.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MAX_VALIDATORS() view returns(uint256)
func (escrow *Escrow) TryPackMAXVALIDATORS() ([]byte, error) {
	return escrow.abi.Pack("MAX_VALIDATORS")
}

// UnpackMAXVALIDATORS is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x714897df.
//
// Solidity: function MAX_VALIDATORS() view returns(uint256)
func (escrow *Escrow) UnpackMAXVALIDATORS(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("MAX_VALIDATORS", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackMINIMUMESCROW is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9db95007.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function MINIMUM_ESCROW() view returns(uint256)
func (escrow *Escrow) PackMINIMUMESCROW() []byte {
	enc, err := escrow.abi.Pack("MINIMUM_ESCROW")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackMINIMUMESCROW is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x9db95007.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function MINIMUM_ESCROW() view returns(uint256)
func (escrow *Escrow) TryPackMINIMUMESCROW() ([]byte, error) {
	return escrow.abi.Pack("MINIMUM_ESCROW")
}

// UnpackMINIMUMESCROW is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x9db95007.
//
// Solidity: function MINIMUM_ESCROW() view returns(uint256)
func (escrow *Escrow) UnpackMINIMUMESCROW(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("MINIMUM_ESCROW", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackSETTLEDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18d17c21.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function SETTLE_DELAY() view returns(uint256)
func (escrow *Escrow) PackSETTLEDELAY() []byte {
	enc, err := escrow.abi.Pack("SETTLE_DELAY")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSETTLEDELAY is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x18d17c21.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function SETTLE_DELAY() view returns(uint256)
func (escrow *Escrow) TryPackSETTLEDELAY() ([]byte, error) {
	return escrow.abi.Pack("SETTLE_DELAY")
}

// UnpackSETTLEDELAY is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x18d17c21.
//
// Solidity: function SETTLE_DELAY() view returns(uint256)
func (escrow *Escrow) UnpackSETTLEDELAY(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("SETTLE_DELAY", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackAcceptApplicationForTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x084b600c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function acceptApplicationForTask(uint256 taskId, uint256 applicationId) returns()
func (escrow *Escrow) PackAcceptApplicationForTask(taskId *big.Int, applicationId *big.Int) []byte {
	enc, err := escrow.abi.Pack("acceptApplicationForTask", taskId, applicationId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAcceptApplicationForTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x084b600c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function acceptApplicationForTask(uint256 taskId, uint256 applicationId) returns()
func (escrow *Escrow) TryPackAcceptApplicationForTask(taskId *big.Int, applicationId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("acceptApplicationForTask", taskId, applicationId)
}

// PackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function acceptOwnership() returns()
func (escrow *Escrow) PackAcceptOwnership() []byte {
	enc, err := escrow.abi.Pack("acceptOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function acceptOwnership() returns()
func (escrow *Escrow) TryPackAcceptOwnership() ([]byte, error) {
	return escrow.abi.Pack("acceptOwnership")
}

// PackAgentApproveTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4807c0e5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function agentApproveTask(uint256 taskId) returns()
func (escrow *Escrow) PackAgentApproveTask(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("agentApproveTask", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackAgentApproveTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x4807c0e5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function agentApproveTask(uint256 taskId) returns()
func (escrow *Escrow) TryPackAgentApproveTask(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("agentApproveTask", taskId)
}

// PackApplicationStaking is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x07ac0440.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function applicationStaking() view returns(address)
func (escrow *Escrow) PackApplicationStaking() []byte {
	enc, err := escrow.abi.Pack("applicationStaking")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApplicationStaking is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x07ac0440.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function applicationStaking() view returns(address)
func (escrow *Escrow) TryPackApplicationStaking() ([]byte, error) {
	return escrow.abi.Pack("applicationStaking")
}

// UnpackApplicationStaking is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x07ac0440.
//
// Solidity: function applicationStaking() view returns(address)
func (escrow *Escrow) UnpackApplicationStaking(data []byte) (common.Address, error) {
	out, err := escrow.abi.Unpack("applicationStaking", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackApproveSubmission is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5978fbd8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function approveSubmission(uint256 taskId, bytes[] signatures) returns()
func (escrow *Escrow) PackApproveSubmission(taskId *big.Int, signatures [][]byte) []byte {
	enc, err := escrow.abi.Pack("approveSubmission", taskId, signatures)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackApproveSubmission is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5978fbd8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function approveSubmission(uint256 taskId, bytes[] signatures) returns()
func (escrow *Escrow) TryPackApproveSubmission(taskId *big.Int, signatures [][]byte) ([]byte, error) {
	return escrow.abi.Pack("approveSubmission", taskId, signatures)
}

// PackCancelTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7eec20a8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function cancelTask(uint256 taskId) returns()
func (escrow *Escrow) PackCancelTask(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("cancelTask", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackCancelTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x7eec20a8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function cancelTask(uint256 taskId) returns()
func (escrow *Escrow) TryPackCancelTask(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("cancelTask", taskId)
}

// PackChangePanel is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf9dfa791.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function changePanel(address[] added, address[] removed, uint8 quorum) returns()
func (escrow *Escrow) PackChangePanel(added []common.Address, removed []common.Address, quorum uint8) []byte {
	enc, err := escrow.abi.Pack("changePanel", added, removed, quorum)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackChangePanel is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf9dfa791.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function changePanel(address[] added, address[] removed, uint8 quorum) returns()
func (escrow *Escrow) TryPackChangePanel(added []common.Address, removed []common.Address, quorum uint8) ([]byte, error) {
	return escrow.abi.Pack("changePanel", added, removed, quorum)
}

// PackDisputeTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x97d9c23e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function disputeTask(uint256 taskId) returns()
func (escrow *Escrow) PackDisputeTask(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("disputeTask", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDisputeTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x97d9c23e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function disputeTask(uint256 taskId) returns()
func (escrow *Escrow) TryPackDisputeTask(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("disputeTask", taskId)
}

// PackDisputedBy is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xef524046.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function disputedBy(uint256 taskId) view returns(uint8)
func (escrow *Escrow) PackDisputedBy(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("disputedBy", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDisputedBy is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xef524046.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function disputedBy(uint256 taskId) view returns(uint8)
func (escrow *Escrow) TryPackDisputedBy(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("disputedBy", taskId)
}

// UnpackDisputedBy is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xef524046.
//
// Solidity: function disputedBy(uint256 taskId) view returns(uint8)
func (escrow *Escrow) UnpackDisputedBy(data []byte) (uint8, error) {
	out, err := escrow.abi.Unpack("disputedBy", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackDue is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6ff50b3f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function due(uint256 taskId) view returns(uint256)
func (escrow *Escrow) PackDue(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("due", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackDue is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6ff50b3f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function due(uint256 taskId) view returns(uint256)
func (escrow *Escrow) TryPackDue(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("due", taskId)
}

// UnpackDue is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x6ff50b3f.
//
// Solidity: function due(uint256 taskId) view returns(uint256)
func (escrow *Escrow) UnpackDue(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("due", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackEscrowDomain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (escrow *Escrow) PackEscrowDomain() []byte {
	enc, err := escrow.abi.Pack("eip712Domain")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEscrowDomain is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x84b0196e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (escrow *Escrow) TryPackEscrowDomain() ([]byte, error) {
	return escrow.abi.Pack("eip712Domain")
}

// EscrowDomainOutput serves as a container for the return parameters of contract
// method EscrowDomain.
type EscrowDomainOutput struct {
	Fields            [1]byte
	Name              string
	Version           string
	ChainId           *big.Int
	VerifyingContract common.Address
	Salt              [32]byte
	Extensions        []*big.Int
}

// UnpackEscrowDomain is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x84b0196e.
//
// Solidity: function eip712Domain() view returns(bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)
func (escrow *Escrow) UnpackEscrowDomain(data []byte) (EscrowDomainOutput, error) {
	out, err := escrow.abi.Unpack("eip712Domain", data)
	outstruct := new(EscrowDomainOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Fields = *abi.ConvertType(out[0], new([1]byte)).(*[1]byte)
	outstruct.Name = *abi.ConvertType(out[1], new(string)).(*string)
	outstruct.Version = *abi.ConvertType(out[2], new(string)).(*string)
	outstruct.ChainId = abi.ConvertType(out[3], new(big.Int)).(*big.Int)
	outstruct.VerifyingContract = *abi.ConvertType(out[4], new(common.Address)).(*common.Address)
	outstruct.Salt = *abi.ConvertType(out[5], new([32]byte)).(*[32]byte)
	outstruct.Extensions = *abi.ConvertType(out[6], new([]*big.Int)).(*[]*big.Int)
	return *outstruct, nil
}

// PackEmergencyRelease is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x39c28c62.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function emergencyRelease(uint256 taskId) returns()
func (escrow *Escrow) PackEmergencyRelease(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("emergencyRelease", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackEmergencyRelease is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x39c28c62.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function emergencyRelease(uint256 taskId) returns()
func (escrow *Escrow) TryPackEmergencyRelease(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("emergencyRelease", taskId)
}

// PackGetTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1d65e77e.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function getTask(uint256 taskId) view returns((address,address,uint256,uint16,uint8,bool,uint256,uint256,uint256,uint256))
func (escrow *Escrow) PackGetTask(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("getTask", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGetTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1d65e77e.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function getTask(uint256 taskId) view returns((address,address,uint256,uint16,uint8,bool,uint256,uint256,uint256,uint256))
func (escrow *Escrow) TryPackGetTask(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("getTask", taskId)
}

// UnpackGetTask is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1d65e77e.
//
// Solidity: function getTask(uint256 taskId) view returns((address,address,uint256,uint16,uint8,bool,uint256,uint256,uint256,uint256))
func (escrow *Escrow) UnpackGetTask(data []byte) (IEscrowTaskView, error) {
	out, err := escrow.abi.Unpack("getTask", data)
	if err != nil {
		return *new(IEscrowTaskView), err
	}
	out0 := *abi.ConvertType(out[0], new(IEscrowTaskView)).(*IEscrowTaskView)
	return out0, nil
}

// PackGuardian is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x452a9320.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function guardian() view returns(address)
func (escrow *Escrow) PackGuardian() []byte {
	enc, err := escrow.abi.Pack("guardian")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackGuardian is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x452a9320.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function guardian() view returns(address)
func (escrow *Escrow) TryPackGuardian() ([]byte, error) {
	return escrow.abi.Pack("guardian")
}

// UnpackGuardian is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x452a9320.
//
// Solidity: function guardian() view returns(address)
func (escrow *Escrow) UnpackGuardian(data []byte) (common.Address, error) {
	out, err := escrow.abi.Unpack("guardian", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackIsValidator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfacd743b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function isValidator(address account) view returns(bool)
func (escrow *Escrow) PackIsValidator(account common.Address) []byte {
	enc, err := escrow.abi.Pack("isValidator", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackIsValidator is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfacd743b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function isValidator(address account) view returns(bool)
func (escrow *Escrow) TryPackIsValidator(account common.Address) ([]byte, error) {
	return escrow.abi.Pack("isValidator", account)
}

// UnpackIsValidator is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xfacd743b.
//
// Solidity: function isValidator(address account) view returns(bool)
func (escrow *Escrow) UnpackIsValidator(data []byte) (bool, error) {
	out, err := escrow.abi.Unpack("isValidator", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackOfferOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa3cb2f44.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function offerOf(uint256 taskId) view returns(address agent, uint256 amount)
func (escrow *Escrow) PackOfferOf(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("offerOf", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOfferOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xa3cb2f44.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function offerOf(uint256 taskId) view returns(address agent, uint256 amount)
func (escrow *Escrow) TryPackOfferOf(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("offerOf", taskId)
}

// OfferOfOutput serves as a container for the return parameters of contract
// method OfferOf.
type OfferOfOutput struct {
	Agent  common.Address
	Amount *big.Int
}

// UnpackOfferOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xa3cb2f44.
//
// Solidity: function offerOf(uint256 taskId) view returns(address agent, uint256 amount)
func (escrow *Escrow) UnpackOfferOf(data []byte) (OfferOfOutput, error) {
	out, err := escrow.abi.Unpack("offerOf", data)
	outstruct := new(OfferOfOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Agent = *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	outstruct.Amount = abi.ConvertType(out[1], new(big.Int)).(*big.Int)
	return *outstruct, nil
}

// PackOfferTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb1ed367c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function offerTo(address applicant, uint256 taskId) view returns(address agent, uint256 amount)
func (escrow *Escrow) PackOfferTo(applicant common.Address, taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("offerTo", applicant, taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOfferTo is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb1ed367c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function offerTo(address applicant, uint256 taskId) view returns(address agent, uint256 amount)
func (escrow *Escrow) TryPackOfferTo(applicant common.Address, taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("offerTo", applicant, taskId)
}

// OfferToOutput serves as a container for the return parameters of contract
// method OfferTo.
type OfferToOutput struct {
	Agent  common.Address
	Amount *big.Int
}

// UnpackOfferTo is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb1ed367c.
//
// Solidity: function offerTo(address applicant, uint256 taskId) view returns(address agent, uint256 amount)
func (escrow *Escrow) UnpackOfferTo(data []byte) (OfferToOutput, error) {
	out, err := escrow.abi.Unpack("offerTo", data)
	outstruct := new(OfferToOutput)
	if err != nil {
		return *outstruct, err
	}
	outstruct.Agent = *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	outstruct.Amount = abi.ConvertType(out[1], new(big.Int)).(*big.Int)
	return *outstruct, nil
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (escrow *Escrow) PackOwner() []byte {
	enc, err := escrow.abi.Pack("owner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function owner() view returns(address)
func (escrow *Escrow) TryPackOwner() ([]byte, error) {
	return escrow.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address)
func (escrow *Escrow) UnpackOwner(data []byte) (common.Address, error) {
	out, err := escrow.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPanel is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1fc33329.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function panel() view returns(uint256)
func (escrow *Escrow) PackPanel() []byte {
	enc, err := escrow.abi.Pack("panel")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPanel is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1fc33329.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function panel() view returns(uint256)
func (escrow *Escrow) TryPackPanel() ([]byte, error) {
	return escrow.abi.Pack("panel")
}

// UnpackPanel is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1fc33329.
//
// Solidity: function panel() view returns(uint256)
func (escrow *Escrow) UnpackPanel(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("panel", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackPanelOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc647bbc7.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function panelOf(uint256 taskId) view returns(uint256)
func (escrow *Escrow) PackPanelOf(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("panelOf", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPanelOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc647bbc7.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function panelOf(uint256 taskId) view returns(uint256)
func (escrow *Escrow) TryPackPanelOf(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("panelOf", taskId)
}

// UnpackPanelOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc647bbc7.
//
// Solidity: function panelOf(uint256 taskId) view returns(uint256)
func (escrow *Escrow) UnpackPanelOf(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("panelOf", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackPause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8456cb59.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pause() returns()
func (escrow *Escrow) PackPause() []byte {
	enc, err := escrow.abi.Pack("pause")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8456cb59.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pause() returns()
func (escrow *Escrow) TryPackPause() ([]byte, error) {
	return escrow.abi.Pack("pause")
}

// PackPaused is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c975abb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function paused() view returns(bool)
func (escrow *Escrow) PackPaused() []byte {
	enc, err := escrow.abi.Pack("paused")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPaused is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5c975abb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function paused() view returns(bool)
func (escrow *Escrow) TryPackPaused() ([]byte, error) {
	return escrow.abi.Pack("paused")
}

// UnpackPaused is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x5c975abb.
//
// Solidity: function paused() view returns(bool)
func (escrow *Escrow) UnpackPaused(data []byte) (bool, error) {
	out, err := escrow.abi.Unpack("paused", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pendingOwner() view returns(address)
func (escrow *Escrow) PackPendingOwner() []byte {
	enc, err := escrow.abi.Pack("pendingOwner")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function pendingOwner() view returns(address)
func (escrow *Escrow) TryPackPendingOwner() ([]byte, error) {
	return escrow.abi.Pack("pendingOwner")
}

// UnpackPendingOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe30c3978.
//
// Solidity: function pendingOwner() view returns(address)
func (escrow *Escrow) UnpackPendingOwner(data []byte) (common.Address, error) {
	out, err := escrow.abi.Unpack("pendingOwner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPlatformFeeBasisPoints is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc58bfb66.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function platformFeeBasisPoints() view returns(uint16)
func (escrow *Escrow) PackPlatformFeeBasisPoints() []byte {
	enc, err := escrow.abi.Pack("platformFeeBasisPoints")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPlatformFeeBasisPoints is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xc58bfb66.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function platformFeeBasisPoints() view returns(uint16)
func (escrow *Escrow) TryPackPlatformFeeBasisPoints() ([]byte, error) {
	return escrow.abi.Pack("platformFeeBasisPoints")
}

// UnpackPlatformFeeBasisPoints is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xc58bfb66.
//
// Solidity: function platformFeeBasisPoints() view returns(uint16)
func (escrow *Escrow) UnpackPlatformFeeBasisPoints(data []byte) (uint16, error) {
	out, err := escrow.abi.Unpack("platformFeeBasisPoints", data)
	if err != nil {
		return *new(uint16), err
	}
	out0 := *abi.ConvertType(out[0], new(uint16)).(*uint16)
	return out0, nil
}

// PackPostTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb12542f1.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function postTask(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash) returns(uint256 taskId)
func (escrow *Escrow) PackPostTask(amount *big.Int, feeBasisPoints uint16, termsHash [32]byte) []byte {
	enc, err := escrow.abi.Pack("postTask", amount, feeBasisPoints, termsHash)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPostTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb12542f1.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function postTask(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash) returns(uint256 taskId)
func (escrow *Escrow) TryPackPostTask(amount *big.Int, feeBasisPoints uint16, termsHash [32]byte) ([]byte, error) {
	return escrow.abi.Pack("postTask", amount, feeBasisPoints, termsHash)
}

// UnpackPostTask is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb12542f1.
//
// Solidity: function postTask(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash) returns(uint256 taskId)
func (escrow *Escrow) UnpackPostTask(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("postTask", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackPostTaskWithPermit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x098dd2eb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function postTaskWithPermit(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 taskId)
func (escrow *Escrow) PackPostTaskWithPermit(amount *big.Int, feeBasisPoints uint16, termsHash [32]byte, deadline *big.Int, v uint8, r [32]byte, s [32]byte) []byte {
	enc, err := escrow.abi.Pack("postTaskWithPermit", amount, feeBasisPoints, termsHash, deadline, v, r, s)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPostTaskWithPermit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x098dd2eb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function postTaskWithPermit(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 taskId)
func (escrow *Escrow) TryPackPostTaskWithPermit(amount *big.Int, feeBasisPoints uint16, termsHash [32]byte, deadline *big.Int, v uint8, r [32]byte, s [32]byte) ([]byte, error) {
	return escrow.abi.Pack("postTaskWithPermit", amount, feeBasisPoints, termsHash, deadline, v, r, s)
}

// UnpackPostTaskWithPermit is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x098dd2eb.
//
// Solidity: function postTaskWithPermit(uint256 amount, uint16 feeBasisPoints, bytes32 termsHash, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 taskId)
func (escrow *Escrow) UnpackPostTaskWithPermit(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("postTaskWithPermit", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackPostTaskWithPermit0 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x97e068e8.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function postTaskWithPermit(uint256 amount, uint16 feeBasisPoints, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 taskId)
func (escrow *Escrow) PackPostTaskWithPermit0(amount *big.Int, feeBasisPoints uint16, deadline *big.Int, v uint8, r [32]byte, s [32]byte) []byte {
	enc, err := escrow.abi.Pack("postTaskWithPermit0", amount, feeBasisPoints, deadline, v, r, s)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackPostTaskWithPermit0 is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x97e068e8.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function postTaskWithPermit(uint256 amount, uint16 feeBasisPoints, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 taskId)
func (escrow *Escrow) TryPackPostTaskWithPermit0(amount *big.Int, feeBasisPoints uint16, deadline *big.Int, v uint8, r [32]byte, s [32]byte) ([]byte, error) {
	return escrow.abi.Pack("postTaskWithPermit0", amount, feeBasisPoints, deadline, v, r, s)
}

// UnpackPostTaskWithPermit0 is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x97e068e8.
//
// Solidity: function postTaskWithPermit(uint256 amount, uint16 feeBasisPoints, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns(uint256 taskId)
func (escrow *Escrow) UnpackPostTaskWithPermit0(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("postTaskWithPermit0", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackQuorumOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1f30e0cb.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function quorumOf(uint256 panelNumber) view returns(uint8)
func (escrow *Escrow) PackQuorumOf(panelNumber *big.Int) []byte {
	enc, err := escrow.abi.Pack("quorumOf", panelNumber)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackQuorumOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x1f30e0cb.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function quorumOf(uint256 panelNumber) view returns(uint8)
func (escrow *Escrow) TryPackQuorumOf(panelNumber *big.Int) ([]byte, error) {
	return escrow.abi.Pack("quorumOf", panelNumber)
}

// UnpackQuorumOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x1f30e0cb.
//
// Solidity: function quorumOf(uint256 panelNumber) view returns(uint8)
func (escrow *Escrow) UnpackQuorumOf(data []byte) (uint8, error) {
	out, err := escrow.abi.Unpack("quorumOf", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackRejectSubmission is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x743b3911.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function rejectSubmission(uint256 taskId, bytes[] signatures) returns()
func (escrow *Escrow) PackRejectSubmission(taskId *big.Int, signatures [][]byte) []byte {
	enc, err := escrow.abi.Pack("rejectSubmission", taskId, signatures)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRejectSubmission is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x743b3911.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function rejectSubmission(uint256 taskId, bytes[] signatures) returns()
func (escrow *Escrow) TryPackRejectSubmission(taskId *big.Int, signatures [][]byte) ([]byte, error) {
	return escrow.abi.Pack("rejectSubmission", taskId, signatures)
}

// PackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceOwnership() view returns()
func (escrow *Escrow) PackRenounceOwnership() []byte {
	enc, err := escrow.abi.Pack("renounceOwnership")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function renounceOwnership() view returns()
func (escrow *Escrow) TryPackRenounceOwnership() ([]byte, error) {
	return escrow.abi.Pack("renounceOwnership")
}

// PackSetPlatformFee is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5cbc742c.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function setPlatformFee(uint16 feeBasisPoints) returns()
func (escrow *Escrow) PackSetPlatformFee(feeBasisPoints uint16) []byte {
	enc, err := escrow.abi.Pack("setPlatformFee", feeBasisPoints)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSetPlatformFee is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x5cbc742c.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function setPlatformFee(uint16 feeBasisPoints) returns()
func (escrow *Escrow) TryPackSetPlatformFee(feeBasisPoints uint16) ([]byte, error) {
	return escrow.abi.Pack("setPlatformFee", feeBasisPoints)
}

// PackSettle is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8df82800.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function settle(uint256 taskId) returns()
func (escrow *Escrow) PackSettle(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("settle", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSettle is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8df82800.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function settle(uint256 taskId) returns()
func (escrow *Escrow) TryPackSettle(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("settle", taskId)
}

// PackSubmitTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2df145e2.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function submitTask(uint256 taskId, bytes32 workHash) returns()
func (escrow *Escrow) PackSubmitTask(taskId *big.Int, workHash [32]byte) []byte {
	enc, err := escrow.abi.Pack("submitTask", taskId, workHash)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackSubmitTask is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x2df145e2.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function submitTask(uint256 taskId, bytes32 workHash) returns()
func (escrow *Escrow) TryPackSubmitTask(taskId *big.Int, workHash [32]byte) ([]byte, error) {
	return escrow.abi.Pack("submitTask", taskId, workHash)
}

// PackTaskCount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb6cb58a5.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function taskCount() view returns(uint256)
func (escrow *Escrow) PackTaskCount() []byte {
	enc, err := escrow.abi.Pack("taskCount")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTaskCount is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb6cb58a5.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function taskCount() view returns(uint256)
func (escrow *Escrow) TryPackTaskCount() ([]byte, error) {
	return escrow.abi.Pack("taskCount")
}

// UnpackTaskCount is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb6cb58a5.
//
// Solidity: function taskCount() view returns(uint256)
func (escrow *Escrow) UnpackTaskCount(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("taskCount", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackToken is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfc0c546a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function token() view returns(address)
func (escrow *Escrow) PackToken() []byte {
	enc, err := escrow.abi.Pack("token")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackToken is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xfc0c546a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function token() view returns(address)
func (escrow *Escrow) TryPackToken() ([]byte, error) {
	return escrow.abi.Pack("token")
}

// UnpackToken is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xfc0c546a.
//
// Solidity: function token() view returns(address)
func (escrow *Escrow) UnpackToken(data []byte) (common.Address, error) {
	out, err := escrow.abi.Unpack("token", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (escrow *Escrow) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := escrow.abi.Pack("transferOwnership", newOwner)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (escrow *Escrow) TryPackTransferOwnership(newOwner common.Address) ([]byte, error) {
	return escrow.abi.Pack("transferOwnership", newOwner)
}

// PackTreasury is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x61d027b3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function treasury() view returns(address)
func (escrow *Escrow) PackTreasury() []byte {
	enc, err := escrow.abi.Pack("treasury")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackTreasury is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x61d027b3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function treasury() view returns(address)
func (escrow *Escrow) TryPackTreasury() ([]byte, error) {
	return escrow.abi.Pack("treasury")
}

// UnpackTreasury is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x61d027b3.
//
// Solidity: function treasury() view returns(address)
func (escrow *Escrow) UnpackTreasury(data []byte) (common.Address, error) {
	out, err := escrow.abi.Unpack("treasury", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackUnpause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f4ba83a.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function unpause() returns()
func (escrow *Escrow) PackUnpause() []byte {
	enc, err := escrow.abi.Pack("unpause")
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackUnpause is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x3f4ba83a.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function unpause() returns()
func (escrow *Escrow) TryPackUnpause() ([]byte, error) {
	return escrow.abi.Pack("unpause")
}

// PackValidatorCountOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x033e7c69.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function validatorCountOf(uint256 panelNumber) view returns(uint8)
func (escrow *Escrow) PackValidatorCountOf(panelNumber *big.Int) []byte {
	enc, err := escrow.abi.Pack("validatorCountOf", panelNumber)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackValidatorCountOf is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x033e7c69.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function validatorCountOf(uint256 panelNumber) view returns(uint8)
func (escrow *Escrow) TryPackValidatorCountOf(panelNumber *big.Int) ([]byte, error) {
	return escrow.abi.Pack("validatorCountOf", panelNumber)
}

// UnpackValidatorCountOf is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x033e7c69.
//
// Solidity: function validatorCountOf(uint256 panelNumber) view returns(uint8)
func (escrow *Escrow) UnpackValidatorCountOf(data []byte) (uint8, error) {
	out, err := escrow.abi.Unpack("validatorCountOf", data)
	if err != nil {
		return *new(uint8), err
	}
	out0 := *abi.ConvertType(out[0], new(uint8)).(*uint8)
	return out0, nil
}

// PackValidatorIn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x90a677f3.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function validatorIn(address account, uint256 panelNumber) view returns(bool)
func (escrow *Escrow) PackValidatorIn(account common.Address, panelNumber *big.Int) []byte {
	enc, err := escrow.abi.Pack("validatorIn", account, panelNumber)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackValidatorIn is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x90a677f3.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function validatorIn(address account, uint256 panelNumber) view returns(bool)
func (escrow *Escrow) TryPackValidatorIn(account common.Address, panelNumber *big.Int) ([]byte, error) {
	return escrow.abi.Pack("validatorIn", account, panelNumber)
}

// UnpackValidatorIn is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x90a677f3.
//
// Solidity: function validatorIn(address account, uint256 panelNumber) view returns(bool)
func (escrow *Escrow) UnpackValidatorIn(data []byte) (bool, error) {
	out, err := escrow.abi.Unpack("validatorIn", data)
	if err != nil {
		return *new(bool), err
	}
	out0 := *abi.ConvertType(out[0], new(bool)).(*bool)
	return out0, nil
}

// PackVerdictDigest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb4c5ed13.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function verdictDigest(uint256 taskId, bool approved) view returns(bytes32)
func (escrow *Escrow) PackVerdictDigest(taskId *big.Int, approved bool) []byte {
	enc, err := escrow.abi.Pack("verdictDigest", taskId, approved)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackVerdictDigest is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xb4c5ed13.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function verdictDigest(uint256 taskId, bool approved) view returns(bytes32)
func (escrow *Escrow) TryPackVerdictDigest(taskId *big.Int, approved bool) ([]byte, error) {
	return escrow.abi.Pack("verdictDigest", taskId, approved)
}

// UnpackVerdictDigest is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xb4c5ed13.
//
// Solidity: function verdictDigest(uint256 taskId, bool approved) view returns(bytes32)
func (escrow *Escrow) UnpackVerdictDigest(data []byte) ([32]byte, error) {
	out, err := escrow.abi.Unpack("verdictDigest", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// PackWithdrawCredit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c8cc9d9.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawCredit(address account) returns()
func (escrow *Escrow) PackWithdrawCredit(account common.Address) []byte {
	enc, err := escrow.abi.Pack("withdrawCredit", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawCredit is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x6c8cc9d9.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawCredit(address account) returns()
func (escrow *Escrow) TryPackWithdrawCredit(account common.Address) ([]byte, error) {
	return escrow.abi.Pack("withdrawCredit", account)
}

// PackWithdrawable is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xce513b6f.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdrawable(address account) view returns(uint256 amount)
func (escrow *Escrow) PackWithdrawable(account common.Address) []byte {
	enc, err := escrow.abi.Pack("withdrawable", account)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdrawable is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xce513b6f.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdrawable(address account) view returns(uint256 amount)
func (escrow *Escrow) TryPackWithdrawable(account common.Address) ([]byte, error) {
	return escrow.abi.Pack("withdrawable", account)
}

// UnpackWithdrawable is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xce513b6f.
//
// Solidity: function withdrawable(address account) view returns(uint256 amount)
func (escrow *Escrow) UnpackWithdrawable(data []byte) (*big.Int, error) {
	out, err := escrow.abi.Unpack("withdrawable", data)
	if err != nil {
		return new(big.Int), err
	}
	out0 := abi.ConvertType(out[0], new(big.Int)).(*big.Int)
	return out0, nil
}

// PackWorkHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbb3fcd9b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function workHash(uint256 taskId) view returns(bytes32)
func (escrow *Escrow) PackWorkHash(taskId *big.Int) []byte {
	enc, err := escrow.abi.Pack("workHash", taskId)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWorkHash is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xbb3fcd9b.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function workHash(uint256 taskId) view returns(bytes32)
func (escrow *Escrow) TryPackWorkHash(taskId *big.Int) ([]byte, error) {
	return escrow.abi.Pack("workHash", taskId)
}

// UnpackWorkHash is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xbb3fcd9b.
//
// Solidity: function workHash(uint256 taskId) view returns(bytes32)
func (escrow *Escrow) UnpackWorkHash(data []byte) ([32]byte, error) {
	out, err := escrow.abi.Unpack("workHash", data)
	if err != nil {
		return *new([32]byte), err
	}
	out0 := *abi.ConvertType(out[0], new([32]byte)).(*[32]byte)
	return out0, nil
}

// EscrowAgentApproved represents a AgentApproved event raised by the Escrow contract.
type EscrowAgentApproved struct {
	TaskId *big.Int
	Agent  common.Address
	Human  common.Address
	Raw    *types.Log // Blockchain specific contextual infos
}

const EscrowAgentApprovedEventName = "AgentApproved"

// ContractEventName returns the user-defined event name.
func (EscrowAgentApproved) ContractEventName() string {
	return EscrowAgentApprovedEventName
}

// UnpackAgentApprovedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event AgentApproved(uint256 indexed taskId, address indexed agent, address indexed human)
func (escrow *Escrow) UnpackAgentApprovedEvent(log *types.Log) (*EscrowAgentApproved, error) {
	event := "AgentApproved"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowAgentApproved)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowCreditWithdrawn represents a CreditWithdrawn event raised by the Escrow contract.
type EscrowCreditWithdrawn struct {
	Account common.Address
	Amount  *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const EscrowCreditWithdrawnEventName = "CreditWithdrawn"

// ContractEventName returns the user-defined event name.
func (EscrowCreditWithdrawn) ContractEventName() string {
	return EscrowCreditWithdrawnEventName
}

// UnpackCreditWithdrawnEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event CreditWithdrawn(address indexed account, uint256 amount)
func (escrow *Escrow) UnpackCreditWithdrawnEvent(log *types.Log) (*EscrowCreditWithdrawn, error) {
	event := "CreditWithdrawn"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowCreditWithdrawn)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowCredited represents a Credited event raised by the Escrow contract.
type EscrowCredited struct {
	Account common.Address
	Amount  *big.Int
	Raw     *types.Log // Blockchain specific contextual infos
}

const EscrowCreditedEventName = "Credited"

// ContractEventName returns the user-defined event name.
func (EscrowCredited) ContractEventName() string {
	return EscrowCreditedEventName
}

// UnpackCreditedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Credited(address indexed account, uint256 amount)
func (escrow *Escrow) UnpackCreditedEvent(log *types.Log) (*EscrowCredited, error) {
	event := "Credited"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowCredited)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowEIP712DomainChanged represents a EIP712DomainChanged event raised by the Escrow contract.
type EscrowEIP712DomainChanged struct {
	Raw *types.Log // Blockchain specific contextual infos
}

const EscrowEIP712DomainChangedEventName = "EIP712DomainChanged"

// ContractEventName returns the user-defined event name.
func (EscrowEIP712DomainChanged) ContractEventName() string {
	return EscrowEIP712DomainChangedEventName
}

// UnpackEIP712DomainChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event EIP712DomainChanged()
func (escrow *Escrow) UnpackEIP712DomainChangedEvent(log *types.Log) (*EscrowEIP712DomainChanged, error) {
	event := "EIP712DomainChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowEIP712DomainChanged)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowFeeChanged represents a FeeChanged event raised by the Escrow contract.
type EscrowFeeChanged struct {
	FeeBasisPoints uint16
	Raw            *types.Log // Blockchain specific contextual infos
}

const EscrowFeeChangedEventName = "FeeChanged"

// ContractEventName returns the user-defined event name.
func (EscrowFeeChanged) ContractEventName() string {
	return EscrowFeeChangedEventName
}

// UnpackFeeChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event FeeChanged(uint16 feeBasisPoints)
func (escrow *Escrow) UnpackFeeChangedEvent(log *types.Log) (*EscrowFeeChanged, error) {
	event := "FeeChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowFeeChanged)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowOwnershipTransferStarted represents a OwnershipTransferStarted event raised by the Escrow contract.
type EscrowOwnershipTransferStarted struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const EscrowOwnershipTransferStartedEventName = "OwnershipTransferStarted"

// ContractEventName returns the user-defined event name.
func (EscrowOwnershipTransferStarted) ContractEventName() string {
	return EscrowOwnershipTransferStartedEventName
}

// UnpackOwnershipTransferStartedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
func (escrow *Escrow) UnpackOwnershipTransferStartedEvent(log *types.Log) (*EscrowOwnershipTransferStarted, error) {
	event := "OwnershipTransferStarted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowOwnershipTransferStarted)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowOwnershipTransferred represents a OwnershipTransferred event raised by the Escrow contract.
type EscrowOwnershipTransferred struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const EscrowOwnershipTransferredEventName = "OwnershipTransferred"

// ContractEventName returns the user-defined event name.
func (EscrowOwnershipTransferred) ContractEventName() string {
	return EscrowOwnershipTransferredEventName
}

// UnpackOwnershipTransferredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
func (escrow *Escrow) UnpackOwnershipTransferredEvent(log *types.Log) (*EscrowOwnershipTransferred, error) {
	event := "OwnershipTransferred"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowOwnershipTransferred)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowPaused represents a Paused event raised by the Escrow contract.
type EscrowPaused struct {
	Account common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const EscrowPausedEventName = "Paused"

// ContractEventName returns the user-defined event name.
func (EscrowPaused) ContractEventName() string {
	return EscrowPausedEventName
}

// UnpackPausedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Paused(address account)
func (escrow *Escrow) UnpackPausedEvent(log *types.Log) (*EscrowPaused, error) {
	event := "Paused"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowPaused)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowQuorumChanged represents a QuorumChanged event raised by the Escrow contract.
type EscrowQuorumChanged struct {
	Quorum uint8
	Panel  *big.Int
	Raw    *types.Log // Blockchain specific contextual infos
}

const EscrowQuorumChangedEventName = "QuorumChanged"

// ContractEventName returns the user-defined event name.
func (EscrowQuorumChanged) ContractEventName() string {
	return EscrowQuorumChangedEventName
}

// UnpackQuorumChangedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event QuorumChanged(uint8 quorum, uint256 panel)
func (escrow *Escrow) UnpackQuorumChangedEvent(log *types.Log) (*EscrowQuorumChanged, error) {
	event := "QuorumChanged"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowQuorumChanged)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowSubmissionApproved represents a SubmissionApproved event raised by the Escrow contract.
type EscrowSubmissionApproved struct {
	TaskId *big.Int
	Agent  common.Address
	Human  common.Address
	Raw    *types.Log // Blockchain specific contextual infos
}

const EscrowSubmissionApprovedEventName = "SubmissionApproved"

// ContractEventName returns the user-defined event name.
func (EscrowSubmissionApproved) ContractEventName() string {
	return EscrowSubmissionApprovedEventName
}

// UnpackSubmissionApprovedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event SubmissionApproved(uint256 indexed taskId, address indexed agent, address indexed human)
func (escrow *Escrow) UnpackSubmissionApprovedEvent(log *types.Log) (*EscrowSubmissionApproved, error) {
	event := "SubmissionApproved"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowSubmissionApproved)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowSubmissionRejected represents a SubmissionRejected event raised by the Escrow contract.
type EscrowSubmissionRejected struct {
	TaskId *big.Int
	Agent  common.Address
	Human  common.Address
	Raw    *types.Log // Blockchain specific contextual infos
}

const EscrowSubmissionRejectedEventName = "SubmissionRejected"

// ContractEventName returns the user-defined event name.
func (EscrowSubmissionRejected) ContractEventName() string {
	return EscrowSubmissionRejectedEventName
}

// UnpackSubmissionRejectedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event SubmissionRejected(uint256 indexed taskId, address indexed agent, address indexed human)
func (escrow *Escrow) UnpackSubmissionRejectedEvent(log *types.Log) (*EscrowSubmissionRejected, error) {
	event := "SubmissionRejected"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowSubmissionRejected)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskCancelled represents a TaskCancelled event raised by the Escrow contract.
type EscrowTaskCancelled struct {
	TaskId       *big.Int
	Agent        common.Address
	Human        common.Address
	RefundAmount *big.Int
	FeeAmount    *big.Int
	Raw          *types.Log // Blockchain specific contextual infos
}

const EscrowTaskCancelledEventName = "TaskCancelled"

// ContractEventName returns the user-defined event name.
func (EscrowTaskCancelled) ContractEventName() string {
	return EscrowTaskCancelledEventName
}

// UnpackTaskCancelledEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskCancelled(uint256 indexed taskId, address indexed agent, address indexed human, uint256 refundAmount, uint256 feeAmount)
func (escrow *Escrow) UnpackTaskCancelledEvent(log *types.Log) (*EscrowTaskCancelled, error) {
	event := "TaskCancelled"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskCancelled)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskCreated represents a TaskCreated event raised by the Escrow contract.
type EscrowTaskCreated struct {
	TaskId         *big.Int
	Agent          common.Address
	Human          common.Address
	Amount         *big.Int
	FeeBasisPoints uint16
	Raw            *types.Log // Blockchain specific contextual infos
}

const EscrowTaskCreatedEventName = "TaskCreated"

// ContractEventName returns the user-defined event name.
func (EscrowTaskCreated) ContractEventName() string {
	return EscrowTaskCreatedEventName
}

// UnpackTaskCreatedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskCreated(uint256 indexed taskId, address indexed agent, address indexed human, uint256 amount, uint16 feeBasisPoints)
func (escrow *Escrow) UnpackTaskCreatedEvent(log *types.Log) (*EscrowTaskCreated, error) {
	event := "TaskCreated"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskCreated)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskCreatedWithApplication represents a TaskCreatedWithApplication event raised by the Escrow contract.
type EscrowTaskCreatedWithApplication struct {
	TaskId        *big.Int
	ApplicationId *big.Int
	Agent         common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const EscrowTaskCreatedWithApplicationEventName = "TaskCreatedWithApplication"

// ContractEventName returns the user-defined event name.
func (EscrowTaskCreatedWithApplication) ContractEventName() string {
	return EscrowTaskCreatedWithApplicationEventName
}

// UnpackTaskCreatedWithApplicationEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskCreatedWithApplication(uint256 indexed taskId, uint256 indexed applicationId, address indexed agent)
func (escrow *Escrow) UnpackTaskCreatedWithApplicationEvent(log *types.Log) (*EscrowTaskCreatedWithApplication, error) {
	event := "TaskCreatedWithApplication"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskCreatedWithApplication)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskDisputed represents a TaskDisputed event raised by the Escrow contract.
type EscrowTaskDisputed struct {
	TaskId     *big.Int
	Caller     common.Address
	Agent      common.Address
	DisputedAt *big.Int
	Raw        *types.Log // Blockchain specific contextual infos
}

const EscrowTaskDisputedEventName = "TaskDisputed"

// ContractEventName returns the user-defined event name.
func (EscrowTaskDisputed) ContractEventName() string {
	return EscrowTaskDisputedEventName
}

// UnpackTaskDisputedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskDisputed(uint256 indexed taskId, address indexed caller, address indexed agent, uint256 disputedAt)
func (escrow *Escrow) UnpackTaskDisputedEvent(log *types.Log) (*EscrowTaskDisputed, error) {
	event := "TaskDisputed"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskDisputed)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskPosted represents a TaskPosted event raised by the Escrow contract.
type EscrowTaskPosted struct {
	TaskId         *big.Int
	Agent          common.Address
	Amount         *big.Int
	FeeBasisPoints uint16
	Raw            *types.Log // Blockchain specific contextual infos
}

const EscrowTaskPostedEventName = "TaskPosted"

// ContractEventName returns the user-defined event name.
func (EscrowTaskPosted) ContractEventName() string {
	return EscrowTaskPostedEventName
}

// UnpackTaskPostedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskPosted(uint256 indexed taskId, address indexed agent, uint256 amount, uint16 feeBasisPoints)
func (escrow *Escrow) UnpackTaskPostedEvent(log *types.Log) (*EscrowTaskPosted, error) {
	event := "TaskPosted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskPosted)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskRefunded represents a TaskRefunded event raised by the Escrow contract.
type EscrowTaskRefunded struct {
	TaskId *big.Int
	Agent  common.Address
	Human  common.Address
	Amount *big.Int
	Raw    *types.Log // Blockchain specific contextual infos
}

const EscrowTaskRefundedEventName = "TaskRefunded"

// ContractEventName returns the user-defined event name.
func (EscrowTaskRefunded) ContractEventName() string {
	return EscrowTaskRefundedEventName
}

// UnpackTaskRefundedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskRefunded(uint256 indexed taskId, address indexed agent, address indexed human, uint256 amount)
func (escrow *Escrow) UnpackTaskRefundedEvent(log *types.Log) (*EscrowTaskRefunded, error) {
	event := "TaskRefunded"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskRefunded)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskReleased represents a TaskReleased event raised by the Escrow contract.
type EscrowTaskReleased struct {
	TaskId      *big.Int
	Human       common.Address
	Agent       common.Address
	HumanAmount *big.Int
	FeeAmount   *big.Int
	Raw         *types.Log // Blockchain specific contextual infos
}

const EscrowTaskReleasedEventName = "TaskReleased"

// ContractEventName returns the user-defined event name.
func (EscrowTaskReleased) ContractEventName() string {
	return EscrowTaskReleasedEventName
}

// UnpackTaskReleasedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskReleased(uint256 indexed taskId, address indexed human, address indexed agent, uint256 humanAmount, uint256 feeAmount)
func (escrow *Escrow) UnpackTaskReleasedEvent(log *types.Log) (*EscrowTaskReleased, error) {
	event := "TaskReleased"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskReleased)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskSubmitted represents a TaskSubmitted event raised by the Escrow contract.
type EscrowTaskSubmitted struct {
	TaskId      *big.Int
	Caller      common.Address
	Agent       common.Address
	SubmittedAt *big.Int
	Raw         *types.Log // Blockchain specific contextual infos
}

const EscrowTaskSubmittedEventName = "TaskSubmitted"

// ContractEventName returns the user-defined event name.
func (EscrowTaskSubmitted) ContractEventName() string {
	return EscrowTaskSubmittedEventName
}

// UnpackTaskSubmittedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskSubmitted(uint256 indexed taskId, address indexed caller, address indexed agent, uint256 submittedAt)
func (escrow *Escrow) UnpackTaskSubmittedEvent(log *types.Log) (*EscrowTaskSubmitted, error) {
	event := "TaskSubmitted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskSubmitted)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowTaskTerms represents a TaskTerms event raised by the Escrow contract.
type EscrowTaskTerms struct {
	TaskId    *big.Int
	TermsHash [32]byte
	Raw       *types.Log // Blockchain specific contextual infos
}

const EscrowTaskTermsEventName = "TaskTerms"

// ContractEventName returns the user-defined event name.
func (EscrowTaskTerms) ContractEventName() string {
	return EscrowTaskTermsEventName
}

// UnpackTaskTermsEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event TaskTerms(uint256 indexed taskId, bytes32 indexed termsHash)
func (escrow *Escrow) UnpackTaskTermsEvent(log *types.Log) (*EscrowTaskTerms, error) {
	event := "TaskTerms"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowTaskTerms)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowUnpaused represents a Unpaused event raised by the Escrow contract.
type EscrowUnpaused struct {
	Account common.Address
	Raw     *types.Log // Blockchain specific contextual infos
}

const EscrowUnpausedEventName = "Unpaused"

// ContractEventName returns the user-defined event name.
func (EscrowUnpaused) ContractEventName() string {
	return EscrowUnpausedEventName
}

// UnpackUnpausedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Unpaused(address account)
func (escrow *Escrow) UnpackUnpausedEvent(log *types.Log) (*EscrowUnpaused, error) {
	event := "Unpaused"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowUnpaused)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowValidatorAdded represents a ValidatorAdded event raised by the Escrow contract.
type EscrowValidatorAdded struct {
	Validator common.Address
	Panel     *big.Int
	Raw       *types.Log // Blockchain specific contextual infos
}

const EscrowValidatorAddedEventName = "ValidatorAdded"

// ContractEventName returns the user-defined event name.
func (EscrowValidatorAdded) ContractEventName() string {
	return EscrowValidatorAddedEventName
}

// UnpackValidatorAddedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ValidatorAdded(address indexed validator, uint256 panel)
func (escrow *Escrow) UnpackValidatorAddedEvent(log *types.Log) (*EscrowValidatorAdded, error) {
	event := "ValidatorAdded"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowValidatorAdded)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowValidatorRemoved represents a ValidatorRemoved event raised by the Escrow contract.
type EscrowValidatorRemoved struct {
	Validator common.Address
	Panel     *big.Int
	Raw       *types.Log // Blockchain specific contextual infos
}

const EscrowValidatorRemovedEventName = "ValidatorRemoved"

// ContractEventName returns the user-defined event name.
func (EscrowValidatorRemoved) ContractEventName() string {
	return EscrowValidatorRemovedEventName
}

// UnpackValidatorRemovedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event ValidatorRemoved(address indexed validator, uint256 panel)
func (escrow *Escrow) UnpackValidatorRemovedEvent(log *types.Log) (*EscrowValidatorRemoved, error) {
	event := "ValidatorRemoved"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowValidatorRemoved)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// EscrowWorkCommitted represents a WorkCommitted event raised by the Escrow contract.
type EscrowWorkCommitted struct {
	TaskId   *big.Int
	WorkHash [32]byte
	Raw      *types.Log // Blockchain specific contextual infos
}

const EscrowWorkCommittedEventName = "WorkCommitted"

// ContractEventName returns the user-defined event name.
func (EscrowWorkCommitted) ContractEventName() string {
	return EscrowWorkCommittedEventName
}

// UnpackWorkCommittedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event WorkCommitted(uint256 indexed taskId, bytes32 workHash)
func (escrow *Escrow) UnpackWorkCommittedEvent(log *types.Log) (*EscrowWorkCommitted, error) {
	event := "WorkCommitted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != escrow.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(EscrowWorkCommitted)
	if len(log.Data) > 0 {
		if err := escrow.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range escrow.abi.Events[event].Inputs {
		if arg.Indexed {
			indexed = append(indexed, arg)
		}
	}
	if err := abi.ParseTopics(out, indexed, log.Topics[1:]); err != nil {
		return nil, err
	}
	out.Raw = log
	return out, nil
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (escrow *Escrow) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], escrow.abi.Errors["AgentHasApproved"].ID.Bytes()[:4]) {
		return escrow.UnpackAgentHasApprovedError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["AmountBelowMinimum"].ID.Bytes()[:4]) {
		return escrow.UnpackAmountBelowMinimumError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["DisputeWindowClosed"].ID.Bytes()[:4]) {
		return escrow.UnpackDisputeWindowClosedError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["EmptyWorkHash"].ID.Bytes()[:4]) {
		return escrow.UnpackEmptyWorkHashError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["EnforcedPause"].ID.Bytes()[:4]) {
		return escrow.UnpackEnforcedPauseError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ExpectedPause"].ID.Bytes()[:4]) {
		return escrow.UnpackExpectedPauseError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["FeeMismatch"].ID.Bytes()[:4]) {
		return escrow.UnpackFeeMismatchError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["FeeTooHigh"].ID.Bytes()[:4]) {
		return escrow.UnpackFeeTooHighError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["InvalidQuorum"].ID.Bytes()[:4]) {
		return escrow.UnpackInvalidQuorumError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["InvalidShortString"].ID.Bytes()[:4]) {
		return escrow.UnpackInvalidShortStringError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["InvalidSignature"].ID.Bytes()[:4]) {
		return escrow.UnpackInvalidSignatureError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["NotAParty"].ID.Bytes()[:4]) {
		return escrow.UnpackNotAPartyError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["NotAValidatorOfTask"].ID.Bytes()[:4]) {
		return escrow.UnpackNotAValidatorOfTaskError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["NotDue"].ID.Bytes()[:4]) {
		return escrow.UnpackNotDueError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["NotOwnerOrGuardian"].ID.Bytes()[:4]) {
		return escrow.UnpackNotOwnerOrGuardianError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["NotTheAgent"].ID.Bytes()[:4]) {
		return escrow.UnpackNotTheAgentError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["NotTheHuman"].ID.Bytes()[:4]) {
		return escrow.UnpackNotTheHumanError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["NothingToWithdraw"].ID.Bytes()[:4]) {
		return escrow.UnpackNothingToWithdrawError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["OwnableInvalidOwner"].ID.Bytes()[:4]) {
		return escrow.UnpackOwnableInvalidOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["OwnableUnauthorizedAccount"].ID.Bytes()[:4]) {
		return escrow.UnpackOwnableUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["OwnershipNotRenounceable"].ID.Bytes()[:4]) {
		return escrow.UnpackOwnershipNotRenounceableError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["PanelUnchanged"].ID.Bytes()[:4]) {
		return escrow.UnpackPanelUnchangedError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["QuorumNotReached"].ID.Bytes()[:4]) {
		return escrow.UnpackQuorumNotReachedError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ReentrancyGuardReentrantCall"].ID.Bytes()[:4]) {
		return escrow.UnpackReentrancyGuardReentrantCallError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ReviewClosed"].ID.Bytes()[:4]) {
		return escrow.UnpackReviewClosedError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ReviewNotOpen"].ID.Bytes()[:4]) {
		return escrow.UnpackReviewNotOpenError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["SafeCastOverflowedUintDowncast"].ID.Bytes()[:4]) {
		return escrow.UnpackSafeCastOverflowedUintDowncastError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["SafeERC20FailedOperation"].ID.Bytes()[:4]) {
		return escrow.UnpackSafeERC20FailedOperationError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["SignersNotAscending"].ID.Bytes()[:4]) {
		return escrow.UnpackSignersNotAscendingError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["StringTooLong"].ID.Bytes()[:4]) {
		return escrow.UnpackStringTooLongError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["TooManySignatures"].ID.Bytes()[:4]) {
		return escrow.UnpackTooManySignaturesError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["TooManyValidators"].ID.Bytes()[:4]) {
		return escrow.UnpackTooManyValidatorsError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["TransferMismatch"].ID.Bytes()[:4]) {
		return escrow.UnpackTransferMismatchError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ValidatorIsParty"].ID.Bytes()[:4]) {
		return escrow.UnpackValidatorIsPartyError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ValidatorKnown"].ID.Bytes()[:4]) {
		return escrow.UnpackValidatorKnownError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ValidatorUnknown"].ID.Bytes()[:4]) {
		return escrow.UnpackValidatorUnknownError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ValidatorZero"].ID.Bytes()[:4]) {
		return escrow.UnpackValidatorZeroError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["WrongStatus"].ID.Bytes()[:4]) {
		return escrow.UnpackWrongStatusError(raw[4:])
	}
	if bytes.Equal(raw[:4], escrow.abi.Errors["ZeroAddress"].ID.Bytes()[:4]) {
		return escrow.UnpackZeroAddressError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// EscrowAgentHasApproved represents a AgentHasApproved error raised by the Escrow contract.
type EscrowAgentHasApproved struct {
	TaskId *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AgentHasApproved(uint256 taskId)
func EscrowAgentHasApprovedErrorID() common.Hash {
	return common.HexToHash("0x08b4c1cb6f6d665bd3030a3926b95945ac5d7a53db370a98d8e47f3bd50c6660")
}

// UnpackAgentHasApprovedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AgentHasApproved(uint256 taskId)
func (escrow *Escrow) UnpackAgentHasApprovedError(raw []byte) (*EscrowAgentHasApproved, error) {
	out := new(EscrowAgentHasApproved)
	if err := escrow.abi.UnpackIntoInterface(out, "AgentHasApproved", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowAmountBelowMinimum represents a AmountBelowMinimum error raised by the Escrow contract.
type EscrowAmountBelowMinimum struct {
	Amount  *big.Int
	Minimum *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error AmountBelowMinimum(uint256 amount, uint256 minimum)
func EscrowAmountBelowMinimumErrorID() common.Hash {
	return common.HexToHash("0x30196ade5c6c5a3515602b5b7d6ee47a6d4adbce3d9344469f68bd11564ca272")
}

// UnpackAmountBelowMinimumError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error AmountBelowMinimum(uint256 amount, uint256 minimum)
func (escrow *Escrow) UnpackAmountBelowMinimumError(raw []byte) (*EscrowAmountBelowMinimum, error) {
	out := new(EscrowAmountBelowMinimum)
	if err := escrow.abi.UnpackIntoInterface(out, "AmountBelowMinimum", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowDisputeWindowClosed represents a DisputeWindowClosed error raised by the Escrow contract.
type EscrowDisputeWindowClosed struct {
	TaskId   *big.Int
	ClosedAt *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error DisputeWindowClosed(uint256 taskId, uint256 closedAt)
func EscrowDisputeWindowClosedErrorID() common.Hash {
	return common.HexToHash("0xde200e6a3542668bfae01845fa21d5b31991c9124ef4a49ef644637635e5ae20")
}

// UnpackDisputeWindowClosedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error DisputeWindowClosed(uint256 taskId, uint256 closedAt)
func (escrow *Escrow) UnpackDisputeWindowClosedError(raw []byte) (*EscrowDisputeWindowClosed, error) {
	out := new(EscrowDisputeWindowClosed)
	if err := escrow.abi.UnpackIntoInterface(out, "DisputeWindowClosed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowEmptyWorkHash represents a EmptyWorkHash error raised by the Escrow contract.
type EscrowEmptyWorkHash struct {
	TaskId *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error EmptyWorkHash(uint256 taskId)
func EscrowEmptyWorkHashErrorID() common.Hash {
	return common.HexToHash("0xee5db5052d10fc7cf97df3ead57076ae6eefa74cdc69043e08cc15e6fdf3193e")
}

// UnpackEmptyWorkHashError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error EmptyWorkHash(uint256 taskId)
func (escrow *Escrow) UnpackEmptyWorkHashError(raw []byte) (*EscrowEmptyWorkHash, error) {
	out := new(EscrowEmptyWorkHash)
	if err := escrow.abi.UnpackIntoInterface(out, "EmptyWorkHash", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowEnforcedPause represents a EnforcedPause error raised by the Escrow contract.
type EscrowEnforcedPause struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error EnforcedPause()
func EscrowEnforcedPauseErrorID() common.Hash {
	return common.HexToHash("0xd93c0665d6c96d04a8f174024fc4ddd66c250604aff22bbec808de86dd3637e3")
}

// UnpackEnforcedPauseError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error EnforcedPause()
func (escrow *Escrow) UnpackEnforcedPauseError(raw []byte) (*EscrowEnforcedPause, error) {
	out := new(EscrowEnforcedPause)
	if err := escrow.abi.UnpackIntoInterface(out, "EnforcedPause", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowExpectedPause represents a ExpectedPause error raised by the Escrow contract.
type EscrowExpectedPause struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ExpectedPause()
func EscrowExpectedPauseErrorID() common.Hash {
	return common.HexToHash("0x8dfc202bcfe9a735b559bee70674422512bc5c30f687046ae8778315fb81da44")
}

// UnpackExpectedPauseError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ExpectedPause()
func (escrow *Escrow) UnpackExpectedPauseError(raw []byte) (*EscrowExpectedPause, error) {
	out := new(EscrowExpectedPause)
	if err := escrow.abi.UnpackIntoInterface(out, "ExpectedPause", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowFeeMismatch represents a FeeMismatch error raised by the Escrow contract.
type EscrowFeeMismatch struct {
	Given   uint16
	InForce uint16
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error FeeMismatch(uint16 given, uint16 inForce)
func EscrowFeeMismatchErrorID() common.Hash {
	return common.HexToHash("0xfb8d738431af13e0043015bb990d001f70058e0d0d70e12ac4953139f7230f7b")
}

// UnpackFeeMismatchError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error FeeMismatch(uint16 given, uint16 inForce)
func (escrow *Escrow) UnpackFeeMismatchError(raw []byte) (*EscrowFeeMismatch, error) {
	out := new(EscrowFeeMismatch)
	if err := escrow.abi.UnpackIntoInterface(out, "FeeMismatch", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowFeeTooHigh represents a FeeTooHigh error raised by the Escrow contract.
type EscrowFeeTooHigh struct {
	FeeBasisPoints uint16
	Maximum        uint16
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error FeeTooHigh(uint16 feeBasisPoints, uint16 maximum)
func EscrowFeeTooHighErrorID() common.Hash {
	return common.HexToHash("0x3c057d7beb4fe9a19a13a1a22a6f33cb2fec09d9a38cbb3be52bda9374abe790")
}

// UnpackFeeTooHighError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error FeeTooHigh(uint16 feeBasisPoints, uint16 maximum)
func (escrow *Escrow) UnpackFeeTooHighError(raw []byte) (*EscrowFeeTooHigh, error) {
	out := new(EscrowFeeTooHigh)
	if err := escrow.abi.UnpackIntoInterface(out, "FeeTooHigh", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowInvalidQuorum represents a InvalidQuorum error raised by the Escrow contract.
type EscrowInvalidQuorum struct {
	Quorum     *big.Int
	Validators *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error InvalidQuorum(uint256 quorum, uint256 validators)
func EscrowInvalidQuorumErrorID() common.Hash {
	return common.HexToHash("0x2b0b138a64912ef2e139663172a155809b9933260a484efa5dda674b8e1112d2")
}

// UnpackInvalidQuorumError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error InvalidQuorum(uint256 quorum, uint256 validators)
func (escrow *Escrow) UnpackInvalidQuorumError(raw []byte) (*EscrowInvalidQuorum, error) {
	out := new(EscrowInvalidQuorum)
	if err := escrow.abi.UnpackIntoInterface(out, "InvalidQuorum", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowInvalidShortString represents a InvalidShortString error raised by the Escrow contract.
type EscrowInvalidShortString struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error InvalidShortString()
func EscrowInvalidShortStringErrorID() common.Hash {
	return common.HexToHash("0xb3512b0c6163e5f0bafab72bb631b9d58cd7a731b082f910338aa21c83d5c274")
}

// UnpackInvalidShortStringError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error InvalidShortString()
func (escrow *Escrow) UnpackInvalidShortStringError(raw []byte) (*EscrowInvalidShortString, error) {
	out := new(EscrowInvalidShortString)
	if err := escrow.abi.UnpackIntoInterface(out, "InvalidShortString", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowInvalidSignature represents a InvalidSignature error raised by the Escrow contract.
type EscrowInvalidSignature struct {
	Index *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error InvalidSignature(uint256 index)
func EscrowInvalidSignatureErrorID() common.Hash {
	return common.HexToHash("0x52bf9848f4f569cd5e845a26f8524878f8ac004dcaace7433d78683624c84a76")
}

// UnpackInvalidSignatureError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error InvalidSignature(uint256 index)
func (escrow *Escrow) UnpackInvalidSignatureError(raw []byte) (*EscrowInvalidSignature, error) {
	out := new(EscrowInvalidSignature)
	if err := escrow.abi.UnpackIntoInterface(out, "InvalidSignature", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowNotAParty represents a NotAParty error raised by the Escrow contract.
type EscrowNotAParty struct {
	TaskId *big.Int
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotAParty(uint256 taskId, address caller)
func EscrowNotAPartyErrorID() common.Hash {
	return common.HexToHash("0x968c0a42fb3bec2e939ff72609ff32973e417dbef6aad55d585f715b9f82a7c5")
}

// UnpackNotAPartyError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotAParty(uint256 taskId, address caller)
func (escrow *Escrow) UnpackNotAPartyError(raw []byte) (*EscrowNotAParty, error) {
	out := new(EscrowNotAParty)
	if err := escrow.abi.UnpackIntoInterface(out, "NotAParty", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowNotAValidatorOfTask represents a NotAValidatorOfTask error raised by the Escrow contract.
type EscrowNotAValidatorOfTask struct {
	TaskId *big.Int
	Signer common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotAValidatorOfTask(uint256 taskId, address signer)
func EscrowNotAValidatorOfTaskErrorID() common.Hash {
	return common.HexToHash("0x2a972fd6c320d9a0e399ce8fe66e0beb392ff62b2c78daa6ce24a4179a80dafb")
}

// UnpackNotAValidatorOfTaskError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotAValidatorOfTask(uint256 taskId, address signer)
func (escrow *Escrow) UnpackNotAValidatorOfTaskError(raw []byte) (*EscrowNotAValidatorOfTask, error) {
	out := new(EscrowNotAValidatorOfTask)
	if err := escrow.abi.UnpackIntoInterface(out, "NotAValidatorOfTask", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowNotDue represents a NotDue error raised by the Escrow contract.
type EscrowNotDue struct {
	TaskId *big.Int
	DueAt  *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotDue(uint256 taskId, uint256 dueAt)
func EscrowNotDueErrorID() common.Hash {
	return common.HexToHash("0x39c32aeb2f450b5b0c4c71be1bcb96300aa6ef02d622a49b4be942836edad3e1")
}

// UnpackNotDueError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotDue(uint256 taskId, uint256 dueAt)
func (escrow *Escrow) UnpackNotDueError(raw []byte) (*EscrowNotDue, error) {
	out := new(EscrowNotDue)
	if err := escrow.abi.UnpackIntoInterface(out, "NotDue", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowNotOwnerOrGuardian represents a NotOwnerOrGuardian error raised by the Escrow contract.
type EscrowNotOwnerOrGuardian struct {
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotOwnerOrGuardian(address caller)
func EscrowNotOwnerOrGuardianErrorID() common.Hash {
	return common.HexToHash("0x6b1883f38571550452bbe2ddd265b3d49c78fd1c8fb414e6fe7312139a9a751c")
}

// UnpackNotOwnerOrGuardianError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotOwnerOrGuardian(address caller)
func (escrow *Escrow) UnpackNotOwnerOrGuardianError(raw []byte) (*EscrowNotOwnerOrGuardian, error) {
	out := new(EscrowNotOwnerOrGuardian)
	if err := escrow.abi.UnpackIntoInterface(out, "NotOwnerOrGuardian", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowNotTheAgent represents a NotTheAgent error raised by the Escrow contract.
type EscrowNotTheAgent struct {
	TaskId *big.Int
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotTheAgent(uint256 taskId, address caller)
func EscrowNotTheAgentErrorID() common.Hash {
	return common.HexToHash("0x947a76ab31d8db4486ebefd79d40239359c7633a39258229736d6acdd092708e")
}

// UnpackNotTheAgentError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotTheAgent(uint256 taskId, address caller)
func (escrow *Escrow) UnpackNotTheAgentError(raw []byte) (*EscrowNotTheAgent, error) {
	out := new(EscrowNotTheAgent)
	if err := escrow.abi.UnpackIntoInterface(out, "NotTheAgent", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowNotTheHuman represents a NotTheHuman error raised by the Escrow contract.
type EscrowNotTheHuman struct {
	TaskId *big.Int
	Caller common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NotTheHuman(uint256 taskId, address caller)
func EscrowNotTheHumanErrorID() common.Hash {
	return common.HexToHash("0xbdb333b6ee5b59c6f387aa16d5a985dbe62dfb18c4cc718c5472dbba7c1b9ff4")
}

// UnpackNotTheHumanError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NotTheHuman(uint256 taskId, address caller)
func (escrow *Escrow) UnpackNotTheHumanError(raw []byte) (*EscrowNotTheHuman, error) {
	out := new(EscrowNotTheHuman)
	if err := escrow.abi.UnpackIntoInterface(out, "NotTheHuman", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowNothingToWithdraw represents a NothingToWithdraw error raised by the Escrow contract.
type EscrowNothingToWithdraw struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error NothingToWithdraw(address account)
func EscrowNothingToWithdrawErrorID() common.Hash {
	return common.HexToHash("0xdc69dc16e4a8405b44139edda9a06ee66b303337358b6f4633533d65de15b7f4")
}

// UnpackNothingToWithdrawError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error NothingToWithdraw(address account)
func (escrow *Escrow) UnpackNothingToWithdrawError(raw []byte) (*EscrowNothingToWithdraw, error) {
	out := new(EscrowNothingToWithdraw)
	if err := escrow.abi.UnpackIntoInterface(out, "NothingToWithdraw", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowOwnableInvalidOwner represents a OwnableInvalidOwner error raised by the Escrow contract.
type EscrowOwnableInvalidOwner struct {
	Owner common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableInvalidOwner(address owner)
func EscrowOwnableInvalidOwnerErrorID() common.Hash {
	return common.HexToHash("0x1e4fbdf7f3ef8bcaa855599e3abf48b232380f183f08f6f813d9ffa5bd585188")
}

// UnpackOwnableInvalidOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableInvalidOwner(address owner)
func (escrow *Escrow) UnpackOwnableInvalidOwnerError(raw []byte) (*EscrowOwnableInvalidOwner, error) {
	out := new(EscrowOwnableInvalidOwner)
	if err := escrow.abi.UnpackIntoInterface(out, "OwnableInvalidOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowOwnableUnauthorizedAccount represents a OwnableUnauthorizedAccount error raised by the Escrow contract.
type EscrowOwnableUnauthorizedAccount struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func EscrowOwnableUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0x118cdaa7a341953d1887a2245fd6665d741c67c8c50581daa59e1d03373fa188")
}

// UnpackOwnableUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func (escrow *Escrow) UnpackOwnableUnauthorizedAccountError(raw []byte) (*EscrowOwnableUnauthorizedAccount, error) {
	out := new(EscrowOwnableUnauthorizedAccount)
	if err := escrow.abi.UnpackIntoInterface(out, "OwnableUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowOwnershipNotRenounceable represents a OwnershipNotRenounceable error raised by the Escrow contract.
type EscrowOwnershipNotRenounceable struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnershipNotRenounceable()
func EscrowOwnershipNotRenounceableErrorID() common.Hash {
	return common.HexToHash("0x162a784670d9715f822bd46442ca5f62bb80332ad50a779aa5795da5cb6a7a45")
}

// UnpackOwnershipNotRenounceableError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnershipNotRenounceable()
func (escrow *Escrow) UnpackOwnershipNotRenounceableError(raw []byte) (*EscrowOwnershipNotRenounceable, error) {
	out := new(EscrowOwnershipNotRenounceable)
	if err := escrow.abi.UnpackIntoInterface(out, "OwnershipNotRenounceable", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowPanelUnchanged represents a PanelUnchanged error raised by the Escrow contract.
type EscrowPanelUnchanged struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error PanelUnchanged()
func EscrowPanelUnchangedErrorID() common.Hash {
	return common.HexToHash("0x3de101558f51eff6d8f313936ac697ac3200769600d982d59abbdfd3e94ebd3d")
}

// UnpackPanelUnchangedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error PanelUnchanged()
func (escrow *Escrow) UnpackPanelUnchangedError(raw []byte) (*EscrowPanelUnchanged, error) {
	out := new(EscrowPanelUnchanged)
	if err := escrow.abi.UnpackIntoInterface(out, "PanelUnchanged", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowQuorumNotReached represents a QuorumNotReached error raised by the Escrow contract.
type EscrowQuorumNotReached struct {
	Signatures *big.Int
	Quorum     *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error QuorumNotReached(uint256 signatures, uint256 quorum)
func EscrowQuorumNotReachedErrorID() common.Hash {
	return common.HexToHash("0x6a2159843653f10db54c042cb44fca2acd5ab362e9d6b07cb6ba038cc88440ed")
}

// UnpackQuorumNotReachedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error QuorumNotReached(uint256 signatures, uint256 quorum)
func (escrow *Escrow) UnpackQuorumNotReachedError(raw []byte) (*EscrowQuorumNotReached, error) {
	out := new(EscrowQuorumNotReached)
	if err := escrow.abi.UnpackIntoInterface(out, "QuorumNotReached", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowReentrancyGuardReentrantCall represents a ReentrancyGuardReentrantCall error raised by the Escrow contract.
type EscrowReentrancyGuardReentrantCall struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ReentrancyGuardReentrantCall()
func EscrowReentrancyGuardReentrantCallErrorID() common.Hash {
	return common.HexToHash("0x3ee5aeb571de7fc460830b4d0017439a1ca56fb0bc39062227ade4fe4a24c1ca")
}

// UnpackReentrancyGuardReentrantCallError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ReentrancyGuardReentrantCall()
func (escrow *Escrow) UnpackReentrancyGuardReentrantCallError(raw []byte) (*EscrowReentrancyGuardReentrantCall, error) {
	out := new(EscrowReentrancyGuardReentrantCall)
	if err := escrow.abi.UnpackIntoInterface(out, "ReentrancyGuardReentrantCall", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowReviewClosed represents a ReviewClosed error raised by the Escrow contract.
type EscrowReviewClosed struct {
	TaskId   *big.Int
	ClosedAt *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ReviewClosed(uint256 taskId, uint256 closedAt)
func EscrowReviewClosedErrorID() common.Hash {
	return common.HexToHash("0xe5709cb58e73a3bcf3e1113b0f689a4d214ce37708fffae341960499d8870463")
}

// UnpackReviewClosedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ReviewClosed(uint256 taskId, uint256 closedAt)
func (escrow *Escrow) UnpackReviewClosedError(raw []byte) (*EscrowReviewClosed, error) {
	out := new(EscrowReviewClosed)
	if err := escrow.abi.UnpackIntoInterface(out, "ReviewClosed", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowReviewNotOpen represents a ReviewNotOpen error raised by the Escrow contract.
type EscrowReviewNotOpen struct {
	TaskId  *big.Int
	OpensAt *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ReviewNotOpen(uint256 taskId, uint256 opensAt)
func EscrowReviewNotOpenErrorID() common.Hash {
	return common.HexToHash("0xdac02291ef036e2431115c252eb078429faca5c2d739b8d9bff89dc21846624f")
}

// UnpackReviewNotOpenError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ReviewNotOpen(uint256 taskId, uint256 opensAt)
func (escrow *Escrow) UnpackReviewNotOpenError(raw []byte) (*EscrowReviewNotOpen, error) {
	out := new(EscrowReviewNotOpen)
	if err := escrow.abi.UnpackIntoInterface(out, "ReviewNotOpen", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowSafeCastOverflowedUintDowncast represents a SafeCastOverflowedUintDowncast error raised by the Escrow contract.
type EscrowSafeCastOverflowedUintDowncast struct {
	Bits  uint8
	Value *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
func EscrowSafeCastOverflowedUintDowncastErrorID() common.Hash {
	return common.HexToHash("0x6dfcc6503a32754ce7a89698e18201fc5294fd4aad43edefee786f88423b1a12")
}

// UnpackSafeCastOverflowedUintDowncastError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)
func (escrow *Escrow) UnpackSafeCastOverflowedUintDowncastError(raw []byte) (*EscrowSafeCastOverflowedUintDowncast, error) {
	out := new(EscrowSafeCastOverflowedUintDowncast)
	if err := escrow.abi.UnpackIntoInterface(out, "SafeCastOverflowedUintDowncast", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowSafeERC20FailedOperation represents a SafeERC20FailedOperation error raised by the Escrow contract.
type EscrowSafeERC20FailedOperation struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeERC20FailedOperation(address token)
func EscrowSafeERC20FailedOperationErrorID() common.Hash {
	return common.HexToHash("0x5274afe73c98b4749fc91ffae6b7b574e7842cb2144a159e9377a5f20b32edf9")
}

// UnpackSafeERC20FailedOperationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeERC20FailedOperation(address token)
func (escrow *Escrow) UnpackSafeERC20FailedOperationError(raw []byte) (*EscrowSafeERC20FailedOperation, error) {
	out := new(EscrowSafeERC20FailedOperation)
	if err := escrow.abi.UnpackIntoInterface(out, "SafeERC20FailedOperation", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowSignersNotAscending represents a SignersNotAscending error raised by the Escrow contract.
type EscrowSignersNotAscending struct {
	Index *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SignersNotAscending(uint256 index)
func EscrowSignersNotAscendingErrorID() common.Hash {
	return common.HexToHash("0x590a84f76cadfc6716aaea24107af9134f0cd4c66edbe9af3ffe914656b566fa")
}

// UnpackSignersNotAscendingError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SignersNotAscending(uint256 index)
func (escrow *Escrow) UnpackSignersNotAscendingError(raw []byte) (*EscrowSignersNotAscending, error) {
	out := new(EscrowSignersNotAscending)
	if err := escrow.abi.UnpackIntoInterface(out, "SignersNotAscending", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowStringTooLong represents a StringTooLong error raised by the Escrow contract.
type EscrowStringTooLong struct {
	Str string
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error StringTooLong(string str)
func EscrowStringTooLongErrorID() common.Hash {
	return common.HexToHash("0x305a27a93f8e33b7392df0a0f91d6fc63847395853c45991eec52dbf24d72381")
}

// UnpackStringTooLongError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error StringTooLong(string str)
func (escrow *Escrow) UnpackStringTooLongError(raw []byte) (*EscrowStringTooLong, error) {
	out := new(EscrowStringTooLong)
	if err := escrow.abi.UnpackIntoInterface(out, "StringTooLong", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowTooManySignatures represents a TooManySignatures error raised by the Escrow contract.
type EscrowTooManySignatures struct {
	Signatures *big.Int
	Maximum    *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TooManySignatures(uint256 signatures, uint256 maximum)
func EscrowTooManySignaturesErrorID() common.Hash {
	return common.HexToHash("0x3f8ea0257f66027f0f5369a984fe6810ff2d585c8413731f43f460e8eacb8aeb")
}

// UnpackTooManySignaturesError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TooManySignatures(uint256 signatures, uint256 maximum)
func (escrow *Escrow) UnpackTooManySignaturesError(raw []byte) (*EscrowTooManySignatures, error) {
	out := new(EscrowTooManySignatures)
	if err := escrow.abi.UnpackIntoInterface(out, "TooManySignatures", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowTooManyValidators represents a TooManyValidators error raised by the Escrow contract.
type EscrowTooManyValidators struct {
	Validators *big.Int
	Maximum    *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TooManyValidators(uint256 validators, uint256 maximum)
func EscrowTooManyValidatorsErrorID() common.Hash {
	return common.HexToHash("0x2152704b5a5f00b2dde01eded07e6de70317b3126c3ede7821a8612d1c9eb101")
}

// UnpackTooManyValidatorsError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TooManyValidators(uint256 validators, uint256 maximum)
func (escrow *Escrow) UnpackTooManyValidatorsError(raw []byte) (*EscrowTooManyValidators, error) {
	out := new(EscrowTooManyValidators)
	if err := escrow.abi.UnpackIntoInterface(out, "TooManyValidators", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowTransferMismatch represents a TransferMismatch error raised by the Escrow contract.
type EscrowTransferMismatch struct {
	Expected *big.Int
	Received *big.Int
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error TransferMismatch(uint256 expected, uint256 received)
func EscrowTransferMismatchErrorID() common.Hash {
	return common.HexToHash("0xad48e590aad0969daf0cd911caf9ac3cf200d6517523477d07e4b2e6fa73f0e2")
}

// UnpackTransferMismatchError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error TransferMismatch(uint256 expected, uint256 received)
func (escrow *Escrow) UnpackTransferMismatchError(raw []byte) (*EscrowTransferMismatch, error) {
	out := new(EscrowTransferMismatch)
	if err := escrow.abi.UnpackIntoInterface(out, "TransferMismatch", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowValidatorIsParty represents a ValidatorIsParty error raised by the Escrow contract.
type EscrowValidatorIsParty struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ValidatorIsParty(address account)
func EscrowValidatorIsPartyErrorID() common.Hash {
	return common.HexToHash("0x098f81ccb927e0ed3576497cb49a5cd0126916502c1175cbb81714b2ae87ec72")
}

// UnpackValidatorIsPartyError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ValidatorIsParty(address account)
func (escrow *Escrow) UnpackValidatorIsPartyError(raw []byte) (*EscrowValidatorIsParty, error) {
	out := new(EscrowValidatorIsParty)
	if err := escrow.abi.UnpackIntoInterface(out, "ValidatorIsParty", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowValidatorKnown represents a ValidatorKnown error raised by the Escrow contract.
type EscrowValidatorKnown struct {
	Validator common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ValidatorKnown(address validator)
func EscrowValidatorKnownErrorID() common.Hash {
	return common.HexToHash("0xde179c49d0a2252d69bd75ece5c538c4ed77598fb817bcbb5e8af42305198446")
}

// UnpackValidatorKnownError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ValidatorKnown(address validator)
func (escrow *Escrow) UnpackValidatorKnownError(raw []byte) (*EscrowValidatorKnown, error) {
	out := new(EscrowValidatorKnown)
	if err := escrow.abi.UnpackIntoInterface(out, "ValidatorKnown", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowValidatorUnknown represents a ValidatorUnknown error raised by the Escrow contract.
type EscrowValidatorUnknown struct {
	Validator common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ValidatorUnknown(address validator)
func EscrowValidatorUnknownErrorID() common.Hash {
	return common.HexToHash("0x3e0bf1c001e0522b14fac350271b1f81967e13f5a54feaf0b6df4f0b1903f719")
}

// UnpackValidatorUnknownError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ValidatorUnknown(address validator)
func (escrow *Escrow) UnpackValidatorUnknownError(raw []byte) (*EscrowValidatorUnknown, error) {
	out := new(EscrowValidatorUnknown)
	if err := escrow.abi.UnpackIntoInterface(out, "ValidatorUnknown", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowValidatorZero represents a ValidatorZero error raised by the Escrow contract.
type EscrowValidatorZero struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ValidatorZero()
func EscrowValidatorZeroErrorID() common.Hash {
	return common.HexToHash("0x66b54d0b108de24bfd65d7fb42bfefe1835a64f10b0d0e4b892d58d44aad54bc")
}

// UnpackValidatorZeroError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ValidatorZero()
func (escrow *Escrow) UnpackValidatorZeroError(raw []byte) (*EscrowValidatorZero, error) {
	out := new(EscrowValidatorZero)
	if err := escrow.abi.UnpackIntoInterface(out, "ValidatorZero", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowWrongStatus represents a WrongStatus error raised by the Escrow contract.
type EscrowWrongStatus struct {
	TaskId *big.Int
	Status uint8
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error WrongStatus(uint256 taskId, uint8 status)
func EscrowWrongStatusErrorID() common.Hash {
	return common.HexToHash("0xa5d15e1f94e40302e3f7050760870a95f04eb9d943cd2cb333833178258083d6")
}

// UnpackWrongStatusError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error WrongStatus(uint256 taskId, uint8 status)
func (escrow *Escrow) UnpackWrongStatusError(raw []byte) (*EscrowWrongStatus, error) {
	out := new(EscrowWrongStatus)
	if err := escrow.abi.UnpackIntoInterface(out, "WrongStatus", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// EscrowZeroAddress represents a ZeroAddress error raised by the Escrow contract.
type EscrowZeroAddress struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error ZeroAddress()
func EscrowZeroAddressErrorID() common.Hash {
	return common.HexToHash("0xd92e233df2717d4a40030e20904abd27b68fcbeede117eaaccbbdac9618c8c73")
}

// UnpackZeroAddressError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error ZeroAddress()
func (escrow *Escrow) UnpackZeroAddressError(raw []byte) (*EscrowZeroAddress, error) {
	out := new(EscrowZeroAddress)
	if err := escrow.abi.UnpackIntoInterface(out, "ZeroAddress", raw); err != nil {
		return nil, err
	}
	return out, nil
}
