package e2e_test

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
)

// attempt mines the call in a block at the given time, even if it reverts, and reports whether it
// succeeded. A zero time means now.
func (w *world) attempt(from *chain.KeySigner, call chain.Call, at time.Time) (*types.Receipt, bool) {
	w.t.Helper()
	receipt := w.mine(from, &call.To, call.Data, at)
	return receipt, receipt.Status == types.ReceiptStatusSuccessful
}

// mine sends a transaction without checking whether it will succeed. A transaction without a
// recipient deploys a contract.
func (w *world) mine(from *chain.KeySigner, to *common.Address, data []byte, at time.Time) *types.Receipt {
	w.t.Helper()
	if !at.IsZero() {
		w.must(w.net.Dev.SetNextTime(w.ctx, at))
	}
	receipt, err := w.net.Sender(from).Wait(w.ctx, w.dispatch(from, to, data))
	w.must(err)
	return receipt
}

// dispatch sends a transaction without waiting for its block.
func (w *world) dispatch(from *chain.KeySigner, to *common.Address, data []byte) common.Hash {
	w.t.Helper()
	nonce, err := w.net.Sender(from).NextNonce(w.ctx)
	w.must(err)
	tx, err := from.SignTx(w.ctx, types.NewTx(&types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(w.net.Deployment.ChainID), Nonce: nonce, To: to, Data: data,
		Gas: 1_000_000, GasTipCap: big.NewInt(1e9), GasFeeCap: big.NewInt(1e11),
	}), w.net.Deployment.ChainID)
	w.must(err)
	w.must(w.net.Dev.Client().SendTransaction(w.ctx, tx))
	return tx.Hash()
}
