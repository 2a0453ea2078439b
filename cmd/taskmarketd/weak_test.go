package main

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha512"
	"encoding/binary"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
)

// hardhatAccounts is the number of accounts of the development mnemonic that Hardhat funds; anvil funds the first
// ten.
const hardhatAccounts = 20

// derive returns the child of a BIP-32 key.
func derive(t *testing.T, key, chainCode []byte, index uint32) (childKey, childCode []byte) {
	t.Helper()
	const hardened = 1 << 31
	parent, err := crypto.ToECDSA(key)
	if err != nil {
		t.Fatal(err)
	}
	data := crypto.CompressPubkey(&parent.PublicKey)
	if index >= hardened {
		data = append([]byte{0}, key...)
	}
	mac := hmac.New(sha512.New, chainCode)
	mac.Write(binary.BigEndian.AppendUint32(data, index))
	sum := mac.Sum(nil)
	child := new(big.Int).Add(new(big.Int).SetBytes(sum[:32]), new(big.Int).SetBytes(key))
	return child.Mod(child, crypto.S256().Params().N).FillBytes(make([]byte, 32)), sum[32:]
}

// The published accounts are m/44'/60'/0'/0/0 to 19 of the development mnemonic.
func TestPublishedAccountsAreThoseOfTheMnemonic(t *testing.T) {
	t.Parallel()
	mnemonic := strings.Repeat("test ", 11) + "junk"
	seed, err := pbkdf2.Key(sha512.New, mnemonic, []byte("mnemonic"), 2048, 64)
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha512.New, []byte("Bitcoin seed"))
	mac.Write(seed)
	sum := mac.Sum(nil)
	key, code := sum[:32], sum[32:]
	for _, index := range []uint32{1<<31 + 44, 1<<31 + 60, 1 << 31, 0} {
		key, code = derive(t, key, code, index)
	}
	for i := range uint32(hardhatAccounts) {
		account, _ := derive(t, key, code, i)
		parsed, err := crypto.ToECDSA(account)
		if err != nil {
			t.Fatal(err)
		}
		if address := crypto.PubkeyToAddress(parsed.PublicKey); !slices.Contains(publishedAccounts, address) {
			t.Errorf("account %d, %s, is not in publishedAccounts", i, address)
		}
	}
	if len(publishedAccounts) != hardhatAccounts {
		t.Errorf("%d published accounts, want %d", len(publishedAccounts), hardhatAccounts)
	}
}
