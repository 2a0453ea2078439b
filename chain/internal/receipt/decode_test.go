package receipt_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/internal/receipt"
	"taskmarket/chain/internal/wire"
)

const log = `{"address":"0x0100000000000000000000000000000000000000","topics":[],"data":"0x01",` +
	`"transactionHash":"0x0200000000000000000000000000000000000000000000000000000000000000"}`

// The decoder accepts the same receipts as package encoding/json, and decodes them in the same way.
func TestReceiptsAreReadAsByEncodingJSON(t *testing.T) {
	for _, text := range []string{
		`null`, `[]`, `[null]`, `[{}]`, `[{"logs":null}]`, `[{"logs":[null]}]`, `[{"logs":[` + log + `,` + log + `]}]`,
		`[{"type":"0x2","status":"0x1","cumulativeGasUsed":"0x5208","logsBloom":"0x00"}]`,
		`[{"type":"0x7e","depositNonce":"0x1","depositReceiptVersion":"0x0"}]`, `[{"root":"0x0102"}]`,
		`{}`, `[{"type":2}]`, `[{"status":"1"}]`, `[{"logs":{}}]`, `[{"logs":[{}]}]`, `[1]`, `["0x"]`,
	} {
		var want receipt.List
		refused := json.Unmarshal([]byte(text), &want)
		r := wire.NewReader([]byte(text))
		got := receipt.Decode(r)
		r.End()
		if (r.Err() == nil) != (refused == nil) {
			t.Errorf("%s: error %v, want %v", text, r.Err(), refused)
		}
		if r.Err() == nil && len(want)+len(got) > 0 && cmp.Diff(want, got) != "" {
			t.Errorf("%s: %s", text, cmp.Diff(want, got))
		}
	}
}
