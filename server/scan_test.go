package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gocloud.dev/blob/fileblob"

	"taskmarket/server"
	"taskmarket/server/content"
)

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
