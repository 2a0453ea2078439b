package server_test

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/client"
	"taskmarket/server"
	"taskmarket/server/content"
)

// heldUpload is an upload whose body has not ended yet.
type heldUpload struct {
	body   *io.PipeWriter
	cancel context.CancelFunc
	got    chan *client.UploadTaskFileResponse // receives nil if the request failed
}

// holdUpload starts an upload, and returns it once the server writes its bytes into the folder. It returns
// the response instead if the server refuses the upload.
func (r *rig) holdUpload(by *user, task uuid.UUID, folder string) (*heldUpload, *client.UploadTaskFileResponse) {
	r.t.Helper()
	before := blobs(r.t, folder)
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	r.t.Cleanup(cancel)
	body, writer := io.Pipe()
	context.AfterFunc(ctx, func() { _ = body.Close() }) // the transport waits for the body even after ctx ends
	held := &heldUpload{writer, cancel, make(chan *client.UploadTaskFileResponse, 1)}
	go func() {
		got, err := by.UploadTaskFileWithBodyWithResponse(ctx, task, "multipart/form-data; boundary=b", body)
		_ = body.Close()
		if err != nil {
			got = nil
		}
		held.got <- got
	}()
	go func() {
		_, _ = io.WriteString(writer, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"+strings.Repeat("x", 3*content.HeadSize))
	}()
	for {
		select {
		case got := <-held.got:
			return nil, got
		case <-ctx.Done():
			r.t.Fatal("the upload did not begin")
		case <-time.After(5 * time.Millisecond):
		}
		if blobs(r.t, folder) > before {
			return held, nil
		}
	}
}

// end sends the rest of the body, and returns the response.
func (u *heldUpload) end(rest string) *client.UploadTaskFileResponse {
	_, _ = io.WriteString(u.body, rest)
	_ = u.body.Close()
	return <-u.got
}

// endOfForm completes the body of a heldUpload.
const endOfForm = "\r\n--b--\r\n"

// The number of concurrent uploads of one account is limited. One more is refused before its body is read,
// while another account can still upload. An upload counts until it completes or fails.
func TestConcurrentUploadsOfAnAccountAreLimited(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human).ID
	// hold starts as many uploads as the account can have. It retries while ended uploads still count.
	hold := func() (all []*heldUpload) {
		t.Helper()
		for deadline := time.Now().Add(30 * time.Second); len(all) < server.MaxUploadsEach; {
			held, refused := r.holdUpload(agent, task, folder)
			switch {
			case held != nil:
				all = append(all, held)
			case time.Now().After(deadline):
				t.Fatalf("upload %d = %s", len(all)+1, answer(refused))
			default:
				time.Sleep(10 * time.Millisecond)
			}
		}
		return all
	}
	held := hold()
	got := r.upload(agent, task, "more.txt", "x")
	if got.JSON429 == nil || got.JSON429.Error != "rate_limited" || got.JSON429.Hint == nil || got.HTTPResponse.Header.Get("Retry-After") == "" {
		t.Errorf("one upload more = %s", answer(got))
	}
	if other := r.upload(human, task, "other.txt", "x"); other.JSON201 == nil {
		t.Errorf("an upload of another account = %s", answer(other))
	}
	if got := held[0].end(endOfForm); got == nil || got.JSON201 == nil {
		t.Errorf("a complete upload = %s", answer(got))
	}
	if got := held[1].end("\r\n--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"g\"\r\n\r\nx" + endOfForm); got == nil || got.JSON400 == nil {
		t.Errorf("an upload with another part = %s", answer(got))
	}
	held[2].cancel()
	if got := <-held[2].got; got != nil {
		t.Errorf("a cancelled upload = %s", answer(got))
	}
	if got := held[3].end(""); got == nil || got.JSON400 == nil {
		t.Errorf("an upload without an end = %s", answer(got))
	}
	cancel := func(all []*heldUpload, left int) {
		t.Helper()
		for _, each := range all {
			each.cancel()
			<-each.got
		}
		for deadline := time.Now().Add(30 * time.Second); blobs(t, folder) != left; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d blobs, want %d", blobs(t, folder), left)
			}
		}
	}
	cancel(held[4:], 2)
	again := hold()
	if got := again[0].end(endOfForm); got == nil || got.JSON201 == nil {
		t.Errorf("an upload after the others have ended = %s", answer(got))
	}
	cancel(again[1:], 3)
	list, err := agent.ListTaskFilesWithResponse(t.Context(), task, nil)
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 2 {
		t.Fatalf("files = %s, %v", answer(list), err)
	}
}

// The number of concurrent uploads of all accounts together is limited. One more is refused with a retryable
// error, and succeeds later.
func TestConcurrentUploadsOfAllAccountsAreLimited(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files, o.MaxUploads = folderBucket(t, folder), 1 })
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	task := r.active(agent, human).ID
	held, refused := r.holdUpload(agent, task, folder)
	if held == nil {
		t.Fatalf("the first upload = %s", answer(refused))
	}
	for range 3 {
		got := r.upload(human, task, "more.txt", "x")
		if got.JSON503 == nil || got.JSON503.Error != "unavailable" || got.JSON503.Hint == nil || got.HTTPResponse.Header.Get("Retry-After") == "" {
			t.Errorf("one upload more = %s", answer(got))
		}
	}
	if got := held.end(endOfForm); got == nil || got.JSON201 == nil {
		t.Errorf("the first upload = %s", answer(got))
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		got := r.upload(human, task, "more.txt", "x")
		if got.JSON201 != nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("an upload after the first = %s", answer(got))
		}
	}
	if left := blobs(t, folder); left != 2 {
		t.Errorf("%d blobs for 2 files", left)
	}
}

// Slow uploads of a few accounts cannot keep out others: at the limit of all accounts together, an upload of an
// account with fewer uploads ends the oldest upload of the account with the most. The account whose upload
// ended cannot take the slot back.
func TestSlowUploadsMakeRoomForOtherAccounts(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files, o.MaxUploads = folderBucket(t, folder), 5 })
	agent, human, other := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.verifiedAgent(r.net.OtherAgent)
	task, foreign := r.active(agent, human).ID, r.funded(other).ID
	hold := func(by *user, task uuid.UUID) *heldUpload {
		t.Helper()
		held, refused := r.holdUpload(by, task, folder)
		if held == nil {
			t.Fatalf("an upload below the limit = %s", answer(refused))
		}
		return held
	}
	first, last := hold(human, task), hold(human, task)
	oldest, second, third := hold(agent, task), hold(agent, task), hold(agent, task)
	if got := r.upload(other, foreign, "a.txt", "x"); got.JSON201 == nil {
		t.Errorf("an upload of another account = %s", answer(got))
	}
	got := <-oldest.got
	if got == nil || got.JSON503 == nil || got.JSON503.Error != "unavailable" || got.JSON503.Hint == nil || got.HTTPResponse.Header.Get("Retry-After") == "" {
		t.Fatalf("the oldest upload of the account with the most = %s", answer(got))
	}
	more := hold(other, foreign)
	if got := r.upload(agent, task, "b.txt", "x"); got.JSON503 == nil || got.JSON503.Error != "unavailable" {
		t.Errorf("another upload of the account whose upload ended = %s", answer(got))
	}
	for i, each := range []*heldUpload{first, last, second, third, more} {
		if got := each.end(endOfForm); got == nil || got.JSON201 == nil {
			t.Errorf("upload %d that was not ended = %s", i, answer(got))
		}
	}
	if left := blobs(t, folder); left != 6 {
		t.Errorf("%d blobs for 6 files", left)
	}
}

// If the free disk space becomes low during an upload, the upload is refused like one that begins at that time,
// and leaves nothing behind.
func TestLowDiskSpaceEndsUploads(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	var checks, enough atomic.Int64
	r := newRig(t, func(o *server.Options) {
		o.Files, o.DiskLow = folderBucket(t, folder), func() bool { return checks.Add(1) > enough.Load() }
	})
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent).ID
	for enough.Store(1); enough.Load() < 4; enough.Add(1) { // checked before the body and after each MiB
		checks.Store(0)
		// The unread rest of the body is small enough for the server to discard, so that the client gets the
		// response.
		size := int(enough.Load())<<20 + 100<<10
		got := r.upload(agent, task, "a.bin", strings.Repeat("x", size))
		if got.JSON503 == nil || got.JSON503.Error != "storage_unavailable" || got.HTTPResponse.Header.Get("Retry-After") != "600" {
			t.Errorf("upload of %d bytes with space at %d checks = %s", size, enough.Load(), answer(got))
		}
		if left := blobs(t, folder); left != 0 {
			t.Errorf("the refused upload left %d files", left)
		}
	}
	enough.Store(1 << 20)
	if got := r.upload(agent, task, "a.bin", strings.Repeat("x", 3<<20)); got.StatusCode() != http.StatusCreated {
		t.Errorf("upload with space = %s", answer(got))
	}
}
