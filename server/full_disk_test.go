package server_test

import (
	"context"
	"io/fs"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/gcerrors"

	"taskmarket/server"
)

// fullBucket simulates a blob store on a full disk. The call named by the field at fails.
type fullBucket struct {
	driver.Bucket // nil, so methods that are not overridden panic
	at            string
}

func (b fullBucket) failAt(call string) error {
	if b.at == call {
		return &fs.PathError{Op: call, Path: "/secret/path", Err: syscall.ENOSPC}
	}
	return nil
}

func (b fullBucket) NewTypedWriter(ctx context.Context, _, _ string, _ *driver.WriterOptions) (driver.Writer, error) {
	return fullWriter{b, ctx}, b.failAt("open")
}

func (fullBucket) ErrorCode(error) gcerrors.ErrorCode { return gcerrors.Unknown }

func (fullBucket) Close() error { return nil }

// fullWriter writes to a fullBucket.
type fullWriter struct {
	bucket fullBucket
	ctx    context.Context
}

func (w fullWriter) Write(p []byte) (int, error) {
	if err := w.bucket.failAt("write"); err != nil {
		return len(p) / 2, err
	}
	return len(p), nil
}

func (w fullWriter) Close() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	return w.bucket.failAt("close")
}

// An upload that fails because the blob store is full returns an error that the client can retry,
// and the cause is in the log.
func TestUploadToAFullDiskCanBeRepeated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	for _, call := range []string{"open", "write", "close"} {
		t.Run(call, func(t *testing.T) {
			full := r.replica(func(o *server.Options) { o.Files = blob.NewBucket(fullBucket{at: call}) })
			kind, body := form(t, [3]string{"file", "a.txt", strings.Repeat("x", 1<<20)})
			got := full.do("POST", "/api/v1/tasks/"+task.ID.String()+"/files/", string(body), "X-API-Key", agent.key, "Content-Type", kind)
			if got.status != 503 || errorOf(t, got.body) != "storage_unavailable" {
				t.Errorf("= %d %s", got.status, got.body)
			}
			r.wantLogged(got, "no space left on device")
		})
	}
	if list, err := agent.ListTaskFilesWithResponse(t.Context(), task.ID, nil); err != nil || list.JSON200 == nil || list.JSON200.Total != 0 {
		t.Errorf("files = %s, %v", answer(list), err)
	}
}

// With little free disk space, uploads are refused before their bytes are received; downloads still
// work.
func TestLowDiskSpaceRejectsUploads(t *testing.T) {
	t.Parallel()
	var low atomic.Bool
	r := newRig(t, func(o *server.Options) { o.DiskLow = low.Load })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	kept := r.upload(agent, task.ID, "a.txt", "before")
	if kept.JSON201 == nil {
		t.Fatalf("upload = %s", answer(kept))
	}
	low.Store(true)
	refused := r.upload(agent, task.ID, "b.txt", "during")
	if refused.JSON503 == nil || refused.JSON503.Error != "storage_unavailable" || refused.HTTPResponse.Header.Get("Retry-After") == "" {
		t.Errorf("upload with little space = %s", answer(refused))
	}
	if got, err := agent.DownloadTaskFileWithResponse(t.Context(), task.ID, kept.JSON201.ID); err != nil || got.StatusCode() != http.StatusOK {
		t.Errorf("download with little space = %d, %v", got.StatusCode(), err)
	}
	low.Store(false)
	if again := r.upload(agent, task.ID, "b.txt", "after"); again.JSON201 == nil {
		t.Errorf("upload with space = %s", answer(again))
	}
}
