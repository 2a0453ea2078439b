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

// service is a running server with data and agents.
type service struct {
	world   *world
	proc    *process.Process
	url     string
	web     *http.Client
	db      *sql.DB // the server's database
	callers []caller
	board   []uuid.UUID // a sample of the public tasks
	end     string      // cursor of the board's last page
}

// newService starts a server with its own database, registers agents, fills the database, and
// chooses the data to request.
func newService(ctx context.Context, w *world, size size) (*service, error) {
	url, err := w.create(ctx, "service", "")
	if err != nil {
		return nil, err
	}
	s := &service{world: w, web: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: workers}}}
	// The driver settings equal the server's, so that both use the same protocol.
	if s.db, err = sql.Open("postgres", url+"&binary_parameters=yes&timezone=UTC"); err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	s.db.SetMaxIdleConns(workers)
	prepare := []func() error{
		func() error { return s.start(ctx, url) },
		func() error { return s.register(ctx) },
		func() error { return s.record(ctx, size) },
		func() error { return s.choose(ctx) },
		func() error { return s.findEnd(ctx) },
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
	port, err := process.FreePort()
	if err != nil {
		return err
	}
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	config, err := json.Marshal(serveConfig{
		Listen: address, DatabaseURL: databaseURL, RPCURL: s.world.chain.URL(), Deployment: s.world.deployment,
	})
	if err != nil {
		return fmt.Errorf("configure the server: %w", err)
	}
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	s.proc, err = process.Start(process.Spec{
		Name: "server", Path: program, Args: []string{serveArgument}, Log: s.world.path("server.log"),
		Env: append(os.Environ(), serveVariable+"="+string(config)),
	})
	if err != nil {
		return err
	}
	s.url = "http://" + address + "/api/v1"
	return s.awaitAnswer(ctx)
}

// awaitAnswer returns when the server responds to a health request. It ignores the reported health,
// because the benchmark runs no watcher.
func (s *service) awaitAnswer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		_, err := s.fetch(ctx, "/health", "")
		if err == nil {
			return nil
		}
		select {
		case <-s.proc.Done():
			return fmt.Errorf("the server ended while starting: %w: %s", s.proc.Err(), s.proc.LogTail())
		case <-ctx.Done():
			return fmt.Errorf("wait for the server: %w (last answer: %w)", ctx.Err(), err)
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

// Close stops the server.
func (s *service) Close() error {
	var errs []error
	if s.proc != nil {
		errs = append(errs, s.proc.Stop())
	}
	return errors.Join(append(errs, s.db.Close())...)
}
