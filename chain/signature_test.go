package chain_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/market"
)

const text = "example.com wants you to sign in with your Ethereum account"

// edit returns a changed copy of the signature.
func edit(signature []byte, change func([]byte) []byte) []byte {
	return change(bytes.Clone(signature))
}

// twin returns the other valid signature of the same key over the same text, with a high s.
func twin(signature []byte) []byte {
	s := new(big.Int).Sub(crypto.S256().Params().N, new(big.Int).SetBytes(signature[32:64]))
	s.FillBytes(signature[32:64])
	signature[64] = 27 + (28 - signature[64])
	return signature
}

func lastByte(v byte) func([]byte) []byte {
	return func(signature []byte) []byte {
		signature[64] = v
		return signature
	}
}

func TestVerifyMessageOfAKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	signature, err := net.Human.SignMessage(t.Context(), text)
	chaintest.Must(t, err)
	v := signature[64]
	cases := map[string]struct {
		wallet    common.Address
		text      string
		signature []byte
		ok        bool
	}{
		"a valid signature":         {ok: true},
		"v of 0 or 1":               {signature: edit(signature, lastByte(v-27)), ok: true},
		"another text":              {text: text + " "},
		"another wallet":            {wallet: net.Agent.Address()},
		"the zero address":          {wallet: common.HexToAddress("0x0000000000000000000000000000000000000000")},
		"the twin with a high s":    {signature: edit(signature, twin)},
		"the other valid v":         {signature: edit(signature, lastByte(27+28-v))},
		"v of 2":                    {signature: edit(signature, lastByte(2))},
		"v of 26":                   {signature: edit(signature, lastByte(26))},
		"v of 29":                   {signature: edit(signature, lastByte(29))},
		"v of 54":                   {signature: edit(signature, lastByte(54))},
		"v of 255":                  {signature: edit(signature, lastByte(255))},
		"64 bytes":                  {signature: signature[:64]},
		"66 bytes":                  {signature: append(bytes.Clone(signature), 0)},
		"one byte":                  {signature: []byte{1}},
		"no bytes":                  {signature: []byte{}},
		"zeros":                     {signature: make([]byte, 65)},
		"a megabyte":                {signature: make([]byte, 1<<20)},
		"only the wrapper's suffix": {signature: bytes.Repeat([]byte{0x64, 0x92}, 16)},
	}
	verifier := chain.NewVerifier(net.Node)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wallet := net.Human.Address()
			if c.wallet != (common.Address{}) || name == "the zero address" {
				wallet = c.wallet
			}
			if c.text == "" {
				c.text = text
			}
			if c.signature == nil {
				c.signature = signature
			}
			want := market.KindSignatureInvalid
			if c.ok {
				want = ""
			}
			err := verifier.VerifyMessage(t.Context(), wallet, c.text, c.signature)
			if market.KindOf(err) != want || c.ok != (err == nil) {
				t.Errorf("VerifyMessage() = %v, want kind %q", err, want)
			}
		})
	}
}

// FuzzVerifyMessage checks that only the signature itself is accepted, with either form of the last
// byte.
func FuzzVerifyMessage(f *testing.F) {
	net := chaintest.New(f)
	signature, err := net.Human.SignMessage(f.Context(), text)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{
		signature, signature[:64], edit(signature, twin), edit(signature, lastByte(signature[64]-27)), edit(signature, lastByte(29)),
		append(bytes.Clone(signature), signature...), append(bytes.Clone(signature), bytes.Repeat([]byte{0x64, 0x92}, 16)...),
		{},
		make([]byte, 65),
	} {
		f.Add(seed)
	}
	verifier := chain.NewVerifier(net.Node)
	f.Fuzz(func(t *testing.T, tried []byte) {
		same := len(tried) == len(signature) && bytes.Equal(tried[:64], signature[:64]) && (tried[64] == signature[64] || tried[64] == signature[64]-27)
		if err := verifier.VerifyMessage(t.Context(), net.Human.Address(), text, tried); same != (err == nil) {
			t.Errorf("VerifyMessage() of %x = %v", tried, err)
		}
	})
}

func TestVerifyDigestOfAContractWallet(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	verifier := chain.NewVerifier(net.Node)
	digest := crypto.Keccak256Hash([]byte(text))
	cases := map[string]struct {
		code []byte
		ok   bool
	}{
		"accepts":                     {code: chaintest.WalletFor(digest), ok: true},
		"accepts another digest":      {code: chaintest.WalletFor(common.Hash{1})},
		"has no code":                 {},
		"loops":                       {code: common.FromHex("5b5f56")},       // JUMPDEST, JUMP 0
		"reverts":                     {code: common.FromHex("5f5ffd")},       // REVERT
		"runs an invalid instruction": {code: common.FromHex("fe")},           // INVALID
		"returns 10 MB":               {code: common.FromHex("62a000005ff3")}, // RETURN 10 MB
		"returns 200 kB":              {code: common.FromHex("620320005ff3")}, // RETURN 200 kB of zeros
		"uses 4 M gas and accepts": { // MLOAD at 1.5 MB, POP
			code: append(append(common.FromHex("6216e3605150"), chaintest.AcceptCode...), chaintest.ReturnCode...),
		},
		"returns nothing": {code: common.FromHex("00")}, // STOP
		"returns 4 bytes": {code: append(bytes.Clone(chaintest.AcceptCode), common.FromHex("5f5260045ff3")...)},
		"returns the selector with extra bytes": { // the accepted word, except that its last byte is 1
			code: append(append(bytes.Clone(chaintest.AcceptCode), common.FromHex("600117")...), chaintest.ReturnCode...),
		},
		"writes its storage": { // SSTORE, which a static call forbids, then accept
			code: append(append(common.FromHex("5f5f55"), chaintest.AcceptCode...), chaintest.ReturnCode...),
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wallet := common.BytesToAddress(crypto.Keccak256([]byte(name)))
			if c.code != nil {
				chaintest.Install(t, net, wallet, c.code)
			}
			want := market.KindSignatureInvalid
			if c.ok {
				want = ""
			}
			begun := time.Now()
			err := verifier.VerifyDigest(t.Context(), wallet, digest, []byte("any bytes"))
			if market.KindOf(err) != want || c.ok != (err == nil) {
				t.Errorf("VerifyDigest() = %v, want kind %q", err, want)
			}
			if took := time.Since(begun); took > 3*time.Second {
				t.Errorf("VerifyDigest() took %s, want at most 3 s", took)
			}
		})
	}
}

// factory is the deterministic deployment proxy that exists on every chain. It deploys its input
// after the first 32 bytes, which are the salt.
var factory = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// creation returns the creation code of a contract: CODECOPY of all but its own ten bytes, RETURN.
func creation(code []byte) []byte {
	return append([]byte{0x61, byte(len(code) >> 8), byte(len(code)), 0x80, 0x60, 0x0a, 0x5f, 0x39, 0x5f, 0xf3}, code...)
}

// wrap makes an ERC-6492 signature of a wallet that is not deployed yet.
func wrap(t *testing.T, factory common.Address, input, inner []byte) []byte {
	t.Helper()
	addressType, err := abi.NewType("address", "", nil)
	chaintest.Must(t, err)
	bytesType, err := abi.NewType("bytes", "", nil)
	chaintest.Must(t, err)
	wrapped, err := abi.Arguments{{Type: addressType}, {Type: bytesType}, {Type: bytesType}}.Pack(factory, input, inner)
	chaintest.Must(t, err)
	return append(wrapped, bytes.Repeat([]byte{0x64, 0x92}, 16)...)
}

func TestVerifyDigestOfAnUndeployedWallet(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	verifier := chain.NewVerifier(net.Node)
	digest, salt := crypto.Keccak256Hash([]byte(text)), [32]byte{7}
	init := creation(chaintest.WalletFor(digest))
	wallet := crypto.CreateAddress2(factory, salt, crypto.Keccak256(init))
	input := append(salt[:], init...)
	signature := wrap(t, factory, input, []byte("inner"))

	chaintest.Must(t, verifier.VerifyDigest(t.Context(), wallet, digest, signature))
	refused := map[string]error{
		"another digest":        verifier.VerifyDigest(t.Context(), wallet, common.Hash{1}, signature),
		"another wallet":        verifier.VerifyDigest(t.Context(), common.Address{1}, digest, signature),
		"without the wrapper":   verifier.VerifyDigest(t.Context(), wallet, digest, []byte("inner")),
		"a factory that fails":  verifier.VerifyDigest(t.Context(), wallet, digest, wrap(t, net.Deployment.Escrow, input, nil)),
		"a truncated wrapper":   verifier.VerifyDigest(t.Context(), wallet, digest, signature[40:]),
		"code of another owner": verifier.VerifyDigest(t.Context(), wallet, digest, wrap(t, factory, append(salt[:], creation(chaintest.AcceptCode)...), nil)),
	}
	for name, err := range refused {
		if market.KindOf(err) != market.KindSignatureInvalid {
			t.Errorf("%s: VerifyDigest() = %v, want kind %q", name, err, market.KindSignatureInvalid)
		}
	}
	code, err := net.Dev.Client().CodeAt(t.Context(), wallet, nil)
	chaintest.Must(t, err)
	if len(code) != 0 {
		t.Error("the check deployed the wallet")
	}
}

func TestVerifyMessageOfADelegatedKey(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	delegate := common.Address{0xde}
	chaintest.Install(t, net, delegate, chaintest.WalletFor(common.Hash{1}))
	chaintest.Install(t, net, net.Human.Address(), append(common.FromHex("ef0100"), delegate.Bytes()...)) // EIP-7702
	verifier := chain.NewVerifier(net.Node)
	signature, err := net.Human.SignMessage(t.Context(), text)
	chaintest.Must(t, err)
	if err := verifier.VerifyMessage(t.Context(), net.Human.Address(), text, signature); err != nil {
		t.Errorf("the key's own signature: %v", err)
	}
	if err := verifier.VerifyDigest(t.Context(), net.Human.Address(), common.Hash{1}, []byte("any")); err != nil {
		t.Errorf("signature accepted by its code: %v", err)
	}
	foreign, err := net.Agent.SignMessage(t.Context(), text)
	chaintest.Must(t, err)
	if err := verifier.VerifyMessage(t.Context(), net.Human.Address(), text, foreign); market.KindOf(err) != market.KindSignatureInvalid {
		t.Errorf("another key's signature: %v", err)
	}
}

// A provider that accepts every signature cannot make one valid: all providers that respond must accept it.
func TestVerifyDigestNeedsAllProviders(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	lying := chaintest.NewProxy(t, net.Dev.URL())
	lying.Answer = func(c *chaintest.Exchange) {
		if c.Method == "eth_call" {
			c.Result = json.RawMessage(`"` + common.BigToHash(common.Big1).Hex() + `"`)
		}
	}
	for name, urls := range map[string][]string{
		"first":  {lying.URL, net.Dev.URL()},
		"second": {net.Dev.URL(), lying.URL},
	} {
		err := chain.NewVerifier(chaintest.Dial(t, urls...)).VerifyDigest(t.Context(), net.Human.Address(), common.Hash{1}, bytes.Repeat([]byte{7}, 65))
		if market.KindOf(err) != market.KindSignatureInvalid {
			t.Errorf("the %s provider lies: VerifyDigest() = %v, want %s", name, err, market.KindSignatureInvalid)
		}
	}
}
