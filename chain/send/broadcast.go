package send

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// Broadcast sends a signed transaction to all providers, so that none of them can withhold it. It
// returns no error if one of them accepts or already has the transaction, or if its fee is too low for the
// next block. Use Wait or Receipt to find the result. If no provider accepts it, Broadcast asks the chain
// why (see lookUp), because nodes refuse transactions in their own words, also those that they already
// have. It returns ErrNonceTaken, ErrInsufficientFunds, or otherwise ErrRefused with the node's words. It
// returns market.KindChainUnavailable if no provider can process the transaction.
func (s *Sender) Broadcast(ctx context.Context, raw []byte) error {
	var tx types.Transaction
	if err := tx.UnmarshalBinary(raw); err != nil {
		return fmt.Errorf("read the transaction to send: %w", err)
	}
	responded := false
	err := s.node.Each(ctx, "send a transaction", func(ctx context.Context, c *ethclient.Client) error {
		err := rpc.SendTransaction(ctx, c, &tx)
		if e, ok := errors.AsType[ethrpc.Error](err); ok {
			responded = true
			if duplicateMessage.MatchString(e.Error()) {
				return nil
			}
		}
		return err
	})
	if err != nil && responded {
		err = s.whyRefused(ctx, &tx, err)
	}
	switch {
	case err == nil:
		return nil
	case market.KindOf(err) == market.KindChainUnavailable:
		return err
	}
	return fmt.Errorf("send transaction %s: %w", tx.Hash(), err)
}

// duplicateMessage finds the messages of nodes that have the transaction. They save a look-up, and they are
// necessary for private pools, which do not show their transactions.
var duplicateMessage = regexp.MustCompile(`(?i)already ?(known|imported|exists)|known transaction`)

// whyRefused returns the reason why no provider accepted the transaction; nil if one has it, or if its fee is
// below the base fee.
func (s *Sender) whyRefused(ctx context.Context, tx *types.Transaction, refusal error) error {
	found, err := s.lookUp(ctx, tx)
	switch {
	case err != nil:
		return err
	case found.exists:
		return nil
	case found.used:
		return fmt.Errorf("%w: nonce %d is used", ErrNonceTaken, tx.Nonce())
	case found.pending:
		return fmt.Errorf("%w: a transaction with nonce %d is pending", ErrNonceTaken, tx.Nonce())
	case isAbove(found.baseFee, tx.GasFeeCap()):
		return nil
	case found.balance.Cmp(tx.Cost()) < 0:
		return fmt.Errorf("%w: it has %s wei, and the transaction may cost %s wei", ErrInsufficientFunds, found.balance, tx.Cost())
	}
	return refusal
}

// standing is what the providers know about a transaction that they did not accept. A fact counts if one
// provider reports it.
type standing struct {
	exists  bool     // a provider has the transaction, pending or mined
	used    bool     // its nonce is used
	pending bool     // its nonce is that of a pending transaction
	baseFee *big.Int // of the latest block: the highest one
	balance *big.Int // of its account: the highest one
}

// lookUp reads a transaction's standing from all providers.
func (s *Sender) lookUp(ctx context.Context, tx *types.Transaction) (standing, error) {
	const what = "look up a refused transaction"
	account, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	if err != nil {
		return standing{}, fmt.Errorf("%s: %w", what, err)
	}
	all := standing{baseFee: new(big.Int), balance: new(big.Int)}
	err = s.node.Each(ctx, what, func(ctx context.Context, c *ethclient.Client) error {
		exists, err := rpc.HasTransaction(ctx, c, tx.Hash())
		if exists {
			all.exists = true
			return nil
		}
		if err != nil {
			return err
		}
		next, err := plausible(c.PendingNonceAt(ctx, account))
		if err != nil {
			return err
		}
		used, err := plausible(c.NonceAt(ctx, account, nil))
		if err != nil {
			return err
		}
		balance, err := c.BalanceAt(ctx, account, nil)
		if err != nil {
			return err
		}
		head, err := rpc.Latest(ctx, c)
		if err != nil {
			return err
		}
		all.baseFee = maxBig(all.baseFee, baseFee(head))
		all.used, all.pending = all.used || used > tx.Nonce(), all.pending || next > tx.Nonce()
		all.balance = maxBig(all.balance, balance)
		return nil
	})
	if err != nil {
		return standing{}, rpc.Unavailable(what, err)
	}
	return all, nil
}

// Known reports whether the provider in use has the transaction, pending or mined. Other providers can differ.
func (s *Sender) Known(ctx context.Context, hash common.Hash) (exists bool, err error) {
	err = s.node.Do(ctx, "read a transaction", func(ctx context.Context, c *ethclient.Client) error {
		exists, err = rpc.HasTransaction(ctx, c, hash)
		return err
	})
	if err != nil {
		return false, rpc.Unavailable("read a transaction", err)
	}
	return exists, nil
}

// Receipt returns the transaction's receipt; nil if it is not mined.
func (s *Sender) Receipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	var receipt *types.Receipt
	err := s.node.Do(ctx, "read a receipt", func(ctx context.Context, c *ethclient.Client) (err error) {
		receipt, err = rpc.ReceiptOf(ctx, c, hash)
		return err
	})
	if errors.Is(err, ethereum.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, rpc.Unavailable("read a receipt", err)
	}
	return receipt, nil
}

// Wait returns the receipt once the transaction is mined, or ctx's error.
func (s *Sender) Wait(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	pause := receiptPoll
	for {
		receipt, err := s.Receipt(ctx, hash)
		if receipt != nil {
			return receipt, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for transaction %s: %w", hash, errors.Join(ctx.Err(), err))
		case <-time.After(pause):
			pause = min(pause+pause/2, maxReceiptPoll)
		}
	}
}
