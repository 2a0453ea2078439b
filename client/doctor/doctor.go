// Package doctor finds what prevents an agent from working and recommends what to do: in its
// configuration, its credentials and its wallet, at the API, at the node, and where they contradict
// each other.
//
// It signs nothing and sends nothing. Checks lists all checks. A check that depends on a failed one
// is skipped, so that each fault is reported once.
package doctor

import (
	"context"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client"
)

// Setup is the configuration to check; it may be incomplete.
type Setup struct {
	// Options are the client's: BaseURL, APIKey, RPCURL and Contracts.
	Options client.Options
	// Fault is the error of reading the configuration; nil for none.
	Fault error
	// FaultHint is what to do about Fault.
	FaultHint string
	// Wallet is the agent's, the zero address if it is unknown.
	Wallet common.Address
	// Unfinished returns the actions under way in the wallet's journal, as the commands that resume
	// them. Nil: no journal.
	Unfinished func(ctx context.Context, wallet common.Address) ([]string, error)
	// Version of this program.
	Version string
	// PendingTimeout is how long a pending transaction is watched before it counts as stuck; 5 s by
	// default.
	PendingTimeout time.Duration
	// Now is this machine's clock; time.Now if nil.
	Now func() time.Time
}

// Status is the result of a check.
type Status string

// The statuses.
const (
	OK      Status = "ok"
	Warn    Status = "warn" // works, but not for long or not for everything
	Fail    Status = "fail"
	Skipped Status = "skipped" // depends on a failed check or on missing configuration
)

// Result is the result of a check.
type Result struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to do next
}

// finding is a result without the check's name.
type finding struct {
	status  Status
	message string
	hint    string
}

func ok(message string) finding         { return finding{OK, message, ""} }
func warn(message, hint string) finding { return finding{Warn, message, hint} }
func fail(message, hint string) finding { return finding{Fail, message, hint} }
func skip(message string) finding       { return finding{Skipped, message, ""} }

// check is one check.
type check struct {
	name  string
	needs []string // checks that this one depends on; a warning does not count as a failure
	run   func(*examination, context.Context) finding
}

// checks returns all checks, in the order of their dependencies.
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
	defaultPendingTimeout = 5 * time.Second
	requestTimeout        = 10 * time.Second
)

// Examine runs all checks.
func Examine(ctx context.Context, s Setup) []Result {
	if s.PendingTimeout <= 0 {
		s.PendingTimeout = defaultPendingTimeout
	}
	if s.Now == nil {
		s.Now = time.Now
	}
	e := &examination{Setup: s}
	defer e.close()
	var results []Result
	for _, c := range checks() {
		f := finding{}
		if missing := firstUnmet(results, c.needs); missing != nil {
			f = skip("not checked: depends on " + missing.Name + ", which " + verb(missing.Status))
		} else {
			f = c.run(e, ctx)
		}
		results = append(results, Result{c.name, f.status, f.message, f.hint})
	}
	return results
}

// firstUnmet returns the first of the needed results that failed or was skipped.
func firstUnmet(results []Result, needs []string) *Result {
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

// Failed reports whether any check failed.
func Failed(results []Result) bool {
	return slices.ContainsFunc(results, func(r Result) bool { return r.Status == Fail })
}
