package moderation_test

import (
	"fmt"
	"slices"
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/operators"
	"taskmarket/store/storetest"
)

// The person who imposed a measure cannot decide the appeal against it. The database enforces this too.
func TestAppeals(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Funded(t, s)
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a shop window."}
	_, err := s.Moderation.AddAppeal(t.Context(), appeal, storetest.Agent(t, s).ID)
	storetest.WantKind(t, "AddAppeal() of another user", err, market.KindNotFound)
	storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, task.AgentID))
	storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, task.AgentID))
	_, err = s.Moderation.AddAppeal(t.Context(), market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "Again."}, task.AgentID)
	storetest.WantKind(t, "AddAppeal() twice", err, market.KindAlreadyExists)
	for _, name := range []string{"ada", "ADA", "cli:ada", "cli:cli:ada", "CLI:cli:Ada"} {
		if _, err := storetest.DB(t, s).Exec(`UPDATE appeals SET outcome = 'upheld', reasons = 'r', decided_by = $1, decided_at = now()`, name); err == nil {
			t.Errorf("the database accepts a decision on the appeal by %s", name)
		}
	}
	if open := storetest.Must(s.Moderation.OpenAppeals(t.Context())); len(open) != 1 || open[0].Appeal.Statement != appeal.Statement {
		t.Errorf("open appeals = %+v", open)
	}
	_, err = s.Moderation.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ada")
	storetest.WantKind(t, "DecideAppeal() by the first moderator", err, market.KindForbidden)
	_, err = storetest.DB(t, s).ExecContext(t.Context(), `
		UPDATE appeals SET outcome = 'upheld', reasons = 'No.', decided_by = 'ada', decided_at = now()`)
	if err == nil {
		t.Error("the database accepts a decision by the first moderator")
	}
	errs := storetest.Race(4, func(i int) error {
		_, err := s.Moderation.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", fmt.Sprintf("ben%d", i))
		return err
	})
	storetest.WantOneWinner(t, "DecideAppeal()", errs, market.KindWrongStatus)
	if n := storetest.BoardLength(t, s); n != 1 {
		t.Errorf("board after the reversal = %d, want 1", n)
	}
	audit := storetest.Must(s.Operators.AuditLog(t.Context(), operators.AuditQuery{Subject: task.ID.String(), Limit: 10}))
	var kinds []market.AuditKind
	for _, entry := range audit {
		kinds = append(kinds, entry.Kind)
	}
	if want := []market.AuditKind{market.AuditAppealDecision, market.AuditAppeal, market.AuditDecision}; !slices.Equal(kinds, want) {
		t.Errorf("audit log = %v, want %v", kinds, want)
	}

	late := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, "ada")))
	storetest.Execute(t, s, `UPDATE moderation_decisions SET decided_at = now() - interval '4416 hours 1 minute' WHERE id = $1`, late.ID)
	_, err = s.Moderation.AddAppeal(t.Context(), market.Appeal{ID: storetest.NewID(), DecisionID: late.ID, Statement: "Late."}, task.AgentID)
	storetest.WantKind(t, "AddAppeal() after six months", err, market.KindWrongStatus)
	_, err = storetest.DB(t, s).ExecContext(t.Context(), `
		INSERT INTO appeals (id, decision_id, first_decider, imposed_at, statement)
		SELECT gen_random_uuid(), id, decided_by, decided_at, 'Late.' FROM moderation_decisions WHERE id = $1`, late.ID)
	if err == nil {
		t.Error("the database accepts an appeal after six months")
	}
}

// An appeal against a measure on a file that is deleted later can be decided.
func TestAppealAboutADeletedFile(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	human := storetest.Human(t, s)
	task := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, storetest.Accepted(human))
	file := storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent))
	storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.HumanPrincipal(human), market.SubjectFile, file.ID.String())))
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(market.Subject{Kind: market.SubjectFile, ID: file.ID}, market.MeasureRemove, "ada")))
	appeal := market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a map."}
	storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, agent.ID))
	storetest.Execute(t, s, `DELETE FROM files`)
	storetest.Must(s.Moderation.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a map.", "ben"))
}

// While an appeal is open, the person who imposed the measure cannot replace it, but another person can. The
// author is notified of the outcome in either case.
func TestMeasureUnderAppealIsReplacedByAnotherPerson(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := storetest.Funded(t, s)
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a shop window."}
	storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, task.AgentID))
	for _, name := range []string{"ada", "cli:ada"} {
		_, err := s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureRemove, name))
		storetest.WantKind(t, "Decide() by "+name, err, market.KindForbidden)
	}
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(task), market.MeasureRemove, "cyd")))
	storetest.Must(s.Moderation.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ben"))
	author := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	if got := storetest.Titles(t, s, author); len(got) == 0 || got[0] != "A measure against you has ended" {
		t.Errorf("feed = %q", got)
	}

	// Ending the measure first does not allow the same person to impose it again.
	other := storetest.Funded(t, s)
	d = storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(other), market.MeasureHide, "ada")))
	appeal = market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a shop window."}
	storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, other.AgentID))
	storetest.Must(s.Moderation.Lift(t.Context(), d.ID, "ada"))
	for _, name := range []string{"ada", "cli:ada"} {
		_, err := s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(other), market.MeasureHide, name))
		storetest.WantKind(t, "Decide() after Lift() by "+name, err, market.KindForbidden)
	}
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(other), market.MeasureHide, "cyd")))
	_, err := s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(other), market.MeasureRemove, "ada"))
	storetest.WantKind(t, "Decide() that replaces another person's measure", err, market.KindForbidden)
	storetest.Must(s.Moderation.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ben"))
	storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(storetest.TaskSubject(other), market.MeasureRemove, "ada")))
}

// A decision keeps the text that led to the measure until no appeal is open or possible.
func TestMeasureKeepsTheText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human := storetest.Human(t, s, func(h *market.Human) { h.Bio = "Buy my followers." })
	account := market.Subject{Kind: market.SubjectProfile, ID: human.ID}
	d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(account, market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: storetest.NewID(), DecisionID: d.ID, Statement: "It is a joke."}
	storetest.Must(s.Moderation.AddAppeal(t.Context(), appeal, human.ID))
	storetest.Must(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Bio: new("I take pictures.")}))
	want := func(when, text string) {
		t.Helper()
		storetest.WantKind(t, "Sweep()", s.Sweep(t.Context()), "")
		if got := storetest.Must(s.Moderation.SubjectDecisions(t.Context(), account))[0].SubjectText; got != text {
			t.Errorf("the text %s = %q, want %q", when, got, text)
		}
	}
	original := human.Username + " " + human.Name + "\n\nBuy my followers."
	want("during the appeal", original)
	storetest.Execute(t, s, `DO $$ BEGIN
		SET LOCAL session_replication_role = replica; -- the appeal refers to the time
		UPDATE moderation_decisions SET decided_at = now() - interval '4500 hours';
	END $$`)
	want("during a long appeal", original)
	storetest.Must(s.Moderation.DecideAppeal(t.Context(), appeal.ID, market.AppealUpheld, "It sells followers.", "ben"))
	want("after the appeal", "")
}

// A decision takes over the text that was reported, even if the author changed or erased it before the decision.
func TestMeasureKeepsTheReportedText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	for name, leave := range map[string]func(market.Human) error{
		"changed": func(h market.Human) error {
			_, err := s.ChangeHuman(t.Context(), h.ID, store.HumanChange{Bio: new("I take pictures.")})
			return err
		},
		"erased": func(h market.Human) error {
			_, _, err := s.EraseAccount(t.Context(), store.ErasureRequest{
				Erasure:  store.Erasure{ID: storetest.NewID(), Account: h.ID, RequestedBy: store.RequesterAccount},
				Username: h.Username,
			})
			return err
		},
	} {
		human := storetest.Human(t, s, func(h *market.Human) { h.Bio = "Buy my followers." })
		account := market.Subject{Kind: market.SubjectProfile, ID: human.ID}
		for range 2 {
			storetest.Must(s.Moderation.AddReport(t.Context(), storetest.NewReport(storetest.AgentPrincipal(storetest.Agent(t, s)), account.Kind, human.Username)))
		}
		storetest.WantKind(t, name, leave(human), "")
		now := storetest.Must(s.Moderation.SubjectText(t.Context(), account, "ada")).Full()
		want := human.Username + " " + human.Name + "\n\nBuy my followers.\n\n[changed to]\n\n" + now
		for _, m := range []market.Measure{market.MeasureHide, market.MeasureSuspend} {
			d := storetest.Must(s.Moderation.Decide(t.Context(), storetest.Measure(account, m, "ada")))
			if got := storetest.Must(s.Moderation.SubjectDecisions(t.Context(), account))[0]; got.ID != d.ID || got.SubjectText != want {
				t.Errorf("%s: the text of the decision to %s = %q, want %q", name, m, got.SubjectText, want)
			}
		}
	}
}
