package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"taskmarket/test/bench/measure"
)

// path returns the URL path for the next request. It can choose a random one.
type path func(*service, *rand.Rand) string

// endpoint is an endpoint with its floor: the only SQL statement that it cannot avoid. Other data
// could be cached, such as the caller, or stored as a counter, such as the length of a list.
type endpoint struct {
	name  string
	goal  float64 // maximum ratio of processor time
	share float64 // minimum share of the database's requests per second
	peer  string
	path  path
	sql   string
	args  func(*service, *rand.Rand, caller) []any
}

var endpoints = []endpoint{
	{
		name: "task by id", goal: 2.4, share: 0.3, peer: "pREST 5.7, PostGraphile 15.4",
		path: func(s *service, random *rand.Rand) string {
			return "/tasks/" + s.anyTask(random).String() + "/"
		},
		sql:  taskByID,
		args: func(s *service, random *rand.Rand, _ caller) []any { return []any{s.anyTask(random)} },
	},
	{
		name: "board list of 20", goal: 3.2, share: 0.22, peer: "pREST 10.0, PostGraphile 19.9",
		path: fixed(boardPath),
		sql:  boardPage,
		args: func(*service, *rand.Rand, caller) []any { return nil },
	},
	{
		name: "activity page of 20", goal: 3.2, share: 0.22,
		path: fixed("/activity/"),
		sql:  activityPage,
		args: func(_ *service, _ *rand.Rand, c caller) []any { return []any{c.id} },
	},
}

const boardPath = "/tasks/?scope=board"

func fixed(to string) path { return func(*service, *rand.Rand) string { return to } }

// targets returns a target for the board's last page and one for each endpoint. Processor time has
// a goal. The other rows are for information.
func (s *service) targets(size size) []measure.Target {
	targets := []measure.Target{s.depth(size.window)}
	for _, q := range endpoints {
		targets = append(targets, measure.Target{
			Name: q.name,
			Rows: []measure.Spec{
				{Name: q.name + ", CPU", Unit: "µs", Goal: measure.Goal{Ratio: q.goal}, Peer: q.peer},
				{Name: q.name + ", throughput", Unit: "requests/s", Peer: fmt.Sprintf("aim: ≥ %.2f", q.share)},
				{Name: q.name + ", p99", Unit: "ms"},
			},
			Round: func(ctx context.Context, random *rand.Rand) ([]measure.Pair, error) {
				return s.measure(ctx, q, size.window, random)
			},
		})
	}
	return targets
}

func (s *service) measure(ctx context.Context, q endpoint, window time.Duration, random *rand.Rand) ([]measure.Pair, error) {
	// Remove the dead rows in the table of rate limits, because autovacuum is off.
	if _, err := s.db.ExecContext(ctx, "VACUUM rate_limits"); err != nil {
		return nil, fmt.Errorf("vacuum the database: %w", err)
	}
	var floor, ours effort
	err := measure.RunInRandomOrder(random,
		func() (err error) { floor, err = s.queryDatabase(ctx, q, window); return err },
		func() (err error) { ours, err = s.queryService(ctx, q.path, window); return err })
	return []measure.Pair{{Floor: floor.cpu, Ours: ours.cpu}, {Floor: floor.rate, Ours: ours.rate}, {Floor: floor.p99, Ours: ours.p99}}, err
}

// queryService sends requests and measures the cost to the server and the database.
func (s *service) queryService(ctx context.Context, to path, window time.Duration) (effort, error) {
	ask := func(random *rand.Rand) error {
		path, who := to(s, random), s.callers[random.IntN(len(s.callers))]
		status, err := s.fetch(ctx, path, who.key)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("get %s: status %d: %s", path, status, s.proc.LogTail())
		}
		return err
	}
	work := make([]func(*rand.Rand) error, workers)
	for i := range work {
		work[i] = ask
	}
	return load(ctx, window, func() (time.Duration, error) {
		database, err := measure.TreeCPU(s.world.postmaster)
		own, ownErr := measure.CPU(s.proc.PID())
		return database + own, errors.Join(err, ownErr)
	}, work)
}

// queryDatabase runs the statement, prepared once per connection, and measures the cost to the
// database only, without the client.
func (s *service) queryDatabase(ctx context.Context, q endpoint, window time.Duration) (effort, error) {
	work := make([]func(*rand.Rand) error, workers)
	for i := range work {
		connection, err := s.db.Conn(ctx)
		if err != nil {
			return effort{}, fmt.Errorf("connect to the database: %w", err)
		}
		defer connection.Close()
		statement, err := connection.PrepareContext(ctx, q.sql)
		if err != nil {
			return effort{}, fmt.Errorf("prepare the statement of %s: %w", q.name, err)
		}
		defer statement.Close()
		work[i] = func(random *rand.Rand) error {
			return drain(ctx, statement, q.args(s, random, s.callers[random.IntN(len(s.callers))]))
		}
	}
	return load(ctx, window, func() (time.Duration, error) { return measure.TreeCPU(s.world.postmaster) }, work)
}

// drain reads all rows and fails if there are none.
func drain(ctx context.Context, statement *sql.Stmt, args []any) error {
	rows, err := statement.QueryContext(ctx, args...)
	if err != nil {
		return fmt.Errorf("run the statement: %w", err)
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		count++
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("run the statement: %w", err)
	}
	if count == 0 {
		return errors.New("run the statement: it returned no rows")
	}
	return nil
}
