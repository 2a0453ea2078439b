package server_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	gocmp "github.com/google/go-cmp/cmp"

	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/server/gate"
	"taskmarket/store/storetest"
)

// A public operation ignores credentials: they do not change the response, and a request with
// invalid credentials does not count as refused.
func TestPublicOperationsIgnoreCredentials(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	cookie := s.assigned.cookie(t, s.url).String()
	forged := "tmk_" + strings.Repeat("0", 43) + "_000000"
	asked := 0
	for _, d := range operations(t) {
		if d.key || d.session {
			continue
		}
		ask := s.good(d)
		if d.unsafe() {
			ask.query = "?no_such_parameter=1" // adds a fault that is checked after the credentials
		}
		without := s.ask(ask)
		for name, headers := range map[string][]string{
			"a key":              {"X-API-Key", s.other.key},
			"an unverified key":  {"X-API-Key", s.unverified.key},
			"a replaced key":     {"X-API-Key", s.revoked},
			"a forged key":       {"X-API-Key", forged},
			"a malformed key":    {"X-API-Key", "x"},
			"two keys":           {"X-API-Key", s.owner.key, "X-API-Key", s.other.key},
			"a key and a cookie": {"X-API-Key", s.owner.key, "Cookie", cookie},
			"a session":          {"Cookie", cookie},
			"two sessions":       {"Cookie", cookie, "Cookie", s.stranger.cookie(t, s.url).String()},
			"an ended session":   s.ended,
			"a broken session":   {"Cookie", "taskmarket_session=x.y.z"},
			"a malformed cookie": {"Cookie", "taskmarket_session=\"; ;;=,"},
			"a wrong token":      {"Cookie", cookie, "X-CSRF-Token", "x"},
			"a bearer token":     {"Authorization", "Bearer " + forged},
		} {
			got := s.ask(ask, headers...)
			s.wantAlike(d, ask, without, got, true)
			if strings.Contains(got.header.Get("RateLimit"), "refusedCredentials") {
				t.Errorf("%s with %s counts as a refusal: %s", d.id, name, got.header.Get("RateLimit"))
			}
			asked++
		}
	}
	// Agent verification is public, so a forged key in the header has no effect.
	post := client.VerifyAgentRequest{PostURL: new(s.social.Post("newcomer", s.code(s.unverified)))}
	if got, err := s.withKey(forged).VerifyAgentWithResponse(t.Context(), s.unverified.id, post); err != nil || got.JSON200 == nil {
		t.Errorf("verify with a forged key = %s, %v", answer(got), err)
	}
	t.Logf("%d requests", asked)
}

// isPrivate reports whether the headers prevent caches from sharing the response between callers.
func isPrivate(header http.Header) bool {
	switch header.Get("Cache-Control") {
	case "no-store", "private, no-store":
		return true
	case "private, no-cache": // a browser may store it for this caller, but must revalidate it before each use
		return strings.Contains(header.Get("Vary"), "Cookie") && strings.Contains(header.Get("Vary"), "X-API-Key")
	}
	return false
}

// sharesNothing calls every GET operation as each kind of caller that it accepts. A cache that serves several
// users may only store the responses of public operations, which are the same for every caller.
func (s *scene) sharesNothing(t *testing.T) {
	t.Helper()
	for _, d := range operations(t) {
		if d.unsafe() {
			continue
		}
		for _, as := range d.callers() {
			var headers []string
			for name, value := range s.headersOf(as) {
				headers = append(headers, name, value)
			}
			for _, ask := range []request{s.good(d), {method: d.method, path: d.path + "x"}} {
				got := s.ask(ask, headers...)
				public := d.anonymous && strings.HasPrefix(got.header.Get("Cache-Control"), "public, max-age=") && got.header.Get("Set-Cookie") == ""
				if !isPrivate(got.header) && !public {
					t.Errorf("%s as %s = %d, Cache-Control %q, Vary %q", d.id, as, got.status, got.header.Get("Cache-Control"), got.header.Get("Vary"))
				}
			}
		}
	}
}

// Every operation conforms to openapi.yaml and to the rules for all operations. The subtests share
// one scene; the last two change it.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, part := range []struct {
		name string
		show func(*scene, *testing.T)
	}{
		{"is served with and without a trailing slash, only for its methods", (*scene).servesItsMethods},
		{"accepts credentials in one form", (*scene).takesOneFormOfCredentials},
		{"has the documented rate limit", (*scene).limitsAsDocumented},
		{"reports faults in the order of checks", (*scene).checksInOrder},
		{"rejects unknown and server-only fields", (*scene).rejectsForeignMembers},
		{"rejects repeated fields and invalid text", (*scene).rejectsRepeatedMembers},
		{"names the field or parameter of every fault", (*scene).namesEveryFault},
		{"lets shared caches store public responses only", (*scene).sharesNothing},
		{"rejects hidden characters", (*scene).rejectsHiddenCharacters},
		{"matches the authorisation table for every principal", (*scene).authorises},
		{"moves money whatever measures are in force", (*scene).neverBlocksMoney},
		{"moves money of hidden and removed tasks", (*scene).neverBlocksMoneyOfTasks},
	} {
		t.Run(part.name, func(t *testing.T) { part.show(s.in(t), t) })
	}
}

// spellings returns both spellings of a path: with and without the trailing slash.
func spellings(path string) []string {
	if rest, slashed := strings.CutSuffix(path, "/"); slashed {
		return []string{path, rest}
	}
	return []string{path, path + "/"}
}

// servesItsMethods calls every path with every method, with and without the trailing slash.
// Documented methods return the same response for both forms, HEAD returns the headers of GET,
// OPTIONS lists the methods, and every other method is refused with the same list.
func (s *scene) servesItsMethods(t *testing.T) {
	t.Helper()
	served := make(map[string][]string)
	for _, d := range operations(t) {
		served[d.template] = append(served[d.template], d.method)
	}
	for _, d := range operations(t) {
		allow := allowed(served[d.template])
		ask := s.good(d)
		for _, ask.path = range spellings(ask.path) {
			for _, ask.method = range []string{"PUT", "DELETE", "TRACE", "POST", "PATCH", "OPTIONS", "BREW"} {
				if !slices.Contains(served[d.template], ask.method) {
					s.wantMethodsNamed(ask, allow)
				}
			}
		}
		s.wantSameAtBothSpellings(d)
	}
}

// allowed returns the Allow header's methods for a path that serves the given methods.
func allowed(methods []string) []string {
	all := append(slices.Clone(methods), http.MethodOptions)
	if slices.Contains(all, http.MethodGet) {
		all = append(all, http.MethodHead)
	}
	slices.Sort(all)
	return all
}

// wantMethodsNamed sends a request without credentials and expects 200 for OPTIONS and 405 for
// other methods, with the Allow header.
func (s *scene) wantMethodsNamed(ask request, allow []string) {
	s.t.Helper()
	got, want := s.ask(ask), http.StatusMethodNotAllowed
	if ask.method == http.MethodOptions {
		want = http.StatusOK
		if strings.TrimSpace(got.body) != "{}" {
			s.t.Errorf("%s %s = %s", ask.method, ask.path, got.body)
		}
	} else if code := errorOf(s.t, got.body); code != "method_not_allowed" {
		s.t.Errorf("%s %s = %s", ask.method, ask.path, code)
	}
	named := strings.Split(got.header.Get("Allow"), ", ")
	slices.Sort(named)
	if got.status != want || !slices.Equal(named, allow) {
		s.t.Errorf("%s %s = %d, Allow %v, want %d, %v", ask.method, ask.path, got.status, named, want, allow)
	}
	if origin := got.header.Get("Access-Control-Allow-Origin"); origin != "" {
		s.t.Errorf("%s %s: CORS is enabled for %q", ask.method, ask.path, origin)
	}
}

// wantSameAtBothSpellings checks that both spellings of the path return the same response, and that HEAD
// returns the status and headers of GET. Requests for unsafe operations have an unknown query parameter, so
// that they change nothing.
func (s *scene) wantSameAtBothSpellings(d documented) {
	s.t.Helper()
	for _, as := range append(d.callers(), noCaller) {
		var headers []string
		for name, value := range s.headersOf(as) {
			headers = append(headers, name, value)
		}
		ask := s.good(d)
		if d.unsafe() {
			ask.query = "?no_such_parameter=1"
		}
		var first reply
		for i, spelling := range spellings(ask.path) {
			ask.path = spelling
			got := s.ask(ask, headers...)
			if i == 0 {
				first = got
			}
			s.wantAlike(d, ask, first, got, true)
			if !d.unsafe() {
				head := ask
				head.method = http.MethodHead
				s.wantAlike(d, head, first, s.ask(head, headers...), false)
			}
		}
	}
}

// lively lists the operations whose response differs between calls, for example because the first
// call marks messages as read.
var lively = map[string]bool{"getSiweMessage": true, "getHealth": true, "listDirectMessages": true}

// wantAlike compares two responses: status, headers and, if requested, bodies.
func (s *scene) wantAlike(d documented, ask request, want, got reply, bodies bool) {
	s.t.Helper()
	if got.status != want.status || got.header.Get("Location") != "" {
		s.t.Errorf("%s %s = %d, Location %q, want %d", ask.method, ask.path, got.status, got.header.Get("Location"), want.status)
	}
	if diff := gocmp.Diff(lasting(want.header), lasting(got.header)); diff != "" && !lively[d.id] {
		s.t.Errorf("%s %s: headers (-want +got):\n%s", ask.method, ask.path, diff)
	}
	switch {
	case !bodies && got.body != "":
		s.t.Errorf("%s %s has a body: %s", ask.method, ask.path, got.body)
	case bodies && got.status == http.StatusOK && got.body != want.body && !lively[d.id]:
		s.t.Errorf("%s %s = %s, want %s", ask.method, ask.path, got.body, want.body)
	case bodies && got.status >= http.StatusBadRequest && errorOf(s.t, got.body) != errorOf(s.t, want.body):
		s.t.Errorf("%s %s = %s, want %s", ask.method, ask.path, got.body, want.body)
	}
}

// lasting returns the headers except those that differ between any two responses.
func lasting(header http.Header) http.Header {
	kept := header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "RateLimit", "Content-Length", "Transfer-Encoding"} {
		kept.Del(name)
	}
	return kept
}

// takesOneFormOfCredentials checks that malformed or misplaced credentials are rejected.
func (s *scene) takesOneFormOfCredentials(t *testing.T) {
	t.Helper()
	cookie := s.assigned.cookie(t, s.url).Value
	for _, d := range operations(t) {
		if d.anonymous {
			continue
		}
		for name, headers := range map[string][]string{
			"forged key":                 {"X-API-Key", "tmk_" + strings.Repeat("0", 43) + "_000000"},
			"bearer key":                 {"Authorization", "Bearer " + s.owner.key},
			"broken JWT":                 {"Cookie", "taskmarket_session=x.y.z"},
			"key as JWT":                 {"Cookie", "taskmarket_session=" + s.owner.key},
			"JWT as key":                 {"X-API-Key", cookie},
			"other cookie":               {"Cookie", "session=" + cookie},
			"cookie with __Host- prefix": {"Cookie", "__Host-taskmarket_session=" + cookie},
			"method override":            {"X-HTTP-Method-Override", "OPTIONS"},
		} {
			if got := s.ask(s.good(d), headers...); got.status != http.StatusUnauthorized {
				t.Errorf("%s with a %s = %d %s", d.id, name, got.status, got.body)
			}
		}
		inQuery := s.good(d)
		inQuery.query = "?api_key=" + s.owner.key
		if got := s.ask(inQuery); got.status != http.StatusUnauthorized {
			t.Errorf("%s with the key in the query = %d %s", d.id, got.status, got.body)
		}
	}
}

// documentedLimit parses x-rate-limit independently of the server.
func (d documented) documentedLimit(t *testing.T) (every time.Duration, burst int) {
	t.Helper()
	limit, ok := d.op.Extensions["x-rate-limit"].(map[string]any)
	if !ok {
		t.Fatalf("%s: x-rate-limit is a %T", d.id, d.op.Extensions["x-rate-limit"])
	}
	count, unit, _ := strings.Cut(fmt.Sprint(limit["rate"]), "/")
	number, err := strconv.Atoi(count)
	if err != nil || unit != "min" {
		t.Fatalf("%s: rate %v", d.id, limit["rate"])
	}
	burst, err = strconv.Atoi(fmt.Sprint(limit["burst"]))
	if err != nil {
		t.Fatalf("%s: burst %v", d.id, limit["burst"])
	}
	return time.Minute / time.Duration(number), burst
}

// limitsAsDocumented exhausts the documented rate limit of every operation at one instant; the next
// request is refused. Each request contains a fault that is checked after the limit.
func (s *scene) limitsAsDocumented(t *testing.T) {
	t.Helper()
	s.forgetLimits() // of requests in this second, which are later than the clock below
	now := stopped(time.Now().Truncate(time.Second))
	limited := s.replica(func(o *server.Options) {
		o.Now, o.Limits = now.time, nil
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	})
	defer s.forgetLimits()
	for i, d := range operations(t) {
		every, burst := d.documentedLimit(t)
		headers := []string{"X-Forwarded-For", fmt.Sprintf("198.51.100.%d", i)}
		for name, value := range s.headersOf(d.callers()[0]) {
			headers = append(headers, name, value)
		}
		ask := s.good(d)
		ask.query = "?no_such_parameter=1"
		once := func() reply { return limited.do(ask.method, ask.path+ask.query, "", headers...) }
		for left := burst - 1; left >= 0; left-- {
			got := once()
			if remaining := fmt.Sprintf("%q;r=%d;", d.id, left); got.status == http.StatusTooManyRequests || !strings.HasPrefix(got.header.Get("RateLimit"), remaining) {
				t.Fatalf("%s, request %d = %d, RateLimit %s, want %s: %s", d.id, burst-left, got.status, got.header.Get("RateLimit"), remaining, got.body)
			}
		}
		got, wait := once(), int((every+time.Second-1)/time.Second)
		if got.status != http.StatusTooManyRequests || errorOf(t, got.body) != "rate_limited" || got.header.Get("Retry-After") != strconv.Itoa(wait) {
			t.Errorf("%s, request %d = %d, Retry-After %q, want 429, %d", d.id, burst+1, got.status, got.header.Get("Retry-After"), wait)
		}
		window := int((every*time.Duration(burst) + time.Second - 1) / time.Second)
		if policy := fmt.Sprintf("%q;q=%d;w=%d", d.id, burst, window); got.header.Get("RateLimit-Policy") != policy {
			t.Errorf("%s: RateLimit-Policy %s, want %s", d.id, got.header.Get("RateLimit-Policy"), policy)
		}
		now.advance(every)
		if first, second := once(), once(); first.status == http.StatusTooManyRequests || second.status != http.StatusTooManyRequests {
			t.Errorf("%s, %s later = %d, then %d, want 429 only for the second", d.id, every, first.status, second.status)
		}
	}
}

// asks is a row of the authorisation table: the expected outcomes of an operation on a record.
type asks struct {
	line      string
	operation string
	record    string
	want      []string // expected outcomes, one per principal
}

// outcomes maps the table's abbreviations to a status and an error code. Successes have no code.
var outcomes = map[string]struct {
	status int
	code   string
}{
	"200": {status: 200}, "201": {status: 201},
	"400": {400, "invalid_request"}, "400k": {400, "ambiguous_credentials"}, "400w": {400, "wrong_status"},
	"400t": {400, "tx_not_found"}, "400n": {400, "nothing_to_claim"}, "400v": {400, "verification_failed"},
	"400s": {400, "signature_invalid"},
	"401":  {401, "unauthorized"},
	"403":  {403, "forbidden"}, "403v": {403, "not_verified"}, "403c": {403, "csrf_failed"},
	"409": {409, "already_exists"},
	"404": {404, "not_found"}, "428": {428, "signature_required"}, "429r": {429, "rotation_too_soon"},

	// The gate checks these before a handler checks the authorisation.
	"405": {405, "method_not_allowed"}, "413": {413, "too_large"}, "415": {415, "unsupported_media_type"}, "429": {429, "rate_limited"},
}

// readAuthorisation reads testdata/authorisation.txt: the principals in its header, and its rows.
func readAuthorisation(tb testing.TB) (principals []string, table []asks) {
	tb.Helper()
	text, err := os.ReadFile("testdata/authorisation.txt")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || strings.HasPrefix(line, "#"):
		case principals == nil:
			principals = fields[2:]
		case len(fields) != len(principals)+2:
			tb.Fatalf("%d cells, want %d: %s", len(fields)-2, len(principals), line)
		default:
			table = append(table, asks{strings.TrimSpace(line), fields[0], fields[1], fields[2:]})
		}
	}
	return principals, table
}

// credentialsOf returns the request headers for a principal in the table. A principal that signs
// out gets a separate session, so that its other session stays valid.
func (s *scene) credentialsOf(principal, operation string) []string {
	s.t.Helper()
	humans := map[string]*user{
		"assigned": s.assigned, "applicant": s.applicant, "stranger": s.stranger, "validator": s.validator,
	}
	if u, ok := humans[principal]; ok && operation == "logout" {
		return s.credentials(s.human(u.signer))
	}
	if humans[principal] != nil && operation == "logoutEverywhere" {
		return s.credentials(s.human(newSigner(s.t))) // this ends all sessions of the new human
	}
	session := s.credentials(s.assigned)
	switch principal {
	case "nobody":
		return nil
	case "revoked":
		return []string{"X-API-Key", s.revoked}
	case "two":
		return append(s.credentials(s.owner), session...)
	case "nocsrf":
		return session[:2]
	case "ended":
		return s.ended
	}
	for name, u := range map[string]*user{"unverified": s.unverified, "owner": s.owner, "other": s.other} {
		humans[name] = u
	}
	if humans[principal] == nil {
		s.t.Fatalf("the table has an unknown principal %q", principal)
	}
	return s.credentials(humans[principal])
}

// authorises calls every operation as every principal: on its own record, on another account's
// record, on a record of another task, and on an unknown record. It compares the responses with the
// table. Then every principal repeats all reads. No principal may receive a text that it is not
// permitted to read, or a human's wallet that it is not permitted to see (see leakedWallets).
func (s *scene) authorises(t *testing.T) {
	t.Helper()
	principals, table := readAuthorisation(t)
	documented, heard, cells := operationsByID(t), heard{}, 0
	ask := func(row asks, principal string) reply {
		got := s.ask(s.request(documented[row.operation], row.record), s.credentialsOf(principal, row.operation)...)
		for _, text := range heard.listen(s.secretTexts, principal, got) {
			t.Errorf("%s of %s returns to %s the text %q", row.operation, row.record, principal, text)
		}
		for _, human := range s.leakedWallets(principal, got) {
			t.Errorf("%s of %s returns to %s the wallet of the %s", row.operation, row.record, principal, human)
		}
		return got
	}
	for _, row := range table {
		for column, principal := range principals {
			wantOutcome(t, row, column, principal, ask(row, principal))
			cells++
		}
	}
	for _, row := range table {
		for _, principal := range principals {
			if !documented[row.operation].unsafe() {
				ask(row, principal)
			}
		}
	}
	for _, who := range heard.missed(s.secretTexts) {
		t.Errorf("never received: %s", who)
	}
	t.Logf("%d cells: %d lines, %d principals", cells, len(table), len(principals))
}

// wantOutcome compares a response with a cell of the table.
func wantOutcome(t *testing.T, row asks, column int, principal string, got reply) {
	t.Helper()
	want, known := outcomes[row.want[column]]
	if !known {
		t.Fatalf("%s: unknown outcome %q", row.line, row.want[column])
	}
	code := ""
	if got.status >= http.StatusBadRequest {
		code = errorOf(t, got.body)
	}
	if got.status != want.status || code != want.code {
		t.Errorf("%s of %s as %s = %d %s, want %s: %.300s", row.operation, row.record, principal, got.status, code, row.want[column], got.body)
	}
}

// Every operation has a row in the table, for an unknown record if it has a path parameter. An
// operation for a task or a conversation also has a row for another account's record, and one for a
// record below a task has rows for records that do not belong to the task in the path.
func TestAuthorisationTableIsComplete(t *testing.T) {
	t.Parallel()
	_, table := readAuthorisation(t)
	lines := make(map[string]map[string]bool)
	for _, row := range table {
		if lines[row.operation] == nil {
			lines[row.operation] = make(map[string]bool)
		}
		if lines[row.operation][row.record] {
			t.Errorf("%s of %s is listed twice", row.operation, row.record)
		}
		lines[row.operation][row.record] = true
		// Ownership is checked before the status: another account gets 403 where the owner gets
		// 400.
		if slices.Contains(row.want, "400w") && !slices.Contains(row.want, "403") {
			t.Errorf("%s of %s has no pair of cells for ownership and status", row.operation, row.record)
		}
	}
	documented := operationsByID(t)
	for operation := range lines {
		if _, known := documented[operation]; !known {
			t.Errorf("openapi.yaml has no operation %s", operation)
		}
	}
	for id, d := range documented {
		needed := []string{"-"}
		if strings.Contains(d.template, "{") {
			needed = []string{"unknown"}
		}
		switch {
		case strings.Contains(d.template, "{appId}"), strings.Contains(d.template, "{fileId}"):
			needed = append(needed, "foreign", "misplaced", "crossed", "smuggled", "missing")
		case strings.HasPrefix(d.template, "/api/v1/tasks/{id}"), strings.Contains(d.template, "{conversationId}"):
			needed = append(needed, "foreign")
		}
		switch id {
		case "startConversation":
			needed = []string{"agent", "human", "unknown"}
		case "createReport":
			needed = []string{"agent", "unknown"}
		case "appealNotice":
			needed = []string{"notice", "unknown"}
		}
		for _, record := range needed {
			if !lines[id][record] {
				t.Errorf("%s has no row for %s", id, record)
			}
		}
	}
}

// probe is a request to which a test can add faults.
type probe struct {
	request
	on      *rig // the server that receives the request
	headers map[string]string
}

// fault is a change that makes a request invalid.
type fault struct {
	want string // the expected outcome, as in the authorisation table
	put  func(*probe)
}

// checksInOrder sends, for every operation, a request with all faults that the operation checks.
// The response must report the first fault in the documented order. The test then removes that
// fault and repeats the request until no fault is left. The last two checks, ownership and status,
// are covered by the authorisation table.
func (s *scene) checksInOrder(t *testing.T) {
	t.Helper()
	spent := s.replica(oneAnHour(t))
	asked, people := 0, 0
	for _, d := range operations(t) {
		for _, as := range d.callers() {
			people++
			faults := s.faults(d, as, spent)
			if first := limitAmong(faults); first >= 0 { // consume the one request that the limit allows
				s.wantFault(d, as, faults[first+1:], faults[first+1].want, people, spent)
			}
			for i, f := range faults {
				s.wantFault(d, as, faults[i:], f.want, people, s.rig)
				if asked++; f.want == "429" {
					s.forgetLimits()
				}
			}
		}
	}
	t.Logf("%d requests for %d callers of operations", asked, people)
}

// forgetLimits resets the rate limits that servers share in the database.
func (s *scene) forgetLimits() {
	s.t.Helper()
	if _, err := storetest.DB(s.t, s.records).Exec(`DELETE FROM rate_limits`); err != nil {
		s.t.Fatal(err)
	}
}

// oneAnHour limits every operation to one request per hour and client, and stops the clock.
// The address is read from X-Forwarded-For, so each caller can use a separate one.
func oneAnHour(t *testing.T) option {
	t.Helper()
	now := time.Now()
	return func(o *server.Options) {
		o.Now = func() time.Time { return now }
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		for _, d := range operations(t) {
			o.Limits[d.id] = gate.Limit{Count: 1, Period: time.Hour, Burst: 1}
		}
	}
}

func limitAmong(faults []fault) int {
	for i, f := range faults {
		if f.want == "429" {
			return i
		}
	}
	return -1
}

// wantFault sends a request with the faults and requires the outcome want.
func (s *scene) wantFault(d documented, as caller, faults []fault, want string, person int, on *rig) {
	s.t.Helper()
	p := probe{request: s.good(d), on: on, headers: s.headersOf(as)}
	p.headers["X-Forwarded-For"] = fmt.Sprintf("203.0.113.%d", person)
	var names []string
	for i := len(faults) - 1; i >= 0; i-- {
		faults[i].put(&p)
		names = append(names, faults[i].want)
	}
	if p.body != "" {
		p.headers["Content-Type"] = p.kind
	}
	var headers []string
	for name, value := range p.headers {
		headers = append(headers, name, value)
	}
	got, outcome := p.on.do(p.method, p.path+p.query, p.body, headers...), outcomes[want]
	if got.status != outcome.status || p.method != http.MethodHead && errorOf(s.t, got.body) != outcome.code {
		s.t.Errorf("%s as %s with the faults %v = %d %.200s, want %s", d.id, as, names, got.status, got.body, want)
	}
}

// headersOf returns the headers with valid credentials of the caller.
func (s *scene) headersOf(as caller) map[string]string {
	var list []string
	switch as {
	case agentCaller:
		list = s.credentials(s.owner)
	case humanCaller:
		list = s.credentials(s.assigned)
	case noCaller:
	}
	headers := make(map[string]string)
	for i := 0; i < len(list); i += 2 {
		headers[list[i]] = list[i+1]
	}
	return headers
}

// faults returns every fault that the operation checks, in the order of the checks.
func (s *scene) faults(d documented, as caller, spent *rig) []fault {
	all := []fault{
		{"404", func(p *probe) { p.path += "/no/such/path" }},
		{"405", func(p *probe) { p.method = http.MethodDelete }},
	}
	all = append(all, s.faultsOfCaller(d, as)...)
	all = append(all, fault{"429", func(p *probe) { p.on = spent }})
	if as == agentCaller && d.op.Extensions["x-unverified"] != "allowed" {
		all = append(all, fault{"403v", func(p *probe) { p.headers["X-API-Key"] = s.unverified.key }})
	}
	all = append(all, faultsOfBody(d)...)
	if strings.Contains(d.template, "{") || d.id == "startConversation" {
		all = append(all, fault{"404", func(p *probe) {
			good := s.request(d, "unknown")
			p.path, p.body = good.path, good.body
		}})
	}
	return all
}

// faultsOfCaller returns the faults in the caller's credentials.
func (s *scene) faultsOfCaller(d documented, as caller) []fault {
	var all []fault
	if as != noCaller {
		both := fault{"400k", func(p *probe) { p.headers["X-API-Key"], p.headers["Cookie"] = s.revoked, s.ended[1] }}
		invalid := fault{"401", func(p *probe) {
			if as == agentCaller {
				p.headers["X-API-Key"] = s.revoked
			} else {
				p.headers["Cookie"] = s.ended[1]
			}
		}}
		all = append(all, both, invalid)
	}
	if as == humanCaller && d.unsafe() {
		all = append(all, fault{"403c", func(p *probe) { delete(p.headers, "X-CSRF-Token") }})
	}
	if d.id == "loginWithEthereum" {
		all = append(all, fault{"403c", func(p *probe) { p.headers["Origin"] = "https://elsewhere.example" }})
	}
	return all
}

// tooLarge is a body above every limit. With Expect: 100-continue, it is sent only if the server asks for it.
var tooLarge = strings.Repeat("x", 30<<20)

// blanks contains a request body with a blank text for each operation that rejects such texts.
var blanks = map[string]string{
	"createTask":        `{"title":" ","description":"D","escrow_amount":"10000000000000000"}`,
	"registerAgent":     `{"wallet_address":"0x00000000000000000000000000000000000000a1","name":" ","username":"new-agent"}`,
	"changeHumanMe":     `{"display_name":" "}`,
	"disputeTask":       `{"reason":" "}`,
	"answerDispute":     `{"response":" "}`,
	"postTaskMessage":   `{"content":" "}`,
	"postDirectMessage": `{"content":" "}`,
	"startConversation": `{"username":"no-such-user","content":" "}`,
	"reviewTask":        `{"rating":5,"comment":" "}`,
	"postVerdict":       strings.Replace(bodies["postVerdict"], "Yes.", " ", 1),
}

// faultsOfBody returns the faults in the body and in the query string.
func faultsOfBody(d documented) []fault {
	var all []fault
	if d.unsafe() {
		all = append(all,
			fault{"413", func(p *probe) { p.body, p.headers["Expect"] = tooLarge, "100-continue" }},
			fault{"415", func(p *probe) { p.kind, p.body = "text/plain", "x" }},
			fault{"400", func(p *probe) { p.kind, p.body = d.media(), "{" }},
		)
	}
	all = append(all, fault{"400", func(p *probe) { p.query = "?no_such_parameter=1" }})
	if blank, ok := blanks[d.id]; ok {
		all = append(all, fault{"400", func(p *probe) { p.body = blank }})
	}
	return all
}

// serverOnly are fields that only the service sets, and names with a special meaning in JavaScript.
var serverOnly = strings.Fields(`
	id agent_id human_id task_id sender_id sender_type reviewer_id reviewer_type reviewee_id filed_by_agent uploaded_by
	status verified is_verified is_validator role scope karma claimable api_key api_key_prefix csrf_token
	fee_percent fee_basis_points payout_amount stake_amount escrow_task_id escrow_address terms_hash work_hash
	validator_approvals round outcome verdict finality funded_at settled_at created_at updated_at __proto__ constructor`)

// rejectsForeignMembers adds unknown or server-only fields, one at a time, to a valid request. Each
// request is refused because of the field, and nothing changes.
func (s *scene) rejectsForeignMembers(t *testing.T) {
	t.Helper()
	s.changesNothing(t, func(d documented, good request, credentials []string) {
		for _, member := range serverOnly {
			if strings.Contains(good.body, `"`+member+`"`) {
				continue
			}
			bad := good
			bad.body = withMember(good.body, member)
			got := s.ask(bad, credentials...)
			named := strings.Contains(got.body, `"field":"`+member+`"`) || good.body == "" && strings.Contains(got.body, `"code":"unexpected"`)
			if got.status != http.StatusBadRequest || errorOf(t, got.body) != "invalid_request" || !named {
				t.Errorf("%s with %s = %d %s", d.id, member, got.status, got.body)
			}
		}
	})
	s.takesOneFile(t)
}

// rejectsRepeatedMembers repeats each field of a valid request, under the same or a similar name,
// and puts text into it that cannot be stored. Each request is refused, and nothing changes.
func (s *scene) rejectsRepeatedMembers(t *testing.T) {
	t.Helper()
	s.changesNothing(t, func(d documented, good request, credentials []string) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(cmp.Or(good.body, "{}")), &members); err != nil {
			t.Fatalf("%s: %v", d.id, err)
		}
		for name, value := range members {
			var bodies []string
			for _, other := range similarNames(name) {
				member, all := `"`+other+`":`+string(value), strings.TrimSpace(good.body)
				bodies = append(bodies, "{"+member+","+all[1:], all[:len(all)-1]+","+member+"}")
			}
			for _, broken := range []string{`"\u0000"`, `"a\ud800"`, `"\udc00\ud800"`, "\"\xff\"", "\"\x00\"", "\"\xed\xa0\x80\"", "\x00"} {
				bodies = append(bodies, strings.Replace(good.body, string(value), broken, 1))
			}
			for _, body := range bodies {
				bad := good
				bad.body = body
				if got := s.ask(bad, credentials...); got.status != http.StatusBadRequest || errorOf(t, got.body) != "invalid_request" {
					t.Errorf("%s with %q = %d %s", d.id, body, got.status, got.body)
				}
			}
		}
	})
}

// rejectsHiddenCharacters puts invisible characters that no script needs into every text of a request, including
// optional texts. Each request is refused because of the field, and nothing changes.
func (s *scene) rejectsHiddenCharacters(t *testing.T) {
	t.Helper()
	texts := 0
	s.changesNothing(t, func(d documented, good request, credentials []string) {
		if d.id == "loginWithEthereum" {
			return // other users do not read the message
		}
		for _, name := range d.texts() {
			texts++
			for _, hidden := range []string{`x\u200b`, "x\u202ey", "\u3164x", `x\udb40\udc41`, "x\ufe0f", "x\u2063y", `x\u001b[2J`, "x\u007f"} {
				bad := good
				bad.body = withValue(t, good.body, name, `"`+hidden+`"`)
				got := s.ask(bad, credentials...)
				if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"code":"hidden_character"`) || !strings.Contains(got.body, `"field":"`+name+`"`) {
					t.Errorf("%s with %q = %d %s", d.id, bad.body, got.status, got.body)
				}
			}
		}
	})
	if texts < 20 {
		t.Errorf("%d texts were tested, want 20 or more", texts)
	}
}

// texts returns the members of the operation's body that are free texts.
func (d documented) texts() []string {
	var names []string
	if d.op.RequestBody == nil {
		return nil
	}
	for name, member := range d.op.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
		if text := member.Value; text.Type.Is("string") && text.Pattern == "" && text.Format == "" && text.Enum == nil {
			names = append(names, name)
		}
	}
	return names
}

// withValue returns the JSON object with the member set to the value.
func withValue(tb testing.TB, body, name, value string) string {
	tb.Helper()
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(cmp.Or(body, "{}")), &members); err != nil {
		tb.Fatal(err)
	}
	delete(members, name)
	all := `{"` + name + `":` + value
	for other, given := range members {
		all += `,"` + other + `":` + string(given)
	}
	return all + "}"
}

// similarNames returns JSON names that a lenient parser accepts for the field.
func similarNames(name string) []string {
	first, rest := name[:1], name[1:]
	return []string{
		name, fmt.Sprintf(`\u%04x`, name[0]) + rest, strings.ToUpper(first) + rest, strings.ToUpper(name), first + strings.ToUpper(rest),
		strings.NewReplacer("s", "ſ", "k", "\u212a", "a", "а", "e", "е", "o", "о", "i", "і").Replace(name) + "\u200b", // long s, Kelvin sign, Cyrillic letters
		name + " ", " " + name, name + `\u0000`, "\ufeff" + name, name + "[]", strings.ReplaceAll(name, "_", "-") + "-", "$" + name,
	}
}

// namesEveryFault sends wrong values for every member of a body, every query parameter, every id in a path and every
// header of an operation. Each request is refused with the name of the field or parameter, and nothing changes.
func (s *scene) namesEveryFault(t *testing.T) {
	t.Helper()
	s.changesNothing(t, s.namesFaultyMembers)
	s.changesNothingAt(t, func(documented) bool { return true }, func(d documented, good request, credentials []string) {
		for _, parameter := range d.op.Parameters {
			p := parameter.Value
			for _, value := range wrongParameters(p) {
				bad, headers := good, credentials
				switch p.In {
				case "query":
					bad.query = "?" + p.Name + "=" + value
				case "path":
					bad.path = parameterName.ReplaceAllString(strings.Replace(d.template, "{"+p.Name+"}", value, 1), unknownID)
				case "header":
					headers = append([]string{p.Name, value}, credentials...)
				}
				s.wantNamed(t, d, p.Name, value, s.ask(bad, headers...))
			}
			if p.In == "header" && p.Name != "If-None-Match" {
				s.wantNamed(t, d, p.Name, "two values", s.ask(good, append([]string{p.Name, "00000000-1", p.Name, "00000000-2"}, credentials...)...))
			}
		}
	})
}

// wrongParameters returns percent-encoded values that the parameter does not accept.
func wrongParameters(p *openapi3.Parameter) []string {
	schema := p.Schema.Value
	if len(schema.AllOf) > 0 {
		schema = schema.AllOf[0].Value
	}
	switch {
	case p.In == "path":
		return []string{"%20", "x%20y", strings.Repeat("a", 300)}
	case p.In == "header" && p.Name == "If-None-Match":
		return []string{strings.Repeat("a", 1001)}
	case p.In == "header":
		return []string{"a b", "\u00e4", strings.Repeat("a", 300)}
	case schema.Type.Is("integer"), schema.Type.Is("number"):
		return []string{"", "x", "-1", "1e400000000", "9" + strings.Repeat("9", 30), "0x1", "%00"}
	case schema.Type.Is("boolean"):
		return []string{"", "maybe", "1", "TRUE"}
	case schema.Format == "date-time":
		return []string{"", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-01-01T24:61:00Z", "2026-01-01T23:59:60Z", "yesterday"}
	case schema.Pattern != "", schema.Enum != nil, schema.Type.Is("array"):
		return []string{"", "a%20b!", "%00", "%ff"}
	}
	return []string{"%00", "%ff", strings.Repeat("a", 301)}
}

// namesFaultyMembers sends values of wrong types for every member of a body.
func (s *scene) namesFaultyMembers(d documented, good request, credentials []string) {
	if d.op.RequestBody == nil {
		return
	}
	const huge = "1e400000000"
	for name, member := range d.op.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
		wrong := []string{"null", "{}", "5.5", "-1", huge, "-" + huge, "9" + strings.Repeat("9", 30), `"\ud800"`}
		switch schema := member.Value; {
		case schema.Type.Is("array"):
			wrong = append(wrong, `"x"`, "[null]", "[1]", "[{}]", "["+huge+"]")
		case schema.Type.Is("integer"):
			wrong = append(wrong, `"5"`, "true", "[]", "4.9999999999999999999", "5e-1", "5e99", "0.5e1000000000000000000000")
		case schema.Type.Is("boolean"):
			wrong = append(wrong, `"true"`, "1", "[]")
		case schema.Format == "date-time":
			wrong = append(wrong, `"2030-02-30T00:00:00Z"`, `"2030-01-01T24:61:00Z"`, `"2030-06-31t00:00:00z"`, "true")
		default:
			wrong = append(wrong, "true", "[]", `"a\u0000b"`, "\"\xff\"")
		}
		for _, value := range wrong {
			bad := good
			bad.body = withValue(s.t, good.body, name, value)
			s.wantNamed(s.t, d, name, value, s.ask(bad, credentials...))
		}
	}
}

// wantNamed fails the test unless the response refuses the request because of the named field or parameter.
func (s *scene) wantNamed(tb testing.TB, d documented, name, value string, got reply) {
	tb.Helper()
	named := strings.Contains(got.body, `"field":"`+name+`"`) || strings.Contains(got.body, `"field":"`+name+`.`)
	if got.status != http.StatusBadRequest || errorOf(tb, got.body) != "invalid_request" || !named {
		tb.Errorf("%s with %s = %.40s: %d %s", d.id, name, value, got.status, got.body)
	}
}

// changesNothing calls try with a valid request for every operation that has a JSON body, and fails
// if the database changes.
func (s *scene) changesNothing(t *testing.T, try func(d documented, good request, credentials []string)) {
	t.Helper()
	s.changesNothingAt(t, func(d documented) bool { return d.unsafe() && d.media() == "application/json" }, try)
}

// changesNothingAt is changesNothing for the operations that match.
func (s *scene) changesNothingAt(t *testing.T, match func(documented) bool, try func(d documented, good request, credentials []string)) {
	t.Helper()
	cells := s.letThrough(t)
	credentials := make(map[string][]string)
	for id, c := range cells {
		credentials[id] = s.credentialsOf(c.principal, id)
	}
	before := storetest.Snapshot(t, s.records)
	for _, d := range operations(t) {
		if match(d) {
			try(d, s.request(d, cells[d.id].record), credentials[d.id])
		}
	}
	if diff := gocmp.Diff(before, storetest.Snapshot(t, s.records)); diff != "" {
		t.Errorf("rows changed (-before +after):\n%s", diff)
	}
}

// withMember adds a field to a JSON object, or returns an object with only that field.
func withMember(body, member string) string {
	added := `{"` + member + `":"1"`
	switch body {
	case "", "{}":
		return added + "}"
	}
	return added + "," + strings.TrimPrefix(body, "{")
}

// takesOneFile sends forms with a second part, which are refused.
func (s *scene) takesOneFile(t *testing.T) {
	t.Helper()
	upload := s.good(operationsByID(t)["uploadTaskFile"])
	for _, member := range serverOnly {
		for _, parts := range [][][3]string{
			{{"file", "a.txt", "A."}, {member, "", "1"}},
			{{member, "", "1"}, {"file", "a.txt", "A."}},
		} {
			kind, body := form(t, parts...)
			upload.kind, upload.body = kind, string(body)
			if got := s.ask(upload, s.credentials(s.owner)...); got.status != http.StatusBadRequest {
				t.Errorf("a form with %s = %d %s", member, got.status, got.body)
			}
		}
	}
}

// cell is a cell of the authorisation table.
type cell struct{ record, principal, want string }

// letThrough returns, for every operation, a cell of the authorisation table whose principal passes
// the checks, preferably a cell with a success.
func (s *scene) letThrough(t *testing.T) map[string]cell {
	t.Helper()
	principals, table := readAuthorisation(t)
	best := make(map[string]cell)
	for _, row := range table {
		for column, want := range row.want {
			refused := strings.HasPrefix(want, "401") || strings.HasPrefix(want, "403") || want == "400k" || want == "404"
			better := best[row.operation].want == "" || best[row.operation].want[0] != '2' && want[0] == '2'
			if !refused && better {
				best[row.operation] = cell{row.record, principals[column], want}
			}
		}
	}
	return best
}

// An idempotency key is bound to the request body, also in operations other than createTask.
func TestIdempotencyKeyIsBoundToItsBody(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, newcomer := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	open, active := "/tasks/"+r.funded(agent).ID.String(), "/tasks/"+r.active(agent, human).ID.String()
	submitted := "/tasks/" + r.submitted(agent, human).ID.String()
	conversation := "/messages/" + agent.write(r, "", human, "Hello.").ConversationID.String() + "/"
	username := human.username(r)
	for _, test := range []struct {
		path, first, second string
		who                 *user
	}{
		{open + "/applications", `{"application_message":"a"}`, `{"application_message":"b"}`, newcomer},
		{active + "/messages/", `{"content":"a"}`, `{"content":"b"}`, human},
		{active + "/submission", `{"note":"a","file_ids":[]}`, `{"note":"b","file_ids":[]}`, human},
		{submitted + "/dispute", `{"reason":"a"}`, `{"reason":"b"}`, agent},
		{"/messages/", `{"username":"` + username + `","content":"a"}`, `{"username":"` + username + `","content":"b"}`, agent},
		{conversation, `{"content":"a"}`, `{"content":"b"}`, human},
	} {
		send := func(body string) reply {
			return r.do("POST", "/api/v1"+test.path, body, append(r.credentials(test.who), "Idempotency-Key", "k")...)
		}
		first := send(test.first)
		if again := send(test.first); first.status/100 != 2 || again.status != first.status || again.body != first.body {
			t.Errorf("%s = %d %s, then %d %s", test.path, first.status, first.body, again.status, again.body)
		}
		if changed := send(test.second); changed.status != 409 || errorOf(t, changed.body) != "idempotency_key_reused" {
			t.Errorf("%s, other body = %d %s", test.path, changed.status, changed.body)
		}
	}
}

// Every operation checks its body, even if it defines no fields: a body that is too large, or
// neither JSON nor a form, is refused.
func TestOperationsRejectInvalidBodies(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
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
