package store_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// retentionRows returns the rows of the table under the heading Retention in docs/data.md,
// split into cells.
func retentionRows(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("../docs/data.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Retention\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var rows [][]string
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | "))
		}
	}
	return rows
}

var tableName = regexp.MustCompile("`([a-z_]+)`")

// The operators' manual states exactly once for each table of the schema what it contains, how long it is
// stored, and why. The periods are those of the program.
func TestRetentionIsDocumented(t *testing.T) {
	t.Parallel()
	var want, got []string
	err := storetest.DB(t, storetest.New(t)).SelectContext(t.Context(), &want, `
		SELECT relname FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'goose_db_version'`)
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]string{}
	for _, row := range retentionRows(t) {
		if len(row) != 4 || slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) == "" }) {
			t.Errorf("the row %q does not have four texts", row)
			continue
		}
		for _, m := range tableName.FindAllStringSubmatch(row[0], -1) {
			got = append(got, m[1])
			kept[m[1]] = row[2]
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tables under Retention in docs/data.md (-schema +documented):\n%s", diff)
	}
	if text := market.FormatDuration(market.CancelledRetention) + " after a cancellation"; !strings.Contains(kept["files"], text) {
		t.Errorf("files are documented as kept for %q, want %q", kept["files"], text)
	}
	for table, period := range map[string]time.Duration{
		"sessions": market.SessionIdle, "challenges": market.ChallengeLifetime + time.Hour,
		"idempotency_keys": market.IdempotencyLifetime, "console_links": market.ConsoleLinkLifetime,
		"console_sessions": market.ConsoleSessionLifetime, "events": store.EventRetention, "audit_log": operators.DefaultAuditRetention,
		"outbox": store.JobRetention, "keeper_spending": store.SpendingRetention, "files": market.UnfundedLifetime,
		"usernames": market.UsernameReserve,
	} {
		if text := market.FormatDuration(period); !strings.Contains(kept[table], text) {
			t.Errorf("%s is documented as kept for %q, want %q", table, kept[table], text)
		}
	}
}
