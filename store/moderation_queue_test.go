package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// A held task is invisible until a moderator decides.
func TestHeldTasks(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	create := func() market.Task {
		task := newTask(s, agent)
		task.Title, task.Hold = "Photograph a shop window", &market.Hold{Rule: "credentials"}
		task.TermsHash = task.Terms().Hash()
		return ok(s.CreateTask(t.Context(), task))
	}
	held := create()
	due := time.Until(held.Hold.DueAt)
	if held.Visibility != market.VisibilityHeld || held.Hold.Rule != "credentials" || due > market.HoldWindow || due < market.HoldWindow-time.Minute {
		t.Errorf("created: %s, %+v", held.Visibility, held.Hold)
	}
	held = escrowed(t, s, held, genesis, nil)
	wantKind(t, "ReadableBy(other)", held.ReadableBy(market.RoleOther), market.KindForbidden)
	if n := boardLength(t, s); n != 0 {
		t.Errorf("board with a held task = %d, want 0", n)
	}
	queue := moderationQueue(t, s)
	if len(queue) != 1 || queue[0].Subject != taskSubject(held) || queue[0].Hold == nil || queue[0].AuthorID != agent.ID {
		t.Fatalf("queue = %+v", queue)
	}
	execute(t, s, `UPDATE tasks SET hold_due_at = now() - interval '1 second'`)
	wantBacklog(t, s, market.ModerationBacklog{Held: 1, Overdue: 1, OldestHeld: market.HoldWindow})
	shown := ok(s.Decide(t.Context(), measure(taskSubject(held), market.MeasureNone, "ada")))
	if shown.Automation != market.AutomationDetection {
		t.Errorf("automation = %s", shown.Automation)
	}
	if n := boardLength(t, s); n != 1 || len(moderationQueue(t, s)) != 0 {
		t.Errorf("board after the decision = %d, want 1", n)
	}
	second := create()
	ok(s.Decide(t.Context(), measure(taskSubject(second), market.MeasureRemove, "ada")))
	if got := ok(s.Task(t.Context(), second.ID)); got.Visibility != market.VisibilityRemoved || got.Hold != nil {
		t.Errorf("removed: %s, %+v", got.Visibility, got.Hold)
	}
	if got := feed(t, s, agentPrincipal(agent)); !slices.Contains(got, "Your task is visible") {
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
	execute(t, s, `UPDATE tasks SET visibility = 'held', hold_rule = 'drugs', hold_due_at = now() + interval '1 hour'`)
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectProfile, agent.Username)))
	first, more, err := s.ModerationQueue(t.Context(), 1)
	if err != nil || !more || len(first) != 200 || first[0].Hold == nil || first[1].Subject.Kind != market.SubjectProfile {
		t.Fatalf("the first page has %d cases, more = %t, %v: %+v", len(first), more, err, first[:min(2, len(first))])
	}
	second, more, err := s.ModerationQueue(t.Context(), 2)
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
	execute(t, s, `UPDATE users SET verified_at = NULL, social_network = NULL, social_handle = NULL, social_account_id = NULL, social_post_id = NULL, social_posted_at = NULL, linked_code = NULL WHERE id = $1`, reporter.ID)
	var reported market.Agent
	for range 5 {
		reported = storetest.Agent(t, s)
		for range market.MaxOpenReports {
			subject := market.Subject{Kind: market.SubjectMessage, ID: newID()}
			err := s.AddRuleReport(t.Context(), store.RuleReport{
				ID: newID(), Rule: "drugs", Comment: "A rule matched.", Subject: subject, Author: reported.ID, Record: subject.ID, Text: "x",
			})
			wantKind(t, "AddRuleReport()", err, "")
		}
	}
	ok(s.AddReport(t.Context(), report(humanPrincipal(reporter), market.SubjectProfile, reported.Username)))
	first, _, err := s.ModerationQueue(t.Context(), 1)
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
	execute(t, s, `UPDATE tasks SET visibility = 'held', hold_rule = 'drugs', hold_due_at = now() WHERE id = $1`, held.ID)
	d := ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectProfile, ID: agent.ID}, market.MeasureSuspend, "ada")))
	ok(s.Decide(t.Context(), measure(taskSubject(held), market.MeasureNone, "ada")))
	if got := ok(s.Task(t.Context(), held.ID)); got.Visibility != market.VisibilityHidden {
		t.Errorf("visibility = %s, want hidden", got.Visibility)
	}
	if got, want := feed(t, s, agentPrincipal(agent)), []string{"Moderators acted on your content or account"}; !slices.Equal(got, want) {
		t.Errorf("feed = %q, want %q", got, want)
	}
	ok(s.Lift(t.Context(), d.ID, "ada"))
	if got := ok(s.Task(t.Context(), held.ID)); !got.Shown() {
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
	execute(t, s, `UPDATE humans SET location = 'mark-location' WHERE id = $1`, human.ID)
	execute(t, s, `UPDATE tasks SET location = 'mark-location' WHERE id = $1`, task.ID)
	escrowed(t, s, task, genesis, nil)
	for _, test := range []struct {
		subject market.Subject
		name    string
		marks   []string
	}{
		{taskSubject(task), task.ID.String(), []string{"mark-title", "mark-description", "mark-skill", "mark-location"}},
		{market.Subject{Kind: market.SubjectProfile, ID: human.ID}, human.Username, []string{human.Username, "mark-name", "mark-bio", "mark-skill", "mark-location"}},
		{market.Subject{Kind: market.SubjectProfile, ID: agent.ID}, agent.Username, []string{agent.Username, agent.Name, "mark-agent"}},
	} {
		ok(s.AddReport(t.Context(), report(humanPrincipal(storetest.Human(t, s)), test.subject.Kind, test.name)))
		copies := map[string]string{
			"SubjectText()": ok(s.SubjectText(t.Context(), test.subject, "ada")).Full(),
			"the report":    ok(s.OpenReports(t.Context(), test.subject))[0].SubjectText,
		}
		ok(s.Decide(t.Context(), measure(test.subject, market.MeasureHide, "ada")))
		copies["the decision"] = ok(s.SubjectDecisions(t.Context(), test.subject))[0].SubjectText
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
func wantBacklog(t *testing.T, s *store.Store, want market.ModerationBacklog) {
	t.Helper()
	got := ok(s.ModerationBacklog(t.Context()))
	for _, age := range []*time.Duration{&got.OldestHeld, &got.OldestReport, &got.OldestAppeal} {
		*age = age.Truncate(time.Hour)
	}
	if got != want {
		t.Errorf("ModerationBacklog() = %+v, want %+v", got, want)
	}
}

// Operators see how long the oldest report and the oldest appeal have waited, until they are decided.
func TestModerationBacklogHasAges(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	wantBacklog(t, s, market.ModerationBacklog{})
	task := funded(t, s)
	subject := taskSubject(task)
	for range 2 {
		ok(s.AddReport(t.Context(), report(agentPrincipal(storetest.Agent(t, s)), subject.Kind, subject.ID.String())))
		execute(t, s, `UPDATE reports SET created_at = created_at - interval '5 hours 1 minute'`)
	}
	wantBacklog(t, s, market.ModerationBacklog{Reports: 2, OldestReport: 10 * time.Hour})
	d := ok(s.Decide(t.Context(), measure(subject, market.MeasureRemove, "ada")))
	wantBacklog(t, s, market.ModerationBacklog{})
	ok(s.AddAppeal(t.Context(), market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a shop window."}, task.AgentID))
	execute(t, s, `UPDATE appeals SET created_at = created_at - interval '7 hours 1 minute'`)
	wantBacklog(t, s, market.ModerationBacklog{Appeals: 1, OldestAppeal: 7 * time.Hour})
}

// A held task that has lapsed no longer waits for a decision.
func TestQueueOmitsTasksThatLapsed(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Task(t, s, storetest.Agent(t, s))
	execute(t, s, `UPDATE tasks SET visibility = 'held', hold_rule = 'drugs', hold_due_at = now() - interval '1 hour' WHERE id = $1`, task.ID)
	wait := func(want int) {
		t.Helper()
		cases, _, err := s.ModerationQueue(t.Context(), 1)
		if backlog := ok(s.ModerationBacklog(t.Context())); err != nil || len(cases) != want || backlog.Held != want || backlog.Overdue != want {
			t.Errorf("queue = %+v, backlog = %+v, %v, want %d tasks", cases, backlog, err, want)
		}
	}
	wait(1)
	execute(t, s, `UPDATE tasks SET updated_at = now() - interval '8 days', created_at = now() - interval '8 days' WHERE id = $1`, task.ID)
	wantKind(t, "Sweep()", s.Sweep(t.Context()), "")
	wait(0)
}

func moderationQueue(t *testing.T, s *store.Store) []store.ModerationCase {
	t.Helper()
	cases, more, err := s.ModerationQueue(t.Context(), 1)
	if err != nil || more {
		t.Fatalf("ModerationQueue() = %v, %v", more, err)
	}
	return cases
}
