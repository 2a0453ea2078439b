package server_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"gocloud.dev/blob"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/server/restorelist"
	"taskmarket/store/storetest"
)

// erases sends an erasure request.
func (u *user) erases(r *rig, body client.AccountErasureRequest) *client.EraseAccountResponse {
	r.t.Helper()
	got, err := u.EraseAccountWithResponse(r.t.Context(), body)
	if err != nil {
		r.t.Fatal(err)
	}
	return got
}

// secondErasure returns the body of the second step.
func secondErasure(t *testing.T, s *chain.KeySigner, username string, first *client.EraseAccountResponse) client.AccountErasureRequest {
	t.Helper()
	if first.JSON428 == nil {
		t.Fatalf("first step = %s, want a challenge", answer(first))
	}
	challenge := first.JSON428.Challenge
	return client.AccountErasureRequest{Username: username, Challenge: &challenge, Signature: new(signText(t, s, challenge))}
}

// exported returns all pages of the user's export as JSON.
func (u *user) exported(r *rig) string {
	r.t.Helper()
	var text strings.Builder
	for params := (client.ExportAccountParams{}); ; {
		got, err := u.ExportAccountWithResponse(r.t.Context(), &params)
		if err != nil || got.JSON200 == nil {
			r.t.Fatalf("export = %s, %v", answer(got), err)
		}
		text.Write(got.Body)
		if params.Cursor = got.JSON200.NextCursor; params.Cursor == nil {
			return text.String()
		}
	}
}

// listedErasures returns the number of erasures in the restore list.
func listedErasures(t *testing.T, files *blob.Bucket) int {
	t.Helper()
	n := 0
	if err := restorelist.Each(t.Context(), files, restorelist.Erasure, func(restorelist.Entry) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// keepFiles returns an option that sets files to the service's file store.
func keepFiles(files **blob.Bucket) option {
	return func(o *server.Options) { *files = o.Files }
}

// An agent exports its data and deletes its account with its wallet. Its key is refused at once. The wallet
// can recover the account, which is then empty.
func TestAgentExportsAndErasesTheAccount(t *testing.T) {
	t.Parallel()
	var files *blob.Bucket
	r := newRig(t, keepFiles(&files))
	agent := r.verifiedAgent(r.net.Agent)
	me, err := agent.GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || me.JSON200 == nil {
		t.Fatalf("me = %s, %v", answer(me), err)
	}
	username := me.JSON200.Username
	task := r.createTask(agent)
	export := agent.exported(r)
	for _, want := range []string{username, task.ID.String(), task.Description, strings.ToLower(r.net.Agent.Address().Hex())} {
		if !strings.Contains(export, want) {
			t.Errorf("the export has no %s: %s", want, export)
		}
	}
	if strings.Contains(export, agent.key[:8]) {
		t.Errorf("the export contains a part of the key: %s", export)
	}
	if got := agent.erases(r, client.AccountErasureRequest{Username: "another"}); got.JSON400 == nil {
		t.Errorf("erase with another name = %s", answer(got))
	}
	stolen := secondErasure(t, r.net.Human, username, agent.erases(r, client.AccountErasureRequest{Username: username}))
	if got := agent.erases(r, stolen); got.JSON400 == nil || got.JSON400.Error != "signature_invalid" {
		t.Errorf("erase with the signature of another wallet = %s", answer(got))
	}
	if got := agent.erases(r, client.AccountErasureRequest{Username: username, Challenge: new("mine")}); got.JSON400 == nil {
		t.Errorf("erase with half of a proof = %s", answer(got))
	}
	body := secondErasure(t, r.net.Agent, username, agent.erases(r, client.AccountErasureRequest{Username: username}))
	if got := agent.erases(r, body); got.JSON200 == nil {
		t.Fatalf("erase = %s", answer(got))
	}
	if got := agent.erases(r, body); got.JSON401 == nil {
		t.Errorf("erase again = %s", answer(got))
	}
	if got := r.statusAt(r.url, "/agents/me", agent.key); got != 401 {
		t.Errorf("the key after the erasure = %d", got)
	}
	if n := listedErasures(t, files); n != 1 {
		t.Errorf("the list has %d erasures, want 1", n)
	}
	recovered, err := r.recoverKey(r.net.Agent)
	if err != nil || recovered.JSON200 == nil {
		t.Fatalf("recover = %s, %v", answer(recovered), err)
	}
	again, err := r.withKey(recovered.JSON200.APIKey).GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || again.JSON200 == nil || again.JSON200.ID != me.JSON200.ID || again.JSON200.IsVerified || again.JSON200.Username == username || again.JSON200.Bio != "" {
		t.Errorf("the account after a recovery = %s, %v", answer(again), err)
	}
	if log := r.log.String(); strings.Contains(log, username) {
		t.Error("the log contains the username")
	}
}

// A human deletes the account with the wallet that signed in. The sessions end, and the wallet can sign in
// to an empty account.
func TestHumanErasesTheAccount(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := r.human(r.net.Human)
	me, err := human.GetHumanMeWithResponse(t.Context())
	if err != nil || me.JSON200 == nil {
		t.Fatalf("me = %s, %v", answer(me), err)
	}
	username := me.JSON200.Username
	// The wallet's agent cannot be deleted with the challenge for the human.
	agent := r.agent(r.net.Human)
	own, err := agent.GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || own.JSON200 == nil {
		t.Fatalf("me = %s, %v", answer(own), err)
	}
	body := secondErasure(t, r.net.Human, username, human.erases(r, client.AccountErasureRequest{Username: username}))
	crossed := body
	crossed.Username = own.JSON200.Username
	if got := agent.erases(r, crossed); got.JSON400 == nil || got.JSON400.Error != "challenge_mismatch" {
		t.Errorf("erase the agent with the human's challenge = %s", answer(got))
	}
	if got := human.erases(r, body); got.JSON200 == nil {
		t.Fatalf("erase = %s", answer(got))
	}
	if got := human.status(r); got != 401 {
		t.Errorf("the session after the erasure = %d", got)
	}
	if got := r.statusAt(r.url, "/agents/me", agent.key); got != 200 {
		t.Errorf("the wallet's agent after the erasure of its human = %d", got)
	}
	again, err := r.human(r.net.Human).GetHumanMeWithResponse(t.Context())
	if err != nil || again.JSON200 == nil || again.JSON200.ID != me.JSON200.ID || again.JSON200.Username == username {
		t.Errorf("the account after signing in again = %s, %v", answer(again), err)
	}
	if rows := storetest.Rows(t, r.records, `SELECT subject FROM audit_log WHERE kind = 'erasure' AND account_id IS NOT NULL AND network IS NOT NULL`); len(rows) != 1 {
		t.Errorf("audit log = %v", rows)
	}
}

// While a task is funded, the erasure is refused, and the details of the error name the task.
func TestErasureListsWhatMustEndFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	first := agent.erases(r, client.AccountErasureRequest{Username: task.AgentUsername})
	if first.JSON400 == nil || first.JSON400.Error != "wrong_status" || first.JSON400.Details == nil {
		t.Fatalf("erase with a funded task = %s", answer(first))
	}
	text, err := json.Marshal(first.JSON400.Details)
	if err != nil || !strings.Contains(string(text), task.ID.String()) || (*first.JSON400.Details)[0].Field != "task" {
		t.Errorf("details = %s, %v", text, err)
	}
}

// If the file store is unavailable, the account is erased, but the response is 503. The erasure is added to the
// restore list later.
func TestErasureWithoutTheFileStore(t *testing.T) {
	t.Parallel()
	var files *blob.Bucket
	r := newRig(t, keepFiles(&files))
	agent := r.agent(r.net.Agent)
	me, err := agent.GetAgentMeWithResponse(t.Context(), nil)
	if err != nil || me.JSON200 == nil {
		t.Fatalf("me = %s, %v", answer(me), err)
	}
	body := secondErasure(t, r.net.Agent, me.JSON200.Username, agent.erases(r, client.AccountErasureRequest{Username: me.JSON200.Username}))
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if got := agent.erases(r, body); got.JSON503 == nil || got.JSON503.Error != "storage_unavailable" {
		t.Errorf("erase = %s", answer(got))
	}
	if got := r.statusAt(r.url, "/agents/me", agent.key); got != 401 {
		t.Errorf("the key after the erasure = %d", got)
	}
	later := folderBucket(t, filepath.Join(t.TempDir(), "files"))
	if err := restorelist.WriteErasures(t.Context(), later, r.store); err != nil {
		t.Fatal(err)
	}
	if n := listedErasures(t, later); n != 1 {
		t.Errorf("the list has %d erasures, want 1", n)
	}
}
