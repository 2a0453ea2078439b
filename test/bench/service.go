package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/google/uuid"

	"taskmarket/test/bench/measure"
	"taskmarket/test/process"
)

const (
	startTimeout = 20 * time.Second
	workers      = 8 // number of connections to the service or to the database
)

// driverSettings are the same as the server's, so that floors use the same protocol.
const driverSettings = "&binary_parameters=yes&timezone=UTC"

// service is a running server with data and agents.
type service struct {
	world       *world
	proc        *process.Process
	url         string
	bare        *process.Process // the bare handlers
	bareAddress string
	web         *http.Client
	db          *sql.DB // the server's database
	callers     []caller
	board       []uuid.UUID // a sample of the public tasks
}

// newService starts a server with its own database, registers agents, fills the database, and
// chooses the data to request.
func newService(ctx context.Context, w *world, size size) (*service, error) {
	url, err := w.create(ctx, "service", "")
	if err != nil {
		return nil, err
	}
	s := &service{world: w, web: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers, DisableCompression: true /* the floor does not compress */}}}
	if s.db, err = sql.Open("postgres", url+driverSettings); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	s.db.SetMaxIdleConns(workers)
	prepare := []func() error{
		func() error { return s.start(ctx, url) },
		func() error { return s.register(ctx) },
		func() error { return s.record(ctx, size) },
		func() error { return s.choose(ctx) },
		func() error { return s.startBare(ctx, url) },
	}
	for _, step := range prepare {
		if err := step(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// start starts the server as a child process and returns when it responds.
func (s *service) start(ctx context.Context, databaseURL string) error {
	var address string
	var err error
	s.proc, address, err = s.startServer("server", serveArgument,
		serveConfig{DatabaseURL: databaseURL, RPCURL: s.world.chain.URL(), Deployment: s.world.deployment})
	if err != nil {
		return err
	}
	s.url = "http://" + address + "/api/v1"
	return s.awaitAnswer(ctx, s.proc, s.url+"/health")
}

// startBare starts the bare handlers as another child process.
func (s *service) startBare(ctx context.Context, databaseURL string) error {
	var err error
	s.bare, s.bareAddress, err = s.startServer("bare", bareArgument, serveConfig{DatabaseURL: databaseURL + driverSettings})
	if err != nil {
		return err
	}
	return s.awaitAnswer(ctx, s.bare, "http://"+s.bareAddress)
}

func freeAddress() (string, error) {
	port, err := process.FreePort()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), err
}

// startServer starts this program as another process that serves at the returned address.
func (s *service) startServer(name, argument string, config serveConfig) (proc *process.Process, address string, err error) {
	if config.Listen, err = freeAddress(); err != nil {
		return nil, "", err
	}
	text, err := json.Marshal(config)
	if err != nil {
		return nil, "", fmt.Errorf("configure the server: %w", err)
	}
	program, err := os.Executable()
	if err != nil {
		return nil, "", fmt.Errorf("find this program: %w", err)
	}
	proc, err = process.Start(process.Spec{
		Name: name, Path: program, Args: []string{argument}, Log: s.world.path(name + ".log"),
		Env: append(os.Environ(), serveVariable+"="+string(text), "GOGC=400", "GOMEMLIMIT=200MiB"),
	})
	return proc, config.Listen, err
}

// awaitAnswer returns when the process responds at the URL. It ignores the status, because the
// benchmark runs no watcher and the server is therefore unhealthy.
func (s *service) awaitAnswer(ctx context.Context, proc *process.Process, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		_, err := s.send(ctx, message{method: http.MethodGet, url: url})
		if err == nil {
			return nil
		}
		select {
		case <-proc.Done():
			return fmt.Errorf("the server ended while starting: %w: %s", proc.Err(), proc.LogTail())
		case <-ctx.Done():
			return fmt.Errorf("wait for the server: %w (last error: %w)", ctx.Err(), err)
		case <-again.C:
		}
	}
}

// memory returns the server's peak memory under load.
func (s *service) memory() (measure.Row, error) {
	const goal = 200 // in MiB
	peak, err := measure.PeakMemory(s.proc.PID())
	if err != nil {
		return measure.Row{}, err
	}
	spec := measure.Spec{Name: "server memory under load", Unit: "MiB", Goal: measure.Goal{Ratio: 1}, Peer: "floor: the goal"}
	return measure.NewRow(spec, []measure.Pair{{Floor: goal, Ours: float64(peak) / (1 << 20)}}), nil
}

// Close stops the servers.
func (s *service) Close() error {
	var errs []error
	for _, proc := range []*process.Process{s.proc, s.bare} {
		if proc != nil {
			errs = append(errs, proc.Stop())
		}
	}
	return errors.Join(append(errs, s.db.Close())...)
}
