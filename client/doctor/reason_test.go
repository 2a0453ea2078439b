package doctor

import (
	"strings"
	"testing"

	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// Every health reason has an explanation and advice, and an unknown reason is shown by its name.
func TestHealthReasonsAreExplained(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, reason := range market.HealthReasons {
		status := gen.HealthStatusDegraded
		if reason.Unavailable() {
			status = gen.HealthStatusUnavailable
		}
		got := healthOf(client.Health{Status: status, Reasons: []gen.HealthReason{gen.HealthReason(reason)}})
		words, known := reasonWords[reason]
		if !known || !strings.Contains(got.message, words.what) || !strings.Contains(got.hint, words.next) || words.what == "" || words.next == "" {
			t.Errorf("%s: %+v", reason, got)
		}
		if want := map[bool]Status{true: Fail, false: Warn}[reason.Unavailable()]; got.status != want {
			t.Errorf("%s is %s, want %s", reason, got.status, want)
		}
		if seen[words.what] {
			t.Errorf("%s: %q is also the explanation of another reason", reason, words.what)
		}
		seen[words.what] = true
	}
	unknown := healthOf(client.Health{Status: gen.HealthStatusDegraded, Reasons: []gen.HealthReason{"moon_phase"}})
	if !strings.Contains(unknown.message, "moon_phase") || unknown.status != Warn || unknown.hint == "" {
		t.Errorf("an unknown reason: %+v", unknown)
	}
	if later := healthOf(client.Health{Status: "read_only"}); later.status != Warn || !strings.Contains(later.message, "read_only") || later.hint == "" {
		t.Errorf("a status of a later version: %+v", later)
	}
	both := healthOf(client.Health{Status: gen.HealthStatusDegraded, Reasons: []gen.HealthReason{
		gen.HealthReason(market.ReasonKeeperLimit), gen.HealthReason(market.ReasonDiskFull),
	}})
	if !strings.Contains(both.message, reasonWords[market.ReasonKeeperLimit].what) || !strings.Contains(both.message, reasonWords[market.ReasonDiskFull].what) {
		t.Errorf("two reasons: %+v", both)
	}
	if well := healthOf(client.Health{Status: gen.HealthStatusOK}); well.status != OK {
		t.Errorf("without a reason: %+v", well)
	}
}
