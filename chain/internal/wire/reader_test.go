package wire_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/internal/wire"
)

// readLogs decodes a complete text.
func readLogs(text []byte) ([]types.Log, error) {
	r := wire.NewReader(text)
	logs := r.Logs()
	r.End()
	if r.Err() != nil {
		return nil, r.Err()
	}
	return logs, nil
}

// logText returns a log as nodes write it, with one member replaced or, if value is empty, removed.
func logText(t *testing.T, member, value string) string {
	t.Helper()
	text, err := json.Marshal(types.Log{
		Address: common.Address{1}, Topics: []common.Hash{{2}, {3}}, Data: []byte{4, 5}, BlockNumber: 6,
		TxHash: common.Hash{7}, TxIndex: 8, BlockHash: common.Hash{9}, Index: 10, Removed: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	if members[member] = json.RawMessage(value); value == "" {
		delete(members, member)
	}
	if text, err = json.Marshal(members); err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The decoder accepts the same logs as go-ethereum, and decodes them in the same way.
func TestLogsAreReadAsByGoEthereum(t *testing.T) {
	hash := `"` + common.Hash{0xab}.Hex() + `"`
	for member, values := range map[string][]string{
		"address":          {``, `null`, `"0x01"`, `"` + common.Address{0xab}.Hex() + `"`, `1`},
		"topics":           {``, `null`, `[]`, `[` + hash + `,` + hash + `]`, `["0x01"]`, `[null]`, `{}`},
		"data":             {``, `null`, `"0x"`, `"0xABcd"`, `"0xa"`, `"ab"`, `"0xzz"`, `["0x"]`},
		"transactionHash":  {``, `null`, hash, `"0x"`},
		"blockHash":        {``, `null`, hash, `"0x01"`},
		"blockNumber":      {``, `null`, `"0x0"`, `"0xfFfFfFfFfFfFfFfF"`, `"0x10000000000000000"`, `"0x01"`, `"0x"`, `1`, `"1"`},
		"transactionIndex": {``, `null`, `"0x1f"`},
		"logIndex":         {``, `null`, `"0xg"`},
		"removed":          {``, `null`, `false`, `"true"`},
		"unknown":          {`"0x1"`, `{"a":["\"]}",{}],"b":-1.5e+3}`},
	} {
		for _, value := range values {
			text := "[" + logText(t, member, value) + "]"
			var want []types.Log
			refused := json.Unmarshal([]byte(text), &want)
			got, err := readLogs([]byte(text))
			if (err == nil) != (refused == nil) || err != nil && !errors.Is(err, wire.ErrMalformed) {
				t.Errorf("%s = %s: error %v, go-ethereum returns %v", member, value, err, refused)
			}
			if err == nil && refused == nil && cmp.Diff(want, got) != "" {
				t.Errorf("%s = %s: %s", member, value, cmp.Diff(want, got))
			}
		}
	}
}

func TestMalformedTextsAreRejected(t *testing.T) {
	for _, text := range []string{
		``, ` `, `[`, `]`, `{}`, `[}`, `[,]`, `[{}]`, `[null]`, `["`, `["\"]`, `nul`, `[] []`, `[]]`, `[{"address"}]`, `[{"address":}]`,
		`[{"x":}]`, `[{"x":]}]`, `[{"x":[}]`, `[{"x":1,}]`, strings.Repeat("[", 1<<20), `[{"x":` + strings.Repeat("[", 1<<20),
	} {
		if logs, err := readLogs([]byte(text)); !errors.Is(err, wire.ErrMalformed) {
			t.Errorf("%.20q = %v, %v, want ErrMalformed", text, logs, err)
		}
	}
}

// FuzzLogs checks that a text that this decoder accepts has the same logs according to go-ethereum.
func FuzzLogs(f *testing.F) {
	f.Add([]byte(`[{"address":"0x0100000000000000000000000000000000000000","topics":[],"data":"0x","transactionHash":"` +
		common.Hash{1}.Hex() + `","x":{"y":[1,"\\\"",null]}}]`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := readLogs(text)
		if err != nil || !json.Valid(text) {
			return
		}
		var want []types.Log
		// encoding/json ignores the case of members, and decodes escapes in their names. This decoder
		// does not read the time of the block.
		if strings.ContainsAny(string(text), `\ABCDEFGHIJKLMNOPQRSTUVWXYZ`) || strings.Contains(string(text), "imestamp") {
			return
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatalf("go-ethereum rejects %s: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s: %s", text, diff)
		}
	})
}

func TestRawReturnsOneValue(t *testing.T) {
	for _, text := range []string{`"a\\"`, `"\""`, `[1,{"a":[]}]`, `-1.5E+7`, `true`, `null`, `{"a":"}"}`} {
		r := wire.NewReader([]byte(" " + text + " "))
		if raw := r.Raw(); string(raw) != text {
			t.Errorf("Raw() of %s = %s", text, raw)
		}
		if r.End(); r.Err() != nil {
			t.Errorf("%s: %v", text, r.Err())
		}
	}
}

func TestUintIsHexadecimal(t *testing.T) {
	for _, n := range []uint64{0, 1, 15, 16, 1<<64 - 1} {
		r := wire.NewReader([]byte(`"` + hexutil.EncodeUint64(n) + `"`))
		if got := r.Uint(); got != n || r.Err() != nil {
			t.Errorf("Uint() = %d, %v, want %d", got, r.Err(), n)
		}
	}
}
