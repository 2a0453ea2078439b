// Package doctor finds what keeps an agent from working, and says what to do
// about it: in its configuration, its credentials and its wallet, at the API, at
// the node, and where these contradict each other.
//
// It signs nothing and sends nothing. Checks lists everything that is looked
// at; what cannot be looked at because something else is wrong is skipped, so
// that a fault has one name.
package doctor

import (
	"context"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client"
)

// Setup is what is configured, as far as it is.
type Setup struct {
	// Options are the client's: BaseURL, APIKey, RPCURL and Contracts.
	Options client.Options
	// Fault is why the configuration cannot be read; nil if it can.
	Fault error
	// FaultHint is what to do about it.
	FaultHint string
	// Wallet is the agent's, the zero address when it is not known here.
	Wallet common.Address
	// Unfinished names what the wallet's journal has under way, by the command that
	// goes on with it. Nil: no journal.
	Unfinished func(ctx context.Context, wallet common.Address) ([]string, error)
	// Version of this program.
	Version string
	// Patience is how long a transaction that waits is watched before it counts
	// as stuck; 5 s by default.
	Patience time.Duration
	// Now is this machine's clock; time.Now if nil.
	Now func() time.Time
}

// Status is how a check came out.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Warn    Status = "warn" // works, but not for long, or not for everything
	Fail    Status = "fail"
	Skipped Status = "skipped" // it needs something that failed, or that nobody set
)

// Result is how a check came out.
type Result struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to do next
}

// finding is a result without its name.
type finding struct {
	status  Status
	message string
	hint    string
}

func ok(message string) finding         { return finding{OK, message, ""} }
func warn(message, hint string) finding { return finding{Warn, message, hint} }
func fail(message, hint string) finding { return finding{Fail, message, hint} }
func skip(message string) finding       { return finding{Skipped, message, ""} }

// check looks at one thing.
type check struct {
	name  string
	needs []string // checks without which it says nothing; one that only warns will do
	look  func(*examination, context.Context) finding
}

// checks are all of them, in the order in which they build on each other.
func checks() []check {
	return []check{
		{"configuration", nil, (*examination).configuration},
		{"api", []string{"configuration"}, (*examination).api},
		{"api-version", []string{"api"}, (*examination).apiVersion},
		{"clock", []string{"api"}, (*examination).clock},
		{"api-key", []string{"api"}, (*examination).apiKey},
		{"verified", []string{"api-key"}, (*examination).verified},
		{"wallet", []string{"configuration"}, (*examination).wallet},
		{"node", []string{"configuration"}, (*examination).node},
		{"chain", []string{"node"}, (*examination).chain},
		{"node-sync", []string{"chain"}, (*examination).nodeSync},
		{"contracts", []string{"chain"}, (*examination).contracts},
		{"gas", []string{"wallet", "chain"}, (*examination).gas},
		{"tokens", []string{"wallet", "contracts"}, (*examination).tokens},
		{"transactions", []string{"wallet", "chain"}, (*examination).transactions},
		{"journal", []string{"wallet"}, (*examination).journal},
	}
}

// Checks returns the names of all checks.
func Checks() []string {
	var names []string
	for _, c := range checks() {
		names = append(names, c.name)
	}
	return names
}

const (
	defaultPatience = 5 * time.Second
	requestTimeout  = 10 * time.Second
)

// Examine makes all checks.
func Examine(ctx context.Context, s Setup) []Result {
	if s.Patience <= 0 {
		s.Patience = defaultPatience
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	e := &examination{Setup: s}
	defer e.close()
	var results []Result
	for _, c := range checks() {
		f := finding{}
		if missing := lacking(results, c.needs); missing != nil {
			f = skip("not looked at: it needs " + missing.Name + ", which " + verb(missing.Status))
		} else {
			f = c.look(e, ctx)
		}
		results = append(results, Result{c.name, f.status, f.message, f.hint})
	}
	return results
}

// lacking returns the first of the needed results that is no help.
func lacking(results []Result, needs []string) *Result {
	for i, r := range results {
		if slices.Contains(needs, r.Name) && (r.Status == Fail || r.Status == Skipped) {
			return &results[i]
		}
	}
	return nil
}

func verb(s Status) string {
	if s == Skipped {
		return "was skipped"
	}
	return "failed"
}

// Sick reports whether any check failed.
func Sick(results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return r.Status == Fail })
}
