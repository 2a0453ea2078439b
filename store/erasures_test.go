package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

// past is a world in which an agent hired a human and everything has ended. Every text of the agent
// contains "marka" and a number, and every text of the human "markh" and a number.
type past struct {
	s       *store.Store
	chain   *storetest.Chain
	agent   market.Agent
	human   market.Human
	deal    market.Task // ended after a dispute
	unused  market.Task // never funded
	texts   int         // number of texts of each party, including file names
	unknown market.Human
}

// contracts are the tables whose texts stay for market.ContractRetention.
var contracts = map[string]bool{"tasks": true, "applications": true, "submissions": true, "disputes": true, "verdicts": true, "files": true}

func newPast(t *testing.T) *past {
	t.Helper()
	s := storetest.New(t)
	w := &past{s: s, chain: storetest.NewChain(t, s)}
	w.agent = storetest.Agent(t, s, func(a *market.Agent) { a.Username, a.Name, a.Bio = "marka-1", "marka-2", "marka-3" })
	w.human = storetest.Human(t, s, func(h *market.Human) { h.Username, h.Name, h.Bio = "markh-1", "markh-2", "markh-3" })
	w.unknown = storetest.Human(t, s)
	w.deal = storetest.Task(t, s, w.agent, func(k *market.Task) { k.Title, k.Description = "marka-4", "marka-5" })
	w.unused = storetest.Task(t, s, w.agent, func(k *market.Task) { k.Title, k.Description = "marka-6", "marka-7" })
	of := storetest.Of(w.deal)
	w.chain.Mine(t, storetest.Post(t, w.deal, false))
	storetest.Must(s.CreateApplication(t.Context(), func() market.Application {
		a := storetest.NewApplication(w.deal, w.human)
		a.Message = "markh-4"
		return a
	}()))
	brief, idle := storetest.AddFile(t, s, w.deal, storetest.AgentPrincipal(w.agent)), storetest.AddFile(t, s, w.unused, storetest.AgentPrincipal(w.agent))
	w.chain.Mine(t, storetest.Stake(t, of, w.human.Wallet), storetest.Accept(t, of, w.human.Wallet))
	work, draft := storetest.AddFile(t, s, w.deal, storetest.HumanPrincipal(w.human)), storetest.AddFile(t, s, w.deal, storetest.HumanPrincipal(w.human))
	given := market.Submission{ID: storetest.NewID(), TaskID: w.deal.ID, HumanID: w.human.ID, Note: "markh-5", ProofURL: "https://markh-6.example", WorkHash: storetest.NewHash()}
	given.FileIDs = append(given.FileIDs, work.ID)
	storetest.Must(s.CreateSubmission(t.Context(), given))
	storetest.Must(s.CreateSubmission(t.Context(), market.Submission{ID: storetest.NewID(), TaskID: w.deal.ID, HumanID: w.human.ID, Note: "markh-7", WorkHash: storetest.NewHash()}))
	storetest.Execute(t, s, `UPDATE files SET created_at = created_at - interval '1 minute'`)
	w.chain.Mine(t, storetest.Submit(t, of, given.WorkHash), storetest.Dispute(t, of, true), storetest.Decide(t, of, true))
	for statement, args := range map[string][]any{
		`UPDATE files SET filename = CASE id WHEN $1::uuid THEN 'marka-8' WHEN $2::uuid THEN 'marka-9' WHEN $3::uuid THEN 'markh-8' WHEN $4::uuid THEN 'markh-9' END`: {brief.ID, idle.ID, work.ID, draft.ID},
		`UPDATE users SET social_handle = 'marka-10', social_account_id = 'marka-11', social_post_id = 'marka-12', social_network = 'marka-13' WHERE id = $1`:         {w.agent.ID},
		`UPDATE users SET former_username = 'marka-14' WHERE id = $1`:                                                                         {w.agent.ID},
		`UPDATE users SET social_handle = 'markh-10', social_account_id = 'markh-11', social_post_id = 'markh-12' WHERE id = $1`:              {w.human.ID},
		`UPDATE humans SET skills = '{markh-13}', location = 'markh-14', place = 'markh-14', available = true, hourly_rate = 7 WHERE id = $1`: {w.human.ID},
		`INSERT INTO applications (id, task_id, human_id, stake_amount, status, decision, rejection_reason, chain_id, escrow)
			VALUES ($1, $2, $3, 1, 'rejected', 'rejected', 'marka-15', $4, $5)`: {storetest.NewID(), w.deal.ID, w.unknown.ID, w.deal.ChainID, w.deal.EscrowAddress},
		`INSERT INTO disputes (id, task_id, filed_by, reason, response, responded_at, response_id) VALUES ($1, $2, 'agent', 'marka-16', 'markh-15', now(), $3)`:       {storetest.NewID(), w.deal.ID, storetest.NewID()},
		`INSERT INTO verdicts (id, task_id, round, validator, human_id, approved, reason, work_hash, signature) VALUES ($1, $2, 1, $3, $4, true, 'markh-16', $5, $6)`: {storetest.NewID(), w.deal.ID, w.human.Wallet, w.human.ID, given.WorkHash, storetest.RandomBytes(65)},
		`INSERT INTO task_messages (id, task_id, sender_id, sender_kind, content) VALUES ($1, $2, $3, 'agent', 'marka-17'), ($4, $2, $5, 'human', 'markh-17')`:        {storetest.NewID(), w.deal.ID, w.agent.ID, storetest.NewID(), w.human.ID},
		`WITH c AS (INSERT INTO conversations (id, agent_id, human_id) VALUES ($1, $2, $3) RETURNING id)
			INSERT INTO direct_messages (id, conversation_id, sender_kind, content) SELECT $4::uuid, id, 'agent', 'marka-18' FROM c UNION ALL SELECT $5::uuid, id, 'human', 'markh-18' FROM c`: {storetest.NewID(), w.agent.ID, w.human.ID, storetest.NewID(), storetest.NewID()},
		`INSERT INTO reviews (id, task_id, reviewer_id, reviewer_kind, subject_id, subject_kind, rating, comment, counts)
			VALUES ($1, $2, $3, 'agent', $4, 'human', 5, 'marka-19', true), ($5, $2, $4, 'human', $3, 'agent', 5, 'markh-19', true)`: {storetest.NewID(), w.deal.ID, w.agent.ID, w.human.ID, storetest.NewID()},
		`INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category, comment)
			VALUES ($1, $2, 'agent', 'profile', $3, $3, 'spam', 'marka-20'), ($4, $3, 'human', 'profile', $2, $2, 'spam', 'markh-20')`: {storetest.NewID(), w.agent.ID, w.human.ID, storetest.NewID()},
		`WITH d AS (INSERT INTO moderation_decisions (id, subject_kind, subject_id, author_id, author_kind, measure, territory, facts, automation, clause, decided_by, ended_at, ended_by)
			VALUES ($1, 'profile', $2, $2, 'agent', 'hide', 'worldwide', 'Facts.', 'none', '3', 'ada', now(), 'ada'), ($3, 'profile', $4, $4, 'human', 'hide', 'worldwide', 'Facts.', 'none', '3', 'ada', now(), 'ada')
			RETURNING id, author_kind, decided_by, decided_at)
			INSERT INTO appeals (id, decision_id, first_decider, imposed_at, statement)
			SELECT gen_random_uuid(), id, decided_by, decided_at, CASE author_kind WHEN 'agent' THEN 'marka-21' ELSE 'markh-21' END FROM d`: {storetest.NewID(), w.agent.ID, storetest.NewID(), w.human.ID},
		`INSERT INTO sessions (id_hash, human_id, expires_at, last_used_at, browser) VALUES ($1, $2, now() + interval '1 hour', now(), 'firefox')`: {storetest.NewHash(), w.human.ID},
	} {
		storetest.Execute(t, s, statement, args...)
	}
	w.texts = 21
	return w
}

// found returns the texts with the mark in any column, by table.
func (w *past) found(t *testing.T, mark string) map[string][]string {
	t.Helper()
	pattern, tables := regexp.MustCompile(`(?i)`+mark+`-?[0-9]+`), map[string][]string{}
	for table := range schema.ColumnClasses() {
		for _, row := range storetest.Rows(t, w.s, `SELECT * FROM `+table) {
			for _, text := range pattern.FindAllString(row, -1) {
				if !slices.Contains(tables[table], text) {
					tables[table] = append(tables[table], text)
				}
			}
		}
	}
	return tables
}

// erase erases an account at its own request.
func (w *past) erase(t *testing.T, p market.Principal) (store.Erasure, int) {
	t.Helper()
	e, files, err := w.s.EraseAccount(t.Context(), store.ErasureRequest{
		Erasure:  store.Erasure{ID: storetest.NewID(), Account: p.ID, RequestedBy: store.RequesterAccount},
		Username: strings.ToUpper(p.Username),
	})
	if err != nil {
		t.Fatalf("EraseAccount() = %v", err)
	}
	return e, len(files)
}

// age makes the erasures, the released usernames and the records in contracts older than
// market.ContractRetention.
func (w *past) age(t *testing.T) {
	t.Helper()
	storetest.Execute(t, w.s, `UPDATE erasures SET erased_at = erased_at - interval '91 days'`)
	storetest.Execute(t, w.s, `UPDATE usernames SET released_at = released_at - interval '91 days'`)
	for table := range contracts {
		storetest.Execute(t, w.s, `UPDATE `+table+` SET created_at = created_at - interval '91 days'`)
	}
}

// An export contains every text of the account, no record twice, and no secrets.
func TestExportContainsAllRecords(t *testing.T) {
	t.Parallel()
	w := newPast(t)
	for mark, p := range map[string]market.Principal{"marka": storetest.AgentPrincipal(w.agent), "markh": storetest.HumanPrincipal(w.human)} {
		text, sections := export(t, w.s, p)
		for n := 1; n <= w.texts; n++ {
			if want := fmt.Sprintf("%s-%d", mark, n); !regexp.MustCompile(want + `\b`).MatchString(text) {
				t.Errorf("the export has no text %s", want)
			}
		}
		hidden := storetest.Rows(t, w.s, `
			SELECT encode(key_hash, 'hex') AS s, key_prefix AS p FROM agents WHERE id = '`+p.ID.String()+`'
			UNION ALL SELECT verification_code, verification_code FROM users
			UNION ALL SELECT encode(id_hash, 'hex'), encode(id_hash, 'hex') FROM sessions UNION ALL SELECT '"ada"', '"ada"'`)
		for _, row := range hidden {
			var secret map[string]string
			if err := json.Unmarshal([]byte(row), &secret); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text, secret["s"]) || strings.Contains(text, secret["p"]) {
				t.Errorf("the export contains the secret %s", row)
			}
		}
		if strings.Contains(text, "null") {
			t.Errorf("the export contains null: %s", text)
		}
		other := map[string]string{"marka": "markh-20", "markh": "marka-20"}[mark] // the other side's report
		if strings.Contains(text, other) {
			t.Error("the export contains a report of the account by another user")
		}
		for _, name := range []string{"account", "files", "direct_messages", "reviews_received", "notices", "appeals"} {
			if sections[name] == 0 {
				t.Errorf("the export of %s has no %s: %v", mark, name, sections)
			}
		}
	}
}

// export returns all pages as JSON, and the number of records by section.
func export(t *testing.T, s *store.Store, p market.Principal) (string, map[string]int) {
	t.Helper()
	var text strings.Builder
	sections, seen := map[string]int{}, map[string]bool{}
	for cursor := ""; ; {
		page, err := s.ExportAccount(t.Context(), p.ID, cursor)
		if err != nil || len(page.Records) > 100 {
			t.Fatalf("ExportAccount(%q) = %d records, %v", cursor, len(page.Records), err)
		}
		for _, r := range page.Records {
			line := string(storetest.Must(json.Marshal(r)))
			if seen[line] {
				t.Errorf("the export repeats %s", line)
			}
			seen[line] = true
			sections[r.Section]++
			text.WriteString(line + "\n")
		}
		if cursor = page.NextCursor; cursor == "" {
			return text.String(), sections
		}
	}
}

// A large account is exported in bounded pages.
func TestExportIsPaged(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	storetest.Execute(t, s, `INSERT INTO conversations (id, agent_id, human_id) VALUES ($1, $2, $3)`, storetest.NewID(), agent.ID, human.ID)
	storetest.Execute(t, s, `INSERT INTO direct_messages (id, conversation_id, sender_kind, content)
		SELECT gen_random_uuid(), c.id, 'agent', repeat('x', 4000) FROM conversations c, generate_series(1, 350)`)
	_, sections := export(t, s, storetest.AgentPrincipal(agent))
	if sections["direct_messages"] != 350 {
		t.Errorf("the export has %d of 350 messages", sections["direct_messages"])
	}
	for _, cursor := range []string{"x", "!", "YWNjb3VudCB4", "bm93aGVyZSB4", "dXNlcm5hbWVzIABh"} {
		_, err := s.ExportAccount(t.Context(), agent.ID, cursor)
		storetest.WantKind(t, "ExportAccount() with cursor "+cursor, err, market.KindInvalid)
	}
}

// An export reads the messages of the account's tasks by index, without reading those of other tasks.
func TestExportReadsByIndex(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	task := storetest.Task(t, s, agent)
	session, err := storetest.DB(t, s).Connx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for _, statement := range []string{
		`SET session_replication_role = replica`,
		`INSERT INTO task_messages (id, sender_kind, task_id, content, sender_id)
		SELECT gen_random_uuid(), 'human', gen_random_uuid(), repeat('x', 200), gen_random_uuid() FROM generate_series(1, 30000)`,
		`INSERT INTO task_messages (id, task_id, sender_id, sender_kind, content)
		SELECT gen_random_uuid(), '` + task.ID.String() + `', gen_random_uuid(), 'human', 'for the agent' FROM generate_series(1, 10)`,
		`ANALYZE`,
	} {
		if _, err := session.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	const most = 100
	statement := store.ExportStatement("task_messages", agent.ID)
	p, text := storetest.Explain(t, storetest.DB(t, s), statement.SQL, statement.Args...)
	if touched := p.Hit + p.Read; touched > most || p.Scans("task_messages") {
		t.Errorf("the messages of the account's tasks touch %d blocks, want at most %d:\n%s", touched, most, text)
	}
	if _, sections := export(t, s, storetest.AgentPrincipal(agent)); sections["task_messages"] != 10 {
		t.Errorf("the export has %d of 10 messages", sections["task_messages"])
	}
}

// Messages that moderation hides are not exported to their receiver. Messages and names of files that it
// removes are not exported to their author either.
func TestExportRespectsModeration(t *testing.T) {
	t.Parallel()
	w := newPast(t)
	var message, file uuid.UUID
	for text, id := range map[string]*uuid.UUID{
		`SELECT id FROM direct_messages WHERE content = 'marka-18'`: &message, `SELECT id FROM files WHERE filename = 'marka-8'`: &file,
	} {
		if err := storetest.DB(t, w.s).Get(id, text); err != nil {
			t.Fatal(err)
		}
	}
	for text, subject := range map[string]market.Subject{
		"marka-18": {Kind: market.SubjectMessage, ID: message}, `"marka-8"`: {Kind: market.SubjectFile, ID: file},
	} {
		for m, exported := range map[market.Measure]bool{market.MeasureHide: true, market.MeasureRemove: false} {
			storetest.Must(w.s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(w.human), subject.Kind, subject.ID.String())))
			d := storetest.Must(w.s.Moderation.Decide(t.Context(), storetest.Measure(subject, m, "ada")))
			if page, _ := export(t, w.s, storetest.HumanPrincipal(w.human)); strings.Contains(page, text) {
				t.Errorf("the receiver's export contains the %s after %s", subject.Kind, m)
			}
			if page, _ := export(t, w.s, storetest.AgentPrincipal(w.agent)); strings.Contains(page, text) != exported {
				t.Errorf("the author's export contains the %s after %s: %t, want %t", subject.Kind, m, !exported, exported)
			}
			storetest.Must(w.s.Moderation.Lift(t.Context(), d.ID, "ada"))
		}
	}
}

// An erasure deletes the account's texts and credentials. Records that are part of a contract stay
// for the other party until Sweep erases them. The other account's records do not change.
func TestEraseAccount(t *testing.T) {
	t.Parallel()
	for mark, other := range map[string]string{"marka": "markh", "markh": "marka"} {
		t.Run(mark, func(t *testing.T) {
			t.Parallel()
			w := newPast(t)
			p := map[string]market.Principal{"marka": storetest.AgentPrincipal(w.agent), "markh": storetest.HumanPrincipal(w.human)}[mark]
			before := w.found(t, other)
			e, files := w.erase(t, p)
			if files != 1 {
				t.Errorf("%d files were deleted, want only the unused one", files)
			}
			wantErased(t, w, mark, contracts)
			if diff := cmp.Diff(before, w.found(t, other)); diff != "" {
				t.Errorf("the other account's texts (-before +after):\n%s", diff)
			}
			profile, err := w.s.Profile(t.Context(), e.Username())
			if err != nil || profile.ID != p.ID || profile.Bio != "" || profile.Network != "" || profile.Available || profile.Location != "" {
				t.Errorf("Profile() = %+v, %v", profile, err)
			}
			storetest.WantKind(t, "CheckFree() of the erased name", w.s.CheckFree(t.Context(), storetest.NewWallet(), mark+"-1"), market.KindUsernameTaken)
			if err := w.s.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			kept := w.found(t, mark)
			if len(kept["files"]) == 0 || len(kept["tasks"]) == 0 && mark == "marka" || len(kept["submissions"]) == 0 && mark == "markh" {
				t.Errorf("the contracts were erased before their time: %v", kept)
			}
			w.age(t)
			for range 2 {
				if err := w.s.Sweep(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			wantErased(t, w, mark, nil)
			storetest.WantKind(t, "CheckFree() after the reserve", w.s.CheckFree(t.Context(), storetest.NewWallet(), mark+"-1"), "")
			after := w.found(t, other)
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the other account's texts after the retention (-before +after):\n%s", diff)
			}
			if rows := storetest.Rows(t, w.s, `SELECT kind, account_id, subject, detail FROM audit_log WHERE kind = 'erasure'`); len(rows) != 1 || !strings.Contains(rows[0], p.ID.String()) {
				t.Errorf("audit log = %v", rows)
			}
			text, _ := export(t, w.s, p)
			if strings.Contains(text, mark) {
				t.Errorf("the export after the erasure contains %s", mark)
			}
		})
	}
}

// wantErased fails the test if a table other than the excepted ones contains a text of the account. The
// mark does not match the skeleton of the former username, which stays reserved.
func wantErased(t *testing.T, w *past, mark string, except map[string]bool) {
	t.Helper()
	for table, texts := range w.found(t, mark) {
		if !except[table] {
			t.Errorf("%s contains %v after the erasure", table, texts)
		}
	}
	for _, text := range w.found(t, mark)["applications"] {
		if text != "marka-15" {
			t.Errorf("applications contain %s", text)
		}
	}
	for _, secret := range []string{w.agent.VerificationCode, w.agent.APIKeyPrefix} {
		if mark == "marka" && len(storetest.Rows(t, w.s, `SELECT FROM users u LEFT JOIN agents a ON a.id = u.id
			WHERE u.verification_code = '`+secret+`' OR a.key_prefix = '`+secret+`'`)) > 0 {
			t.Errorf("the secret %s is still stored", secret)
		}
	}
	if rows := storetest.Rows(t, w.s, `SELECT id_hash FROM sessions`); mark == "markh" && len(rows) > 0 {
		t.Errorf("sessions = %v", rows)
	}
	if mark == "marka" && except != nil {
		if task := storetest.Must(w.s.Task(t.Context(), w.unused.ID)); task.Title != store.ErasedText || task.TermsHash != w.unused.TermsHash {
			t.Errorf("the task that was never funded = %+v", task)
		}
	}
}

// An account requests an erasure at most once in store.ErasureInterval. An operator can erase it again, which
// does not write its erased texts again.
func TestErasuresAreLimited(t *testing.T) {
	t.Parallel()
	w := newPast(t)
	e, _ := w.erase(t, storetest.AgentPrincipal(w.agent))
	request := func(by store.Requester, username string) (store.Erasure, error) {
		again, _, err := w.s.EraseAccount(t.Context(), store.ErasureRequest{
			Erasure: store.Erasure{ID: storetest.NewID(), Account: w.agent.ID, RequestedBy: by}, Username: username,
		})
		return again, err
	}
	rows := func(table string) int { return len(storetest.Rows(t, w.s, `SELECT FROM `+table)) }
	erasures, names, acts := rows("erasures"), rows("usernames"), rows("audit_log")
	_, err := request(store.RequesterAccount, e.Username())
	storetest.WantKind(t, "EraseAccount() again", err, market.KindRateLimited)
	if refusal, ok := errors.AsType[*market.Error](err); ok && (refusal.RetryAfter <= 0 || refusal.RetryAfter > store.ErasureInterval) {
		t.Errorf("Retry-After = %s", refusal.RetryAfter)
	}
	storetest.WantKind(t, "CheckErasure() again", w.s.CheckErasure(t.Context(), w.agent.ID, e.Username()), market.KindRateLimited)
	if rows("erasures") != erasures || rows("usernames") != names || rows("audit_log") != acts {
		t.Errorf("a refused erasure adds rows: %d erasures, %d usernames, %d acts", rows("erasures")-erasures, rows("usernames")-names, rows("audit_log")-acts)
	}
	const versions = `
		SELECT 'message', id, ctid, xmin FROM task_messages UNION ALL SELECT 'direct message', id, ctid, xmin FROM direct_messages
		UNION ALL SELECT 'submission', id, ctid, xmin FROM submissions UNION ALL SELECT 'appeal', decision_id, ctid, xmin FROM appeals
		UNION ALL SELECT 'task', id, ctid, xmin FROM tasks`
	before := storetest.Rows(t, w.s, versions)
	again, err := request(store.RequesterOperator, e.Username())
	storetest.WantKind(t, "EraseAccount() by an operator", err, "")
	if diff := cmp.Diff(before, storetest.Rows(t, w.s, versions)); diff != "" {
		t.Errorf("a repeated erasure writes erased texts again (-before +after):\n%s", diff)
	}
	storetest.Execute(t, w.s, `UPDATE erasures SET erased_at = erased_at - $1::bigint * interval '1 second' - interval '1 minute'`, int(store.ErasureInterval.Seconds()))
	_, err = request(store.RequesterAccount, again.Username())
	storetest.WantKind(t, "EraseAccount() later", err, "")
}

// A replay of the chain after an erasure restores no personal data and gives the same rows.
func TestReplayAfterAnErasure(t *testing.T) {
	t.Parallel()
	w := newPast(t)
	w.erase(t, storetest.AgentPrincipal(w.agent))
	w.erase(t, storetest.HumanPrincipal(w.human))
	replayed := storetest.Copy(t, w.s)
	if err := replayed.Journal.Reset(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	w.chain.Feed(t, replayed, 3)
	storetest.WantSameRows(t, w.s, replayed)
	texts := func(s *store.Store) []string {
		return storetest.Rows(t, s, `SELECT t.id, t.title, t.description, t.visibility, u.username, u.name, u.bio FROM tasks t JOIN users u ON u.id = t.agent_id`)
	}
	if diff := cmp.Diff(texts(w.s), texts(replayed)); diff != "" {
		t.Errorf("texts (-lived +replayed):\n%s", diff)
	}
}

// While money is locked, an erasure is refused, and the details list what must end first.
func TestErasureIsRefusedWhileMoneyIsLocked(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	chain := storetest.NewChain(t, s)
	agent, human, other := storetest.Agent(t, s), storetest.Human(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	of := storetest.Of(task)
	refused := func(when string, p market.Principal, want ...string) {
		t.Helper()
		for what, err := range map[string]error{
			"CheckErasure()": s.CheckErasure(t.Context(), p.ID, p.Username),
			"EraseAccount()": func() error {
				_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
					Erasure: store.Erasure{ID: storetest.NewID(), Account: p.ID, RequestedBy: store.RequesterAccount}, Username: p.Username,
				})
				return err
			}(),
		} {
			refusal, _ := errors.AsType[*market.Error](err)
			var fields []string
			if refusal != nil {
				for _, d := range refusal.Details {
					fields = append(fields, d.Field+" "+d.Code)
				}
			}
			if market.KindOf(err) != market.KindWrongStatus || !slices.Equal(fields, want) {
				t.Errorf("%s %s = %v with %v, want %v", what, when, err, fields, want)
			}
		}
	}
	free := func(when string, p market.Principal) {
		t.Helper()
		storetest.WantKind(t, "CheckErasure() "+when, s.CheckErasure(t.Context(), p.ID, p.Username), "")
	}
	free("before the funding", storetest.AgentPrincipal(agent))
	storetest.WantKind(t, "CheckErasure() with another name", s.CheckErasure(t.Context(), agent.ID, human.Username), market.KindInvalid)
	storetest.WantKind(t, "CheckErasure() of an unknown account", s.CheckErasure(t.Context(), storetest.NewID(), human.Username), market.KindNotFound)
	chain.Mine(t, storetest.Post(t, task, false))
	refused("while funded", storetest.AgentPrincipal(agent), "task funded")
	storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, other)))
	refused("with an application", storetest.HumanPrincipal(other), "application new")
	chain.Mine(t, storetest.Stake(t, of, human.Wallet), storetest.Stake(t, of, other.Wallet))
	refused("with a stake", storetest.HumanPrincipal(human), "application pending", "stake live")
	chain.Mine(t, storetest.Accept(t, of, human.Wallet))
	refused("while hired", storetest.HumanPrincipal(human), "task active")
	refused("with the stake of an application that was not chosen", storetest.HumanPrincipal(other), "stake live")
	chain.Mine(t, storetest.Withdraw(t, of, other.Wallet))
	free("after the withdrawal", storetest.HumanPrincipal(other))
	chain.Mine(t, append([]storetest.Tx{storetest.Submit(t, of, storetest.Hash(t))}, storetest.Approval(t, task)...)...)
	free("after the end", storetest.AgentPrincipal(agent))
	free("after the end", storetest.HumanPrincipal(human))
	claimed := storetest.Task(t, s, agent)
	claimed.Amount = storetest.Token(2)
	chain.Mine(t, storetest.Post(t, claimed, true))
	refused("with a posting that has no task", storetest.AgentPrincipal(agent), "posting locked")
	chain.Mine(t, storetest.Cancel(t, storetest.Numbered(2)))
	storetest.Execute(t, s, `INSERT INTO claims (id, agent_id, amount, karma_snapshot, chain_id, distributor, wallet, base) VALUES ($1, $2, 1, 1, 1, $3, $3, 0)`,
		storetest.NewID(), agent.ID, agent.Wallet)
	refused("with a pending claim", storetest.AgentPrincipal(agent), "claim pending")
}

// A posting that arrives after the erasure still funds its task. The task is held and never shown, and
// its agent's wallet can cancel it.
func TestLateFundingOfAnErasedTask(t *testing.T) {
	t.Parallel()
	w := newPast(t)
	w.erase(t, storetest.AgentPrincipal(w.agent))
	w.chain.Mine(t, storetest.Post(t, w.unused, false))
	task := storetest.Must(w.s.Task(t.Context(), w.unused.ID))
	if task.Status != market.StatusFunded || task.Visibility != market.VisibilityHeld || task.Hold == nil || storetest.BoardLength(t, w.s) != 0 {
		t.Errorf("the task is %s and %s, held %+v", task.Status, task.Visibility, task.Hold)
	}
	_, err := w.s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureNone, "ada"))
	storetest.WantKind(t, "Decide()", err, "")
	if n := storetest.BoardLength(t, w.s); n != 0 {
		t.Errorf("a moderator's decision shows a task without a text: board = %d", n)
	}
	removed := storetest.Must(w.s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureRemove, "ada")))
	storetest.Must(w.s.Moderation.Lift(t.Context(), removed.ID, "ada"))
	if task = storetest.Must(w.s.Task(t.Context(), task.ID)); task.Visibility != market.VisibilityHeld || task.Hold == nil || task.Hold.Rule != "erased" {
		t.Errorf("after the end of a removal the task is %s, held %+v", task.Visibility, task.Hold)
	}
	w.chain.Mine(t, storetest.Cancel(t, storetest.Of(w.unused)))
	storetest.WantStatus(t, w.s, w.unused, market.StatusCancelled)
}

// In a restored database, an erasure is repeated only once, and later changes by the wallet are kept.
func TestErasuresAreRepeated(t *testing.T) {
	t.Parallel()
	w := newPast(t)
	backup := storetest.Copy(t, w.s)
	e, _ := w.erase(t, storetest.HumanPrincipal(w.human))
	restored := &past{s: backup, agent: w.agent, human: w.human}
	e.At = e.At.UTC()
	if found, err := backup.RepeatErasure(t.Context(), e); !found || err != nil {
		t.Fatalf("RepeatErasure() = %t, %v", found, err)
	}
	wantErased(t, restored, "markh", contracts)
	name := "Back again"
	storetest.Must(backup.ChangeHuman(t.Context(), w.human.ID, store.HumanChange{Name: &name}))
	if found, err := backup.RepeatErasure(t.Context(), e); !found || err != nil {
		t.Fatalf("RepeatErasure() again = %t, %v", found, err)
	}
	if got := storetest.Must(backup.Human(t.Context(), w.human.ID)); got.Name != name || got.Username != e.Username() {
		t.Errorf("the account after a second repetition = %q, %q", got.Username, got.Name)
	}
	e.ID, e.Account = storetest.NewID(), storetest.NewID()
	if found, err := backup.RepeatErasure(t.Context(), e); found || err != nil {
		t.Errorf("RepeatErasure() of an unknown account = %t, %v", found, err)
	}
}
