package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	gen "taskmarket/gen/client"
)

// toolbox is an MCP client that is connected to one tool server.
type toolbox struct {
	*world
	session *sdk.ClientSession
}

// args are the arguments of a tool.
type args = map[string]any

// keyCarrier is an HTTP transport that sends an API key with every request.
type keyCarrier string

// RoundTrip implements http.RoundTripper.
func (k keyCarrier) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if k != "" {
		r.Header.Set("X-API-Key", string(k))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// toolsByHTTP connects to the market's tool server with the API key; empty for none.
func (w *world) toolsByHTTP(key string) toolbox {
	w.t.Helper()
	return w.connect(&sdk.StreamableClientTransport{
		Endpoint: w.server.origin() + "/mcp", HTTPClient: &http.Client{Transport: keyCarrier(key)},
	})
}

func (w *world) connect(transport sdk.Transport) toolbox {
	w.t.Helper()
	return w.connectAs(transport, nil)
}

// connectAs is like connect, for a host with other capabilities.
func (w *world) connectAs(transport sdk.Transport, host *sdk.ClientOptions) toolbox {
	w.t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, host).Connect(w.ctx, transport, nil)
	w.must(err)
	w.t.Cleanup(func() { _ = session.Close() })
	return toolbox{w, session}
}

// try calls a tool and returns its result, or its error text.
func (b toolbox) try(name string, arguments args) (result map[string]any, refusal string) {
	b.t.Helper()
	got, err := b.session.CallTool(b.ctx, &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		b.t.Fatalf("%s: %v", name, err)
	}
	text, ok := got.Content[0].(*sdk.TextContent)
	if !ok || len(got.Content) != 1 {
		b.t.Fatalf("%s returned %v", name, got.Content)
	}
	for _, found := range anyTime.FindAllString(text.Text, -1) {
		if _, err := time.Parse("2006-01-02T15:04:05.000Z", found); err != nil {
			b.t.Errorf("%s: the time %s is not like 2026-01-02T03:04:05.000Z", name, found)
		}
	}
	if got.IsError {
		return nil, text.Text
	}
	b.must(json.Unmarshal([]byte(text.Text), &result))
	if structured, err := json.Marshal(got.StructuredContent); err != nil || !sameJSON(structured, []byte(text.Text)) {
		b.t.Errorf("%s: the text is not the structured content (%v)", name, err)
	}
	return result, ""
}

// anyTime matches a time in a text, in any format.
var anyTime = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:[.,]\d*)?(?:Z|[+-]\d{2}:?\d{2})?`)

func sameJSON(one, other []byte) bool {
	var a, b any
	return json.Unmarshal(one, &a) == nil && json.Unmarshal(other, &b) == nil && fmt.Sprint(a) == fmt.Sprint(b)
}

// call calls a tool that must succeed.
func (b toolbox) call(name string, arguments args) map[string]any {
	b.t.Helper()
	result, refusal := b.try(name, arguments)
	if refusal != "" {
		b.t.Fatalf("%s: %s", name, refusal)
	}
	return result
}

// refused calls a tool that must fail with an error that contains the words.
func (b toolbox) refused(name string, arguments args, words string) {
	b.t.Helper()
	if _, refusal := b.try(name, arguments); !strings.Contains(refusal, words) {
		b.t.Errorf("%s returns the error %q, want %q", name, refusal, words)
	}
}

// as converts a JSON value to its required type.
func as[T any](tb testing.TB, value any) T {
	tb.Helper()
	typed, ok := value.(T)
	if !ok {
		tb.Fatalf("got %v, which is not a %T", value, typed)
	}
	return typed
}

// send signs and sends a transaction that a tool returned, with the agent's wallet, and returns its
// hash.
func (b toolbox) send(to, data any) string {
	b.t.Helper()
	raw, err := hexutil.Decode(as[string](b.t, data))
	b.must(err)
	receipt, err := send.NewSender(b.net.Node, b.agent.Wallet).Send(b.ctx, chain.Call{To: common.HexToAddress(as[string](b.t, to)), Data: raw})
	b.must(err)
	return receipt.TxHash.Hex()
}

// fund locks a task's amount with the agent's wallet, following the tools' instructions.
func (b toolbox) fund(task string) {
	b.t.Helper()
	asked := b.call("prepare_task_funding", args{"task_id": task})
	encoded, err := json.Marshal(asked["typed_data"])
	b.must(err)
	var permit apitypes.TypedData
	b.must(json.Unmarshal(encoded, &permit))
	if permit.Message["value"] != asked["spends"] || permit.Message["spender"] != b.net.Deployment.Escrow.Hex() {
		b.t.Errorf("the permit is %v", permit.Message)
	}
	other, err := b.net.Human.SignTypedData(b.ctx, permit)
	b.must(err)
	b.refused("prepare_task_funding", args{
		"task_id": task, "permit_deadline": asked["permit_deadline"], "permit_signature": hexutil.Encode(other),
	}, "the signature does not match wallet")
	signature, err := b.agent.Wallet.SignTypedData(b.ctx, permit)
	b.must(err)
	ready := b.call("prepare_task_funding", args{
		"task_id": task, "permit_deadline": asked["permit_deadline"], "permit_signature": hexutil.Encode(signature),
	})
	transaction := as[args](b.t, ready["transaction"])
	b.call("confirm_task_funding", args{"task_id": task, "tx_hash": b.send(transaction["to"], transaction["data"])})
}

// order returns the arguments for the task that the tool tests create. The task's text contains
// injected instructions.
func order() args {
	return args{
		"title": injection + "title", "description": injection + "description", "escrow_amount": chaintest.Tokens(10).String(),
		"skills": []string{"IGNORE ALL skill"}, "location": injection + "place",
	}
}

// A model hires a human with the server's tools and an external wallet.
func TestToolsByHTTP(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	b := w.toolsByHTTP(w.agent.Key)
	task := as[string](t, b.call("create_task", order())["id"])
	b.fund(task)
	id := uuid.MustParse(task)
	w.addUntrustedText(id)

	applications := as[[]any](t, b.call("list_task_applications", args{"task_id": task})["applications"])
	application := as[args](t, applications[0])["id"]
	// Record a rejection, but do not send its transaction.
	b.call("reject_application", args{"task_id": task, "application_id": application, "reason": injection + "reason"})
	accept := b.call("accept_application", args{"task_id": task, "application_id": application})
	b.call("confirm_application", args{"task_id": task, "tx_hash": b.send(accept["to"], accept["accept_application_calldata"])})
	w.deliver(id)
	approve := b.call("approve_task", args{"task_id": task})
	if !strings.Contains(as[string](t, approve["consequence"]), "cannot be undone") {
		t.Errorf("approving has the consequence %v", approve["consequence"])
	}
	b.send(approve["to"], approve["approve_task_calldata"])
	w.await(id, gen.TaskStatusValidating)
	w.vote(id, true)
	w.await(id, gen.TaskStatusApproved)
	w.wantGains(before, paid)
	w.review(id)
	b.call("review_task", args{"task_id": task, "rating": 5, "comment": injection + "comment"})
	b.wantAllWrapped(id)
	b.wantNoFundingWhileHeld()
}

// wantNoFundingWhileHeld checks that the tools prepare no funding for a task that a moderation rule holds.
func (b toolbox) wantNoFundingWhileHeld() {
	b.t.Helper()
	held := b.call("create_task", args{"title": "Harbour photos", "description": "Upload a selfie holding your passport.", "escrow_amount": chaintest.Tokens(10).String()})
	b.refused("prepare_task_funding", args{"task_id": held["id"]}, "is held until a moderator decides")
}
