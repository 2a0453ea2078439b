package moderation_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/moderation"
	"taskmarket/store/storetest"
)

// A held task is invisible until a moderator decides.
func TestHeldTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	create := func() market.Task {
		task := storetest.NewTask(s, agent)
		task.Title, task.Hold = "Photograph a shop window", &market.Hold{Rule: "credentials"}
		task.TermsHash = task.Terms().Hash()
		return storetest.Must(s.CreateTask(t.Context(), task))
	}
	held := create()
	due := time.Until(held.Hold.DueAt)
	if held.Visibility != market.VisibilityHeld || held.Hold.Rule != "credentials" || due > market.HoldWindow || due < market.HoldWindow-time.Minute {
		t.Errorf("created: %s, %+v", held.Visibility, held.Hold)
	}
	held = storetest.Escrowed(t, s, held, storetest.Genesis, nil)
	storetest.WantKind(t, "ReadableBy(other)", held.ReadableBy(market.RoleOther), market.KindForbidden)
	if n := storetest.BoardLength(t, s); n != 0 {
		t.Errorf("board with a held task = %d, want 0", n)
	}
	queue := moderationQueue(t, s)
	if len(queue) != 1 || queue[0].Subject != storetest.TaskSubject(held) || queue[0].Hold == nil || queue[0].AuthorID != agent.ID {
		t.Fatalf("queue = %+v", queue)
	}
	storetest.Execute(t, s, `UPDATE tasks SET hold_due_at = now() - interval '1 second'`)
	wantBacklog(t, s, moderation.Backlog{Held: 1, Overdue: 1, OldestHeld: market.HoldWindow})
	shown := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(held), market.MeasureNone, "ada")))
	if shown.Automation != market.AutomationDetection {
		t.Errorf("automation = %s", shown.Automation)
	}
	if n := storetest.BoardLength(t, s); n != 1 || len(moderationQueue(t, s)) != 0 {
		t.Errorf("board after the decision = %d, want 1", n)
	}
	second := create()
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(second), market.MeasureRemove, "ada")))
	if got := storetest.Must(s.Task(t.Context(), second.ID)); got.Visibility != market.VisibilityRemoved || got.Hold != nil {
		t.Errorf("removed: %s, %+v", got.Visibility, got.Hold)
	}
	if got := storetest.Titles(t, s, storetest.AgentPrincipal(agent)); !slices.Contains(got, "Your task is visible") {
		t.Errorf("feed = %q", got)
	}
}

// Held tasks cost nothing, so many of them must not push a report off the first page.
func TestManyHeldTasksLeaveReportsOnTheFirstPage(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	for range 250 {
		storetest.Task(t, s, agent)
	}
	storetest.Execute(t, s, `UPDATE tasks SET visibility = 'held', hold_rule = 'drugs', hold_due_at = now() + interval '1 hour'`)
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectProfile, agent.Username)))
	first, more, err := s.Moderation.Queue(t.Context(), 1)
	if err != nil || !more || len(first) != 200 || first[0].Hold == nil || first[1].Subject.Kind != market.SubjectProfile {
		t.Fatalf("the first page has %d cases, more = %t, %v: %+v", len(first), more, err, first[:min(2, len(first))])
	}
	second, more, err := s.Moderation.Queue(t.Context(), 2)
	if err != nil || more || len(second) != 51 {
		t.Errorf("the second page has %d cases, more = %t, %v", len(second), more, err)
	}
}

// Texts that a rule reports cost their authors nothing, so they do not push reports by users off the first page, even
// those of users without a linked account.
func TestManyReportsByRulesLeaveReportsOnTheFirstPage(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	reporter := storetest.Human(t, s)
	storetest.Execute(t, s, `UPDATE users SET verified_at = NULL, social_network = NULL, social_handle = NULL, social_account_id = NULL, social_post_id = NULL, social_posted_at = NULL, linked_code = NULL WHERE id = $1`, reporter.ID)
	var reported market.Agent
	for range 5 {
		reported = storetest.Agent(t, s)
		for range market.MaxOpenReports {
			subject := market.Subject{Kind: market.SubjectMessage, ID: storetest.NewID()}
			err := s.Moderation.AddRuleReport(t.Context(), moderation.RuleReport{
				ID: storetest.NewID(), Rule: "drugs", Comment: "A rule matched.", Subject: subject, Author: reported.ID, Record: subject.ID, Text: "x",
			})
			storetest.WantKind(t, "AddRuleReport()", err, "")
		}
	}
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(reporter), market.SubjectProfile, reported.Username)))
	first, _, err := s.Moderation.Queue(t.Context(), 1)
	if err != nil || len(first) != 200 || first[0].Subject.Kind != market.SubjectProfile {
		t.Errorf("the first of %d cases is %+v, %v", len(first), first[:min(1, len(first))], err)
	}
}

// A held task of a suspended agent stays hidden after the decision, so its agent is not notified that it is visible.
func TestHeldTaskOfASuspendedAgent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	held := storetest.Task(t, s, agent)
	storetest.Execute(t, s, `UPDATE tasks SET visibility = 'held', hold_rule = 'drugs', hold_due_at = now() WHERE id = $1`, held.ID)
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectProfile, ID: agent.ID}, market.MeasureSuspend, "ada")))
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(held), market.MeasureNone, "ada")))
	if got := storetest.Must(s.Task(t.Context(), held.ID)); got.Visibility != market.VisibilityHidden {
		t.Errorf("visibility = %s, want hidden", got.Visibility)
	}
	if got, want := storetest.Titles(t, s, storetest.AgentPrincipal(agent)), []string{"Moderators acted on your content or account"}; !slices.Equal(got, want) {
		t.Errorf("feed = %q, want %q", got, want)
	}
	storetest.Must(s.Moderation.Lift(t.Context(), d.ID, "ada"))
	if got := storetest.Must(s.Task(t.Context(), held.ID)); !got.Shown() {
		t.Errorf("visibility after the suspension = %s", got.Visibility)
	}
}

// Moderators see, and reports and decisions keep, every text of a task and of a profile.
func TestSubjectTextIsComplete(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s, func(a *market.Agent) { a.Bio = "mark-agent" })
	human := storetest.Human(t, s, func(h *market.Human) {
		h.Name, h.Bio, h.Skills = "mark-name", "mark-bio", []string{"painting", "mark-skill"}
	})
	task := storetest.Task(t, s, agent, func(task *market.Task) {
		task.Title, task.Description, task.Skills = "mark-title", "mark-description", []string{"painting", "mark-skill"}
	})
	storetest.Execute(t, s, `UPDATE humans SET location = 'mark-location' WHERE id = $1`, human.ID)
	storetest.Execute(t, s, `UPDATE tasks SET location = 'mark-location' WHERE id = $1`, task.ID)
	storetest.Escrowed(t, s, task, storetest.Genesis, nil)
	for _, test := range []struct {
		subject market.Subject
		name    string
		marks   []string
	}{
		{storetest.TaskSubject(task), task.ID.String(), []string{"mark-title", "mark-description", "mark-skill", "mark-location"}},
		{market.Subject{Kind: market.SubjectProfile, ID: human.ID}, human.Username, []string{human.Username, "mark-name", "mark-bio", "mark-skill", "mark-location"}},
		{market.Subject{Kind: market.SubjectProfile, ID: agent.ID}, agent.Username, []string{agent.Username, agent.Name, "mark-agent"}},
	} {
		storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(storetest.Human(t, s)), test.subject.Kind, test.name)))
		copies := map[string]string{
			"SubjectText()": storetest.Must(s.Moderation.SubjectText(t.Context(), test.subject, "ada")).Full(),
			"the report":    storetest.Must(s.Moderation.OpenReports(t.Context(), test.subject))[0].SubjectText,
		}
		storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(test.subject, market.MeasureHide, "ada")))
		copies["the decision"] = storetest.Must(s.Moderation.SubjectDecisions(t.Context(), test.subject))[0].SubjectText
		for where, text := range copies {
			for _, mark := range test.marks {
				if !strings.Contains(text, mark) {
					t.Errorf("%s of the %s = %q, want %q in it", where, test.subject.Kind, text, mark)
				}
			}
			if text != copies["SubjectText()"] {
				t.Errorf("%s of the %s = %q, want %q", where, test.subject.Kind, text, copies["SubjectText()"])
			}
		}
	}
}

// wantBacklog compares the moderation backlog, with ages truncated to hours.
func wantBacklog(t *testing.T, s *store.Store, want moderation.Backlog) {
	t.Helper()
	got := storetest.Must(s.Moderation.Backlog(t.Context()))
	for _, age := range []*time.Duration{&got.OldestHeld, &got.OldestReport, &got.OldestAppeal} {
		*age = age.Truncate(time.Hour)
	}
	if got != want {
		t.Errorf("Backlog() = %+v, want %+v", got, want)
	}
}

// Operators see how long the oldest report and the oldest appeal have waited, until they are decided.
func TestBacklogHasAges(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	wantBacklog(t, s, moderation.Backlog{})
	task := storetest.Funded(t, s)
	subject := storetest.TaskSubject(task)
	for range 2 {
		storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.AgentPrincipal(storetest.Agent(t, s)), subject.Kind, subject.ID.String())))
		storetest.Execute(t, s, `UPDATE reports SET created_at = created_at - interval '5 hours 1 minute'`)
	}
	wantBacklog(t, s, moderation.Backlog{Reports: 2, OldestReport: 10 * time.Hour})
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(subject, market.MeasureRemove, "ada")))
	wantBacklog(t, s, moderation.Backlog{})
	storetest.Must(s.Moderation.AddAppeal(t.Context(), market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a shop window."}, task.AgentID))
	storetest.Execute(t, s, `UPDATE appeals SET created_at = created_at - interval '7 hours 1 minute'`)
	wantBacklog(t, s, moderation.Backlog{Appeals: 1, OldestAppeal: 7 * time.Hour})
}

// A held task that has lapsed no longer waits for a decision.
func TestQueueOmitsTasksThatLapsed(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Task(t, s, storetest.Agent(t, s))
	storetest.Execute(t, s, `UPDATE tasks SET visibility = 'held', hold_rule = 'drugs', hold_due_at = now() - interval '1 hour' WHERE id = $1`, task.ID)
	wait := func(want int) {
		t.Helper()
		cases, _, err := s.Moderation.Queue(t.Context(), 1)
		if backlog := storetest.Must(s.Moderation.Backlog(t.Context())); err != nil || len(cases) != want || backlog.Held != want || backlog.Overdue != want {
			t.Errorf("queue = %+v, backlog = %+v, %v, want %d tasks", cases, backlog, err, want)
		}
	}
	wait(1)
	storetest.Execute(t, s, `UPDATE tasks SET updated_at = now() - interval '8 days', created_at = now() - interval '8 days' WHERE id = $1`, task.ID)
	storetest.WantKind(t, "Sweep()", s.Sweep(t.Context()), "")
	wait(0)
}

func moderationQueue(t *testing.T, s *store.Store) []moderation.Case {
	t.Helper()
	cases, more, err := s.Moderation.Queue(t.Context(), 1)
	if err != nil || more {
		t.Fatalf("Queue() = %v, %v", more, err)
	}
	return cases
}
