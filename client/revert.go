package client

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/gen/contracts"
)

// RevertError is a contract's refusal. Nothing was sent, or it was sent and had
// no effect but its cost.
type RevertError struct {
	Name   string // the contract's error, such as FeeMismatch; empty when it gave none
	Detail string // its values
	Err    error  // what the node said
}

// Error implements the error interface.
func (e *RevertError) Error() string {
	if e.Name == "" {
		return "the contract refuses the call: " + e.Err.Error()
	}
	return strings.TrimSpace("the contract refuses the call: " + e.Name + " " + e.Detail)
}

// Unwrap returns what the node said.
func (e *RevertError) Unwrap() error { return e.Err }

// explain turns a node's error about a reverted call into a RevertError.
func explain(err error) error {
	said, ok := errors.AsType[rpc.DataError](err)
	if !ok {
		return err
	}
	text, ok := said.ErrorData().(string)
	if !ok {
		return err
	}
	refused := &RevertError{Err: err}
	raw := common.FromHex(text)
	for _, unpack := range []func([]byte) (any, error){
		contracts.NewEscrow().UnpackError,
		contracts.NewApplicationStaking().UnpackError,
		contracts.NewTaskToken().UnpackError,
	} {
		value, err := unpack(raw)
		if err != nil {
			continue
		}
		refused.Name = errorName(reflect.TypeOf(value))
		refused.Detail = strings.TrimPrefix(fmt.Sprintf("%+v", value), "&")
		return refused
	}
	return refused
}

// errorName takes the binding's prefix, its contract's name, off the type's.
func errorName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := t.Name()
	for _, contract := range []string{"Escrow", "ApplicationStaking", "TaskToken"} {
		if rest, ok := strings.CutPrefix(name, contract); ok {
			return rest
		}
	}
	return name
}
