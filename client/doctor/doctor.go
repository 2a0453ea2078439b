// Package doctor diagnoses why an agent cannot work and recommends what to do. It checks the
// configuration, the credentials, the wallet, the API and the node, and whether they contradict
// each other.
//
// It signs nothing and sends no transactions. Checks lists all checks. A check that depends on a
// failed one is skipped, so that each fault is reported once.
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
	// Options are the client's options. The checks use BaseURL, APIKey, RPCURL, Contracts,
	// InsecureHTTP, InsecureNode and Node, and replace HTTPClient and Timeout.
	Options client.Options
	// Fault is the error from reading the configuration, or nil.
	Fault error
	// FaultHint recommends what to do about Fault.
	FaultHint string
	// Wallet is the address of the agent's wallet, or the zero address if it is unknown.
	Wallet common.Address
	// Unfinished returns the commands that resume the unfinished actions in the wallet's journal.
	// It is nil if there is no journal.
	Unfinished func(ctx context.Context, wallet common.Address) ([]string, error)
	// Version is this program's version.
	Version string
	// PendingTimeout is how long a transaction may stay pending before it is reported as stuck; 5 s
	// by default.
	PendingTimeout time.Duration
	// Now returns the time on this machine's clock. If nil, time.Now is used.
	Now func() time.Time
}

// Status is the outcome of a check.
type Status string

// The possible values of Status.
const (
	OK      Status = "ok"
	Warn    Status = "warn" // works now, but may fail soon or in some cases
	Fail    Status = "fail"
	Skipped Status = "skipped" // not checked, because a required check failed or configuration is missing
)

// Result is the outcome of a check with an explanation.
type Result struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // recommended next step
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

// check is one check with its dependencies.
type check struct {
	name  string
	needs []string // names of the checks that must have ended with OK or Warn
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
		{"node-methods", []string{"node"}, (*examination).nodeMethods},
		{"node-sync", []string{"chain"}, (*examination).nodeSync},
		{"contracts", []string{"chain", "node-methods"}, (*examination).contracts},
		{"gas", []string{"wallet", "chain", "node-methods"}, (*examination).gas},
		{"tokens", []string{"wallet", "contracts"}, (*examination).tokens},
		{"transactions", []string{"wallet", "chain", "node-methods"}, (*examination).transactions},
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

// firstUnmet returns the first required result that is a failure or was skipped.
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
