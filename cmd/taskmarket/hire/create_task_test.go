package hire

import (
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/clitest"
	"taskmarket/cmd/taskmarket/internal/spend"
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
		other bool // the earlier flow is for a different task
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
		"for another task":                      {begun: now.Add(-time.Minute), state: signed, other: true, fresh: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := client.TaskRequest{Title: "Harbour", Description: "Ten photos.", Amount: big.NewInt(10), Skills: []string{"demo"}}
			earlier := request
			earlier.Deadline, earlier.MaxFeeBasisPoints = new(c.begun.Add(life)), new(uint16(500))
			if c.other {
				earlier.Title = "Bridge"
			}
			flow := client.Flow{Key: "k", Task: &earlier, Begun: c.begun.Add(time.Second)}
			c.state(&flow)
			journal := client.FileFlows(filepath.Join(t.TempDir(), "flows"))
			unlock, err := journal.Lock(t.Context(), "k")
			clitest.Must(t, err)
			defer unlock()
			clitest.Must(t, journal.Save(t.Context(), &flow))
			o := &createTaskOptions{deadline: "72h", Command: spend.Command{Journal: journal}}
			got, err := o.deadlineOf(t.Context(), request)
			clitest.Must(t, err)
			if same := got.Equal(*earlier.Deadline); same == c.fresh {
				t.Errorf("got deadline %s, the earlier one is %s", got, earlier.Deadline)
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
