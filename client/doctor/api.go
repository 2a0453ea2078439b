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

// examination contains the state that the checks share.
type examination struct {
	Setup

	client  *client.Client
	clocks  *listener
	health  client.Health
	config  client.ContractsConfig
	account *client.Account // nil until the API has accepted the key
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
	return ok("read without errors")
}

// listener records the time on the API's clock, from the Date header of a response. If a request gets
// no response, it passes the error to away.
type listener struct {
	next http.RoundTripper
	now  func() time.Time
	away func(error)

	mu      sync.Mutex
	date    time.Time     // Date header of the last response, truncated to the second
	at      time.Time     // when the request was sent, by this machine's clock
	elapsed time.Duration // time until the response arrived
}

// RoundTrip implements http.RoundTripper.
func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	at, began := l.now(), time.Now()
	response, err := l.next.RoundTrip(r)
	if err != nil {
		l.away(err)
		return nil, err
	}
	if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		l.mu.Lock()
		l.date, l.at, l.elapsed = date, at, time.Since(began)
		l.mu.Unlock()
	}
	return response, nil
}

// ahead returns how far this machine's clock is ahead of the API's (negative if it is behind), and
// the uncertainty of that value. measured is false if no response had a Date header.
func (l *listener) ahead() (ahead, sure time.Duration, measured bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.date.IsZero() {
		return 0, 0, false
	}
	// The API created the Date header between request and response, truncated to the second. The
	// midpoint of each interval is the best estimate.
	return l.at.Add(l.elapsed / 2).Sub(l.date.Add(time.Second / 2)), l.elapsed/2 + time.Second/2, true
}

// api connects to the API and reads the service's health and the configuration of the contracts.
func (e *examination) api(ctx context.Context) finding {
	if e.Options.BaseURL == "" {
		return fail("no API is configured", "set TASKMARKET_API_URL to the market's API, such as https://market.example/api/v1")
	}
	// Stop after the first failed request instead of letting the client retry: users expect a quick
	// diagnosis.
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	options := e.Options
	e.clocks = &listener{next: http.DefaultTransport, now: e.Now, away: giveUp}
	options.HTTPClient, options.Timeout = &http.Client{Transport: e.clocks}, requestTimeout
	var err error
	if e.client, err = client.New(options); err != nil {
		return fail(err.Error(), "correct TASKMARKET_API_URL; `taskmarket config` shows where it is set")
	}
	if e.health, err = e.client.Health(ctx); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return fail("the health of the service cannot be read: "+err.Error(), "check TASKMARKET_API_URL and your connection; "+
			"`taskmarket rescue` withdraws money from the contracts without the API")
	}
	state := healthOf(e.health)
	if state.status == Fail {
		return state
	}
	if e.config, err = e.client.Config(ctx); err != nil {
		return fail("the configuration of the contracts cannot be read: "+err.Error(), "check that TASKMARKET_API_URL is a market's API")
	}
	state.message += e.lag()
	return state
}

func (e *examination) lag() string {
	if seconds := e.health.Chain.LagSeconds; seconds != nil && *seconds > 0 {
		return fmt.Sprintf("; %d s behind the chain", *seconds)
	}
	return ""
}

// majorPattern captures the major number in a version such as v2.1.0.
var majorPattern = regexp.MustCompile(`^v?(\d+)\.\d+\.\d+`)

func major(version string) string {
	if parts := majorPattern.FindStringSubmatch(version); parts != nil {
		return parts[1]
	}
	return ""
}

// apiVersion compares this program's version with the API's. Programs with the same major version
// are compatible. Versions that are not releases, such as "dev", are not compared.
func (e *examination) apiVersion(context.Context) finding {
	theirs, ours := major(e.health.Version), major(e.Version)
	text := fmt.Sprintf("the API has version %s, and this program has version %s", e.health.Version, e.Version)
	if theirs != "" && ours != "" && theirs != ours {
		return fail(text, "install a release of this program with the same major version as the API")
	}
	return ok(text)
}

// Thresholds for the error of this machine's clock. The error shifts deadlines that are given as
// durations, and can make TLS connections fail. A clock that is ahead also makes new permits valid for
// longer. Challenges are not affected, because they expire by the API's clock.
const (
	clockWarns = 30 * time.Second
	clockFails = 5 * time.Minute
)

func (e *examination) clock(context.Context) finding {
	ahead, sure, measured := e.clocks.ahead()
	if !measured {
		return skip("the API did not return its time")
	}
	off := ahead.Abs() - sure
	if off <= clockWarns {
		return ok(fmt.Sprintf("within %s of the API's clock", clockWarns))
	}
	side := "ahead of"
	if ahead < 0 {
		side = "behind"
	}
	text := fmt.Sprintf("%s %s the API's clock", ahead.Abs().Round(time.Second), side)
	const hint = "synchronize the clock (NTP): otherwise deadlines given as durations are wrong, and connections may be refused"
	if off > clockFails {
		return fail(text, hint)
	}
	return warn(text, hint)
}

func (e *examination) apiKey(ctx context.Context) finding {
	if e.Options.APIKey == "" {
		return fail("no API key is configured", "run `taskmarket register` to create one, or set TASKMARKET_API_KEY_FILE to the file with an existing key")
	}
	account, err := e.client.Me(ctx)
	if refused, is := errors.AsType[*client.APIError](err); is && refused.Status == http.StatusUnauthorized {
		return fail("the API rejects the key: it was replaced, it is incomplete, or it belongs to another market",
			"set the current key; if it is lost, run `taskmarket recover-key`")
	}
	if err != nil {
		return fail("the key cannot be checked: "+err.Error(), "try again later")
	}
	e.account = &account
	return ok("the key of " + account.Username)
}

func (e *examination) verified(context.Context) finding {
	if e.account.IsVerified {
		return ok("linked" + asHandle(e.account.Handle))
	}
	return fail("the account is not verified and cannot post tasks",
		"run `taskmarket verify` for the text to post, then `taskmarket verify URL` with the URL of the post")
}

func asHandle(handle *string) string {
	if handle == nil {
		return ""
	}
	return " to " + strings.TrimSpace(*handle)
}
