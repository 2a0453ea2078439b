package e2e_test

import (
	"bytes"
	"net/http"
	"strconv"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"taskmarket/chain"
	"taskmarket/client"
	gen "taskmarket/gen/client"
)

// wantHidden fails the test if the agent can read any part of the work.
func (w *world) wantHidden(file gen.TaskFile) {
	w.t.Helper()
	files, err := w.agent.Files(w.ctx, file.TaskID, client.PageQuery{})
	w.must(err)
	if files.Total != 0 || len(files.Files) != 0 {
		w.t.Errorf("the agent lists %d files of %d before the submission is on the chain", len(files.Files), files.Total)
	}
	answer, err := w.agent.API.DownloadTaskFileWithResponse(w.ctx, file.TaskID, file.ID)
	w.must(err)
	if answer.StatusCode() != http.StatusForbidden && answer.StatusCode() != http.StatusNotFound {
		w.t.Errorf("the agent's download = %s, want it refused", answer.Status())
	}
	task, err := w.agent.Task(w.ctx, file.TaskID)
	w.must(err)
	if task.SubmissionNote != nil || task.WorkHash != nil {
		w.t.Errorf("the agent sees the note %v and the hash %v before the submission is on the chain", task.SubmissionNote, task.WorkHash)
	}
}

func (w *world) wantReadable(file gen.TaskFile) {
	w.t.Helper()
	files, err := w.agent.Files(w.ctx, file.TaskID, client.PageQuery{})
	w.must(err)
	if len(files.Files) != 1 {
		w.t.Fatalf("the agent lists %d files, want 1", len(files.Files))
	}
	var content bytes.Buffer
	w.must(w.agent.Download(w.ctx, files.Files[0], &content))
	task, err := w.agent.Task(w.ctx, file.TaskID)
	w.must(err)
	if content.String() != "a photograph" || task.SubmissionNote == nil || *task.SubmissionNote != "The secret of the harbour." {
		w.t.Errorf("the agent reads %q and the note %v", content.String(), task.SubmissionNote)
	}
}

// callOf decodes a call returned by the API.
func callOf(tb testing.TB, to, data string) chain.Call {
	tb.Helper()
	raw, err := hexutil.Decode(data)
	if err != nil {
		tb.Fatalf("read calldata: %v", err)
	}
	return chain.Call{To: common.HexToAddress(to), Data: raw}
}

// escrowID returns the task's ID in the escrow.
func escrowID(tb testing.TB, task client.Task) uint64 {
	tb.Helper()
	if task.EscrowTaskID == nil {
		tb.Fatalf("task %s is not in the escrow", task.ID)
	}
	id, err := strconv.ParseUint(*task.EscrowTaskID, 10, 64)
	if err != nil {
		tb.Fatalf("read the escrow's id: %v", err)
	}
	return id
}
