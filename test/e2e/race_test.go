package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"taskmarket/chain"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	gen "taskmarket/gen/client"
	"taskmarket/test/actor"
)

const (
	// racers is the number of concurrent requests in each round of a race, half of them at each
	// server.
	racers = 50
	// usualRounds is the number of rounds of each race unless roundsVariable sets another.
	usualRounds    = 15
	roundsVariable = "TASKMARKET_TEST_ROUNDS"
	// roundTimeout is the maximum duration of a round, even on a loaded machine.
	roundTimeout = 10 * time.Second
	// busyTimeout is how long a request is repeated while a server is busy.
	busyTimeout = time.Minute
	// retryDelay is the delay before a racer repeats a request that was too early.
	retryDelay = 20 * time.Millisecond
)

// raceWorld is a world with two servers, for races of concurrent requests.
type raceWorld struct {
	*world
	rounds     int
	operations map[string]operation // operations of the OpenAPI document, by operationId
	browser    *http.Client
	outcomes   counter                        // responses to the racers, by status and error code
	busy       counter                        // responses that asked the client to retry later
	sessions   map[*chain.KeySigner]signature // each human's sessions with both servers
}

// newRaceWorld starts a world for the given number of races.
func newRaceWorld(tb testing.TB, races int) *raceWorld {
	tb.Helper()
	rounds := roundsOf(tb, usualRounds)
	a := &raceWorld{
		world: newWorldFor(tb, testTimeout+time.Duration(races*rounds)*roundTimeout), rounds: rounds,
		operations: operations(tb), sessions: make(map[*chain.KeySigner]signature),
		browser: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: racers}},
	}
	tb.Cleanup(a.browser.CloseIdleConnections)
	a.newReplica()
	return a
}

// roundsOf returns the number of rounds: the usual one, unless roundsVariable sets another.
func roundsOf(tb testing.TB, usual int) int {
	tb.Helper()
	text := os.Getenv(roundsVariable)
	if text == "" {
		return usual
	}
	rounds, err := strconv.Atoi(text)
	if err != nil || rounds < 1 {
		tb.Fatalf("%s=%q is not a number of rounds", roundsVariable, text)
	}
	return rounds
}

// counter counts by name.
type counter struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *counter) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts == nil {
		c.counts = make(map[string]int)
	}
	c.counts[name]++
}

// take returns the counts and resets them.
func (c *counter) take() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	taken := c.counts
	c.counts = nil
	return taken
}

// operation is an operation of the API document, with its method and path.
type operation struct {
	*openapi3.Operation
	method, path string
}

// operations returns the document's operations.
func operations(tb testing.TB) map[string]operation {
	tb.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("../../openapi.yaml")
	if err != nil {
		tb.Fatalf("read the API document: %v", err)
	}
	all := make(map[string]operation)
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			all[op.OperationID] = operation{Operation: op, method: method, path: path}
		}
	}
	return all
}

// run repeats a race and logs its duration.
func (a *raceWorld) run(name string, round func(n int)) {
	a.t.Helper()
	began := time.Now()
	for n := range a.rounds {
		round(n)
		if a.t.Failed() {
			a.t.Fatalf("%s: round %d", name, n)
		}
	}
	took := time.Since(began)
	a.t.Logf("%s: %d rounds in %s, %s each; answers %v; busy %v", name, a.rounds, took.Round(time.Millisecond),
		(took / time.Duration(a.rounds)).Round(time.Millisecond), a.outcomes.take(), a.busy.take())
}

// ask is a request for an operation in the OpenAPI document.
type ask struct {
	op       string   // operationId of the operation
	path     []string // values of the path parameters, in order
	body     any      // request body, sent as JSON; nil for none
	retryOn  string   // error code after which a racer retries; empty for none
	as       signature
	answered chan<- struct{} // receives an item for each response, unless it is full
}

// signature authenticates a request to the replica.
type signature func(r *replica, request *http.Request) error

// withKey authenticates an agent.
func withKey(key string) signature {
	return func(_ *replica, request *http.Request) error {
		request.Header.Set("X-API-Key", key)
		return nil
	}
}

// signedIn authenticates a human with each server.
func (a *raceWorld) signedIn(people map[*replica]*actor.Person) signature {
	return func(r *replica, request *http.Request) error {
		browser, ok := people[r].API.ClientInterface.(*gen.Client)
		if !ok {
			return errors.New("a person's API client cannot be inspected")
		}
		for _, edit := range browser.RequestEditors {
			if err := edit(request.Context(), request); err != nil {
				return err
			}
		}
		client, ok := browser.Client.(*http.Client)
		if !ok {
			return errors.New("a person's HTTP client has no cookie jar")
		}
		for _, cookie := range client.Jar.Cookies(request.URL) {
			request.AddCookie(cookie)
		}
		return nil
	}
}

// reply is the response to a racer.
type reply struct {
	racer  int
	status int
	code   string // error code; empty on success
	body   []byte
}

func (a reply) String() string { return strings.TrimSpace(strconv.Itoa(a.status) + " " + a.code) }

// runningRace is a race whose requests are in progress.
type runningRace struct {
	a        *raceWorld
	group    sync.WaitGroup
	answered chan struct{} // receives an item for each response; its capacity is the number of racers
	answers  []reply
	failures []error
}

// begin starts a race without waiting for its end.
func (a *raceWorld) begin(question func(n int) ask) *runningRace {
	h := &runningRace{a: a, answered: make(chan struct{}, racers), answers: make([]reply, racers), failures: make([]error, racers)}
	barrier := make(chan struct{})
	for n := range racers {
		own := question(n)
		own.answered = h.answered
		h.group.Go(func() {
			<-barrier
			h.answers[n], h.failures[n] = a.askWithRetry(a.replicas[n%len(a.replicas)], own)
			h.answers[n].racer = n
		})
	}
	close(barrier)
	return h
}

// midway waits for a random number of responses, between none and nearly all.
func (h *runningRace) midway() {
	for range rand.N(racers) {
		<-h.answered
	}
}

// end waits for all answers and returns them.
func (h *runningRace) end() []reply {
	h.a.t.Helper()
	h.group.Wait()
	h.a.must(errors.Join(h.failures...))
	for _, got := range h.answers {
		h.a.outcomes.add(got.String())
	}
	return h.answers
}

// side returns which of two requests a racer sends. Each server receives both kinds of requests.
func side(racer int) int { return racer / 2 % 2 }

// askWithRetry sends the request and repeats it after the requested delay if the server is busy, or
// after retryDelay if the error code is question.retryOn.
func (a *raceWorld) askWithRetry(r *replica, question ask) (reply, error) {
	for begun := time.Now(); ; {
		got, wait, err := a.ask(r, question)
		select {
		case question.answered <- struct{}{}:
		default:
		}
		switch {
		case err != nil:
			return got, err
		case got.status == http.StatusServiceUnavailable && time.Since(begun) < busyTimeout:
			a.busy.add(question.op + ": " + got.code)
		case got.code != "" && got.code == question.retryOn:
			wait = retryDelay
		default:
			return got, nil
		}
		time.Sleep(wait)
	}
}

// ask sends the request and validates its response against the document. The returned wait is the
// response's Retry-After.
func (a *raceWorld) ask(r *replica, question ask) (got reply, wait time.Duration, err error) {
	operation, known := a.operations[question.op]
	if !known {
		return reply{}, 0, fmt.Errorf("the document has no operation %q", question.op)
	}
	request, err := a.request(r, operation, question)
	if err != nil {
		return reply{}, 0, err
	}
	response, err := a.browser.Do(request)
	if err != nil {
		return reply{}, 0, err
	}
	defer response.Body.Close()
	got.status = response.StatusCode
	if got.body, err = io.ReadAll(response.Body); err != nil {
		return reply{}, 0, fmt.Errorf("%s: read the answer: %w", question.op, err)
	}
	if err := described(operation, got); err != nil {
		return reply{}, 0, fmt.Errorf("%s: %d %s: %w", question.op, got.status, got.body, err)
	}
	if got.status >= http.StatusBadRequest {
		var refusal gen.APIError
		if err := json.Unmarshal(got.body, &refusal); err != nil {
			return reply{}, 0, fmt.Errorf("%s: %w", question.op, err)
		}
		got.code = refusal.Error
	}
	if got.status == http.StatusServiceUnavailable {
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if err != nil || seconds < 1 {
			return reply{}, 0, fmt.Errorf("%s: 503 with Retry-After %q", question.op, response.Header.Get("Retry-After"))
		}
		wait = time.Duration(seconds) * time.Second
	}
	return got, wait, nil
}

// request builds the request.
func (a *raceWorld) request(r *replica, operation operation, question ask) (*http.Request, error) {
	path := operation.path
	for _, value := range question.path {
		from, to := strings.Index(path, "{"), strings.Index(path, "}")
		path = path[:from] + value + path[to+1:]
	}
	var body io.Reader
	if question.body != nil {
		raw, err := json.Marshal(question.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(a.ctx, operation.method, r.api()+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, question.as(r, request)
}

// described returns an error if a response does not match the OpenAPI document.
func described(operation operation, got reply) error {
	response := operation.Responses.Status(got.status)
	if response == nil {
		return errors.New("the document has no such status")
	}
	var value any
	if err := json.Unmarshal(got.body, &value); err != nil {
		return err
	}
	return response.Value.Content.Get("application/json").Schema.Value.VisitJSON(value)
}

// withStatus returns the answers with the status.
func withStatus(answers []reply, status int) []reply {
	return slices.DeleteFunc(slices.Clone(answers), func(a reply) bool { return a.status != status })
}

// wantOnly fails the test unless every response is one of the legal ones, such as "400
// wrong_status".
func (a *raceWorld) wantOnly(answers []reply, legal ...string) {
	a.t.Helper()
	for _, got := range answers {
		if !slices.Contains(legal, got.String()) {
			a.t.Fatalf("racer %d got %s; want one of %q; all: %v", got.racer, got.body, legal, tally(answers))
		}
	}
}

// tally counts the answers by status and code.
func tally(answers []reply) map[string]int {
	counts := make(map[string]int)
	for _, got := range answers {
		counts[got.String()]++
	}
	return counts
}

// read decodes the body of a success.
func read[T any](a *raceWorld, got reply) T {
	a.t.Helper()
	body, err := readAs[T](got)
	a.must(err)
	return body
}

// readAs is like read, but returns the error, because only the goroutine of the test can end it.
func readAs[T any](got reply) (T, error) {
	var body T
	if got.status != http.StatusOK && got.status != http.StatusCreated {
		return body, fmt.Errorf("%s: %s", got, got.body)
	}
	return body, json.Unmarshal(got.body, &body)
}
