package contracts_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

var (
	escrowABI  = parsed("Escrow")
	stakingABI = parsed("ApplicationStaking")
	tokenABI   = parsed("TaskToken")
)

func parsed(name string) *abi.ABI {
	contract, err := bound[name].ParseABI()
	if err != nil {
		panic(err)
	}
	return contract
}

// logOf encodes an event as the contract must emit it. Like the other encoders in this file, it
// panics if a name or a type is not in the ABI.
func logOf(address common.Address, contract *abi.ABI, name string, values ...any) types.Log {
	event, known := contract.Events[name]
	if !known {
		panic("no event " + name)
	}
	log := types.Log{Address: address, Topics: []common.Hash{event.ID}}
	var plain []any
	for i, input := range event.Inputs {
		if !input.Indexed {
			plain = append(plain, values[i])
			continue
		}
		log.Topics = append(log.Topics, common.BytesToHash(packed(abi.Arguments{input}, values[i])))
	}
	log.Data = packed(event.Inputs.NonIndexed(), plain...)
	return log
}

// packed encodes values. It accepts int and uint64 for ids, and time.Time for times.
func packed(arguments abi.Arguments, values ...any) []byte {
	data, err := arguments.Pack(words(values)...)
	if err != nil {
		panic(err)
	}
	return data
}

func words(values []any) []any {
	converted := slices.Clone(values)
	for i, value := range converted {
		switch v := value.(type) {
		case int:
			converted[i] = big.NewInt(int64(v))
		case uint64:
			converted[i] = number(v)
		case time.Time:
			converted[i] = seconds(v)
		}
	}
	return converted
}

// refusal formats a contract's error with raw arguments.
func refusal(contract *abi.ABI, name string, values ...any) string {
	definition, known := contract.Errors[name]
	if !known || len(definition.Inputs) != len(values) {
		panic("no error " + name + " with such arguments")
	}
	return sentence(name, definition.Inputs, words(values))
}

func sentence(name string, inputs abi.Arguments, values []any) string {
	var said []string
	for i, input := range inputs {
		said = append(said, fmt.Sprintf("%s %v", input.Name, values[i]))
	}
	return name + "(" + strings.Join(said, ", ") + ")"
}

// describeLog formats a log with the names from the ABI.
func describeLog(log types.Log) string {
	for _, contract := range []*abi.ABI{escrowABI, stakingABI} {
		event, err := contract.EventByID(log.Topics[0])
		if err != nil {
			continue
		}
		values, err := event.Inputs.NonIndexed().UnpackValues(log.Data)
		if err != nil {
			return fmt.Sprintf("%s that cannot be read: %v", event.Name, err)
		}
		return fmt.Sprintf("%s of %s: %v %v", event.Name, log.Address, log.Topics[1:], values)
	}
	return fmt.Sprintf("an unknown event of %s: %v %x", log.Address, log.Topics, log.Data)
}

func number(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// seconds returns a time in the contracts' form; 0 if it is not set.
func seconds(t time.Time) *big.Int {
	if t.IsZero() {
		return new(big.Int)
	}
	return big.NewInt(t.Unix())
}
