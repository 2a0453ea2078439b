package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/store/storetest"
)

// coveted are members of records that only the service sets.
var coveted = strings.Fields(`
	id agent_id human_id task_id sender_id sender_type reviewer_id reviewer_type reviewee_id filed_by_agent uploaded_by
	status verified is_verified is_validator role scope karma claimable api_key api_key_prefix csrf_token
	fee_percent fee_basis_points payout_amount stake_amount escrow_task_id escrow_address terms_hash work_hash
	validator_approvals round outcome verdict finality funded_at settled_at created_at updated_at __proto__ constructor`)

// takesItsMembersAlone adds foreign members, one at a time, to a request that would be accepted: it
// is refused for that member, and nothing changes.
func (s *scene) takesItsMembersAlone(t *testing.T) {
	t.Helper()
	cells := s.letThrough(t)
	credentials := make(map[string][]string)
	for id, c := range cells {
		credentials[id] = s.credentialsOf(c.principal, id)
	}
	before, asked := storetest.Snapshot(t, s.records), 0
	for _, d := range operations(t) {
		if !d.unsafe() || d.media() != "application/json" {
			continue
		}
		good := s.request(d, cells[d.id].record)
		for _, member := range coveted {
			if strings.Contains(good.body, `"`+member+`"`) {
				continue
			}
			bad := good
			bad.body = withMember(good.body, member)
			got := s.ask(bad, credentials[d.id]...)
			named := strings.Contains(got.body, `"field":"`+member+`"`) || good.body == "" && strings.Contains(got.body, `"code":"unexpected"`)
			if got.status != http.StatusBadRequest || errorOf(t, got.body) != "invalid_request" || !named {
				t.Errorf("%s with %s = %d %s", d.id, member, got.status, got.body)
			}
			asked++
		}
	}
	s.takesOneFile(t)
	if diff := cmp.Diff(before, storetest.Snapshot(t, s.records)); diff != "" {
		t.Errorf("rows changed (-before +after):\n%s", diff)
	}
	t.Logf("%d requests", asked)
}

// withMember adds a member to a JSON object, or returns an object with it alone.
func withMember(body, member string) string {
	added := `{"` + member + `":"1"`
	switch body {
	case "", "{}":
		return added + "}"
	}
	return added + "," + strings.TrimPrefix(body, "{")
}

// takesOneFile sends forms with a second part.
func (s *scene) takesOneFile(t *testing.T) {
	t.Helper()
	upload := s.good(operationsByID(t)["uploadTaskFile"])
	for _, member := range coveted {
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

// cell is one of the authorisation table.
type cell struct{ record, principal, want string }

// letThrough returns for every operation a cell of the authorisation table with an accepted
// principal, preferably a success.
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
