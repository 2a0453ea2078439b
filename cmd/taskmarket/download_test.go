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

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// A failed download neither creates nor changes a file.
func TestFailedDownloadLeavesNoFile(t *testing.T) {
	content := "a photo"
	sum := sha256.Sum256([]byte(content))
	for name, c := range map[string]struct {
		send http.HandlerFunc
		code int
	}{
		"too short":   {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content[1:]) }, cli.ExitFailed},
		"too long":    {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, content, content) }, cli.ExitFailed},
		"other bytes": {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.ToUpper(content)) }, cli.ExitFailed},
		"refused":     {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, cli.ExitUnauthorized},
		"cut off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "7")
			fmt.Fprint(w, content[1:])
		}, cli.ExitLater},
		"interrupted": {func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, content[1:])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, cli.ExitInterrupted},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/files/") {
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"files":[{"id":%q,"task_id":%q,"original_filename":"photo.jpg","file_size":%d,"sha256":%q}],"page":1,"page_size":20,"total":1}`,
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
			if c.code == cli.ExitInterrupted {
				time.AfterFunc(200*time.Millisecond, cancel)
			}
			folder := filepath.Join(u.dir, "downloads")
			clitest.Must(t, os.Mkdir(folder, 0o700))
			old := u.write("downloads/old.jpg", "old")
			u.runIn(ctx, "files", "download", someID, someID, "--output", old, "--force").ended(c.code)
			left, err := os.ReadDir(folder)
			clitest.Must(t, err)
			if kept, err := os.ReadFile(old); len(left) != 1 || string(kept) != "old" || err != nil {
				t.Errorf("left %v, and in the file %q, %v", left, kept, err)
			}
		})
	}
}
