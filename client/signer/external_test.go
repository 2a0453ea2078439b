package signer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"taskmarket/chain"
	"taskmarket/chain/devnet"
	"taskmarket/client/signer"
)

var (
	token = common.HexToAddress("0x5FbDB2315678afecb367f032d93F642f64180aa3")
	spend = common.HexToAddress("0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512")
)

func permit() apitypes.TypedData {
	return chain.PermitTypedData(chain.Permit{
		TokenName: "Task Token", Version: "1", ChainID: devnet.ChainID, Token: token, Owner: owner, Spender: spend,
		Value: big.NewInt(1e18), Nonce: big.NewInt(3), Deadline: big.NewInt(1_900_000_000),
	})
}

func transaction() *types.Transaction {
	return types.NewTx(&types.DynamicFeeTx{
		ChainID: big.NewInt(devnet.ChainID), Nonce: 0, To: &spend, Data: []byte{1, 2, 3, 4},
		Gas: 100_000, GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(5e9),
	})
}

// anvil can sign with its accounts' keys, so the test uses it as an external signer.
func TestExternalSignerAnvil(t *testing.T) {
	t.Parallel()
	node, err := devnet.Start(t.Context(), devnet.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, node.Stop()) })
	external, err := signer.OpenExternal(t.Context(), node.URL(), owner)
	must(t, err)
	t.Cleanup(external.Close)
	if external.Address() != owner {
		t.Errorf("Address() = %s, want %s", external.Address(), owner)
	}
	signsAll(t, external)
	signed, err := external.SignTx(t.Context(), transaction(), devnet.ChainID)
	must(t, err)
	must(t, node.Client().SendTransaction(t.Context(), signed))
	if _, err := signer.OpenExternal(t.Context(), node.URL(), common.Address{}); err == nil || !strings.Contains(err.Error(), "10 accounts") {
		t.Errorf("OpenExternal() without an account = %v, want a request to name one", err)
	}
	if _, err := signer.OpenExternal(t.Context(), node.URL(), spend); err == nil || !strings.Contains(err.Error(), spend.Hex()) {
		t.Errorf("OpenExternal() for an unknown account = %v", err)
	}
}

// signsAll checks that each kind of signature equals the one that is made directly with the key.
func signsAll(t *testing.T, external chain.Signer) {
	t.Helper()
	own, err := chain.ParseKeySigner(privateKey)
	must(t, err)
	for _, text := range []string{"Sign in\nnonce: 17", "ünï\u202ecode", ""} {
		got, err := external.SignMessage(t.Context(), text)
		want, _ := own.SignMessage(t.Context(), text)
		if err != nil || string(got) != string(want) {
			t.Errorf("SignMessage(%q) = %x, %v, want %x", text, got, err, want)
		}
	}
	got, err := external.SignTypedData(t.Context(), permit())
	want, _ := own.SignTypedData(t.Context(), permit())
	if err != nil || string(got) != string(want) {
		t.Errorf("SignTypedData() = %x, %v, want %x", got, err, want)
	}
	signed, err := external.SignTx(t.Context(), transaction(), devnet.ChainID)
	must(t, err)
	if want, _ := own.SignTx(t.Context(), transaction(), devnet.ChainID); signed.Hash() != want.Hash() {
		t.Errorf("SignTx() = %s, want %s", signed.Hash(), want.Hash())
	}
}

// remote is a fake signer, defined as a map from method names to functions.
type remote map[string]func(params []json.RawMessage) (any, error)

type refused struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (r refused) Error() string { return r.Message }

func (r remote) start(t *testing.T) string {
	t.Helper()
	web := httptest.NewServer(r)
	t.Cleanup(web.Close)
	return web.URL
}

func (r remote) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var call struct {
		ID     json.RawMessage   `json:"id"`
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	if err := json.NewDecoder(request.Body).Decode(&call); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer := map[string]any{"jsonrpc": "2.0", "id": call.ID}
	if handle, known := r[call.Method]; !known {
		answer["error"] = refused{-32601, "the method does not exist"}
	} else if result, err := handle(call.Params); err != nil {
		answer["error"] = err
	} else {
		answer["result"] = result
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}

// honest returns a fake signer that signs every request with the key. It has the method names that
// wallets use, not Clef's.
func honest(t *testing.T, hex string) remote {
	t.Helper()
	own, err := chain.ParseKeySigner(hex)
	must(t, err)
	ctx := t.Context()
	return remote{
		"eth_accounts": func([]json.RawMessage) (any, error) { return []common.Address{own.Address()}, nil },
		"personal_sign": func(params []json.RawMessage) (any, error) {
			var text hexutil.Bytes
			must(t, json.Unmarshal(params[0], &text))
			signature, err := own.SignMessage(ctx, string(text))
			return hexutil.Bytes(signature), err
		},
		"eth_signTypedData_v4": func(params []json.RawMessage) (any, error) {
			var data apitypes.TypedData
			must(t, json.Unmarshal(params[1], &data))
			signature, err := own.SignTypedData(ctx, data)
			return hexutil.Bytes(signature), err
		},
		"eth_signTransaction": func(params []json.RawMessage) (any, error) {
			var args apitypes.SendTxArgs
			must(t, json.Unmarshal(params[0], &args))
			asked, err := args.ToTransaction()
			must(t, err)
			signed, err := own.SignTx(ctx, asked, devnet.ChainID)
			must(t, err)
			raw, err := signed.MarshalBinary()
			return map[string]any{"raw": hexutil.Bytes(raw), "tx": signed}, err
		},
	}
}

func TestExternalSignerClefMethods(t *testing.T) {
	t.Parallel()
	wallet := honest(t, privateKey)
	external, err := signer.OpenExternal(t.Context(), remote{
		"account_list": wallet["eth_accounts"],
		"account_signTransaction": func(params []json.RawMessage) (any, error) {
			var asked apitypes.SendTxArgs
			if err := json.Unmarshal(params[0], &asked); err != nil || !asked.To.ValidChecksum() {
				return nil, refused{-32000, "validation failed: Invalid checksum on recipient address"}
			}
			return wallet["eth_signTransaction"](params)
		},
		"account_signTypedData": wallet["eth_signTypedData_v4"],
		"account_signData": func(params []json.RawMessage) (any, error) {
			if string(params[0]) != `"`+accounts.MimetypeTextPlain+`"` {
				return nil, refused{-32000, "another type"}
			}
			return wallet["personal_sign"](params[2:])
		},
	}.start(t), common.Address{})
	must(t, err)
	t.Cleanup(external.Close)
	signsAll(t, external)
}

// A wrong result from a faulty or malicious signer is never used.
func TestExternalSignerMismatch(t *testing.T) {
	t.Parallel()
	const otherKey = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"
	own, err := chain.ParseKeySigner(privateKey)
	must(t, err)
	change := func(alter func(*types.DynamicFeeTx)) func([]json.RawMessage) (any, error) {
		return func([]json.RawMessage) (any, error) {
			asked := transaction()
			other := types.DynamicFeeTx{
				ChainID: asked.ChainId(), Nonce: asked.Nonce(), To: asked.To(), Value: asked.Value(), Data: asked.Data(),
				Gas: asked.Gas(), GasTipCap: asked.GasTipCap(), GasFeeCap: asked.GasFeeCap(),
			}
			alter(&other)
			signed, err := own.SignTx(t.Context(), types.NewTx(&other), other.ChainID.Uint64())
			must(t, err)
			raw, err := signed.MarshalBinary()
			return hexutil.Bytes(raw), err
		}
	}
	always := func(answer any) func([]json.RawMessage) (any, error) {
		return func([]json.RawMessage) (any, error) { return answer, nil }
	}
	legacy, err := own.SignTx(t.Context(), types.NewTx(&types.LegacyTx{To: &spend, Data: []byte{1, 2, 3, 4}, Gas: 100_000, GasPrice: big.NewInt(5e9)}), devnet.ChainID)
	must(t, err)
	for name, transactions := range map[string]func([]json.RawMessage) (any, error){
		"another recipient":                change(func(tx *types.DynamicFeeTx) { tx.To = &token }),
		"additional ether":                 change(func(tx *types.DynamicFeeTx) { tx.Value = big.NewInt(1) }),
		"other data":                       change(func(tx *types.DynamicFeeTx) { tx.Data = []byte{1, 2, 3, 5} }),
		"another nonce":                    change(func(tx *types.DynamicFeeTx) { tx.Nonce = 1 }),
		"a higher fee":                     change(func(tx *types.DynamicFeeTx) { tx.GasFeeCap = big.NewInt(6e9) }),
		"a higher tip":                     change(func(tx *types.DynamicFeeTx) { tx.GasTipCap = big.NewInt(2e9) }),
		"more gas":                         change(func(tx *types.DynamicFeeTx) { tx.Gas++ }),
		"another chain":                    change(func(tx *types.DynamicFeeTx) { tx.ChainID = big.NewInt(1) }),
		"a legacy transaction":             always(hexutil.Bytes(marshal(t, legacy))),
		"the signature of another account": honest(t, otherKey)["eth_signTransaction"],
		"a twin with a high s":             always(hexutil.Bytes(marshal(t, highS(t, own)))),
		"not a transaction":                always("0x01"),
		"an empty string":                  always("0x"),
		"nothing":                          always(nil),
		"a number":                         always(17),
		"an object without raw":            always(map[string]any{"tx": transaction()}),
	} {
		wallet := honest(t, privateKey)
		wallet["eth_signTransaction"] = transactions
		external, err := signer.OpenExternal(t.Context(), wallet.start(t), owner)
		must(t, err)
		if signed, err := external.SignTx(t.Context(), transaction(), devnet.ChainID); err == nil {
			t.Errorf("%s: SignTx() = %s", name, signed.Hash())
		} else if !errors.Is(err, signer.ErrMismatch) && !strings.Contains(err.Error(), "call the external signer") {
			t.Errorf("%s: SignTx() = %v, want %v", name, err, signer.ErrMismatch)
		}
		external.Close()
	}
}

func marshal(t *testing.T, tx *types.Transaction) []byte {
	t.Helper()
	raw, err := tx.MarshalBinary()
	must(t, err)
	return raw
}

var order, _ = new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)

// highS returns the transaction with the equivalent signature that has a high s value.
func highS(t *testing.T, own *chain.KeySigner) *types.Transaction {
	t.Helper()
	signed, err := own.SignTx(t.Context(), transaction(), devnet.ChainID)
	must(t, err)
	v, r, s := signed.RawSignatureValues()
	twin := make([]byte, 65)
	r.FillBytes(twin[:32])
	new(big.Int).Sub(order, s).FillBytes(twin[32:64])
	twin[64] = byte(1 - v.Uint64())
	other, err := transaction().WithSignature(types.NewLondonSigner(big.NewInt(devnet.ChainID)), twin)
	must(t, err)
	return other
}

func TestExternalSignerSignsOtherData(t *testing.T) {
	t.Parallel()
	own, err := chain.ParseKeySigner(privateKey)
	must(t, err)
	right, err := own.SignTypedData(t.Context(), permit())
	must(t, err)
	twin := append([]byte(nil), right...)
	new(big.Int).Sub(order, new(big.Int).SetBytes(right[32:64])).FillBytes(twin[32:64])
	twin[64] = 27 + 28 - twin[64]
	message, err := own.SignMessage(t.Context(), "another text")
	must(t, err)
	for name, answer := range map[string]any{
		"over another text": hexutil.Bytes(message), "a signature with a high s": hexutil.Bytes(twin),
		"short": hexutil.Bytes(right[:64]), "long": hexutil.Bytes(append(right, 0)), "a wrong last byte": hexutil.Bytes(append(right[:64:64], 29)),
		"empty": "0x", "a number": 1, "nothing": nil,
	} {
		wallet := honest(t, privateKey)
		always := func([]json.RawMessage) (any, error) { return answer, nil }
		wallet["eth_signTypedData_v4"], wallet["personal_sign"] = always, always
		external, err := signer.OpenExternal(t.Context(), wallet.start(t), owner)
		must(t, err)
		if got, err := external.SignTypedData(t.Context(), permit()); err == nil {
			t.Errorf("%s: SignTypedData() = %x", name, got)
		}
		if got, err := external.SignMessage(t.Context(), "a text"); err == nil {
			t.Errorf("%s: SignMessage() = %x", name, got)
		}
		external.Close()
	}
}

func TestExternalSignerDeclines(t *testing.T) {
	t.Parallel()
	for name, no := range map[string]refused{
		"a wallet": {4001, "User rejected\x1b[2J the request."}, "Clef": {-32000, "Request denied"},
	} {
		wallet := honest(t, privateKey)
		wallet["personal_sign"] = func([]json.RawMessage) (any, error) { return nil, no }
		external, err := signer.OpenExternal(t.Context(), wallet.start(t), owner)
		must(t, err)
		_, err = external.SignMessage(t.Context(), "a text")
		if !errors.Is(err, signer.ErrDeclined) || strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%s: SignMessage() = %q, want %v without control characters", name, err, signer.ErrDeclined)
		}
		external.Close()
	}
}

func TestExternalSignerIsBounded(t *testing.T) {
	t.Parallel()
	vast := func([]json.RawMessage) (any, error) { return strings.Repeat("0", 10<<20), nil }
	wallet := honest(t, privateKey)
	wallet["personal_sign"], wallet["eth_signTransaction"] = vast, vast
	external, err := signer.OpenExternal(t.Context(), wallet.start(t), owner)
	must(t, err)
	t.Cleanup(external.Close)
	if _, err := external.SignMessage(t.Context(), "a text"); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("SignMessage() with a response of 10 MB = %v", err)
	}
	if _, err := external.SignTx(t.Context(), transaction(), devnet.ChainID); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("SignTx() with a response of 10 MB = %v", err)
	}

	asleep := honest(t, privateKey)
	done := make(chan struct{})
	asleep["personal_sign"] = func([]json.RawMessage) (any, error) { <-done; return nil, io.EOF }
	sleeper, err := signer.OpenExternal(t.Context(), asleep.start(t), owner)
	t.Cleanup(func() { close(done) })
	must(t, err)
	t.Cleanup(sleeper.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := sleeper.SignMessage(ctx, "a text"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("SignMessage() of a signer that does not respond = %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestOpenExternalRejectsInsecureURLs(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"http://signer.example:8550", "http://10.0.0.1:8550", "ws://127.0.0.1:8550", "ftp://127.0.0.1", "/run/signer.ipc", "://", "",
	} {
		if _, err := signer.OpenExternal(t.Context(), address, owner); err == nil {
			t.Errorf("OpenExternal(%q) succeeded", address)
		}
	}
	elsewhere := honest(t, privateKey).start(t)
	redirect := httptest.NewServer(http.RedirectHandler(elsewhere, http.StatusTemporaryRedirect))
	t.Cleanup(redirect.Close)
	if _, err := signer.OpenExternal(t.Context(), redirect.URL, owner); err == nil {
		t.Error("OpenExternal() followed a redirect")
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	withPassword := strings.Replace(closed.URL, "http://", "http://agent:hunter2@", 1)
	_, err := signer.OpenExternal(t.Context(), withPassword, owner)
	if err == nil || strings.Contains(fmt.Sprint(err), "hunter2") {
		t.Errorf("OpenExternal() = %v, want an error without the password", err)
	}
}
