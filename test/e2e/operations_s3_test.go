//go:build operations

package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob" // registers the s3:// scheme
	"gocloud.dev/gcerrors"

	gen "taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/store/storetest"
)

const (
	s3User, s3Password = "market", "password-of-the-market"

	// s3Page is the number of objects that an S3 server lists in one response.
	s3Page = 1_000
	// cutAfter is how much of a file is sent before the connection is cut.
	cutAfter = market.MaxFileSize - 1<<20
	// diskProbes is the time limit for a change of the health check. It is longer than the interval
	// between the server's test writes to the file store.
	diskProbes = time.Minute
)

// bucket is the bucket of an S3 server, which stores each object as a file in a folder.
type bucket struct {
	*blob.Bucket

	server *engine
	url    string
	folder string
}

// newBucket starts an S3 server with an empty bucket. The test's process gets its credentials.
func newBucket(t *testing.T) bucket {
	t.Helper()
	root, port := t.TempDir(), freePort(t)
	b := bucket{
		server: &engine{
			path: "s3/versitygw", args: []string{"--port", address(port), "--quiet", "posix", root}, port: port, log: filepath.Join(t.TempDir(), "log"),
			env: []string{"ROOT_ACCESS_KEY_ID=" + s3User, "ROOT_SECRET_ACCESS_KEY=" + s3Password},
		},
		url: "s3://market?region=us-east-1&use_path_style=true&endpoint=http://" + address(port), folder: filepath.Join(root, "market"),
	}
	if err := os.Mkdir(b.folder, 0o755); err != nil {
		t.Fatal(err)
	}
	b.server.start(t)
	for _, variable := range s3Environment(s3Password) {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	var err error
	if b.Bucket, err = blob.OpenBucket(t.Context(), b.url); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// s3Environment returns the variables of a client of the S3 server. They disable the machine's
// configuration files and cloud credentials.
func s3Environment(password string) []string {
	return []string{
		"AWS_ACCESS_KEY_ID=" + s3User, "AWS_SECRET_ACCESS_KEY=" + password, "AWS_CONFIG_FILE=" + os.DevNull,
		"AWS_SHARED_CREDENTIALS_FILE=" + os.DevNull, "AWS_EC2_METADATA_DISABLED=true",
	}
}

// keys returns the keys of all objects.
func (b bucket) keys(t *testing.T) (keys []string) {
	t.Helper()
	for list := b.List(nil); ; {
		object, err := list.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return keys
		}
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, object.Key)
	}
}

// age makes an object two hours old, so that a sweep regards it as abandoned.
func (b bucket) age(t *testing.T, key string) {
	t.Helper()
	old := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(b.folder, key), old, old); err != nil {
		t.Fatal(err)
	}
}

// newS3World returns a world with two servers that store files in the bucket. Their logs may contain
// errors of S3, because tests stop the S3 server.
func newS3World(t *testing.T, b bucket) *world {
	t.Helper()
	w := newWorldOn(t, failoverTimeout, site{
		records: storetest.New(t), extra: append(s3Environment(s3Password), "TASKMARKET_BLOB_URL="+b.url),
	})
	w.newReplica()
	for _, r := range w.replicas {
		r.expected = "operation error S3"
	}
	return w
}

// upload uploads a file through a server as the agent.
func (w *world) upload(r *replica, task uuid.UUID, content []byte) *gen.UploadTaskFileResponse {
	w.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "harbour.jpg")
	w.must(err)
	_, err = part.Write(content)
	w.must(errors.Join(err, form.Close()))
	response, err := w.keyed(r, w.agent.Key).UploadTaskFileWithBodyWithResponse(w.ctx, task, form.FormDataContentType(), &body)
	w.must(err)
	return response
}

// stored uploads a file, which must succeed, and returns its record.
func (w *world) stored(r *replica, task uuid.UUID, content []byte) gen.TaskFile {
	w.t.Helper()
	response := w.upload(r, task, content)
	if response.JSON201 == nil {
		w.t.Fatalf("upload %d bytes = %s %s", len(content), response.Status(), response.Body)
	}
	return *response.JSON201
}

func (w *world) download(r *replica, file gen.TaskFile) *gen.DownloadTaskFileResponse {
	w.t.Helper()
	response, err := w.keyed(r, w.agent.Key).DownloadTaskFileWithResponse(w.ctx, file.TaskID, file.ID)
	w.must(err)
	return response
}

// wantContent fails the test unless the server returns the file's content.
func (w *world) wantContent(r *replica, file gen.TaskFile, want []byte) {
	w.t.Helper()
	if got := w.download(r, file); got.StatusCode() != http.StatusOK || !bytes.Equal(got.Body, want) {
		w.t.Errorf("download of %d bytes = %s, %d bytes", len(want), got.Status(), len(got.Body))
	}
}

// fileRecords returns the number of records of files.
func (w *world) fileRecords() (count int) {
	w.t.Helper()
	w.must(storetest.DB(w.t, w.records).GetContext(w.ctx, &count, `SELECT count(*) FROM files`))
	return count
}

// awaitReason waits until the health check of the server lists the reason, or no longer does.
func (w *world) awaitReason(r *replica, reason market.HealthReason, listed bool) {
	w.t.Helper()
	api := w.keyed(r, w.agent.Key)
	for end := time.Now().Add(diskProbes); ; w.pause(fmt.Sprintf("wait for the reason %s: %t", reason, listed)) {
		health, err := api.GetHealthWithResponse(w.ctx)
		w.must(err)
		if health.JSON200 != nil && slices.Contains(health.JSON200.Reasons, gen.HealthReason(reason)) == listed {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("health = %s, want the reason %s: %t", health.Body, reason, listed)
		}
	}
}

// TestOperationsS3Files: files of any size are stored on an S3 server by one server and read by
// another one. An upload that is cut leaves no record and no object. Objects without a record are
// deleted, also beyond the first page of the list, and other objects are not.
func TestOperationsS3Files(t *testing.T) {
	b := newBucket(t)
	w := newS3World(t, b)
	defer w.end()
	task := w.post(time.Time{})
	var files []gen.TaskFile
	var contents [][]byte
	for _, size := range []int{0, 1, 1 << 20, market.MaxFileSize} {
		content := bytes.Repeat([]byte("harbour"), size/len("harbour")+1)[:size]
		files, contents = append(files, w.stored(w.server, task.ID, content)), append(contents, content)
		w.wantContent(w.replicas[1], files[len(files)-1], content)
	}
	if response := w.upload(w.server, task.ID, make([]byte, market.MaxFileSize+1)); response.StatusCode() != http.StatusRequestEntityTooLarge {
		t.Errorf("upload of one byte too many = %s", response.Status())
	}
	w.cutUpload(task.ID)
	if got := w.fileRecords(); got != len(files) {
		t.Errorf("%d file records, want %d", got, len(files))
	}

	foreign, fresh := "backup/list", uuid.NewString()
	w.must(b.WriteAll(w.ctx, foreign, []byte("x"), nil))
	w.must(b.WriteAll(w.ctx, fresh, []byte("x"), nil))
	want := []string{foreign, fresh}
	for _, file := range files {
		want = append(want, file.ID.String())
	}
	for range s3Page + 1 {
		name := uuid.NewString()
		w.must(os.WriteFile(filepath.Join(b.folder, name), []byte("x"), 0o644))
		b.age(t, name)
	}
	for _, key := range want {
		if key != fresh {
			b.age(t, key)
		}
	}
	w.must(w.server.stop())
	w.must(w.server.start(w.ctx)) // sweeps at its start
	slices.Sort(want)
	for {
		left := slices.DeleteFunc(b.keys(t), func(key string) bool { return strings.HasPrefix(key, ".") })
		slices.Sort(left)
		for _, key := range want {
			if !slices.Contains(left, key) {
				t.Fatalf("the sweep deleted %s", key)
			}
		}
		if slices.Equal(left, want) {
			break
		}
		w.pause(fmt.Sprintf("wait until a sweep leaves %d of %d objects", len(want), len(left)))
	}
	for i, file := range files {
		w.wantContent(w.replicas[i%2], file, contents[i])
	}
}

// cutUpload cuts the connection during an upload.
func (w *world) cutUpload(task uuid.UUID) {
	w.t.Helper()
	reader, writer := io.Pipe()
	form := multipart.NewWriter(writer)
	request, err := http.NewRequestWithContext(w.ctx, http.MethodPost, w.server.api()+"/tasks/"+task.String()+"/files/", reader)
	w.must(err)
	request.Header.Set("X-API-Key", w.agent.Key)
	request.Header.Set("Content-Type", form.FormDataContentType())
	cut := errors.New("cut")
	go func() {
		part, err := form.CreateFormFile("file", "cut.jpg")
		if err == nil {
			_, err = part.Write(make([]byte, cutAfter))
		}
		_ = writer.CloseWithError(errors.Join(err, cut)) // the transport closes the connection
	}()
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil {
		_ = response.Body.Close()
	}
	if !errors.Is(err, cut) {
		w.t.Fatalf("the upload ended before it was cut: %v", err)
	}
}

// TestOperationsS3Outage: while the S3 server is down, uploads and downloads return 503, the health
// check has a reason, and hires succeed. Afterwards, uploads and downloads work without a restart. A
// server that starts in the meantime becomes ready when the S3 server does.
func TestOperationsS3Outage(t *testing.T) {
	b := newBucket(t)
	w := newS3World(t, b)
	defer w.end()
	task := w.post(time.Time{})
	before := w.balances() // after the funding of the task that gets the files
	content := []byte("a photograph")
	file := w.stored(w.server, task.ID, content)

	w.must(b.server.proc.Kill())
	w.must(w.replicas[1].stop())
	started := make(chan error, 1)
	go func() { started <- w.replicas[1].start(w.ctx) }()
	upload, download := w.upload(w.server, task.ID, content), w.download(w.server, file)
	for what, got := range map[string]struct {
		*http.Response
		body []byte
	}{"upload": {upload.HTTPResponse, upload.Body}, "download": {download.HTTPResponse, download.Body}} {
		if got.StatusCode != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || !bytes.Contains(got.body, []byte(market.KindStorageUnavailable)) {
			t.Errorf("%s = %s %s", what, got.Status, got.body)
		}
	}
	w.awaitReason(w.server, market.ReasonDiskFull, true)
	w.pay(w.submitted())
	select {
	case err := <-started:
		t.Errorf("a server became ready without the S3 server: %v", err)
	default:
	}

	b.server.start(t)
	w.must(<-started)
	for _, r := range w.replicas {
		w.wantContent(r, file, content)
		w.stored(r, task.ID, content)
	}
	w.awaitReason(w.server, market.ReasonDiskFull, false)
	if got := w.fileRecords(); got != 3 {
		t.Errorf("%d file records, want 3", got)
	}
	w.wantPaidOnce(before, 1)
}

// TestOperationsS3Refusal: a server whose requests S3 refuses exits with an error that names the cause.
func TestOperationsS3Refusal(t *testing.T) {
	b := newBucket(t)
	w := newS3World(t, b)
	defer w.end()
	for cause, change := range map[string]struct{ url, password string }{
		"SignatureDoesNotMatch":        {b.url, "another password"},
		"NoSuchBucket":                 {strings.Replace(b.url, "//market", "//absent", 1), s3Password},
		"AuthorizationHeaderMalformed": {strings.Replace(b.url, "us-east-1", "eu-west-1", 1), s3Password},
	} {
		refused := *w
		refused.extra = append(slices.Clone(w.extra), s3Environment(change.password)...)
		output, err := refused.tryServe("BLOB_URL", change.url)
		if err == nil || !strings.Contains(output, cause) || !strings.Contains(output, "check TASKMARKET_BLOB_URL and the credentials") {
			t.Errorf("serve = %v: %s, want %s", err, output, cause)
		}
	}
}

// TestOperationsS3ConditionalWrites: of several clients that create the same object, one succeeds.
func TestOperationsS3ConditionalWrites(t *testing.T) {
	b := newBucket(t)
	const clients = 8
	results := make(chan error, clients)
	contents := make(chan string, clients)
	for i := range clients {
		go func() {
			content := fmt.Sprintf("client %d", i)
			err := b.WriteAll(t.Context(), "marker", []byte(content), &blob.WriterOptions{IfNotExist: true})
			if err == nil {
				contents <- content
			}
			results <- err
		}()
	}
	for range clients {
		if err := <-results; err != nil && gcerrors.Code(err) != gcerrors.FailedPrecondition {
			t.Errorf("conditional write = %v", err)
		}
	}
	close(contents)
	var winners []string
	for content := range contents {
		winners = append(winners, content)
	}
	got, err := b.ReadAll(t.Context(), "marker")
	if err != nil || len(winners) != 1 || string(got) != winners[0] {
		t.Errorf("the object is %q, %v; successful clients: %q", got, err, winners)
	}
}
