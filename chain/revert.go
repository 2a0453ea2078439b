package chain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/accounts/abi/bind/v2"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// RevertError is a refusal of a contract.
type RevertError struct {
	Name string // of the contract's error; "" when it gave none that we know
	Args map[string]any
	text string
}

// Error says the refusal as the contract's source writes it: NotDue(taskId 7, dueAt 1800000000).
func (r *RevertError) Error() string { return cmp.Or(r.text, r.Name) }

// errorsBySelector knows the errors of every contract that a call of ours can reach.
var errorsBySelector = indexErrors(
	&contracts.EscrowMetaData, &contracts.ApplicationStakingMetaData, &contracts.TaskTokenMetaData,
	&contracts.TreasuryMetaData, &contracts.RewardDistributorMetaData,
)

func indexErrors(metas ...*bind.MetaData) map[[4]byte]abi.Error {
	index := make(map[[4]byte]abi.Error)
	for _, meta := range metas {
		for _, e := range parsed(meta).Errors {
			index[[4]byte(e.ID[:4])] = e
		}
	}
	return index
}

// revertOf returns the refusal in a node's error; nil when it is none.
func revertOf(err error) *RevertError {
	data, _ := ethclient.RevertErrorData(err)
	if len(data) < 4 {
		if isExecution(err) {
			return &RevertError{text: "without a reason"}
		}
		return nil
	}
	if reason, err := abi.UnpackRevert(data); err == nil {
		return &RevertError{text: reason}
	}
	definition, known := errorsBySelector[[4]byte(data[:4])]
	if !known {
		return &RevertError{text: fmt.Sprintf("unknown error 0x%x", data[:4])}
	}
	r := &RevertError{Name: definition.Name, Args: make(map[string]any), text: definition.Name}
	if err := definition.Inputs.UnpackIntoMap(r.Args, data[4:]); err != nil {
		return r
	}
	var said []string
	for _, input := range definition.Inputs {
		said = append(said, fmt.Sprintf("%s %v", input.Name, r.Args[input.Name]))
	}
	r.text += "(" + strings.Join(said, ", ") + ")"
	return r
}

// Words returns the refusal in words for everybody; ok is false when there are none.
func (r *RevertError) Words() (words market.Refusal, ok bool) {
	words, ok = market.Refusals()[r.Name]
	return words, ok
}

// wouldRevert is the error for those who would send the call.
func (r *RevertError) wouldRevert() *market.Error {
	e := &market.Error{
		Kind:    market.KindWouldRevert,
		Message: "the contract would refuse this call now: " + r.text,
		Hint:    "read the task again; its state on the chain does not allow this, or the wallet lacks tokens or an allowance",
		Cause:   r,
	}
	if words, ok := r.Words(); ok {
		e.Hint = words.Sentence + ": " + words.Next
	}
	if r.Name != "" {
		e.Details = []market.Detail{{Field: "contract", Code: r.Name, Message: r.text}}
	}
	return e
}
