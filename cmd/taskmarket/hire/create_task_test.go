package hire

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// A deadline specified as a duration resolves to the deadline of an earlier run of the same
// command, even after a change of the system clock. A different deadline would make the command pay
// twice.
func TestRelativeDeadlineIsStable(t *testing.T) {
	t.Parallel()
	const life = 72 * time.Hour
	now := time.Now().UTC().Truncate(time.Second)
	signed := func(f *client.Flow) { f.Transactions = []hexutil.Bytes{{1}} }
	for name, c := range map[string]struct {
		begun time.Time
		state func(*client.Flow)
		fresh bool // the command must compute a new deadline
	}{
		"planned":                               {begun: now.Add(-time.Minute), state: func(*client.Flow) {}},
		"planned, deadline has passed":          {begun: now.Add(-life - time.Hour), state: func(*client.Flow) {}, fresh: true},
		"signed":                                {begun: now.Add(-time.Minute), state: signed},
		"signed, deadline has passed":           {begun: now.Add(-life - time.Hour), state: signed},
		"signed before the clock was set back":  {begun: now.Add(time.Hour), state: signed},
		"planned before the clock was set back": {begun: now.Add(time.Hour), state: func(*client.Flow) {}},
		"created, deadline has passed":          {begun: now.Add(-life - time.Hour), state: func(f *client.Flow) { f.Done = true }},
		"confirmed, deadline has passed":        {begun: now.Add(-life - time.Hour), state: func(f *client.Flow) { f.Agreed = true }},
		"with a longer duration":                {begun: now.Add(time.Hour), state: func(f *client.Flow) { f.Begun = f.Begun.Add(-2 * time.Hour); signed(f) }, fresh: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deadline := c.begun.Add(life)
			earlier := &client.Flow{Task: &client.TaskRequest{Deadline: &deadline}, Begun: c.begun.Add(time.Second)}
			c.state(earlier)
			if isStale(earlier) {
				earlier = nil
			}
			got, err := (&createTaskOptions{deadline: "72h"}).deadlineOf(earlier)
			clitest.Must(t, err)
			if same := got.Equal(deadline); same == c.fresh {
				t.Errorf("got deadline %s, the earlier one is %s", got, deadline)
			}
		})
	}
}

func TestParsePercent(t *testing.T) {
	for text, want := range map[string]int{"5": 500, "2.5": 250, "0.01": 1, "20 %": 2000, "0": 0, "100%": 10_000, "101": -1, "1.234": -1, "-1": -1, "x": -1} {
		got, err := parsePercent(text)
		switch {
		case want < 0 && err == nil:
			t.Errorf("parsePercent(%q) = %d", text, *got)
		case want >= 0 && (err != nil || int(*got) != want):
			t.Errorf("parsePercent(%q) = %v, %v, want %d", text, got, err, want)
		}
	}
}
