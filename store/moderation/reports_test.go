package moderation_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// A user can report only records of other users, and only those that the user can read.
func TestReportsFollowReadAccess(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human, stranger := storetest.Agent(t, s), storetest.Human(t, s), storetest.Human(t, s)
	applicant, other := storetest.Human(t, s), storetest.Agent(t, s)
	created := storetest.Task(t, s, agent)
	open := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
	active := storetest.Task(t, s, agent)
	storetest.Application(t, s, active, applicant)
	brief := storetest.AddFile(t, s, active, storetest.AgentPrincipal(agent))
	draft := storetest.AddFile(t, s, active, storetest.HumanPrincipal(human))
	active = storetest.Escrowed(t, s, active, storetest.Genesis, storetest.Accepted(human))
	said := storetest.Must(s.AddMessage(t.Context(), market.Message{ID: storetest.NewID(), TaskID: active.ID, SenderKind: market.PrincipalAgent, SenderID: agent.ID, Content: "Hi"}))
	conversation := storetest.Must(s.OpenConversation(t.Context(), storetest.HumanPrincipal(human), agent.Username))
	direct := storetest.Must(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "Hello"}, storetest.HumanPrincipal(human)))

	may := func(kind market.SubjectKind, subject string, readers ...uuid.UUID) {
		t.Helper()
		for name, reporter := range map[string]market.Principal{
			"agent": storetest.AgentPrincipal(agent), "other agent": storetest.AgentPrincipal(other), "human": storetest.HumanPrincipal(human),
			"applicant": storetest.HumanPrincipal(applicant), "stranger": storetest.HumanPrincipal(stranger),
		} {
			want := market.KindNotFound
			if slices.Contains(readers, reporter.ID) {
				want = ""
			}
			_, err := s.Moderation.AddReport(t.Context(), storetest.NewReport(reporter, kind, subject))
			storetest.WantKind(t, fmt.Sprintf("AddReport() of %s %s by the %s", kind, subject, name), err, want)
		}
	}
	may(market.SubjectTask, created.ID.String())
	may(market.SubjectTask, open.ID.String(), other.ID, human.ID, applicant.ID, stranger.ID)
	may(market.SubjectTask, active.ID.String(), human.ID, applicant.ID)
	may(market.SubjectTask, storetest.NewID().String())
	may(market.SubjectProfile, agent.Username, other.ID, human.ID, applicant.ID, stranger.ID)
	may(market.SubjectProfile, "nobody-has-this")
	may(market.SubjectMessage, said.ID.String(), human.ID)
	may(market.SubjectMessage, direct.ID.String(), agent.ID)
	may(market.SubjectFile, brief.ID.String(), human.ID)
	may(market.SubjectFile, draft.ID.String())

	_, err := s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectTask, "no-id"))
	storetest.WantKind(t, "AddReport() without an id", err, market.KindInvalid)
	_, err = s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), "wallet", open.ID.String()))
	storetest.WantKind(t, "AddReport() of an unknown kind", err, market.KindInvalid)
}

// A reporter can have one open report of each record, and a limited number of open reports.
func TestReportsAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, reporter := storetest.Funded(t, s), storetest.HumanPrincipal(storetest.Human(t, s))
	first := storetest.NewReport(reporter, market.SubjectTask, task.ID.String())
	again := storetest.NewReport(reporter, market.SubjectTask, task.ID.String())
	stored := storetest.Must(s.Moderation.AddReport(t.Context(), first))
	if repeated := storetest.Must(s.Moderation.AddReport(t.Context(), first)); repeated != stored {
		t.Errorf("the repeated report = %+v, want %+v", repeated, stored)
	}
	_, err := s.Moderation.AddReport(t.Context(), again)
	storetest.WantKind(t, "AddReport() twice", err, market.KindAlreadyExists)
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureNone, "ada")))
	storetest.Must(s.Moderation.AddReport(t.Context(), again))

	storetest.Execute(t, s, `INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		SELECT gen_random_uuid(), $1, 'human', 'task', gen_random_uuid(), $2, 'spam' FROM generate_series(2, $3)`,
		reporter.ID, task.AgentID, market.MaxOpenReports)
	_, err = s.Moderation.AddReport(t.Context(), storetest.NewReport(reporter, market.SubjectTask, storetest.Funded(t, s).ID.String()))
	storetest.WantKind(t, "AddReport() above the limit", err, market.KindRateLimited)

	busy, target := storetest.HumanPrincipal(storetest.Human(t, s)), storetest.Funded(t, s)
	errs := storetest.Race(4, func(int) error {
		_, err := s.Moderation.AddReport(t.Context(), storetest.NewReport(busy, market.SubjectTask, target.ID.String()))
		return err
	})
	storetest.WantOneWinner(t, "AddReport()", errs, market.KindAlreadyExists)
}

// Concurrent reports through two servers do not exceed the limit.
func TestReportsThroughServersAreLimited(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	reporter := storetest.HumanPrincipal(storetest.Human(t, s))
	tasks := []market.Task{storetest.Funded(t, s), storetest.Funded(t, s), storetest.Funded(t, s), storetest.Funded(t, s)}
	storetest.Execute(t, s, `INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category)
		SELECT gen_random_uuid(), $1, 'human', 'task', gen_random_uuid(), $2, 'spam' FROM generate_series(2, $3)`,
		reporter.ID, tasks[0].AgentID, market.MaxOpenReports)
	servers := []*store.Store{s, storetest.Open(t, storetest.URL(t, s))}
	errs := storetest.Race(len(tasks), func(i int) error {
		_, err := servers[i%2].Moderation.AddReport(t.Context(), storetest.NewReport(reporter, market.SubjectTask, tasks[i].ID.String()))
		return err
	})
	storetest.WantOneWinner(t, "AddReport()", errs, market.KindRateLimited)
}

// Moderators can read private content only while a report of it is open, and each read is recorded.
func TestPrivateContentNeedsAReport(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	conversation := storetest.Must(s.OpenConversation(t.Context(), storetest.AgentPrincipal(agent), human.Username))
	direct := storetest.Must(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "secret"}, storetest.AgentPrincipal(agent)))
	subject := market.Subject{Kind: market.SubjectMessage, ID: direct.ID}
	_, err := s.Moderation.SubjectText(t.Context(), subject, "ada")
	storetest.WantKind(t, "SubjectText() without a report", err, market.KindForbidden)
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectMessage, direct.ID.String())))
	if got := storetest.Must(s.Moderation.SubjectText(t.Context(), subject, "ada")); got.Text != "secret" {
		t.Errorf("text = %q", got.Text)
	}
	if read := storetest.Must(s.Operators.AuditLog(t.Context(), operators.AuditQuery{Operator: "ada", Limit: 10})); len(read) != 1 || read[0].Kind != market.AuditReportRead {
		t.Errorf("audit log = %+v", read)
	}
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureNone, "ada")))
	_, err = s.Moderation.SubjectText(t.Context(), subject, "ada")
	storetest.WantKind(t, "SubjectText() after the decision", err, market.KindForbidden)
}

// A moderator imposes a measure on private content only while a report or an appeal is open, or to replace a
// measure. The copy in the decision is shown only while a report or an appeal is open, and reading it is recorded,
// even if the record has been deleted.
func TestPrivateCopiesNeedAReportOrAnAppeal(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	file := storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent))
	storetest.Escrowed(t, s, task, storetest.Genesis, storetest.Accepted(human))
	conversation := storetest.Must(s.OpenConversation(t.Context(), storetest.AgentPrincipal(agent), human.Username))
	direct := storetest.Must(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "secret"}, storetest.AgentPrincipal(agent)))
	reads := func() int {
		return len(storetest.Must(s.Operators.AuditLog(t.Context(), operators.AuditQuery{Kinds: []market.AuditKind{market.AuditReportRead}, Limit: 100})))
	}
	for _, subject := range []market.Subject{{Kind: market.SubjectFile, ID: file.ID}, {Kind: market.SubjectMessage, ID: direct.ID}} {
		copied := func(when string, want bool) {
			t.Helper()
			if got := storetest.Must(s.Moderation.SubjectDecisions(t.Context(), subject))[0].SubjectText; (got != "") != want {
				t.Errorf("%s: the copy of the %s = %q", when, subject.Kind, got)
			}
		}
		_, err := s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureHide, "ada"))
		storetest.WantKind(t, "Decide() without a report", err, market.KindForbidden)
		storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), subject.Kind, subject.ID.String())))
		storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureHide, "ada")))
		copied("hidden", false)
		d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureRemove, "ada")))
		copied("removed", false)
		appeal := market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a joke."}
		storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, agent.ID))
		copied("under appeal", true)
		before := reads()
		storetest.Must(s.Moderation.SubjectText(t.Context(), subject, "ben"))
		storetest.Execute(t, s, `DELETE FROM files`)
		if _, err := s.Moderation.SubjectText(t.Context(), subject, "ben"); subject.Kind == market.SubjectFile {
			storetest.WantKind(t, "SubjectText() of a deleted file", err, market.KindNotFound)
		}
		if n := reads() - before; n != 2 {
			t.Errorf("%d reads of the %s are recorded, want 2", n, subject.Kind)
		}
		storetest.Must(s.Moderation.DecideAppeal(t.Context(), appeal.ID, market.AppealUpheld, "It is no joke.", "ben"))
		copied("after the appeal", false)
	}
}

// A report keeps the text until the decision, even if the author erases the account before then.
func TestReportKeepsTheText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	conversation := storetest.Must(s.OpenConversation(t.Context(), storetest.AgentPrincipal(agent), human.Username))
	direct := storetest.Must(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "Send your passport."}, storetest.AgentPrincipal(agent)))
	want := map[market.Subject]string{
		{Kind: market.SubjectMessage, ID: direct.ID}: "direct message\n\nSend your passport.",
		{Kind: market.SubjectProfile, ID: agent.ID}:  agent.Username + " " + agent.Name + "\n\n" + agent.Bio,
	}
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectMessage, direct.ID.String())))
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectProfile, agent.Username)))
	_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
		Erasure:  store.Erasure{ID: storetest.NewID(), Account: agent.ID, RequestedBy: store.RequesterAccount},
		Username: agent.Username,
	})
	storetest.WantKind(t, "EraseAccount()", err, "")
	for subject, text := range want {
		if reports := storetest.Must(s.Moderation.OpenReports(t.Context(), subject)); len(reports) != 1 || reports[0].SubjectText != text {
			t.Errorf("reports of the %s = %+v, want the text %q", subject.Kind, reports, text)
		}
		if now := storetest.Must(s.Moderation.SubjectText(t.Context(), subject, "ada")); now.Full() == text {
			t.Errorf("the %s is not erased: %+v", subject.Kind, now)
		}
		storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureNone, "ada")))
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
	file := storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent))
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectFile, file.ID.String())))
	storetest.Execute(t, s, `DELETE FROM files`)
	subject := market.Subject{Kind: market.SubjectFile, ID: file.ID}
	_, err := s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureRemove, "ada"))
	storetest.WantKind(t, "Decide() with a measure", err, market.KindNotFound)
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureNone, "ada")))
	_, err = s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureNone, "ada"))
	storetest.WantKind(t, "Decide() again", err, market.KindNotFound)
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
		err := s.Moderation.AddRuleReport(t.Context(), moderation.RuleReport{
			ID: storetest.NewID(), Rule: rule, Comment: "A rule matched.", Subject: subject, Author: author.ID, Record: record, Text: text,
		})
		storetest.WantKind(t, "AddRuleReport()", err, "")
	}
	count := func(want int) []market.Report {
		t.Helper()
		reports := storetest.Must(s.Moderation.OpenReports(t.Context(), subject))
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
	add("drugs", storetest.NewID(), "one")
	count(3)
	storetest.Must(s.Moderation.Decide(t.Context(), market.Decision{ID: storetest.NewID(), Subject: subject, Measure: market.MeasureNone, DecidedBy: "ada"}))
	count(0)
	add("drugs", author.ID, "three")
	count(1)
	for range market.MaxOpenReports + 5 {
		add("drugs", storetest.NewID(), "spam")
	}
	count(market.MaxOpenReports)
	task := storetest.Escrowed(t, s, storetest.Task(t, s, author), storetest.Genesis, nil)
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.AgentPrincipal(reporter), market.SubjectTask, task.ID.String())))
	cases, _, err := s.Moderation.Queue(t.Context(), 1)
	if err != nil || len(cases) != 2 || cases[0].Subject.ID != task.ID || cases[1].Reports != market.MaxOpenReports {
		t.Errorf("cases %+v, %v", cases, err)
	}
}
