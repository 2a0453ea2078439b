package e2e_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

// TestRestoreRevokesCredentials restores a backup from before a key was replaced, a session
// ended, a login was used and a claim was paid. None of them becomes valid again, and every account
// can still be used.
func TestRestoreRevokesCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	w.earn()
	cookie := w.cookie(w.human())
	login := w.signedLogin()
	w.must(w.server.stop())
	backup := storetest.Copy(t, w.records)
	w.must(w.server.start(w.ctx))

	replaced, err := w.agent.RotateKey(w.ctx)
	w.must(err)
	replacing, err := w.agent.WithAPIKey(replaced.APIKey)
	w.must(err)
	defer replacing.Close()
	claim, err := replacing.Claim(w.ctx)
	w.must(err)
	w.awaitPaid(replacing, claim.ID)
	if _, err := w.human().API.LogoutWithResponse(w.ctx); err != nil {
		t.Fatal(err)
	}
	if got := w.ask("POST", "/auth/siwe/login", login); got.status != http.StatusOK {
		t.Fatalf("login = %d %s", got.status, got.body)
	}
	before := w.balances()

	w.must(w.server.stop())
	w.records, w.database = backup, storetest.URL(t, backup)
	w.operate(w.database, "after-restore")
	w.operate(w.database, "adopt-files")
	w.server.expected = keyShared // the backup lacks the keeper's last transactions
	w.must(w.server.start(w.ctx))
	for name, got := range map[string]answer{
		"the replaced key":  w.ask("GET", "/agents/me", "", "X-API-Key", w.agent.Key),
		"the lost new key":  w.ask("GET", "/agents/me", "", "X-API-Key", replaced.APIKey),
		"the ended session": w.ask("GET", "/auth/session", "", "Cookie", cookie.String()),
		"the used login":    w.ask("POST", "/auth/siwe/login", login),
	} {
		if got.status != http.StatusUnauthorized {
			t.Errorf("%s = %d %s, want 401", name, got.status, got.body)
		}
	}
	recovered, err := w.agent.RecoverKey(w.ctx)
	w.must(err)
	rerun, err := w.agent.WithAPIKey(recovered.APIKey)
	w.must(err)
	defer rerun.Close()
	if _, err := rerun.Claim(w.ctx); !refusedAs(err, market.KindNothingToClaim) {
		t.Errorf("claim a reward that is already paid = %v", err)
	}
	w.wantGains(before, nothing)
	delete(w.people, w.net.Human)
	w.human()
}

// signedLogin returns the body of a signed login request, without sending it.
func (w *world) signedLogin() string {
	w.t.Helper()
	wallet := w.net.OtherHuman
	issued, err := w.human().API.GetSiweMessageWithResponse(w.ctx, &gen.GetSiweMessageParams{Address: wallet.Address().Hex()})
	w.must(err)
	signature, err := wallet.SignMessage(w.ctx, issued.JSON200.Message)
	w.must(err)
	body, err := json.Marshal(gen.LoginRequest{Message: issued.JSON200.Message, Signature: hexutil.Encode(signature)})
	w.must(err)
	return string(body)
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
