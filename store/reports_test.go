package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// A user can report only records of other users, and only those that the user can read.
func TestReportsFollowReadAccess(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human, stranger := storetest.Agent(t, s), storetest.Human(t, s), storetest.Human(t, s)
	applicant, other := storetest.Human(t, s), storetest.Agent(t, s)
	created := storetest.Task(t, s, agent)
	open := escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)
	active := storetest.Task(t, s, agent)
	storetest.Application(t, s, active, applicant)
	brief := addFile(t, s, active, agentPrincipal(agent))
	draft := addFile(t, s, active, humanPrincipal(human))
	active = escrowed(t, s, active, genesis, accepted(human))
	said := ok(s.AddMessage(t.Context(), market.Message{ID: newID(), TaskID: active.ID, SenderKind: market.PrincipalAgent, SenderID: agent.ID, Content: "Hi"}))
	conversation := ok(s.OpenConversation(t.Context(), humanPrincipal(human), agent.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "Hello"}, humanPrincipal(human)))

	may := func(kind market.SubjectKind, subject string, readers ...uuid.UUID) {
		t.Helper()
		for name, reporter := range map[string]market.Principal{
			"agent": agentPrincipal(agent), "other agent": agentPrincipal(other), "human": humanPrincipal(human),
			"applicant": humanPrincipal(applicant), "stranger": humanPrincipal(stranger),
		} {
			want := market.KindNotFound
			if slices.Contains(readers, reporter.ID) {
				want = ""
			}
			_, err := s.AddReport(t.Context(), report(reporter, kind, subject))
			wantKind(t, fmt.Sprintf("AddReport() of %s %s by the %s", kind, subject, name), err, want)
		}
	}
	may(market.SubjectTask, created.ID.String())
	may(market.SubjectTask, open.ID.String(), other.ID, human.ID, applicant.ID, stranger.ID)
	may(market.SubjectTask, active.ID.String(), human.ID, applicant.ID)
	may(market.SubjectTask, newID().String())
	may(market.SubjectProfile, agent.Username, other.ID, human.ID, applicant.ID, stranger.ID)
	may(market.SubjectProfile, "nobody-has-this")
	may(market.SubjectMessage, said.ID.String(), human.ID)
	may(market.SubjectMessage, direct.ID.String(), agent.ID)
	may(market.SubjectFile, brief.ID.String(), human.ID)
	may(market.SubjectFile, draft.ID.String())

	_, err := s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectTask, "no-id"))
	wantKind(t, "AddReport() without an id", err, market.KindInvalid)
	_, err = s.AddReport(t.Context(), report(humanPrincipal(human), "wallet", open.ID.String()))
	wantKind(t, "AddReport() of an unknown kind", err, market.KindInvalid)
}

// A reporter can have one open report of each record, and a limited number of open reports.
func TestReportsAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, reporter := funded(t, s), humanPrincipal(storetest.Human(t, s))
	first := report(reporter, market.SubjectTask, task.ID.String())
	again := report(reporter, market.SubjectTask, task.ID.String())
	stored := ok(s.AddReport(t.Context(), first))
	if repeated := ok(s.AddReport(t.Context(), first)); repeated != stored {
		t.Errorf("the repeated report = %+v, want %+v", repeated, stored)
	}
	_, err := s.AddReport(t.Context(), again)
	wantKind(t, "AddReport() twice", err, market.KindAlreadyExists)
	ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureNone, "ada")))
	ok(s.AddReport(t.Context(), again))

	execute(t, s, `INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		SELECT gen_random_uuid(), $1, 'human', 'task', gen_random_uuid(), $2, 'spam' FROM generate_series(2, $3)`,
		reporter.ID, task.AgentID, market.MaxOpenReports)
	_, err = s.AddReport(t.Context(), report(reporter, market.SubjectTask, funded(t, s).ID.String()))
	wantKind(t, "AddReport() above the limit", err, market.KindRateLimited)

	busy, target := humanPrincipal(storetest.Human(t, s)), funded(t, s)
	errs := race(4, func(int) error {
		_, err := s.AddReport(t.Context(), report(busy, market.SubjectTask, target.ID.String()))
		return err
	})
	wantOneWinner(t, "AddReport()", errs, market.KindAlreadyExists)
}

// Concurrent reports through two servers do not exceed the limit.
func TestReportsThroughServersAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	reporter := humanPrincipal(storetest.Human(t, s))
	tasks := []market.Task{funded(t, s), funded(t, s), funded(t, s), funded(t, s)}
	execute(t, s, `INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		SELECT gen_random_uuid(), $1, 'human', 'task', gen_random_uuid(), $2, 'spam' FROM generate_series(2, $3)`,
		reporter.ID, tasks[0].AgentID, market.MaxOpenReports)
	servers := []*store.Store{s, storetest.Open(t, storetest.URL(t, s))}
	errs := race(len(tasks), func(i int) error {
		_, err := servers[i%2].AddReport(t.Context(), report(reporter, market.SubjectTask, tasks[i].ID.String()))
		return err
	})
	wantOneWinner(t, "AddReport()", errs, market.KindRateLimited)
}

// Moderators can read private content only while a report of it is open, and each read is recorded.
func TestPrivateContentNeedsAReport(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	conversation := ok(s.OpenConversation(t.Context(), agentPrincipal(agent), human.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "secret"}, agentPrincipal(agent)))
	subject := market.Subject{Kind: market.SubjectMessage, ID: direct.ID}
	_, err := s.SubjectText(t.Context(), subject, "ada")
	wantKind(t, "SubjectText() without a report", err, market.KindForbidden)
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectMessage, direct.ID.String())))
	if got := ok(s.SubjectText(t.Context(), subject, "ada")); got.Text != "secret" {
		t.Errorf("text = %q", got.Text)
	}
	if read := ok(s.AuditLog(t.Context(), store.AuditQuery{Operator: "ada", Limit: 10})); len(read) != 1 || read[0].Kind != market.AuditReportRead {
		t.Errorf("audit log = %+v", read)
	}
	ok(s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada")))
	_, err = s.SubjectText(t.Context(), subject, "ada")
	wantKind(t, "SubjectText() after the decision", err, market.KindForbidden)
}

// A moderator imposes a measure on private content only while a report or an appeal is open, or to replace a
// measure. The copy in the decision is shown only while a report or an appeal is open, and reading it is recorded,
// even if the record has been deleted.
func TestPrivateCopiesNeedAReportOrAnAppeal(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	file := addFile(t, s, task, agentPrincipal(agent))
	escrowed(t, s, task, genesis, accepted(human))
	conversation := ok(s.OpenConversation(t.Context(), agentPrincipal(agent), human.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "secret"}, agentPrincipal(agent)))
	reads := func() int {
		return len(ok(s.AuditLog(t.Context(), store.AuditQuery{Kinds: []market.AuditKind{market.AuditReportRead}, Limit: 100})))
	}
	for _, subject := range []market.Subject{{Kind: market.SubjectFile, ID: file.ID}, {Kind: market.SubjectMessage, ID: direct.ID}} {
		copied := func(when string, want bool) {
			t.Helper()
			if got := ok(s.SubjectDecisions(t.Context(), subject))[0].SubjectText; (got != "") != want {
				t.Errorf("%s: the copy of the %s = %q", when, subject.Kind, got)
			}
		}
		_, err := s.Decide(t.Context(), measure(subject, market.MeasureHide, "ada"))
		wantKind(t, "Decide() without a report", err, market.KindForbidden)
		ok(s.AddReport(t.Context(), report(humanPrincipal(human), subject.Kind, subject.ID.String())))
		ok(s.Decide(t.Context(), measure(subject, market.MeasureHide, "ada")))
		copied("hidden", false)
		d := ok(s.Decide(t.Context(), measure(subject, market.MeasureRemove, "ada")))
		copied("removed", false)
		appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a joke."}
		ok(s.AddAppeal(t.Context(), appeal, agent.ID))
		copied("under appeal", true)
		before := reads()
		ok(s.SubjectText(t.Context(), subject, "ben"))
		execute(t, s, `DELETE FROM files`)
		if _, err := s.SubjectText(t.Context(), subject, "ben"); subject.Kind == market.SubjectFile {
			wantKind(t, "SubjectText() of a deleted file", err, market.KindNotFound)
		}
		if n := reads() - before; n != 2 {
			t.Errorf("%d reads of the %s are recorded, want 2", n, subject.Kind)
		}
		ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealUpheld, "It is no joke.", "ben"))
		copied("after the appeal", false)
	}
}

// A report keeps the text until the decision, even if the author erases the account before then.
func TestReportKeepsTheText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	conversation := ok(s.OpenConversation(t.Context(), agentPrincipal(agent), human.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "Send your passport."}, agentPrincipal(agent)))
	want := map[market.Subject]string{
		{Kind: market.SubjectMessage, ID: direct.ID}: "direct message\n\nSend your passport.",
		{Kind: market.SubjectProfile, ID: agent.ID}:  agent.Username + " " + agent.Name + "\n\n" + agent.Bio,
	}
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectMessage, direct.ID.String())))
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectProfile, agent.Username)))
	_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
		Erasure:  market.Erasure{ID: newID(), Account: agent.ID, RequestedBy: market.RequesterAccount},
		Username: agent.Username,
	})
	wantKind(t, "EraseAccount()", err, "")
	for subject, text := range want {
		if reports := ok(s.OpenReports(t.Context(), subject)); len(reports) != 1 || reports[0].SubjectText != text {
			t.Errorf("reports of the %s = %+v, want the text %q", subject.Kind, reports, text)
		}
		if now := ok(s.SubjectText(t.Context(), subject, "ada")); now.Full() == text {
			t.Errorf("the %s is not erased: %+v", subject.Kind, now)
		}
		ok(s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada")))
	}
	if rows := storetest.Rows(t, s, `SELECT id FROM reports WHERE subject_text <> ''`); len(rows) > 0 {
		t.Errorf("decided reports keep the text: %v", rows)
	}
}

// A report of a file that is deleted later can be closed, but no measure can be imposed on the file.
func TestReportOfADeletedFile(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	c, of := storetest.NewChain(t, s), storetest.Of(task)
	c.Mine(t, storetest.Post(t, task, false), storetest.Stake(t, of, human.Wallet), storetest.Accept(t, of, human.Wallet))
	file := addFile(t, s, task, agentPrincipal(agent))
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectFile, file.ID.String())))
	execute(t, s, `DELETE FROM files`)
	subject := market.Subject{Kind: market.SubjectFile, ID: file.ID}
	_, err := s.Decide(t.Context(), measure(subject, market.MeasureRemove, "ada"))
	wantKind(t, "Decide() with a measure", err, market.KindNotFound)
	ok(s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada")))
	_, err = s.Decide(t.Context(), measure(subject, market.MeasureNone, "ada"))
	wantKind(t, "Decide() again", err, market.KindNotFound)
}

// A rule has one open report of a record. The number of its open reports about an
// author is limited, and they come after the reports of users with a linked account.
func TestReportsByRulesAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	author, reporter := storetest.Agent(t, s), storetest.Agent(t, s) // with linked accounts
	subject := market.Subject{Kind: market.SubjectProfile, ID: author.ID}
	add := func(rule string, record uuid.UUID, text string) {
		t.Helper()
		err := s.AddRuleReport(t.Context(), store.RuleReport{
			ID: newID(), Rule: rule, Comment: "A rule matched.", Subject: subject, Author: author.ID, Record: record, Text: text,
		})
		wantKind(t, "AddRuleReport()", err, "")
	}
	count := func(want int) []market.Report {
		t.Helper()
		reports := ok(s.OpenReports(t.Context(), subject))
		if len(reports) != want {
			t.Fatalf("%d open reports, want %d", len(reports), want)
		}
		return reports
	}
	add("drugs", author.ID, "one")
	add("drugs", author.ID, "one")
	add("drugs", author.ID, "two")
	if got := count(1)[0]; got.Rule != "drugs" || got.ReporterKind != "" || got.ReporterID != uuid.Nil || got.SubjectText != "one" || got.Comment != "A rule matched." {
		t.Errorf("report %+v", got)
	}
	add("weapons", author.ID, "one")
	add("drugs", newID(), "one")
	count(3)
	ok(s.Decide(t.Context(), market.Decision{ID: newID(), Subject: subject, Measure: market.MeasureNone, DecidedBy: "ada"}))
	count(0)
	add("drugs", author.ID, "three")
	count(1)
	for range market.MaxOpenReports + 5 {
		add("drugs", newID(), "spam")
	}
	count(market.MaxOpenReports)
	task := escrowed(t, s, storetest.Task(t, s, author), genesis, nil)
	ok(s.AddReport(t.Context(), report(agentPrincipal(reporter), market.SubjectTask, task.ID.String())))
	cases, _, err := s.ModerationQueue(t.Context(), 1)
	if err != nil || len(cases) != 2 || cases[0].Subject.ID != task.ID || cases[1].Reports != market.MaxOpenReports {
		t.Errorf("cases %+v, %v", cases, err)
	}
}
