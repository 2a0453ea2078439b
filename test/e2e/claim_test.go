package e2e_test

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// TestClaim: after a paid task, the agent claims its reward once and receives the tokens.
func TestClaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	w.newReplica()
	if _, err := w.agent.Claim(w.ctx); !refusedAs(err, market.KindNothingToClaim) {
		t.Errorf("claim without karma = %v", err)
	}
	w.earn()
	before := w.account()
	claim, err := w.agent.Claim(w.ctx)
	w.must(err)
	if claim.TokensClaimed != before.Claimable || before.Claimable == "0" {
		t.Errorf("claimed %s of %s", claim.TokensClaimed, before.Claimable)
	}
	w.awaitPaid(w.agent.Client, claim.ID)
	after := w.account()
	if got := new(big.Int).Sub(amount(t, after.Balance), amount(t, before.Balance)); got.String() != claim.TokensClaimed {
		t.Errorf("%s tokens arrived, want %s", got, claim.TokensClaimed)
	}
	if after.Claimable != "0" || after.LastClaimAt == nil {
		t.Errorf("account = %+v", after)
	}
	if _, err := w.agent.Claim(w.ctx); !refusedAs(err, market.KindRateLimited) {
		t.Errorf("claim again = %v", err)
	}
}

// TestKeyReplacement: the old key is rejected at once; the wallet can replace a lost key.
func TestKeyReplacement(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	replaced, err := w.agent.RotateKey(w.ctx)
	w.must(err)
	if _, err := w.agent.Me(w.ctx); !refusedAs(err, market.KindUnauthorized) {
		t.Errorf("the old key = %v", err)
	}
	renewed, err := w.agent.WithAPIKey(replaced.APIKey)
	w.must(err)
	defer renewed.Close()
	if _, err := renewed.Me(w.ctx); err != nil {
		t.Errorf("the new key = %v", err)
	}
	if _, err := renewed.RotateKey(w.ctx); !refusedAs(err, market.KindRotationTooSoon) {
		t.Errorf("rotation again on the same day = %v", err)
	}
	_, err = w.agent.RecoverKey(w.ctx)
	w.must(err)
	if _, err := renewed.Me(w.ctx); !refusedAs(err, market.KindUnauthorized) {
		t.Errorf("the key before the recovery = %v", err)
	}
	if _, err := w.agent.RecoverKey(w.ctx); !refusedAs(err, market.KindRotationTooSoon) {
		t.Errorf("recovery again on the same day = %v", err)
	}
}

// TestWrongVoucherKey: a server exits with an error at start if the distributor does not accept its
// voucher key.
func TestWrongVoucherKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	wrong := hexutil.Encode(crypto.FromECDSA(w.net.Dev.Accounts()[0].Key))
	output, err := w.tryServe("REWARD_SIGNER_PRIVATE_KEY", wrong)
	if err == nil || !strings.Contains(output, "REWARD_SIGNER_PRIVATE_KEY") || !strings.Contains(output, w.net.Rewarder.Address().Hex()) || strings.Contains(output, wrong[2:]) {
		t.Errorf("serve = %v: %s", err, output)
	}
}

func refusedAs(err error, kind market.Kind) bool {
	refused, ok := errors.AsType[*client.APIError](err)
	return ok && refused.Code == kind
}

func (w *world) account() client.Account {
	w.t.Helper()
	account, err := w.agent.Me(w.ctx)
	w.must(err)
	return account
}

// earn funds the distributor, completes a task that is paid, and waits until the task has enough
// confirmations to give the agent karma.
func (w *world) earn() {
	w.t.Helper()
	w.net.Send(w.t, w.net.Owner, w.net.Contracts.TransferToken(w.net.Deployment.Distributor, chaintest.Tokens(1)))
	task := w.submitted()
	_, err := w.agent.Approve(w.ctx, task.ID)
	w.must(err)
	w.vote(task.ID, true)
	w.await(task.ID, gen.TaskStatusApproved)
	w.net.Mine(w.t, 200) // adds enough confirmations to the payment
	for w.account().Karma == 0 {
		w.pause("wait for karma")
	}
}

// awaitPaid waits until the claim is paid. It must be the agent's only claim.
func (w *world) awaitPaid(agent *client.Client, claim uuid.UUID) {
	w.t.Helper()
	for {
		page, err := agent.Claims(w.ctx, client.PageQuery{})
		w.must(err)
		if len(page.Claims) != 1 || page.Claims[0].ID != claim {
			w.t.Fatalf("claims = %+v, want only %s", page.Claims, claim)
		}
		if page.Claims[0].Status == gen.ClaimStatusPaid {
			return
		}
		w.pause("wait for the claim to be paid")
	}
}

func amount(tb testing.TB, text string) *big.Int {
	tb.Helper()
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		tb.Fatalf("amount %q", text)
	}
	return n
}
