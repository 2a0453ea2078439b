package gate

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
)

// documented returns the operations of openapi.yaml by operationId.
func documented(t *testing.T) map[string]*Operation {
	t.Helper()
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	operations, err := readOperations(spec)
	if err != nil {
		t.Fatal(err)
	}
	return operations
}

// Every operation documents the error responses of its checks.
func TestDocumentStatesEveryCheck(t *testing.T) {
	t.Parallel()
	for id, d := range documented(t) {
		want := []string{"400", "413", "415", "429", "500", "503"}
		if !d.Public() {
			want = append(want, "401")
		}
		if d.unsafe() && d.session || d.APIKey && d.Route.Operation.Extensions["x-unverified"] != "allowed" {
			want = append(want, "403") // 403 means a missing CSRF token or an unverified agent
		}
		for _, status := range want {
			if d.Route.Operation.Responses.Value(status) == nil {
				t.Errorf("%s does not document %s", id, status)
			}
		}
		for status := range d.Route.Operation.Responses.Map() {
			if status == "default" {
				t.Errorf("%s documents default", id)
			}
		}
		if d.Route.Operation.Extensions["x-rate-limit"] == nil {
			t.Errorf("%s has no x-rate-limit", id)
		}
	}
}

// A later version can add members and values to responses without breaking generated clients, several of
// which fail at unknown members unless additionalProperties is true, and at unknown values of an enum.
// Requests are closed, so that a misspelt member is refused.
func TestResponsesAreOpenAndRequestsClosed(t *testing.T) {
	t.Parallel()
	spec, err := document()
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
	for id, d := range documented(t) {
		for _, p := range d.Route.Operation.Parameters {
			if schema := p.Value.Schema.Value; len(schema.AllOf) > 0 || p.Value.Name == "page" && schema.Default != nil {
				t.Errorf("%s: parameter %s has allOf, or is a page with a default", id, p.Value.Name)
			}
		}
		for status, response := range d.Route.Operation.Responses.Map() {
			if events := response.Value.Content["text/event-stream"]; events != nil && events.Schema.Ref != "#/components/schemas/Event" {
				t.Errorf("%s → %s: the events have no type", id, status)
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
	if ref == nil {
		t.Fatalf("openapi.yaml has no list %s", name)
	}
	list := ref.Value.Enum // of requests; the lists of responses are open
	if open, ok := ref.Value.Extensions["x-extensible-enum"].([]any); ok {
		list = open
	}
	var values []string
	for _, value := range list {
		text, _ := value.(string)
		values = append(values, text)
	}
	slices.Sort(values)
	return values
}

// Only the records of a task, of its parties and of the caller contain wallets: profiles, lists of
// humans, the board, reviews and conversations do not connect a wallet with a name or a social account.
func TestPublicRecordsContainNoWallet(t *testing.T) {
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

// The limits in openapi.yaml equal those in package market, so that a request that passes
// validation is not refused later because of a limit.
func TestDocumentHasTheMarketsLimits(t *testing.T) {
	t.Parallel()
	spec, err := document()
	if err != nil {
		t.Fatalf("read openapi.yaml: %v", err)
	}
	for _, field := range []struct {
		schema, member string
		most           uint64
	}{
		{"Username", "", market.MaxUsername},
		{"Skill", "", market.MaxSkill},
		{"Location", "", market.MaxLocation},
		{"HttpUrl", "", market.MaxURL},
		{"RegisterAgentRequest", "name", market.MaxName},
		{"RegisterAgentRequest", "bio", market.MaxBio},
		{"ChangeHumanRequest", "display_name", market.MaxName},
		{"ChangeHumanRequest", "bio", market.MaxBio},
		{"ChangeHumanRequest", "location", market.MaxLocation},
		{"ChangeHumanRequest", "skills", market.MaxSkills},
		{"CreateTaskRequest", "title", market.MaxTitle},
		{"CreateTaskRequest", "description", market.MaxDescription},
		{"CreateTaskRequest", "skills", market.MaxSkills},
		{"ApplyForTaskRequest", "application_message", market.MaxApplication},
		{"RejectApplicationRequest", "reason", market.MaxRejection},
		{"Application", "rejection_reason", market.MaxRejection},
		{"SubmitWorkRequest", "note", market.MaxNote},
		{"SubmitWorkRequest", "file_ids", market.MaxFilesPerTask},
		{"DisputeTaskRequest", "reason", market.MaxReason},
		{"AnswerDisputeRequest", "response", market.MaxReason},
		{"PostVerdictRequest", "reason", market.MaxReason},
		{"ReviewRequest", "comment", market.MaxReviewComment},
		{"MessageRequest", "content", market.MaxMessage},
		{"StartConversationRequest", "content", market.MaxMessage},
	} {
		schema := spec.Components.Schemas[field.schema].Value
		if field.member != "" {
			schema = schema.Properties[field.member].Value
		}
		most := schema.MaxLength
		if schema.Type.Is("array") {
			most = schema.MaxItems
		}
		if most == nil {
			t.Errorf("%s %s has no limit, want %d", field.schema, field.member, field.most)
		} else if *most != field.most {
			t.Errorf("%s %s allows at most %d, want %d", field.schema, field.member, *most, field.most)
		}
	}
}

// Every operation that confirms or withdraws money is marked to be shed last.
func TestExitsAreShedLast(t *testing.T) {
	t.Parallel()
	var last []string
	for id, d := range documented(t) {
		if d.Route.Operation.Extensions["x-shed"] == "last" {
			last = append(last, id)
		}
	}
	for _, id := range []string{
		"confirmTaskFunding", "confirmApplication", "approveTask", "cancelTask", "withdrawApplication", "submitWork", "disputeTask",
		"answerDispute", "postVerdict", "claimRewards", "getTaskNext",
	} {
		if !slices.Contains(last, id) {
			t.Errorf("%s is not marked x-shed: last", id)
		}
	}
}
