package rescue

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	ethrpc "github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/rpc"
	"taskmarket/client/internal/poll"
	"taskmarket/market"
)

const (
	// attempts is the maximum number of times that ask calls its function, with increasing pauses. A
	// call can send its request several times: see rpc.NodeOptions.Tries. Public nodes may return
	// "too many requests" or be temporarily unavailable.
	attempts   = 6
	firstPause = 250 * time.Millisecond
)

// ask repeats a request while the node is busy. Each request must have its own time limit, as the
// requests of rpc.Node do.
func ask[T any](ctx context.Context, request func(context.Context) (T, error)) (T, error) {
	for attempt, wait := 1, firstPause; ; attempt, wait = attempt+1, 2*wait {
		value, err := request(ctx)
		if err == nil || attempt == attempts || !rpc.IsBusy(err) {
			return value, err
		}
		if err := poll.Pause(ctx, wait); err != nil {
			return value, err
		}
	}
}

// askOwn is ask for calls to the ethclient.
func askOwn[T any](ctx context.Context, r *Rescue, call func(context.Context) (T, error)) (T, error) {
	return ask(ctx, func(ctx context.Context) (T, error) { return rpc.Ask(ctx, r.options.Node, call) })
}

// askOnce is askOwn, but repeats a request only if the node is busy, not after a timeout. It is used
// for requests whose size is reduced when they time out.
func askOnce[T any](ctx context.Context, r *Rescue, call func(context.Context) (T, error)) (T, error) {
	options := r.options.Node
	options.Tries = 1
	return ask(ctx, func(ctx context.Context) (T, error) { return rpc.Ask(ctx, options, call) })
}

// try is ask for requests without a result value.
func try(ctx context.Context, request func(context.Context) error) error {
	_, err := ask(ctx, func(ctx context.Context) (struct{}, error) { return struct{}{}, request(ctx) })
	return err
}

// rangeTooLarge reports whether a smaller request may succeed. Nodes reject wide block ranges with
// different messages and error codes, or an HTTP status, or do not respond in time.
func rangeTooLarge(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	if status, ok := errors.AsType[ethrpc.HTTPError](err); ok {
		return status.StatusCode != http.StatusUnauthorized && status.StatusCode != http.StatusForbidden &&
			status.StatusCode != http.StatusNotFound
	}
	if _, answered := errors.AsType[ethrpc.Error](err); answered {
		return true
	}
	_, large := errors.AsType[*http.MaxBytesError](err)
	return large || errors.Is(err, context.DeadlineExceeded)
}

// view calls a contract's view function with the state of the latest block. Before the contracts
// are identified, a result in an unexpected format is chain.ErrInvalidAnswer, because the address may
// belong to a different contract. After that, it is the node's error.
func view[T any](ctx context.Context, r *Rescue, contract common.Address, data []byte, unpack func([]byte) (T, error)) (T, error) {
	value, err := askOwn(ctx, r, func(ctx context.Context) (T, error) {
		result, err := rpc.CallContract(ctx, r.eth, ethereum.CallMsg{To: &contract, Data: data})
		if err != nil {
			return *new(T), err
		}
		return rpc.Unpack(result, unpack)
	})
	switch {
	case err == nil:
		return value, nil
	case errors.Is(err, rpc.ErrInvalidAnswer) && r.contracts == nil:
		return *new(T), err
	case rpc.IsAnswer(err):
		return *new(T), fmt.Errorf("read from the contract at %s: %w", contract, err)
	}
	return *new(T), unavailable("read a contract through the node", err)
}

// unavailable returns an error for an unavailable node, without the node's URL, which may contain a
// key.
func unavailable(what string, err error) error {
	if _, already := errors.AsType[*market.Error](err); already {
		return err
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &market.Error{
		Kind: market.KindChainUnavailable, Message: "could not " + what + ": " + err.Error(),
		Hint: "try again, or use another node", Cause: err,
	}
}
