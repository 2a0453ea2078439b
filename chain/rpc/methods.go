package rpc

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
)

// Method is a JSON-RPC method that a node must support.
type Method struct {
	Name   string
	Server bool     // whether the server and its keeper call it
	Client bool     // whether the client library and the command line call it
	Else   []string // methods of which one replaces it; a method with an empty list is required
	probe  []any    // parameters of a call that changes nothing
}

// Methods returns the methods of nodes that the programs call, in alphabetical order.
func Methods() []Method {
	const latest = "latest"
	account, hash, latestBlock := common.Address{1}, common.Hash{1}, map[string]any{"fromBlock": latest, "toBlock": latest}
	call := map[string]any{"from": account, "to": account}
	return []Method{
		{Name: "eth_blockNumber", Client: true},
		{Name: "eth_call", Server: true, Client: true, probe: []any{call, latest}},
		{Name: "eth_chainId", Server: true, Client: true},
		{Name: "eth_estimateGas", Server: true, Client: true, probe: []any{call}},
		{Name: "eth_feeHistory", Server: true, Client: true, Else: []string{"eth_maxPriorityFeePerGas", "eth_gasPrice"}, probe: []any{"0x1", latest, []int{50}}},
		{Name: "eth_gasPrice", Server: true, Client: true, Else: []string{"eth_maxPriorityFeePerGas", "eth_feeHistory"}},
		{Name: "eth_getBalance", Server: true, Client: true, probe: []any{account, latest}},
		{Name: "eth_getBlockByHash", Server: true, probe: []any{hash, false}},
		{Name: "eth_getBlockByNumber", Server: true, Client: true, probe: []any{latest, false}},
		{Name: "eth_getBlockReceipts", Server: true, probe: []any{latest}},
		{Name: "eth_getCode", Server: true, Client: true, probe: []any{account, latest}},
		{Name: "eth_getLogs", Server: true, Client: true, probe: []any{latestBlock}},
		{Name: "eth_getTransactionByBlockHashAndIndex", Server: true, probe: []any{hash, "0x0"}},
		{Name: "eth_getTransactionByHash", Server: true, Client: true, Else: []string{"eth_getTransactionReceipt"}, probe: []any{hash}},
		{Name: "eth_getTransactionCount", Server: true, Client: true, probe: []any{account, latest}},
		{Name: "eth_getTransactionReceipt", Server: true, Client: true, probe: []any{hash}},
		{Name: "eth_maxPriorityFeePerGas", Server: true, Client: true, Else: []string{"eth_feeHistory", "eth_gasPrice"}},
		{Name: "eth_sendRawTransaction", Server: true, Client: true, probe: []any{"0x"}}, // no transaction, which every node refuses
	}
}

// MissingMethods calls the methods that the client library needs, and returns the names of those that the
// node does not support and that no other method replaces. It sends no transaction.
func MissingMethods(ctx context.Context, client *ethclient.Client, options NodeOptions) ([]string, error) {
	var unsupported, missing []string
	for _, m := range Methods() {
		if !m.Client {
			continue
		}
		_, err := Ask(ctx, options, func(ctx context.Context) (any, error) {
			err := client.Client().CallContext(ctx, nil, m.Name, m.probe...)
			if _, responded := errors.AsType[rpc.Error](err); responded && !IsUnsupported(err) {
				return nil, nil // for example, the refusal of the empty transaction
			}
			return nil, err
		})
		switch {
		case IsUnsupported(err):
			unsupported = append(unsupported, m.Name)
		case err != nil:
			return nil, err
		}
	}
	for _, m := range Methods() {
		replaced := slices.ContainsFunc(m.Else, func(other string) bool { return !slices.Contains(unsupported, other) })
		if slices.Contains(unsupported, m.Name) && !replaced {
			missing = append(missing, m.Name)
		}
	}
	return missing, nil
}
