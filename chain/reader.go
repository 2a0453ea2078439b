package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain/rpc"
	"taskmarket/market"
)

// Reader reads state that logs do not contain. If no provider answers, every method except HeldAt
// returns market.KindChainUnavailable.
type Reader struct {
	node      *rpc.Node
	contracts *Contracts
}

// NewReader returns a reader of one deployment.
func NewReader(node *rpc.Node, contracts *Contracts) *Reader {
	return &Reader{node: node, contracts: contracts}
}

// Head returns the node's latest block.
func (r *Reader) Head(ctx context.Context) (market.Block, error) {
	var head *types.Header
	err := r.node.Do(ctx, "read the head", func(ctx context.Context, client *ethclient.Client) (err error) {
		head, err = rpc.Latest(ctx, client)
		return err
	})
	if err != nil {
		return market.Block{}, rpc.Unavailable("read the head", err)
	}
	return rpc.BlockOf(head), nil
}

// Balances returns the wallet's balances: tokens and native currency, both in wei.
func (r *Reader) Balances(ctx context.Context, wallet common.Address) (token, gas *big.Int, err error) {
	c := r.contracts.token
	if token, err = read(ctx, r, "read a token balance", c.PackBalanceOf(wallet), c.UnpackBalanceOf); err != nil {
		return nil, nil, err
	}
	err = r.node.Do(ctx, "read a balance", func(ctx context.Context, client *ethclient.Client) (err error) {
		gas, err = client.BalanceAt(ctx, wallet, nil)
		return err
	})
	if err != nil {
		return nil, nil, rpc.Unavailable("read a balance", err)
	}
	return token, gas, nil
}

// HeldAt returns the tokens, in wei, that the escrow and the staking contract held at a block. If the providers
// disagree, it returns the lowest amounts, so that none of them can hide missing money. It returns ErrNoState if no
// node has the block's state, or a provider's error.
func (r *Reader) HeldAt(ctx context.Context, block common.Hash) (escrow, staking *big.Int, err error) {
	d, c := r.contracts.deployment, r.contracts.token
	calls := []Call{{To: d.Token, Data: c.PackBalanceOf(d.Escrow)}, {To: d.Token, Data: c.PackBalanceOf(d.Staking)}}
	err = r.node.CallsAt(ctx, block, calls, func(_ string, results []hexutil.Bytes) error {
		inEscrow, err := rpc.Unpack(results[0], c.UnpackBalanceOf)
		if err != nil {
			return err
		}
		inStaking, err := rpc.Unpack(results[1], c.UnpackBalanceOf)
		if err != nil {
			return err
		}
		escrow, staking = lower(escrow, inEscrow), lower(staking, inStaking)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the contracts' balances: %w", err)
	}
	return escrow, staking, nil
}

// lower returns the lower amount; b if a is nil.
func lower(a, b *big.Int) *big.Int {
	if a == nil || b.Cmp(a) < 0 {
		return b
	}
	return a
}

// PermitNonce returns the nonce of the wallet's next permit.
func (r *Reader) PermitNonce(ctx context.Context, wallet common.Address) (*big.Int, error) {
	c := r.contracts.token
	return read(ctx, r, "read a permit nonce", c.PackNonces(wallet), c.UnpackNonces)
}

// Allowance returns how many of the wallet's tokens the spender may transfer, in wei.
func (r *Reader) Allowance(ctx context.Context, wallet, spender common.Address) (*big.Int, error) {
	c := r.contracts.token
	return read(ctx, r, "read an allowance", c.PackAllowance(wallet, spender), c.UnpackAllowance)
}

// Token contains the metadata of a token contract.
type Token = market.Token

// TokenInfo returns the name, symbol, decimals and EIP-712 version of the deployment's token.
func (r *Reader) TokenInfo(ctx context.Context) (Token, error) {
	const what = "read the token"
	c := r.contracts.token
	name, err := read(ctx, r, what, c.PackName(), c.UnpackName)
	if err != nil {
		return Token{}, err
	}
	symbol, err := read(ctx, r, what, c.PackSymbol(), c.UnpackSymbol)
	if err != nil {
		return Token{}, err
	}
	decimals, err := read(ctx, r, what, c.PackDecimals(), c.UnpackDecimals)
	if err != nil {
		return Token{}, err
	}
	domain, err := read(ctx, r, what, c.PackTaskTokenDomain(), c.UnpackTaskTokenDomain)
	if err != nil {
		return Token{}, err
	}
	return Token{Name: name, Symbol: symbol, Decimals: decimals, Version: domain.Version}, nil
}

// CheckCode returns an error if a contract of the deployment has no code: it is on another chain,
// or its deployment is not mined yet.
func (r *Reader) CheckCode(ctx context.Context) error {
	d := r.contracts.deployment
	for _, address := range append(d.Contracts(), d.Token) {
		var code []byte
		err := r.node.Do(ctx, "read a contract's code", func(ctx context.Context, client *ethclient.Client) (err error) {
			code, err = client.CodeAt(ctx, address, nil)
			return err
		})
		if err != nil {
			return rpc.Unavailable("read a contract's code", err)
		}
		if len(code) == 0 {
			return fmt.Errorf("there is no contract at %s on chain %d", address, d.ChainID)
		}
	}
	return nil
}

// Simulate runs the call as if from sent it now. If the contract reverts, it returns
// market.KindWouldRevert, with the contract's error in the details and as a *RevertError in the
// chain of causes.
func (r *Reader) Simulate(ctx context.Context, from common.Address, call Call) error {
	err := r.node.Do(ctx, "simulate a call", func(ctx context.Context, client *ethclient.Client) error {
		result, err := rpc.CallContract(ctx, client, ethereum.CallMsg{From: from, To: &call.To, Data: call.Data})
		if err != nil {
			return err
		}
		return rpc.CheckAnswer(call.Data, result)
	})
	if err == nil {
		return nil
	}
	if refusal, reverted := errors.AsType[*rpc.RevertError](err); reverted {
		return refusal.WouldRevert()
	}
	return rpc.Unavailable("simulate a call", err)
}

// RewardBudget returns what the distributor can pay now, in wei: the available part of its daily
// budget, or its token balance if that is lower.
func (r *Reader) RewardBudget(ctx context.Context) (*big.Int, error) {
	c, t, distributor := r.contracts.rewards, r.contracts.token, r.contracts.deployment.Distributor
	level, err := readAt(ctx, r, "read the rewards' budget", distributor, c.PackAvailable(), c.UnpackAvailable)
	if err != nil {
		return nil, err
	}
	tokens, err := read(ctx, r, "read the distributor's balance", t.PackBalanceOf(distributor), t.UnpackBalanceOf)
	if err != nil {
		return nil, err
	}
	if tokens.Cmp(level) < 0 {
		return tokens, nil
	}
	return level, nil
}

// RewardSigner returns the account whose vouchers the distributor accepts; the zero address if it
// accepts none.
func (r *Reader) RewardSigner(ctx context.Context) (common.Address, error) {
	c := r.contracts.rewards
	return readAt(ctx, r, "read the vouchers' signer", r.contracts.deployment.Distributor, c.PackSigner(), c.UnpackSigner)
}

// read calls a view of the deployment's token.
func read[T any](ctx context.Context, r *Reader, what string, data []byte, unpack func([]byte) (T, error)) (T, error) {
	return readAt(ctx, r, what, r.contracts.deployment.Token, data, unpack)
}

// readAt calls a view of a contract.
func readAt[T any](
	ctx context.Context, r *Reader, what string, contract common.Address, data []byte, unpack func([]byte) (T, error),
) (T, error) {
	var value T
	err := r.node.Do(ctx, what, func(ctx context.Context, client *ethclient.Client) error {
		result, err := rpc.CallContract(ctx, client, ethereum.CallMsg{To: &contract, Data: data})
		if err != nil {
			return err
		}
		value, err = rpc.Unpack(result, unpack)
		return err
	})
	if err != nil {
		var none T
		return none, rpc.Unavailable(fmt.Sprintf("%s at %s", what, contract), err)
	}
	return value, nil
}
