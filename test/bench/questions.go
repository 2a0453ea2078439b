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
	"taskmarket/test/process"
)

// endpoint is an endpoint of the API with the one SQL statement that it must run. Its floor is the bare
// handler of this statement.
type endpoint struct {
	name   string
	goal   float64 // maximum ratio of processor time to that of the bare handler
	peer   string  // processor time of peers, as a multiple of that of the statement
	method string
	status int                                       // of a successful response
	path   func(*service, *rand.Rand, caller) string // URL path of the next request; it can be a random one
	body   string                                    // JSON; empty for none
	sql    string
	args   func(*service, *rand.Rand, caller) []any // arguments of sql
}

var endpoints = []endpoint{
	{
		name: "task by id", goal: 1.7, peer: "pREST 5.7, PostGraphile 15.4",
		method: http.MethodGet, status: http.StatusOK,
		path: func(s *service, random *rand.Rand, _ caller) string {
			return "/tasks/" + s.anyTask(random).String() + "/"
		},
		sql:  taskByID,
		args: func(s *service, random *rand.Rand, _ caller) []any { return []any{s.anyTask(random)} },
	},
	{
		name: "board list of 20", goal: 1.4, peer: "pREST 10.0, PostGraphile 19.9",
		method: http.MethodGet, status: http.StatusOK,
		path: fixed(boardPath),
		sql:  boardPage,
		args: func(*service, *rand.Rand, caller) []any { return nil },
	},
	{
		name: "activity page of 20", goal: 1.6,
		method: http.MethodGet, status: http.StatusOK,
		path: fixed("/activity/"),
		sql:  activityPage,
		args: func(_ *service, _ *rand.Rand, c caller) []any { return []any{c.id} },
	},
	{
		name: "posting a message", goal: 1.6, peer: "pREST 2.5, PostGraphile 9.6",
		method: http.MethodPost, status: http.StatusCreated,
		path: func(_ *service, random *rand.Rand, c caller) string {
			return "/tasks/" + c.anyAssigned(random).String() + "/messages/"
		},
		body: `{"content":"` + messageText + `"}`,
		sql:  postMessage,
		args: postMessageArgs,
	},
}

const (
	boardPath   = "/tasks/?scope=board"
	messageText = "I am at the shop window now. The light is good, so I will upload the picture in ten minutes."
)

func fixed(to string) func(*service, *rand.Rand, caller) string {
	return func(*service, *rand.Rand, caller) string { return to }
}

// targets returns a target for each endpoint. The processor time has a goal, as a multiple of that of the bare
// handler, which runs the same statement with the same libraries and without our code.
func (s *service) targets(window time.Duration) []measure.Target {
	var targets []measure.Target
	for _, q := range endpoints {
		targets = append(targets, measure.Target{
			Name: q.name,
			Rows: []measure.Spec{
				{Name: q.name + ", CPU", Unit: "µs", Goal: measure.Goal{Ratio: q.goal}},
				{Name: q.name + ", CPU / statement", Unit: "µs", Peer: q.peer},
			},
			Round: func(ctx context.Context, random *rand.Rand) ([]measure.Pair, error) {
				return s.measure(ctx, q, window, random)
			},
		})
	}
	return targets
}

func (s *service) measure(ctx context.Context, q endpoint, window time.Duration, random *rand.Rand) ([]measure.Pair, error) {
	// Remove dead rows, because autovacuum is off.
	if _, err := s.db.ExecContext(ctx, "VACUUM rate_limits"); err != nil {
		return nil, fmt.Errorf("vacuum the database: %w", err)
	}
	var statement, bare, ours float64
	err := measure.RunInRandomOrder(random,
		func() (err error) { statement, err = s.queryDatabase(ctx, q, window); return err },
		func() (err error) { bare, err = s.queryBare(ctx, q, window); return err },
		func() (err error) { ours, err = s.queryService(ctx, q, window); return err })
	return []measure.Pair{{Floor: bare, Ours: ours}, {Floor: statement, Ours: ours}}, err
}

// queryService sends requests and measures the cost to the server and the database.
func (s *service) queryService(ctx context.Context, q endpoint, window time.Duration) (cpu float64, err error) {
	return s.request(ctx, q.status, s.proc, window, func(random *rand.Rand, c caller) message {
		return message{method: q.method, url: s.url + q.path(s, random, c), key: c.key, body: q.body}
	})
}

// request sends requests from random callers to a process, and measures what they cost the process and
// the database.
func (s *service) request(
	ctx context.Context, want int, to *process.Process, window time.Duration, next func(*rand.Rand, caller) message,
) (cpu float64, err error) {
	ask := func(random *rand.Rand) error {
		m := next(random, s.callers[random.IntN(len(s.callers))])
		status, err := s.send(ctx, m)
		if err == nil && status != want {
			err = fmt.Errorf("%s %s: status %d: %s", m.method, m.url, status, to.LogTail())
		}
		return err
	}
	work := make([]func(*rand.Rand) error, workers)
	for i := range work {
		work[i] = ask
	}
	return load(ctx, window, func() (time.Duration, error) {
		database, err := measure.TreeCPU(s.world.postmaster)
		target, targetErr := measure.CPU(to.PID())
		return database + target, errors.Join(err, targetErr)
	}, work)
}

// queryDatabase runs the statement, prepared once per connection, and measures the cost to the
// database only, without the client.
func (s *service) queryDatabase(ctx context.Context, q endpoint, window time.Duration) (cpu float64, err error) {
	work := make([]func(*rand.Rand) error, workers)
	for i := range work {
		connection, err := s.db.Conn(ctx)
		if err != nil {
			return 0, fmt.Errorf("connect to the database: %w", err)
		}
		defer connection.Close()
		statement, err := connection.PrepareContext(ctx, q.sql)
		if err != nil {
			return 0, fmt.Errorf("prepare the statement of %s: %w", q.name, err)
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
