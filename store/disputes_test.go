package store_test

import (
	"strings"
	"testing"
	"time"

	"taskmarket/market"
	"taskmarket/store"
	"taskmarket/store/storetest"
)

func saveDispute(t *testing.T, s *store.Store, task market.Task, by market.PrincipalKind, reason string) (market.Dispute, error) {
	t.Helper()
	return s.SaveDispute(t.Context(), market.Dispute{ID: storetest.NewID(), TaskID: task.ID, FiledBy: by, Reason: reason})
}

// disputed records an on-chain dispute opened by the agent or the human.
func disputed(t *testing.T, s *store.Store, task market.Task, by market.PrincipalKind) {
	t.Helper()
	who := map[market.PrincipalKind]any{market.PrincipalAgent: task.Escrow.Agent, market.PrincipalHuman: task.Escrow.Human}[by]
	storetest.Execute(t, s, `UPDATE onchain_tasks SET status = 4, disputed_by = $2, disputed_at = $3, last_activity_at = $3 WHERE id = $1`,
		task.Escrow.ID, who, storetest.Genesis.Add(3*time.Hour))
}

func TestDisputeDraft(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := underReview(t, s)
	_, err := s.Dispute(t.Context(), task.ID, market.PrincipalAgent)
	storetest.WantKind(t, "Dispute() without a dispute", err, market.KindNotFound)

	first := storetest.Must(saveDispute(t, s, task, market.PrincipalAgent, "not done"))
	second := storetest.Must(saveDispute(t, s, task, market.PrincipalAgent, "half done"))
	if second.ID != first.ID || second.Reason != "half done" {
		t.Errorf("SaveDispute() again = %s %q, want %s with the new reason", second.ID, second.Reason, first.ID)
	}
	if got := storetest.Must(s.Dispute(t.Context(), task.ID, market.PrincipalAgent)); got != second {
		t.Errorf("Dispute() = %+v, want %+v", got, second)
	}
	for _, side := range []market.PrincipalKind{market.PrincipalHuman, ""} {
		_, err = s.Dispute(t.Context(), task.ID, side)
		storetest.WantKind(t, "Dispute() for the side without a draft", err, market.KindNotFound)
	}
	_, err = saveDispute(t, s, task, market.PrincipalAgent, strings.Repeat("x", market.MaxReason+1))
	storetest.WantKind(t, "SaveDispute() with a long reason", err, market.KindInvalid)
	_, err = saveDispute(t, s, market.Task{ID: storetest.NewID()}, market.PrincipalAgent, "x")
	storetest.WantKind(t, "SaveDispute() of an unknown task", err, market.KindNotFound)
}

// An on-chain dispute takes precedence over the other party's draft, and its reason can no longer
// be changed.
func TestDisputeOnTheChain(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := underReview(t, s)
	agents := storetest.Must(saveDispute(t, s, task, market.PrincipalAgent, "not done"))
	humans := storetest.Must(saveDispute(t, s, task, market.PrincipalHuman, "it is"))
	for side, want := range map[market.PrincipalKind]market.Dispute{market.PrincipalAgent: agents, market.PrincipalHuman: humans} {
		if got := storetest.Must(s.Dispute(t.Context(), task.ID, side)); got != want {
			t.Errorf("Dispute() for the %s = %+v, want their draft %+v", side, got, want)
		}
	}
	disputed(t, s, task, market.PrincipalAgent)
	for _, side := range []market.PrincipalKind{market.PrincipalAgent, market.PrincipalHuman, ""} {
		if got := storetest.Must(s.Dispute(t.Context(), task.ID, side)); got != agents {
			t.Errorf("Dispute() for %q = %+v, want the agent's %+v", side, got, agents)
		}
	}
	for _, by := range []market.PrincipalKind{market.PrincipalAgent, market.PrincipalHuman} {
		_, err := saveDispute(t, s, task, by, "something else")
		storetest.WantKind(t, "SaveDispute() after the dispute", err, market.KindWrongStatus)
	}
}

// A party that disputed on the contract without storing a reason can add the reason later.
func TestDisputeReasonIsAddedLater(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := underReview(t, s)
	disputed(t, s, task, market.PrincipalHuman)
	storetest.Execute(t, s, `INSERT INTO disputes (id, task_id, filed_by, reason) VALUES ($1, $2, 'human', '')`, storetest.NewID(), task.ID)
	_, err := saveDispute(t, s, task, market.PrincipalAgent, "mine")
	storetest.WantKind(t, "SaveDispute() by the other side", err, market.KindWrongStatus)
	_, err = saveDispute(t, s, task, market.PrincipalHuman, "because")
	storetest.WantKind(t, "SaveDispute() by the filer", err, "")
	if got := storetest.Must(s.Dispute(t.Context(), task.ID, "")); got.Reason != "because" || got.FiledBy != market.PrincipalHuman {
		t.Errorf("Dispute() = %s %q, want the human's reason", got.FiledBy, got.Reason)
	}
}

// If one side saves two drafts concurrently, only one dispute is stored.
func TestSaveDisputeRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := underReview(t, s)
	disputes := make([]market.Dispute, 4)
	for _, err := range storetest.Race(len(disputes), func(i int) (err error) {
		disputes[i], err = saveDispute(t, s, task, market.PrincipalHuman, "because")
		return err
	}) {
		storetest.WantKind(t, "SaveDispute()", err, "")
	}
	for _, d := range disputes[1:] {
		if d.ID != disputes[0].ID {
			t.Errorf("SaveDispute() stored %s and %s, want one", disputes[0].ID, d.ID)
		}
	}
}

func answerDispute(t *testing.T, s *store.Store, task market.Task, by market.PrincipalKind, response string) (market.Dispute, error) {
	t.Helper()
	return s.AnswerDispute(t.Context(), market.Dispute{ID: storetest.NewID(), TaskID: task.ID, Response: response}, by)
}

func TestAnswerDispute(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := underReview(t, s)
	filed := storetest.Must(saveDispute(t, s, task, market.PrincipalAgent, "not done"))
	_, err := answerDispute(t, s, task, market.PrincipalHuman, "done")
	storetest.WantKind(t, "AnswerDispute() of a draft", err, market.KindNotFound)
	disputed(t, s, task, market.PrincipalAgent)
	_, err = answerDispute(t, s, task, market.PrincipalAgent, "done")
	storetest.WantKind(t, "AnswerDispute() by the filer", err, market.KindForbidden)
	_, err = answerDispute(t, s, task, market.PrincipalHuman, strings.Repeat("x", market.MaxReason+1))
	storetest.WantKind(t, "AnswerDispute() with a long answer", err, market.KindInvalid)
	answer := market.Dispute{ID: storetest.NewID(), TaskID: task.ID, Response: "done"}
	got := storetest.Must(s.AnswerDispute(t.Context(), answer, market.PrincipalHuman))
	if got.ID != filed.ID || got.Reason != "not done" || got.Response != "done" || got.RespondedAt == nil {
		t.Errorf("AnswerDispute() = %+v", got)
	}
	again := storetest.Must(s.AnswerDispute(t.Context(), answer, market.PrincipalHuman)) // a client repeats the call if the response to the COMMIT was lost
	if again.ID != filed.ID || again.Response != "done" || !again.RespondedAt.Equal(*got.RespondedAt) {
		t.Errorf("AnswerDispute() of the same answer = %+v, want %+v", again, got)
	}
	_, err = answerDispute(t, s, task, market.PrincipalHuman, "really")
	storetest.WantKind(t, "AnswerDispute() with another answer", err, market.KindAlreadyExists)
	_, err = answerDispute(t, s, market.Task{ID: storetest.NewID()}, market.PrincipalHuman, "x")
	storetest.WantKind(t, "AnswerDispute() of an unknown task", err, market.KindNotFound)
}

// A dispute that was opened directly on the contract has no row until the other side responds.
// After that no reason can be added.
func TestAnswerDisputeWithoutAReason(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := underReview(t, s)
	disputed(t, s, task, market.PrincipalHuman)
	got := storetest.Must(answerDispute(t, s, task, market.PrincipalAgent, "why?"))
	if got.Reason != "" || got.FiledBy != market.PrincipalHuman || got.Response != "why?" {
		t.Errorf("AnswerDispute() = %+v", got)
	}
	_, err := saveDispute(t, s, task, market.PrincipalHuman, "because")
	storetest.WantKind(t, "SaveDispute() after the answer", err, market.KindWrongStatus)
}

// If a reorganisation removes a dispute that has a response, the dispute becomes a draft again. A
// new reason then deletes the response to the old one.
func TestNewReasonDeletesTheAnswer(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task := underReview(t, s)
	storetest.Must(saveDispute(t, s, task, market.PrincipalAgent, "not done"))
	disputed(t, s, task, market.PrincipalAgent)
	storetest.Must(answerDispute(t, s, task, market.PrincipalHuman, "done"))
	storetest.Execute(t, s, `UPDATE onchain_tasks SET status = 3, disputed_by = NULL, disputed_at = NULL WHERE id = $1`, task.Escrow.ID)
	if same := storetest.Must(saveDispute(t, s, task, market.PrincipalAgent, "not done")); same.Response != "done" {
		t.Errorf("with the same reason the answer is %q", same.Response)
	}
	if other := storetest.Must(saveDispute(t, s, task, market.PrincipalAgent, "half done")); other.Response != "" || other.RespondedAt != nil {
		t.Errorf("with a new reason the answer is %q", other.Response)
	}
}
