package receipt_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"

	"taskmarket/chain/internal/receipt"
)

// encodings is a block's receipts in the encoding of EIP-2718.
type encodings [][]byte

func (e encodings) Len() int                           { return len(e) }
func (e encodings) EncodeIndex(i int, w *bytes.Buffer) { w.Write(e[i]) }

// block returns receipts with one log each and the given types, as a node returns them, and their header.
func block(t *testing.T, kinds ...byte) (string, *types.Header) {
	t.Helper()
	var answer []string
	var encoded encodings
	for i, kind := range kinds {
		logs := []*types.Log{{Address: [20]byte{1}, Data: []byte{byte(i)}}}
		bloom := types.CreateBloom(&types.Receipt{Logs: logs})
		raw, err := rlp.EncodeToBytes([]any{[]byte{1}, uint64(21_000), bloom, logs})
		if err != nil {
			t.Fatal(err)
		}
		if kind != types.LegacyTxType {
			raw = append([]byte{kind}, raw...)
		}
		encoded = append(encoded, raw)
		answer = append(answer, fmt.Sprintf(
			`{"type":"0x%x","status":"0x1","cumulativeGasUsed":"0x5208","logs":[{"address":"0x0100000000000000000000000000000000000000","topics":[],"data":"0x%02x","transactionHash":"0x%064x"}]}`, kind, i, i))
	}
	h := &types.Header{ReceiptHash: types.DeriveSha(encoded, trie.NewStackTrie(nil))}
	return "[" + strings.Join(answer, ",") + "]", h
}

// Receipts of every type must hash to the header's receipts root, including types that go-ethereum
// does not know.
func TestReceiptsAreProvenByTheirRoot(t *testing.T) {
	t.Parallel()
	genuine, header := block(t, 0, 2, 0x6a, 0x7e)
	for text, want := range map[string]bool{
		genuine: true,
		strings.Replace(genuine, `"data":"0x01"`, `"data":"0x09"`, 1): false,
		strings.Replace(genuine, `"type":"0x2"`, `"type":"0x70"`, 1):  false,
		strings.Replace(genuine, `"type":"0x2"`, `"type":"0x102"`, 1): false,
	} {
		var list receipt.List
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatal(err)
		}
		if got := list.ProvenBy(header); got != want {
			t.Errorf("%s is proven: %v, want %v", text, got, want)
		}
	}
}
