package server_test

import (
	"context"
	"log/slog"
	"math/big"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/keeper"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/store/storetest"
)

// oneHire is the reward in wei for one approved and paid task: ten points of karma.
const oneHire = "10000000000000000"

// earn completes, approves and pays a task of the agent, and mines blocks until the payment is
// final.
func (r *rig) earn(agent, human *user) {
	r.t.Helper()
	task := r.submitted(agent, human)
	id, ok := new(big.Int).SetString(*task.EscrowTaskID, 10)
	if !ok {
		r.t.Fatalf("escrow_task_id = %s", *task.EscrowTaskID)
	}
	r.net.Approve(r.t, agent.signer, id.Uint64())
	r.net.Decide(r.t, id.Uint64(), r.workHash(task.ID), 0, true)
	r.net.Mine(r.t, 200)
	r.settle()
}

// fundRewards transfers tokens to the distributor.
func (r *rig) fundRewards(amount *big.Int) {
	r.t.Helper()
	r.net.Send(r.t, r.net.Owner, r.net.Contracts.TransferToken(r.net.Deployment.Distributor, amount))
}

// keep runs a keeper that signs vouchers. The returned function stops it.
func (r *rig) keep() (stop func()) {
	r.t.Helper()
	working := keeper.New(r.net.Node, r.net.Keeper, r.net.Contracts, r.store.Outbox,
		keeper.Options{Poll: 20 * time.Millisecond, Vouchers: r.net.Rewarder}, slog.New(slog.NewTextHandler(r.t.Output(), nil)))
	ctx, cancel := context.WithCancel(r.t.Context())
	done := make(chan error, 1)
	go func() { done <- working.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			r.t.Errorf("keeper: %v", err)
		}
	})
	r.t.Cleanup(stop)
	return stop
}

func (r *rig) claim(u *user) *client.ClaimRewardsResponse {
	r.t.Helper()
	got, err := u.ClaimRewardsWithResponse(r.t.Context(), nil)
	if err != nil {
		r.t.Fatalf("claim: %v", err)
	}
	return got
}

func (r *rig) claims(u *user) client.ClaimPage {
	r.t.Helper()
	got, err := u.ListClaimsWithResponse(r.t.Context(), nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("claims = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

// awaitClaim waits until the agent's latest claim has the status.
func (r *rig) awaitClaim(u *user, status client.ClaimStatus) client.Claim {
	r.t.Helper()
	var last client.ClaimPage
	for range 1000 {
		if last = r.claims(u); len(last.Claims) > 0 && last.Claims[0].Status == status {
			return last.Claims[0]
		}
		time.Sleep(20 * time.Millisecond)
	}
	r.t.Fatalf("claims = %+v, want the latest one %s", last, status)
	return client.Claim{}
}

func (r *rig) me(u *user) client.AgentAccount {
	r.t.Helper()
	got, err := u.GetAgentMeWithResponse(r.t.Context(), nil)
	if err != nil || got.JSON200 == nil {
		r.t.Fatalf("agents/me = %s, %v", answer(got), err)
	}
	return *got.JSON200
}

// wantPaid requires that the distributor, which was funded with one token, has paid this amount.
func (r *rig) wantPaid(wallet common.Address, want string) {
	r.t.Helper()
	left, _, err := r.net.Reader.Balances(r.t.Context(), r.net.Deployment.Distributor)
	if err != nil {
		r.t.Fatal(err)
	}
	if paid := new(big.Int).Sub(chaintest.Tokens(1), left); paid.String() != want {
		r.t.Errorf("the distributor has paid %s to %s, want %s", paid, wallet, want)
	}
}

// claimDayPasses makes every claim just over one day older.
func (r *rig) claimDayPasses() {
	r.t.Helper()
	_, err := storetest.DB(r.t, r.records).Exec(`UPDATE claims SET created_at = created_at - interval '24 hours 1 minute'`)
	if err != nil {
		r.t.Fatal(err)
	}
}

func TestClaimIsPaid(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.fundRewards(chaintest.Tokens(1))
	r.keep()
	if got := r.claim(agent); got.JSON400 == nil || got.JSON400.Error != "nothing_to_claim" {
		t.Errorf("without karma = %s", answer(got))
	}
	r.earn(agent, human)
	me := r.me(agent)
	if me.Karma != 10 || me.Claimable != oneHire || me.LastClaimAt != nil {
		t.Errorf("agents/me before = %+v", me)
	}
	finding := market.Finding{OnchainRef: market.OnchainRef{Kind: market.OnchainTask, ID: 1}, Difference: "status"}
	if err := r.store.Journal.SaveFinding(t.Context(), finding); err != nil {
		t.Fatal(err)
	}
	if got := r.claim(agent); got.JSON503 == nil || got.JSON503.Error != "chain_unavailable" {
		t.Errorf("claim while the records differ from the contracts = %s", answer(got))
	}
	if err := r.store.Journal.DeleteFinding(t.Context(), finding.OnchainRef); err != nil {
		t.Fatal(err)
	}
	claimed := r.claim(agent)
	if claimed.JSON201 == nil || claimed.JSON201.TokensClaimed != oneHire || claimed.JSON201.KarmaSnapshot != 10 ||
		claimed.JSON201.Status != client.ClaimStatusPending || claimed.JSON201.TxHash != nil {
		t.Fatalf("claim = %s", answer(claimed))
	}
	if got := r.me(agent); got.Claimable != "0" || got.LastClaimAt == nil {
		t.Errorf("agents/me after = %+v", got)
	}
	paid := r.awaitClaim(agent, client.ClaimStatusPaid)
	if paid.ID != claimed.JSON201.ID || paid.TokensClaimed != oneHire || paid.TxHash == nil {
		t.Errorf("claim = %+v", paid)
	}
	r.wantPaid(agent.signer.Address(), oneHire)
	feed, err := agent.ListActivityWithResponse(t.Context(), &client.ListActivityParams{Type: new(client.ActivityTypeClaim)})
	if err != nil || feed.JSON200 == nil || len(feed.JSON200.Activities) != 1 || *feed.JSON200.Activities[0].RelatedID != paid.ID {
		t.Errorf("activity = %s, %v", answer(feed), err)
	}
	again := r.claim(agent)
	if again.JSON429 == nil || again.JSON429.Error != "rate_limited" {
		t.Errorf("again = %s", answer(again))
	}
	r.claimDayPasses()
	if got := r.claim(agent); got.JSON400 == nil || got.JSON400.Error != "nothing_to_claim" {
		t.Errorf("a day later = %s", answer(got))
	}
}

// When a hundred claims are sent concurrently to two servers, exactly one is created and paid.
func TestClaimHappensOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.fundRewards(chaintest.Tokens(1))
	r.keep()
	r.earn(agent, human)
	origins := []string{r.url, r.replica().url}
	count := concurrently(100, func(i int) int {
		return r.at(origins[i%2]).do("POST", "/api/v1/agents/claim", "", r.credentials(agent)...).status
	})
	if count[201] != 1 || count[201]+count[409]+count[429] != 100 {
		t.Errorf("statuses = %v, want one 201, the others 409 or 429", count)
	}
	r.awaitClaim(agent, client.ClaimStatusPaid)
	if got := r.claims(agent); got.Total != 1 {
		t.Errorf("claims = %+v, want one", got)
	}
	r.wantPaid(agent.signer.Address(), oneHire)
}

// If a reorganisation drops a payment, it is sent again, and the claim is paid exactly once.
func TestClaimSurvivesAReorganisation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.fundRewards(chaintest.Tokens(1))
	r.earn(agent, human)
	stop := r.keep()
	if got := r.claim(agent); got.JSON201 == nil {
		t.Fatalf("claim = %s", answer(got))
	}
	r.awaitClaim(agent, client.ClaimStatusPaid)
	stop()
	r.net.Reorg(t, 1)
	r.net.Mine(t, 1)
	r.settle()
	back := r.awaitClaim(agent, client.ClaimStatusPending)
	if back.TxHash != nil || r.me(agent).Claimable != "0" {
		t.Errorf("after the reorganisation the claim is %+v, claimable %s", back, r.me(agent).Claimable)
	}
	if got := r.claim(agent); got.JSON409 == nil {
		t.Errorf("a second claim = %s", answer(got))
	}
	r.keep()
	r.awaitClaim(agent, client.ClaimStatusPaid)
	r.claimDayPasses()
	if got := r.claim(agent); got.JSON400 == nil || got.JSON400.Error != "nothing_to_claim" {
		t.Errorf("claim after that = %s", answer(got))
	}
	r.wantPaid(agent.signer.Address(), oneHire)
}

// No payment is lost or duplicated when keepers stop at arbitrary moments.
func TestClaimSurvivesKeeperRestarts(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.fundRewards(chaintest.Tokens(1))
	r.earn(agent, human)
	if got := r.claim(agent); got.JSON201 == nil {
		t.Fatalf("claim = %s", answer(got))
	}
	for life := range 20 {
		stop := r.keep()
		time.Sleep(time.Duration(life*3) * time.Millisecond)
		stop()
	}
	r.keep()
	r.awaitClaim(agent, client.ClaimStatusPaid)
	r.wantPaid(agent.signer.Address(), oneHire)
}

// A claim above the reward budget is paid in part; the rest stays claimable.
func TestClaimWithinTheBudget(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.keep()
	r.earn(agent, human)
	got := r.claim(agent)
	if got.JSON503 == nil || got.JSON503.Error != "budget_exhausted" || got.HTTPResponse.Header.Get("Retry-After") == "" {
		t.Errorf("claim of an empty distributor = %s", answer(got))
	}
	r.fundRewards(big.NewInt(1_000))
	if got := r.claim(agent); got.JSON201 == nil || got.JSON201.TokensClaimed != "1000" {
		t.Fatalf("claim of a small budget = %s", answer(got))
	}
	r.awaitClaim(agent, client.ClaimStatusPaid)
	if got := r.me(agent).Claimable; got != "9999999999999000" {
		t.Errorf("claimable after that = %s", got)
	}
	r.fundRewards(chaintest.Tokens(1))
	r.claimDayPasses()
	if got := r.claim(agent); got.JSON201 == nil || got.JSON201.TokensClaimed != "9999999999999000" {
		t.Fatalf("claim of the rest = %s", answer(got))
	}
	r.awaitClaim(agent, client.ClaimStatusPaid)
	r.wantPaid(agent.signer.Address(), "9999999999999000") // excludes the 1,000 wei paid earlier
}

func TestClaimsAreVisibleToTheirAgentOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.verifiedAgent(r.net.OtherAgent)
	fresh := r.agent(newSigner(t))
	r.fundRewards(chaintest.Tokens(1))
	r.earn(agent, human)
	if got := r.claim(agent); got.JSON201 == nil {
		t.Fatalf("claim = %s", answer(got))
	}
	if got := r.claims(other); got.Total != 0 || got.Claims == nil {
		t.Errorf("another agent's claims = %+v", got)
	}
	for _, test := range []struct {
		name, method, path, body string
		headers                  []string
		want                     int
	}{
		{"claim without credentials", "POST", "/agents/claim", "", nil, 401},
		{"a human claims", "POST", "/agents/claim", "", r.credentials(human), 401},
		{"list without credentials", "GET", "/agents/claims", "", nil, 401},
		{"a human lists", "GET", "/agents/claims", "", r.credentials(human), 401},
		{"an unverified agent claims", "POST", "/agents/claim", "", r.credentials(fresh), 403},
		{"an unverified agent lists", "GET", "/agents/claims", "", r.credentials(fresh), 403},
		{"claim with an amount", "POST", "/agents/claim", `{"amount":"1"}`, r.credentials(other), 400},
		{"page 0", "GET", "/agents/claims?page=0", "", r.credentials(other), 400},
		{"page_size 101", "GET", "/agents/claims?page_size=101", "", r.credentials(other), 400},
		{"a cursor of another list", "GET", "/agents/claims?cursor=abc", "", r.credentials(other), 400},
	} {
		if got := r.do(test.method, "/api/v1"+test.path, test.body, test.headers...); got.status != test.want {
			t.Errorf("%s = %d %s, want %d", test.name, got.status, got.body, test.want)
		}
	}
}

func TestNoClaimsWithoutRewards(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t, func(o *server.Options) { o.Rewards = nil })
	agent := r.verifiedAgent(r.net.Agent)
	if got := r.claim(agent); got.StatusCode() != http.StatusServiceUnavailable || got.JSON503.Error != "budget_exhausted" {
		t.Errorf("claim = %s", answer(got))
	}
	if got := r.me(agent).Claimable; got != "0" {
		t.Errorf("claimable = %s", got)
	}
}
