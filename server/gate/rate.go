package gate

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// rate is an operation's x-rate-limit: a token bucket.
type rate struct {
	Period      time.Duration // time in which Count tokens are added to the bucket
	Count       int64
	Burst       int  // capacity of the bucket in tokens
	ByPrincipal bool // true: one bucket per caller; false: one per client address
	Shared      bool // true: counted in the database, for all servers together; false: in the memory of each server
}

// interval is the time in which one token is added.
func (r rate) interval() time.Duration { return r.Period / time.Duration(r.Count) }

// times returns the rate for n clients together.
func (r rate) times(n int) rate {
	r.Count = min(r.Count*int64(n), int64(r.Period/minInterval))
	r.Burst *= n
	return r
}

// String formats the rate for display, as in "300/min, burst 60".
func (r rate) String() string {
	unit := map[time.Duration]string{time.Second: "s", time.Minute: "min", time.Hour: "hour"}[r.Period]
	if unit == "" {
		unit = r.Period.String()
	}
	return fmt.Sprintf("%d/%s, burst %d", r.Count, unit, r.Burst)
}

// readRate parses x-rate-limit, as in { rate: 300/min, burst: 60, by: ip, store: local }.
func readRate(extension any) (rate, error) {
	var raw struct {
		Rate  string `json:"rate"`
		Burst int    `json:"burst"`
		By    string `json:"by"`
		Store string `json:"store"`
	}
	if err := readExtension(extension, &raw); err != nil {
		return rate{}, err
	}
	count, period, err := parseRate(raw.Rate)
	if err != nil {
		return rate{}, err
	}
	switch {
	case raw.Burst < 1:
		return rate{}, fmt.Errorf("burst %d is not positive", raw.Burst)
	case raw.By != "ip" && raw.By != "principal":
		return rate{}, fmt.Errorf("by %q is neither ip nor principal", raw.By)
	case raw.Store != "local" && raw.Store != "shared":
		return rate{}, fmt.Errorf("store %q is neither local nor shared", raw.Store)
	}
	if err := (Limit{Count: count, Period: period, Burst: raw.Burst}).check(); err != nil {
		return rate{}, err
	}
	return rate{Period: period, Count: count, Burst: raw.Burst, ByPrincipal: raw.By == "principal", Shared: raw.Store == "shared"}, nil
}

// parseRate parses a rate as written in openapi.yaml: "6/min", "10/s", "5/hour".
func parseRate(text string) (count int64, period time.Duration, err error) {
	number, unit, _ := strings.Cut(text, "/")
	count, err = strconv.ParseInt(number, 10, 32)
	if err != nil || count < 1 {
		return 0, 0, fmt.Errorf("rate %q does not begin with a positive number", text)
	}
	switch unit {
	case "s":
		return count, time.Second, nil
	case "min":
		return count, time.Minute, nil
	case "hour":
		return count, time.Hour, nil
	}
	return 0, 0, fmt.Errorf("rate %q is not per s, min or hour", text)
}

// Limit is a configured override of an operation's rate and burst.
type Limit struct {
	Count  int64 // number of requests per Period
	Period time.Duration
	Burst  int
}

// ParseLimit parses a limit as rate:burst, for example 60/min:20.
func ParseLimit(text string) (Limit, error) {
	rateText, burstText, _ := strings.Cut(text, ":")
	count, period, err := parseRate(rateText)
	if err != nil {
		return Limit{}, err
	}
	burst, err := strconv.ParseInt(burstText, 10, 32)
	if err != nil {
		return Limit{}, fmt.Errorf("limit %q does not end with :burst, for example 60/min:20", text)
	}
	limit := Limit{Count: count, Period: period, Burst: int(burst)}
	return limit, limit.check()
}

// Bounds of a limit. The database counts whole microseconds, so the highest rate is one request per
// microsecond: 60,000,000/min. A bucket that takes more than a year to refill is a mistake, and a
// much longer time would overflow.
const (
	minInterval = time.Microsecond
	maxRefill   = 365 * 24 * time.Hour
)

func (l Limit) check() error {
	if l.Count < 1 || l.Burst < 1 || l.Period <= 0 {
		return fmt.Errorf("count, period and burst must be positive")
	}
	interval := l.Period / time.Duration(l.Count)
	if interval < minInterval {
		return fmt.Errorf("%d requests in %s are too many: the maximum is %d", l.Count, l.Period, l.Period/minInterval)
	}
	if maxBurst := int64(maxRefill / interval); int64(l.Burst) > maxBurst {
		return fmt.Errorf("a burst of %d is too large for %d requests in %s: the maximum is %d", l.Burst, l.Count, l.Period, maxBurst)
	}
	return nil
}

// Configuration names of the limits that belong to no operation.
const (
	PagesID    = "readPages"          // documents outside the API, such as the guides
	AppID      = "readApp"            // the files of the web app
	ToolsID    = "callTools"          // requests to the MCP tools
	refusalsID = "refusedCredentials" // requests with rejected credentials: see Gate.refuse
	unprovenID = "unprovenSignatures" // signatures that are wrong or that a node checks, and first sign-ins: see Charge
	signInsID  = "signIns"            // sign-ins of a wallet: see ChargeSignIn
	// ReadinessID is GET /readyz, which queries the database.
	ReadinessID = "readReadiness"
)

var besideOperations = map[string]rate{
	PagesID: anonymousRate, AppID: appRate, ToolsID: anonymousRate, refusalsID: anonymousRate, ReadinessID: anonymousRate,
	unprovenID: unprovenRate, signInsID: signInsRate,
}

// appRate limits the requests from a client address for the app's files. One page loads about
// twenty files.
var appRate = rate{Count: 1200, Period: time.Minute, Burst: 300}

// anonymousRate limits the requests from a client address to paths outside the API, and those with
// rejected credentials.
var anonymousRate = rate{Count: 300, Period: time.Minute, Burst: 60}

// unprovenRate limits the requests that Charge counts, on all servers together.
var unprovenRate = rate{Count: 10, Period: time.Minute, Burst: 5, Shared: true}

// signInsRate limits the sign-ins of a wallet, on all servers together.
var signInsRate = rate{Count: 1, Period: time.Minute, Burst: 20, Shared: true}

// override applies the configured limits to the operations. An operation without its own configured
// limit uses the limit for "*", if there is one.
func override(operations map[string]*Operation, limits map[string]Limit) error {
	for id, limit := range limits {
		if err := limit.check(); err != nil {
			return fmt.Errorf("limit of %s: %w", id, err)
		}
		_, ok := operations[id]
		if _, beside := besideOperations[id]; !ok && !beside && id != "*" {
			return fmt.Errorf("limit of %s: unknown operation", id)
		}
	}
	for id, op := range operations {
		op.Rate = op.Rate.overridden(id, limits)
	}
	return nil
}

// overridden returns the rate with the limit that is configured for the id, if any.
func (r rate) overridden(id string, limits map[string]Limit) rate {
	limit, ok := limits[id]
	if !ok {
		limit, ok = limits["*"]
	}
	if ok {
		r.Count, r.Period, r.Burst = limit.Count, limit.Period, limit.Burst
	}
	return r
}
