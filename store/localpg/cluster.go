package localpg

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"taskmarket/test/process"
)

// superuser is the role that owns every database in the cluster.
const superuser = "taskmarket"

// Options configure a PostgreSQL server.
type Options struct {
	Dir  string // data directory, reused by later starts; created if missing
	Port int    // 0 means any free port
	Log  string // log file; Dir/postgres.log if empty

	Settings []string // further settings, for example "wal_level=replica"
}

// Cluster is a running PostgreSQL server.
type Cluster struct {
	server   server
	port     int
	password string
	proc     *process.Process // nil if the server is shared
	lock     *os.File         // held while this process uses the data directory; nil if the server is shared
}

// Start creates the data directory if necessary, starts a server on it, and returns when the server
// accepts connections. If a killed process left a server running on the same directory, Start stops
// that server first. It fails if another process uses the directory or if another major version of
// PostgreSQL created it.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("find PostgreSQL's data directory: %w", err)
	}
	if o.Log == "" {
		o.Log = filepath.Join(dir, "postgres.log")
	}
	s, err := newServer(filepath.Join(dir, "pg"), o.Log)
	if err != nil {
		return nil, err
	}
	s.settings = o.Settings
	lock, ok, err := tryLock(filepath.Join(s.home, "lock"))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, fmt.Errorf("another process already runs PostgreSQL in %s: stop it first", dir)
	}
	c, err := s.takeOwnership(ctx, o.Port)
	if err != nil {
		lock.Close()
		return nil, err
	}
	c.lock = lock
	return c, nil
}

// takeOwnership starts a server that only this process uses.
func (s server) takeOwnership(ctx context.Context, port int) (*Cluster, error) {
	if err := s.stopOrphan(); err != nil {
		return nil, err
	}
	if err := s.initialise(ctx); err != nil {
		return nil, err
	}
	return s.launch(ctx, port, false)
}

// URL returns the connection URL for a database in the cluster. The database "postgres" always
// exists.
func (c *Cluster) URL(database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(superuser, c.password),
		Host:     "127.0.0.1:" + strconv.Itoa(c.port),
		Path:     "/" + database,
		RawQuery: "sslmode=disable",
	}
	return u.String()
}

// Port returns the server's port on the loopback address.
func (c *Cluster) Port() int { return c.port }

// Done returns a channel that is closed when the server ends. It is nil for a shared server.
func (c *Cluster) Done() <-chan struct{} {
	if c.proc == nil {
		return nil
	}
	return c.proc.Done()
}

// Stop stops the server and closes its connections. The data directory remains. Stop has no effect
// on a shared server.
func (c *Cluster) Stop() error {
	if c.proc == nil {
		return nil
	}
	defer c.lock.Close()
	return c.proc.Stop()
}

// Kill ends the server without a shutdown, like a crash. The data directory remains. Kill has no
// effect on a shared server.
func (c *Cluster) Kill() error {
	if c.proc == nil {
		return nil
	}
	defer c.lock.Close()
	return c.proc.Kill()
}
