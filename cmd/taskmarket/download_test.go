package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/client"
)

// A download that does not end well leaves nothing behind, and nothing changed.
func TestDownloadsLeaveNothing(t *testing.T) {
	content := "a photo"
	sum := sha256.Sum256([]byte(content))
	for name, c := range map[string]struct {
		send http.HandlerFunc
		code int
	}{
		"too short":   {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content[1:]) }, exitFailed},
		"too long":    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content, content) }, exitFailed},
		"other bytes": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.ToUpper(content)) }, exitFailed},
		"refused":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, exitUnauthorized},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "7")
			fmt.Fprint(w, content[1:])
		}, exitLater},
		"interrupted": {func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, content[1:])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, exitInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/files/") {
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"files":[{"id":%q,"task_id":%q,"filename":"photo.jpg","size":%d,"sha256":%q}],"page":1,"page_size":20,"total":1}`,
						someID, someID, len(content), hex.EncodeToString(sum[:]))
					return
				}
				c.send(w, r)
			}))
			defer server.Close()
			u := newUser(t)
			u.set("API_URL", server.URL)
			u.set("API_KEY", "tm_"+"none")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.code == exitInterrupted {
				time.AfterFunc(200*time.Millisecond, cancel)
			}
			folder := filepath.Join(u.dir, "downloads")
			must(t, os.Mkdir(folder, 0o700))
			old := u.write("downloads/old.jpg", "old")
			u.runIn(ctx, "files", "download", someID, someID, "--output", old, "--force").ended(c.code)
			left, err := os.ReadDir(folder)
			must(t, err)
			if kept, err := os.ReadFile(old); len(left) != 1 || string(kept) != "old" || err != nil {
				t.Errorf("left %v, and in the file %q, %v", left, kept, err)
			}
		})
	}
}

func TestSafeName(t *testing.T) {
	id := uuid.MustParse(someID)
	for name, want := range map[string]string{
		"harbour.jpg":                      "harbour.jpg",
		"../../etc/passwd":                 ".._.._etc_passwd",
		`..\..\boot.ini`:                   ".._.._boot.ini",
		"/absolute":                        "_absolute",
		".bashrc":                          ".bashrc",
		"--output=x":                       "--output_x",
		"CON":                              "CON",
		"a:stream":                         "a_stream",
		"trailing. . ":                     "trailing",
		"nul\x00l\n\x1b[31m":               "nul_l___31m",
		"photo\u202egpj.exe":               "photo_gpj.exe",
		"":                                 "",
		"...":                              "",
		strings.Repeat("x", 300) + ".jpeg": strings.Repeat("x", 95) + ".jpeg",
		"y." + strings.Repeat("z", 300):    "y." + strings.Repeat("z", 98),
		"größe.jpg":                        "gr__e.jpg",
	} {
		got := safeName(client.File{ID: id, Filename: name})
		if want = strings.TrimSuffix("3f1b6a2c4e80-"+want, "-"); got != want {
			t.Errorf("safeName(%q) = %q, want %q", name, got, want)
		}
		if filepath.Base(got) != got || !filepath.IsLocal(got) {
			t.Errorf("safeName(%q) = %q leads elsewhere", name, got)
		}
	}
}
