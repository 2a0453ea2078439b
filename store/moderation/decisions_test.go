package moderation_test

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
	task, other := storetest.Funded(t, s), storetest.Funded(t, s)
	human := storetest.Human(t, s)
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectTask, task.ID.String())))
	if n := storetest.BoardLength(t, s); n != 2 {
		t.Fatalf("board = %d tasks, want 2", n)
	}
	hidden := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, "ada")))
	if n := storetest.BoardLength(t, s); n != 1 {
		t.Errorf("board with a hidden task = %d, want 1", n)
	}
	read := storetest.Must(s.Task(t.Context(), task.ID))
	for role, want := range map[market.Role]market.Kind{
		market.RoleAgent: "", market.RoleApplicant: "", market.RoleHuman: "", market.RoleOther: market.KindForbidden,
	} {
		storetest.WantKind(t, "hidden: ReadableBy("+string(role)+")", read.ReadableBy(role), want)
	}
	_, err := s.CreateApplication(t.Context(), storetest.NewApplication(task, human))
	storetest.WantKind(t, "CreateApplication() for a hidden task", err, market.KindWrongStatus)
	_, err = s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectTask, task.ID.String()))
	storetest.WantKind(t, "AddReport() of a hidden task", err, market.KindNotFound)
	_, err = s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, "ben"))
	storetest.WantKind(t, "the same measure again", err, market.KindWrongStatus)
	_, err = s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(other), market.MeasureNone, "ben"))
	storetest.WantKind(t, "Decide() without a report", err, market.KindWrongStatus)

	removed := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureRemove, "ben")))
	read = storetest.Must(s.Task(t.Context(), task.ID))
	for role, withheld := range map[market.Role]bool{
		market.RoleAgent: false, market.RoleApplicant: true, market.RoleHuman: false, market.RoleValidator: false, market.RoleOther: true,
	} {
		if read.TextsWithheldFrom(role) != withheld {
			t.Errorf("removed: TextsWithheldFrom(%s) = %t", role, !withheld)
		}
	}
	storetest.WantKind(t, "removed: ReadableBy(applicant)", read.ReadableBy(market.RoleApplicant), "")
	storetest.WantKind(t, "removed: ReadableBy(other)", read.ReadableBy(market.RoleOther), market.KindForbidden)
	_, err = s.Moderation.Lift(t.Context(), hidden.ID, "ada")
	storetest.WantKind(t, "Lift() of a replaced measure", err, market.KindWrongStatus)
	storetest.Must(s.Moderation.Lift(t.Context(), removed.ID, "ada"))
	if n := storetest.BoardLength(t, s); n != 2 {
		t.Errorf("board after the lift = %d, want 2", n)
	}
	author := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	want := []string{"A measure against you has ended", "Moderators acted on your content or account", "Moderators acted on your content or account"}
	if got := storetest.Titles(t, s, author); !slices.Equal(got, want) {
		t.Errorf("feed = %q, want %q", got, want)
	}
}

// The feed of an applicant does not show the title of a removed task; the feed of a party does.
func TestFeedWithholdsTitlesOfRemovedTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, applicant := storetest.Funded(t, s), storetest.Human(t, s)
	application := storetest.Must(s.CreateApplication(t.Context(), storetest.NewApplication(task, applicant)))
	storetest.Must(s.UpdateApplication(t.Context(), task.ID, application.ID, (*market.Application).Reject))
	agent := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	title := func(who market.Principal) string {
		t.Helper()
		items := storetest.Must(s.Activities(t.Context(), store.ActivityQuery{Principal: who, Type: market.ActivityApplication})).Items
		if len(items) == 0 {
			t.Fatalf("the feed of the %s is empty", who.Kind)
		}
		return items[0].TaskTitle
	}
	for _, m := range []market.Measure{market.MeasureHide, market.MeasureRemove} {
		storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), m, "ada")))
		want := task.Title
		if m == market.MeasureRemove {
			want = ""
		}
		if got := title(storetest.HumanPrincipal(applicant)); got != want {
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
	file := storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent))
	task = storetest.Escrowed(t, s, task, storetest.Genesis, storetest.Accepted(human))
	said := storetest.Must(s.AddMessage(t.Context(), market.Message{ID: storetest.NewID(), TaskID: task.ID, SenderKind: market.PrincipalAgent, SenderID: agent.ID, Content: "secret"}))
	conversation := storetest.Must(s.OpenConversation(t.Context(), storetest.AgentPrincipal(agent), human.Username))
	direct := storetest.Must(s.AddDirectMessage(t.Context(), market.DirectMessage{ID: storetest.NewID(), ConversationID: conversation, Content: "secret"}, storetest.AgentPrincipal(agent)))
	check := func(when string, author, receiver bool) {
		t.Helper()
		for reader, want := range map[market.Principal]bool{storetest.AgentPrincipal(agent): author, storetest.HumanPrincipal(human): receiver} {
			_, err := s.File(t.Context(), task.ID, file.ID, reader)
			files := storetest.Must(s.Files(t.Context(), task.ID, reader))
			messages := storetest.Must(s.Messages(t.Context(), store.MessageQuery{TaskID: task.ID, Reader: reader}))
			directs := storetest.Must(s.DirectMessages(t.Context(), store.DirectMessageQuery{ConversationID: conversation, Reader: reader}))
			last := storetest.Must(s.Conversations(t.Context(), store.ConversationQuery{Member: reader})).Items[0].Last
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
			storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(subject, m, "ada")))
		}
	}
	check("shown", true, true)
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectFile, file.ID.String())))
	for _, id := range []uuid.UUID{said.ID, direct.ID} {
		storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectMessage, id.String())))
	}
	decide(market.MeasureHide)
	check("hidden", true, false)
	decide(market.MeasureRemove)
	check("removed", false, false)
	for _, notice := range storetest.Must(s.Moderation.Notices(t.Context(), agent.ID, store.PageQuery{})).Items {
		if notice.EndedAt == nil {
			storetest.Must(s.Moderation.Lift(t.Context(), notice.ID, "ada"))
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
	open := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
	storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(open), market.MeasureHide, "ada")))
	account := market.Subject{Kind: market.SubjectProfile, ID: agent.ID}
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(account, market.MeasureLimit, "ada")))
	if n := storetest.BoardLength(t, s); n != 1 {
		t.Errorf("board of a limited agent = %d, want 1", n)
	}
	suspended := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(account, market.MeasureSuspend, "ada")))
	if n := storetest.BoardLength(t, s); n != 0 {
		t.Errorf("board of a suspended agent = %d, want 0", n)
	}
	for _, notice := range storetest.Must(s.Moderation.Notices(t.Context(), agent.ID, store.PageQuery{})).Items {
		if notice.Subject == storetest.TaskSubject(open) {
			storetest.Must(s.Moderation.Lift(t.Context(), notice.ID, "ada"))
		}
	}
	if n := storetest.BoardLength(t, s); n != 0 {
		t.Errorf("board with a lifted task of a suspended agent = %d, want 0", n)
	}
	storetest.Must(s.Moderation.Lift(t.Context(), suspended.ID, "ada"))
	if n := storetest.BoardLength(t, s); n != 2 {
		t.Errorf("board after the suspension = %d, want 2", n)
	}

	human := storetest.Human(t, s, func(h *market.Human) { h.Available = true })
	listed := func(want int) {
		t.Helper()
		page := storetest.Must(s.AvailableHumans(t.Context(), store.HumanQuery{}))
		if page.Total != want || len(page.Items) != want {
			t.Errorf("available humans = %d of %d, want %d", len(page.Items), page.Total, want)
		}
	}
	listed(1)
	hidden := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: human.ID}, market.MeasureHide, "ada")))
	listed(0)
	yes, no := true, false
	storetest.Must(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Available: &no}))
	storetest.Must(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Available: &yes}))
	listed(0)
	if got := storetest.Must(s.Human(t.Context(), human.ID)).State; got != market.AccountHidden {
		t.Errorf("state = %s, want hidden", got)
	}
	storetest.Must(s.Moderation.Lift(t.Context(), hidden.ID, "ada"))
	listed(1)
	_, err := s.Moderation.Decide(t.Context(), storetest.Measure(account, market.MeasureRemove, "ada"))
	storetest.WantKind(t, "remove an account", err, market.KindInvalid)
}

// A reorganisation that drops the acceptance or the cancellation of a suspended agent's task does not put the task
// on the board until the suspension ends.
func TestReorgKeepsTasksOfSuspendedAgentsHidden(t *testing.T) {
	t.Parallel()
	for _, status := range []market.Status{market.StatusActive, market.StatusCancelled} {
		t.Run(string(status), func(t *testing.T) {
			t.Parallel()
			w := storetest.NewWorld(t)
			of := storetest.Of(w.Task)
			w.Chain.Mine(t, storetest.Post(t, w.Task, false), storetest.Stake(t, of, w.Human.Wallet))
			if status == market.StatusActive {
				w.Chain.Mine(t, storetest.Accept(t, of, w.Human.Wallet))
			} else {
				w.Chain.Mine(t, storetest.Cancel(t, of))
			}
			storetest.WantStatus(t, w.Store, w.Task, status)
			agent := market.Subject{Kind: market.SubjectProfile, ID: w.Task.AgentID}
			d := storetest.Must(w.Store.Moderation.Decide(t.Context(), storetest.Measure(agent, market.MeasureSuspend, "ada")))
			w.Chain.Rewind(t, 1)
			storetest.WantStatus(t, w.Store, w.Task, market.StatusFunded)
			if n := storetest.BoardLength(t, w.Store); n != 0 {
				t.Errorf("board of a suspended agent = %d, want 0", n)
			}
			storetest.Must(w.Store.Moderation.Lift(t.Context(), d.ID, "ada"))
			if n := storetest.BoardLength(t, w.Store); n != 1 {
				t.Errorf("board after the suspension = %d, want 1", n)
			}
		})
	}
}

// Of several concurrent decisions, exactly one imposes the measure.
func TestDecisionRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Funded(t, s)
	errs := storetest.Race(6, func(i int) error {
		_, err := s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, fmt.Sprintf("moderator-%d", i)))
		return err
	})
	storetest.WantOneWinner(t, "Decide()", errs, market.KindWrongStatus)
}

// After a random history of decisions, the state of each task follows from the measures in force.
func TestStatesFollowTheMeasuresInForce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	subjects := []market.Subject{{Kind: market.SubjectProfile, ID: agent.ID}}
	for range 3 {
		subjects = append(subjects, storetest.TaskSubject(storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, nil)))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 120 {
		subject := subjects[random.IntN(len(subjects))]
		measures := market.Measures(subject.Kind)[1:]
		if random.IntN(2) == 0 {
			_, err := s.Moderation.Decide(t.Context(), storetest.Measure(subject, measures[random.IntN(len(measures))], "ada"))
			if err != nil && market.KindOf(err) != market.KindWrongStatus {
				t.Fatal(err)
			}
			continue
		}
		for _, notice := range storetest.Must(s.Moderation.Notices(t.Context(), agent.ID, store.PageQuery{PageSize: 100})).Items {
			if notice.Subject == subject && notice.EndedAt == nil {
				storetest.Must(s.Moderation.Lift(t.Context(), notice.ID, "ben"))
			}
		}
		storetest.BoardLength(t, s)
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
