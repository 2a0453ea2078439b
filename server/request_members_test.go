package server_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	gocmp "github.com/google/go-cmp/cmp"

	"taskmarket/store/storetest"
)

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
