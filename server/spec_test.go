package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
)

// documented is an operation of the document with a path that can be asked.
type documented struct {
	id, method, path string
	op               *openapi3.Operation
	agent, human     bool // whose credentials it takes
	public           bool
}

func operations(tb testing.TB) []documented {
	tb.Helper()
	spec, err := document()
	if err != nil {
		tb.Fatalf("read document: %v", err)
	}
	var all []documented
	for path, item := range spec.Paths.Map() {
		for method, op := range item.Operations() {
			for _, name := range []string{"{id}", "{appId}", "{fileId}"} {
				path = strings.ReplaceAll(path, name, uuid.Must(uuid.NewV7()).String())
			}
			d := documented{id: strings.ToLower(op.OperationID[:1]) + op.OperationID[1:], method: method, path: "/api/v1" + path, op: op, public: true}
			for _, requirement := range *op.Security {
				_, key := requirement["ApiKey"]
				_, session := requirement["Session"]
				d.agent, d.human = d.agent || key, d.human || session
				d.public = d.public && len(requirement) == 0
			}
			if slices.ContainsFunc(*op.Security, func(r openapi3.SecurityRequirement) bool { return len(r) == 0 }) {
				d.public, d.agent = true, false
			}
			all = append(all, d)
		}
	}
	return all
}

// Every operation documents what its checks can answer.
func TestDocumentStatesEveryCheck(t *testing.T) {
	t.Parallel()
	for _, d := range operations(t) {
		want := []string{"400", "429", "500", "503"}
		if !d.public {
			want = append(want, "401")
		}
		if d.method != http.MethodGet {
			want = append(want, "413", "415")
			if !d.public {
				want = append(want, "403")
			}
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

// Every operation refuses nobody and the wrong kind of somebody, and reaches
// its other checks for the right kind.
func TestOperationsKeepTheirAuthenticationClass(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.agent(r.net.Agent), r.human(r.net.Human)
	agentKey := []string{"X-API-Key", agent.key}
	sessionOf := func(u *user) []string {
		return []string{"Cookie", u.cookie(t, r.url).String(), "Origin", r.url, "X-CSRF-Token", u.csrf}
	}
	for _, d := range operations(t) {
		t.Run(d.id, func(t *testing.T) {
			session, agentKey := sessionOf(human), agentKey
			switch d.id {
			case "logout": // ends the session that it is asked with
				session = sessionOf(r.human(r.net.Human))
			case "rotateAPIKey": // ends the key that it is asked with
				agentKey = []string{"X-API-Key", r.agent(r.net.OtherAgent).key}
			}
			for name, test := range map[string]struct {
				headers []string
				allowed bool
			}{
				"nobody":      {nil, d.public},
				"agent":       {agentKey, d.public || d.agent},
				"human":       {session, d.public || d.human},
				"forged key":  {[]string{"X-API-Key", "tmk_" + strings.Repeat("0", 43) + "_000000"}, d.public && d.id != "verifyAgent"},
				"broken JWT":  {[]string{"Cookie", "taskmarket_session=x.y.z"}, d.public},
				"key as JWT":  {[]string{"Cookie", "taskmarket_session=" + agent.key}, d.public},
				"other name":  {[]string{"Cookie", "session=" + human.cookie(t, r.url).Value}, d.public},
				"query param": {nil, d.public},
			} {
				got := r.do(d.method, d.path, "", test.headers...)
				if refused := got.status == http.StatusUnauthorized; refused == test.allowed && d.id != "loginWithEthereum" {
					t.Errorf("%s: status = %d, allowed = %v: %s", name, got.status, test.allowed, got.body)
				}
				if got.status >= 500 {
					t.Errorf("%s: status = %d: %s", name, got.status, got.body)
				}
			}
			both := r.do(d.method, d.path, "", append(agentKey, session...)...)
			if ambiguous := both.status == 400 && errorOf(t, both.body) == "ambiguous_credentials"; ambiguous != (!d.public || d.id == "verifyAgent") {
				t.Errorf("both credentials: %d %s", both.status, both.body)
			}
		})
	}
}

// Every path serves its methods in both spellings, and no others.
func TestPathsServeTheirMethodsOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	methods := map[string][]string{}
	for _, d := range operations(t) {
		path := d.path
		if d.method == http.MethodGet {
			methods[path] = append(methods[path], http.MethodHead)
		}
		methods[path] = append(methods[path], d.method, http.MethodOptions)
	}
	all := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}
	for path, served := range methods {
		twin := path + "/"
		if strings.HasSuffix(path, "/") {
			twin = strings.TrimSuffix(path, "/")
		}
		for _, spelling := range []string{path, twin} {
			for _, method := range all {
				got := r.do(method, spelling, "")
				if refused := got.status == http.StatusMethodNotAllowed; refused == slices.Contains(served, method) {
					t.Errorf("%s %s = %d, served are %v", method, spelling, got.status, served)
				} else if refused && got.header.Get("Allow") == "" {
					t.Errorf("%s %s: no Allow", method, spelling)
				}
				if got.header.Get("Location") != "" {
					t.Errorf("%s %s redirects to %s", method, spelling, got.header.Get("Location"))
				}
			}
		}
	}
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

func TestOptionsListsTheMethods(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	got := r.do("OPTIONS", "/api/v1/tasks", "")
	if got.status != 200 || strings.TrimSpace(got.body) != "{}" || got.header.Get("Allow") != "GET, HEAD, POST, OPTIONS" {
		t.Errorf("OPTIONS = %d %q, Allow %q", got.status, got.body, got.header.Get("Allow"))
	}
	if origin := got.header.Get("Access-Control-Allow-Origin"); origin != "" {
		t.Errorf("CORS is on for %q", origin)
	}
}

func TestHeadIsGetWithoutBody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	get, head := r.do("GET", "/api/v1/config/contracts", ""), r.do("HEAD", "/api/v1/config/contracts", "")
	if head.status != get.status || head.body != "" || head.header.Get("ETag") != get.header.Get("ETag") {
		t.Errorf("HEAD = %d %q, GET = %d", head.status, head.body, get.status)
	}
	if got := r.do("HEAD", "/api/v1/tasks/", ""); got.status != http.StatusUnauthorized || got.body != "" {
		t.Errorf("HEAD without credentials = %d %q", got.status, got.body)
	}
}

func TestContractsConfigIsTheDeployment(t *testing.T) {
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
	if config.PermitDomain.Name != "Task Token" || config.VerdictDomain.VerifyingContract != want.Escrow {
		t.Errorf("domains = %+v, %+v", config.PermitDomain, config.VerdictDomain)
	}
}
