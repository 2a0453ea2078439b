package console_test

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// Texts of users are escaped, and characters that hide or reorder text are replaced.
func TestUserTextsAreEscaped(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	const hostile = "<img src=x onerror=alert(1)>\u202egnp\u200b\U000e0041"
	agent := storetest.Agent(t, r.store)
	task := storetest.Task(t, r.store, agent, func(task *market.Task) { task.Title = hostile })
	storetest.DB(t, r.store).MustExec(`UPDATE users SET name = $1 WHERE id = $2`, hostile, agent.ID)
	b := r.signedIn("ada", market.RoleModerator)
	for _, path := range []string{"/accounts", "/accounts/" + agent.ID.String(), "/tasks", "/tasks/" + task.ID.String(), "/keeper"} {
		got := b.get(path)
		if got.status != http.StatusOK || strings.Contains(got.body, "<img") || strings.Contains(got.body, "<b>") || strings.ContainsRune(got.body, '\u202e') {
			t.Errorf("GET %s = %d %s", path, got.status, got.body)
		}
		if path != "/keeper" && !strings.Contains(got.body, "&lt;img src=x onerror=alert(1)&gt;\uFFFDgnp\uFFFD\uFFFD") {
			t.Errorf("GET %s does not contain the escaped text: %s", path, got.body)
		}
	}
	storetest.DB(t, r.store).MustExec(`UPDATE users SET name = $1 WHERE id = $2`, "Ada ❤\ufe0f\u200d🔥", agent.ID)
	if got := b.get("/accounts"); !strings.Contains(got.body, "Ada ❤\ufe0f\u200d🔥") {
		t.Errorf("the accounts do not contain the emoji: %s", got.body)
	}
	if got := b.get("/accounts/" + agent.ID.String() + "?ended=Call+the+support"); strings.Contains(got.body, "support") {
		t.Errorf("the account page repeats the address: %s", got.body)
	}
	if got := b.get("/tasks?q=" + url.QueryEscape(`"><script>`)); strings.Contains(got.body, "<script") {
		t.Errorf("the search contains %s", got.body)
	}
}

// Records are found by username, wallet, id and number in the escrow contract.
func TestSearch(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, other := storetest.Agent(t, r.store), storetest.Agent(t, r.store)
	task := storetest.Task(t, r.store, agent)
	b := r.signedIn("ada", market.RoleModerator)
	for _, query := range []string{agent.Username, strings.ToUpper(agent.Username), agent.Wallet.Hex(), agent.ID.String()} {
		got := b.get("/accounts?q=" + query)
		if got.status != http.StatusOK || !strings.Contains(got.body, agent.ID.String()) || strings.Contains(got.body, other.ID.String()) {
			t.Errorf("accounts %s = %d %s", query, got.status, got.body)
		}
		if got := b.get("/tasks?q=" + query); got.status != http.StatusOK || !strings.Contains(got.body, task.ID.String()) {
			t.Errorf("tasks of %s = %d %s", query, got.status, got.body)
		}
	}
	for path, want := range map[string]int{
		"/accounts?q=" + someID: 200, "/tasks?q=17": 200, "/tasks?q=0": 400, "/tasks?q=" + strings.Repeat("9", 30): 200,
		"/accounts?q=" + strings.Repeat("x", 100): 400, "/tasks/" + agent.ID.String(): 404, "/accounts/" + task.ID.String(): 404,
		"/accounts/" + uuid.Nil.String(): 404, "/audit?account=x": 400, "/audit?before=x": 400, "/audit?kind=no-such-kind": 200,
	} {
		if got := b.get(path); got.status != want {
			t.Errorf("GET %s = %d, want %d", path, got.status, want)
		}
	}
}

// The audit log records who read which records of users.
func TestReadsOfRecordsAreRecorded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	human := storetest.Human(t, r.store)
	b := r.signedIn("ada", market.RoleModerator)
	before := len(r.acts())
	for _, path := range []string{"/accounts?q=" + human.Username, "/accounts/" + human.ID.String(), "/tasks", "/audit", "/moderation"} {
		if got := b.get(path); got.status != 200 {
			t.Errorf("GET %s = %d", path, got.status)
		}
	}
	want := []string{"records_read ada", "records_read ada " + human.ID.String(), "records_read ada", "records_read ada", "records_read ada"}
	if got := r.acts()[before:]; !slices.Equal(got, want) {
		t.Errorf("acts = %q, want %q", got, want)
	}
}

// The audit log has pages, and can be filtered.
func TestAuditPages(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	entries := make([]market.AuditEntry, 120)
	for i := range entries {
		entries[i] = market.AuditEntry{Kind: market.AuditForbidden, SubjectKind: "task", Subject: someID}
	}
	if err := r.store.Operators.WriteAudit(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	b := r.signedIn("ada", market.RoleModerator)
	first := b.get("/audit?kind=forbidden&subject=" + someID)
	older := regexp.MustCompile(`href="(/audit\?before=[^"]+)"`).FindStringSubmatch(first.body)
	if older == nil || strings.Count(first.body, "<td>forbidden</td>") != 100 {
		t.Fatalf("the first page = %d %s", first.status, first.body)
	}
	second := b.get(strings.ReplaceAll(older[1], "&amp;", "&"))
	if strings.Count(second.body, "<td>forbidden</td>") != 20 || strings.Contains(second.body, "Older entries") {
		t.Errorf("the second page = %d %s", second.status, second.body)
	}
	if got := b.get("/audit?operator=ada"); !strings.Contains(got.body, "console_sign_in") || strings.Contains(got.body, "<td>forbidden</td>") {
		t.Errorf("the acts of ada = %s", got.body)
	}
}

// The audit log names tasks, messages and files, and can be filtered by an account's username.
func TestAuditNamesSubjects(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human := storetest.Agent(t, r.store), storetest.Human(t, r.store)
	task := storetest.Task(t, r.store, agent, func(task *market.Task) { task.Title = "Weigh the <bell>" })
	by := market.Principal{Kind: market.PrincipalAgent, ID: agent.ID, Username: agent.Username, Wallet: agent.Wallet, Verified: true}
	conversation, err := r.store.OpenConversation(t.Context(), by, human.Username)
	if err != nil {
		t.Fatal(err)
	}
	message := market.DirectMessage{ID: uuid.Must(uuid.NewV7()), ConversationID: conversation, Content: "Send your passport."}
	if _, err := r.store.AddDirectMessage(t.Context(), message, by); err != nil {
		t.Fatal(err)
	}
	file := market.File{
		ID: uuid.Must(uuid.NewV7()), TaskID: task.ID, Filename: "plan.txt", ContentType: "text/plain", Size: 3,
		UploaderKind: market.PrincipalAgent, UploaderID: agent.ID,
	}
	if err := r.store.AddFile(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	var entries []market.AuditEntry
	for id, kind := range map[uuid.UUID]string{task.ID: "task", message.ID: "message", file.ID: "file", uuid.MustParse(someID): "task"} {
		entries = append(entries, market.AuditEntry{Kind: market.AuditReport, Account: human.ID, SubjectKind: kind, Subject: id.String()})
	}
	if err := r.store.Operators.WriteAudit(t.Context(), entries...); err != nil {
		t.Fatal(err)
	}
	b := r.signedIn("ada", market.RoleModerator)
	got := b.get("/audit?account=" + strings.ToUpper(human.Username))
	for _, want := range []string{
		`<bdi>“Weigh the &lt;bell&gt;”</bdi></a>`, ">of " + agent.Username + "</a>", ">of task “Weigh the &lt;bell&gt;”</a>", ">" + someID + "<",
	} {
		if !strings.Contains(got.body, want) {
			t.Errorf("the audit log = %d %s, want %q in it", got.status, got.body, want)
		}
	}
	if strings.Contains(got.body, "plan.txt") || strings.Contains(got.body, message.Content) {
		t.Errorf("the audit log contains private content: %s", got.body)
	}
	if got := b.get("/audit?account=" + agent.Username); strings.Contains(got.body, "<td>report</td>") {
		t.Errorf("the acts of the agent = %s", got.body)
	}
}
