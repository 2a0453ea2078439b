//go:build schemathesis

package e2e_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskmarket/chain/chaintest"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/test/actor"
	"taskmarket/test/process"
)

// deepest is the timeout of the largest run.
const deepest = 5 * time.Hour

// TestSchemathesis generates requests from the OpenAPI document with Schemathesis, and checks the responses
// against it: once with an agent's key, and once with the sessions of a human and of a validator.
// SCHEMATHESIS is the path of the program, and SCHEMATHESIS_EXAMPLES the value of its --max-examples.
func TestSchemathesis(t *testing.T) {
	w := newWorldFor(t, deepest)
	defer w.end()
	root, err := process.ModuleRoot()
	w.must(err)
	records := w.writeRecords()
	help := httptest.NewServer(credentialServer{w}.handler())
	defer help.Close()
	reached := make(map[string]bool)
	for _, who := range []string{"agent", "human"} {
		t.Run(who, func(t *testing.T) {
			answers := filepath.Join(w.dir, who+".json")
			run := exec.CommandContext(w.ctx, os.Getenv("SCHEMATHESIS"),
				"--config-file", filepath.Join(root, "test", "schemathesis", "schemathesis.toml"),
				"run", filepath.Join(root, "openapi.yaml"), "--url", w.server.api(),
				"--include-by", "/x-tried == true", // hooks.py marks the operations to test
				"--max-examples", os.Getenv("SCHEMATHESIS_EXAMPLES"))
			run.Dir = t.TempDir() // Schemathesis writes caches to its working directory
			run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1",
				"SCHEMATHESIS_HOOKS="+filepath.Join(root, "test", "schemathesis", "hooks.py"),
				"TASKMARKET_AS="+who, "TASKMARKET_CREDENTIALS_URL="+help.URL, "TASKMARKET_RECORDS="+records, "TASKMARKET_ANSWERS="+answers)
			run.Stdout, run.Stderr = os.Stdout, os.Stderr
			if err := run.Run(); err != nil {
				t.Errorf("schemathesis as %s: %v", who, err)
			}
			readAnswers(t, answers, reached)
		})
	}
	for id := range operations(t) {
		if !reached[id] {
			t.Errorf("no generated request to %s succeeded", id)
		}
	}
}

// readAnswers reads the numbers of responses by status and records which operations succeeded.
func readAnswers(t *testing.T, name string, reached map[string]bool) {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatalf("read the answers: %v", err)
	}
	var answers map[string]map[string]int
	if err := json.Unmarshal(raw, &answers); err != nil {
		t.Fatalf("read the answers: %v", err)
	}
	for operation, times := range answers {
		t.Logf("%s answered %v", operation, times)
		for status := range times {
			reached[operation] = reached[operation] || strings.HasPrefix(status, "2")
		}
	}
}

// record contains the values of path parameters or body fields that identify a record.
type record map[string]string

// writeRecords creates tasks with different statuses and writes a file with the records for
// requests, by kind. It returns the file's name.
func (w *world) writeRecords() string {
	w.t.Helper()
	human, other := w.human(), w.person(w.net.OtherHuman)
	me, err := human.API.GetHumanMeWithResponse(w.ctx)
	w.must(err)
	message, err := w.agent.WriteTo(w.ctx, me.JSON200.Username, "Hello.")
	w.must(err)
	_, err = human.API.AcceptConversationWithResponse(w.ctx, message.ConversationID) // lifts the limit of three messages
	w.must(err)
	w.net.Send(w.t, w.net.Owner, w.net.Contracts.TransferToken(w.net.Deployment.Distributor, chaintest.Tokens(1)))
	all := map[string][]record{
		"agents":        {{"id": w.agent.ID.String()}},
		"humans":        {{"id": me.JSON200.ID.String()}},
		"profiles":      {{"username": "harbour-agent"}, {"username": human.Human.Username}},
		"conversations": {{"conversationId": message.ConversationID.String()}},
	}
	add := func(kind string, task client.Task, rest ...string) {
		r := record{"id": task.ID.String()}
		for i := 0; i < len(rest); i += 2 {
			r[rest[i]] = rest[i+1]
		}
		all[kind] = append(all[kind], r)
	}

	for range 3 {
		all["notices"] = append(all["notices"], record{"noticeId": w.hiddenMessage(human)})
	}

	working := w.post(time.Time{})
	accepted, err := w.agent.AcceptApplication(w.ctx, working.ID, w.apply(human, working.ID).ID)
	w.must(err)
	add("bindings", working, "tx_hash", accepted.TxHash.Hex())
	file, err := human.Upload(w.ctx, working.ID, "harbour.jpg", []byte("a photograph"))
	w.must(err)
	add("files", working, "fileId", file.ID.String())
	open := w.post(time.Time{})
	add("fundings", open, "tx_hash", *open.EscrowCreationTxHash)
	add("applications", open, "appId", w.apply(other, open.ID).ID.String())
	add("applications", open, "appId", w.apply(human, open.ID).ID.String())
	contested := w.submitted()
	_, err = human.Dispute(w.ctx, contested.ID, "The agent does not answer.")
	w.must(err)
	add("disputes", contested)

	paid := w.ended()
	add("ended", paid)
	add("openings", w.post(time.Time{}))

	for _, task := range []client.Task{
		w.record(w.agent, "Not funded yet"), w.record(w.newAgent(w.net.OtherAgent, "other-agent"), "Another's"),
		w.post(time.Time{}), w.submitted(), w.disputed(), paid, open, working, contested,
	} {
		add("tasks", task)
	}
	w.net.Mine(w.t, 200) // makes the records final

	raw, err := json.Marshal(all)
	w.must(err)
	name := filepath.Join(w.dir, "records.json")
	w.must(os.WriteFile(name, raw, 0o600))
	return name
}

// hiddenMessage hides a new message of the agent that the human has reported, and returns the id of the agent's
// notice.
func (w *world) hiddenMessage(human *actor.Person) string {
	w.t.Helper()
	message, err := w.agent.WriteTo(w.ctx, human.Human.Username, "Hello again.")
	w.must(err)
	report, err := human.API.CreateReportWithResponse(w.ctx, nil, gen.ReportRequest{
		SubjectType: gen.SubjectTypeMessage, Subject: message.ID.String(), Category: gen.ReportCategorySpam,
	})
	if err != nil || report.JSON201 == nil {
		w.t.Fatal(unexpected("report a message", report, err))
	}
	w.operate(w.database, "admin", "moderation", "decide", "message", message.ID.String(), "hide", "--facts", "Spam.", "--clause", "1")
	notices, err := w.agent.API.ListNoticesWithResponse(w.ctx, nil)
	w.must(err)
	return notices.JSON200.Notices[0].ID.String()
}

// ended returns a task that was paid.
func (w *world) ended() client.Task {
	w.t.Helper()
	task := w.submitted()
	_, err := w.agent.Approve(w.ctx, task.ID)
	w.must(err)
	w.await(task.ID, gen.TaskStatusValidating)
	w.vote(task.ID, true)
	return w.await(task.ID, gen.TaskStatusApproved)
}
