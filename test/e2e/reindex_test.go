package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	gen "taskmarket/gen/client"
	"taskmarket/store/storetest"
)

// omit removes all logs from the first responses to range queries, at most the given number of times.
// It counts these responses in omitted.
func omit(times int, omitted *int) func([]*chaintest.Exchange) bool {
	return func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			ranged := c.Method == "eth_getLogs" && strings.Contains(string(c.Params[0]), "fromBlock")
			if ranged && len(c.Result) > len("[]") && *omitted < times {
				c.Result = json.RawMessage("[]")
				*omitted++
			}
		}
		return true
	}
}

// If a node omits logs from its responses, `reindex` and `after-restore` lose no records, either with
// only this node or with a second one.
func TestReindexSurvivesDishonestNodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, devnet.Options{SlotsPerEpoch: 2})
	defer w.end()
	task := w.active(w.net.Head(t).Time.AddDate(0, 0, 7))
	_, err := w.human().Submit(w.ctx, task.ID, "The photographs are attached.")
	w.must(err)
	w.await(task.ID, gen.TaskStatusSubmitted)
	w.net.Mine(t, 20)
	w.settle()
	w.must(w.server.stop())
	for _, command := range []string{"reindex", "after-restore"} {
		for name, c := range map[string]struct{ times, nodes int }{
			"once, the only node":        {times: 1, nodes: 1},
			"three times, the only node": {times: 3, nodes: 1},
			"always, the first of two":   {times: 1 << 30, nodes: 2},
		} {
			t.Run(command+", "+name, func(t *testing.T) {
				p := chaintest.NewProxy(t, w.net.Dev.URL())
				omitted := 0
				p.Misbehave(omit(c.times, &omitted))
				nodes := []string{p.URL, w.net.Dev.URL()}[:c.nodes]
				replayed := storetest.Copy(t, w.records)
				w.operateVia(strings.Join(nodes, ","), storetest.URL(t, replayed), command)
				w.wantSameFold(replayed)
				if omitted == 0 {
					t.Error("the node omitted nothing")
				}
			})
		}
	}
}
