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

// TreasuryMetaData contains all meta data concerning the Treasury contract.
var TreasuryMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner_\",\"type\":\"address\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"owner\",\"type\":\"address\"}],\"name\":\"OwnableInvalidOwner\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"account\",\"type\":\"address\"}],\"name\":\"OwnableUnauthorizedAccount\",\"type\":\"error\"},{\"inputs\":[],\"name\":\"OwnershipNotRenounceable\",\"type\":\"error\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"token\",\"type\":\"address\"}],\"name\":\"SafeERC20FailedOperation\",\"type\":\"error\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferStarted\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"address\",\"name\":\"previousOwner\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"OwnershipTransferred\",\"type\":\"event\"},{\"anonymous\":false,\"inputs\":[{\"indexed\":true,\"internalType\":\"contractIERC20\",\"name\":\"token\",\"type\":\"address\"},{\"indexed\":true,\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"indexed\":false,\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"Withdrawn\",\"type\":\"event\"},{\"inputs\":[],\"name\":\"acceptOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"owner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"pendingOwner\",\"outputs\":[{\"internalType\":\"address\",\"name\":\"\",\"type\":\"address\"}],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[],\"name\":\"renounceOwnership\",\"outputs\":[],\"stateMutability\":\"view\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"newOwner\",\"type\":\"address\"}],\"name\":\"transferOwnership\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"},{\"inputs\":[{\"internalType\":\"contractIERC20\",\"name\":\"token\",\"type\":\"address\"},{\"internalType\":\"address\",\"name\":\"to\",\"type\":\"address\"},{\"internalType\":\"uint256\",\"name\":\"amount\",\"type\":\"uint256\"}],\"name\":\"withdraw\",\"outputs\":[],\"stateMutability\":\"nonpayable\",\"type\":\"function\"}]",
	ID:  "Treasury",
	Bin: "0x60803460c157601f6104ad38819003918201601f19168301916001600160401b0383118484101760c55780849260209460405283398101031260c157516001600160a01b0381169081900360c157801560ae57600180546001600160a01b03199081169091555f80549182168317815560405192916001600160a01b0316907f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e09080a36103d390816100da8239f35b631e4fbdf760e01b5f525f60045260245ffd5b5f80fd5b634e487b7160e01b5f52604160045260245ffdfe60806040526004361015610011575f80fd5b5f3560e01c8063715018a61461037357806379ba50971461028b5780638da5cb5b14610259578063d9caed1214610134578063e30c3978146101015763f2fde38b1461005b575f80fd5b346100fd5760206003193601126100fd5760043573ffffffffffffffffffffffffffffffffffffffff81168091036100fd576100956103b3565b807fffffffffffffffffffffffff0000000000000000000000000000000000000000600154161760015573ffffffffffffffffffffffffffffffffffffffff5f54167f38d16b8cac22d99fc7c124b9cd0de2d3fa1faef420bfe791d8c362d765e227005f80a3005b5f80fd5b346100fd575f6003193601126100fd57602073ffffffffffffffffffffffffffffffffffffffff60015416604051908152f35b346100fd5760606003193601126100fd5760043573ffffffffffffffffffffffffffffffffffffffff8116908181036100fd576024359073ffffffffffffffffffffffffffffffffffffffff82168092036100fd576044356101946103b3565b82847fd1c19fbcd4551a5edfb66d43d2e337c04837afda3482b42bdf569a8fccdae5fb6020604051858152a3604051927fa9059cbb000000000000000000000000000000000000000000000000000000005f5260045260245260205f60448180855af19160015f5114831615610239575b50501561020e57005b7f5274afe7000000000000000000000000000000000000000000000000000000005f5260045260245ffd5b600183151661025157503b15153d1516168280610205565b3d5f823e3d90fd5b346100fd575f6003193601126100fd57602073ffffffffffffffffffffffffffffffffffffffff5f5416604051908152f35b346100fd575f6003193601126100fd576001543373ffffffffffffffffffffffffffffffffffffffff821603610347577fffffffffffffffffffffffff0000000000000000000000000000000000000000166001555f54337fffffffffffffffffffffffff00000000000000000000000000000000000000008216175f5573ffffffffffffffffffffffffffffffffffffffff3391167f8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e05f80a3005b7f118cdaa7000000000000000000000000000000000000000000000000000000005f523360045260245ffd5b346100fd575f6003193601126100fd5761038b6103b3565b7f162a7846000000000000000000000000000000000000000000000000000000005f5260045ffd5b73ffffffffffffffffffffffffffffffffffffffff5f541633036103475756",
}

// Treasury is an auto generated Go binding around an Ethereum contract.
type Treasury struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *Treasury) GetABI() abi.ABI {
	return c.abi
}

// NewTreasury creates a new instance of Treasury.
func NewTreasury() *Treasury {
	parsed, err := TreasuryMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &Treasury{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *Treasury) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address owner_) returns()
func (treasury *Treasury) PackConstructor(owner_ common.Address) []byte {
	enc, err := treasury.abi.Pack("", owner_)
	if err != nil {
		panic(err)
	}
	return enc
}

// PackAcceptOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x79ba5097.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function acceptOwnership() returns()
func (treasury *Treasury) PackAcceptOwnership() []byte {
	enc, err := treasury.abi.Pack("acceptOwnership")
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
func (treasury *Treasury) TryPackAcceptOwnership() ([]byte, error) {
	return treasury.abi.Pack("acceptOwnership")
}

// PackOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x8da5cb5b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function owner() view returns(address)
func (treasury *Treasury) PackOwner() []byte {
	enc, err := treasury.abi.Pack("owner")
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
func (treasury *Treasury) TryPackOwner() ([]byte, error) {
	return treasury.abi.Pack("owner")
}

// UnpackOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0x8da5cb5b.
//
// Solidity: function owner() view returns(address)
func (treasury *Treasury) UnpackOwner(data []byte) (common.Address, error) {
	out, err := treasury.abi.Unpack("owner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackPendingOwner is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xe30c3978.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function pendingOwner() view returns(address)
func (treasury *Treasury) PackPendingOwner() []byte {
	enc, err := treasury.abi.Pack("pendingOwner")
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
func (treasury *Treasury) TryPackPendingOwner() ([]byte, error) {
	return treasury.abi.Pack("pendingOwner")
}

// UnpackPendingOwner is the Go binding that unpacks the parameters returned
// from invoking the contract method with ID 0xe30c3978.
//
// Solidity: function pendingOwner() view returns(address)
func (treasury *Treasury) UnpackPendingOwner(data []byte) (common.Address, error) {
	out, err := treasury.abi.Unpack("pendingOwner", data)
	if err != nil {
		return *new(common.Address), err
	}
	out0 := *abi.ConvertType(out[0], new(common.Address)).(*common.Address)
	return out0, nil
}

// PackRenounceOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0x715018a6.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function renounceOwnership() view returns()
func (treasury *Treasury) PackRenounceOwnership() []byte {
	enc, err := treasury.abi.Pack("renounceOwnership")
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
func (treasury *Treasury) TryPackRenounceOwnership() ([]byte, error) {
	return treasury.abi.Pack("renounceOwnership")
}

// PackTransferOwnership is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xf2fde38b.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function transferOwnership(address newOwner) returns()
func (treasury *Treasury) PackTransferOwnership(newOwner common.Address) []byte {
	enc, err := treasury.abi.Pack("transferOwnership", newOwner)
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
func (treasury *Treasury) TryPackTransferOwnership(newOwner common.Address) ([]byte, error) {
	return treasury.abi.Pack("transferOwnership", newOwner)
}

// PackWithdraw is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd9caed12.  This method will panic if any
// invalid/nil inputs are passed.
//
// Solidity: function withdraw(address token, address to, uint256 amount) returns()
func (treasury *Treasury) PackWithdraw(token common.Address, to common.Address, amount *big.Int) []byte {
	enc, err := treasury.abi.Pack("withdraw", token, to, amount)
	if err != nil {
		panic(err)
	}
	return enc
}

// TryPackWithdraw is the Go binding used to pack the parameters required for calling
// the contract method with ID 0xd9caed12.  This method will return an error
// if any inputs are invalid/nil.
//
// Solidity: function withdraw(address token, address to, uint256 amount) returns()
func (treasury *Treasury) TryPackWithdraw(token common.Address, to common.Address, amount *big.Int) ([]byte, error) {
	return treasury.abi.Pack("withdraw", token, to, amount)
}

// TreasuryOwnershipTransferStarted represents a OwnershipTransferStarted event raised by the Treasury contract.
type TreasuryOwnershipTransferStarted struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const TreasuryOwnershipTransferStartedEventName = "OwnershipTransferStarted"

// ContractEventName returns the user-defined event name.
func (TreasuryOwnershipTransferStarted) ContractEventName() string {
	return TreasuryOwnershipTransferStartedEventName
}

// UnpackOwnershipTransferStartedEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)
func (treasury *Treasury) UnpackOwnershipTransferStartedEvent(log *types.Log) (*TreasuryOwnershipTransferStarted, error) {
	event := "OwnershipTransferStarted"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != treasury.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TreasuryOwnershipTransferStarted)
	if len(log.Data) > 0 {
		if err := treasury.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range treasury.abi.Events[event].Inputs {
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

// TreasuryOwnershipTransferred represents a OwnershipTransferred event raised by the Treasury contract.
type TreasuryOwnershipTransferred struct {
	PreviousOwner common.Address
	NewOwner      common.Address
	Raw           *types.Log // Blockchain specific contextual infos
}

const TreasuryOwnershipTransferredEventName = "OwnershipTransferred"

// ContractEventName returns the user-defined event name.
func (TreasuryOwnershipTransferred) ContractEventName() string {
	return TreasuryOwnershipTransferredEventName
}

// UnpackOwnershipTransferredEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)
func (treasury *Treasury) UnpackOwnershipTransferredEvent(log *types.Log) (*TreasuryOwnershipTransferred, error) {
	event := "OwnershipTransferred"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != treasury.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TreasuryOwnershipTransferred)
	if len(log.Data) > 0 {
		if err := treasury.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range treasury.abi.Events[event].Inputs {
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

// TreasuryWithdrawn represents a Withdrawn event raised by the Treasury contract.
type TreasuryWithdrawn struct {
	Token  common.Address
	To     common.Address
	Amount *big.Int
	Raw    *types.Log // Blockchain specific contextual infos
}

const TreasuryWithdrawnEventName = "Withdrawn"

// ContractEventName returns the user-defined event name.
func (TreasuryWithdrawn) ContractEventName() string {
	return TreasuryWithdrawnEventName
}

// UnpackWithdrawnEvent is the Go binding that unpacks the event data emitted
// by contract.
//
// Solidity: event Withdrawn(address indexed token, address indexed to, uint256 amount)
func (treasury *Treasury) UnpackWithdrawnEvent(log *types.Log) (*TreasuryWithdrawn, error) {
	event := "Withdrawn"
	if len(log.Topics) == 0 {
		return nil, bind.ErrNoEventSignature
	}
	if log.Topics[0] != treasury.abi.Events[event].ID {
		return nil, bind.ErrEventSignatureMismatch
	}
	out := new(TreasuryWithdrawn)
	if len(log.Data) > 0 {
		if err := treasury.abi.UnpackIntoInterface(out, event, log.Data); err != nil {
			return nil, err
		}
	}
	var indexed abi.Arguments
	for _, arg := range treasury.abi.Events[event].Inputs {
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
func (treasury *Treasury) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], treasury.abi.Errors["OwnableInvalidOwner"].ID.Bytes()[:4]) {
		return treasury.UnpackOwnableInvalidOwnerError(raw[4:])
	}
	if bytes.Equal(raw[:4], treasury.abi.Errors["OwnableUnauthorizedAccount"].ID.Bytes()[:4]) {
		return treasury.UnpackOwnableUnauthorizedAccountError(raw[4:])
	}
	if bytes.Equal(raw[:4], treasury.abi.Errors["OwnershipNotRenounceable"].ID.Bytes()[:4]) {
		return treasury.UnpackOwnershipNotRenounceableError(raw[4:])
	}
	if bytes.Equal(raw[:4], treasury.abi.Errors["SafeERC20FailedOperation"].ID.Bytes()[:4]) {
		return treasury.UnpackSafeERC20FailedOperationError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// TreasuryOwnableInvalidOwner represents a OwnableInvalidOwner error raised by the Treasury contract.
type TreasuryOwnableInvalidOwner struct {
	Owner common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableInvalidOwner(address owner)
func TreasuryOwnableInvalidOwnerErrorID() common.Hash {
	return common.HexToHash("0x1e4fbdf7f3ef8bcaa855599e3abf48b232380f183f08f6f813d9ffa5bd585188")
}

// UnpackOwnableInvalidOwnerError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableInvalidOwner(address owner)
func (treasury *Treasury) UnpackOwnableInvalidOwnerError(raw []byte) (*TreasuryOwnableInvalidOwner, error) {
	out := new(TreasuryOwnableInvalidOwner)
	if err := treasury.abi.UnpackIntoInterface(out, "OwnableInvalidOwner", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TreasuryOwnableUnauthorizedAccount represents a OwnableUnauthorizedAccount error raised by the Treasury contract.
type TreasuryOwnableUnauthorizedAccount struct {
	Account common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func TreasuryOwnableUnauthorizedAccountErrorID() common.Hash {
	return common.HexToHash("0x118cdaa7a341953d1887a2245fd6665d741c67c8c50581daa59e1d03373fa188")
}

// UnpackOwnableUnauthorizedAccountError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnableUnauthorizedAccount(address account)
func (treasury *Treasury) UnpackOwnableUnauthorizedAccountError(raw []byte) (*TreasuryOwnableUnauthorizedAccount, error) {
	out := new(TreasuryOwnableUnauthorizedAccount)
	if err := treasury.abi.UnpackIntoInterface(out, "OwnableUnauthorizedAccount", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TreasuryOwnershipNotRenounceable represents a OwnershipNotRenounceable error raised by the Treasury contract.
type TreasuryOwnershipNotRenounceable struct {
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error OwnershipNotRenounceable()
func TreasuryOwnershipNotRenounceableErrorID() common.Hash {
	return common.HexToHash("0x162a784670d9715f822bd46442ca5f62bb80332ad50a779aa5795da5cb6a7a45")
}

// UnpackOwnershipNotRenounceableError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error OwnershipNotRenounceable()
func (treasury *Treasury) UnpackOwnershipNotRenounceableError(raw []byte) (*TreasuryOwnershipNotRenounceable, error) {
	out := new(TreasuryOwnershipNotRenounceable)
	if err := treasury.abi.UnpackIntoInterface(out, "OwnershipNotRenounceable", raw); err != nil {
		return nil, err
	}
	return out, nil
}

// TreasurySafeERC20FailedOperation represents a SafeERC20FailedOperation error raised by the Treasury contract.
type TreasurySafeERC20FailedOperation struct {
	Token common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error SafeERC20FailedOperation(address token)
func TreasurySafeERC20FailedOperationErrorID() common.Hash {
	return common.HexToHash("0x5274afe73c98b4749fc91ffae6b7b574e7842cb2144a159e9377a5f20b32edf9")
}

// UnpackSafeERC20FailedOperationError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error SafeERC20FailedOperation(address token)
func (treasury *Treasury) UnpackSafeERC20FailedOperationError(raw []byte) (*TreasurySafeERC20FailedOperation, error) {
	out := new(TreasurySafeERC20FailedOperation)
	if err := treasury.abi.UnpackIntoInterface(out, "SafeERC20FailedOperation", raw); err != nil {
		return nil, err
	}
	return out, nil
}
