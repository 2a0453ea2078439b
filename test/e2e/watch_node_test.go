package e2e_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"taskmarket/chain/chaintest"
)

// fickleNode behaves as a load-balanced address of several nodes: one is at the head, one is stuck
// at an earlier block, and some requests fail.
type fickleNode struct {
	round *watchRound

	mu     sync.Mutex
	random *rand.Rand
	stale  *oldChain
}

// oldChain is an earlier state of the chain.
type oldChain struct {
	head   uint64
	blocks map[uint64]json.RawMessage // the newest
	logs   []json.RawMessage          // of all contracts
}

// oldBlocks is the number of blocks in an oldChain, more than a round makes.
const oldBlocks = 400

// remember sets the second node's state to the current chain.
func (n *fickleNode) remember() {
	r := n.round
	r.t.Helper()
	rpcClient := r.net.Dev.Client().Client()
	s := &oldChain{head: r.net.Head(r.t).Number, blocks: map[uint64]json.RawMessage{}}
	var batch []rpc.BatchElem
	for number := s.head - min(s.head, oldBlocks); number <= s.head; number++ {
		batch = append(batch, rpc.BatchElem{Method: "eth_getBlockByNumber", Args: []any{hexutil.Uint64(number), false}, Result: new(json.RawMessage)})
	}
	r.must(rpcClient.BatchCallContext(r.ctx, batch))
	for i, elem := range batch {
		r.must(elem.Error)
		s.blocks[s.head+1-uint64(len(batch))+uint64(i)] = *elem.Result.(*json.RawMessage) //nolint:errcheck // made above
	}
	r.must(rpcClient.CallContext(r.ctx, &s.logs, "eth_getLogs", map[string]any{
		"fromBlock": "0x0", "address": []common.Address{r.net.Deployment.Escrow, r.net.Deployment.Staking},
	}))
	n.mu.Lock()
	defer n.mu.Unlock()
	n.stale = s
}

// answer changes the node's answers, or closes the connection.
func (n *fickleNode) answer(calls []*chaintest.Exchange) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !watches(calls) {
		return true
	}
	if n.stale != nil && n.random.IntN(4) == 0 {
		for _, call := range calls {
			n.stale.answer(call)
		}
	}
	if n.random.IntN(6) > 0 {
		return true
	}
	if n.random.IntN(4) == 0 {
		return false
	}
	for _, call := range calls {
		if call.Method == "eth_getLogs" && call.Fault == nil {
			n.spoil(call)
		}
	}
	return true
}

// watches reports whether the calls are those of a running watch: answers about the identity of the
// chain are never changed.
func watches(calls []*chaintest.Exchange) bool {
	first := calls[0]
	return first.Method == "eth_blockNumber" || first.Method == "eth_getLogs" ||
		first.Method == "eth_getBlockByNumber" && string(first.Params[0]) != `"0x0"`
}

// blockRange is the range of a query for logs.
type blockRange struct{ FromBlock, ToBlock hexutil.Uint64 }

// spoil changes a list of logs. It leaves gaps only in ranges whose blocks are all read again
// later.
func (n *fickleNode) spoil(call *chaintest.Exchange) {
	var logs []map[string]any
	var asked blockRange
	if json.Unmarshal(call.Result, &logs) != nil || json.Unmarshal(call.Params[0], &asked) != nil {
		return
	}
	width := uint64(asked.ToBlock - asked.FromBlock)
	switch kind := n.random.IntN(6); {
	case kind == 0 && width > 5:
		call.Fault = &chaintest.Fault{Code: -32005, Message: "block range is too wide"}
		return
	case kind <= 1 && width < watchOverlap:
		logs = []map[string]any{}
	case kind == 2 && width < watchOverlap:
		logs = logs[n.random.IntN(len(logs)+1):]
	case kind == 3:
		logs = append(logs, logs...)
	case kind == 4:
		n.random.Shuffle(len(logs), func(i, j int) { logs[i], logs[j] = logs[j], logs[i] })
	default:
		for _, log := range logs {
			removed := map[string]any{}
			for name, value := range log {
				removed[name] = value
			}
			removed["removed"], removed["blockHash"] = true, common.Hash{1}.Hex()
			logs = append(logs, removed)
		}
	}
	call.Result, _ = json.Marshal(logs) //nolint:errchkjson // it was JSON before
}

// answer answers from the earlier state.
func (s *oldChain) answer(call *chaintest.Exchange) {
	switch call.Method {
	case "eth_blockNumber":
		call.Result, call.Fault = hexJSON(s.head), nil
	case "eth_getBlockByNumber":
		var number hexutil.Uint64
		if json.Unmarshal(call.Params[0], &number) != nil {
			return
		}
		call.Fault = nil
		if block, ok := s.blocks[uint64(number)]; ok {
			call.Result = block
		} else if uint64(number) > s.head {
			call.Result = json.RawMessage("null")
		}
	case "eth_getLogs":
		var asked blockRange
		if json.Unmarshal(call.Params[0], &asked) != nil {
			return
		}
		call.Result, call.Fault = s.within(asked), nil
	}
}

func (s *oldChain) within(asked blockRange) json.RawMessage {
	var found []string
	for _, raw := range s.logs {
		var log struct{ BlockNumber hexutil.Uint64 }
		if json.Unmarshal(raw, &log) == nil && log.BlockNumber >= asked.FromBlock && log.BlockNumber <= asked.ToBlock {
			found = append(found, string(raw))
		}
	}
	return json.RawMessage("[" + strings.Join(found, ",") + "]")
}

func hexJSON(number uint64) json.RawMessage {
	return json.RawMessage(`"` + hexutil.EncodeUint64(number) + `"`)
}
