// Package tx signs and delivers a wallet's transactions. It chooses nonces, sends each transaction
// until it is mined, and replaces transactions that cannot be mined.
package tx

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/send"
	"taskmarket/client/internal/node"
	"taskmarket/client/internal/poll"
)

var (
	// ErrNotMined is returned when one of the wallet's transactions is not mined yet.
	ErrNotMined = errors.New("the transaction is not mined yet")
	// ErrUnderWay is returned when another of the wallet's transactions must be finished first.
	ErrUnderWay = errors.New("an earlier action must be finished first")
	// ErrReplaced is returned when another of the wallet's transactions used the nonce in a
	// finalized block.
	ErrReplaced = errors.New("another transaction of the wallet used its nonce")
)

// Flow contains the transactions of a saved action.
type Flow struct {
	Key     string
	Posting bool // the transactions lock a task's amount in the escrow, with a permit
	TaskID  *uuid.UUID
	Done    bool
	// Transactions are the signed transactions, oldest first.
	Transactions []send.Signed
}

func (f Flow) newest() send.Signed { return f.Transactions[len(f.Transactions)-1] }

// Journal stores signed transactions.
type Journal interface {
	// Lock locks the key for the caller, across all processes.
	Lock(ctx context.Context, key string) (unlock func(), err error)
	// Signed returns the wallet's flows that have transactions.
	Signed(ctx context.Context, wallet common.Address, chainID uint64) ([]Flow, error)
}

// Wallet sends one wallet's transactions through one node.
type Wallet struct {
	Node        *node.Node
	Signer      chain.Signer
	Sender      *send.Sender
	Journal     Journal
	MaxFee      *big.Int      // maximum fee per unit of gas for replacements, in wei; nil: a multiple of the first transaction's fee
	MineTimeout time.Duration // how long to wait for a transaction to be mined
	RaiseAfter  time.Duration // how long a transaction stays pending before it is replaced with a higher fee
	// Resume is called before a transaction of a flow other than the current one is sent. If it
	// returns an error, the transaction is not sent.
	Resume func(ctx context.Context, key string) error
}

// NonceLock returns the key of the lock that is held while one of the wallet's nonces is chosen and
// used.
func NonceLock(wallet common.Address, chainID uint64) string {
	return fmt.Sprintf("nonces of %s on chain %d", wallet, chainID)
}

// lockNonces prevents all other programs that share the journal from choosing a nonce for the
// wallet. Hold the lock until the node has the transaction.
func (w *Wallet) lockNonces(ctx context.Context) (unlock func(), err error) {
	return w.Journal.Lock(ctx, NonceLock(w.Signer.Address(), w.Node.Chain.ChainID()))
}

// LockPermits locks the wallet's permits, which have their own nonces. Hold the lock until the
// transaction with the permit is mined, because the next permit nonce is unknown until then.
func (w *Wallet) LockPermits(ctx context.Context) (unlock func(), err error) {
	return w.Journal.Lock(ctx, fmt.Sprintf("permits of %s on chain %d", w.Signer.Address(), w.Node.Chain.ChainID()))
}

// AwaitIdle waits until all of the wallet's transactions that were pending when it was called are mined.
func (w *Wallet) AwaitIdle(ctx context.Context) error {
	sent, err := w.Sender.NextNonce(ctx)
	if err != nil || sent == 0 {
		return err
	}
	deadline := time.Now().Add(w.MineTimeout)
	for wait := poll.First; ; wait = poll.Next(wait) {
		used, err := w.Sender.UsedNonces(ctx)
		switch {
		case err == nil && used >= sent:
			return nil
		case err != nil && !node.Unavailable(err):
			return err
		case time.Now().After(deadline):
			return errors.Join(fmt.Errorf("%w: no transaction of wallet %s with nonce %d was seen in a block within %s; try again to continue waiting",
				ErrNotMined, w.Signer.Address(), sent-1, w.MineTimeout), err)
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return err
		}
	}
}

// AwaitPostings waits until all payments in the journal are mined, except the one of the flow with
// the key except. It also delivers payments that an interrupted program has left unsent, if Resume
// allows it. Call it while holding the lock from LockPermits.
func (w *Wallet) AwaitPostings(ctx context.Context, except string) error {
	flows, err := w.unfinished(ctx, except)
	if err != nil {
		return err
	}
	for _, flow := range flows {
		if !flow.Posting {
			continue
		}
		if _, err := w.Deliver(ctx, flow.Transactions, &Record{Key: flow.Key}); err != nil && !errors.Is(err, ErrReplaced) {
			return fmt.Errorf("wait for the payment of task %s, which was signed earlier: %w", flow.TaskID, err)
		}
	}
	return nil
}

// sendOther sends a transaction of a flow other than the current one, if Resume allows it. It does
// nothing if the node already has a transaction with this nonce.
func (w *Wallet) sendOther(ctx context.Context, key string, tx send.Signed) error {
	next, err := w.Sender.NextNonce(ctx)
	if err != nil || next > tx.Nonce {
		return err
	}
	if err := w.Resume(ctx, key); err != nil {
		return err
	}
	return w.broadcast(ctx, tx)
}

// broadcast sends a saved transaction. Another transaction with its nonce is no error, because Deliver
// finds out which one is mined: it can be another one of the same flow.
func (w *Wallet) broadcast(ctx context.Context, tx send.Signed) error {
	err := w.Sender.Broadcast(ctx, tx.Raw)
	if errors.Is(err, send.ErrNonceTaken) {
		return nil
	}
	return err
}

// Send signs the call that build returns, within the gas limit and the fee, saves the transaction
// and sends it. It holds the nonce lock until then. If the node is unavailable when the saved
// transaction is sent, Send returns nil, because Deliver sends it again.
func (w *Wallet) Send(ctx context.Context, key string, build func() (chain.Call, error), gas uint64, fee *big.Int, save func(send.Signed) error) error {
	unlock, err := w.lockNonces(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	nonce, err := w.nextNonce(ctx, key)
	if err != nil {
		return err
	}
	call, err := build()
	if err != nil {
		return err
	}
	signed, err := w.Sender.BuildWithin(ctx, call, nonce, gas, fee)
	if err != nil {
		return err
	}
	if err := save(signed); err != nil {
		return err
	}
	if err := w.broadcast(ctx, signed); err != nil && !node.Unavailable(err) {
		return err
	}
	return nil
}

// Receipt returns the receipt of the first transaction in txs that is mined, or nil if none is.
func (w *Wallet) Receipt(ctx context.Context, txs []send.Signed) (*types.Receipt, error) {
	for _, tx := range txs {
		receipt, err := w.Sender.Receipt(ctx, tx.Hash)
		if receipt != nil || err != nil {
			return receipt, err
		}
	}
	return nil, nil
}

// Replaced returns ErrReplaced if all the transactions' nonces are used in finalized blocks and
// none of the transactions has a receipt. Until then it returns nil, because a transaction may
// still be mined after a reorganisation, or the node may lag.
func (w *Wallet) Replaced(ctx context.Context, txs []send.Signed) error {
	finalized, last := big.NewInt(rpc.FinalizedBlockNumber.Int64()), txs[0]
	for _, tx := range txs {
		if tx.Nonce > last.Nonce {
			last = tx
		}
	}
	used, err := node.Read(ctx, w.Node, "the wallet's final nonce", func(ctx context.Context) (uint64, error) {
		return w.Node.NonceAt(ctx, w.Signer.Address(), finalized)
	})
	if final := err == nil && used > last.Nonce; !final {
		return nil
	}
	if receipt, err := w.Receipt(ctx, txs); receipt != nil || err != nil {
		return err
	}
	return fmt.Errorf("transaction %s: %w", last.Hash, ErrReplaced)
}

// Final reports whether the receipt's block is finalized.
func (w *Wallet) Final(ctx context.Context, receipt *types.Receipt) bool {
	header, err := w.Node.Header(ctx, rpc.FinalizedBlockNumber)
	return err == nil && header.Number.Cmp(receipt.BlockNumber) >= 0
}
