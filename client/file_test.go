package client_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"taskmarket/client"
	"taskmarket/market"
)

func serveData(data []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		if _, err := w.Write(data); err != nil {
			panic(http.ErrAbortHandler)
		}
	}
}

func TestDownload(t *testing.T) {
	content := bytes.Repeat([]byte("photo "), 2<<20) // larger than the limit for a JSON response
	sum := sha256.Sum256(content)
	file := client.File{FileSize: int64(len(content)), Sha256: hex.EncodeToString(sum[:])}
	other := bytes.Clone(content)
	other[1]++
	tests := map[string]struct {
		answer http.HandlerFunc
		code   market.Kind
		passes bool // the error must match ErrUnavailable, so a retry can succeed
		fails  bool
	}{
		"the right content":          {answer: serveData(content)},
		"too short":                  {answer: serveData(content[1:]), fails: true},
		"too long":                   {answer: serveData(append(bytes.Clone(content), '!')), fails: true},
		"endless":                    {answer: endless, fails: true},
		"other content":              {answer: serveData(other), fails: true},
		"truncated":                  {answer: respond(200, "photo", "Content-Length", "99"), passes: true, fails: true},
		"an error response":          {answer: refuse(403, "forbidden"), code: market.KindForbidden, fails: true},
		"a temporary error response": {answer: refuse(503, "storage_unavailable", "Retry-After", "3600"), code: market.KindStorageUnavailable, passes: true, fails: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got bytes.Buffer
			err := dialTest(t, &script{answers: []http.HandlerFunc{test.answer}}).Download(t.Context(), file, &got)
			if (err != nil) != test.fails || client.CodeOf(err) != test.code || errors.Is(err, client.ErrUnavailable) != test.passes {
				t.Errorf("got error %v", err)
			}
			if !test.fails && !bytes.Equal(got.Bytes(), content) {
				t.Error("got other bytes")
			}
			if int64(got.Len()) > file.FileSize+1 {
				t.Errorf("wrote %d bytes", got.Len())
			}
		})
	}
}

// endless sends bytes for as long as the connection is open.
func endless(w http.ResponseWriter, r *http.Request) {
	block := make([]byte, 1<<16)
	for r.Context().Err() == nil {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

func TestDownloadChecksSize(t *testing.T) {
	for _, size := range []int64{market.MaxFileSize + 1, 1<<63 - 1, -1} {
		s := &script{answers: []http.HandlerFunc{endless}}
		var got bytes.Buffer
		if err := dialTest(t, s).Download(t.Context(), client.File{FileSize: size}, &got); err == nil || got.Len() > 1 {
			t.Errorf("%d bytes announced: wrote %d, %v", size, got.Len(), err)
		}
	}
}

var errDisk = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errDisk }

func TestDownloadErrors(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{serveData([]byte("photo"))}}
	if err := dialTest(t, s).Download(t.Context(), client.File{FileSize: 5}, fullDisk{}); !errors.Is(err, errDisk) || errors.Is(err, client.ErrUnavailable) {
		t.Errorf("got error %v", err)
	}
}

// keep returns a handler that accepts an upload as the API does, stores its name and content, and
// responds with the SHA-256 that sum returns.
func keep(name, content *string, sum func([]byte) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		part, header, err := r.FormFile("file")
		if err != nil {
			refuse(400, "invalid_request")(w, r)
			return
		}
		data, err := io.ReadAll(part)
		if err != nil {
			panic(err)
		}
		*name, *content = header.Filename, string(data)
		respond(201, fmt.Sprintf(`{"id":%q,"file_size":%d,"sha256":%q}`, recordID, len(data), sum(data)))(w, r)
	}
}

func sha(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func TestUpload(t *testing.T) {
	var name, content string
	kept := keep(&name, &content, sha)
	tests := map[string]struct {
		name, want string
		answers    []http.HandlerFunc
		asked      int
		fails      bool
	}{
		"a file":                    {"plan.txt", "plan.txt", []http.HandlerFunc{kept}, 1, false},
		"a path":                    {"/home/me/plan.txt", "plan.txt", []http.HandlerFunc{kept}, 1, false},
		"a name with quotes":        {"a\"b\\c\r\nX-Odd: 1.txt", "a\"b\\c%0D%0AX-Odd: 1.txt", []http.HandlerFunc{kept}, 1, false},
		"rate limited at first":     {"plan.txt", "plan.txt", []http.HandlerFunc{refuse(429, "rate_limited", "Retry-After", "1"), kept}, 2, false},
		"a lost response":           {"plan.txt", "", []http.HandlerFunc{abort, kept}, 1, true},
		"storage unavailable":       {"plan.txt", "", []http.HandlerFunc{refuse(503, "storage_unavailable"), kept}, 1, true},
		"stored with other content": {"plan.txt", "plan.txt", []http.HandlerFunc{keep(&name, &content, func([]byte) string { return sha(nil) })}, 1, true},
	}
	for title, test := range tests {
		t.Run(title, func(t *testing.T) {
			name, content = "", ""
			s := &script{answers: test.answers}
			file, err := dialTest(t, s).Upload(t.Context(), record, test.name, strings.NewReader("The plan."))
			if (err != nil) != test.fails || len(s.requests()) != test.asked {
				t.Errorf("got %+v, %v after %d requests", file, err, len(s.requests()))
			}
			if !test.fails && content != "The plan." || !strings.HasPrefix(name, test.want) {
				t.Errorf("the server read %q from %q", content, name)
			}
		})
	}
}

func TestUploadTooLarge(t *testing.T) {
	s := &script{answers: []http.HandlerFunc{refuse(413, "too_large")}}
	much := io.LimitReader(zeros{}, market.MaxFileSize+1)
	if _, err := dialTest(t, s).Upload(t.Context(), record, "zeros", much); err == nil || len(s.requests()) != 0 {
		t.Errorf("got error %v after %d requests", err, len(s.requests()))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
