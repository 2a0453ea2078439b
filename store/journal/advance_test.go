package journal_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestTaskFollowsTheChainToItsEnd(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	application := storetest.Application(t, w.Store, w.Task, w.Human)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)

	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	funded := storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
	if funded.Escrow.ID != 1 || funded.Escrow.TermsHash != w.Task.TermsHash {
		t.Errorf("funded by escrow task %d with terms %s", funded.Escrow.ID, funded.Escrow.TermsHash)
	}

	w.Chain.Mine(t, storetest.Stake(t, storetest.Of(w.Task), w.Human.Wallet))
	pending := storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationPending)
	if pending.ID != application.ID || pending.Message != application.Message {
		t.Errorf("the stake is linked to application %s, want %s", pending.ID, application.ID)
	}

	w.Chain.Mine(t, storetest.Accept(t, storetest.Of(w.Task), w.Human.Wallet))
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationAccepted)
	active := storetest.WantStatus(t, w.Store, w.Task, market.StatusActive)
	if active.HumanID == nil || *active.HumanID != w.Human.ID || active.Escrow.Panel != 1 {
		t.Errorf("active with human %v and panel %d, want %s and 1", active.HumanID, active.Escrow.Panel, w.Human.ID)
	}

	w.Chain.Mine(t, storetest.Submit(t, storetest.Of(w.Task), storetest.Hash(t)))
	storetest.WantStatus(t, w.Store, w.Task, market.StatusSubmitted)
	w.Chain.Mine(t, storetest.Approve(t, storetest.Of(w.Task)))
	storetest.WantStatus(t, w.Store, w.Task, market.StatusValidating)
	w.Chain.Mine(t, storetest.Decide(t, storetest.Of(w.Task), true))
	approved := storetest.WantStatus(t, w.Store, w.Task, market.StatusApproved)
	if diff := cmp.Diff(w.Chain.State().Tasks[1].Paid.String(), approved.Escrow.Paid.String()); diff != "" {
		t.Errorf("paid (-chain +store):\n%s", diff)
	}
	storetest.WantApplication(t, w.Store, w.Task, w.Human, market.ApplicationAccepted)
}

func TestParametersFollowAdministration(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	got, err := w.Store.Journal.Parameters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.FeeBasisPoints != 500 || got.Panel != 1 || len(got.Validators) != 1 || got.QuorumOf(1) != 1 || got.Paused {
		t.Errorf("Parameters() = %+v", got)
	}
	validator := got.Validators[0].Wallet
	w.Chain.Mine(t, storetest.Tx{Hash: storetest.Hash(t), Run: func(*storetest.State) []storetest.Emission {
		escrow := w.Store.Deployment().Escrow
		return []storetest.Emission{
			{Address: escrow, Event: market.Event{Kind: market.EventValidatorRemoved, Caller: validator, Panel: 2}},
			{Address: escrow, Event: market.Event{Kind: market.EventPaused}},
		}
	}})
	if got, err = w.Store.Journal.Parameters(t.Context()); err != nil || got.ValidatorIn(validator, 2) || !got.ValidatorIn(validator, 1) || !got.Paused {
		t.Errorf("after the removal Parameters() = %+v, %v", got, err)
	}
	w.Chain.Rewind(t, 1)
	if got, err = w.Store.Journal.Parameters(t.Context()); err != nil || !got.ValidatorIn(validator, 2) || got.Paused {
		t.Errorf("after the reorganisation Parameters() = %+v, %v", got, err)
	}
}

func TestConcurrentAdvanceHasOneWinner(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	other := storetest.Open(t, storetest.URL(t, w.Store))
	w.Chain.Store = nil
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	step := w.Chain.Step(1)
	from, err := w.Store.Journal.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	results := make(chan error, 2)
	for _, s := range []*store.Store{w.Store, other} {
		go func() { results <- s.Journal.Advance(t.Context(), from, step) }()
	}
	first, second := <-results, <-results
	if first != nil {
		first, second = second, first
	}
	if first != nil || !errors.Is(second, market.ErrNotLeader) {
		t.Errorf("Advance() of both = %v, %v; want nil and %v", first, second, market.ErrNotLeader)
	}
	storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
}

func TestLeaseFencesTheFormerLeader(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	ctx := t.Context()
	first, err := w.Store.Journal.Lead(ctx, "first", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.Store.Journal.Lead(ctx, "first", 50*time.Millisecond); err != nil || again.Epoch != first.Epoch {
		t.Errorf("Lead() again = epoch %d, %v; want %d, nil", again.Epoch, err, first.Epoch)
	}
	from, err := w.Store.Journal.Cursor(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second, err := takeOver(t, w.Store, "second")
	if err != nil || second.Epoch != first.Epoch+1 {
		t.Fatalf("Lead() after the lease = epoch %d, %v; want %d", second.Epoch, err, first.Epoch+1)
	}
	if _, err := w.Store.Journal.Lead(ctx, "first", time.Minute); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Lead() of the former = %v, want %v", err, market.ErrNotLeader)
	}
	w.Chain.Store = nil
	w.Chain.Mine(t)
	if err := w.Store.Journal.Advance(ctx, from, w.Chain.Step(1)); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Advance() in the former epoch = %v, want %v", err, market.ErrNotLeader)
	}
	if err := w.Store.Journal.Rewind(ctx, from, market.Block{}); !errors.Is(err, market.ErrNotLeader) {
		t.Errorf("Rewind() in the former epoch = %v, want %v", err, market.ErrNotLeader)
	}
	w.Chain.Feed(t, w.Store, 1)
}

// takeOver retries until the current lease expires and holder acquires the lease.
func takeOver(t *testing.T, s *store.Store, holder string) (lease market.Lease, err error) {
	t.Helper()
	for until := time.Now().Add(5 * time.Second); time.Now().Before(until); {
		if lease, err = s.Journal.Lead(t.Context(), holder, time.Minute); !errors.Is(err, market.ErrNotLeader) {
			return lease, err
		}
	}
	return lease, err
}

func TestAdvanceRejectsGaps(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	from, err := w.Store.Journal.Cursor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.Chain.Store = nil
	w.Chain.Mine(t, storetest.Post(t, w.Task, false))
	good := w.Chain.Step(1)
	for name, spoil := range map[string]func(*market.Step){
		"another parent":                      func(s *market.Step) { s.Blocks[0].Parent = storetest.Hash(t) },
		"a lower block":                       func(s *market.Step) { s.Blocks[0].Number = from.Block.Number },
		"a log of another block":              func(s *market.Step) { s.Logs[0].Block.Hash = storetest.Hash(t) },
		"logs out of order":                   func(s *market.Step) { s.Logs[0], s.Logs[1] = s.Logs[1], s.Logs[0] },
		"a log twice":                         func(s *market.Step) { s.Logs[1] = s.Logs[0] },
		"a log that the contract cannot emit": func(s *market.Step) { s.Logs = s.Logs[1:] },
		"logs but no blocks":                  func(s *market.Step) { s.Blocks = nil },
	} {
		t.Run(name, func(t *testing.T) {
			step := market.Step{Blocks: append([]market.Block{}, good.Blocks...), Logs: append([]market.Log{}, good.Logs...)}
			spoil(&step)
			if err := w.Store.Journal.Advance(t.Context(), from, step); err == nil {
				t.Error("Advance() = nil error, want one")
			}
			if got, err := w.Store.Journal.Cursor(t.Context()); err != nil || got != from {
				t.Errorf("Cursor() = %+v, %v; want it unchanged", got, err)
			}
		})
	}
	if err := w.Store.Journal.Advance(t.Context(), from, good); err != nil {
		t.Errorf("Advance() = %v", err)
	}
}

func TestAdvanceStoresUnrelatedLogs(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	post := storetest.Post(t, w.Task, false)
	elsewhere := storetest.Tx{Hash: post.Hash, Run: func(s *storetest.State) []storetest.Emission {
		emitted := post.Run(s)
		for i := range emitted {
			emitted[i].Address = w.Store.Deployment().Token
		}
		return append(emitted, storetest.Emission{Address: w.Store.Deployment().Treasury, Event: market.Event{Kind: market.EventOther}})
	}}
	w.Chain.Mine(t, elsewhere)
	storetest.WantStatus(t, w.Store, w.Task, market.StatusNew)
	var kept, folded int
	db := storetest.DB(t, w.Store)
	if err := errors.Join(
		db.Get(&kept, `SELECT count(*) FROM chain_logs WHERE tx_hash = $1`, post.Hash),
		db.Get(&folded, `SELECT count(*) FROM onchain_tasks`),
	); err != nil || kept != 3 || folded != 0 {
		t.Errorf("%d logs stored, %d tasks folded, %v; want 3, 0, nil", kept, folded, err)
	}
}

func TestCanonicalBlock(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if _, err := s.Journal.CanonicalBlock(t.Context(), 10); market.KindOf(err) != market.KindNotFound {
		t.Errorf("CanonicalBlock() of an empty chain: kind = %q, want %q", market.KindOf(err), market.KindNotFound)
	}
	start, err := s.Journal.Cursor(t.Context())
	if want := (market.Cursor{}); err != nil || start != want {
		t.Errorf("Cursor() of an empty chain = %+v, %v; want %+v", start, err, want)
	}
	chain := storetest.NewChain(t, s)
	second := chain.Wait(t, time.Minute)
	third := chain.Mine(t)
	got, err := s.Journal.CanonicalBlock(t.Context(), 2)
	if diff := cmp.Diff(second, got); err != nil || diff != "" {
		t.Errorf("CanonicalBlock(2) (-want +got), %v:\n%s", err, diff)
	}
	if got, err = s.Journal.CanonicalBlock(t.Context(), 99); err != nil || got != third {
		t.Errorf("CanonicalBlock(99) = %+v, %v; want %+v", got, err, third)
	}
	chain.Rewind(t, 1)
	if got, err = s.Journal.CanonicalBlock(t.Context(), 99); err != nil || got != second {
		t.Errorf("CanonicalBlock(99) after a reorganisation = %+v, %v; want %+v", got, err, second)
	}
}
