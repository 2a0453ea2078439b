package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/restorelist"
	"taskmarket/store"
	"taskmarket/store/schema"
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
	r := newIdleRig(t, keepFiles(&files))
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
	r := newIdleRig(t)
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
	r := newIdleRig(t, keepFiles(&files))
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

// lateTexts are members that a request adds to the body in bodies.
var lateTexts = map[string][]string{
	"changeHumanMe": {"bio", "display_name"}, "createReport": {"comment"}, "reviewTask": {"comment"}, "submitWork": {"note"},
}

// heldBody is a request's body that is sent only after release. The server asks for it after it has authenticated
// the request.
type heldBody struct {
	io.Reader
	asked   func()
	release <-chan struct{}
}

// Read implements io.Reader.
func (b heldBody) Read(p []byte) (int, error) {
	b.asked()
	<-b.release
	return b.Reader.Read(p)
}

// lateRequest is a request whose body arrives late. Its texts contain the mark.
type lateRequest struct {
	operation documented
	who, mark string
	status    int
	body      string
}

// lateBody returns the operation's body with the mark in each text.
func (s *scene) lateBody(d documented, ask request, mark string) string {
	s.t.Helper()
	if d.media() != "application/json" {
		return strings.ReplaceAll(ask.body, "a.txt", mark+".txt")
	}
	members := map[string]any{}
	if err := json.Unmarshal([]byte(ask.body), &members); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range []string{"title", "description", "content", "reason", "application_message", "statement", "response"} {
		if _, ok := members[name].(string); ok {
			members[name] = mark
		}
	}
	for _, name := range lateTexts[d.id] {
		members[name] = mark
	}
	body, err := json.Marshal(members)
	if err != nil {
		s.t.Fatal(err)
	}
	return string(body)
}

// late sends all requests with a body that the authorisation table permits, and calls act after the server has
// authenticated all of them and before it has their bodies.
func (s *scene) late(round string, act func()) []*lateRequest {
	s.t.Helper()
	principals, table := readAuthorisation(s.t)
	documented := operationsByID(s.t)
	transport := &http.Transport{ExpectContinueTimeout: time.Minute}
	defer transport.CloseIdleConnections()
	release := make(chan struct{})
	var asked, answered sync.WaitGroup
	var all []*lateRequest
	for _, row := range table {
		d := documented[row.operation]
		if !d.unsafe() || d.op.RequestBody == nil || d.anonymous {
			continue
		}
		for column, principal := range principals {
			if want := row.want[column]; want != "200" && want != "201" {
				continue
			}
			l := &lateRequest{operation: d, who: principal, mark: fmt.Sprintf("late-%s-%d.", round, len(all))}
			all = append(all, l)
			ask := s.request(d, row.record)
			ask.body = s.lateBody(d, ask, l.mark)
			headers := append(s.credentialsOf(principal, row.operation), "Content-Type", ask.kind, "Expect", "100-continue")
			if d.op.Parameters.GetByInAndName("header", "Idempotency-Key") != nil {
				headers = append(headers, "Idempotency-Key", uuid.NewString())
			}
			asked.Add(1)
			answered.Go(func() { l.send(s, transport, ask, headers, sync.OnceFunc(asked.Done), release) })
		}
	}
	asked.Wait()
	act()
	close(release)
	answered.Wait()
	return all
}

func (l *lateRequest) send(s *scene, transport *http.Transport, ask request, headers []string, asked func(), release <-chan struct{}) {
	defer asked()
	body := heldBody{strings.NewReader(ask.body), asked, release}
	request, err := http.NewRequestWithContext(s.t.Context(), ask.method, s.url+ask.path+ask.query, body)
	if err != nil {
		s.t.Error(err)
		return
	}
	request.ContentLength = int64(len(ask.body))
	for i := 0; i < len(headers); i += 2 {
		request.Header.Add(headers[i], headers[i+1])
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		s.t.Error(err)
		return
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Error(err)
	}
	l.status, l.body = response.StatusCode, string(text)
}

// stored returns the text of all rows, and of the stored responses.
func (s *scene) stored() string {
	s.t.Helper()
	var all strings.Builder
	for table := range schema.ColumnClasses() {
		all.WriteString(strings.Join(storetest.Rows(s.t, s.records, `SELECT * FROM `+table), "\n"))
	}
	all.WriteString(strings.Join(storetest.Rows(s.t, s.records, `SELECT convert_from(body, 'UTF8') AS body FROM idempotency_keys`), "\n"))
	return all.String()
}

// A request that was authenticated before its account was suspended or erased, and whose body arrives afterwards,
// writes nothing. An erasure also deletes the responses that are stored for idempotency keys.
func TestConcurrentSuspensionAndErasureStopRequests(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	accounts := map[string]uuid.UUID{}
	for name, u := range map[string]*user{
		"unverified": s.unverified, "owner": s.owner, "other": s.other,
		"assigned": s.assigned, "applicant": s.applicant, "stranger": s.stranger, "validator": s.validator,
	} {
		accounts[name] = s.userID(u)
	}
	var measures []market.Decision
	suspended := s.late("suspended", func() {
		for _, id := range accounts {
			measures = append(measures, s.decide(market.SubjectProfile, id, market.MeasureSuspend))
		}
	})
	stored, refused := s.stored(), 0
	for _, l := range suspended {
		states, _ := json.Marshal(l.operation.op.Extensions["x-refused-to"])
		if strings.Contains(string(states), "suspended") {
			refused++
			if l.status != http.StatusForbidden || strings.Contains(stored, l.mark) {
				t.Errorf("%s as %s, suspended meanwhile = %d %s; stored: %t", l.operation.id, l.who, l.status, l.body, strings.Contains(stored, l.mark))
			}
		}
	}
	for _, m := range measures {
		if _, err := s.records.Moderation.Lift(t.Context(), m.ID, "ada"); err != nil {
			t.Fatal(err)
		}
	}
	before := s.do("POST", "/api/v1/tasks/", strings.Replace(bodies["createTask"], `"T"`, `"late-before."`, 1),
		append(s.credentials(s.owner), "Idempotency-Key", uuid.NewString())...)
	if before.status != http.StatusCreated || !strings.Contains(s.stored(), "late-before.") {
		t.Fatalf("create task = %d %s", before.status, before.body)
	}
	erased := s.late("erased", func() {
		for _, id := range accounts {
			e := store.Erasure{ID: uuid.Must(uuid.NewV7()), Account: id, RequestedBy: store.RequesterAccount, At: time.Now()}
			if found, err := s.records.RepeatErasure(t.Context(), e); err != nil || !found {
				t.Fatalf("RepeatErasure() = %t, %v", found, err)
			}
		}
	})
	stored = s.stored()
	for _, l := range erased {
		if strings.Contains(stored, l.mark) {
			t.Errorf("%s as %s, erased meanwhile = %d %s, and its text is stored", l.operation.id, l.who, l.status, l.body)
		}
	}
	if strings.Contains(stored, "late-before.") {
		t.Error("a text from before the erasure is stored")
	}
	t.Logf("%d requests of suspended accounts, of which %d must be refused; %d of erased ones", len(suspended), refused, len(erased))
}
