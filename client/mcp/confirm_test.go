package mcp_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client/mcp"
)

// reviews is an API that accepts reviews and counts them.
type reviews struct {
	*httptest.Server
	count atomic.Int32
}

func newReviews(t *testing.T) *reviews {
	t.Helper()
	r := &reviews{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		r.count.Add(1)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"id":"0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e81","task_id":"0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80","reviewer_type":"agent",`+
			`"reviewer_id":"0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e82","reviewer_username":"harbour","reviewee_type":"human",`+
			`"reviewee_id":"0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e83","rating":5,"after_rejection":false,"created_at":"2030-01-01T00:00:00.000Z"}`)
	}))
	t.Cleanup(r.Close)
	return r
}

// asker is a host whose person gives one answer.
type asker struct {
	answer func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error)
	asked  []string // the questions
}

func answering(action string) *asker {
	return &asker{answer: func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		return &sdk.ElicitResult{Action: action}, nil
	}}
}

// host connects a host to the tools. Without an asker, the host has no elicitation.
func (r *reviews) host(t *testing.T, version string, a *asker, change func(*mcp.AgentOptions)) *sdk.ClientSession {
	t.Helper()
	in, out, _ := startWith(t, r.URL, change)
	var options *sdk.ClientOptions
	if a != nil {
		options = &sdk.ClientOptions{ElicitationHandler: func(ctx context.Context, request *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			a.asked = append(a.asked, request.Params.Message)
			return a.answer(ctx, request.Params)
		}}
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "host", Version: "1"}, options).
		Connect(t.Context(), &sdk.IOTransport{Reader: out, Writer: in}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// reviewPlan plans a review and returns the arguments of execute_plan.
func reviewPlan(t *testing.T, session *sdk.ClientSession, comment string) map[string]any {
	t.Helper()
	plan, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "plan_review_task", Arguments: map[string]any{
		"task_id": "0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80", "rating": 5, "comment": comment,
	}})
	if err != nil || plan.IsError {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	made, _ := plan.StructuredContent.(map[string]any)
	return map[string]any{"plan_id": made["plan_id"], "spends": made["spends"]}
}

// execute executes a plan and returns the error text, or "" if it was executed.
func execute(t *testing.T, session *sdk.ClientSession, plan map[string]any) string {
	t.Helper()
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "execute_plan", Arguments: plan})
	if err != nil {
		return err.Error()
	}
	text, _ := got.Content[0].(*sdk.TextContent)
	if got.IsError {
		return text.Text
	}
	return ""
}

var versions = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

// A host with elicitation asks a person before the tools do something that cannot be undone.
func TestHostAsksPerson(t *testing.T) {
	t.Parallel()
	for _, version := range versions {
		for action, want := range map[string]string{"accept": "", "decline": "declined this plan", "cancel": "declined this plan"} {
			t.Run(version+" "+action, func(t *testing.T) {
				t.Parallel()
				api, person := newReviews(t), answering(action)
				// The person's answer in the host counts, not the other way.
				session := api.host(t, version, person, func(o *mcp.AgentOptions) {
					o.Confirm = func(context.Context, mcp.Confirmation) (bool, error) { return action != "accept", nil }
				})
				plan := reviewPlan(t, session, "quick")
				if got := execute(t, session, plan); want == "" && got != "" || !strings.Contains(got, want) {
					t.Errorf("the result is %q, want %q", got, want)
				}
				if got := execute(t, session, plan); !strings.Contains(got, "already been used") {
					t.Errorf("the second result is %q", got)
				}
				if done := api.count.Load() == 1; done != (want == "") || len(person.asked) != 1 {
					t.Errorf("executed: %v; questions: %q", done, person.asked)
				}
			})
		}
	}
}

// If the host cannot ask, the program's own way decides.
func TestProgramAsksPerson(t *testing.T) {
	t.Parallel()
	said := func(yes bool, err error) func(*mcp.AgentOptions) {
		return func(o *mcp.AgentOptions) {
			o.Confirm = func(context.Context, mcp.Confirmation) (bool, error) { return yes, err }
		}
	}
	for name, c := range map[string]struct {
		change func(*mcp.AgentOptions)
		want   string
	}{
		"yes":     {said(true, nil), ""},
		"no":      {said(false, nil), "declined this plan"},
		"failure": {said(true, errors.New("no terminal")), "the confirmation failed: no terminal"},
		"no way":  {func(*mcp.AgentOptions) {}, "--confirm tty"},
		"waived":  {func(o *mcp.AgentOptions) { o.Unconfirmed = true }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			api := newReviews(t)
			session := api.host(t, "", nil, c.change)
			if got := execute(t, session, reviewPlan(t, session, "quick")); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("the result is %q, want %q", got, c.want)
			}
			if done := api.count.Load() == 1; done != (c.want == "") {
				t.Errorf("executed: %v", done)
			}
		})
	}
}

// A person who answers after the plan has expired changes nothing.
func TestLateConfirmationDoesNotCount(t *testing.T) {
	t.Parallel()
	start := time.Now()
	var elapsed atomic.Int64
	now := func() time.Time { return start.Add(time.Duration(elapsed.Load())) }
	api := newReviews(t)
	slow := &asker{answer: func(context.Context, *sdk.ElicitParams) (*sdk.ElicitResult, error) {
		elapsed.Store(int64(time.Hour))
		return &sdk.ElicitResult{Action: "accept"}, nil
	}}
	session := api.host(t, "2025-11-25", slow, func(o *mcp.AgentOptions) { o.Now = now })
	if got := execute(t, session, reviewPlan(t, session, "quick")); !strings.Contains(got, "expired") || len(slow.asked) != 1 {
		t.Errorf("the result is %q", got)
	}
	session = api.host(t, "", nil, func(o *mcp.AgentOptions) {
		o.Now = now
		o.Confirm = func(ctx context.Context, _ mcp.Confirmation) (bool, error) { <-ctx.Done(); return true, nil }
	})
	plan := reviewPlan(t, session, "quick")
	elapsed.Add(int64(10*time.Minute - 2*time.Second))
	if got := execute(t, session, plan); !strings.Contains(got, "deadline exceeded") {
		t.Errorf("the result is %q", got)
	}
	if api.count.Load() != 0 {
		t.Errorf("%d reviews were sent", api.count.Load())
	}
}

// An answer counts only for the question that the server asked about this plan.
func TestConfirmationIsBoundToItsPlan(t *testing.T) {
	t.Parallel()
	api, person := newReviews(t), answering("decline")
	session := api.host(t, "2026-07-28", person, func(*mcp.AgentOptions) {})
	plan := reviewPlan(t, session, "quick")
	id, _ := plan["plan_id"].(string)
	got, err := session.CallTool(t.Context(), &sdk.CallToolParams{
		Name: "execute_plan", Arguments: plan,
		InputResponses: sdk.InputResponseMap{id: &sdk.ElicitResult{Action: "accept"}},
	})
	if err != nil || !got.IsError || len(person.asked) != 1 || api.count.Load() != 0 {
		t.Errorf("the result is %+v, %v; questions: %q", got, err, person.asked)
	}
}

// The question consists of facts; a text in it can neither add a line nor hide characters.
func TestQuestionQuotesTexts(t *testing.T) {
	t.Parallel()
	api, person := newReviews(t), answering("decline")
	session := api.host(t, "2025-11-25", person, func(*mcp.AgentOptions) {})
	execute(t, session, reviewPlan(t, session, "good\"\nConsequence: nothing \x1b[2K\u202e"))
	if len(person.asked) != 1 {
		t.Fatalf("questions: %q", person.asked)
	}
	question := person.asked[0]
	for _, want := range []string{
		"It cannot be undone", "Action: review task\n", "task_id: 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80\n", "rating: 5",
		"Consequence: The review is published under your name and is final.\n", `comment: "good\"\nConsequence: nothing \x1b[2K\u202e"`,
	} {
		if !strings.Contains(question, want) {
			t.Errorf("%q is missing in %q", want, question)
		}
	}
	if strings.Count(question, "\nConsequence: ") != 1 || strings.ContainsAny(question, "\x1b\u202e") {
		t.Errorf("the question is %q", question)
	}
}
