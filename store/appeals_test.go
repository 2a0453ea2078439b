package store_test

import (
	"fmt"
	"slices"
	"testing"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

// The person who imposed a measure cannot decide the appeal against it. The database enforces this too.
func TestAppeals(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := funded(t, s)
	d := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a shop window."}
	_, err := s.AddAppeal(t.Context(), appeal, storetest.Agent(t, s).ID)
	wantKind(t, "AddAppeal() of another user", err, market.KindNotFound)
	ok(s.AddAppeal(t.Context(), appeal, task.AgentID))
	ok(s.AddAppeal(t.Context(), appeal, task.AgentID))
	_, err = s.AddAppeal(t.Context(), market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "Again."}, task.AgentID)
	wantKind(t, "AddAppeal() twice", err, market.KindAlreadyExists)
	for _, name := range []string{"ada", "ADA", "cli:ada", "cli:cli:ada", "CLI:cli:Ada"} {
		if _, err := storetest.DB(t, s).Exec(`UPDATE appeals SET outcome = 'upheld', reasons = 'r', decided_by = $1, decided_at = now()`, name); err == nil {
			t.Errorf("the database accepts a decision on the appeal by %s", name)
		}
	}
	if open := ok(s.OpenAppeals(t.Context())); len(open) != 1 || open[0].Appeal.Statement != appeal.Statement {
		t.Errorf("open appeals = %+v", open)
	}
	_, err = s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ada")
	wantKind(t, "DecideAppeal() by the first moderator", err, market.KindForbidden)
	_, err = storetest.DB(t, s).ExecContext(t.Context(), `
		UPDATE appeals SET outcome = 'upheld', reasons = 'No.', decided_by = 'ada', decided_at = now()`)
	if err == nil {
		t.Error("the database accepts a decision by the first moderator")
	}
	errs := race(4, func(i int) error {
		_, err := s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", fmt.Sprintf("ben%d", i))
		return err
	})
	wantOneWinner(t, "DecideAppeal()", errs, market.KindWrongStatus)
	if n := boardLength(t, s); n != 1 {
		t.Errorf("board after the reversal = %d, want 1", n)
	}
	audit := ok(s.AuditLog(t.Context(), store.AuditQuery{Subject: task.ID.String(), Limit: 10}))
	var kinds []market.AuditKind
	for _, entry := range audit {
		kinds = append(kinds, entry.Kind)
	}
	if want := []market.AuditKind{market.AuditAppealDecision, market.AuditAppeal, market.AuditDecision}; !slices.Equal(kinds, want) {
		t.Errorf("audit log = %v, want %v", kinds, want)
	}

	late := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	execute(t, s, `UPDATE moderation_decisions SET decided_at = now() - interval '4416 hours 1 minute' WHERE id = $1`, late.ID)
	_, err = s.AddAppeal(t.Context(), market.Appeal{ID: newID(), DecisionID: late.ID, Statement: "Late."}, task.AgentID)
	wantKind(t, "AddAppeal() after six months", err, market.KindWrongStatus)
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
	task := escrowed(t, s, storetest.Task(t, s, agent), genesis, accepted(human))
	file := addFile(t, s, task, agentPrincipal(agent))
	ok(s.AddReport(t.Context(), report(humanPrincipal(human), market.SubjectFile, file.ID.String())))
	d := ok(s.Decide(t.Context(), measure(market.Subject{Kind: market.SubjectFile, ID: file.ID}, market.MeasureRemove, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a map."}
	ok(s.AddAppeal(t.Context(), appeal, agent.ID))
	execute(t, s, `DELETE FROM files`)
	ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a map.", "ben"))
}

// While an appeal is open, the person who imposed the measure cannot replace it, but another person can. The
// author is notified of the outcome in either case.
func TestMeasureUnderAppealIsReplacedByAnotherPerson(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := funded(t, s)
	d := ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a shop window."}
	ok(s.AddAppeal(t.Context(), appeal, task.AgentID))
	for _, name := range []string{"ada", "cli:ada"} {
		_, err := s.Decide(t.Context(), measure(taskSubject(task), market.MeasureRemove, name))
		wantKind(t, "Decide() by "+name, err, market.KindForbidden)
	}
	ok(s.Decide(t.Context(), measure(taskSubject(task), market.MeasureRemove, "cyd")))
	ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ben"))
	author := market.Principal{Kind: market.PrincipalAgent, ID: task.AgentID}
	if got := feed(t, s, author); len(got) == 0 || got[0] != "A measure against you has ended" {
		t.Errorf("feed = %q", got)
	}

	// Ending the measure first does not allow the same person to impose it again.
	other := funded(t, s)
	d = ok(s.Decide(t.Context(), measure(taskSubject(other), market.MeasureHide, "ada")))
	appeal = market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a shop window."}
	ok(s.AddAppeal(t.Context(), appeal, other.AgentID))
	ok(s.Lift(t.Context(), d.ID, "ada"))
	for _, name := range []string{"ada", "cli:ada"} {
		_, err := s.Decide(t.Context(), measure(taskSubject(other), market.MeasureHide, name))
		wantKind(t, "Decide() after Lift() by "+name, err, market.KindForbidden)
	}
	ok(s.Decide(t.Context(), measure(taskSubject(other), market.MeasureHide, "cyd")))
	_, err := s.Decide(t.Context(), measure(taskSubject(other), market.MeasureRemove, "ada"))
	wantKind(t, "Decide() that replaces another person's measure", err, market.KindForbidden)
	ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealReversed, "It is a shop.", "ben"))
	ok(s.Decide(t.Context(), measure(taskSubject(other), market.MeasureRemove, "ada")))
}

// A decision keeps the text that led to the measure until no appeal is open or possible.
func TestMeasureKeepsTheText(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	human := storetest.Human(t, s, func(h *market.Human) { h.Bio = "Buy my followers." })
	account := market.Subject{Kind: market.SubjectProfile, ID: human.ID}
	d := ok(s.Decide(t.Context(), measure(account, market.MeasureHide, "ada")))
	appeal := market.Appeal{ID: newID(), DecisionID: d.ID, Statement: "It is a joke."}
	ok(s.AddAppeal(t.Context(), appeal, human.ID))
	ok(s.ChangeHuman(t.Context(), human.ID, store.HumanChange{Bio: new("I take pictures.")}))
	want := func(when, text string) {
		t.Helper()
		wantKind(t, "Sweep()", s.Sweep(t.Context()), "")
		if got := ok(s.SubjectDecisions(t.Context(), account))[0].SubjectText; got != text {
			t.Errorf("the text %s = %q, want %q", when, got, text)
		}
	}
	original := human.Username + " " + human.Name + "\n\nBuy my followers."
	want("during the appeal", original)
	execute(t, s, `DO $$ BEGIN
		SET LOCAL session_replication_role = replica; -- the appeal refers to the time
		UPDATE moderation_decisions SET decided_at = now() - interval '4500 hours';
	END $$`)
	want("during a long appeal", original)
	ok(s.DecideAppeal(t.Context(), appeal.ID, market.AppealUpheld, "It sells followers.", "ben"))
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
				Erasure:  market.Erasure{ID: newID(), Account: h.ID, RequestedBy: market.RequesterAccount},
				Username: h.Username,
			})
			return err
		},
	} {
		human := storetest.Human(t, s, func(h *market.Human) { h.Bio = "Buy my followers." })
		account := market.Subject{Kind: market.SubjectProfile, ID: human.ID}
		for range 2 {
			ok(s.AddReport(t.Context(), report(agentPrincipal(storetest.Agent(t, s)), account.Kind, human.Username)))
		}
		wantKind(t, name, leave(human), "")
		now := ok(s.SubjectText(t.Context(), account, "ada")).Full()
		want := human.Username + " " + human.Name + "\n\nBuy my followers.\n\n[changed to]\n\n" + now
		for _, m := range []market.Measure{market.MeasureHide, market.MeasureSuspend} {
			d := ok(s.Decide(t.Context(), measure(account, m, "ada")))
			if got := ok(s.SubjectDecisions(t.Context(), account))[0]; got.ID != d.ID || got.SubjectText != want {
				t.Errorf("%s: the text of the decision to %s = %q, want %q", name, m, got.SubjectText, want)
			}
		}
	}
}
