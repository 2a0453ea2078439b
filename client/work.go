package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/market"
)

// ErrFailed is returned when a transaction was mined and the contract refused
// it. It changed nothing but the wallet's gas money.
var ErrFailed = errors.New("the transaction failed on the chain")

// work is one run of a flow: for which wallet, on which contracts, and what was
// written down.
type work struct {
	wallet
	client     *Client
	deployment *deployment
	flow       *Flow
	agreed     *PlannedTransaction // what was reviewed; of a fresh action
}

// newWork checks that there are a wallet, a node and the contracts. It has no
// flow yet.
func (c *Client) newWork(ctx context.Context) (work, error) {
	signer, err := c.signer()
	if err != nil {
		return work{}, err
	}
	d, n, err := c.contracts(ctx)
	if err != nil {
		return work{}, err
	}
	return work{client: c, deployment: d, wallet: newWallet(n, signer, &c.options)}, nil
}

func (w *work) save(ctx context.Context) error { return w.flows.Save(ctx, w.flow) }

func (w *work) forget(ctx context.Context) error { return w.flows.Remove(ctx, w.flow.Key) }

// signed reports whether the world may know a transaction of the flow.
func (w *work) signed() bool { return len(w.flow.Transactions) > 0 }

// remember saves a transaction that is about to be sent.
func (w *work) remember(ctx context.Context, tx chain.Signed) error {
	w.flow.Transactions = append(w.flow.Transactions, tx.Raw)
	return w.save(ctx)
}

// transactions returns the flow's transactions, oldest first.
func (f *Flow) transactions() ([]chain.Signed, error) {
	var txs []chain.Signed
	for _, raw := range f.Transactions {
		var tx types.Transaction
		if err := tx.UnmarshalBinary(raw); err != nil {
			return nil, fmt.Errorf("decode saved transaction: %w", err)
		}
		txs = append(txs, chain.Signed{Hash: tx.Hash(), Nonce: tx.Nonce(), Raw: raw})
	}
	return txs, nil
}

// send signs what call makes, within the gas and fee that were agreed to, writes
// it down and sends it, under the lock that keeps its nonce ours until the node
// has it.
func (w *work) send(ctx context.Context, call func() (chain.Call, error)) error {
	unlock, err := w.lockNonces(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	nonce, err := w.nextNonce(ctx, w.flow.Key)
	if err != nil {
		return err
	}
	made, err := call()
	if err != nil {
		return err
	}
	tx, err := w.sender.BuildWithin(ctx, made, nonce, w.agreed.Gas, w.agreed.MaxFee)
	if err != nil {
		return err
	}
	if err := w.remember(ctx, tx); err != nil {
		return err
	}
	if err := w.sender.Broadcast(ctx, tx.Raw); err != nil && !away(err) {
		return err
	}
	return nil
}

// mined waits for the flow's transactions; see wallet.deliver.
func (w *work) mined(ctx context.Context) (*types.Receipt, error) {
	txs, err := w.flow.transactions()
	if err != nil {
		return nil, err
	}
	return w.deliver(ctx, txs, &written{
		key:  w.flow.Key,
		save: func(tx chain.Signed) error { return w.remember(ctx, tx) },
		once: func() error { return w.paysOnce(ctx) },
	})
}

// paysOnce returns nil when the flow's call cannot take effect twice, should two
// transactions of it be mined. The contracts refuse the second of every call,
// and of a posting because its permit is used up, unless the escrow may take
// the wallet's tokens without one.
func (w *work) paysOnce(ctx context.Context) error {
	if w.flow.Action != market.ActionFund {
		return nil
	}
	reader := chain.NewReader(w.node.chain, w.deployment.calls)
	allowed, err := reader.Allowance(ctx, w.signer.Address(), w.deployment.Escrow)
	if err == nil && allowed.Sign() > 0 {
		return fmt.Errorf("the escrow may take %s wei of the wallet's tokens without a permit, so the task could be paid twice; "+
			"take that allowance back and ask again", allowed)
	}
	return err
}
