//go:build operations

package content_test

import (
	"context"
	"crypto/md5" // the format of ClamAV's signatures
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"taskmarket/test/process"
)

// startClamd starts ClamAV with a database that contains only the hash of the EICAR file, and returns
// its address.
func startClamd(t *testing.T, settings string) string {
	t.Helper()
	folder := t.TempDir()
	socket := filepath.Join(folder, "clamd.sock")
	signature := fmt.Sprintf("%x:%d:Eicar-Test-Signature\n", md5.Sum([]byte(eicar)), len(eicar))
	for name, text := range map[string]string{
		"db/test.hdb": signature,
		"clamd.conf":  "Foreground yes\nDatabaseDirectory " + folder + "/db\nLocalSocket " + socket + "\nUser root\n" + settings,
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	root, err := process.ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	engines := filepath.Join(root, ".dev", "debian", "usr")
	clamd := exec.CommandContext(ctx, filepath.Join(engines, "sbin", "clamd"), "--config-file", filepath.Join(folder, "clamd.conf"))
	clamd.Env = append(os.Environ(), "LD_LIBRARY_PATH="+filepath.Join(engines, "lib", "x86_64-linux-gnu"))
	if err := clamd.Start(); err != nil {
		t.Fatalf("start clamd: %v; `make operations-deep` downloads it", err)
	}
	t.Cleanup(func() { cancel(); _ = clamd.Wait() })
	for range 600 {
		if _, err := os.Stat(socket); err == nil {
			return "unix://" + socket
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("clamd did not start")
	return ""
}

func TestOperationsClamdFindsEICAR(t *testing.T) {
	s := scanner(t, startClamd(t, ""))
	for file, want := range map[string]bool{"": false, "a harmless file": false, strings.Repeat("x", 25<<20): false, eicar: true} {
		if found, err := s.Scan(t.Context(), strings.NewReader(file)); found != want || err != nil {
			t.Errorf("Scan(%d bytes) = %t, %v, want %t", len(file), found, err, want)
		}
	}
}

// A file that is larger than the limit of clamd must not pass unchecked.
func TestOperationsClamdWithALowLimit(t *testing.T) {
	s := scanner(t, startClamd(t, "StreamMaxLength 1M\n"))
	if found, err := s.Scan(t.Context(), strings.NewReader(strings.Repeat("x", 4<<20))); found || err == nil {
		t.Errorf("Scan() = %t, %v, want an error", found, err)
	}
}
