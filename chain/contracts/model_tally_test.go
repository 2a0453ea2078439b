package contracts_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
)

// tally counts the actions and errors of all sequences.
type tally struct {
	sequences          uint64
	actions, probes    int
	answers, logs      int // number of values and logs compared with the model's
	permissions, folds int
	done, refused      map[string]int // numbers of successful and rejected actions, by kind
	reasons            map[string]int // numbers of errors, by the error's name
}

func newTally() *tally {
	return &tally{done: make(map[string]int), refused: make(map[string]int), reasons: make(map[string]int)}
}

func (c *tally) add(a action) {
	c.actions++
	c.reasons[a.reason()]++
	if a.refusal == "" {
		c.done[a.kind]++
	} else {
		c.refused[a.kind]++
	}
}

// neverDone lists the kinds of actions that always fail.
var neverDone = []string{"renounce ownership", "move a stake"}

// unseen lists the errors that no account can cause in this test, each with the reason.
var unseen = map[string]string{
	"InvalidShortString":           "only the constructor's names could be too long",
	"StringTooLong":                "only the constructor's names could be too long",
	"OwnableInvalidOwner":          "only the constructor returns it",
	"ZeroAddress":                  "only the constructor returns it",
	"ReentrancyGuardReentrantCall": "the token makes no calls",
	"TransferMismatch":             "the token takes no fee",
	"SafeERC20FailedOperation":     "the token reverts rather than returning false",
	"StakeNotActivated":            "the escrow ends a task once",
}

// requireAll fails if a kind of action never succeeded, or an error never occurred.
func (c *tally) requireAll(t *testing.T) {
	t.Helper()
	for _, kind := range slices.Sorted(maps.Keys(c.refused)) {
		if c.done[kind] == 0 && !slices.Contains(neverDone, kind) {
			t.Errorf("%q never succeeded", kind)
		}
	}
	for _, contract := range []*abi.ABI{escrowABI, stakingABI} {
		for name := range contract.Errors {
			if _, excused := unseen[name]; !excused && c.reasons[name] == 0 {
				t.Errorf("the error %s never occurred", name)
			}
		}
	}
}

func (c *tally) report(t *testing.T) {
	t.Helper()
	var lines []string
	kinds := maps.Clone(c.done)
	maps.Copy(kinds, c.refused)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		n := c.done[kind] + c.refused[kind]
		lines = append(lines, fmt.Sprintf("%-22s %5.1f %%  done %6d  refused %6d", kind, 100*float64(n)/float64(c.actions), c.done[kind], c.refused[kind]))
	}
	for _, reason := range slices.Sorted(maps.Keys(c.reasons)) {
		lines = append(lines, fmt.Sprintf("%-30s %7d", orAllowed(reason), c.reasons[reason]))
	}
	t.Logf("%d sequences: %d actions and %d simulated calls; compared %d answers, %d logs, %d permissions; %d folds\n%s",
		c.sequences, c.actions, c.probes, c.answers, c.logs, c.permissions, c.folds, strings.Join(lines, "\n"))
}
