package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// A hidden task is not on the board, its applicants can still read it, and no human can apply. A
// removed task can be read by its applicants too, but without its texts.
func TestTaskMeasures(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, other := funded(t, s), funded(t, s)
	human := storetest.Human(t, s)
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectTask, task.ID.String())))
	if n := boardLength(t, s); n != 2 {
		t.Fatalf("board = %d tasks, want 2", n)
	}
	hidden := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	if n := boardLength(t, s); n != 1 {
		t.Errorf("board with a hidden task = %d, want 1", n)
	}
	read := ok(s.Task(t.Context(), task.ID))
	for role, want := range map[market.Role]market.Kind{
		market.RoleAgent: "", market.RoleApplicant: "", market.RoleHuman: "", market.RoleOther: market.KindForbidden,
	} {
		wantKind(t, "hidden: ReadableBy("+string(role)+")", read.ReadableBy(role), want)
	}
	_, err := s.CreateApplication(t.Context(), newApplication(task, human))
	wantKind(t, "CreateApplication() for a hidden task", err, market.KindWrongStatus)
	_, err = s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectTask, task.ID.String()))
	wantKind(t, "AddReport() of a hidden task", err, market.KindNotFound)
	_, err = s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ben"))
	wantKind(t, "the same measure again", err, market.KindWrongStatus)
	_, err = s.Decide(t.Context(), measure(taskSubject(other), market.MeasureNone, "ben"))
	wantKind(t, "Decide() without a report", err, market.KindWrongStatus)

	removed := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureRemove, "ben")))
	read = ok(s.Task(t.Context(), task.ID))
	for role, withheld := range map[market.Role]bool{
		market.RoleAgent: false, market.RoleApplicant: true, market.RoleHuman: false, market.RoleValidator: false, market.RoleOther: true,
	} {
		if read.TextsWithheldFrom(role) != withheld {
			t.Errorf("removed: TextsWithheldFrom(%s) = %t", role, !withheld)
		}
	}
	wantKind(t, "removed: ReadableBy(applicant)", read.ReadableBy(market.RoleApplicant), "")
	wantKind(t, "removed: ReadableBy(other)", read.ReadableBy(market.RoleOther), market.KindForbidden)
	_, err = s.Lift(t.Context(), hidden.ID, "ada")
	wantKind(t, "Lift() of a replaced measure", err, market.KindWrongStatus)
	ok(s.Lift(t.Context(), removed.ID, "ada"))
	if n := boardLength(t, s); n != 2 {
		t.Errorf("board after the lift = %d, want 2", n)
	}
	author := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	want := []string{"A measure against you has ended", "Moderators acted on your content or account", "Moderators acted on your content or account"}
	if got := feed(t, s, author); !slices.Equal(got, want) {
		t.Errorf("feed = %q, want %q", got, want)
	}
}

// The feed of an applicant does not show the title of a removed task; the feed of a party does.
func TestFeedWithholdsTitlesOfRemovedTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, applicant := funded(t, s), storetest.Human(t, s)
	application := ok(s.CreateApplication(t.Context(), newApplication(task, applicant)))
	ok(s.UpdateApplication(t.Context(), task.ID, application.ID, (*market.Application).Reject))
	agent := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	title := func(who market.Principal) string {
		t.Helper()
		items := ok(s.Activities(t.Context(), store.ActivityQuery{Principal: who, Type: market.ActivityApplication})).Items
		if len(items) == 0 {
			t.Fatalf("the feed of the %s is empty", who.Kind)
		}
		return items[0].TaskTitle
	}
	for _, m := range []market.Measure{market.MeasureHide, market.MeasureRemove} {
		ok(s.Decide(t.Context(), measure(taskSubject(task), m, "ada")))
		want := task.Title
		if m == market.MeasureRemove {
			want = ""
		}
		if got := title(humanPrincipal(applicant)); got != want {
			t.Errorf("title for the applicant after %s = %q, want %q", m, got, want)
		}
		if got := title(agent); got != task.Title {
			t.Errorf("title for the agent after %s = %q", m, got)
		}
	}
}

// Measures on messages and files withhold the content from the receiver. A removal also withholds it
// from the author.
func TestContentMeasures(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	file := addFile(t, s, task, agentPrincipal(agent))
	task = escrowed(t, s, task, genesis, accepted(human))
	said := ok(s.AddMessage(t.Context(), market.Message{ID: newID(), TaskID: task.ID, SenderKind: market.PrincipalAgent, SenderID: agent.ID, Content: "secret"}))
	conversation := ok(s.OpenConversation(t.Context(), agentPrincipal(agent), human.Username))
	direct := ok(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: newID(), ConversationID: conversation, Content: "secret"}, agentPrincipal(agent)))
	check := func(when string, author, receiver bool) {
		t.Helper()
		for reader, want := range map[market.Principal]bool{agentPrincipal(agent): author, humanPrincipal(human): receiver} {
			_, err := s.File(t.Context(), task.ID, file.ID, reader)
			files := ok(s.Files(t.Context(), task.ID, reader))
			messages := ok(s.Messages(t.Context(), store.MessageQuery{TaskID: task.ID, Reader: reader}))
			directs := ok(s.DirectMessages(t.Context(), store.DirectMessageQuery{ConversationID: conversation, Reader: reader}))
			last := ok(s.Conversations(t.Context(), store.ConversationQuery{Member: reader})).Items[0].Last
			got := []bool{err == nil, len(files) == 1, messages.Items[0].Content == "secret", directs.Items[0].Content == "secret", last.Content == "secret"}
			if slices.Contains(got, !want) {
				t.Errorf("%s: the %s reads file, files, message, direct message, preview: %v, want %v", when, reader.Kind, got, want)
			}
		}
	}
	decide := func(m market.Measure) {
		t.Helper()
		for _, subject := range []market.Subject{
			{Kind: market.SubjectFile, ID: file.ID}, {Kind: market.SubjectMessage, ID: said.ID}, {Kind: market.SubjectMessage, ID: direct.ID},
		} {
			ok(s.Decide(t.Context(), measure(subject, m, "ada")))
		}
	}
	check("shown", true, true)
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectFile, file.ID.String())))
	for _, id := range []uuid.UUID{said.ID, direct.ID} {
		ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectMessage, id.String())))
	}
	decide(market.MeasureHide)
	check("hidden", true, false)
	decide(market.MeasureRemove)
	check("removed", false, false)
	for _, notice := range ok(s.Notices(t.Context(), agent.ID, store.PageQuery{})).Items {
		if notice.EndedAt == nil {
			ok(s.Lift(t.Context(), notice.ID, "ada"))
		}
	}
	check("lifted", true, true)
}

// A suspended agent's tasks are hidden until the suspension ends. A human under a measure is not listed,
// even if the human becomes available again.
func TestAccountMeasures(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	open := escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)
	escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)
	ok(s.Decide(t.Context(), measure(taskSubject(open), market.MeasureHide, "ada")))
	account := market.Subject{Kind: market.SubjectProfile, ID: agent.ID}
	ok(s.Decide(t.Context(), measure(account, market.MeasureLimit, "ada")))
	if n := boardLength(t, s); n != 1 {
		t.Errorf("board of a limited agent = %d, want 1", n)
	}
	suspended := ok(s.Decide(t.Context(), measure(account, market.MeasureSuspend, "ada")))
	if n := boardLength(t, s); n != 0 {
		t.Errorf("board of a suspended agent = %d, want 0", n)
	}
	for _, notice := range ok(s.Notices(t.Context(), agent.ID, store.PageQuery{})).Items {
		if notice.Subject == taskSubject(open) {
			ok(s.Lift(t.Context(), notice.ID, "ada"))
		}
	}
	if n := boardLength(t, s); n != 0 {
		t.Errorf("board with a lifted task of a suspended agent = %d, want 0", n)
	}
	ok(s.Lift(t.Context(), suspended.ID, "ada"))
	if n := boardLength(t, s); n != 2 {
		t.Errorf("board after the suspension = %d, want 2", n)
	}

	human := storetest.Human(t, s, func(h *market.Human) { h.Available = true })
	listed := func(want int) {
		t.Helper()
		page := ok(s.AvailableHumans(t.Context(), store.HumanQuery{}))
		if page.Total != want || len(page.Items) != want {
			t.Errorf("available humans = %d of %d, want %d", len(page.Items), page.Total, want)
		}
	}
	listed(1)
	hidden := ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: human.ID}, market.MeasureHide, "ada")))
	listed(0)
	yes, no := true, false
	ok(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Available: &no}))
	ok(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Available: &yes}))
	listed(0)
	if got := ok(s.Human(t.Context(), human.ID)).State; got != market.AccountHidden {
		t.Errorf("state = %s, want hidden", got)
	}
	ok(s.Lift(t.Context(), hidden.ID, "ada"))
	listed(1)
	_, err := s.Decide(t.Context(), measure(account, market.MeasureRemove, "ada"))
	wantKind(t, "remove an account", err, market.KindInvalid)
}

// A reorganisation that drops the acceptance or the cancellation of a suspended agent's task does not put the task
// on the board until the suspension ends.
func TestReorgKeepsTasksOfSuspendedAgentsHidden(t *testing.T) {
	t.Parallel()
	for _, status := range []market.Status{market.StatusActive, market.StatusCancelled} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			of := storetest.Of(w.task)
			w.chain.Mine(t, storetest.Post(t, w.task, false), storetest.Stake(t, of, w.human.Wallet))
			if status == market.StatusActive {
				w.chain.Mine(t, storetest.Accept(t, of, w.human.Wallet))
			} else {
				w.chain.Mine(t, storetest.Cancel(t, of))
			}
			wantStatus(t, w.s, w.task, status)
			agent := market.Subject{Kind: market.SubjectProfile, ID: w.task.AgentID}
			d := ok(w.s.Decide(t.Context(), measure(agent, market.MeasureSuspend, "ada")))
			w.chain.Rewind(t, 1)
			wantStatus(t, w.s, w.task, market.StatusFunded)
			if n := boardLength(t, w.s); n != 0 {
				t.Errorf("board of a suspended agent = %d, want 0", n)
			}
			ok(w.s.Lift(t.Context(), d.ID, "ada"))
			if n := boardLength(t, w.s); n != 1 {
				t.Errorf("board after the suspension = %d, want 1", n)
			}
		})
	}
}

// Of several concurrent decisions, exactly one imposes the measure.
func TestDecisionRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := funded(t, s)
	errs := race(6, func(i int) error {
		_, err := s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, fmt.Sprintf("moderator-%d", i)))
		return err
	})
	wantOneWinner(t, "Decide()", errs, market.KindWrongStatus)
}

// After a random history of decisions, the state of each task follows from the measures in force.
func TestStatesFollowTheMeasuresInForce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	subjects := []market.Subject{{Kind: market.SubjectProfile, ID: agent.ID}}
	for range 3 {
		subjects = append(subjects, taskSubject(escrowed(t, s, storetest.Task(t, s, agent), genesis, nil)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 120 {
		subject := subjects[random.IntN(len(subjects))]
		measures := market.Measures(subject.Kind)[1:]
		if random.IntN(2) == 0 {
			_, err := s.Decide(t.Context(), measure(subject, measures[random.IntN(len(measures))], "ada"))
			if err != nil && market.KindOf(err) != market.KindWrongStatus {
				t.Fatal(err)
			}
			continue
		}
		for _, notice := range ok(s.Notices(t.Context(), agent.ID, store.PageQuery{PageSize: 100})).Items {
			if notice.Subject == subject && notice.EndedAt == nil {
				ok(s.Lift(t.Context(), notice.ID, "ben"))
			}
		}
		boardLength(t, s)
	}
	inconsistent := storetest.Rows(t, s, `
		SELECT t.id, t.visibility, d.measure, u.account_state
		FROM tasks t
		JOIN users u ON u.id = t.agent_id
		LEFT JOIN moderation_decisions d ON d.subject_id = t.id AND d.measure <> 'none' AND d.ended_at IS NULL
		WHERE t.visibility <> CASE d.measure WHEN 'hide' THEN 'hidden' WHEN 'remove' THEN 'removed'
			ELSE replace(replace((u.account_state = 'suspended')::text, 'true', 'hidden'), 'false', 'shown') END`)
	if len(inconsistent) > 0 {
		t.Errorf("tasks whose state is not that of the measure in force: %v", inconsistent)
	}
}
