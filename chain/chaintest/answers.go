package chaintest

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// OftenOf applies a change to the first calls of a method, at most the given number of times. Calls
// for which change returns false do not count. It is safe for concurrent use, because the watcher
// has several calls in flight.
func OftenOf(times int, method string, change func(*Exchange) bool) func(*Exchange) {
	var mu sync.Mutex
	return func(c *Exchange) {
		mu.Lock()
		defer mu.Unlock()
		if c.Method == method && times > 0 && change(c) {
			times--
		}
	}
}

// OnLogs changes the first log of a response with logs. It returns false if the log stays the same.
func OnLogs(change func(log map[string]any)) func(*Exchange) bool {
	return func(c *Exchange) bool {
		var logs []map[string]any
		if json.Unmarshal(c.Result, &logs) != nil || len(logs) == 0 {
			return false
		}
		was, _ := json.Marshal(logs)
		change(logs[0])
		c.Result, _ = json.Marshal(logs)
		return !bytes.Equal(was, c.Result)
	}
}

// OnList changes an answer that is a list with at least two elements.
func OnList(change func(logs []any) []any) func(*Exchange) bool {
	return func(c *Exchange) bool {
		var logs []any
		if json.Unmarshal(c.Result, &logs) != nil || len(logs) < 2 {
			return false
		}
		c.Result, _ = json.Marshal(change(logs))
		return true
	}
}

// ChangeTopics changes the topics of a log.
func ChangeTopics(change func([]any) []any) func(map[string]any) {
	return func(log map[string]any) {
		if topics, ok := log["topics"].([]any); ok && len(topics) > 0 {
			log["topics"] = change(topics)
		}
	}
}

// Member sets a member of a log.
func Member(member string, value any) func(map[string]any) {
	return func(log map[string]any) { log[member] = value }
}

// BlockOf returns the number of the block that a call requests by hash.
func BlockOf(t *testing.T, net *Net, c *Exchange) (number uint64, ok bool) {
	t.Helper()
	var hash common.Hash
	switch c.Method {
	case "eth_getLogs":
		var query struct{ BlockHash *common.Hash }
		if json.Unmarshal(c.Params[0], &query) != nil || query.BlockHash == nil {
			return 0, false
		}
		hash = *query.BlockHash
	case "eth_getBlockReceipts":
		if json.Unmarshal(c.Params[0], &hash) != nil {
			return 0, false
		}
	default:
		return 0, false
	}
	header, err := net.Dev.Client().HeaderByHash(t.Context(), hash)
	if err != nil {
		return 0, false
	}
	return header.Number.Uint64(), true
}

// Wider rejects a request for more blocks than the limit.
func Wider(c *Exchange, limit int64) *Fault {
	if Span(c) > limit {
		return &Fault{Code: -32602, Message: "block range is too wide"}
	}
	return nil
}

// Span returns the number of blocks in a request for the logs of a range, or 0 for another request.
func Span(c *Exchange) int64 {
	var query struct{ FromBlock, ToBlock string }
	if c.Method != "eth_getLogs" || json.Unmarshal(c.Params[0], &query) != nil || query.FromBlock == "" {
		return 0
	}
	from, _ := strconv.ParseInt(query.FromBlock, 0, 64)
	to, _ := strconv.ParseInt(query.ToBlock, 0, 64)
	return to - from + 1
}

// Lag changes responses to those of a node that lags by the given number of blocks.
func Lag(t *testing.T, net *Net, c *Exchange, blocks uint64) bool {
	t.Helper()
	head := net.Head(t).Number - blocks
	var block string
	if json.Unmarshal(c.Params[0], &block) != nil {
		return false
	}
	switch number, err := strconv.ParseUint(strings.TrimPrefix(block, "0x"), 16, 64); {
	case block == "latest":
		h, err := net.Dev.Client().HeaderByNumber(t.Context(), new(big.Int).SetUint64(head))
		if err != nil {
			return false
		}
		c.Result, _ = json.Marshal(h)
	case err == nil && number > head:
		c.Result = json.RawMessage("null")
	}
	return true
}

// Numbered returns the block number that a call requests; false for tags.
func Numbered(c *Exchange) (number uint64, ok bool) {
	var block string
	if c.Method != "eth_getBlockByNumber" || json.Unmarshal(c.Params[0], &block) != nil {
		return 0, false
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(block, "0x"), 16, 64)
	return number, err == nil && strings.HasPrefix(block, "0x")
}

// ForgeData changes the data of logs in the same way in every response that contains them, so that
// the node's responses agree with each other.
func ForgeData(c *Exchange) {
	change := func(log map[string]any) {
		if data, ok := log["data"].(string); ok && len(data) >= 66 {
			log["data"] = data[:65] + "7" + data[66:]
		}
	}
	switch c.Method {
	case "eth_getLogs":
		var logs []map[string]any
		if json.Unmarshal(c.Result, &logs) == nil {
			for _, log := range logs {
				change(log)
			}
			c.Result, _ = json.Marshal(logs)
		}
	case "eth_getBlockReceipts":
		var receipts []map[string]any
		if json.Unmarshal(c.Result, &receipts) == nil {
			for _, r := range receipts {
				logs, _ := r["logs"].([]any)
				for _, log := range logs {
					if log, ok := log.(map[string]any); ok {
						change(log)
					}
				}
			}
			c.Result, _ = json.Marshal(receipts)
		}
	}
}
