package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"taskmarket/client"
)

// examination is the state of the checks.
type examination struct {
	Setup

	client  *client.Client
	heard   *listener
	health  client.Health
	config  client.ContractsConfig
	account *client.Account // nil until the key is accepted
	patient
}

func (e *examination) close() {
	if e.client != nil {
		e.client.Close()
	}
	e.patient.close()
}

func (e *examination) configuration(context.Context) finding {
	if e.Fault != nil {
		return fail(e.Fault.Error(), e.FaultHint)
	}
	return ok("it can be read, and by you alone")
}

// listener notes what the API's clock shows, from the Date header of an answer,
// and reports when no answer came.
type listener struct {
	next http.RoundTripper
	now  func() time.Time
	away func(error)

	mu   sync.Mutex
	date time.Time     // of the last answer, to the second
	at   time.Time     // listener records the API's clock, from the Date header of a response, and whether a request got no response.
	took time.Duration // when the request was sent, by our clock
}

// until the response came
func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	at, began := l.now(), time.Now()
	response, err := l.next.RoundTrip(r)
	if err != nil {
		l.away(err)
		return nil, err
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		l.mu.Lock()
		l.date, l.at, l.took = date, at, time.Since(began)
		l.mu.Unlock()
	}
	return response, nil
}

// ahead returns how far our clock is ahead of the API's, and the error of that; known is false if
// no response had a date.
func (l *listener) ahead() (ahead, sure time.Duration, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.date.IsZero() {
		return 0, 0, false
	}
	// The date was truncated to the second, at some time between request and response.
	return l.at.Add(l.took / 2).Sub(l.date.Add(time.Second / 2)), l.took/2 + time.Second/2, true
}

// api connects and reads the service's health.
func (e *examination) api(ctx context.Context) finding {
	if e.Options.BaseURL == "" {
		return fail("no API is configured", "set TASKMARKET_API_URL to the address that the market gives, as in https://market.example/api/v1")
	}
	// The client would retry for some time, but the user has usually tried already.
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	options := e.Options
	e.heard = &listener{next: http.DefaultTransport, now: e.Now, away: giveUp}
	options.HTTPClient, options.Timeout = &http.Client{Transport: e.heard}, requestTimeout
	var err error
	if e.client, err = client.New(options); err != nil {
		return fail(err.Error(), "correct TASKMARKET_API_URL; `taskmarket config` shows where it is set")
	}
	if e.health, err = e.client.Health(ctx); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return fail("it does not answer: "+err.Error(), "check the address and your connection; "+
			"what the contracts hold can be got without it: `taskmarket rescue`")
	}
	state := healthOf(e.health)
	if state.status == Fail {
		return state
	}
	if e.config, err = e.client.Config(ctx); err != nil {
		return fail("its configuration does not name the contracts: "+err.Error(), "check that the address is a market's API")
	}
	state.message += e.lag()
	return state
}

func (e *examination) lag() string {
	if seconds := e.health.Chain.LagSeconds; seconds != nil && *seconds > 0 {
		return fmt.Sprintf("; it follows the chain %d s behind", *seconds)
	}
	return ""
}

// majorPattern matches the first number of a version such as v2.1.0.
var majorPattern = regexp.MustCompile(`^v?(\d+)\.\d+\.\d+`)

func major(version string) string {
	if parts := majorPattern.FindStringSubmatch(version); parts != nil {
		return parts[1]
	}
	return ""
}

// apiVersion compares the two versions. Versions other than releases, such as "dev", are not
// compared. Within a major version old programs work.
func (e *examination) apiVersion(context.Context) finding {
	theirs, ours := major(e.health.Version), major(e.Version)
	said := fmt.Sprintf("the API is %s, this program is %s", e.health.Version, e.Version)
	if theirs != "" && ours != "" && theirs != ours {
		return fail(said, "get the release of this program that begins with the API's first number")
	}
	return ok(said)
}

// Thresholds for this machine's clock. It measures durations, deadlines and the time since a stream
// ended. Other machines' clocks decide about a challenge, which is valid for ten minutes, and a
// permit, which is valid for an hour.
const (
	clockWarns = 30 * time.Second
	clockFails = 5 * time.Minute
)

func (e *examination) clock(context.Context) finding {
	ahead, sure, known := e.heard.ahead()
	if !known {
		return skip("the API did not return its time")
	}
	off := ahead.Abs() - sure
	if off <= clockWarns {
		return ok(fmt.Sprintf("it agrees with the API's within %s", clockWarns))
	}
	side := "ahead of"
	if ahead < 0 {
		side = "behind"
	}
	said := fmt.Sprintf("it is %s %s the API's", ahead.Abs().Round(time.Second), side)
	const hint = "set the clock, best by a time service: deadlines given as durations come out wrong, and connections may be refused"
	if off > clockFails {
		return fail(said, hint)
	}
	return warn(said, hint)
}

func (e *examination) apiKey(ctx context.Context) finding {
	if e.Options.APIKey == "" {
		return fail("no API key is configured", "`taskmarket register` makes one; set an agent's key with TASKMARKET_API_KEY_FILE")
	}
	account, err := e.client.Me(ctx)
	if refused, is := errors.AsType[*client.APIError](err); is && refused.Status == http.StatusUnauthorized {
		return fail("the API does not know the key: it was replaced, or belongs to another market",
			"set the key in force; if it is lost, get a new one with `taskmarket recover-key`")
	}
	if err != nil {
		return fail("it cannot be tried: "+err.Error(), "try again")
	}
	e.account = &account
	return ok("it is the key of " + account.Username)
}

func (e *examination) verified(context.Context) finding {
	if e.account.IsVerified {
		return ok("the account is linked" + asHandle(e.account.Handle))
	}
	return fail("the account is not verified, so it can post no tasks",
		"`taskmarket verify` says what to post, and where; then `taskmarket verify URL` with the post's address")
}

func asHandle(handle *string) string {
	if handle == nil {
		return ""
	}
	return " to " + strings.TrimSpace(*handle)
}
