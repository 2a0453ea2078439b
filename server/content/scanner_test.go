package content_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskmarket/server/content"
)

// eicar is the file that every scanner reports as malware. It is written in two parts, because scanners
// would otherwise report this source file.
const eicar = `X5O!P%@AP[4\PZX54(P^)7CC)7}$` + `EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`

// script writes a program that scans its standard input, and returns the address of the scanner.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "scan")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return "exec://" + path
}

func scanner(t *testing.T, address string) content.Scanner {
	t.Helper()
	s, err := content.ParseScanner(address)
	if err != nil {
		t.Fatalf("ParseScanner(%q) error = %v", address, err)
	}
	return s
}

func TestProgramFindsMalware(t *testing.T) {
	s := scanner(t, script(t, `if grep -q EICAR-STANDARD; then exit 1; fi`))
	for file, want := range map[string]bool{"": false, "a harmless file": false, eicar: true, strings.Repeat("x", 1<<20) + "\n" + eicar: true} {
		if found, err := s.Scan(t.Context(), strings.NewReader(file)); found != want || err != nil {
			t.Errorf("Scan(%d bytes) = %t, %v, want %t", len(file), found, err, want)
		}
	}
}

// A scan that did not complete is an error, never a clean file.
func TestProgramFailures(t *testing.T) {
	for name, address := range map[string]string{
		"no program":              "exec:///no/such/program",
		"another exit status":     script(t, `cat > /dev/null; exit 2`),
		"a signal":                script(t, `kill -9 $$`),
		"exit before end of file": script(t, `exit 0`),
	} {
		found, err := scanner(t, address).Scan(t.Context(), strings.NewReader(strings.Repeat("x", 1<<20)))
		if found || err == nil {
			t.Errorf("%s: Scan() = %t, %v, want an error", name, found, err)
		}
	}
	broken := io.MultiReader(strings.NewReader("x"), brokenReader{})
	if _, err := scanner(t, script(t, `cat > /dev/null`)).Scan(t.Context(), broken); err == nil {
		t.Error("a file that cannot be read is clean")
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("the disk is broken") }

func TestDaemonIsUnreachable(t *testing.T) {
	for _, address := range []string{"tcp://127.0.0.1:1", "unix:///no/such/socket"} {
		if found, err := scanner(t, address).Scan(t.Context(), strings.NewReader("x")); found || err == nil {
			t.Errorf("%s: Scan() = %t, %v, want an error", address, found, err)
		}
	}
}

func TestScannerAddresses(t *testing.T) {
	for _, address := range []string{
		"", "clamd", "tcp://host", "tcp://host:3310/path", "unix://relative", "exec://scan", "http://host:3310", "tcp://user@host:1", "exec:///scan?x=1",
	} {
		if _, err := content.ParseScanner(address); err == nil {
			t.Errorf("ParseScanner(%q) succeeded", address)
		}
	}
}
