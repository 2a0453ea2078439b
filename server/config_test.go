package server_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/chaintest"
	"taskmarket/gen/client"
	"taskmarket/market"
)

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

func TestSkillsAreDistinctAndUsable(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	got, err := r.anonymous().GetSkillsConfigWithResponse(t.Context(), nil)
	if err != nil || got.JSON200 == nil {
		t.Fatalf("GET /config/skills = %s, %v", answer(got), err)
	}
	var names, skills []string
	for _, category := range got.JSON200.Categories {
		names = append(names, category.Name)
		skills = append(skills, category.Skills...)
	}
	if len(names) < 10 || len(skills) < 100 {
		t.Errorf("%d skills in %d categories", len(skills), len(names))
	}
	for _, list := range [][]string{names, skills} {
		slices.Sort(list)
		if distinct := slices.Compact(slices.Clone(list)); len(distinct) != len(list) {
			t.Errorf("%v contains duplicates", list)
		}
	}
	for _, skill := range skills {
		if len(skill) > market.MaxSkill || skill != strings.ToLower(strings.TrimSpace(skill)) {
			t.Errorf("skill %q is not valid for a task", skill)
		}
	}
}

// locations searches with the query and returns the response's status and body.
func (r *rig) locations(query string) (int, client.LocationPage, string) {
	r.t.Helper()
	got := r.do("GET", "/api/v1/config/locations"+query, "")
	var page client.LocationPage
	if got.status == http.StatusOK {
		if err := json.Unmarshal([]byte(got.body), &page); err != nil {
			r.t.Fatalf("read %s: %v", got.body, err)
		}
	}
	return got.status, page, got.body
}

func TestLocationsAreSearchedByPrefix(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	status, page, body := r.locations("?q=" + url.QueryEscape("SÃO pau"))
	if status != 200 || len(page.Locations) == 0 || page.Locations[0].Name != "São Paulo" || page.Locations[0].CountryCode != "BR" {
		t.Errorf("São Pau = %d %s", status, body)
	}
	status, page, body = r.locations("?q=qqqqq")
	if status != 200 || page.Total != 0 || page.Locations == nil || len(page.Locations) != 0 {
		t.Errorf("nothing = %d %s", status, body)
	}
}

func TestLocationsArePaged(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	_, whole, _ := r.locations("?q=san")
	if len(whole.Locations) != 20 || whole.Total < 100 || whole.NextCursor == nil || whole.Page != 1 || whole.PageSize != 20 {
		t.Fatalf("first page = %d of %d", len(whole.Locations), whole.Total)
	}
	_, first, _ := r.locations("?q=san&page_size=10")
	for _, rest := range []string{"&page=2", "&cursor=" + *first.NextCursor} {
		_, second, body := r.locations("?q=san&page_size=10" + rest)
		if len(second.Locations) != 10 || second.Locations[0].Name != whole.Locations[10].Name || second.Total != whole.Total {
			t.Errorf("second page by %s = %s", rest, body)
		}
	}
}

func TestLocationsRejectInvalidSearches(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	for _, query := range []string{
		"", "?q=", "?q=%20", "?q=-", "?q=%00", "?q=%ff", "?q=" + strings.Repeat("a", 101), "?q=a&q=b", "?q=a&x=b", "?Q=a",
		"?q=a&page=0", "?q=a&page=51", "?q=a&page_size=0", "?q=a&page_size=21", "?q=a&page=1&cursor=b2Zmc2V0IDIw", "?q=a&cursor=x", "?q=a&cursor=!",
	} {
		if status, _, body := r.locations(query); status != 400 {
			t.Errorf("%s = %d %s", query, status, body)
		}
	}
}

func TestCatalogsAreConditional(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	for _, path := range []string{"/api/v1/config/skills", "/api/v1/config/instance", "/api/v1/config/locations?q=lis"} {
		tag := r.do("GET", path, "").header.Get("ETag")
		if got := r.do("GET", path, "", "If-None-Match", tag); tag == "" || got.status != http.StatusNotModified || got.body != "" {
			t.Errorf("%s with its tag %q = %d %q", path, tag, got.status, got.body)
		}
	}
}
