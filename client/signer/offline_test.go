package signer_test

import (
	"bytes"
	"errors"
	"taskmarket/chain"
	"testing"

	"taskmarket/chain/devnet"
	"taskmarket/client/signer"
)

func TestOfflineReturnsOnlyImportedSignature(t *testing.T) {
	t.Parallel()
	own, err := chain.ParseKeySigner(privateKey)
	must(t, err)
	signature, err := own.SignTypedData(t.Context(), permit())
	must(t, err)
	wallet := signer.NewOffline(owner, signature)
	if got, err := wallet.SignTypedData(t.Context(), permit()); err != nil || !bytes.Equal(got, signature) {
		t.Errorf("SignTypedData() = %x, %v, want the imported signature", got, err)
	}
	raw := append(bytes.Clone(signature[:64]), signature[64]-27)
	if got, err := signer.NewOffline(owner, raw).SignTypedData(t.Context(), permit()); err != nil || !bytes.Equal(got, signature) {
		t.Errorf("SignTypedData() = %x, %v, want a last byte of 27 or 28", got, err)
	}
	other := permit()
	other.Message["value"] = "2"
	if _, err := wallet.SignTypedData(t.Context(), other); !errors.Is(err, signer.ErrOtherData) {
		t.Errorf("SignTypedData() of other data = %v, want %v", err, signer.ErrOtherData)
	}
	if _, err := signer.NewOffline(spend, signature).SignTypedData(t.Context(), permit()); !errors.Is(err, signer.ErrOtherData) {
		t.Errorf("SignTypedData() of another wallet = %v, want %v", err, signer.ErrOtherData)
	}
	if _, err := signer.NewOffline(owner, nil).SignTypedData(t.Context(), permit()); !errors.Is(err, signer.ErrNoKey) {
		t.Errorf("SignTypedData() without a signature = %v, want %v", err, signer.ErrNoKey)
	}
	if _, err := wallet.SignMessage(t.Context(), "a text"); !errors.Is(err, signer.ErrNoKey) {
		t.Errorf("SignMessage() = %v, want %v", err, signer.ErrNoKey)
	}
}

func TestOfflineRecordsTransaction(t *testing.T) {
	t.Parallel()
	wallet := signer.NewOffline(owner, nil)
	if wallet.Asked() != nil {
		t.Error("Asked() is not nil before SignTx()")
	}
	asked := transaction()
	if _, err := wallet.SignTx(t.Context(), asked, devnet.ChainID); !errors.Is(err, signer.ErrNoKey) {
		t.Errorf("SignTx() = %v, want %v", err, signer.ErrNoKey)
	}
	if got := wallet.Asked(); got == nil || got.Hash() != asked.Hash() {
		t.Errorf("Asked() = %v, want the transaction", got)
	}
}
