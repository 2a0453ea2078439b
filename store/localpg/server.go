package localpg

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/lib/pq" // registers the PostgreSQL driver for database/sql

	"taskmarket/test/process"
)

const (
	startTimeout = 30 * time.Second
	portAttempts = 5
)

// settings favor speed over durability after a power failure and allow enough connections for many
// test pools.
var settings = []string{
	"listen_addresses=127.0.0.1", "unix_socket_directories=",
	"fsync=off", "full_page_writes=off", "max_connections=600",
}

func (s server) data() string { return filepath.Join(cmp.Or(s.memory, s.home), "data") }

func (s server) program(name string) string { return filepath.Join(s.dir, name) }

// initialise creates the data directory unless it exists. It creates a temporary directory first
// and renames it at the end, so that an interrupted run leaves no incomplete data directory.
func (s server) initialise(ctx context.Context) error {
	if version, err := os.ReadFile(filepath.Join(s.data(), "PG_VERSION")); err == nil {
		if v := string(bytes.TrimSpace(version)); v != s.major() {
			return fmt.Errorf("the data in %s was created by PostgreSQL %s, but the PostgreSQL in %s has version %s: delete the data with `make clean`", s.data(), v, s.dir, s.release)
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
		return fmt.Errorf("create PostgreSQL's data directory: %w", err)
	}
	if err := s.runInitdb(ctx, fresh, password); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(s.data()), os.Rename(fresh, s.data())); err != nil {
		return fmt.Errorf("rename PostgreSQL's data directory: %w", err)
	}
	return nil
}

// runInitdb runs initdb on the directory. initdb is killed when this process ends, so that it does
// not write into the directory during a later run.
func (s server) runInitdb(ctx context.Context, data, password string) error {
	proc, err := process.Start(process.Spec{
		Name: "initdb", Path: s.program("initdb"), Dir: data, Env: s.environ(), User: s.user,
		Log: filepath.Join(s.home, "initdb.log"), StopSignal: syscall.SIGKILL,
		Args: []string{
			"--pgdata=" + data, "--username=" + superuser, "--pwfile=" + password,
			"--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions",
		},
	})
	if err != nil {
		return err
	}
	select {
	case <-proc.Done():
	case <-ctx.Done():
		return errors.Join(fmt.Errorf("initdb: %w", ctx.Err()), proc.Kill())
	}
	if err := proc.Err(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, proc.LogTail())
	}
	return nil
}

// launch starts the server and waits until it accepts connections. If another process occupies the
// chosen free port first, launch tries another port.
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
	for _, setting := range slices.Concat(settings, s.settings) {
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
	c := &Cluster{server: s, port: port, password: string(password), proc: proc}
	if err := c.awaitReady(ctx); err != nil {
		return nil, errors.Join(err, proc.Stop())
	}
	return c, nil
}

// awaitReady waits until the server responds to a query.
func (c *Cluster) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	var ended <-chan struct{}
	if c.proc != nil {
		ended = c.proc.Done()
	}
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := c.ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("PostgreSQL exited while starting: %w: %s", c.proc.Err(), c.proc.LogTail())
		case <-ctx.Done():
			return fmt.Errorf("wait for PostgreSQL: %w (last error: %w)", ctx.Err(), err)
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
