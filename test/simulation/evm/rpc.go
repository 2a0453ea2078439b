package evm

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// Error is a JSON-RPC error response.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

// Error implements the error interface.
func (e *Error) Error() string { return e.Message }

// Codes of JSON-RPC errors.
const (
	codeRefused  = -32000
	codeUnknown  = -32601
	codeInvalid  = -32602
	codeReverted = 3
)

// View is the chain as reported by a node with this head and these safe and finalized blocks.
type View struct {
	Chain           *Chain
	Head            *Block
	Safe, Finalized uint64
}

// arguments are the parameters of a call.
type arguments []json.RawMessage

// read decodes the parameter with the index, and leaves the target unchanged if it is missing.
func (a arguments) read(index int, into any) error {
	if index >= len(a) {
		return nil
	}
	if err := json.Unmarshal(a[index], into); err != nil {
		return &Error{Code: codeInvalid, Message: "invalid argument: " + err.Error()}
	}
	return nil
}

// methods are the supported methods.
var methods = map[string]func(View, arguments) (any, error){
	"eth_chainId":                           func(View, arguments) (any, error) { return hexutil.Uint64(ChainID), nil },
	"eth_blockNumber":                       func(v View, _ arguments) (any, error) { return hexutil.Uint64(v.Head.NumberU64()), nil },
	"eth_maxPriorityFeePerGas":              func(View, arguments) (any, error) { return hexutil.Uint64(tip), nil },
	"eth_getBlockByNumber":                  View.blockByNumber,
	"eth_getBlockByHash":                    View.blockByHash,
	"eth_getBlockReceipts":                  View.blockReceipts,
	"eth_gasPrice":                          View.gasPrice,
	"eth_feeHistory":                        View.feeHistory,
	"eth_getTransactionByHash":              View.transactionByHash,
	"eth_getTransactionReceipt":             View.receipt,
	"eth_getTransactionByBlockHashAndIndex": View.transaction,
	"eth_getLogs":                           View.logs,
	"eth_call":                              View.call,
	"eth_estimateGas":                       View.estimate,
	"eth_getTransactionCount":               View.nonce,
	"eth_getBalance":                        View.balance,
	"eth_getCode":                           View.code,
	"eth_sendRawTransaction":                View.send,
}

// Methods returns the names of the supported methods, in alphabetical order.
func Methods() []string { return slices.Sorted(maps.Keys(methods)) }

// tip is the tip that nodes suggest, in wei.
const tip = params.GWei

func (v View) gasPrice(arguments) (any, error) {
	return (*hexutil.Big)(new(big.Int).Add(v.Head.BaseFee(), big.NewInt(tip))), nil
}

// feeHistory returns a history of one block.
func (v View) feeHistory(arguments) (any, error) {
	return map[string]any{
		"oldestBlock": hexutil.Uint64(v.Head.NumberU64()), "baseFeePerGas": []*hexutil.Big{(*hexutil.Big)(v.Head.BaseFee())},
		"gasUsedRatio": []float64{0.5}, "reward": [][]*hexutil.Big{{(*hexutil.Big)(big.NewInt(tip))}},
	}, nil
}

// transactionByHash returns a pending or mined transaction.
func (v View) transactionByHash(a arguments) (any, error) {
	var hash common.Hash
	if err := a.read(0, &hash); err != nil {
		return nil, err
	}
	has := func(tx *types.Transaction) bool { return tx.Hash() == hash }
	if i := slices.IndexFunc(v.Chain.pool, has); i >= 0 {
		return v.Chain.pool[i], nil
	}
	for b := v.Head; b != nil; b = b.Parent {
		if i := slices.IndexFunc(b.Transactions(), has); i >= 0 {
			return b.Transactions()[i], nil
		}
	}
	return nil, nil
}

// Call executes a JSON-RPC call. The error is an *Error.
func (v View) Call(method string, params []json.RawMessage) (any, error) {
	run, ok := methods[method]
	if !ok {
		return nil, &Error{Code: codeUnknown, Message: "the method " + method + " does not exist"}
	}
	result, err := run(v, params)
	if err == nil {
		return result, nil
	}
	if rpcErr, ok := errors.AsType[*Error](err); ok {
		return nil, rpcErr
	}
	return nil, &Error{Code: codeRefused, Message: err.Error()}
}

// at returns the block for a number, a tag, or an object with a block hash; nil if there is none.
func (v View) at(a arguments, index int) (*Block, error) {
	var object struct{ BlockHash common.Hash }
	if index < len(a) && strings.HasPrefix(string(a[index]), "{") {
		err := a.read(index, &object)
		return v.branchBlock(object.BlockHash), err
	}
	tag := "latest"
	if err := a.read(index, &tag); err != nil {
		return nil, err
	}
	switch tag {
	case "latest", "pending":
		return v.Head, nil
	case "safe":
		return v.Head.At(v.Safe), nil
	case "finalized":
		return v.Head.At(v.Finalized), nil
	}
	number, err := hexutil.DecodeUint64(tag)
	return v.Head.At(number), err
}

// branchBlock returns a block of this view's branch by its hash.
func (v View) branchBlock(hash common.Hash) *Block {
	b := v.Chain.blocks[hash]
	if b == nil || v.Head.At(b.NumberU64()) != b {
		return nil
	}
	return b
}

func (v View) blockByNumber(a arguments) (any, error) {
	b, err := v.at(a, 0)
	return headerOf(b), err
}

func (v View) blockByHash(a arguments) (any, error) {
	var hash common.Hash
	err := a.read(0, &hash)
	return headerOf(v.branchBlock(hash)), err
}

// headerOf returns the header as JSON, with the hash, or null.
func headerOf(b *Block) any {
	if b == nil {
		return nil
	}
	return b.Header()
}

func (v View) blockReceipts(a arguments) (any, error) {
	var hash common.Hash
	if err := a.read(0, &hash); err != nil {
		return nil, err
	}
	b := v.branchBlock(hash)
	if b == nil {
		return nil, nil
	}
	return slices.Concat(types.Receipts{}, b.Receipts), nil
}

func (v View) receipt(a arguments) (any, error) {
	var hash common.Hash
	if err := a.read(0, &hash); err != nil {
		return nil, err
	}
	if r := v.Head.Receipt(hash); r != nil {
		return r, nil
	}
	return nil, nil
}

// Receipt returns the receipt of a transaction on the branch that ends in b, or nil.
func (b *Block) Receipt(tx common.Hash) *types.Receipt {
	for ; b != nil; b = b.Parent {
		for _, r := range b.Receipts {
			if r.TxHash == tx {
				return r
			}
		}
	}
	return nil
}

func (v View) transaction(a arguments) (any, error) {
	var hash common.Hash
	var index hexutil.Uint64
	if err := errors.Join(a.read(0, &hash), a.read(1, &index)); err != nil {
		return nil, err
	}
	b := v.branchBlock(hash)
	if b == nil || int(index) >= len(b.Transactions()) {
		return nil, nil
	}
	return b.Transactions()[index], nil
}

// filter is the argument of eth_getLogs.
type filter struct {
	BlockHash *common.Hash
	FromBlock string
	ToBlock   string
	Address   []common.Address
	Topics    [][]common.Hash
}

func (f filter) matches(log *types.Log) bool {
	if len(f.Address) > 0 && !slices.Contains(f.Address, log.Address) {
		return false
	}
	for i, topics := range f.Topics {
		if len(topics) > 0 && (i >= len(log.Topics) || !slices.Contains(topics, log.Topics[i])) {
			return false
		}
	}
	return true
}

func (v View) logs(a arguments) (any, error) {
	var f filter
	if err := a.read(0, &f); err != nil {
		return nil, err
	}
	var blocks []*Block
	if f.BlockHash != nil {
		b := v.branchBlock(*f.BlockHash)
		if b == nil {
			return nil, &Error{Code: codeRefused, Message: "unknown block"}
		}
		blocks = []*Block{b}
	} else {
		from, err := hexutil.DecodeUint64(f.FromBlock)
		to, toErr := hexutil.DecodeUint64(f.ToBlock)
		if err := errors.Join(err, toErr); err != nil {
			return nil, err
		}
		for number := from; number <= min(to, v.Head.NumberU64()); number++ {
			blocks = append(blocks, v.Head.At(number))
		}
	}
	found := []*types.Log{}
	for _, b := range blocks {
		for _, r := range b.Receipts {
			for _, log := range r.Logs {
				if f.matches(log) {
					found = append(found, log)
				}
			}
		}
	}
	return found, nil
}

// message is the first argument of eth_call and eth_estimateGas.
type message struct {
	From  common.Address
	To    *common.Address
	Data  hexutil.Bytes
	Input hexutil.Bytes
}

// callGas is the gas limit of simulated calls.
const callGas = 30_000_000

// simulate executes a message on the state after the block.
func (v View) simulate(b *Block, m message) (*core.ExecutionResult, error) {
	s, err := state.New(b.Root(), v.Chain.states)
	if err != nil {
		return nil, fmt.Errorf("open the state of block %d: %w", b.NumberU64(), err)
	}
	header := b.Header()
	header.BaseFee = new(big.Int)
	machine := v.Chain.machine(header, s, vm.Config{NoBaseFee: true})
	msg := &core.Message{
		From: m.From, To: m.To, Value: new(uint256.Int), GasLimit: callGas, GasPrice: new(uint256.Int),
		GasFeeCap: new(uint256.Int), GasTipCap: new(uint256.Int), Data: slices.Concat(m.Input, m.Data),
	}
	msg.SkipNonceCheck()
	result, err := core.ApplyMessage(machine, msg, core.NewGasPool(callGas))
	switch {
	case err != nil:
		return nil, err
	case errors.Is(result.Err, vm.ErrExecutionReverted):
		return nil, &Error{Code: codeReverted, Message: "execution reverted", Data: hexutil.Encode(result.Revert())}
	case result.Err != nil:
		return nil, &Error{Code: codeRefused, Message: result.Err.Error()}
	}
	return result, nil
}

func (v View) call(a arguments) (any, error) {
	var m message
	b, err := v.at(a, 1)
	if err := errors.Join(err, a.read(0, &m)); err != nil {
		return nil, err
	}
	if b == nil {
		return nil, &Error{Code: codeRefused, Message: "header not found"}
	}
	result, err := v.simulate(b, m)
	if err != nil {
		return nil, err
	}
	return hexutil.Bytes(result.Return()), nil
}

// estimate returns the gas that the call used, with a margin for calls of other contracts, which
// receive only 63/64 of the gas.
func (v View) estimate(a arguments) (any, error) {
	var m message
	if err := a.read(0, &m); err != nil {
		return nil, err
	}
	result, err := v.simulate(v.Head, m)
	if err != nil {
		return nil, err
	}
	return hexutil.Uint64(result.MaxUsedGas + result.MaxUsedGas/16), nil
}

func (v View) state(a arguments) (account common.Address, s *state.StateDB, err error) {
	b, err := v.at(a, 1)
	if err := errors.Join(err, a.read(0, &account)); err != nil {
		return account, nil, err
	}
	if b == nil {
		return account, nil, &Error{Code: codeRefused, Message: "header not found"}
	}
	s, err = state.New(b.Root(), v.Chain.states)
	return account, s, err
}

func (v View) nonce(a arguments) (any, error) {
	account, s, err := v.state(a)
	if err != nil {
		return nil, err
	}
	nonce := s.GetNonce(account)
	if len(a) > 1 && string(a[1]) == `"pending"` {
		nonce = v.Chain.pendingNonce(account, nonce)
	}
	return hexutil.Uint64(nonce), nil
}

// NextNonce returns the nonce of the account's next transaction.
func (c *Chain) NextNonce(account common.Address) (uint64, error) {
	s, err := state.New(c.head.Root(), c.states)
	if err != nil {
		return 0, fmt.Errorf("open the state of the head: %w", err)
	}
	return c.pendingNonce(account, s.GetNonce(account)), nil
}

func (c *Chain) pendingNonce(account common.Address, nonce uint64) uint64 {
	for slices.ContainsFunc(c.pool, func(tx *types.Transaction) bool { return tx.Nonce() == nonce && senderOf(tx) == account }) {
		nonce++
	}
	return nonce
}

func (v View) balance(a arguments) (any, error) {
	account, s, err := v.state(a)
	if err != nil {
		return nil, err
	}
	return (*hexutil.Big)(s.GetBalance(account).ToBig()), nil
}

func (v View) code(a arguments) (any, error) {
	account, s, err := v.state(a)
	if err != nil {
		return nil, err
	}
	return hexutil.Bytes(s.GetCode(account)), nil
}

func senderOf(tx *types.Transaction) common.Address {
	sender, err := types.Sender(signer, tx)
	if err != nil {
		return common.Address{}
	}
	return sender
}

func (v View) send(a arguments) (any, error) {
	var raw hexutil.Bytes
	if err := a.read(0, &raw); err != nil {
		return nil, err
	}
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return nil, err
	}
	return tx.Hash(), v.Chain.Add(tx)
}

// Add adds a transaction to the pool according to the rules that nodes apply: a nonce is used once, and
// a pending transaction is replaced only by a transaction whose fees are at least a tenth higher.
func (c *Chain) Add(tx *types.Transaction) error {
	s, err := state.New(c.head.Root(), c.states)
	if err != nil {
		return fmt.Errorf("open the state of the head: %w", err)
	}
	sender := senderOf(tx)
	if tx.Nonce() < s.GetNonce(sender) {
		return core.ErrNonceTooLow
	}
	for i, old := range c.pool {
		switch {
		case old.Hash() == tx.Hash():
			return errors.New("already known")
		case senderOf(old) != sender || old.Nonce() != tx.Nonce():
		case !raised(old.GasFeeCap(), tx.GasFeeCap()) || !raised(old.GasTipCap(), tx.GasTipCap()):
			return errors.New("replacement transaction underpriced")
		default:
			c.pool[i] = tx
			return nil
		}
	}
	c.pool = append(c.pool, tx)
	return nil
}

// raised reports whether a fee is at least a tenth higher.
func raised(from, to *big.Int) bool {
	return new(big.Int).Mul(to, big.NewInt(10)).Cmp(new(big.Int).Mul(from, big.NewInt(11))) >= 0
}
