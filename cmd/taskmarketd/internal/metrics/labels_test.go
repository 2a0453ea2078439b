package metrics_test

import (
	"strings"
	"testing"

	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
)

// Each metric and each label is declared with the list of its values, and each of these values occurs.
func TestLabelsAreBounded(t *testing.T) {
	lines := metricstest.Scrape(t, metricstest.Drive(t))
	metricstest.CheckLabels(t, lines, metricstest.Driven())
	for name, labels := range metricstest.Labels(t, metricstest.Driven()) {
		exported, text := false, strings.Builder{}
		for line := range lines {
			if found, _, _ := strings.Cut(line, "{"); found == metricstest.Prefix+name {
				exported = true
				text.WriteString(line + "\n")
			}
		}
		if !exported {
			t.Errorf("the metric %s is declared, but not exported", name)
		}
		for label, values := range labels {
			for _, value := range values {
				if !strings.Contains(text.String(), label+`="`+value+`"`) {
					t.Errorf("%s: the value %q of the label %s does not occur", name, value, label)
				}
			}
		}
	}
}

// reports records whether a check failed.
type reports struct {
	testing.TB
	failed bool
}

func (r *reports) Errorf(string, ...any) { r.failed = true }

// CheckLabels reports labels and values that are not declared, and two holders of one lease.
func TestUndeclaredLabelsAreFound(t *testing.T) {
	for line, want := range map[string]bool{
		`taskmarket_event_streams`:                                       false,
		`taskmarket_event_streams{user="ada"}`:                           true,
		`taskmarket_unknown`:                                             true,
		`taskmarket_health_reason{reason="disk_full"}`:                   false,
		`taskmarket_health_reason{reason="disk_empty"}`:                  true,
		`taskmarket_build_info{version="v2"}`:                            true,
		`taskmarket_chain_reorg_depth_blocks_bucket{le="8"}`:             false,
		`taskmarket_chain_reorg_depth_blocks_bucket{le="9"}`:             true,
		`taskmarket_lease_holder_info{holder="host/1",lease="watcher"}`:  false,
		`taskmarket_lease_holder_info{holder="host/2",lease="watcher"}`:  false,
		`taskmarket_lease_holder_info{holder="other/1",lease="watcher"}`: true,
		`go_goroutines{x="y"}`:                                           false,
	} {
		r := &reports{TB: t}
		metricstest.CheckLabels(r, map[string]string{line: "1"}, metricstest.Driven())
		if r.failed != want {
			t.Errorf("CheckLabels(%s) failed: %t, want %t", line, r.failed, want)
		}
	}
	r := &reports{TB: t}
	metricstest.CheckLabels(r, map[string]string{
		`taskmarket_lease_holder_info{holder="host/1",lease="watcher"}`: "1", `taskmarket_lease_holder_info{holder="host/2",lease="watcher"}`: "1",
	}, metricstest.Driven())
	if !r.failed {
		t.Error("CheckLabels() accepts two holders of one lease")
	}
}
