package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/gen/contracts"
)

// ErrInvalidAnswer is returned for a response that cannot be a result of the call: it cannot be decoded, or
// its value is impossible. The provider is at fault: for example, a node without the block's state returns
// `0x` when a view of a deployed contract is called.
var ErrInvalidAnswer = errors.New("the node's answer is invalid")

// wordSize is the unit of ABI encoding, in bytes.
const wordSize = 32

// Unpack decodes the result of a view. It returns ErrInvalidAnswer if the result is malformed.
func Unpack[T any](answer []byte, unpack func([]byte) (T, error)) (T, error) {
	var none T
	if len(answer)%wordSize != 0 {
		return none, fmt.Errorf("%w: its length of %d bytes is not a multiple of %d", ErrInvalidAnswer, len(answer), wordSize)
	}
	value, err := unpack(answer)
	if err != nil {
		return none, fmt.Errorf("%w: %w", ErrInvalidAnswer, err)
	}
	return value, nil
}

// methodsBySelector contains the functions of every contract that the service calls.
var methodsBySelector = indexMethods(
	&contracts.EscrowMetaData, &contracts.ApplicationStakingMetaData, &contracts.TaskTokenMetaData, &contracts.RewardDistributorMetaData,
)

func indexMethods(metas ...*bind.MetaData) map[[4]byte]abi.Method {
	index := make(map[[4]byte]abi.Method)
	for _, meta := range metas {
		for _, m := range parsed(meta).Methods {
			index[[4]byte(m.ID)] = m
		}
	}
	return index
}

// checkAnswer rejects a result that the called function cannot return. An empty result of a
// function that returns a value means that the simulation did not run the function.
func checkAnswer(call, answer []byte) error {
	if len(call) < 4 {
		return nil
	}
	method, known := methodsBySelector[[4]byte(call[:4])]
	if !known || len(method.Outputs) == 0 {
		return nil
	}
	_, err := Unpack(answer, method.Outputs.Unpack)
	return err
}

// receiptOf reads the receipt of a mined transaction. It returns ethereum.NotFound if the
// transaction is not mined.
func receiptOf(ctx context.Context, client *ethclient.Client, hash common.Hash) (*types.Receipt, error) {
	r, err := client.TransactionReceipt(ctx, hash)
	if err != nil {
		return nil, err
	}
	if r.TxHash != hash || r.BlockNumber == nil || !r.BlockNumber.IsUint64() || slices.Contains(r.Logs, nil) {
		return nil, fmt.Errorf("%w: the receipt of transaction %s is incomplete or is for another transaction", ErrInvalidAnswer, hash)
	}
	return r, nil
}
