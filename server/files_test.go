package server_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"gocloud.dev/blob"
	"gocloud.dev/blob/driver"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"

	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/content"
	"taskmarket/store/storetest"
)

// form builds a multipart body; each part is a name, a filename and the content.
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

// hostileFiles are file names with contents that a browser would execute or display in our origin
// if the response headers allowed it.
var hostileFiles = map[string]string{
	"page.html": "<script>alert(1)</script>", "page.htm": "<!doctype html><img src=x onerror=alert(1)>", "page.xhtml": `<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`,
	"image.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, "image.svgz": "\x1f\x8b<svg/>", "data.xml": `<?xml version="1.0"?><x xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></x>`,
	"style.xsl": `<xsl:stylesheet version="1.0"/>`, "code.js": "alert(1)", "module.mjs": "alert(1)", "worker.wasm": "\x00asm", "style.css": "@import url(//evil.example)",
	"paper.pdf": "%PDF-1.7 /JavaScript (alert(1))", "gif.html": "GIF89a/*<script>alert(1)</script>*/", "photo.jpg": "\xff\xd8\xff<script>alert(1)</script>", "bom.txt": "\ufeff<script>alert(1)</script>",
	"utf7.txt": "+ADw-script+AD4-alert(1)", "mail.mht": "MIME-Version: 1.0\n\n<script>alert(1)</script>", "app.hta": "<script>alert(1)</script>", "page.php": "<?php phpinfo();", "page.shtml": "<!--#exec cmd=id-->",
	"none": "<script>alert(1)</script>", "photo.png.html": "<script>alert(1)</script>", "a.swf": "FWS", "manifest.json": `{"start_url":"//evil.example"}`, ".htaccess": "AddType text/html .jpg",
	"ä \\\"x\\\";.html": "<script>alert(1)</script>",
}

// Every file, with any name, content and declared type, is served as an opaque download: a
// browser does not run it, display it or let another page read it.
func TestFilesAreServedAsAttachments(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	place := "/api/v1/tasks/" + r.funded(agent).ID.String() + "/files/"
	tasks := 0
	for name, content := range hostileFiles {
		if tasks++; tasks%market.MaxFilesPerTask == 0 {
			place = "/api/v1/tasks/" + r.funded(agent).ID.String() + "/files/"
		}
		kind, body := form(t, [3]string{"file", name, content})
		up := r.do("POST", place, string(body), "X-API-Key", agent.key, "Content-Type", kind)
		var file client.TaskFile
		if err := json.Unmarshal([]byte(up.body), &file); err != nil || up.status != 201 {
			t.Fatalf("upload = %d %s, %v", up.status, up.body, err)
		}
		sum := sha256.Sum256([]byte(content))
		if file.FileSize != int64(len(content)) || file.Sha256 != hex.EncodeToString(sum[:]) || file.UploadedBy != "agent" {
			t.Errorf("file = %+v", file)
		}
		got := r.do("GET", place+file.ID.String(), "", "X-API-Key", agent.key, "Accept", "text/html", "Range", "bytes=0-3", "Sec-Fetch-Dest", "document")
		if got.status != 200 || got.body != content {
			t.Fatalf("download of %s = %d %q", name, got.status, got.body)
		}
		for header, want := range map[string]string{
			"Content-Type": "application/octet-stream", "X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox",
			"Cache-Control": "private, no-store", "Content-Length": fmt.Sprint(len(content)), "Cross-Origin-Resource-Policy": "same-origin",
			"X-Frame-Options": "DENY", "Content-Encoding": "", "Accept-Ranges": "", "Refresh": "", "Link": "",
		} {
			if values := got.header.Values(header); len(values) > 1 || got.header.Get(header) != want {
				t.Errorf("%s: %s = %q, want %q", name, header, values, want)
			}
		}
		kind, parameters, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if err != nil || kind != "attachment" || parameters["filename"] != file.OriginalFilename {
			t.Errorf("Content-Disposition %q = %s %v, %v", got.header.Get("Content-Disposition"), kind, parameters, err)
		}
	}
}

// hostileNames returns filenames that an attacker could put into a form.
func hostileNames() []string {
	names := []string{
		"..", ".", "/", `\\`, " ", "...", "../", "..\\\\", "C:\\\\", "C:x", "~", "~root", "-rf", "--", "CON", "nul.txt", "com1", "aux", "x.", "x ", ".x", "x\u200by", "\u202egnp.exe", "a\u2066b",
		"a;b", "a\\\"; filename=b.html", "a\\\"; x=\\\"", "a%22%3b", "a%0d%0aSet-Cookie:x=1", "a%00.html", "%2e%2e%2f", "..%2f..%2fx", "..%252fx", "..%c0%afx", "．．／x", "日本.txt", "é", "e\u0301", "😀",
		"*", "?", "<x>", "|", ":", "$HOME", "`id`", "$(id)", "x\ty", "x\x7f", "\u2028", "'", "=?utf-8?q?x?=", "UTF-8''x", "x; filename*=UTF-8''y", strings.Repeat("x", 255), strings.Repeat("日", 300),
	}
	for _, name := range []string{"etc/passwd", "index.html", "x.attrs"} {
		names = append(names, "../../"+name, "/"+name, `..\\..\\`+name, "./"+name, "x/../../"+name)
	}
	return names
}

// A filename is only a label: the content is stored under an id in the blob folder, and the header
// always has one disposition.
func TestNamesCannotEscapeTheDirectory(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	folder := filepath.Join(root, "a", "b", "files")
	r := newRig(t, func(o *server.Options) {
		bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{CreateDir: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = bucket.Close() })
		o.Files = bucket
	})
	agent := r.verifiedAgent(r.net.Agent)
	names, place := hostileNames(), ""
	if len(names) < 60 {
		t.Errorf("%d names, want at least 60", len(names))
	}
	for i, name := range names {
		if i%market.MaxFilesPerTask == 0 {
			place = "/api/v1/tasks/" + r.funded(agent).ID.String() + "/files/"
		}
		kind, body := form(t, [3]string{"file", name, "x"})
		up := r.do("POST", place, string(body), "X-API-Key", agent.key, "Content-Type", kind)
		if up.status == 400 { // this filename makes the form malformed
			continue
		}
		var file client.TaskFile
		if err := json.Unmarshal([]byte(up.body), &file); err != nil || up.status != 201 {
			t.Errorf("%.40q = %d %s", name, up.status, up.body)
			continue
		}
		if file.OriginalFilename == "" || strings.ContainsAny(file.OriginalFilename, "/\\\r\n\x00\u202e\u2066\u2028") || utf8.RuneCountInString(file.OriginalFilename) > market.MaxFilename {
			t.Errorf("%.40q is named %q", name, file.OriginalFilename)
		}
		got := r.do("GET", place+file.ID.String(), "", "X-API-Key", agent.key)
		disposition, parameters, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if got.status != 200 || len(got.header.Values("Content-Disposition")) != 1 || err != nil || disposition != "attachment" ||
			len(parameters) != 1 || parameters["filename"] != file.OriginalFilename || got.header.Get("Set-Cookie") != "" {
			t.Errorf("%.40q: %d, Content-Disposition %q = %v, %v", name, got.status, got.header.Values("Content-Disposition"), parameters, err)
		}
		if got := r.do("GET", place+url.PathEscape(name), "", "X-API-Key", agent.key); got.status == 200 && got.header.Get("Content-Disposition") != "" {
			t.Errorf("%.40q can be read by its name", name)
		}
	}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name, _ := strings.CutSuffix(entry.Name(), ".attrs")
		if _, named := uuid.Parse(name); err == nil && !entry.IsDir() && (filepath.Dir(path) != folder || named != nil) {
			t.Errorf("there is a file %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilenamesAreNotPaths(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	for name, want := range map[string]string{
		"../../etc/passwd": "passwd", "/abs/olute": "olute", "..": "file", ".": "file", "a\u202egnp.exe": "agnp.exe",
		strings.Repeat("x", 300): strings.Repeat("x", 200), "..%2f..%2fx": "..%2f..%2fx", "CON": "CON", " ": "file", "日本.txt": "日本.txt",
	} {
		r.wantFilename(agent, task.ID, name, want)
	}
}

// Browsers escape three characters of a name in a form, and a name that is cut keeps its ending.
func TestFilenamesOfFormsAreDecodedAndKeepTheirEnding(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	for name, want := range map[string]string{
		"the %22best%22 photo.jpg": `the "best" photo.jpg`, "a%0D%0Ab.txt": "ab.txt", "100%25 %2522 %0d.txt": `100%25 %2522 %0d.txt`, "%22%2f": `"%2f`, "%0D%0A": "file",
		strings.Repeat("x", 300) + ".jpeg": strings.Repeat("x", 195) + ".jpeg", strings.Repeat("日", 300) + ".tar.gz": strings.Repeat("日", 193) + ".tar.gz",
		strings.Repeat("x ", 150) + ".pdf": strings.TrimSuffix(strings.Repeat("x ", 98), " ") + ".pdf", "y." + strings.Repeat("z", 300): "y." + strings.Repeat("z", 198),
		strings.Repeat("%22", 200) + ".md": strings.Repeat(`"`, 197) + ".md",
	} {
		r.wantFilename(agent, task.ID, name, want)
	}
}

// wantFilename uploads a file and compares its name in the answer and in the download.
func (r *rig) wantFilename(by *user, task uuid.UUID, name, want string) {
	r.t.Helper()
	up := r.upload(by, task, name, "x")
	if up.JSON201 == nil || up.JSON201.OriginalFilename != want || up.JSON201.Filename != want {
		r.t.Errorf("%.40q = %s, want the name %q", name, answer(up), want)
		return
	}
	got := r.do("GET", "/api/v1/tasks/"+task.String()+"/files/"+up.JSON201.ID.String(), "", "X-API-Key", by.key)
	_, parameters, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
	if err != nil || parameters["filename"] != want {
		r.t.Errorf("%.40q: Content-Disposition %q, %v", name, got.header.Get("Content-Disposition"), err)
	}
}

func TestUploadsAreBounded(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	path := "/api/v1/tasks/" + task.ID.String() + "/files/"
	send := func(kind string, body []byte) reply {
		return r.do("POST", path, string(body), "X-API-Key", agent.key, "Content-Type", kind)
	}
	full := strings.Repeat("x", 25<<20)
	kind, body := form(t, [3]string{"file", "big", full + "y"})
	if got := send(kind, body); got.status != 413 || errorOf(t, got.body) != "too_large" {
		t.Errorf("one byte too many = %d %s", got.status, got.body)
	}
	kind, body = form(t, [3]string{"file", "big", full + strings.Repeat("y", 1<<20)})
	if got := send(kind, body); got.status != 413 {
		t.Errorf("a body too large = %d %s", got.status, got.body)
	}
	for name, parts := range map[string][][3]string{
		"no parts": {}, "other name": {{"fille", "a", "x"}}, "two files": {{"file", "a", "x"}, {"file", "b", "y"}}, "no filename": {{"file", "", "x"}},
	} {
		kind, body := form(t, parts...)
		if got := send(kind, body); got.status != 400 {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
	}
	kind, body = form(t, [3]string{"file", "a", "x"})
	if got := send(kind, body[:len(body)-10]); got.status != 400 {
		t.Errorf("truncated body = %d %s", got.status, got.body)
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
		if up := r.upload(agent, task.ID, "a", "a"); up.JSON201 == nil {
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

// Files can be uploaded only to a funded task, because an unfunded task costs nothing. Limits are checked
// before the bytes are received.
func TestUploadsNeedAFundedTask(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	if got := r.upload(agent, r.createTask(agent).ID, "a.txt", "x"); got.JSON400 == nil || got.JSON400.Error != "wrong_status" {
		t.Errorf("an upload to a new task = %s", answer(got))
	}
	task, other := r.funded(agent), r.funded(agent)
	if got := r.upload(agent, task.ID, "a.txt", "x"); got.JSON201 == nil {
		t.Fatalf("an upload to a funded task = %s", answer(got))
	}
	storetest.DB(t, r.records).MustExec(`ALTER TABLE files DROP CONSTRAINT files_size_check; UPDATE files SET size = ` + strconv.Itoa(market.MaxDailyUpload))
	got := r.upload(agent, other.ID, "b.txt", "x")
	if got.JSON429 == nil || got.HTTPResponse.Header.Get("Retry-After") == "" {
		t.Errorf("an upload above the daily limit = %s", answer(got))
	}
	if left := blobs(t, folder); left != 1 {
		t.Errorf("%d blobs, want 1", left)
	}
	storetest.DB(t, r.records).MustExec(`UPDATE files SET created_at = created_at - interval '24 hours 1 minute'`)
	if got := r.upload(agent, other.ID, "b.txt", "x"); got.JSON201 == nil {
		t.Errorf("an upload a day later = %s", answer(got))
	}
}

// An empty file proves nothing and is almost always a mistake, such as an export that failed.
func TestEmptyFilesAreRefused(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	got := r.upload(agent, task.ID, "report.pdf", "")
	if got.JSON400 == nil || got.JSON400.Details == nil || (*got.JSON400.Details)[0].Code != "empty" {
		t.Errorf("an empty file = %s", answer(got))
	}
	if left := blobs(t, folder); left != 0 {
		t.Errorf("%d blobs, want none", left)
	}
}

// A form that has too many parts or headers, or that never ends, is refused within seconds.
func TestFormsAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	place := "/api/v1/tasks/" + r.funded(agent).ID.String() + "/files/"
	part := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n"
	for name, body := range map[string]string{
		"many parts":             strings.Repeat(part+"\r\nx\r\n", 10_000) + "--b--\r\n",
		"many headers":           part + strings.Repeat("X-A: b\r\n", 20_000) + "\r\nx\r\n--b--\r\n",
		"a long header":          part + "X-A: " + strings.Repeat("b", 11<<20) + "\r\n\r\nx\r\n--b--\r\n",
		"a long preamble":        strings.Repeat("x", 1<<20) + "\r\n" + part + "\r\nx\r\n--b--\r\n",
		"headers without an end": part + strings.Repeat("X-A: b\r\n", 1_000),
		"nested forms":           strings.Replace(part, "\r\n", "\r\nContent-Type: multipart/mixed; boundary=c\r\n", 1) + "\r\n--c\r\n\r\nx\r\n--c--\r\n",
		"without a boundary":     strings.Repeat("x", 2<<20),
	} {
		began := time.Now()
		got := r.do("POST", place, body, "X-API-Key", agent.key, "Content-Type", "multipart/form-data; boundary=b")
		if refused := got.status == 400 || got.status == 413; !refused && name != "a long preamble" {
			t.Errorf("%s = %d %s", name, got.status, got.body)
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s took %s", name, took)
		}
	}
}

// An upload to an unknown task is refused before its body is read, and no upload is read beyond the
// size limit, so that uploads cannot exhaust the memory.
func TestUploadsAreNotReadAhead(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task, none := r.funded(agent).ID, uuid.Must(uuid.NewV7())
	for name, test := range map[string]struct {
		task uuid.UUID
		sent int64 // bytes sent before the response is read
		want int
	}{
		"unknown task":     {none, 1 << 20, http.StatusNotFound},
		"unlimited length": {task, 30 << 20, http.StatusRequestEntityTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			t.Cleanup(cancel)
			body, writer := io.Pipe()
			go func() {
				_, _ = io.WriteString(writer, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n")
				_, _ = io.CopyN(writer, zeros{}, test.sent) // the form is never completed
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

// A download may take as long as the client needs to read it, up to the time limit for transfers.
func TestDownloadsIgnoreTheServersTimeouts(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	inFolder := func(o *server.Options) { o.Files = folderBucket(t, folder) }
	r := newRig(t, inFolder)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent).ID
	// The file is larger than the buffers of the connection.
	up := r.upload(agent, task, "big", strings.Repeat("x", market.MaxFileSize))
	if up.JSON201 == nil {
		t.Fatalf("upload = %s", answer(up))
	}
	impatient := r.impatient(nil, inFolder)
	path := "/api/v1/tasks/" + task.String() + "/files/" + up.JSON201.ID.String()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, impatient.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-API-Key", agent.key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	time.Sleep(3 * time.Second) // longer than the server's timeouts
	if n, err := io.Copy(io.Discard, response.Body); response.StatusCode != http.StatusOK || n != market.MaxFileSize || err != nil {
		t.Errorf("download = %s, %d bytes, %v", response.Status, n, err)
	}
}

// wantLogged requires a log line with the words and the request id of the response.
func (r *rig) wantLogged(got reply, words string) {
	r.t.Helper()
	for line := range strings.Lines(r.log.String()) {
		if strings.Contains(line, got.header.Get("X-Request-Id")) && strings.Contains(line, words) {
			return
		}
	}
	r.t.Errorf("the log does not contain %q for request %s", words, got.header.Get("X-Request-Id"))
}

// A missing blob is logged as an error; the caller gets 404.
func TestMissingBytesReturnNotFound(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "files")
	r := newRig(t, func(o *server.Options) { o.Files = folderBucket(t, folder) })
	agent := r.verifiedAgent(r.net.Agent)
	up := r.upload(agent, r.funded(agent).ID, "a.txt", "x")
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

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// blobs counts the blobs in the folder, without their attribute files.
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

// A file is accessible only to the current parties of its task, and responses are not cached.
func TestFilesAreVisibleToTheirPartiesOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent, human, rejected := r.verifiedAgent(r.net.Agent), r.human(r.net.Human), r.human(r.net.OtherHuman)
	task := r.funded(agent)
	brief := r.upload(agent, task.ID, "brief.pdf", "brief").JSON201
	application := r.applied(rejected, task.ID)
	place := "/api/v1/tasks/" + task.ID.String() + "/files/"
	wants := func(when string, want map[*user]int) {
		t.Helper()
		for who, status := range want {
			for _, path := range []string{place, place + brief.ID.String(), place + brief.ID.String() + "/"} {
				if got := r.do("GET", path, "", r.credentials(who)...); got.status != status {
					t.Errorf("%s: %s = %d, want %d: %s", when, path, got.status, status, got.body)
				}
			}
		}
		if got := r.do("GET", place+brief.ID.String(), ""); got.status != 401 {
			t.Errorf("%s, anonymous = %d", when, got.status)
		}
	}
	foreign, validator := r.verifiedAgent(r.net.OtherAgent), r.human(r.net.Validators[0])
	wants("an applicant", map[*user]int{agent: 200, rejected: 403, human: 403, foreign: 403, validator: 403})
	reject, err := agent.RejectApplicationWithResponse(t.Context(), task.ID, application.ID, client.RejectApplicationRequest{Reason: new("No.")})
	if err != nil || reject.JSON200 == nil {
		t.Fatalf("reject = %s, %v", answer(reject), err)
	}
	r.send(agent.signer, *reject.JSON200.To, *reject.JSON200.RejectApplicationCalldata)
	chosen := r.applied(human, task.ID)
	accepted, err := agent.AcceptApplicationWithResponse(t.Context(), task.ID, chosen.ID)
	if err != nil || accepted.JSON200 == nil {
		t.Fatalf("accept = %s, %v", answer(accepted), err)
	}
	r.send(agent.signer, accepted.JSON200.To, accepted.JSON200.AcceptApplicationCalldata)
	wants("rejected", map[*user]int{agent: 200, rejected: 403, human: 200, foreign: 403, validator: 403})
	other := r.funded(agent)
	crossed := "/api/v1/tasks/" + other.ID.String() + "/files/" + brief.ID.String()
	if got := r.do("GET", crossed, "", "X-API-Key", agent.key); got.status != 404 {
		t.Errorf("under another task = %d %s", got.status, got.body)
	}
	got := r.do("GET", place+brief.ID.String(), "", append(r.credentials(human), "If-None-Match", "*", "If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT")...)
	if got.status != 200 || got.header.Get("Cache-Control") != "private, no-store" || got.header.Get("ETag")+got.header.Get("Last-Modified")+got.header.Get("Expires") != "" {
		t.Errorf("download = %d %v", got.status, got.header)
	}
}

// The files, note and link of the work are visible only to the human until the hash of the work is
// on-chain. Otherwise an agent could use the work without paying.
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
	evidence := r.upload(human, task.ID, "tape.txt", "40 m")
	if evidence.JSON201 == nil {
		t.Fatalf("upload of evidence = %s", answer(evidence))
	}
	for name, test := range map[string]struct {
		as   *user
		file uuid.UUID
		want int
	}{
		"agent, submitted":     {agent, used.JSON201.ID, 200},
		"agent, not submitted": {agent, unused.JSON201.ID, 403},
		"validator":            {r.human(r.net.Validators[0]), used.JSON201.ID, 200},
		"agent, evidence":      {agent, evidence.JSON201.ID, 200},
		"validator, evidence":  {r.human(r.net.Validators[0]), evidence.JSON201.ID, 200},
		"stranger, evidence":   {stranger, evidence.JSON201.ID, 403},
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

// Uploads are scanned by a real program. A file is accepted only if the scanner has checked it.
func TestUploadsAreScanned(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "scan")
	install := func(body string) {
		if err := os.WriteFile(program, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	install(`if grep -q EICAR-STANDARD; then exit 1; fi`)
	folder := filepath.Join(t.TempDir(), "files")
	bucket, err := fileblob.OpenBucket(folder, &fileblob.Options{CreateDir: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bucket.Close() })
	r := newRig(t, func(o *server.Options) {
		scanner, err := content.ParseScanner("exec://" + program)
		if err != nil {
			t.Fatal(err)
		}
		o.Scanner, o.Files = scanner, bucket
	})
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	if got := r.upload(agent, task.ID, "a.txt", "harmless"); got.JSON201 == nil {
		t.Fatalf("a clean file = %s", answer(got))
	}
	eicar := `X5O!P%@AP[4\PZX54(P^)7CC)7}$` + `EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`
	refused := r.upload(agent, task.ID, "b.txt", eicar)
	if refused.JSON400 == nil || refused.JSON400.Details == nil || (*refused.JSON400.Details)[0].Code != "malware" {
		t.Errorf("the EICAR file = %s", answer(refused))
	}
	install(`exit 2`)
	later := r.upload(agent, task.ID, "c.txt", "harmless")
	if later.JSON503 == nil || later.JSON503.Error != "storage_unavailable" || later.HTTPResponse.Header.Get("Retry-After") != "30" {
		t.Errorf("without a scanner = %s", answer(later))
	}
	files, err := agent.ListTaskFilesWithResponse(t.Context(), task.ID, nil)
	if err != nil || files.JSON200 == nil || files.JSON200.Total != 1 {
		t.Errorf("files = %s, %v", answer(files), err)
	}
	blobs, err := filepath.Glob(filepath.Join(folder, "????????-*.attrs"))
	if err != nil || len(blobs) != 1 {
		t.Errorf("blobs = %v, %v", blobs, err)
	}
}

func TestDisguisedFilesAreRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	agent := r.verifiedAgent(r.net.Agent)
	task := r.funded(agent)
	got := r.upload(agent, task.ID, "photo.png", "<!doctype html><script>alert(1)</script>")
	if got.JSON400 == nil || got.JSON400.Error != "invalid_request" || got.JSON400.Hint == nil || (*got.JSON400.Details)[0].Code != "type_mismatch" {
		t.Errorf("a page with the name of an image = %s", answer(got))
	}
	kind, body := form(t, [3]string{"file", "photo.png", "not a picture"})
	up := r.do("POST", "/api/v1/tasks/"+task.ID.String()+"/files/", strings.Replace(string(body), "text/html", "image/png", 1),
		"X-API-Key", agent.key, "Content-Type", kind)
	if up.status != 201 || !strings.Contains(up.body, `"content_type":"text/plain"`) {
		t.Errorf("a text with the type of an image = %d %s", up.status, up.body)
	}
}

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
