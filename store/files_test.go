package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/storetest"
)

// Before work is submitted, only the human who uploaded its files can read them.
func TestFilesVisibility(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task := storetest.Task(t, s, agent)
	brief := addFile(t, s, task, agentPrincipal(agent))
	work, draft := addFile(t, s, task, humanPrincipal(human)), addFile(t, s, task, humanPrincipal(human))
	hash := newHash()
	ok(s.CreateSubmission(t.Context(), market.Submission{
		ID: newID(), TaskID: task.ID, HumanID: human.ID, Note: "done", FileIDs: []uuid.UUID{work.ID}, WorkHash: hash,
	}))
	ok(s.CreateSubmission(t.Context(), market.Submission{
		ID: newID(), TaskID: task.ID, HumanID: human.ID, Note: "or so", FileIDs: []uuid.UUID{draft.ID}, WorkHash: newHash(),
	}))
	files := []market.File{brief, work, draft}
	check := func(when string, viewer market.Principal, want ...market.File) {
		t.Helper()
		got := ok(s.Files(t.Context(), task.ID, viewer))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.File{}, "CreatedAt", "Submitted", "Shared")); diff != "" {
			t.Errorf("Files() %s (-want +got):\n%s", when, diff)
		}
		for _, file := range files {
			visible := false
			for _, f := range want {
				visible = visible || f.ID == file.ID
			}
			_, err := s.File(t.Context(), task.ID, file.ID, viewer)
			wantKind(t, "File() "+when, err, map[bool]market.Kind{true: "", false: market.KindForbidden}[visible])
		}
	}
	stranger := humanPrincipal(storetest.Human(t, s))
	check("for its uploader, before", humanPrincipal(human), brief, work, draft)
	check("for the agent, before", agentPrincipal(agent), brief)
	check("for a validator, before", stranger, brief)
	escrowed(t, s, task, genesis.Add(3*time.Hour), submitted(human, hash))
	check("for its uploader, after", humanPrincipal(human), brief, work, draft)
	check("for the agent, after", agentPrincipal(agent), brief, work)
	check("for a validator, after", stranger, brief, work)
	evidence := addFile(t, s, task, humanPrincipal(human))
	files = append(files, evidence)
	check("for its uploader, with evidence", humanPrincipal(human), brief, work, draft, evidence)
	check("for the agent, with evidence", agentPrincipal(agent), brief, work, evidence)
	check("for a validator, with evidence", stranger, brief, work, evidence)

	got := ok(s.File(t.Context(), task.ID, work.ID, agentPrincipal(agent)))
	if !got.Submitted || ok(s.File(t.Context(), task.ID, evidence.ID, agentPrincipal(agent))).Submitted {
		t.Error("File().Submitted is wrong for the work or the evidence")
	}
	if !got.Shared || ok(s.File(t.Context(), task.ID, draft.ID, humanPrincipal(human))).Shared {
		t.Error("File().Shared is wrong for the work or the draft")
	}
	shown := ok(s.Task(t.Context(), task.ID)).Submission
	if shown == nil || shown.Note != "done" || !cmp.Equal(shown.FileIDs, []uuid.UUID{work.ID}) {
		t.Errorf("Task().Submission = %+v, want the on-chain submission", shown)
	}
}

func TestFileOfAnotherTask(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	file := addFile(t, s, storetest.Task(t, s, agent), agentPrincipal(agent))
	_, err := s.File(t.Context(), storetest.Task(t, s, agent).ID, file.ID, agentPrincipal(agent))
	wantKind(t, "File()", err, market.KindNotFound)
}

func TestAddFileRejects(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	task := storetest.Task(t, s, agent)
	ended := escrowed(t, s, storetest.Task(t, s, agent), genesis, released(storetest.Human(t, s)))
	for name, test := range map[string]struct {
		change func(*market.File)
		want   market.Kind
	}{
		"unknown task":        {func(f *market.File) { f.TaskID = newID() }, market.KindNotFound},
		"an ended task":       {func(f *market.File) { f.TaskID = ended.ID }, market.KindWrongStatus},
		"over the size limit": {func(f *market.File) { f.Size = market.MaxFileSize + 1 }, market.KindInvalid},
		"at the size limit":   {func(f *market.File) { f.Size = market.MaxFileSize }, ""},
		"no name":             {func(f *market.File) { f.Filename = "" }, market.KindInvalid},
		"a long name":         {func(f *market.File) { f.Filename = strings.Repeat("ö", market.MaxFilename+1) }, market.KindInvalid},
		"a long type":         {func(f *market.File) { f.ContentType = strings.Repeat("x", 201) }, market.KindInvalid},
		"NUL in the name":     {func(f *market.File) { f.Filename = "a\x00.jpg" }, market.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFile(task, agentPrincipal(agent))
			test.change(&f)
			wantKind(t, "AddFile()", s.AddFile(t.Context(), f), test.want)
		})
	}
}

// If only one more file is allowed, exactly one of several concurrent uploads succeeds.
func TestAddFileLimit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	for range 3 {
		task := storetest.Task(t, s, agent)
		for range market.MaxFilesPerTask - 1 {
			addFile(t, s, task, agentPrincipal(agent))
		}
		errs := race(4, func(int) error { return s.AddFile(t.Context(), newFile(task, agentPrincipal(agent))) })
		wantOneWinner(t, "AddFile()", errs, market.KindInvalid)
	}
}

// An agent cannot store more than the daily limit by cancelling the tasks to which it uploaded files.
func TestFilesOfCancelledTasksCountForTheUploadLimit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	cancelled, other := storetest.Task(t, s, agent), storetest.Task(t, s, agent)
	addFile(t, s, cancelled, agentPrincipal(agent))
	execute(t, s, `ALTER TABLE files DROP CONSTRAINT files_size_check`)
	execute(t, s, `UPDATE files SET size = $1, created_at = created_at - interval '2 days'`, market.MaxDailyUpload)
	wantKind(t, "CheckUpload() while the task was never funded", s.CheckUpload(t.Context(), other.ID, agent.ID), market.KindRateLimited)
	escrowed(t, s, cancelled, genesis, nil)
	execute(t, s, `UPDATE tasks SET status = 'cancelled' WHERE id = $1`, cancelled.ID)
	wantKind(t, "CheckUpload() after the task was cancelled", s.CheckUpload(t.Context(), other.ID, agent.ID), market.KindRateLimited)
	execute(t, s, `DELETE FROM files`)
	if err := s.CheckUpload(t.Context(), other.ID, agent.ID); err != nil {
		t.Errorf("CheckUpload() after the files were deleted = %v", err)
	}
}

func TestCreateSubmission(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task, other := storetest.Task(t, s, agent), storetest.Task(t, s, agent)
	file := addFile(t, s, task, humanPrincipal(human))
	foreign := addFile(t, s, other, humanPrincipal(human))
	agents := addFile(t, s, task, agentPrincipal(agent))
	draft := func(files ...uuid.UUID) market.Submission {
		return market.Submission{
			ID: newID(), TaskID: task.ID, HumanID: human.ID, Note: "done", ProofURL: "https://example.org/x",
			FileIDs: files, WorkHash: newHash(),
		}
	}
	first := draft(file.ID)
	kept := ok(s.CreateSubmission(t.Context(), first))
	if diff := cmp.Diff(first, kept, cmpopts.IgnoreFields(market.Submission{}, "CreatedAt")); diff != "" {
		t.Errorf("CreateSubmission() (-want +got):\n%s", diff)
	}
	again := first
	again.ID = newID()
	if diff := cmp.Diff(kept, ok(s.CreateSubmission(t.Context(), again))); diff != "" {
		t.Errorf("CreateSubmission() again (-want +got):\n%s", diff)
	}
	for name, w := range map[string]market.Submission{
		"a file of another task": draft(foreign.ID),
		"a file of the agent":    draft(agents.ID),
		"no such file":           draft(newID()),
		"a file twice":           draft(file.ID, file.ID),
		"one good, one bad":      draft(file.ID, newID()),
		"a long note": func() market.Submission {
			w := draft()
			w.Note = strings.Repeat("x", market.MaxNote+1)
			return w
		}(),
		"a long address": func() market.Submission {
			w := draft()
			w.ProofURL = strings.Repeat("x", market.MaxURL+1)
			return w
		}(),
	} {
		_, err := s.CreateSubmission(t.Context(), w)
		wantKind(t, "CreateSubmission() with "+name, err, market.KindInvalid)
	}
}

// If the same work is sent twice concurrently, only one draft is created.
func TestCreateSubmissionRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, human := storetest.Task(t, s, storetest.Agent(t, s)), storetest.Human(t, s)
	for range 5 {
		work, kept := newHash(), make([]uuid.UUID, 2)
		for _, err := range race(2, func(i int) error {
			w, err := s.CreateSubmission(t.Context(), market.Submission{
				ID: newID(), TaskID: task.ID, HumanID: human.ID, Note: "done", WorkHash: work,
			})
			kept[i] = w.ID
			return err
		}) {
			wantKind(t, "CreateSubmission()", err, "")
		}
		if kept[0] != kept[1] {
			t.Errorf("CreateSubmission() stored %s and %s, want one", kept[0], kept[1])
		}
	}
}
