package e2e_test

import (
	"fmt"
	"net/http"
	"testing"

	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
)

// earnerGas is the gas money of an agent in the race for rewards.
var earnerGas = chaintest.Tokens(1)

// TestRacesForRewards: an agent that claims many times at once is paid once,
// and not more than it has earned.
func TestRacesForRewards(t *testing.T) {
	t.Parallel()
	a := newArena(t, 1)
	defer a.end()
	a.prepareChain()
	a.net.Send(t, a.net.Owner, a.net.Contracts.TransferToken(a.net.Deployment.Distributor, chaintest.Tokens(100)))
	earners := a.jobs(released, a.earners(), a.net.Human)
	earned := make([]string, a.rounds)
	a.run("threat 33: claim", func(n int) { earned[n] = a.raceToClaim(earners[n].by) })
	for n, e := range earners {
		a.wantPaid(e.by, earned[n])
	}
}

// earners creates an agent for each round, because an agent claims once a day.
func (a *arena) earners() []hirer {
	a.t.Helper()
	earners := make([]hirer, a.rounds)
	a.each(len(earners), func(i int) error {
		username, wallet := fmt.Sprintf("earner-%d", i), a.newcomer()
		agent := a.registered(wallet, username)
		earners[i] = hirer{wallet.Address(), agent.APIKey}
		post := a.social.Post(username, "I am "+agent.VerificationCode)
		got, err := a.askPatiently(a.server, ask{
			op: "verifyAgent", path: []string{agent.AgentID.String()}, body: gen.VerifyAgentRequest{PostURL: new(post)}, as: withKey(agent.APIKey),
		})
		if err == nil && got.status != http.StatusOK {
			err = fmt.Errorf("verify %s: %s", username, got.body)
		}
		return err
	})
	var txs []sent
	for _, e := range earners {
		a.must(a.net.Dev.SetBalance(a.ctx, e.wallet, earnerGas))
		txs = append(txs, sent{a.net.Owner.Address(), a.net.Contracts.TransferToken(e.wallet, jobAmount())})
		txs = append(txs, a.allowances(e.wallet)...)
	}
	a.mined(txs...)
	return earners
}

// raceToClaim returns the agent's earned reward. While the claim is open another one is refused;
// once it is paid, the next is refused as too early.
func (a *arena) raceToClaim(by hirer) (earned string) {
	me := ask{op: "getAgentMe", as: withKey(by.key)}
	earned = get[gen.AgentAccount](a, a.server, me).Claimable
	answers := a.race(func(int) ask { return ask{op: "claimRewards", as: withKey(by.key)} })
	a.wantOnly(answers, "201", "409 already_exists", "429 rate_limited")
	claim := read[gen.Claim](a, a.wantWinner(answers, http.StatusCreated))
	if amount(a.t, earned).Sign() <= 0 || claim.TokensClaimed != earned {
		a.t.Errorf("claimed %s of %s", claim.TokensClaimed, earned)
	}
	return earned
}

// wantPaid waits for the keeper, and fails unless the agent's wallet contains exactly its reward:
// the agent has spent the rest on its job.
func (a *arena) wantPaid(by hirer, earned string) {
	a.t.Helper()
	for {
		claims := get[gen.ClaimPage](a, a.server, ask{op: "listClaims", as: withKey(by.key)}).Claims
		if len(claims) != 1 {
			a.t.Fatalf("%d claims, want 1", len(claims))
		}
		if claims[0].Status == gen.ClaimStatusPaid {
			break
		}
		a.pause("wait for a claim that is " + string(claims[0].Status) + " to be paid")
	}
	balance, _, err := a.net.Reader.Balances(a.ctx, by.wallet)
	a.must(err)
	if balance.Cmp(amount(a.t, earned)) != 0 {
		a.t.Errorf("%s was paid, want %s", balance, earned)
	}
}
