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

// SignatureCheckMetaData contains all meta data concerning the SignatureCheck contract.
var SignatureCheckMetaData = bind.MetaData{
	ABI: "[{\"inputs\":[{\"internalType\":\"address\",\"name\":\"signer\",\"type\":\"address\"},{\"internalType\":\"bytes32\",\"name\":\"hash\",\"type\":\"bytes32\"},{\"internalType\":\"bytes\",\"name\":\"signature\",\"type\":\"bytes\"}],\"stateMutability\":\"nonpayable\",\"type\":\"constructor\"},{\"inputs\":[{\"internalType\":\"address\",\"name\":\"factory\",\"type\":\"address\"}],\"name\":\"DeploymentFailed\",\"type\":\"error\"}]",
	ID:  "SignatureCheck",
	Bin: "0x6080604052346100735761037a8038038061001981610077565b928339810190606081830312610073578051906001600160a01b03821682036100735760208101516040820151939091906001600160401b0385116100735761006c9461006692016100cb565b9161010c565b5f5260205ff35b5f80fd5b6040519190601f01601f191682016001600160401b0381118382101761009c57604052565b634e487b7160e01b5f52604160045260245ffd5b6001600160401b03811161009c57601f01601f191660200190565b81601f82011215610073578051906100ea6100e5836100b0565b610077565b928284526020838301011161007357815f9260208093018386015e8301015290565b916101178183610285565b50506001600160a01b03168015159081610272575b5061026a5761013a816102bf565b610194575b915f91606484602095519060405193630b135d3f60e11b855260048501526040602485015286820190604485015e8281018201859052601f01601f191601915afa630b135d3f60e11b5f5114601f3d11161690565b8051601f19810182528101906060601f1982840301126100735760208101516001600160a01b03811691908290036100735760408101516001600160401b038111610073578360206101e8928401016100cb565b6060820151909390916001600160401b0383116100735761020c92016020016100cb565b91843b1561021d575b5061013f9050565b5f816020829351910182855af13d15610265573d61023d6100e5826100b0565b9081525f60203d92013e5b156102535780610215565b639deffc1b60e01b5f5260045260245ffd5b610248565b505050600190565b6001600160a01b0385161490505f61012c565b81519190604183036102b5576102ae9250602082015190606060408401519301515f1a906102f6565b9192909190565b50505f9160029190565b8051602081106102f05701517f64926492649264926492649264926492649264926492649264926492649264921490565b50505f90565b91906fa2a8918ca85bafe22016d0b997e4df60600160ff1b03841161036e579160209360809260ff5f9560405194855216868401526040830152606082015282805260015afa15610363575f516001600160a01b0381161561035957905f905f90565b505f906001905f90565b6040513d5f823e3d90fd5b5050505f916003919056fe",
}

// SignatureCheck is an auto generated Go binding around an Ethereum contract.
type SignatureCheck struct {
	abi abi.ABI
}

// GetABI returns the ABI associated with this contract binding.
func (c *SignatureCheck) GetABI() abi.ABI {
	return c.abi
}

// NewSignatureCheck creates a new instance of SignatureCheck.
func NewSignatureCheck() *SignatureCheck {
	parsed, err := SignatureCheckMetaData.ParseABI()
	if err != nil {
		panic(errors.New("invalid ABI: " + err.Error()))
	}
	return &SignatureCheck{abi: *parsed}
}

// Instance creates a wrapper for a deployed contract instance at the given address.
// Use this to create the instance object passed to abigen v2 library functions Call, Transact, etc.
func (c *SignatureCheck) Instance(backend bind.ContractBackend, addr common.Address) *bind.BoundContract {
	return bind.NewBoundContract(addr, c.abi, backend, backend, backend)
}

// PackConstructor is the Go binding used to pack the parameters required for
// contract deployment.
//
// Solidity: constructor(address signer, bytes32 hash, bytes signature) returns()
func (signatureCheck *SignatureCheck) PackConstructor(signer common.Address, hash [32]byte, signature []byte) []byte {
	enc, err := signatureCheck.abi.Pack("", signer, hash, signature)
	if err != nil {
		panic(err)
	}
	return enc
}

// UnpackError attempts to decode the provided error data using user-defined
// error definitions.
func (signatureCheck *SignatureCheck) UnpackError(raw []byte) (any, error) {
	if bytes.Equal(raw[:4], signatureCheck.abi.Errors["DeploymentFailed"].ID.Bytes()[:4]) {
		return signatureCheck.UnpackDeploymentFailedError(raw[4:])
	}
	return nil, errors.New("Unknown error")
}

// SignatureCheckDeploymentFailed represents a DeploymentFailed error raised by the SignatureCheck contract.
type SignatureCheckDeploymentFailed struct {
	Factory common.Address
}

// ErrorID returns the hash of canonical representation of the error's signature.
//
// Solidity: error DeploymentFailed(address factory)
func SignatureCheckDeploymentFailedErrorID() common.Hash {
	return common.HexToHash("0x9deffc1bfc04c72bfff3f06e8685188e26781382919c6109aa9c0e47df6104b3")
}

// UnpackDeploymentFailedError is the Go binding used to decode the provided
// error data into the corresponding Go error struct.
//
// Solidity: error DeploymentFailed(address factory)
func (signatureCheck *SignatureCheck) UnpackDeploymentFailedError(raw []byte) (*SignatureCheckDeploymentFailed, error) {
	out := new(SignatureCheckDeploymentFailed)
	if err := signatureCheck.abi.UnpackIntoInterface(out, "DeploymentFailed", raw); err != nil {
		return nil, err
	}
	return out, nil
}
