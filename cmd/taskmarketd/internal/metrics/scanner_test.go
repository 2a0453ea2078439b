package metrics_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/cmd/taskmarketd/internal/metrics/metricstest"
	"taskmarket/server/content"
)

// scannerProgram finds malware in files that contain "virus", and fails for those that contain "broken".
const scannerProgram = `#!/bin/sh
read -r text
case "$text" in
*virus*) exit 1 ;;
*broken*) exit 2 ;;
esac
`

// Scans are counted by result, except for those that the client cancelled. Each result is exported before
// the first scan.
func TestScansAreMeasured(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scan")
	if err := os.WriteFile(path, []byte(scannerProgram), 0o700); err != nil {
		t.Fatal(err)
	}
	program, err := content.ParseScanner("exec://" + path)
	if err != nil {
		t.Fatal(err)
	}
	m := metrics.New("v1")
	scanner := m.Scanner(program)
	count := func(result string) string {
		return metricstest.Scrape(t, m)[`taskmarket_file_scan_duration_seconds_count{result="`+result+`"}`]
	}
	for _, result := range []string{"clean", "found", "failed"} {
		if got := count(result); got != "0" {
			t.Errorf("before the first scan %s is %q", result, got)
		}
	}
	scan := func(ctx context.Context, text string, found, failed bool) {
		t.Helper()
		got, err := scanner.Scan(ctx, io.Reader(strings.NewReader(text+"\n")))
		if got != found || (err != nil) != failed {
			t.Errorf("Scan(%s) = %t, %v", text, got, err)
		}
	}
	for range 3 {
		scan(t.Context(), "a photo", false, false)
	}
	scan(t.Context(), "a virus", true, false)
	scan(t.Context(), "a broken file", false, true)
	gone, leave := context.WithCancel(t.Context())
	leave()
	scan(gone, "a photo", false, true)
	for result, want := range map[string]string{"clean": "3", "found": "1", "failed": "1"} {
		if got := count(result); got != want {
			t.Errorf("%s scans = %q, want %s", result, got, want)
		}
	}
}
