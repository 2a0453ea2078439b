package rescue_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"taskmarket/chain/chaintest"
	"taskmarket/client/rescue"
	"taskmarket/market"
)

// open opens the test chain's contracts by the escrow's address.
func open(t *testing.T, net *chaintest.Net, url string, change ...func(*rescue.Options)) *rescue.Rescue {
	t.Helper()
	options := rescue.Options{RPCURL: url, Deployment: market.Deployment{Escrow: net.Deployment.Escrow, Distributor: net.Deployment.Distributor}}
	for _, c := range change {
		c(&options)
	}
	r, err := rescue.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func holdings(t *testing.T, r *rescue.Rescue, wallet common.Address) *rescue.Holdings {
	t.Helper()
	h, err := r.Holdings(t.Context(), wallet)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var work = common.Hash{9}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// steps is the number of random calls; each takes a few milliseconds.
const steps = 400

func TestHoldingsMatchContracts(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	h := newHistory(t, net, seed)
	for range steps {
		h.step()
	}
	h.disputes()
	truth := fold(t, net)
	wantVariety(t, truth)
	r := open(t, net, net.Dev.URL())
	found := 0
	for _, wallet := range h.wallets {
		got := holdings(t, r, wallet)
		found += len(got.Tasks) + len(got.Stakes)
		wantTasks(t, got, truth)
		wantStakes(t, got, truth)
	}
	if found < len(truth.tasks)+len(truth.stakes) { // every record belongs to at least one wallet
		t.Errorf("of %d tasks and %d stakes only %d were found", len(truth.tasks), len(truth.stakes), found)
	}
}

// wantVariety fails the test if the history contains too few kinds of events.
func wantVariety(t *testing.T, truth truths) {
	t.Helper()
	kinds := map[string]int{}
	for _, e := range truth.tasks {
		kinds[e.Status.String()]++
	}
	for _, s := range truth.stakes {
		kinds[string(s.Status)]++
	}
	t.Logf("%d tasks, %d stakes: %v", len(truth.tasks), len(truth.stakes), kinds)
	if len(kinds) < 8 { // of the seven task states and four stake states in total
		t.Errorf("too few kinds of events: %v", kinds)
	}
}

// truths contains the contracts' records, built from all their logs.
type truths struct {
	tasks  []*market.EscrowTask
	stakes []*market.Stake
	now    time.Time
}

func (t truths) task(id uint64) *market.EscrowTask { return t.tasks[id-1] }

// wantTasks compares the tasks that were found for a wallet with its tasks in truth.
func wantTasks(t *testing.T, got *rescue.Holdings, truth truths) {
	t.Helper()
	var want []*market.EscrowTask
	for _, e := range slices.Backward(truth.tasks) {
		if e.Agent == got.Wallet || e.Human == got.Wallet {
			want = append(want, e)
		}
	}
	var records []*market.EscrowTask
	for i, task := range got.Tasks {
		records = append(records, task.EscrowTask)
		if i >= len(want) {
			continue
		}
		e, role := want[i], market.RoleHuman
		if e.Agent == got.Wallet {
			role = market.RoleAgent
		}
		record := &market.Task{Amount: e.Amount, FeeBasisPoints: e.FeeBasisPoints, Escrow: e, Status: market.StatusAt(e, nil, truth.now)}
		if task.Role != role || task.Status != record.Status {
			t.Errorf("task %d is %s with role %s, want %s with role %s", task.ID, task.Status, task.Role, record.Status, role)
		}
		if diff := cmp.Diff(record.Transitions(), task.Transitions, bigs); diff != "" {
			t.Errorf("transitions of task %d (-want +got):\n%s", task.ID, diff)
		}
		if diff := cmp.Diff(optionNames(record.AllowedActions(role, truth.now)), exitNames(task.Exits)); diff != "" {
			t.Errorf("exits of task %d, status %s, role %s (-want +got):\n%s", task.ID, task.Status, role, diff)
		}
	}
	// These fields come from logs that do not always contain the wallet, so Holdings cannot always
	// fill them.
	history := cmpopts.IgnoreFields(market.EscrowTask{}, "TermsHash", "AcceptedAt", "PostedAt", "DisputedAt", "ApprovedAt",
		"Verdict", "Posted", "AcceptTx", "SubmitTx")
	if diff := cmp.Diff(want, records, bigs, history); diff != "" {
		t.Errorf("tasks of %s (-want +got):\n%s", got.Wallet, diff)
	}
}

// optionNames returns the names of the allowed actions that are exits.
func optionNames(options []market.AllowedAction) []string {
	var names []string
	for _, exit := range rescue.ExitTypes() {
		for _, o := range options {
			if exit.Subject == rescue.SubjectTask && exit.Act.Action == o.Action {
				names = append(names, exit.Name)
			}
		}
	}
	return names
}

// exitNames returns the names of the exits, except those that need validators' signatures.
func exitNames(exits []rescue.Exit) []string {
	var names []string
	for _, e := range exits {
		if e.Needs != rescue.NeedSignatures {
			names = append(names, e.Name)
		}
	}
	return names
}

func wantStakes(t *testing.T, got *rescue.Holdings, truth truths) {
	t.Helper()
	type line struct {
		Stake       market.Stake
		Application market.ApplicationStatus
		Exits       []string
	}
	var want, found []line
	for _, s := range slices.Backward(truth.stakes) {
		task := truth.task(s.TaskID)
		l := line{Stake: *s, Application: market.ApplicationStatusAt("", s, task, truth.now)}
		if s.Status == market.StakeLive && s.Human == got.Wallet {
			l.Exits = []string{"withdraw"}
		}
		if s.Agent == got.Wallet && l.Application == market.ApplicationPending {
			l.Exits = append(l.Exits, "reject")
		}
		if s.Human == got.Wallet || l.Exits != nil {
			want = append(want, l)
		}
	}
	for _, s := range got.Stakes {
		found = append(found, line{*s.Stake, s.Application, exitNames(s.Exits)})
	}
	if diff := cmp.Diff(want, found, bigs, cmpopts.IgnoreFields(market.Stake{}, "Locked")); diff != "" {
		t.Errorf("stakes of %s (-want +got):\n%s", got.Wallet, diff)
	}
}

var bigs = cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 })

// fold reads all of the contracts' logs and builds the records with package market.
func fold(t *testing.T, net *chaintest.Net) truths {
	t.Helper()
	tasks, stakes := map[uint64][]market.Log{}, map[uint64][]market.Log{}
	for _, log := range allLogs(t, net) {
		switch {
		case log.Event.OfTask():
			tasks[log.Event.TaskID] = append(tasks[log.Event.TaskID], log)
		case log.Event.OfStake():
			stakes[log.Event.ApplicationID] = append(stakes[log.Event.ApplicationID], log)
		}
	}
	truth := truths{now: net.Head(t).Time}
	for id := range uint64(len(tasks)) {
		e, err := market.FoldEscrowTask(tasks[id+1], func(market.Log) uint64 { return 1 })
		must(t, err)
		truth.tasks = append(truth.tasks, e)
	}
	for id := range uint64(len(stakes)) {
		s, err := market.FoldStake(stakes[id+1])
		must(t, err)
		truth.stakes = append(truth.stakes, s)
	}
	return truth
}

func allLogs(t *testing.T, net *chaintest.Net) []market.Log {
	t.Helper()
	raw, err := net.Dev.Client().FilterLogs(t.Context(), ethereum.FilterQuery{
		FromBlock: new(big.Int), Addresses: []common.Address{net.Deployment.Escrow, net.Deployment.Staking},
	})
	must(t, err)
	var logs []market.Log
	for _, log := range raw {
		event, err := net.Contracts.Decode(log)
		must(t, err)
		header, err := net.Dev.Client().HeaderByHash(t.Context(), log.BlockHash)
		must(t, err)
		block := market.Block{Number: log.BlockNumber, Hash: log.BlockHash, Time: time.Unix(int64(header.Time), 0).UTC()}
		logs = append(logs, market.Log{ChainID: net.Deployment.ChainID, Address: log.Address, Block: block, TxHash: log.TxHash, Event: event})
	}
	return logs
}
