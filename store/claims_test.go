package store_test

import (
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// aDayLater moves the times of all claims just over one day into the past.
func aDayLater(t *testing.T, s *store.Store) {
	t.Helper()
	storetest.Execute(t, s, `UPDATE claims SET created_at = created_at - interval '24 hours 1 minute'`)
}

// wantClaims fails the test unless the agent's claims, newest first, have these amounts and statuses.
func wantClaims(t *testing.T, s *store.Store, agent uuid.UUID, want ...market.Claim) {
	t.Helper()
	got := storetest.Must(s.Claims(t.Context(), agent, store.PageQuery{})).Items
	if len(got) != len(want) {
		t.Fatalf("%d claims, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Status != want[i].Status || got[i].Amount.Cmp(want[i].Amount) != 0 ||
			(got[i].Status == market.ClaimPaid) != (got[i].TxHash != nil) {
			t.Errorf("claim %d is %+v, want %s %s", i, got[i], want[i].Status, want[i].Amount)
		}
	}
}

func claimOf(status market.ClaimStatus, amount int64) market.Claim {
	return market.Claim{Status: status, Amount: big.NewInt(amount)}
}

func TestClaimFollowsItsPayment(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain, agent := storetest.NewChain(t, s), storetest.Agent(t, s)
	storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 100)))
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPending, 100))
	jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10))
	if len(jobs) != 1 || jobs[0].Reward.Account != agent.Wallet || jobs[0].Reward.Cumulative.Int64() != 100 {
		t.Fatalf("jobs = %+v", jobs)
	}
	chain.Mine(t, storetest.Reward(t, storetest.NewWallet(), 7, 7)) // a payment to another agent
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPending, 100))
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 100, 100))
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPaid, 100))
	if jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10)); len(jobs) != 0 {
		t.Errorf("jobs of a paid claim = %+v", jobs)
	}
	chain.Rewind(t, 1)
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPending, 100))
	if jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10)); len(jobs) != 1 {
		t.Errorf("jobs after the reorganisation = %+v", jobs)
	}
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 100, 100))
	if rewards := storetest.Must(s.Rewards(t.Context(), agent.ID)); rewards.Paid.Int64() != 100 || rewards.Pending.Sign() != 0 {
		t.Errorf("Rewards() = %+v", rewards)
	}
}

// A voucher contains the cumulative amount, including earlier payments, but each payment is matched
// with only one claim.
func TestPaymentCountsForOneClaim(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain, agent := storetest.NewChain(t, s), storetest.Agent(t, s)
	storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 100)))
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 60, 60)) // less than the claim, because the budget ran out
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPaid, 60))
	aDayLater(t, s)
	storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 150)))
	if jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10)); len(jobs) != 1 || jobs[0].Reward.Cumulative.Int64() != 150 {
		t.Fatalf("jobs = %+v", jobs)
	}
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 90, 150))
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPaid, 90), claimOf(market.ClaimPaid, 60))

	// Mark all blocks as not canonical, so that they are read again.
	if err := s.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPending, 90), claimOf(market.ClaimFailed, 100))
	chain.Feed(t, s, 1)
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPaid, 90), claimOf(market.ClaimPaid, 60))
	aDayLater(t, s)
	_, err := s.Claim(t.Context(), storetest.Earned(agent, 150))
	storetest.WantKind(t, "Claim() of a paid reward", err, market.KindNothingToClaim)
}

// If the keeper abandons a claim, the agent is notified and can claim again immediately. A later
// payment belongs to the new claim.
func TestClaimFails(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain, agent := storetest.NewChain(t, s), storetest.Agent(t, s)
	lease := storetest.Must(s.Outbox.LeadKeeper(t.Context(), "keeper", storetest.KeeperAccount, time.Minute))
	storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 100)))
	job := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10))[0]
	if err := s.Outbox.JobFailed(t.Context(), lease.Epoch, job.ID, "InvalidVoucher", time.Time{}); err != nil {
		t.Fatal(err)
	}
	wantClaims(t, s, agent.ID, claimOf(market.ClaimFailed, 100))
	page := storetest.Must(s.Activities(t.Context(), store.ActivityQuery{Principal: market.Principal{Kind: market.PrincipalAgent, ID: agent.ID}}))
	if len(page.Items) != 1 || page.Items[0].Type != market.ActivityClaim {
		t.Errorf("feed = %+v", page.Items)
	}
	storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 100))) // allowed immediately, because the failed claim does not start the waiting time
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 100, 100))
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPaid, 100), claimOf(market.ClaimFailed, 100))
}

func TestClaimRejects(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain, agent, other := storetest.NewChain(t, s), storetest.Agent(t, s), storetest.Agent(t, s)
	_, err := s.Claim(t.Context(), storetest.Earned(agent, 0))
	storetest.WantKind(t, "Claim() with nothing claimable", err, market.KindNothingToClaim)
	storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 9_990)))
	_, err = s.Claim(t.Context(), storetest.Earned(agent, 20_000))
	storetest.WantKind(t, "Claim() while another is pending", err, market.KindAlreadyExists)
	if claim := storetest.Must(s.Claim(t.Context(), storetest.Earned(other, 100))); claim.Amount.Int64() != 10 {
		t.Errorf("another agent's claim = %s, want the 10 that are not reserved", claim.Amount)
	}
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 9_990, 9_990))
	_, err = s.Claim(t.Context(), storetest.Earned(agent, 20_000))
	storetest.WantKind(t, "Claim() too soon", err, market.KindRateLimited)
	empty := storetest.Earned(storetest.Agent(t, s), 100)
	empty.Budget = new(big.Int)
	_, err = s.Claim(t.Context(), empty)
	storetest.WantKind(t, "Claim() without a budget", err, market.KindBudgetExhausted)
}

func TestClaimRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.NewChain(t, s)
	agent := storetest.Agent(t, s)
	var wg sync.WaitGroup
	kinds := make(chan market.Kind, 50)
	for range cap(kinds) {
		wg.Go(func() {
			_, err := s.Claim(t.Context(), storetest.Earned(agent, 100))
			kinds <- market.KindOf(err)
		})
	}
	wg.Wait()
	close(kinds)
	count := map[market.Kind]int{}
	for kind := range kinds {
		count[kind]++
	}
	if count[""] != 1 || count[market.KindAlreadyExists] != cap(kinds)-1 {
		t.Errorf("outcomes = %v, want one claim and %s for the others", count, market.KindAlreadyExists)
	}
}

// moved opens a second store on the database of s, for a modified deployment.
func moved(t *testing.T, s *store.Store, change func(*market.Deployment)) *store.Store {
	t.Helper()
	d := storetest.Deployment()
	change(&d)
	return storetest.OpenFor(t, storetest.URL(t, s), d)
}

// A reset keeps the payments by a former distributor, because the watcher would not read its logs
// again. Without these payments, the rewards would be paid twice.
func TestResetKeepsFormerDistributors(t *testing.T) {
	t.Parallel()
	former := storetest.New(t)
	chain, agent := storetest.NewChain(t, former), storetest.Agent(t, former)
	storetest.Must(former.Claim(t.Context(), storetest.Earned(agent, 60)))
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 60, 60))
	aDayLater(t, former)
	s := moved(t, former, func(d *market.Deployment) { d.Distributor = storetest.NewWallet() })
	if err := s.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if claim := storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 100))); claim.Amount.Int64() != 40 {
		t.Errorf("claim with 100 earned and 60 paid by another distributor = %s, want 40", claim.Amount)
	}
}

// After a new escrow is deployed, the keeper completes the existing claims, each with its original
// distributor.
func TestClaimsSurviveANewEscrow(t *testing.T) {
	t.Parallel()
	former := storetest.New(t)
	storetest.NewChain(t, former)
	storetest.Must(former.Claim(t.Context(), storetest.Earned(storetest.Agent(t, former), 60)))
	s := moved(t, former, func(d *market.Deployment) { d.Escrow, d.Distributor = storetest.NewWallet(), storetest.NewWallet() })
	jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10))
	if len(jobs) != 1 || jobs[0].Reward.Distributor != former.Deployment().Distributor {
		t.Errorf("OpenJobs() = %+v, want the claim of the distributor %s", jobs, former.Deployment().Distributor)
	}
}

// Claims that wait for a keeper with the voucher key do not delay other jobs.
func TestEscrowJobsPrecedeClaims(t *testing.T) {
	t.Parallel()
	w := storetest.NewWorld(t)
	storetest.Must(w.Store.Claim(t.Context(), storetest.Earned(storetest.Agent(t, w.Store), 60)))
	of := storetest.Of(w.Task)
	w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, of, w.Human.Wallet),
		storetest.Accept(t, of, w.Human.Wallet), storetest.Submit(t, of, storetest.NewHash()), storetest.Approve(t, of))
	w.Chain.Wait(t, market.ApprovedReview)
	w.Chain.Mine(t)
	if jobs := storetest.Must(w.Store.Outbox.OpenJobs(t.Context(), 1)); len(jobs) != 1 || jobs[0].Kind != market.OutboxSettle {
		t.Errorf("the first jobs are %+v, want the settlement first", jobs)
	}
}

// A keeper cannot reopen a job that the watcher has closed since the keeper read it. The agent is
// not notified of a failure if its claim was paid.
func TestPaidClaimStaysPaid(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain, agent := storetest.NewChain(t, s), storetest.Agent(t, s)
	lease := storetest.Must(s.Outbox.LeadKeeper(t.Context(), "keeper", storetest.KeeperAccount, time.Minute))
	storetest.Must(s.Claim(t.Context(), storetest.Earned(agent, 100)))
	job := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10))[0]
	chain.Mine(t, storetest.Reward(t, agent.Wallet, 100, 100))
	told := len(storetest.Titles(t, s, market.Principal{Kind: market.PrincipalAgent, ID: agent.ID}))
	for _, retryAt := range []time.Time{time.Now(), {}} {
		err := s.Outbox.JobFailed(t.Context(), lease.Epoch, job.ID, "NothingToClaim", retryAt)
		storetest.WantKind(t, "JobFailed() of a closed job", err, market.KindNotFound)
	}
	if jobs := storetest.Must(s.Outbox.OpenJobs(t.Context(), 10)); len(jobs) != 0 {
		t.Errorf("jobs of a paid claim = %+v", jobs)
	}
	if titles := storetest.Titles(t, s, market.Principal{Kind: market.PrincipalAgent, ID: agent.ID}); len(titles) != told {
		t.Errorf("feed = %q after the payment", titles)
	}
}

// The response to a COMMIT can be lost. A repeated request returns the claim instead of failing as
// a second claim.
func TestClaimIsRepeated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	storetest.NewChain(t, s)
	agent := storetest.Agent(t, s)
	request := storetest.Earned(agent, 100)
	first, again := storetest.Must(s.Claim(t.Context(), request)), storetest.Must(s.Claim(t.Context(), request))
	if again.ID != first.ID || again.Amount.Cmp(first.Amount) != 0 {
		t.Errorf("Claim() again = %+v, want %+v", again, first)
	}
	wantClaims(t, s, agent.ID, claimOf(market.ClaimPending, 100))
}
