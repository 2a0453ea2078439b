package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/send"
	"taskmarket/client/internal/node"
	"taskmarket/client/internal/tx"
	"taskmarket/market"
)

// ErrNotMined is returned when a transaction of the wallet is not mined yet: the action's own, or an
// earlier one that must be mined first. Repeat the request to resume.
var ErrNotMined = tx.ErrNotMined

// NonceLock returns the key of the FlowStore lock that is held while one of the wallet's nonces is
// chosen and used. Programs that send from the wallet without this package must also hold this
// lock.
func NonceLock(wallet common.Address, chainID uint64) string { return tx.NonceLock(wallet, chainID) }

// ErrFailed is returned when a transaction was mined but reverted. It cost gas and had no other
// effect.
var ErrFailed = errors.New("the transaction was mined but failed")

// session is the execution of one flow. It contains the wallet, the contracts and the saved state.
type session struct {
	client     *Client
	deployment *deployment
	node       *node.Node
	signer     chain.Signer
	wallet     *tx.Wallet
	flows      FlowStore
	flow       *Flow
	agreed     Plan                // the plan that is executed
	limit      *PlannedTransaction // the gas and the fee that a new transaction may have; see allow
}

// newSession checks the signer, the node and the contracts. It does not load a flow.
func (c *Client) newSession(ctx context.Context) (session, error) {
	signer, err := c.signer()
	if err != nil {
		return session{}, err
	}
	d, n, err := c.contracts(ctx)
	if err != nil {
		return session{}, err
	}
	w := session{client: c, deployment: d, node: n, signer: signer, wallet: c.wallet(n, signer), flows: c.options.Flows}
	w.wallet.Resume = func(ctx context.Context, key string) error { return c.allowOther(ctx, w, key) }
	return w, nil
}

// wallet returns the tx.Wallet that signs and delivers the session's transactions.
func (c *Client) wallet(n *node.Node, signer chain.Signer) *tx.Wallet {
	o := &c.options
	limit := o.MaxFeePerGas
	if limit == nil {
		limit = o.MaxOffer
	}
	return &tx.Wallet{
		Node: n, Signer: signer, Sender: send.NewCappedSender(n.Chain, signer, limit), Journal: journal{o.Flows},
		MaxFee: o.MaxFeePerGas, MineTimeout: o.MineTimeout, RaiseAfter: o.ReplaceAfter,
	}
}

// journal implements tx.Journal with a FlowStore.
type journal struct{ FlowStore }

// Signed implements tx.Journal.
func (j journal) Signed(ctx context.Context, wallet common.Address, chainID uint64) ([]tx.Flow, error) {
	flows, err := j.List(ctx)
	if err != nil {
		return nil, err
	}
	var signed []tx.Flow
	for _, flow := range flows {
		if flow.Wallet != wallet || flow.ChainID != chainID || len(flow.Transactions) == 0 {
			continue
		}
		txs, err := flow.transactions()
		if err != nil {
			return nil, err
		}
		signed = append(signed, tx.Flow{Key: flow.Key, Posting: flow.Task != nil, TaskID: flow.TaskID, Done: flow.Done, Transactions: txs})
	}
	return signed, nil
}

func (w *session) save(ctx context.Context) error { return w.flows.Save(ctx, w.flow) }

func (w *session) remove(ctx context.Context) error { return w.flows.Remove(ctx, w.flow.Key) }

// sign saves a signed transaction in the flow before it is sent.
func (w *session) sign(ctx context.Context, tx send.Signed) error {
	if err := w.flow.sign(tx.Raw); err != nil {
		return err
	}
	return w.save(ctx)
}

// transactions returns the flow's transactions, oldest first.
func (f *Flow) transactions() ([]send.Signed, error) {
	var txs []send.Signed
	for _, raw := range f.Transactions {
		var tx types.Transaction
		if err := tx.UnmarshalBinary(raw); err != nil {
			return nil, fmt.Errorf("decode saved transaction: %w", err)
		}
		txs = append(txs, send.Signed{Hash: tx.Hash(), Nonce: tx.Nonce(), Raw: raw})
	}
	return txs, nil
}

// send signs the call that build returns, within the agreed gas limit and fee, saves the
// transaction and sends it.
func (w *session) send(ctx context.Context, build func() (chain.Call, error)) error {
	return w.wallet.Send(ctx, w.flow.Key, build, w.limit.Gas, w.limit.MaxFee, func(tx send.Signed) error { return w.sign(ctx, tx) })
}

// mined waits until one of the flow's transactions is mined.
func (w *session) mined(ctx context.Context) (*types.Receipt, error) {
	txs, err := w.flow.transactions()
	if err != nil {
		return nil, err
	}
	return w.wallet.Deliver(ctx, txs, &tx.Record{
		Key:      w.flow.Key,
		Save:     func(tx send.Signed) error { return w.sign(ctx, tx) },
		PaysOnce: func() error { return w.paysOnce(ctx) },
	})
}

// paysOnce returns nil if the flow's call cannot take effect twice when two of its transactions are
// mined. The contracts reject the second call of every action. A second posting is rejected
// because its permit is already used. If the wallet has also granted the escrow an allowance, a
// second posting could succeed, so paysOnce returns an error.
func (w *session) paysOnce(ctx context.Context) error {
	if w.flow.Task == nil {
		return nil
	}
	reader := chain.NewReader(w.node.Chain, w.deployment.calls)
	allowed, err := reader.Allowance(ctx, w.signer.Address(), w.deployment.Escrow)
	if err == nil && allowed.Sign() > 0 {
		return fmt.Errorf("the escrow has an allowance of %s from the wallet, so the task could be paid twice; "+
			"revoke the allowance and try again", market.FormatAmount(allowed, "tokens"))
	}
	return err
}
