package rpc

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// RevertError is a revert of a contract.
type RevertError struct {
	Name string // name of the contract's error; empty if the error is unknown
	Args map[string]any
	Text string
}

// Error formats the revert like a call in Solidity, with the arguments' names: NotDue(taskId 7,
// dueAt 2027-01-15T08:00:00Z).
func (r *RevertError) Error() string { return cmp.Or(r.Text, r.Name) }

// errorsBySelector contains the errors of every contract that the service calls.
var errorsBySelector = indexErrors(
	&contracts.EscrowMetaData, &contracts.ApplicationStakingMetaData, &contracts.TaskTokenMetaData,
	&contracts.TreasuryMetaData, &contracts.RewardDistributorMetaData,
)

// ParseABI parses an ABI. It panics on an error, because the ABIs are generated code.
func ParseABI(meta *bind.MetaData) *abi.ABI {
	contract, err := meta.ParseABI()
	if err != nil {
		panic(fmt.Sprintf("parse the ABI of %s: %v", meta.ID, err))
	}
	return contract
}

func indexErrors(metas ...*bind.MetaData) map[[4]byte]abi.Error {
	index := make(map[[4]byte]abi.Error)
	for _, meta := range metas {
		for _, e := range ParseABI(meta).Errors {
			index[[4]byte(e.ID[:4])] = e
		}
	}
	return index
}

// asRevert returns the revert in a node's error as a *RevertError; nil if there is none. The data of the
// revert decides. Without data, code 3 or the name of an EVM error does.
func asRevert(err error) error {
	data := revertData(err)
	if len(data) >= 4 {
		return readRevert(data)
	}
	if e, ok := errors.AsType[rpc.Error](err); ok && (e.ErrorCode() == 3 || executionErrors.MatchString(e.Error())) {
		return &RevertError{Text: "no reason given"}
	}
	return nil
}

// executionErrors finds the names that go-ethereum, revm and other EVMs give to failed executions.
var executionErrors = regexp.MustCompile(`(?i)\brevert(ed)?\b|VM execution error|EVM error|out of ?gas|invalid opcode|invalid ?jump|stack ?(under|over)flow|stack limit reached`)

// revertData returns the data of a revert: nodes return it as a hexadecimal string, also after a word, or
// in an object.
func revertData(err error) []byte {
	e, ok := errors.AsType[rpc.DataError](err)
	if !ok {
		return nil
	}
	text, _ := e.ErrorData().(string)
	if object, ok := e.ErrorData().(map[string]any); ok {
		text, _ = object["data"].(string)
	}
	data, err := hexutil.Decode(strings.TrimPrefix(text, "Reverted "))
	if err != nil {
		return nil
	}
	return data
}

func readRevert(data []byte) *RevertError {
	if reason, err := abi.UnpackRevert(data); err == nil {
		return &RevertError{Text: reason}
	}
	definition, ok := errorsBySelector[[4]byte(data[:4])]
	if !ok {
		return &RevertError{Text: fmt.Sprintf("unknown error 0x%x", data[:4])}
	}
	r := &RevertError{Name: definition.Name, Args: make(map[string]any), Text: definition.Name}
	if err := definition.Inputs.UnpackIntoMap(r.Args, data[4:]); err != nil {
		return r
	}
	var arguments []string
	for _, input := range definition.Inputs {
		arguments = append(arguments, input.Name+" "+r.format(input.Name))
	}
	r.Text += "(" + strings.Join(arguments, ", ") + ")"
	return r
}

// format returns an argument as text: a status by its name, a time in RFC 3339.
func (r *RevertError) format(name string) string {
	switch value := r.Args[name].(type) {
	case uint8:
		if name == "status" && r.Name == "WrongStatus" {
			return market.ChainStatus(value).String()
		}
		if stakes := []string{"None", "Locked", "Activated", "Ended"}; name == "status" && int(value) < len(stakes) {
			return stakes[value]
		}
	case *big.Int:
		if isTime := name == "deadline" || strings.HasSuffix(name, "At"); isTime && value.BitLen() <= 40 {
			return time.Unix(value.Int64(), 0).UTC().Format(time.RFC3339)
		}
	}
	return fmt.Sprint(r.Args[name])
}

// Words returns the explanation of the revert; ok is false if there is none.
func (r *RevertError) Words() (words market.Refusal, ok bool) {
	words, ok = market.Refusals()[r.Name]
	return words, ok
}

// WouldRevert returns the error for a user whose call would revert.
func (r *RevertError) WouldRevert() *market.Error {
	e := &market.Error{
		Kind:    market.KindWouldRevert,
		Message: "the contract would revert this call: " + r.Text,
		Hint:    "load the task again: its state on the chain may have changed, or the wallet may lack tokens or an allowance",
		Cause:   r,
	}
	if words, ok := r.Words(); ok {
		e.Hint = words.Sentence + "; " + words.Next
	}
	if r.Name != "" {
		e.Details = []market.Detail{{Field: "contract", Code: r.Name, Message: r.Text}}
	}
	return e
}
