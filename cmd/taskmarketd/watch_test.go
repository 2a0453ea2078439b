package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/go-cmp/cmp"

	"taskmarket/chain/audit"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/follow"
	"taskmarket/chain/rpc"
	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// audited combines a chain, a database that follows the chain, and an auditor that compares the two.
type audited struct {
	t       *testing.T
	net     *chaintest.Net
	node    *rpc.Node
	store   *store.Store
	watcher *follow.Watcher
	auditor *audit.Auditor
	log     strings.Builder // log of the auditor
}

func newAudited(t *testing.T, node *rpc.Node, net *chaintest.Net) *audited {
	t.Helper()
	db := storetest.NewFor(t, net.Deployment)
	quiet := slog.New(slog.DiscardHandler)
	w := follow.NewWatcher(node, db.Journal, net.Contracts, follow.WatcherOptions{Poll: 1}, quiet)
	leads := func() (int64, bool) { return 1, true }
	a := &audited{t: t, net: net, node: node, store: db, watcher: w}
	a.auditor = audit.New(node, db.Journal, net.Deployment, leads, audit.Options{}, slog.New(slog.NewTextHandler(&a.log, nil)))
	return a
}

func (a *audited) follow() {
	a.t.Helper()
	ctx, cancel := context.WithTimeout(a.t.Context(), time.Minute)
	defer cancel()
	if outcome, err := a.watcher.CatchUp(ctx); err != nil || outcome.Progress != follow.CaughtUp {
		a.t.Fatalf("CatchUp() = %q, %v", outcome.Progress, err)
	}
}

// round runs two audit rounds with all providers: one at the finalized block and one at the last followed block.
func (a *audited) round() {
	a.t.Helper()
	a.rest()
	for range 2 {
		if err := a.auditor.Round(a.t.Context()); err != nil {
			a.t.Fatalf("Round() = %v", err)
		}
	}
}

// rest waits until no provider's circuit breaker is open, so that all of them are called.
func (a *audited) rest() {
	a.t.Helper()
	resting := func(p rpc.ProviderStatus) bool { return p.Resting }
	for end := time.Now().Add(time.Minute); slices.ContainsFunc(a.node.Providers(), resting); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			a.t.Fatal("timed out waiting for a provider")
		}
	}
}

func (a *audited) findings() []market.Finding {
	a.t.Helper()
	findings, err := a.store.Journal.Findings(a.t.Context(), 100)
	if err != nil {
		a.t.Fatal(err)
	}
	return findings
}

// lose removes the logs of a block from the database, as if a provider had omitted them.
func (a *audited) lose(number uint64) {
	a.t.Helper()
	cursor, err := a.store.Journal.Cursor(a.t.Context())
	if err != nil {
		a.t.Fatal(err)
	}
	block, err := a.store.Journal.CanonicalBlock(a.t.Context(), number)
	if err != nil || block.Number != number {
		a.t.Fatalf("block %d is not followed: %v", number, err)
	}
	if changed, err := a.store.Journal.Repair(a.t.Context(), cursor, block, nil); err != nil || changed == 0 {
		a.t.Fatalf("Repair() = %d, %v, want the block's logs gone", changed, err)
	}
}

func (a *audited) rows() map[string][]string {
	a.t.Helper()
	rows := make(map[string][]string)
	for table, query := range storetest.Derived() {
		rows[table] = storetest.Rows(a.t, a.store, query)
	}
	return rows
}

// If the last log of a record is missing, the auditor reports the difference and the watcher reads
// the block again.
func TestAuditorFindsMissingLogs(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	one := chaintest.Tokens(1)
	blocks := map[string]uint64{}
	record := func(name string) { blocks[name] = net.Head(t).Number }

	submitted := net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Approve(t, net.Agent, submitted)
	record("an approval")
	disputed := net.Submitted(t, common.Hash{3}, common.Hash{4})
	net.Dispute(t, net.Agent, disputed)
	record("a dispute")
	net.Submitted(t, common.Hash{5}, common.Hash{6})
	record("a submission")
	paid := net.Submitted(t, common.Hash{7}, common.Hash{8})
	net.Approve(t, net.Agent, paid)
	net.Decide(t, paid, common.Hash{8}, 0, true)
	record("a payment")
	rejected, _ := net.Post(t, net.Agent, one, common.Hash{9})
	application, _ := net.Apply(t, net.Human, rejected, one)
	net.Send(t, net.Agent, net.Contracts.RejectApplication(application))
	record("a forfeited stake")
	resigned, _ := net.Post(t, net.Agent, one, common.Hash{10})
	net.Apply(t, net.Human, resigned, one)
	record("the last stake")
	net.Post(t, net.Agent, one, common.Hash{11})
	record("the last posting")
	net.Mine(t, 10)

	for name, number := range blocks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAudited(t, chaintest.Dial(t, net.Dev.URL()), net)
			a.follow()
			a.round()
			if findings := a.findings(); len(findings) > 0 {
				t.Fatalf("findings on an honest chain: %+v", findings)
			}
			before := a.rows()
			a.lose(number)
			if cmp.Equal(before, a.rows()) {
				t.Fatal("the loss changed nothing")
			}
			a.round()
			if findings := a.findings(); len(findings) == 0 {
				t.Fatal("the auditor found nothing")
			}
			a.follow()
			if diff := cmp.Diff(before, a.rows()); diff != "" {
				t.Errorf("rows (-before +repaired):\n%s", diff)
			}
			a.round()
			if findings := a.findings(); len(findings) > 0 {
				t.Errorf("findings after the repair: %+v", findings)
			}
		})
	}
}

// A missing log on which later logs depend stops the watcher only until its block is read again.
func TestStoppedWatcherIsRepaired(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	task := net.Submitted(t, common.Hash{1}, common.Hash{2})
	submission := net.Head(t).Number
	a := newAudited(t, net.Node, net)
	a.follow()
	a.lose(submission)
	net.Approve(t, net.Agent, task)
	net.Mine(t, 10)
	if _, err := a.watcher.Step(t.Context()); err == nil {
		t.Fatal("an approval without a submission was followed")
	}
	a.round()
	a.follow()
	task1, err := a.store.Journal.AuditTasks(t.Context(), market.AuditQuery{Block: net.Head(t).Number, Limit: 1})
	if err != nil || len(task1) != 1 || !task1[0].AgentApproved {
		t.Errorf("tasks = %+v, %v, want the approval", task1, err)
	}
}

// If the database lacks a log and every node omits it, the auditor advises the operator to use another
// provider. With another provider, the log is read.
func TestAuditorAdvisesAnotherProvider(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	submission := net.Head(t).Number
	net.Mine(t, 10)
	p := chaintest.NewProxy(t, net.Dev.URL())
	a := newAudited(t, chaintest.Dial(t, p.URL), net)
	a.follow()
	a.lose(submission)
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			if c.Method == "eth_getLogs" {
				c.Result = withoutBlock(t, c.Result, submission)
			}
		}
		return true
	})
	a.round()
	const advice = "the nodes returned no log that explains it; use another provider"
	if !strings.Contains(a.log.String(), advice) || len(a.findings()) != 1 {
		t.Errorf("findings = %+v, and the log is %s, want one finding and %q", a.findings(), a.log.String(), advice)
	}
	p.Misbehave(nil)
	a.round()
	a.follow()
	a.round()
	if findings := a.findings(); len(findings) > 0 {
		t.Errorf("findings with an honest provider: %+v", findings)
	}
}

// If a node invents a log in each of many blocks, the auditor marks only some of them to be read again.
func TestAuditorBoundsTheBlocksToReadAgain(t *testing.T) {
	t.Parallel()
	const invented = 100
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	submission := net.Head(t).Number
	net.Mine(t, invented+10)
	p := chaintest.NewProxy(t, net.Dev.URL())
	a := newAudited(t, chaintest.Dial(t, p.URL), net)
	a.follow()
	a.lose(submission)
	inventLogs(p, submission, invented)
	a.round()
	rereads, err := a.store.Journal.Rereads(t.Context(), 0, 10*invented)
	if n := len(rereads); err != nil || n == 0 || n > 32 || rereads[0] != submission {
		t.Errorf("blocks to read again = %v, %v, want at most 32, and the first one %d", rereads, err, submission)
	}
}

// A node that invents logs before the missing one does not hide what another node returns.
func TestInventedLogsDoNotHideOthers(t *testing.T) {
	t.Parallel()
	const invented = 100
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{1})
	posting := net.Head(t).Number
	net.Mine(t, invented+1)
	net.Cancel(t, net.Agent, id)
	cancellation := net.Head(t).Number
	net.Mine(t, 10)
	for _, honestFirst := range []bool{true, false} {
		p := chaintest.NewProxy(t, net.Dev.URL())
		urls := []string{p.URL, net.Dev.URL()}
		if honestFirst {
			slices.Reverse(urls)
		}
		a := newAudited(t, chaintest.Dial(t, urls...), net)
		a.follow()
		a.lose(cancellation)
		inventLogs(p, posting, invented)
		a.round()
		rereads, err := a.store.Journal.Rereads(t.Context(), 0, 10*invented)
		if err != nil || !slices.Contains(rereads, cancellation) {
			t.Errorf("blocks to read again = %v, %v, want them to include the cancellation in block %d", rereads, err, cancellation)
		}
	}
}

// inventLogs makes the proxy add a copy of the first log to each of the n blocks after a block.
func inventLogs(p *chaintest.Proxy, after, n uint64) {
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			var logs []types.Log
			if c.Method != "eth_getLogs" || json.Unmarshal(c.Result, &logs) != nil || len(logs) == 0 {
				continue
			}
			for i := range n {
				log := logs[0]
				log.BlockNumber = after + 1 + i
				logs = append(logs, log)
			}
			c.Result, _ = json.Marshal(logs)
		}
		return true
	})
}

// withoutBlock returns a result of eth_getLogs without the logs of one block.
func withoutBlock(t *testing.T, result json.RawMessage, number uint64) json.RawMessage {
	t.Helper()
	var logs []types.Log
	if err := json.Unmarshal(result, &logs); err != nil {
		t.Errorf("result of eth_getLogs: %v", err)
	}
	rest, err := json.Marshal(slices.DeleteFunc(logs, func(l types.Log) bool { return l.BlockNumber == number }))
	if err != nil {
		t.Error(err)
	}
	return rest
}

// corrupt replaces the digit at a position of a call's result.
func corrupt(c *chaintest.Exchange, at int) {
	if c.Result[at] == '0' {
		c.Result[at] = '1'
	} else {
		c.Result[at] = '0'
	}
}

// If a node returns false contract state, the auditor raises an alarm but changes no records.
func TestAuditorOnlyAlarmsWhenLogsAgree(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Mine(t, 10)
	p := chaintest.NewProxy(t, net.Dev.URL())
	a := newAudited(t, chaintest.Dial(t, p.URL), net)
	a.follow()
	before := a.rows()
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			if c.Method == "eth_call" && len(c.Result) > 600 { // only the result of getTask is this long
				corrupt(c, 500)
			}
		}
		return true
	})
	_ = a.auditor.Round(t.Context())
	p.Misbehave(nil)
	a.follow()
	if diff := cmp.Diff(before, a.rows()); diff != "" {
		t.Errorf("rows (-before +after a lie about states):\n%s", diff)
	}
	a.round()
	if findings := a.findings(); len(findings) > 0 {
		t.Errorf("findings after the lie has ended: %+v", findings)
	}
}

// stateAt makes a node execute calls of contracts in the state of an older block, the one with the number.
func stateAt(number uint64) func(*chaintest.Exchange) bool {
	return func(c *chaintest.Exchange) bool {
		if c.Method == "eth_call" && len(c.Params) == 2 {
			c.Params[1], _ = json.Marshal(hexutil.EncodeUint64(number))
		}
		return false
	}
}

// A node that returns the state that fits the records, in use or not, hides no missing log that another node
// returns, and its agreement does not delete the finding while the other one does not respond.
func TestFittingStatesHideNoMissingLog(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	id, _ := net.Post(t, net.Agent, chaintest.Tokens(1), common.Hash{1})
	posting := net.Head(t).Number
	net.Cancel(t, net.Agent, id)
	cancellation := net.Head(t).Number
	net.Mine(t, 10)
	for name, honestFirst := range map[string]bool{"in use": false, "as the other": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dishonest, honest := chaintest.NewProxy(t, net.Dev.URL()), chaintest.NewProxy(t, net.Dev.URL())
			urls := []string{dishonest.URL, honest.URL}
			if honestFirst {
				slices.Reverse(urls)
			}
			a := newAudited(t, chaintest.Dial(t, urls...), net)
			a.follow()
			before := a.rows()
			a.lose(cancellation)
			dishonest.Intercept(stateAt(posting))
			dishonest.Misbehave(func(calls []*chaintest.Exchange) bool {
				for _, c := range calls {
					if c.Method == "eth_getLogs" {
						c.Result = withoutBlock(t, c.Result, cancellation)
					}
				}
				return true
			})
			a.round()
			rereads, err := a.store.Journal.Rereads(t.Context(), 0, 100)
			if err != nil || len(a.findings()) != 1 || !slices.Equal(rereads, []uint64{cancellation}) {
				t.Fatalf("findings = %+v, blocks to read again = %v, %v, want the task and block %d", a.findings(), rereads, err, cancellation)
			}
			honest.Misbehave(func([]*chaintest.Exchange) bool { return false })
			for range 4 { // a round fails if only the honest node was asked
				_ = a.auditor.Round(t.Context())
			}
			if len(a.findings()) != 1 {
				t.Errorf("findings while the node that reported the difference does not respond: %+v, want 1", a.findings())
			}
			honest.Misbehave(nil)
			a.follow()
			if diff := cmp.Diff(before, a.rows()); diff != "" {
				t.Errorf("rows (-before +repaired):\n%s", diff)
			}
			dishonest.Intercept(nil)
			a.round()
			if findings := a.findings(); len(findings) > 0 {
				t.Errorf("findings after the repair: %+v", findings)
			}
		})
	}
}

// A node that returns false states beside an honest one raises an alarm. The records, the findings and the blocks to
// read again stay the same, however long it lasts.
func TestFalseStatesOfOneNodeOnlyAlarm(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	net.Mine(t, 10)
	for name, honestFirst := range map[string]bool{"in use": false, "as the other": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := chaintest.NewProxy(t, net.Dev.URL())
			urls := []string{p.URL, net.Dev.URL()}
			if honestFirst {
				slices.Reverse(urls)
			}
			a := newAudited(t, chaintest.Dial(t, urls...), net)
			a.follow()
			before := a.rows()
			p.Misbehave(func(calls []*chaintest.Exchange) bool {
				for _, c := range calls {
					if c.Method == "eth_call" && len(c.Result) == 68 { // a number, such as that of the tasks
						c.Result, _ = json.Marshal(common.Hash{31: 200}.Hex())
					} else if c.Method == "eth_call" {
						corrupt(c, len(c.Result)-2)
					}
				}
				return true
			})
			a.round()
			first := a.findings()
			if len(first) == 0 || !strings.Contains(first[0].Difference, "according to "+strings.TrimPrefix(p.URL, "http://")) {
				t.Fatalf("findings = %+v, want a difference that names the node", first)
			}
			for range 3 {
				a.round()
				a.follow()
			}
			rereads, err := a.store.Journal.Rereads(t.Context(), 0, 100)
			if err != nil || len(a.findings()) != len(first) || len(rereads) > 0 {
				t.Errorf("findings = %+v, blocks to read again = %v, %v, want only the first findings %+v", a.findings(), rereads, err, first)
			}
			if diff := cmp.Diff(before, a.rows()); diff != "" {
				t.Errorf("rows (-before +after a lie about states):\n%s", diff)
			}
			p.Misbehave(func([]*chaintest.Exchange) bool { return false })
			if err := a.auditor.Round(t.Context()); err != nil {
				t.Errorf("Round() while the node does not respond = %v", err)
			}
			p.Misbehave(nil)
			a.round()
			if findings := a.findings(); len(findings) > 0 {
				t.Errorf("findings after the lie has ended: %+v", findings)
			}
		})
	}
}

// A node whose results cannot be decoded does not stop the audit while another node responds.
func TestInvalidStatesDoNotStopTheAudit(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t, devnet.Options{SlotsPerEpoch: 2})
	net.Submitted(t, common.Hash{1}, common.Hash{2})
	submission := net.Head(t).Number
	net.Mine(t, 10)
	p := chaintest.NewProxy(t, net.Dev.URL())
	a := newAudited(t, chaintest.Dial(t, p.URL, net.Dev.URL()), net)
	a.follow()
	a.lose(submission)
	p.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, c := range calls {
			if c.Method == "eth_call" {
				c.Result = json.RawMessage(`"0xee"`)
			}
		}
		return true
	})
	a.round()
	if len(a.findings()) == 0 {
		t.Error("the auditor found nothing")
	}
}

// The status contains the time of the last round that compared records, and the error of the last round.
func TestAuditorReportsItsRounds(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	p := chaintest.NewProxy(t, net.Dev.URL())
	a := newAudited(t, chaintest.Dial(t, p.URL), net)
	if err := a.auditor.Round(t.Context()); err != nil || !a.auditor.Status().At.IsZero() {
		t.Errorf("a round before the first block: %v, %+v", err, a.auditor.Status())
	}
	net.Mine(t, 1)
	a.follow()
	a.round()
	compared := a.auditor.Status()
	if compared.At.IsZero() || compared.Err != nil {
		t.Errorf("after a round, the status is %+v", compared)
	}
	p.Misbehave(func([]*chaintest.Exchange) bool { return false })
	if err := a.auditor.Round(t.Context()); err == nil {
		t.Error("a round without a node succeeds")
	}
	if failed := a.auditor.Status(); failed.Err == nil || failed.At != compared.At {
		t.Errorf("after a failed round, the status is %+v, want the time %s", failed, compared.At)
	}
}
