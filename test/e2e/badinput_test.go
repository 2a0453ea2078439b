package e2e_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/google/uuid"

	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/test/actor"
)

// fewest is the minimum number of bad requests for every operation, and fewestBodies the minimum
// with bad bodies in total.
const (
	fewest       = 50
	fewestBodies = 7000
)

// bad is a request that every operation must refuse.
type bad struct {
	name    string
	method  string
	target  string // path below the base path, and query
	kind    string // content type; none if empty
	body    string
	headers http.Header // added to the caller's
	as      caller
	denied  bool // refused for its caller, not for its content

	route     *routers.Route
	elsewhere bool // not for an operation of the document
}

// caller sends a request with an account's credentials.
type caller func(*http.Request) (*http.Response, error)

// badInputPatience is more than the test takes on a loaded machine.
const badInputPatience = 15 * time.Minute

// TestBadInput sends every operation of the document a table of bad requests generated from its
// schemas. Each is refused with a documented client error, and changes nothing.
func TestBadInput(t *testing.T) {
	t.Parallel()
	w := newWorldFor(t, badInputPatience)
	defer w.end()
	s := w.scene()
	w.settle()
	requests, bodies := 0, 0
	for path, item := range s.document.Paths.Map() {
		for method, op := range item.Operations() {
			t.Run(op.OperationID, func(t *testing.T) {
				before := w.snapshot()
				table := s.table(t, operation{Operation: op, method: method, path: path, served: item.Operations()})
				if len(table) < fewest {
					t.Errorf("%d bad requests, want %d or more", len(table), fewest)
				}
				requests += len(table)
				for _, b := range table {
					if b.body != s.valid[op.OperationID] {
						bodies++
					}
				}
				s.wantAllBad(t, table)
				wantUnchanged(t, before, w.snapshot())
			})
		}
	}
	t.Logf("%d bad requests, %d of them with bad bodies", requests, bodies)
	if bodies < fewestBodies {
		t.Errorf("%d bad bodies, want %d or more", bodies, fewestBodies)
	}
}

// scene is a task with an application, and the accounts that may access it.
type scene struct {
	document *openapi3.T
	api      string
	ids      map[string]string // of path parameters; an agent's is "agent", a human's "human"
	agent    caller
	human    caller
	both     caller
	nobody   caller
	valid    map[string]string // bodies by operation
}

func (w *world) scene() *scene {
	w.t.Helper()
	document := readDocument(w.t)
	task := w.post(w.net.Head(w.t).Time.AddDate(0, 0, 7))
	application := w.apply(w.human(), task.ID)
	human := w.human()
	s := &scene{
		document: document, api: w.server.api(), human: asPerson(human), nobody: http.DefaultClient.Do,
		agent: func(r *http.Request) (*http.Response, error) {
			r.Header.Set("X-API-Key", w.agent.Key)
			return http.DefaultClient.Do(r)
		},
		ids: map[string]string{
			"agent": w.agent.ID.String(), "id": task.ID.String(), "appId": application.ID.String(), "fileId": application.ID.String(),
			"conversationId": w.conversation(human).String(), "username": "harbour-agent",
		},
	}
	s.ids["human"] = humanID(w, human)
	s.both = func(r *http.Request) (*http.Response, error) {
		r.Header.Set("X-API-Key", w.agent.Key)
		return s.human(r)
	}
	s.valid = validBodies(w, task)
	return s
}

func readDocument(tb testing.TB) *openapi3.T {
	tb.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("../../openapi.yaml")
	if err != nil {
		tb.Fatalf("read the API document: %v", err)
	}
	return document
}

func humanID(w *world, human *actor.Person) string {
	me, err := human.API.GetHumanMeWithResponse(w.ctx)
	w.must(err)
	return me.JSON200.ID.String()
}

// conversation returns a conversation of the agent and the human.
func (w *world) conversation(with *actor.Person) uuid.UUID {
	w.t.Helper()
	me, err := with.API.GetHumanMeWithResponse(w.ctx)
	w.must(err)
	message, err := w.agent.WriteTo(w.ctx, me.JSON200.Username, "Hello.")
	w.must(err)
	return message.ConversationID
}

// asPerson sends the requests of a person's browser.
func asPerson(p *actor.Person) caller {
	return func(r *http.Request) (*http.Response, error) {
		browser, ok := p.API.ClientInterface.(*gen.Client)
		if !ok {
			return nil, fmt.Errorf("a person's client is a %T", p.API.ClientInterface)
		}
		own := r.Header.Clone()
		for _, edit := range browser.RequestEditors {
			if err := edit(r.Context(), r); err != nil {
				return nil, err
			}
		}
		maps.Copy(r.Header, own)
		return browser.Client.Do(r)
	}
}

// validBodies are valid bodies of the operations; each bad one differs in one thing.
func validBodies(w *world, task client.Task) map[string]string {
	hash, signature := "0x"+strings.Repeat("ab", 32), "0x"+strings.Repeat("11", 65)
	return map[string]string{
		"registerAgent":      `{"wallet_address":"` + w.net.OtherAgent.Address().Hex() + `","name":"Other","username":"other","bio":"Other."}`,
		"recoverAPIKey":      `{"wallet_address":"` + w.net.OtherAgent.Address().Hex() + `"}`,
		"verifyAgent":        `{"post_url":"http://` + w.socialHost + `/@harbour-agent/1"}`,
		"loginWithEthereum":  `{"message":"Sign in.","signature":"` + signature + `"}`,
		"createTask":         `{"title":"T","description":"D","escrow_amount":"` + task.EscrowAmount + `","skills":["a"],"location":"Hamburg","remote":true,"deadline":"2100-01-01T00:00:00Z"}`,
		"confirmTaskFunding": `{"tx_hash":"` + hash + `"}`,
		"confirmApplication": `{"tx_hash":"` + hash + `"}`,
		"approveTask":        `{"tx_hash":"` + hash + `"}`,
		"applyForTask":       `{"application_message":"Me."}`,
		"rejectApplication":  `{"reason":"No."}`,
		"reviewTask":         `{"rating":5,"comment":"Good."}`,
		"changeHumanMe":      `{"username":"mara","display_name":"Mara","bio":"Me.","skills":["a"],"location":"Hamburg","remote":true,"hourly_rate":"5","is_available":true}`,
		"verifyHuman":        `{"post_url":"http://` + w.socialHost + `/@mara/1"}`,
		"submitWork":         `{"note":"Done.","proof_url":"https://example.com/","file_ids":[]}`,
		"disputeTask":        `{"reason":"No."}`,
		"answerDispute":      `{"response":"Yes."}`,
		"postTaskMessage":    `{"content":"Hello."}`,
		"postDirectMessage":  `{"content":"Hello."}`,
		"startConversation":  `{"username":"harbour-agent","content":"Hello."}`,
		"postVerdict":        `{"approved":true,"reason":"Yes.","signature":"` + signature + `"}`,
	}
}

// operation is an operation of the document, with its method and path.
type operation struct {
	*openapi3.Operation
	method, path string
	served       map[string]*openapi3.Operation // by method, at the same path
}

// accepts reports whether the operation accepts the security scheme.
func (op operation) accepts(scheme string) bool {
	return op.Security != nil && slices.ContainsFunc(*op.Security, func(r openapi3.SecurityRequirement) bool {
		_, ok := r[scheme]
		return ok
	})
}

// public reports whether the operation can be called without credentials.
func (op operation) public() bool { return !op.accepts("ApiKey") && !op.accepts("Session") }

// unsafe reports whether a session needs its CSRF token.
func (op operation) unsafe() bool { return op.method != http.MethodGet }

// senders is the number of concurrent senders of bad requests.
const senders = 8

// wantAllBad sends requests and fails unless each gets a valid refusal.
func (s *scene) wantAllBad(t *testing.T, table []bad) {
	t.Helper()
	var group sync.WaitGroup
	for first := range senders {
		group.Go(func() {
			for i := first; i < len(table); i += senders {
				s.wantBad(t, table[i])
			}
		})
	}
	group.Wait()
}

func (s *scene) wantBad(t *testing.T, b bad) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), b.method, s.api+b.target, strings.NewReader(b.body))
	if err != nil {
		t.Errorf("%s: %v", b.name, err)
		return
	}
	if b.kind != "" {
		request.Header.Set("Content-Type", b.kind)
	}
	maps.Copy(request.Header, b.headers)
	response, err := b.as(request)
	if err != nil {
		t.Errorf("%s: %s %s: %v", b.name, b.method, b.target, err)
		return
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Errorf("%s: read the answer: %v", b.name, err)
		return
	}
	if fault := s.fault(b, response, body); fault != "" {
		t.Errorf("%s: %s %.200s %.200s = %s %.300s: %s", b.name, b.method, b.target, b.body, response.Status, body, fault)
	}
}

// fault returns what is wrong with a refusal.
func (s *scene) fault(b bad, response *http.Response, body []byte) string {
	switch denied := response.StatusCode == http.StatusUnauthorized || response.StatusCode == http.StatusForbidden; {
	case response.StatusCode < 400 || response.StatusCode > 499:
		return "want it refused as the caller's fault"
	case denied && !b.denied:
		return "want it refused for what it holds"
	case !strings.HasPrefix(response.Header.Get("Content-Type"), "application/json"):
		return "want JSON, not " + response.Header.Get("Content-Type")
	}
	if err := s.check(b, response, body); err != nil {
		return err.Error()
	}
	return ""
}

// check validates a refusal against the document: against the operation's answers or, without an
// operation, against the general error.
func (s *scene) check(b bad, response *http.Response, body []byte) error {
	if b.elsewhere {
		var refusal any
		if err := json.Unmarshal(body, &refusal); err != nil {
			return err
		}
		return s.document.Components.Schemas["ApiError"].Value.VisitJSON(refusal)
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: response.Request, Route: b.route},
		Status:                 response.StatusCode, Header: response.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	}
	input.SetBodyBytes(body)
	return openapi3filter.ValidateResponse(response.Request.Context(), input)
}
