package e2e_test

import (
	"encoding/binary"
	"taskmarket/chain"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// EVM opcodes.
const (
	opStop   byte = 0x00
	opMstore byte = 0x52
	opPush2  byte = 0x61
	opPush32 byte = 0x7f
	opLog0   byte = 0xa0
)

// forge deploys a contract whose constructor emits exactly these events, and returns the
// transaction's hash. They differ from real events only in the address of the contract.
func (w *world) forge(from *chain.KeySigner, events []*types.Log) common.Hash {
	w.t.Helper()
	var code []byte
	for _, event := range events {
		code = append(code, emitting(event)...)
	}
	receipt := w.mine(from, nil, append(code, opStop), time.Time{})
	if receipt.Status != types.ReceiptStatusSuccessful || len(receipt.Logs) != len(events) {
		w.t.Fatalf("the forgery has status %d and %d events, want 1 and %d", receipt.Status, len(receipt.Logs), len(events))
	}
	return receipt.TxHash
}

// emitting returns code that emits the event: it writes the data to memory word by word, and pushes
// the topics on the stack, the last one first.
func emitting(event *types.Log) []byte {
	var code []byte
	for at := 0; at < len(event.Data); at += 32 {
		code = append(code, opPush32)
		code = append(code, common.RightPadBytes(event.Data[at:min(at+32, len(event.Data))], 32)...)
		code = append(code, push2(at)...)
		code = append(code, opMstore)
	}
	for i := len(event.Topics) - 1; i >= 0; i-- {
		code = append(code, opPush32)
		code = append(code, event.Topics[i][:]...)
	}
	code = append(code, push2(len(event.Data))...)
	code = append(code, push2(0)...)
	return append(code, opLog0+byte(len(event.Topics)))
}

func push2(n int) []byte {
	return binary.BigEndian.AppendUint16([]byte{opPush2}, uint16(n))
}
