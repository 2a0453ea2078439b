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
	brief := storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent))
	work, draft := storetest.AddFile(t, s, task, storetest.HumanPrincipal(human)), storetest.AddFile(t, s, task, storetest.HumanPrincipal(human))
	hash := storetest.NewHash()
	storetest.Must(s.CreateSubmission(t.Context(), market.Submission{
		ID: storetest.NewID(), TaskID: task.ID, HumanID: human.ID, Note: "done", FileIDs: []uuid.UUID{work.ID}, WorkHash: hash,
	}))
	storetest.Must(s.CreateSubmission(t.Context(), market.Submission{
		ID: storetest.NewID(), TaskID: task.ID, HumanID: human.ID, Note: "or so", FileIDs: []uuid.UUID{draft.ID}, WorkHash: storetest.NewHash(),
	}))
	files := []market.File{brief, work, draft}
	check := func(when string, viewer market.Principal, want ...market.File) {
		t.Helper()
		got := storetest.Must(s.Files(t.Context(), task.ID, viewer))
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(market.File{}, "CreatedAt", "Submitted", "Shared")); diff != "" {
			t.Errorf("Files() %s (-want +got):\n%s", when, diff)
		}
		for _, file := range files {
			visible := false
			for _, f := range want {
				visible = visible || f.ID == file.ID
			}
			_, err := s.File(t.Context(), task.ID, file.ID, viewer)
			storetest.WantKind(t, "File() "+when, err, map[bool]market.Kind{true: "", false: market.KindForbidden}[visible])
		}
	}
	stranger := storetest.HumanPrincipal(storetest.Human(t, s))
	check("for its uploader, before", storetest.HumanPrincipal(human), brief, work, draft)
	check("for the agent, before", storetest.AgentPrincipal(agent), brief)
	check("for a validator, before", stranger, brief)
	storetest.Escrowed(t, s, task, storetest.Genesis.Add(3*time.Hour), storetest.Submitted(human, hash))
	check("for its uploader, after", storetest.HumanPrincipal(human), brief, work, draft)
	check("for the agent, after", storetest.AgentPrincipal(agent), brief, work)
	check("for a validator, after", stranger, brief, work)
	evidence := storetest.AddFile(t, s, task, storetest.HumanPrincipal(human))
	files = append(files, evidence)
	check("for its uploader, with evidence", storetest.HumanPrincipal(human), brief, work, draft, evidence)
	check("for the agent, with evidence", storetest.AgentPrincipal(agent), brief, work, evidence)
	check("for a validator, with evidence", stranger, brief, work, evidence)

	got := storetest.Must(s.File(t.Context(), task.ID, work.ID, storetest.AgentPrincipal(agent)))
	if !got.Submitted || storetest.Must(s.File(t.Context(), task.ID, evidence.ID, storetest.AgentPrincipal(agent))).Submitted {
		t.Error("File().Submitted is wrong for the work or the evidence")
	}
	if !got.Shared || storetest.Must(s.File(t.Context(), task.ID, draft.ID, storetest.HumanPrincipal(human))).Shared {
		t.Error("File().Shared is wrong for the work or the draft")
	}
	shown := storetest.Must(s.Task(t.Context(), task.ID)).Submission
	if shown == nil || shown.Note != "done" || !cmp.Equal(shown.FileIDs, []uuid.UUID{work.ID}) {
		t.Errorf("Task().Submission = %+v, want the on-chain submission", shown)
	}
}

func TestFileOfAnotherTask(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	file := storetest.AddFile(t, s, storetest.Task(t, s, agent), storetest.AgentPrincipal(agent))
	_, err := s.File(t.Context(), storetest.Task(t, s, agent).ID, file.ID, storetest.AgentPrincipal(agent))
	storetest.WantKind(t, "File()", err, market.KindNotFound)
}

func TestAddFileRejects(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	task := storetest.Task(t, s, agent)
	ended := storetest.Escrowed(t, s, storetest.Task(t, s, agent), storetest.Genesis, storetest.Released(storetest.Human(t, s)))
	for name, test := range map[string]struct {
		change func(*market.File)
		want   market.Kind
	}{
		"unknown task":        {func(f *market.File) { f.TaskID = storetest.NewID() }, market.KindNotFound},
		"an ended task":       {func(f *market.File) { f.TaskID = ended.ID }, market.KindWrongStatus},
		"over the size limit": {func(f *market.File) { f.Size = market.MaxFileSize + 1 }, market.KindInvalid},
		"at the size limit":   {func(f *market.File) { f.Size = market.MaxFileSize }, ""},
		"no name":             {func(f *market.File) { f.Filename = "" }, market.KindInvalid},
		"a long name":         {func(f *market.File) { f.Filename = strings.Repeat("ö", market.MaxFilename+1) }, market.KindInvalid},
		"a long type":         {func(f *market.File) { f.ContentType = strings.Repeat("x", 201) }, market.KindInvalid},
		"NUL in the name":     {func(f *market.File) { f.Filename = "a\x00.jpg" }, market.KindInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			f := storetest.NewFile(task, storetest.AgentPrincipal(agent))
			test.change(&f)
			storetest.WantKind(t, "AddFile()", s.AddFile(t.Context(), f), test.want)
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
			storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent))
		}
		errs := storetest.Race(4, func(int) error {
			return s.AddFile(t.Context(), storetest.NewFile(task, storetest.AgentPrincipal(agent)))
		})
		storetest.WantOneWinner(t, "AddFile()", errs, market.KindInvalid)
	}
}

// An agent cannot store more than the daily limit by cancelling the tasks to which it uploaded files.
func TestFilesOfCancelledTasksCountForTheUploadLimit(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent := storetest.Agent(t, s)
	cancelled, other := storetest.Task(t, s, agent), storetest.Task(t, s, agent)
	storetest.AddFile(t, s, cancelled, storetest.AgentPrincipal(agent))
	storetest.Execute(t, s, `ALTER TABLE files DROP CONSTRAINT files_size_check`)
	storetest.Execute(t, s, `UPDATE files SET size = $1, created_at = created_at - interval '2 days'`, market.MaxDailyUpload)
	storetest.WantKind(t, "CheckUpload() while the task was never funded", s.CheckUpload(t.Context(), other.ID, agent.ID), market.KindRateLimited)
	storetest.Escrowed(t, s, cancelled, storetest.Genesis, nil)
	storetest.Execute(t, s, `UPDATE tasks SET status = 'cancelled' WHERE id = $1`, cancelled.ID)
	storetest.WantKind(t, "CheckUpload() after the task was cancelled", s.CheckUpload(t.Context(), other.ID, agent.ID), market.KindRateLimited)
	storetest.Execute(t, s, `DELETE FROM files`)
	if err := s.CheckUpload(t.Context(), other.ID, agent.ID); err != nil {
		t.Errorf("CheckUpload() after the files were deleted = %v", err)
	}
}

func TestCreateSubmission(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	task, other := storetest.Task(t, s, agent), storetest.Task(t, s, agent)
	file := storetest.AddFile(t, s, task, storetest.HumanPrincipal(human))
	foreign := storetest.AddFile(t, s, other, storetest.HumanPrincipal(human))
	agents := storetest.AddFile(t, s, task, storetest.AgentPrincipal(agent))
	draft := func(files ...uuid.UUID) market.Submission {
		return market.Submission{
			ID: storetest.NewID(), TaskID: task.ID, HumanID: human.ID, Note: "done", ProofURL: "https://example.org/x",
			FileIDs: files, WorkHash: storetest.NewHash(),
		}
	}
	first := draft(file.ID)
	kept := storetest.Must(s.CreateSubmission(t.Context(), first))
	if diff := cmp.Diff(first, kept, cmpopts.IgnoreFields(market.Submission{}, "CreatedAt")); diff != "" {
		t.Errorf("CreateSubmission() (-want +got):\n%s", diff)
	}
	again := first
	again.ID = storetest.NewID()
	if diff := cmp.Diff(kept, storetest.Must(s.CreateSubmission(t.Context(), again))); diff != "" {
		t.Errorf("CreateSubmission() again (-want +got):\n%s", diff)
	}
	for name, w := range map[string]market.Submission{
		"a file of another task": draft(foreign.ID),
		"a file of the agent":    draft(agents.ID),
		"no such file":           draft(storetest.NewID()),
		"a file twice":           draft(file.ID, file.ID),
		"one good, one bad":      draft(file.ID, storetest.NewID()),
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
		storetest.WantKind(t, "CreateSubmission() with "+name, err, market.KindInvalid)
	}
}

// If the same work is sent twice concurrently, only one draft is created.
func TestCreateSubmissionRace(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	task, human := storetest.Task(t, s, storetest.Agent(t, s)), storetest.Human(t, s)
	for range 5 {
		work, kept := storetest.NewHash(), make([]uuid.UUID, 2)
		for _, err := range storetest.Race(2, func(i int) error {
			w, err := s.CreateSubmission(t.Context(), market.Submission{
				ID: storetest.NewID(), TaskID: task.ID, HumanID: human.ID, Note: "done", WorkHash: work,
			})
			kept[i] = w.ID
			return err
		}) {
			storetest.WantKind(t, "CreateSubmission()", err, "")
		}
		if kept[0] != kept[1] {
			t.Errorf("CreateSubmission() stored %s and %s, want one", kept[0], kept[1])
		}
	}
}
