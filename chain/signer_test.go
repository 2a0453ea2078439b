package chain_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
)

const secret = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

func TestParseKeySigner(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		hex string
		ok  bool
	}{
		"with 0x":         {hex: "0x" + secret, ok: true},
		"without 0x":      {hex: secret, ok: true},
		"too short":       {hex: secret[2:]},
		"not hexadecimal": {hex: "zz" + secret[2:]},
		"zero":            {hex: strings.Repeat("0", 64)},
		"empty":           {},
	}
	for name, c := range cases {
		signer, err := chain.ParseKeySigner(c.hex)
		if c.ok != (err == nil) {
			t.Errorf("%s: ParseKeySigner() = %v", name, err)
		}
		if err != nil && len(c.hex) > 10 && strings.Contains(err.Error(), c.hex[2:10]) {
			t.Errorf("%s: the error repeats the key: %v", name, err)
		}
		if c.ok && signer.Address() != common.HexToAddress("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266") {
			t.Errorf("%s: address is %s", name, signer.Address())
		}
	}
}

func TestSignerNeverPrintsItsKey(t *testing.T) {
	t.Parallel()
	signer, err := chain.ParseKeySigner(secret)
	chaintest.Must(t, err)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("signer", slog.Any("signer", signer))
	slog.New(slog.NewJSONHandler(&log, nil)).Info("signer", slog.Any("signer", signer))
	shown := log.String()
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%d", "%x", "%q"} {
		shown += fmt.Sprintf(verb, signer)
	}
	for _, form := range []string{secret, "ac0974", "78086683", "172 9 116"} { // hex, and decimal as printed by big.Int and bytes
		if strings.Contains(shown, form) {
			t.Errorf("the key is shown: %s", shown)
		}
	}
}
