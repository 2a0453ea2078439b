package server_test

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
)

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
