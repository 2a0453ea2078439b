package chain_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
)

// call is one proxied JSON-RPC call with its answer.
type call struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`

	Result json.RawMessage `json:"-"`
	Fault  *fault          `json:"-"`
}

// fault is a JSON-RPC error.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// proxy is a proxy of a node that can change its answers.
type proxy struct {
	URL string

	server   *httptest.Server
	mu       sync.Mutex
	upstream string
	// answer changes the response to a call; nil for no change.
	answer func(*call)
	// http, if not nil, can respond instead of the node. It returns whether it did.
	http  func(w http.ResponseWriter, methods []string) bool
	calls map[string]int
}

func newProxy(t *testing.T, upstream string) *proxy {
	t.Helper()
	p := &proxy{upstream: upstream, calls: make(map[string]int)}
	p.server = httptest.NewServer(p)
	t.Cleanup(p.server.Close)
	p.URL = p.server.URL
	return p
}

// set changes the proxy's behavior between requests.
func (p *proxy) set(change func(*proxy)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}

func (p *proxy) count(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[method]
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	batch := bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	var calls []*call
	if batch {
		err = json.Unmarshal(body, &calls)
	} else {
		calls = []*call{{}}
		err = json.Unmarshal(body, calls[0])
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	upstream, change, instead := p.upstream, p.answer, p.http
	methods := make([]string, len(calls))
	for i, c := range calls {
		p.calls[c.Method]++
		methods[i] = c.Method
	}
	p.mu.Unlock()
	if instead != nil && instead(w, methods) {
		return
	}
	replies := make([]map[string]any, len(calls))
	for i, c := range calls {
		if err := forward(r, upstream, c); err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		if change != nil {
			change(c)
		}
		replies[i] = map[string]any{"jsonrpc": "2.0", "id": c.ID}
		if c.Fault != nil {
			replies[i]["error"] = c.Fault
		} else {
			replies[i]["result"] = c.Result
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if batch {
		_ = json.NewEncoder(w).Encode(replies)
		return
	}
	_ = json.NewEncoder(w).Encode(replies[0])
}

// forward sends the call to the node and stores the answer.
func forward(r *http.Request, upstream string, c *call) error {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": c.Method, "params": c.Params})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(r.Context(), http.MethodPost, upstream, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var reply struct {
		Result json.RawMessage
		Error  *fault
	}
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return err
	}
	c.Result, c.Fault = reply.Result, reply.Error
	return nil
}

// oftenOf applies a change to the first calls of a method, at most the given number of times. Calls
// for which change returns false do not count. It is safe for concurrent use, because the watcher
// has several calls in flight.
func oftenOf(times int, method string, change func(*call) bool) func(*call) {
	var mu sync.Mutex
	return func(c *call) {
		mu.Lock()
		defer mu.Unlock()
		if c.Method == method && times > 0 && change(c) {
			times--
		}
	}
}

// onLogs changes the first log of a response with logs. It returns false if the log stays the same.
func onLogs(change func(log map[string]any)) func(*call) bool {
	return func(c *call) bool {
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

// onList changes an answer that is a list with at least two elements.
func onList(change func(logs []any) []any) func(*call) bool {
	return func(c *call) bool {
		var logs []any
		if json.Unmarshal(c.Result, &logs) != nil || len(logs) < 2 {
			return false
		}
		c.Result, _ = json.Marshal(change(logs))
		return true
	}
}

// changeTopics changes the topics of a log.
func changeTopics(change func([]any) []any) func(map[string]any) {
	return func(log map[string]any) {
		if topics, ok := log["topics"].([]any); ok && len(topics) > 0 {
			log["topics"] = change(topics)
		}
	}
}

func set(member string, value any) func(map[string]any) {
	return func(log map[string]any) { log[member] = value }
}

// blockOf returns the number of the block that a call requests by hash.
func blockOf(t *testing.T, net *chaintest.Net, c *call) (number uint64, ok bool) {
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

// wider rejects a request for more blocks than the limit.
func wider(c *call, limit int64) *fault {
	if span(c) > limit {
		return &fault{Code: -32602, Message: "block range is too wide"}
	}
	return nil
}

// span returns the number of blocks in a request for the logs of a range, or 0 for another request.
func span(c *call) int64 {
	var query struct{ FromBlock, ToBlock string }
	if c.Method != "eth_getLogs" || json.Unmarshal(c.Params[0], &query) != nil || query.FromBlock == "" {
		return 0
	}
	from, _ := strconv.ParseInt(query.FromBlock, 0, 64)
	to, _ := strconv.ParseInt(query.ToBlock, 0, 64)
	return to - from + 1
}

// lag changes responses to those of a node that lags by the given number of blocks.
func lag(t *testing.T, net *chaintest.Net, c *call, blocks uint64) bool {
	t.Helper()
	head := net.Head(t).Number - blocks
	var asked string
	if json.Unmarshal(c.Params[0], &asked) != nil {
		return false
	}
	switch number, err := strconv.ParseUint(strings.TrimPrefix(asked, "0x"), 16, 64); {
	case asked == "latest":
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

// numbered returns the block number that a call requests; false for tags.
func numbered(c *call) (number uint64, ok bool) {
	var asked string
	if c.Method != "eth_getBlockByNumber" || json.Unmarshal(c.Params[0], &asked) != nil {
		return 0, false
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(asked, "0x"), 16, 64)
	return number, err == nil && strings.HasPrefix(asked, "0x")
}

// forgeData changes the data of logs in the same way in every response that contains them, so that
// the node's responses agree with each other.
func forgeData(c *call) {
	change := func(log map[string]any) bool {
		if data, ok := log["data"].(string); ok && len(data) >= 66 {
			log["data"] = data[:65] + "7" + data[66:]
			return true
		}
		return false
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
