package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/chain/send"
	"taskmarket/market"
	"taskmarket/server/operate"
)

// replica returns a service that reads the settlement's database and chain, as the commands do.
func (s *settlement) replica() *service {
	return &service{store: s.store, node: s.net.Node, log: slog.New(slog.DiscardHandler)}
}

// entries returns the entries that `keeper list --json` prints.
func (s *settlement) entries() (entries []operate.Transaction) {
	s.t.Helper()
	found, err := s.replica().keeperEntries(s.t.Context())
	s.must(err)
	var out bytes.Buffer
	s.must(writeJSON(&out, found))
	s.must(json.Unmarshal(out.Bytes(), &entries))
	return entries
}

// wantStates fails the test unless `keeper list` shows these states, in this order.
func (s *settlement) wantStates(want ...string) []operate.Transaction {
	s.t.Helper()
	var got []string
	entries := s.entries()
	for _, e := range entries {
		got = append(got, e.State)
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		s.t.Fatalf("the states are %v, want %v", got, want)
	}
	return entries
}

// ask performs a request while it steps the keeper repeatedly, and returns the request's output.
func (s *settlement) ask(r keeperRequest, nonce uint64) (string, error) {
	s.t.Helper()
	n, err := s.replica().keeperNonce(s.t.Context(), nonce)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- s.replica().request(s.t.Context(), r, n, false, &out) }()
	for {
		select {
		case err := <-done:
			return out.String(), err
		case <-time.After(20 * time.Millisecond):
			_ = s.keeper.Step(s.t.Context()) // the request returns the error
		}
	}
}

// stuck stops mining and lets the keeper send the settlement.
func (s *settlement) stuck() {
	s.t.Helper()
	s.must(s.net.Dev.SetMining(s.t.Context(), false))
	s.keeper = s.patientKeeper()
	s.keep()
}

// patientKeeper returns a keeper that replaces no transaction, and fills no missing nonce.
func (s *settlement) patientKeeper() *keeper.Keeper {
	return keeper.New(s.net.Node, s.net.Keeper, s.net.Contracts, s.store.Outbox, keeper.Options{ReplaceAfter: time.Hour}, slog.New(slog.DiscardHandler))
}

func TestKeeperList(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.wantStates()
	s.stuck()
	entry := s.wantStates(txPending)[0]
	if entry.Purpose != fmt.Sprintf("settle of task %d", s.task) || entry.TaskID != s.task || *entry.Nonce != 0 ||
		entry.Account != s.net.Keeper.Address() || entry.Hash == nil || entry.MaxFee == nil || entry.Replacements != 0 {
		t.Errorf("the transaction is listed as %+v", entry)
	}
	var out bytes.Buffer
	s.must(printEntries(&out, s.entries()))
	if !strings.Contains(out.String(), entry.Hash.Hex()) || !strings.Contains(out.String(), "settle of task") {
		t.Errorf("the list is %s", out.String())
	}
	s.must(s.net.Dev.Client().Client().CallContext(t.Context(), nil, "anvil_dropTransaction", *entry.Hash))
	s.wantStates(txDropped)
	s.must(s.net.Dev.SetMining(t.Context(), true))
	s.net.Send(t, s.net.Keeper, s.net.Contracts.ApproveToken(s.net.Agent.Address(), common.Big0)) // uses the nonce
	s.wantStates(txReplaced)
}

func TestKeeperResend(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.stuck()
	before := s.wantStates(txPending)[0]
	out, err := s.ask(resendRequest, 0)
	if err != nil || !strings.Contains(out, "sent transaction 0x") {
		t.Fatalf("keeper resend 0 = %q, %v", out, err)
	}
	after := s.wantStates(txPending)[0]
	least := new(big.Int).Div(new(big.Int).Mul(before.MaxFee, big.NewInt(110)), big.NewInt(100))
	if *after.Hash == *before.Hash || after.MaxFee.Cmp(least) < 0 || after.Replacements != 1 || *after.Nonce != 0 {
		t.Errorf("the transaction %+v became %+v, want a replacement with at least 10%% more", before, after)
	}
	s.net.Mine(t, 1)
	s.awaitPaid(s.keep)
	s.follow()
	s.wantStates()
	s.wantSentIn(1)
	if _, err := s.ask(resendRequest, 0); err == nil || !strings.Contains(err.Error(), "no open job") {
		t.Errorf("keeper resend of a mined transaction = %v", err)
	}
}

// An empty transfer takes the nonce of a stuck transaction. Then the keeper sends the job with
// another nonce, once.
func TestKeeperCancel(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.stuck()
	stuck := s.wantStates(txPending)[0]
	out, err := s.ask(cancelRequest, 0)
	if err != nil || !strings.Contains(out, "with nonce 0") {
		t.Fatalf("keeper cancel 0 = %q, %v", out, err)
	}
	transfer := s.wantStates(txPending, txDropped)[0]
	s.keep() // does not send the cancelled transaction again
	s.wantStates(txPending, txDropped)
	s.net.Mine(t, 1)
	s.wantStates(txMined, txReplaced)
	mined, _, err := s.net.Dev.Client().TransactionByHash(t.Context(), *transfer.Hash)
	s.must(err)
	if *mined.To() != s.net.Keeper.Address() || mined.Value().Sign() != 0 || len(mined.Data()) != 0 || mined.GasFeeCap().Cmp(stuck.MaxFee) <= 0 {
		t.Errorf("the cancellation is %+v", mined)
	}
	if s.paid() {
		t.Fatal("the cancelled settlement was mined")
	}
	s.keeper = s.newKeeper(s.net.Node, s.net.Keeper) // with a short ReplaceAfter
	s.releaseLease()
	s.awaitPaid(func() { s.ready(); s.keep(); s.net.Mine(t, 1) })
	s.follow()
	s.wantStates()
	s.wantSentIn(2)
}

// A cancellation fills a missing nonce, which blocks the transactions above it.
func TestKeeperCancelFillsAMissingNonce(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.keeper = s.patientKeeper()
	s.recordAbove()
	s.keep()
	s.wantStates(txMissing, txPending)
	for nonce, want := range map[uint64]string{2: "no transaction has nonce 2"} {
		if _, err := s.ask(cancelRequest, nonce); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("keeper cancel %d = %v, want %q", nonce, err, want)
		}
	}
	_, err := s.ask(cancelRequest, 0)
	s.must(err)
	s.wantStates(txPending, txPending)
	s.net.Mine(t, 1)
	s.awaitPaid(s.keep)
	s.keep()
	s.follow()
	s.wantStates()
	s.wantSentIn(2)
	if _, err := s.ask(cancelRequest, 0); err == nil || !strings.Contains(err.Error(), "nonce 0 is already used") {
		t.Errorf("keeper cancel of a used nonce = %v", err)
	}
}

// A reorganisation can drop a transaction that no job needs any more. The keeper fills the nonce itself once a
// later transaction has waited for ReplaceAfter.
func TestKeeperFillsAMissingNonce(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.recordAbove()
	s.keep()
	s.wantStates(txMissing, txPending)
	s.awaitPaid(func() { s.keep(); s.net.Mine(t, 1) })
	s.follow()
	s.keep()
	s.wantStates()
	s.wantSentIn(2)
}

// recordAbove stops mining, and records the settlement as sent with nonce 1, although nonce 0 is unused.
func (s *settlement) recordAbove() {
	s.t.Helper()
	ctx := s.t.Context()
	s.must(s.net.Dev.SetMining(ctx, false))
	lease, err := s.store.Outbox.LeadKeeper(ctx, "restored", s.net.Keeper.Address(), time.Minute)
	s.must(err)
	jobs, err := s.store.Outbox.OpenJobs(ctx, 1)
	s.must(err)
	if len(jobs) == 0 {
		s.t.Fatal("no job is due")
	}
	signed, err := send.NewSender(s.net.Node, s.net.Keeper).Build(ctx, s.net.Contracts.Settle(s.net.Deployment.Escrow, s.task), 1)
	s.must(err)
	s.must(s.store.Outbox.JobSent(ctx, lease.Epoch, jobs[0].ID,
		market.Transaction{Sender: s.net.Keeper.Address(), Nonce: 1, Hash: signed.Hash, Raw: signed.Raw, MaxCost: common.Big1}))
	s.releaseLease()
}

// Another program with the keeper's key sends a transaction. The keeper waits until it is mined, and
// uses the next nonce.
func TestKeeperListsForeignTransactions(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.must(s.net.Dev.SetMining(t.Context(), false))
	wallet := send.NewSender(s.net.Node, s.net.Keeper)
	foreign, err := wallet.Build(t.Context(), s.net.Contracts.ApproveToken(s.net.Agent.Address(), common.Big0), 0)
	s.must(err)
	s.must(wallet.Broadcast(t.Context(), foreign.Raw))
	if err := s.keeper.Step(t.Context()); err == nil || !strings.Contains(err.Error(), "no keeper recorded: nonces 0 to 0") {
		t.Fatalf("Step = %v, want an error that names the foreign nonce", err)
	}
	s.wantStates(txForeign, txWaiting)
	s.net.Mine(t, 1)
	s.keep()
	s.net.Mine(t, 1)
	s.awaitPaid(s.keep)
	s.follow()
	s.wantStates()
	s.wantSentIn(2)
}

// The list is bounded even if a node reports a billion pending transactions.
func TestKeeperListIsBounded(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	s.stuck()
	const claimed = 1_000_000_000
	proxy := chaintest.NewProxy(t, s.net.Dev.URL())
	proxy.Misbehave(func(calls []*chaintest.Exchange) bool {
		for _, call := range calls {
			if call.Method == "eth_getTransactionCount" && string(call.Params[1]) == `"pending"` {
				call.Result = json.RawMessage(fmt.Sprintf("%q", hexutil.EncodeUint64(claimed)))
			}
		}
		return true
	})
	replica := s.replica()
	replica.node = chaintest.Dial(t, proxy.URL)
	entries, err := replica.keeperEntries(t.Context())
	s.must(err)
	if len(entries) > 2*maxListedNonces {
		t.Fatalf("%d entries are listed", len(entries))
	}
	rest := entries[len(entries)-2] // the last one is the recorded transaction, with nonce 0
	want := fmt.Sprintf("%d more nonces", claimed-maxListedNonces-1)
	if rest.State != txForeign || *rest.Nonce != maxListedNonces || !strings.Contains(rest.Error, want) {
		t.Errorf("the nonces that are not listed are shown as %+v, want %q", rest, want)
	}
}

// A job that does not advance, with or without a transaction, is listed with the reason until it advances.
func TestKeeperShowsWhyAJobDoesNotAdvance(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	want := func(state, reason string) operate.Transaction {
		t.Helper()
		entry := s.wantStates(state)[0]
		var list bytes.Buffer
		s.must(printEntries(&list, []operate.Transaction{entry}))
		operations, err := s.store.Operators.Operations(t.Context())
		s.must(err)
		if line := backlogLine(operations.Jobs[0]); !strings.Contains(entry.Error, reason) || !strings.Contains(list.String(), reason) || !strings.Contains(line, reason) {
			t.Errorf("the job is listed as\n%sand in the status as %q, want %q", list.String(), line, reason)
		}
		return entry
	}
	s.keeper = keeper.New(s.net.Node, s.net.Keeper, s.net.Contracts, s.store.Outbox,
		keeper.Options{Limits: keeper.Limits{Daily: common.Big1}}, slog.New(slog.DiscardHandler))
	s.keep()
	if entry := want(txWaiting, keeper.ErrDailyLimit.Error()); entry.Nonce != nil || entry.Hash != nil || entry.TaskID != s.task {
		t.Errorf("the job without a transaction is listed as %+v", entry)
	}

	s.releaseLease()
	proxy := chaintest.NewProxy(t, s.net.Dev.URL())
	proxy.Intercept(func(e *chaintest.Exchange) bool {
		e.Fault = &chaintest.Fault{Code: -32000, Message: "the sender\u202e is\non a list"}
		return e.Method == "eth_sendRawTransaction"
	})
	s.keeper = s.newKeeper(chaintest.Dial(t, proxy.URL), s.net.Keeper)
	if err := s.keeper.Step(t.Context()); err == nil {
		t.Error("Step() = nil, want the node's refusal")
	}
	want(txDropped, "the sender is on a list")

	proxy.Intercept(nil)
	s.must(s.net.Dev.SetMining(t.Context(), false))
	s.keep()
	if entry := want(txPending, ""); entry.Error != "" {
		t.Errorf("the accepted transaction is listed with the error %q", entry.Error)
	}
}

func TestKeeperRequestsNeedARunningKeeper(t *testing.T) {
	t.Parallel()
	s := newSettlement(t)
	if _, err := s.replica().keeperNonce(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "no keeper is running") {
		t.Errorf("keeperNonce() = %v, want an error that no keeper is running", err)
	}
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, "n\n": false, "": false, "yesterday\n": false} {
		command := keeperRequestCommand(cancelRequest)
		command.SetIn(strings.NewReader(answer))
		command.SetErr(io.Discard)
		if got := confirmed(command, "Use nonce 7?"); got != want {
			t.Errorf("confirmed() with %q = %t", answer, got)
		}
	}
	root := command()
	root.SetArgs([]string{"keeper", "cancel", "x"})
	if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), `"x" is not a nonce`) {
		t.Errorf("keeper cancel x = %v", err)
	}
}

// The text of a node cannot control the operator's terminal, or add a line or a column to the output.
func TestTextOfNodesIsEscaped(t *testing.T) {
	const hostile = "refused\n\x1b[2Jproblems\tnone\u202e\u009b1m"
	var list, document, status bytes.Buffer
	entries := []operate.Transaction{{State: txWaiting, Error: hostile}}
	r := &report{table: tabwriter.NewWriter(&status, 0, 0, 2, ' ', 0)}
	r.row("money", "unknown: %s", hostile)
	r.problem("the chain cannot be read: %s", hostile)
	if err := errors.Join(printEntries(&list, entries), writeJSON(&document, entries), r.flush()); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		out   string
		lines int
	}{"keeper list": {list.String(), 2}, "status": {status.String(), 2}, "keeper list --json": {document.String(), 7}} {
		if strings.ContainsAny(c.out, "\x1b\u202e\u009b\t") || strings.Count(c.out, "\n") != c.lines || !strings.Contains(c.out, "refused") {
			t.Errorf("%s = %q", name, c.out)
		}
	}
	var decoded []operate.Transaction
	if err := json.Unmarshal(document.Bytes(), &decoded); err != nil || decoded[0].Error != hostile {
		t.Errorf("the document = %+v, %v", decoded, err)
	}
}

// All commands print through a writer that escapes control characters.
func TestCommandsEscapeTheirOutput(t *testing.T) {
	stdout := os.Stdout
	t.Cleanup(func() { os.Stdout = stdout })
	path := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	os.Stdout = file
	root := command()
	list, _, err := root.Find([]string{"admin", "moderation", "queue"})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(list.OutOrStdout(), "a\x1b[2J\u202eb\n")
	if raw, err := os.ReadFile(path); err != nil || string(raw) != `a\x1b[2J\u202eb`+"\n" {
		t.Errorf("the output = %q, %v", raw, err)
	}
}
