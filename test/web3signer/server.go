// Package web3signer is a signing server for tests with the JSON-RPC interface of Web3Signer's eth1
// mode. Tests cannot use Web3Signer itself, because it is not in a package registry and cannot be built
// with packages from one. The server follows Web3Signer's published sources: parameters, error codes,
// HTTP statuses, and the chain id of its configuration, which it signs for instead of the requested
// one.
package web3signer

import (
	"context"
	"encoding/json"
	"math/big"
	"net/http"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
)

// Server is the handler of a signing server with one key.
type Server struct {
	key     *chain.KeySigner
	chainID uint64

	mu      sync.Mutex
	alter   func(*types.DynamicFeeTx)
	respond Answer
	signed  []*types.Transaction
}

// Answer answers a request for a JSON-RPC method and returns true, or returns false to leave it to the
// server.
type Answer func(w http.ResponseWriter, r *http.Request, method string) bool

// New returns a server that signs with the key for the chain.
func New(key *chain.KeySigner, chainID uint64) *Server { return &Server{key: key, chainID: chainID} }

// Alter makes the server change what it signs, like a faulty or malicious one; nil removes the change.
func (s *Server) Alter(change func(*types.DynamicFeeTx)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alter = change
}

// SetAnswer sets a function that receives each request first; nil removes it.
func (s *Server) SetAnswer(respond Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.respond = respond
}

// Signed returns the transactions that the server has signed.
func (s *Server) Signed() []*types.Transaction {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*types.Transaction(nil), s.signed...)
}

type request struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// fault is a JSON-RPC error with its HTTP status.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	status  int
}

var (
	parseError    = &fault{-32700, "Parse error", http.StatusBadRequest}
	invalidParams = &fault{-32602, "Invalid params", http.StatusBadRequest}
	noAccount     = &fault{-32000, "No unlocked account matches the Sender", http.StatusOK}
	noDownstream  = &fault{-32000, "Failed to connect to downstream node", http.StatusInternalServerError}
)

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call request
	result, failed := any(nil), parseError
	valid := json.NewDecoder(r.Body).Decode(&call) == nil && r.Method == http.MethodPost && r.URL.Path == "/"
	s.mu.Lock()
	respond := s.respond
	s.mu.Unlock()
	if respond != nil && respond(w, r, call.Method) {
		return
	}
	if valid {
		result, failed = s.call(r.Context(), call)
	}
	body := map[string]any{"jsonrpc": "2.0", "id": call.ID}
	w.Header().Set("Content-Type", "application/json")
	if failed != nil {
		body["error"] = failed
		w.WriteHeader(failed.status)
	} else {
		body["result"] = result
	}
	_ = json.NewEncoder(w).Encode(body)
}

func (s *Server) call(ctx context.Context, call request) (any, *fault) {
	switch call.Method {
	case "eth_accounts":
		if len(call.Params) > 0 {
			return nil, invalidParams
		}
		return []string{strings.ToLower(s.key.Address().Hex())}, nil
	case "eth_signTransaction":
		return s.sign(ctx, call.Params)
	}
	return nil, noDownstream // Web3Signer passes other methods to a node
}

// sign signs the transaction for the configured chain. Unknown members are ignored.
func (s *Server) sign(ctx context.Context, params []json.RawMessage) (any, *fault) {
	var args struct {
		From                               *common.Address
		To                                 *common.Address
		Nonce, Gas                         *hexutil.Uint64
		Value                              *hexutil.Big
		Data                               hexutil.Bytes
		MaxFeePerGas, MaxPriorityFeePerGas *hexutil.Big
	}
	if len(params) != 1 || json.Unmarshal(params[0], &args) != nil ||
		args.From == nil || args.Nonce == nil || args.Gas == nil || args.MaxFeePerGas == nil || args.MaxPriorityFeePerGas == nil {
		return nil, invalidParams
	}
	if *args.From != s.key.Address() {
		return nil, noAccount
	}
	tx := &types.DynamicFeeTx{
		ChainID: new(big.Int).SetUint64(s.chainID), Nonce: uint64(*args.Nonce), To: args.To, Data: args.Data, Gas: uint64(*args.Gas),
		GasFeeCap: args.MaxFeePerGas.ToInt(), GasTipCap: args.MaxPriorityFeePerGas.ToInt(), Value: new(big.Int),
	}
	if args.Value != nil {
		tx.Value = args.Value.ToInt()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.alter != nil {
		s.alter(tx)
	}
	signed, err := s.key.SignTx(ctx, types.NewTx(tx), tx.ChainID.Uint64())
	if err != nil {
		return nil, invalidParams
	}
	s.signed = append(s.signed, signed)
	raw, _ := signed.MarshalBinary() // cannot fail for a signed transaction
	return hexutil.Bytes(raw), nil
}
