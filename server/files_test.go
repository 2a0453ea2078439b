package server_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"

	"taskmarket/gen/client"
	"taskmarket/server"
)

// form is a multipart body of parts: name, filename, bytes.
func form(tb testing.TB, parts ...[3]string) (contentType string, body []byte) {
	tb.Helper()
	var buffer bytes.Buffer
	writer := multipart.NewWriter(&buffer)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Type": {"text/html"}}
		header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s"`, p[0], p[1]))
		part, err := writer.CreatePart(header)
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := part.Write([]byte(p[2])); err != nil {
			tb.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		tb.Fatal(err)
	}
	return writer.FormDataContentType(), buffer.Bytes()
}

func (r *rig) upload(by *user, task uuid.UUID, name, content string) *client.UploadTaskFileResponse {
	r.t.Helper()
	kind, body := form(r.t, [3]string{"file", name, content})
	got, err := by.UploadTaskFileWithBodyWithResponse(r.t.Context(), task, kind, bytes.NewReader(body))
	if err != nil {
		r.t.Fatalf("upload: %v", err)
	}
	return got
}

func TestThreat66FilesComeBackAsAttachments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	content := "<script>alert(1)</script>"
	up := r.upload(agent, task.ID, "ä \\\"x\\\";.html", content)
	if up.JSON201 == nil {
		t.Fatalf("upload = %s", answer(up))
	}
	sum := sha256.Sum256([]byte(content))
	if f := *up.JSON201; f.Size != int64(len(content)) || f.Sha256 != hex.EncodeToString(sum[:]) || f.ContentType != "text/html" || f.UploadedBy != "agent" {
		t.Errorf("file = %+v", f)
	}
	got := r.do("GET", "/api/v1/tasks/"+task.ID.String()+"/files/"+up.JSON201.ID.String(), "", "X-API-Key", agent.key)
	if got.status != 200 || got.body != content {
		t.Fatalf("download = %d %q", got.status, got.body)
	}
	for header, want := range map[string]string{
		"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox",
		"Cache-Control": "private, no-store", "Content-Length": fmt.Sprint(len(content)),
	} {
		if got.header.Get(header) != want {
			t.Errorf("%s = %q, want %q", header, got.header.Get(header), want)
		}
	}
	kind, parameters, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
	if err != nil || kind != "attachment" || parameters["filename"] != up.JSON201.Filename {
		t.Errorf("Content-Disposition %q = %s %v, %v", got.header.Get("Content-Disposition"), kind, parameters, err)
	}
	list, err := agent.ListTaskFilesWithResponse(t.Context(), task.ID, nil)
	if err != nil || list.JSON200 == nil || list.JSON200.Total != 1 || list.JSON200.Files[0].ID != up.JSON201.ID {
		t.Errorf("list = %s, %v", answer(list), err)
	}
}

func TestThreat67FilenamesAreLabels(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	for name, want := range map[string]string{
		"../../etc/passwd": "passwd", "/abs/olute": "olute", "..": "file", ".": "file", "a\u202egnp.exe": "agnp.exe",
		strings.Repeat("x", 300): strings.Repeat("x", 200), "..%2f..%2fx": "..%2f..%2fx", "CON": "CON", " ": "file", "日本.txt": "日本.txt",
	} {
		up := r.upload(agent, task.ID, name, "x")
		if up.JSON201 == nil || up.JSON201.Filename != want {
			t.Errorf("%.40q = %s, want the name %q", name, answer(up), want)
			continue
		}
		got := r.do("GET", "/api/v1/tasks/"+task.ID.String()+"/files/"+up.JSON201.ID.String(), "", "X-API-Key", agent.key)
		_, parameters, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if err != nil || parameters["filename"] != want {
			t.Errorf("%.40q: Content-Disposition %q, %v", name, got.header.Get("Content-Disposition"), err)
		}
	}
}

func TestThreat68UploadsAreBounded(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
	path := "/api/v1/tasks/" + task.ID.String() + "/files/"
	send := func(kind string, body []byte) reply {
		return r.do("POST", path, string(body), "X-API-Key", agent.key, "Content-Type", kind)
	}
	full := strings.Repeat("x", 25<<20)
	kind, body := form(t, [3]string{"file", "big", full + "y"})
	if got := send(kind, body); got.status != 413 || errorOf(t, got.body) != "too_large" {
		t.Errorf("a byte too many = %d %s", got.status, got.body)
	}
	kind, body = form(t, [3]string{"file", "big", full + strings.Repeat("y", 1<<20)})
	if got := send(kind, body); got.status != 413 {
		t.Errorf("a body too large = %d %s", got.status, got.body)
	}
	for name, parts := range map[string][][3]string{
		"no part": {}, "other name": {{"fille", "a", "x"}}, "two files": {{"file", "a", "x"}, {"file", "b", "y"}}, "no filename": {{"file", "", "x"}},
	} {
		kind, body := form(t, parts...)
		if got := send(kind, body); got.status != 400 {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
	kind, body = form(t, [3]string{"file", "a", "x"})
	if got := send(kind, body[:len(body)-10]); got.status != 400 {
		t.Errorf("cut off = %d %s", got.status, got.body)
	}
	if got := send("multipart/form-data", body); got.status != 400 {
		t.Errorf("without a boundary = %d %s", got.status, got.body)
	}
	if got := send("application/json", []byte("{}")); got.status != 415 {
		t.Errorf("JSON = %d %s", got.status, got.body)
	}
	if left := blobs(t, folder); left != 0 {
		t.Errorf("refused uploads left %d files", left)
	}
	kind, body = form(t, [3]string{"file", "big", full})
	if got := send(kind, body); got.status != 201 {
		t.Errorf("the largest = %d %s", got.status, got.body)
	}
	for range 19 {
		if up := r.upload(agent, task.ID, "a", ""); up.JSON201 == nil {
			t.Fatalf("upload = %s", answer(up))
		}
	}
	if up := r.upload(agent, task.ID, "a", "x"); up.JSON400 == nil {
		t.Errorf("file 21 = %s", answer(up))
	}
	if left := blobs(t, folder); left != 20 {
		t.Errorf("%d blobs for 20 files", left)
	}
}

// An upload is refused before its bytes are read, and read no further than a
// file may be long: bytes that are nobody's must not fill the memory.
func TestThreat68UploadsAreNotReadAhead(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task, none := r.createTask(agent).ID, uuid.Must(uuid.NewV7())
	for name, test := range map[string]struct {
		task uuid.UUID
		sent int64 // before the answer is awaited
		want int
	}{
		"of no task":    {none, 1 << 20, http.StatusNotFound},
		"of any length": {task, 30 << 20, http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			t.Cleanup(cancel)
			body, writer := io.Pipe()
			go func() {
				_, _ = io.WriteString(writer, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n")
				_, _ = io.CopyN(writer, zeros{}, test.sent) // and then nothing: the form is never complete
			}()
			context.AfterFunc(ctx, func() { _ = body.Close() })
			request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/api/v1/tasks/"+test.task.String()+"/files/", body)
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
			request.Header.Set("X-API-Key", agent.key)
			response, err := http.DefaultTransport.RoundTrip(request)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != test.want {
				t.Errorf("status = %d, want %d", response.StatusCode, test.want)
			}
		})
	}
}

// fullBucket takes files until its disk is full: at the call of that name.
type fullBucket struct {
	driver.Bucket // has no other methods: nobody may need them
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
func (fullBucket) Close() error                       { return nil }

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

// A blob store that does not take a file is no fault of the client, who may try
// again; the operator learns the cause.
func TestUploadsToAFullStoreMayBeRepeated(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.createTask(agent)
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

// wantLogged fails unless the log has the words beside the answer's request id.
func (r *rig) wantLogged(got reply, words string) {
	r.t.Helper()
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, got.header.Get("X-Request-Id")) && strings.Contains(line, words) {
			return
		}
	}
	r.t.Errorf("the log does not say %q of request %s", words, got.header.Get("X-Request-Id"))
}

// Bytes that are gone are a fault for the operator and no file for the caller.
func TestGoneBytesAreNotFound(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	up := r.upload(agent, r.createTask(agent).ID, "a.txt", "x")
	if up.JSON201 == nil {
		t.Fatalf("upload = %s", answer(up))
	}
	if err := os.Remove(filepath.Join(folder, up.JSON201.ID.String())); err != nil {
		t.Fatal(err)
	}
	got := r.do("GET", "/api/v1/tasks/"+up.JSON201.TaskID.String()+"/files/"+up.JSON201.ID.String(), "", "X-API-Key", agent.key)
	if got.status != 404 || errorOf(t, got.body) != "not_found" {
		t.Errorf("download = %d %s", got.status, got.body)
	}
	r.wantLogged(got, `"level":"ERROR"`)
}

// folderBucket keeps blobs in a folder.
func folderBucket(tb testing.TB, folder string) *blob.Bucket {
	tb.Helper()
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{CreateDir: true, NoTempDir: true})
	if err != nil {
		tb.Fatalf("open bucket: %v", err)
	}
	tb.Cleanup(func() { _ = bucket.Close() })
	return bucket
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// blobs counts what lies in the blob store, attributes aside.
func blobs(tb testing.TB, folder string) int {
	tb.Helper()
	count := 0
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !strings.HasSuffix(path, ".attrs") {
			count++
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		tb.Fatal(err)
	}
	return count
}

// Nobody takes work without paying: files, note and link are the human's alone
// until the chain names their hash.
func TestWorkIsHiddenUntilItIsSubmitted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, stranger := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.active(agent, human)
	used, unused := r.upload(human, task.ID, "photo.jpg", "light"), r.upload(human, task.ID, "other.jpg", "dark")
	if used.JSON201 == nil || unused.JSON201 == nil {
		t.Fatalf("upload = %s, %s", answer(used), answer(unused))
	}
	download := func(as *user, file uuid.UUID) int {
		t.Helper()
		got, err := as.DownloadTaskFileWithResponse(t.Context(), task.ID, file)
		if err != nil {
			t.Fatalf("download: %v", err)
		}
		return got.StatusCode()
	}
	if got := download(agent, used.JSON201.ID); got != http.StatusForbidden {
		t.Errorf("the agent downloads unsubmitted work: %d", got)
	}
	if got := download(human, used.JSON201.ID); got != 200 {
		t.Errorf("the human's own file = %d", got)
	}
	if list, err := agent.ListTaskFilesWithResponse(t.Context(), task.ID, nil); err != nil || list.JSON200 == nil || list.JSON200.Total != 0 {
		t.Errorf("the agent lists %s, %v", answer(list), err)
	}
	foreign := r.upload(agent, task.ID, "brief.pdf", "brief")
	draft, err := human.SubmitWorkWithResponse(t.Context(), task.ID, nil, client.SubmitWorkRequest{Note: "n", FileIds: []uuid.UUID{foreign.JSON201.ID}})
	if err != nil || draft.JSON400 == nil {
		t.Errorf("submitting the agent's file = %s, %v", answer(draft), err)
	}
	r.submit(human, task.ID, used.JSON201.ID)
	for name, test := range map[string]struct {
		as   *user
		file uuid.UUID
		want int
	}{
		"agent, submitted":     {agent, used.JSON201.ID, 200},
		"agent, not submitted": {agent, unused.JSON201.ID, 403},
		"validator":            {r.human(r.net.Validators[0]), used.JSON201.ID, 200},
		"stranger":             {stranger, used.JSON201.ID, 403},
		"unknown file":         {agent, uuid.Must(uuid.NewV7()), 404},
	} {
		if got := download(test.as, test.file); got != test.want {
			t.Errorf("%s = %d, want %d", name, got, test.want)
		}
	}
	if up := r.upload(stranger, task.ID, "x", "x"); up.StatusCode() != 403 {
		t.Errorf("a stranger uploads: %s", answer(up))
	}
}
