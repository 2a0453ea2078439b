package server_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"taskmarket"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
)

// documented is an operation of openapi.yaml, parsed independently of the server's parser, which is
// under test.
type documented struct {
	id, method, template string // template is the path with parameter names
	path                 string // path with unknown ids
	op                   *openapi3.Operation
	key, session         bool // credentials that the operation accepts
	anonymous            bool // can be called without credentials
	unverified           bool // accepts unverified agents, at least for some records
}

// caller is a kind of credentials.
type caller string

const (
	noCaller    caller = "nobody"
	agentCaller caller = "agent"
	humanCaller caller = "human"
)

// callers returns the kinds of callers that the operation accepts.
func (d documented) callers() []caller {
	var all []caller
	if d.key {
		all = append(all, agentCaller)
	}
	if d.session {
		all = append(all, humanCaller)
	}
	if d.anonymous {
		all = append(all, noCaller)
	}
	return all
}

// unsafe reports whether the operation can change state.
func (d documented) unsafe() bool { return d.method != http.MethodGet }

// media returns the content type of the operation's body; JSON if it has no body.
func (d documented) media() string {
	if d.op.RequestBody != nil && d.op.RequestBody.Value.Content["multipart/form-data"] != nil {
		return "multipart/form-data"
	}
	return "application/json"
}

var parameterName = regexp.MustCompile(`\{[A-Za-z]+\}`)

func operations(tb testing.TB) []documented {
	tb.Helper()
	spec, err := document()
	if err != nil {
		tb.Fatalf("read document: %v", err)
	}
	var all []documented
	for template, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			d := documented{
				path: "/api/v1" + parameterName.ReplaceAllString(template, unknownID),
				id:   op.OperationID, method: method, template: "/api/v1" + template,
				op: op, anonymous: len(*op.Security) == 0, unverified: op.Extensions["x-unverified"] != nil,
			}
			for _, requirement := range *op.Security {
				_, key := requirement["ApiKey"]
				_, session := requirement["Session"]
				d.key, d.session, d.anonymous = d.key || key, d.session || session, d.anonymous || len(requirement) == 0
			}
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b documented) int { return strings.Compare(a.id, b.id) })
	return all
}

func operationsByID(tb testing.TB) map[string]documented {
	tb.Helper()
	byID := make(map[string]documented)
	for _, d := range operations(tb) {
		byID[d.id] = d
	}
	return byID
}

// Every operation documents the error responses of its checks.
func TestDocumentStatesEveryCheck(t *testing.T) {
	t.Parallel()
	for _, d := range operations(t) {
		want := []string{"400", "413", "415", "429", "500", "503"}
		if !d.anonymous {
			want = append(want, "401")
		}
		if d.unsafe() && d.session || d.key && d.op.Extensions["x-unverified"] != "allowed" {
			want = append(want, "403") // 403 means a missing CSRF token or an unverified agent
		}
		for _, status := range want {
			if d.op.Responses.Value(status) == nil {
				t.Errorf("%s does not document %s", d.id, status)
			}
		}
		for status := range d.op.Responses.Map() {
			if status == "default" {
				t.Errorf("%s documents default", d.id)
			}
		}
		if d.op.Extensions["x-rate-limit"] == nil {
			t.Errorf("%s has no x-rate-limit", d.id)
		}
	}
}

// Every operation checks its body, even if it defines no fields: a body that is too large, or
// neither JSON nor a form, is refused.
func TestOperationsRejectInvalidBodies(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	for _, d := range operations(t) {
		credentials := r.credentials(human)
		if d.key || d.anonymous {
			credentials = r.credentials(agent)
		}
		if got := r.do(d.method, d.path, "<a/>", append(credentials, "Content-Type", "text/xml")...); got.status != http.StatusUnsupportedMediaType {
			t.Errorf("%s of XML = %d %s", d.id, got.status, got.body)
		}
		if d.id == "uploadTaskFile" {
			continue // this operation allows larger bodies
		}
		if got := r.do(d.method, d.path, strings.Repeat(" ", 300_000)+"{}", credentials...); got.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s of 300,000 bytes = %d %s", d.id, got.status, got.body)
		}
	}
}

// A later version can add members and values to responses without breaking generated clients, several of
// which fail at unknown members unless additionalProperties is true, and at unknown values of an enum.
// Requests are closed, so that a misspelt member is refused.
func TestResponsesAreOpenAndRequestsClosed(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData(taskmarket.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			where := method + " " + path
			if op.RequestBody != nil && op.RequestBody.Value.Content["application/json"] != nil {
				body := op.RequestBody.Value.Content["application/json"].Schema.Value
				if has := body.AdditionalProperties.Has; has == nil || *has {
					t.Errorf("%s: the request accepts unknown members", where)
				}
			}
			for status, response := range op.Responses.Map() {
				for _, media := range response.Value.Content {
					checkOpen(t, where+" → "+status, media.Schema)
				}
				for name, header := range response.Value.Headers {
					checkOpen(t, where+" → "+status+" "+name, header.Value.Schema)
				}
			}
		}
	}
}

// oneWord matches the pattern of a single value.
var oneWord = regexp.MustCompile(`^\^[a-z_]+\$$`)

// checkOpen checks that a schema of responses, with all those it refers to, accepts additions.
func checkOpen(t *testing.T, where string, ref *openapi3.SchemaRef) {
	t.Helper()
	s := ref.Value
	if len(s.Enum) > 0 || oneWord.MatchString(s.Pattern) {
		t.Errorf("%s: the values are closed: use x-extensible-enum", where)
	}
	if s.Type.Is("object") && s.AdditionalProperties.Schema == nil && (s.AdditionalProperties.Has == nil || !*s.AdditionalProperties.Has) {
		t.Errorf("%s: the object does not accept unknown members: use additionalProperties: true", where)
	}
	for name, property := range s.Properties {
		checkOpen(t, where+"."+name, property)
	}
	for _, part := range s.AllOf {
		checkOpen(t, where, part)
	}
	if s.Items != nil {
		checkOpen(t, where+"[]", s.Items)
	}
}

// Generators fail at a parameter whose type is inside allOf, and at a schema with the name of a security
// scheme. They send defaults, so page, which must not be sent beside cursor, has none.
func TestDocumentSuitsGenerators(t *testing.T) {
	t.Parallel()
	for _, d := range operations(t) {
		for _, p := range d.op.Parameters {
			if schema := p.Value.Schema.Value; len(schema.AllOf) > 0 || p.Value.Name == "page" && schema.Default != nil {
				t.Errorf("%s: parameter %s has allOf, or is a page with a default", d.id, p.Value.Name)
			}
		}
		for status, response := range d.op.Responses.Map() {
			if events := response.Value.Content["text/event-stream"]; events != nil && events.Schema.Ref != "#/components/schemas/Event" {
				t.Errorf("%s → %s: the events have no type", d.id, status)
			}
		}
	}
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for name := range spec.Components.SecuritySchemes {
		if spec.Components.Schemas[name] != nil {
			t.Errorf("%s is a schema and a security scheme", name)
		}
	}
	if spec.Info.License == nil || spec.Info.Contact == nil {
		t.Error("info has no license or no contact")
	}
}

// The known values in openapi.yaml are those of package market, and requests accept all of them.
func TestKnownValuesAreThoseOfTheMarket(t *testing.T) {
	t.Parallel()
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"TaskStatus":        words(market.Statuses()),
		"ApplicationStatus": words(market.ApplicationStatuses()),
		"DisputeStatus":     words(market.DisputeStatuses()),
		"ActivityType":      words(market.ActivityTypes()),
		"HealthReason":      words(market.HealthReasons),
		"ReportCategory":    words(market.ReportCategories()),
		"Visibility":        words(market.Visibilities()),
	} {
		slices.Sort(want)
		if diff := cmp.Diff(want, known(t, spec, name)); diff != "" {
			t.Errorf("%s (-market +openapi.yaml):\n%s", name, diff)
		}
	}
	for name := range spec.Components.Schemas {
		if list, ok := strings.CutSuffix(name, "Input"); ok {
			if diff := cmp.Diff(known(t, spec, list), known(t, spec, name)); diff != "" {
				t.Errorf("the values of %s (-responses +requests):\n%s", list, diff)
			}
		}
	}
}

// words converts the values of a list to strings.
func words[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = string(value)
	}
	return list
}

// known returns the values of a schema, sorted.
func known(t *testing.T, spec *openapi3.T, name string) []string {
	t.Helper()
	ref := spec.Components.Schemas[name]
	if ref == nil || len(ref.Value.Enum) == 0 {
		t.Fatalf("openapi.yaml has no list %s", name)
	}
	var values []string
	for _, value := range ref.Value.Enum {
		text, _ := value.(string)
		values = append(values, text)
	}
	slices.Sort(values)
	return values
}

func TestUnknownPathsAreNotFound(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, path := range []string{
		"/", "/api", "/api/v1", "/api/v1/", "/api/v1/tasks//", "/api/v1/tasks//dispute", "/api/v2/health", "/api/v1/tasks/x/y", "/api/v1//tasks", "/api/v1/agents",
		"/api/v1/health/x", "/api/v1/%74asks%2f", "//evil.example", "/%2f%2fevil.example/..",
	} {
		got := r.do("GET", path, "")
		if got.status != http.StatusNotFound || errorOf(t, got.body) != "not_found" {
			t.Errorf("GET %s = %d %s", path, got.status, got.body)
		}
	}
}

func TestContractsConfigMatchesTheDeployment(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	got, err := r.anonymous().GetContractsConfigWithResponse(t.Context(), nil)
	if err != nil || got.JSON200 == nil {
		t.Fatalf("GET /config/contracts = %s, %v", answer(got), err)
	}
	config := *got.JSON200
	type facts struct {
		Escrow, Token, Symbol, Fee, Minimum, StakeMin, StakeMax string
		Panel                                                   int64
		Size, Quorum, Dispute                                   int
	}
	want := facts{
		r.net.Deployment.Escrow.Hex(), r.net.Deployment.Token.Hex(), "TASK", "5", "10000000000000000",
		"1000000000000000", chaintest.Tokens(10).String(), config.Panel, 3, 2, 86400,
	}
	found := facts{
		config.EscrowAddress, config.Token.Address, config.Token.Symbol, config.FeePercent, config.MinimumEscrow,
		config.Stake.Minimum, config.Stake.Maximum, config.Panel, config.PanelSize, config.Quorum, config.Windows.Dispute,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("config differs (-want +got):\n%s", diff)
	}
	tag := got.HTTPResponse.Header.Get("ETag")
	if known, err := r.anonymous().GetContractsConfigWithResponse(t.Context(), &client.GetContractsConfigParams{IfNoneMatch: &tag}); err != nil || known.StatusCode() != http.StatusNotModified {
		t.Errorf("GET with the tag = %s, %v", answer(known), err)
	}
	if config.PermitDomain.Name != "Task Token" || config.VerdictDomain.VerifyingContract != want.Escrow {
		t.Errorf("domains = %+v, %+v", config.PermitDomain, config.VerdictDomain)
	}
}

// Only the records of a task, of its parties and of the caller contain wallets: profiles, lists of
// humans, the board, reviews and conversations do not connect a wallet with a name or a social account.
func TestThreat121PublicRecordsContainNoWallet(t *testing.T) {
	t.Parallel()
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for name, schema := range spec.Components.Schemas {
		for member := range schema.Value.Properties {
			if strings.Contains(member, "wallet") || strings.Contains(member, "email") || strings.Contains(member, "phone") {
				found = append(found, name+"."+member)
			}
		}
	}
	slices.Sort(found)
	want := []string{
		"AgentAccount.wallet_address", "Application.human_wallet", "HumanAccount.wallet_address", "RecoverApiKeyRequest.wallet_address",
		"RegisterAgentRequest.wallet_address", "Task.agent_wallet_address", "Task.human_wallet_address", "Verdict.validator_wallet_address",
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("members with personal data (-want +got):\n%s", diff)
	}
}
