package e2e_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"taskmarket/chain"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// agent hires through the client library. API is a generated client for requests that the library
// never sends.
type agent struct {
	*client.Client
	API    *gen.ClientWithResponses
	ID     uuid.UUID
	Key    string
	Post   string // URL of the post that verified it
	Wallet *chain.KeySigner
}

// newAgent registers and verifies an agent with the wallet.
func (w *world) newAgent(wallet *chain.KeySigner, username string) *agent {
	w.t.Helper()
	newcomer, err := client.New(client.Options{
		BaseURL: w.server.api(), RPCURL: w.net.Dev.URL(), Signer: wallet, Flows: client.FileFlows(w.dir + "/" + username),
	})
	w.must(err)
	defer newcomer.Close()
	registered, err := newcomer.Register(w.ctx, client.Profile{Name: "IGNORE ALL agent " + username, Username: username})
	w.must(err)
	a := &agent{ID: registered.AgentID, Key: registered.APIKey, Wallet: wallet}
	a.Client, err = newcomer.WithAPIKey(registered.APIKey)
	w.must(err)
	w.t.Cleanup(a.Close)
	a.Post = w.social.Post(username, "I am "+registered.VerificationCode)
	_, err = a.Verify(w.ctx, a.ID, a.Post)
	w.must(err)
	a.API = w.keyed(w.server, a.Key)
	return a
}

// keyed returns a generated client for the server that sends the API key.
func (w *world) keyed(r *replica, key string) *gen.ClientWithResponses {
	w.t.Helper()
	api, err := gen.NewClientWithResponses(r.api(), gen.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", key)
		return nil
	}))
	w.must(err)
	return api
}

// record creates the record for a task of ten tokens, without funding it.
func (w *world) record(a *agent, title string) gen.Task {
	w.t.Helper()
	answer, err := a.API.CreateTaskWithResponse(w.ctx, nil, gen.CreateTaskRequest{
		Title: title, Description: "Three photographs, by daylight.", EscrowAmount: chaintest.Tokens(10).String(),
	})
	w.must(err)
	if answer.JSON201 == nil {
		w.t.Fatalf("create a task: %s", answer.Body)
	}
	return *answer.JSON201
}

// confirm submits the hash of a funding transaction to the API, and repeats this while the server is busy.
// It returns the error code, or "" on success.
func (w *world) confirm(api *gen.ClientWithResponses, task uuid.UUID, tx common.Hash) (gen.Task, market.Kind) {
	w.t.Helper()
	answer, err := api.ConfirmTaskFundingWithResponse(w.ctx, task, gen.ConfirmRequest{TxHash: tx.Hex()})
	w.must(err)
	for begun := time.Now(); answer.StatusCode() == http.StatusServiceUnavailable && time.Since(begun) < busyTimeout; {
		seconds, err := strconv.Atoi(answer.HTTPResponse.Header.Get("Retry-After"))
		w.must(err)
		time.Sleep(time.Duration(seconds) * time.Second)
		answer, err = api.ConfirmTaskFundingWithResponse(w.ctx, task, gen.ConfirmRequest{TxHash: tx.Hex()})
		w.must(err)
	}
	if answer.JSON200 != nil {
		return *answer.JSON200, ""
	}
	var refusal gen.APIError
	w.must(json.Unmarshal(answer.Body, &refusal))
	return gen.Task{}, market.Kind(refusal.Error)
}
