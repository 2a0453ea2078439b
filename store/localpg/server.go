package localpg

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/lib/pq" // the database/sql driver

	"taskmarket/test/process"
)

const (
	startTimeout = 30 * time.Second
	portAttempts = 5
)

// settings trade safety against power cuts for speed, and leave room for many test pools.
var settings = []string{
	"listen_addresses=127.0.0.1", "unix_socket_directories=",
	"fsync=off", "full_page_writes=off", "max_connections=300",
}

// server is an installation together with the folder it works in:
// home/data, home/password, home/lock, and home/native-… if the programs had to be copied.
type server struct {
	binaries
	user *process.User
	home string
	log  string
}

// newServer finds the programs and makes the home, or another one where the account
// that runs the server can reach it; then home becomes a link to the other.
func newServer(home, log string) (server, error) {
	bin, err := findBinaries()
	if err != nil {
		return server{}, err
	}
	user, err := account()
	if err != nil {
		return server{}, err
	}
	s := server{binaries: bin, user: user, log: log}
	if s.home, err = reachable(home, user); err != nil {
		return server{}, err
	}
	return s, s.bringWithinReach()
}

// reachable makes home and returns it, or a stand-in outside of any closed folder.
func reachable(home string, user *process.User) (string, error) {
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", fmt.Errorf("make a place for PostgreSQL's data: %w", err)
	}
	if canEnter(user, filepath.Dir(home)) {
		return home, makeOpen(home)
	}
	away := filepath.Join("/var/tmp", fmt.Sprintf("taskmarket-pg-%d-%x", os.Geteuid(), sha256.Sum256([]byte(home)))[:40])
	if err := makeOpen(away); err != nil {
		return "", err
	}
	if err := os.Symlink(away, home); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("remember where PostgreSQL's data is: %w", err)
	}
	return away, nil
}

// makeOpen makes a folder of ours that anybody may enter. In a folder where everybody
// may write, somebody else could have made it first: that is refused.
func makeOpen(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a place for PostgreSQL's data: %w", err)
	}
	if !ownedBy(os.Geteuid(), dir) {
		return fmt.Errorf("%s belongs to another user: remove it", dir)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // whatever the umask
		return fmt.Errorf("open PostgreSQL's folder: %w", err)
	}
	return nil
}

// bringWithinReach copies the npm package out of a closed folder such as root's home.
func (s *server) bringWithinReach() error {
	if canEnter(s.user, s.dir) {
		return nil
	}
	native := filepath.Join(s.home, "native-"+s.release)
	if _, err := os.Stat(native); errors.Is(err, fs.ErrNotExist) {
		half := native + ".new"
		err := errors.Join(os.RemoveAll(half), os.CopyFS(half, os.DirFS(filepath.Dir(s.dir))), os.Rename(half, native))
		if err != nil {
			return fmt.Errorf("copy PostgreSQL to where it can run: %w", err)
		}
	}
	s.dir = filepath.Join(native, "bin")
	return nil
}

func (s server) data() string { return filepath.Join(s.home, "data") }

func (s server) program(name string) string { return filepath.Join(s.dir, name) }

// initialise makes the data folder unless there is one. It works beside it and renames
// at the end, so that an interrupted run leaves nothing that looks finished.
func (s server) initialise(ctx context.Context) error {
	if made, err := os.ReadFile(filepath.Join(s.data(), "PG_VERSION")); err == nil {
		if v := string(bytes.TrimSpace(made)); v != s.major() {
			return fmt.Errorf("the data in %s was made by PostgreSQL %s, but the one found in %s is %s: `make clean` starts anew", s.data(), v, s.dir, s.release)
		}
		return nil
	}
	fresh, password := s.data()+".new", filepath.Join(s.home, "password")
	err := errors.Join(
		os.RemoveAll(fresh), os.RemoveAll(password),
		os.Mkdir(fresh, 0o700), give(s.user, fresh),
		os.WriteFile(password, []byte(rand.Text()), 0o600), give(s.user, password),
	)
	if err != nil {
		return fmt.Errorf("prepare PostgreSQL's data folder: %w", err)
	}
	cmd := exec.CommandContext(ctx, s.program("initdb"), "--pgdata="+fresh, "--username="+superuser, "--pwfile="+password,
		"--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions")
	cmd.Dir, cmd.Env = fresh, s.environ()
	cmd.SysProcAttr = s.attributes()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	if err := errors.Join(os.RemoveAll(s.data()), os.Rename(fresh, s.data())); err != nil {
		return fmt.Errorf("finish PostgreSQL's data folder: %w", err)
	}
	return nil
}

func (s server) attributes() *syscall.SysProcAttr {
	if s.user == nil {
		return nil
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: s.user.UID, Gid: s.user.GID}}
}

// launch starts the server and waits until it answers. A free port may be taken by
// somebody else before the server has it: then another one is tried.
func (s server) launch(ctx context.Context, port int, detached bool) (*Cluster, error) {
	if port != 0 {
		if err := process.CheckPort(port); err != nil {
			return nil, fmt.Errorf("start PostgreSQL: %w", err)
		}
		return s.launchOn(ctx, port, detached)
	}
	var failed error
	for range portAttempts {
		free, err := process.FreePort()
		if err != nil {
			return nil, err
		}
		c, err := s.launchOn(ctx, free, detached)
		if err == nil || !strings.Contains(err.Error(), "could not bind") {
			return c, err
		}
		failed = err
	}
	return nil, failed
}

func (s server) launchOn(ctx context.Context, port int, detached bool) (*Cluster, error) {
	args := []string{"-D", s.data(), "-p", strconv.Itoa(port)}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	password, err := os.ReadFile(filepath.Join(s.home, "password"))
	if err != nil {
		return nil, fmt.Errorf("read PostgreSQL's password: %w", err)
	}
	proc, err := process.Start(process.Spec{
		Name: "PostgreSQL", Path: s.program("postgres"), Args: args, Dir: s.data(), Env: s.environ(),
		Log: s.log, User: s.user, StopSignal: syscall.SIGINT /* fast shutdown */, Detached: detached,
	})
	if err != nil {
		return nil, err
	}
	c := &Cluster{port: port, password: string(password), proc: proc}
	if err := c.awaitReady(ctx); err != nil {
		return nil, errors.Join(err, proc.Stop())
	}
	return c, nil
}

// awaitReady returns once the server answers a query.
func (c *Cluster) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := c.ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-c.proc.Done():
			return fmt.Errorf("PostgreSQL ended while starting: %w: %s", c.proc.Err(), c.proc.LogTail())
		case <-ctx.Done():
			return fmt.Errorf("wait for PostgreSQL: %w (last answer: %w)", ctx.Err(), err)
		case <-again.C:
		}
	}
}

func (c *Cluster) ping(ctx context.Context) error {
	db, err := sql.Open("postgres", c.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	return db.PingContext(ctx)
}
