package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/gen/contracts"
)

// ErrInvalidAnswer is returned for a response that cannot be a result of the call: it cannot be decoded, or
// its value is impossible. The provider is at fault: for example, a node without the block's state returns
// `0x` when a view of a deployed contract is called.
var ErrInvalidAnswer = errors.New("the node's answer is invalid")

// errorAnswers contains the methods that can answer with an error. The function converts such an error, and
// returns nil for all others. Every other error of a node, and every error of the other methods, is a fault
// of the provider: a rate limit, a block or a state that it lacks, an internal error. Nodes use the same
// codes for all of them, so a code alone does not decide.
var errorAnswers = map[string]func(error) error{
	"eth_call":               asRevert,
	"eth_estimateGas":        asRevert,
	"eth_sendRawTransaction": asRefusal,
}

// classifyError returns the error of a call. If it is an answer, IsAnswer is true for the result.
func classifyError(method string, err error) error {
	if err == nil {
		return nil
	}
	if classified := errorAnswers[method](err); classified != nil {
		return classified
	}
	return err
}

// IsAnswer reports whether an error is a node's answer to the call, and not a fault of the provider: null for
// a record that may not exist, such as a receipt, or an answer of errorAnswers.
func IsAnswer(err error) bool {
	_, reverted := errors.AsType[*RevertError](err)
	return reverted || errors.Is(err, ethereum.NotFound) || errors.Is(err, ErrRefused)
}

// CallContract executes a call in the state of the latest block. It returns a *RevertError for a revert. Any
// other error is a fault of the provider.
func CallContract(ctx context.Context, client *ethclient.Client, call ethereum.CallMsg) ([]byte, error) {
	result, err := client.CallContract(ctx, call, nil)
	return result, classifyError("eth_call", err)
}

// EstimateGas asks the node how much gas the call uses. It returns a *RevertError if the call reverts.
func EstimateGas(ctx context.Context, client *ethclient.Client, call ethereum.CallMsg) (uint64, error) {
	gas, err := client.EstimateGas(ctx, call)
	return gas, classifyError("eth_estimateGas", err)
}

// SendTransaction sends a signed transaction to the node.
func SendTransaction(ctx context.Context, client *ethclient.Client, tx *types.Transaction) error {
	return classifyError("eth_sendRawTransaction", client.SendTransaction(ctx, tx))
}

// ErrRefused is returned when no node accepts a transaction, and none has it.
var ErrRefused = errors.New("the nodes refuse the transaction")

// faultCodes are the codes of errors that never refuse a transaction.
var faultCodes = slices.Concat(limitCodes, unsupportedCodes, []int{-32700, -32600, -32603})

// asRefusal converts the error of a node that did not add a transaction to its pool. The transaction can be
// there nevertheless, or in a block: see Sender.Broadcast.
func asRefusal(err error) error {
	if e, ok := errors.AsType[rpc.Error](err); ok && !slices.Contains(faultCodes, e.ErrorCode()) && !IsUnsupported(err) {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// limitCodes are the codes with which providers report a rate limit.
var limitCodes = []int{-32005, -32016, -32029, http.StatusTooManyRequests}

// IsBusy reports whether a node rejected a call because of a rate limit, or because it is temporarily
// unavailable, so that a later attempt can succeed.
func IsBusy(err error) bool {
	if status, ok := errors.AsType[rpc.HTTPError](err); ok {
		return status.StatusCode == http.StatusTooManyRequests || status.StatusCode == http.StatusServiceUnavailable
	}
	e, ok := errors.AsType[rpc.Error](err)
	return ok && slices.Contains(limitCodes, e.ErrorCode())
}

var (
	unsupportedCodes = []int{-32601, -32004}
	// unsupportedWords finds the messages of gateways that use other codes for an unsupported method.
	unsupportedWords = regexp.MustCompile(`(?i)\bmethod\b.*\bnot (found|supported|available|allowed|enabled)\b|unsupported method|method .*does not exist`)
)

// IsUnsupported reports whether the node does not support the method that was called.
func IsUnsupported(err error) bool {
	e, ok := errors.AsType[rpc.Error](err)
	return ok && (slices.Contains(unsupportedCodes, e.ErrorCode()) || unsupportedWords.MatchString(e.Error()))
}

// wordSize is the unit of ABI encoding, in bytes.
const wordSize = 32

// Unpack decodes the result of a view. It returns ErrInvalidAnswer if the result is malformed.
func Unpack[T any](result []byte, unpack func([]byte) (T, error)) (T, error) {
	var none T
	if len(result)%wordSize != 0 {
		return none, fmt.Errorf("%w: its length of %d bytes is not a multiple of %d", ErrInvalidAnswer, len(result), wordSize)
	}
	value, err := unpack(result)
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
		for _, m := range ParseABI(meta).Methods {
			index[[4]byte(m.ID)] = m
		}
	}
	return index
}

// CheckAnswer rejects a result that the called function cannot return. An empty result of a
// function that returns a value means that the simulation did not run the function.
func CheckAnswer(call, result []byte) error {
	if len(call) < 4 {
		return nil
	}
	method, ok := methodsBySelector[[4]byte(call[:4])]
	if !ok || len(method.Outputs) == 0 {
		return nil
	}
	_, err := Unpack(result, method.Outputs.Unpack)
	return err
}

// ReceiptOf reads the receipt of a mined transaction. It returns ethereum.NotFound if the
// transaction is not mined.
func ReceiptOf(ctx context.Context, client *ethclient.Client, hash common.Hash) (*types.Receipt, error) {
	r, err := client.TransactionReceipt(ctx, hash)
	if err != nil {
		return nil, err
	}
	if r.TxHash != hash || r.BlockNumber == nil || !r.BlockNumber.IsUint64() || slices.Contains(r.Logs, nil) {
		return nil, fmt.Errorf("%w: the receipt of transaction %s is incomplete or is for another transaction", ErrInvalidAnswer, hash)
	}
	return r, nil
}

// HasTransaction reports whether a node has the transaction, pending or mined; only mined if the node does
// not support the method. It does not decode the transaction, because some chains add members that
// package types rejects.
func HasTransaction(ctx context.Context, client *ethclient.Client, hash common.Hash) (bool, error) {
	var found *struct{ Hash common.Hash }
	err := client.Client().CallContext(ctx, &found, "eth_getTransactionByHash", hash)
	if IsUnsupported(err) {
		_, err := ReceiptOf(ctx, client, hash)
		if errors.Is(err, ethereum.NotFound) {
			return false, nil
		}
		return err == nil, err
	}
	if err != nil {
		return false, err
	}
	if found != nil && found.Hash != hash {
		return false, fmt.Errorf("%w: it is transaction %s instead of %s", ErrInvalidAnswer, found.Hash, hash)
	}
	return found != nil, nil
}
