package localpg

import (
	"context"
	"crypto/sha256"
	_ "embed" // embeds the reaper script
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"taskmarket/test/process"
)

// patience is how many seconds the shared server keeps running after its last user has ended. This
// is long enough to link the tests of the next package.
const patience = 10

//go:embed reaper.sh
var reaper string

// TB is the part of testing.TB that Shared uses.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Shared returns the server that all test binaries of this module share, and starts it if
// necessary. It fails the test if it cannot, and never skips it.
//
// Every start uses an empty cluster, so the remains of a killed test have no effect. Tests can
// access each other's databases, so each test creates databases with unique names. The server stops
// about ten seconds after its last user has ended or was killed.
func Shared(t TB) *Cluster {
	t.Helper()
	c, err := join()
	if err != nil {
		t.Fatalf("start PostgreSQL for the tests: %v", err)
	}
	return c
}

// join registers this process as a user of the shared server, once.
var join = sync.OnceValues(func() (*Cluster, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*startTimeout)
	defer cancel()
	s, err := newSharedServer()
	if err != nil {
		return nil, err
	}
	starting, err := lock(filepath.Join(s.home, "lock"))
	if err != nil {
		return nil, err
	}
	defer starting.Close()
	if err := s.registerProcess(); err != nil {
		return nil, err
	}
	if err := s.awaitReaper(ctx); err != nil {
		return nil, err
	}
	c, err := s.reuseOrStart(ctx)
	if err != nil {
		return nil, err
	}
	return c, s.startReaper()
})

// newSharedServer returns the server's configuration. Each combination of operating system user,
// working copy of the module and PostgreSQL installation has a separate home directory.
func newSharedServer() (server, error) {
	root, err := process.ModuleRoot()
	if err != nil {
		return server{}, err
	}
	bin, err := findBinaries()
	if err != nil {
		return server{}, err
	}
	key := sha256.Sum256([]byte(root + "\n" + bin.dir))
	s, err := newServer(filepath.Join(os.TempDir(), fmt.Sprintf("taskmarket-test-pg-%d-%x", os.Geteuid(), key[:6])), "")
	if err != nil {
		return server{}, err
	}
	s.log = filepath.Join(s.home, "postgres.log")
	// The data is in memory if possible, because each test database has a thousand files, and some disks take
	// half a millisecond to create one.
	if folder := memoryFolder(); folder != "" {
		key = sha256.Sum256([]byte(s.home))
		s.memory = filepath.Join(folder, fmt.Sprintf("taskmarket-test-pg-%d-%x", os.Geteuid(), key[:6]))
		return s, makeOpen(s.memory)
	}
	return s, nil
}

// registerProcess registers this process with the reaper until the process ends.
func (s server) registerProcess() error {
	users := filepath.Join(s.home, "users")
	if err := os.MkdirAll(users, 0o755); err != nil {
		return fmt.Errorf("register with PostgreSQL's reaper: %w", err)
	}
	if err := os.WriteFile(filepath.Join(users, strconv.Itoa(os.Getpid())), nil, 0o644); err != nil {
		return fmt.Errorf("register with PostgreSQL's reaper: %w", err)
	}
	return nil
}

// awaitReaper waits until a reaper that is stopping the server has ended.
func (s server) awaitReaper(ctx context.Context) error {
	closing := filepath.Join(s.home, "closing")
	for {
		if _, err := os.Stat(closing); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		free, ok, err := tryLock(s.reaperLock())
		if err != nil {
			return err
		}
		if ok { // the lock is free because the reaper has been killed
			defer free.Close()
			return os.Remove(closing)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for PostgreSQL to stop: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (s server) reaperLock() string { return filepath.Join(s.home, "reaper.lock") }

// reuseOrStart returns the running shared server, or starts a new one with an empty cluster.
func (s server) reuseOrStart(ctx context.Context) (*Cluster, error) {
	if pm, running := s.postmaster(); running {
		password, err := os.ReadFile(filepath.Join(s.home, "password"))
		if err != nil {
			return nil, fmt.Errorf("read PostgreSQL's password: %w", err)
		}
		c := &Cluster{server: s, port: pm.port, password: string(password)}
		// awaitReady retries, so that a server that is busy or has no free connections still counts
		// as running.
		if err := c.awaitReady(ctx); err == nil {
			return c, nil
		}
	}
	if err := s.stopOrphan(); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(s.data()); err != nil {
		return nil, fmt.Errorf("remove the previous cluster: %w", err)
	}
	if err := s.initialise(ctx); err != nil {
		return nil, err
	}
	c, err := s.launch(ctx, 0, true)
	if err != nil {
		return nil, err
	}
	c.proc = nil // the server is shared from now on
	return c, nil
}

// startReaper starts the process that stops the server later, unless it is already running. The
// reaper inherits a lock and holds it until it ends.
func (s server) startReaper() error {
	pm, running := s.postmaster()
	if !running {
		return fmt.Errorf("PostgreSQL exited unexpectedly: see %s", s.log)
	}
	lockFile, ok, err := tryLock(s.reaperLock())
	if err != nil || !ok {
		return err
	}
	defer lockFile.Close()
	cmd := exec.Command("/bin/sh", "-c", reaper, "reaper", s.home, strconv.Itoa(pm.pid), strconv.Itoa(patience), s.data())
	cmd.Dir = "/"
	cmd.ExtraFiles = []*os.File{lockFile}
	cmd.SysProcAttr = process.Apart()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the reaper of PostgreSQL: %w", err)
	}
	go func() { _ = cmd.Wait() }() // avoids a zombie process if the reaper ends before this process
	return nil
}
