package simulation_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain/chaintest"
	"taskmarket/test/simulation/evm"
)

// finality is the depth of the finalized block, more than the deepest reorg.
const finality = 70

// fault is a way in which a provider misbehaves.
type fault string

// The faults. A fault applies to the provider's next calls.
const (
	healthy        fault = ""
	refuses        fault = "refuses connections"
	timesOut       fault = "times out"
	internalError  fault = "returns internal errors"
	nullResults    fault = "returns null"
	malformed      fault = "returns malformed JSON"
	wrongChain     fault = "returns the wrong chain id"
	lags           fault = "lags"
	frozen         fault = "keeps its head"
	omitsLogs      fault = "omits logs"
	duplicatesLogs fault = "duplicates logs"
	corruptsLogs   fault = "corrupts logs"
	dropsSent      fault = "accepts transactions and drops them"
	deniesSent     fault = "rejects transactions and mines them"
	ownErrors      fault = "returns errors of its own with HTTP status 200"
	lacksMethod    fault = "lacks a method"
	failsCalls     fault = "fails calls without a revert"
)

func faults() []fault {
	return []fault{
		refuses, timesOut, internalError, nullResults, malformed, wrongChain, lags, frozen, omitsLogs, duplicatesLogs,
		corruptsLogs, dropsSent, deniesSent,
	}
}

// errorFaults are the faults that are errors in responses with HTTP status 200.
func errorFaults() []fault { return []fault{ownErrors, lacksMethod, failsCalls} }

// slow is the time after which a call to a provider that times out fails.
const slow = 10 * time.Second

// provider is a node of the chain, possibly faulty.
type provider struct {
	chain *evm.Chain
	fault fault
	calls int        // number of calls for which the fault remains
	lag   int        // in blocks; selects the error of a fault in errorFaults
	kept  *evm.Block // the head while the fault is frozen
	final bool       // whether all blocks are final

	took     func(fault)   // called for each response that a fault changed; nil if there are no faults
	replaced func()        // called when a transaction replaced a pending one; optional
	denied   []common.Hash // transactions that the provider rejected and added to the pool
}

func viewOf(c *evm.Chain, head *evm.Block) evm.View {
	number := head.NumberU64()
	return evm.View{Chain: c, Head: head, Safe: number - min(number, finality/2), Finalized: number - min(number, finality)}
}

// view returns the chain as the provider presents it.
func (p *provider) view() evm.View {
	head := p.chain.Head()
	switch p.fault { //nolint:exhaustive // the default covers the others
	case frozen:
		head = p.kept
	case lags:
		head = head.At(head.NumberU64() - min(head.NumberU64(), uint64(p.lag)))
	default:
	}
	v := viewOf(p.chain, head)
	if p.final {
		v.Safe, v.Finalized = head.NumberU64(), head.NumberU64()
	}
	return v
}

var errRefused = errors.New("connection refused")

// RoundTrip implements http.RoundTripper.
func (p *provider) RoundTrip(r *http.Request) (*http.Response, error) {
	if s, ok := r.Context().Value(stallKey{}).(*stall); ok {
		if err := s.wait(); err != nil {
			return nil, err
		}
	}
	if p.calls--; p.calls < 0 {
		p.fault = healthy
	}
	switch p.fault { //nolint:exhaustive // the default covers the others
	case refuses:
		p.took(refuses)
		return nil, errRefused
	case timesOut:
		p.took(timesOut)
		time.Sleep(slow)
		return nil, context.DeadlineExceeded
	case malformed:
		p.took(malformed)
		return response("<html>"), nil
	default:
		return exchange(r, p.answer)
	}
}

// answer executes a call, with the provider's fault.
func (p *provider) answer(c *call) {
	if c.err = p.ownError(c.Method); c.err != nil {
		p.took(p.fault)
		return
	}
	if c.Method == "eth_sendRawTransaction" {
		p.send(c)
		return
	}
	p.execute(c)
	if p.fault != healthy && !p.honest(c) {
		p.took(p.fault)
	}
}

// ownError returns the provider's error for a call to the method, with a fault in errorFaults.
func (p *provider) ownError(method string) error {
	failure := func(f chaintest.Fault) error { return &evm.Error{Code: f.Code, Message: f.Message} }
	switch p.fault { //nolint:exhaustive // the others return no errors of their own
	case ownErrors:
		all := chaintest.ProviderFaults()
		return failure(all[slices.Sorted(maps.Keys(all))[p.lag%len(all)]])
	case lacksMethod:
		if methods := evm.Methods(); method == methods[p.lag%len(methods)] {
			return failure(chaintest.MissingMethod(method)["geth"])
		}
	case failsCalls:
		if method == "eth_call" || method == "eth_estimateGas" {
			return failure(chaintest.Fault{Code: -32000, Message: "out of gas"})
		}
	}
	return nil
}

// isHonest reports whether the provider answers the next request without a fault.
func (p *provider) isHonest() bool { return p.fault == healthy || p.calls <= 0 }

// honest reports whether a node without faults would return the same response.
func (p *provider) honest(c *call) bool {
	other := call{ID: c.ID}
	other.result, other.err = viewOf(p.chain, p.chain.Head()).Call(c.Method, c.Params)
	got, err := json.Marshal(c.reply())
	want, otherErr := json.Marshal(other.reply())
	return errors.Join(err, otherErr) == nil && bytes.Equal(got, want)
}

// send adds a transaction to the pool, with the provider's fault.
func (p *provider) send(c *call) {
	var tx types.Transaction
	var raw hexutil.Bytes
	if err := errors.Join(json.Unmarshal(c.Params[0], &raw), tx.UnmarshalBinary(raw)); err != nil {
		c.err = err
		return
	}
	switch p.fault { //nolint:exhaustive // the others do not concern transactions
	case internalError:
		c.err = &evm.Error{Code: -32603, Message: "internal error"}
		p.took(p.fault)
	case nullResults:
		p.took(p.fault)
	case dropsSent:
		c.result = tx.Hash()
		if p.chain.Head().Receipt(tx.Hash()) == nil && !contains(p.chain.Pool(), &tx) {
			p.took(p.fault)
		}
	case deniesSent:
		c.err = &evm.Error{Code: -32000, Message: "transaction rejected"}
		if p.add(&tx) == nil {
			p.denied = append(p.denied, tx.Hash())
		}
	default:
		c.result, c.err = tx.Hash(), p.add(&tx)
	}
}

// add adds a transaction to the pool, where it can replace another one.
func (p *provider) add(tx *types.Transaction) error {
	before := p.chain.Pool()
	if err := p.chain.Add(tx); err != nil {
		return err
	}
	if p.replaced != nil && slices.ContainsFunc(before, func(old *types.Transaction) bool { return !contains(p.chain.Pool(), old) }) {
		p.replaced()
	}
	return nil
}

func contains(txs []*types.Transaction, tx *types.Transaction) bool {
	return slices.ContainsFunc(txs, func(other *types.Transaction) bool { return other.Hash() == tx.Hash() })
}

// execute executes a call that does not change the pool, with the provider's fault.
func (p *provider) execute(c *call) {
	switch {
	case p.fault == internalError:
		c.err = &evm.Error{Code: -32603, Message: "internal error"}
		return
	case p.fault == nullResults:
		return
	case p.fault == wrongChain && c.Method == "eth_chainId":
		c.result = "0x1"
		return
	}
	c.result, c.err = p.view().Call(c.Method, c.Params)
	switch result := c.result.(type) {
	case []*types.Log:
		c.result = p.distort(result)
	case types.Receipts:
		if p.fault == omitsLogs && len(result) > 0 {
			c.result = result[:len(result)-1]
		}
	}
}

// distort applies the faults that concern logs.
func (p *provider) distort(logs []*types.Log) []*types.Log {
	if len(logs) == 0 {
		return logs
	}
	last := logs[len(logs)-1]
	switch p.fault { //nolint:exhaustive // the default covers the others
	case omitsLogs:
		return logs[:len(logs)-1]
	case duplicatesLogs:
		return append(slices.Clone(logs), last)
	case corruptsLogs:
		changed := *last
		changed.Data = append([]byte{1}, changed.Data...)
		return append(slices.Clone(logs[:len(logs)-1]), &changed)
	default:
		return logs
	}
}

// call is a JSON-RPC call and its response.
type call struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`

	result any
	err    error
}

// reply returns the response as a JSON object.
func (c *call) reply() map[string]any {
	reply := map[string]any{"jsonrpc": "2.0", "id": c.ID}
	if c.err == nil {
		reply["result"] = c.result
		return reply
	}
	failure, ok := errors.AsType[*evm.Error](c.err)
	if !ok {
		failure = &evm.Error{Code: -32000, Message: c.err.Error()}
	}
	reply["error"] = failure
	return reply
}

// exchange answers an HTTP request that contains a call or a batch of calls.
func exchange(r *http.Request, answer func(*call)) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var calls []*call
	batch := bytes.HasPrefix(bytes.TrimSpace(body), []byte("["))
	if !batch {
		body = slices.Concat([]byte("["), body, []byte("]"))
	}
	if err := json.Unmarshal(body, &calls); err != nil {
		return nil, err
	}
	replies := make([]any, len(calls))
	for i, c := range calls {
		answer(c)
		replies[i] = c.reply()
	}
	var out []byte
	if batch {
		out, err = json.Marshal(replies)
	} else {
		out, err = json.Marshal(replies[0])
	}
	return response(string(out)), err
}

func response(body string) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
	}
}

// stallKey is the context key of a *stall.
type stallKey struct{}

// stall stops a process in the middle of a step, before one of its requests to a node, until resume is
// closed. The process then continues or, if killed is set, its requests fail.
type stall struct {
	after   int // number of requests before the stop
	reached chan struct{}
	resume  chan struct{}
	killed  bool
	once    bool
	failed  error // error of the step; set when it has ended
}

func newStall(after int) *stall {
	return &stall{after: after, reached: make(chan struct{}), resume: make(chan struct{})}
}

var errKilled = errors.New("the process was killed")

func (s *stall) wait() error {
	if s.after--; s.after >= 0 {
		return nil
	}
	if !s.once {
		s.once = true
		close(s.reached)
		<-s.resume
	}
	if s.killed {
		return errKilled
	}
	return nil
}
