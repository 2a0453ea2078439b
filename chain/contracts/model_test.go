package contracts_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/market"
)

const (
	steps    = 30  // number of actions in a sequence
	probes   = 4   // number of simulated calls after each action
	perChain = 20  // sequences per anvil process, which stores all blocks in memory
	enough   = 100 // number of sequences after which every kind of action and every error must have occurred
)

// setting reads a number from the environment. TASKMARKET_TEST_SEQUENCES is the number of
// sequences, for example 1000 for a long run with -timeout 30m. TASKMARKET_TEST_SEED selects the
// sequences.
func setting(t *testing.T, name, otherwise string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(cmp.Or(os.Getenv(name), otherwise), 10, 64)
	must(t, err)
	return n
}

// TestRulesAreTheContracts runs random sequences of actions through the model and through the
// contracts on a chain:
//
//  1. After each action, the error or the logs, the contracts' state and all balances must equal
//     the model's.
//  2. At the end of each sequence, the state derived from the logs, as read by the watcher, must
//     equal the contracts' state.
//
// A failure prints the command that runs the sequence again.
func TestRulesAreTheContracts(t *testing.T) {
	total, n := newTally(), setting(t, "TASKMARKET_TEST_SEQUENCES", "100")
	seed := setting(t, "TASKMARKET_TEST_SEED", "1")
	for first := uint64(0); first < n; first += perChain {
		t.Run(fmt.Sprintf("from %d", first), func(t *testing.T) {
			r := newRig(t)
			for number := first; number < min(first+perChain, n); number++ {
				t.Run(strconv.FormatUint(number, 10), func(t *testing.T) { newSequence(t, r, total, seed, number).run() })
			}
		})
	}
	total.report(t)
	if total.sequences >= enough {
		total.requireAll(t)
	}
}

// sequence is a series of actions, executed both in the model and on the chain.
type sequence struct {
	*testing.T
	*draw
	total   *tally
	met     map[string]int // number of errors, by name
	history []string
	replay  string // the command that repeats only this sequence
}

func newSequence(t *testing.T, r *rig, total *tally, seed, number uint64) *sequence {
	t.Helper()
	r.restart(t)
	random := rand.New(rand.NewPCG(seed, number))
	total.sequences++
	return &sequence{
		T: t, replay: fmt.Sprintf("TASKMARKET_TEST_SEED=%d TASKMARKET_TEST_SEQUENCES=%d go test ./chain/contracts -run '^%s$'",
			seed, number+1, strings.ReplaceAll(t.Name(), "/", "$/^")),
		draw: &draw{rig: r, Rand: random, w: r.newWorld(t)}, total: total, met: make(map[string]int),
	}
}

func (s *sequence) run() {
	defer func() {
		if s.Failed() {
			s.Logf("so far:\n%s\nto run it again: %s", strings.Join(s.history, "\n"), s.replay)
		}
	}()
	for range steps {
		s.pass()
		s.step(s.choose())
		s.probe()
	}
	s.compareFold()
}

// step performs the action in the model and on the chain.
func (s *sequence) step(a action) {
	s.Helper()
	s.history = append(s.history, s.w.now.Format(time.DateTime)+" "+a.String())
	receipt := s.net.Attempt(s.T, s.w.now, a.by, a.call())
	s.compareOutcome(a, receipt)
	must(s.T, s.w.follow(a.outcome))
	s.compareState()
	s.compareAllow()
	s.met[a.reason()]++
	s.total.add(a)
}

// choose draws an action. In two thirds of the cases it looks for one that succeeds, and otherwise
// for one that the contracts reject.
func (s *sequence) choose() action {
	if !s.oneIn(3) {
		for range 60 {
			kind := s.kind()
			for range 3 {
				if a := kind(s.draw); a.refusal == "" {
					return a
				}
			}
		}
	}
	return s.refused()
}

// refused draws several actions and returns one that the contracts reject, preferring the error
// that has occurred least in this sequence.
func (s *sequence) refused() action {
	best := s.any()
	for range 15 {
		next := s.any()
		if best.refusal == "" || next.refusal != "" && s.met[next.reason()] < s.met[best.reason()] {
			best = next
		}
	}
	return best
}

// reason returns the name of the error; empty if there is none.
func (o *outcome) reason() string {
	name, _, _ := strings.Cut(o.refusal, "(")
	return name
}

// pass advances the clock, often to the start or end of a window, or a second before or after it.
// Sometimes it also changes the token's block list.
func (s *sequence) pass() {
	s.Helper()
	now := s.w.now
	to := now.Add(time.Duration(1+s.IntN(3600)) * time.Second)
	s.focus = 0
	switch edge, focus := s.edge(); {
	case !edge.IsZero() && s.oneIn(3):
		to, s.focus = edge.Add(time.Duration(s.IntN(3)-1)*time.Second), focus
	case s.oneIn(8):
		to = now.Add(time.Duration(s.IntN(3*24*3600)+1) * time.Second)
	}
	must(s.T, s.w.pass(to))
	if s.oneIn(8) {
		payee := pick(s.draw, s.party(), s.party(), s.d.Treasury)
		s.w.refused[payee] = !s.w.refused[payee]
		s.refuse(s.T, payee, s.w.refused[payee])
	}
}

// edge draws a future time at which the rules for a task change. It returns zero if there is none.
func (s *sequence) edge() (at time.Time, taskID uint64) {
	type turn struct {
		at     time.Time
		taskID uint64
	}
	turns := []turn{{}}
	for _, task := range s.w.tasks {
		e := task.Escrow
		for _, at := range []time.Time{e.DisputeDeadline(), e.Round().Opens, e.Due(), e.SettleAt(), e.EmergencyAt()} {
			turns = append(turns, turn{at, e.ID})
		}
	}
	for _, stake := range s.w.stakes {
		// Only sometimes, because otherwise few applications would be accepted.
		if stake.Status == market.StakeLive && s.oneIn(4) {
			turns = append(turns, turn{stake.ExpiresAt, stake.TaskID})
		}
	}
	turns = slices.DeleteFunc(turns, func(t turn) bool { return !t.at.After(s.w.now.Add(time.Second)) })
	if len(turns) == 0 {
		return time.Time{}, 0
	}
	drawn := pick(s.draw, turns...)
	return drawn.at, drawn.taskID
}

// probe simulates additional calls, which do not change the state.
func (s *sequence) probe() {
	s.Helper()
	for i := range probes {
		a := s.any()
		if i%2 == 0 {
			a = s.refused()
		}
		said := s.ask(a.by, a.call())
		if said != a.refusal {
			s.Fatalf("simulated at %s: %s\ncontract: %s\nmodel:    %s", s.w.now, a, orAllowed(said), orAllowed(a.refusal))
		}
		s.met[a.reason()]++
		s.total.probes++
		s.total.reasons[a.reason()]++
	}
}

// ask returns the contracts' error for the call in the latest block; empty if there is none.
func (s *sequence) ask(by common.Address, call chain.Call) string {
	s.Helper()
	err := s.net.Reader.Simulate(s.Context(), by, call)
	if refused, ok := errors.AsType[*rpc.RevertError](err); ok {
		return sentenceOf(refused)
	}
	must(s.T, err)
	return ""
}

func sentenceOf(refused *rpc.RevertError) string {
	for _, contract := range []*abi.ABI{escrowABI, stakingABI, tokenABI} {
		definition, known := contract.Errors[refused.Name]
		if !known {
			continue
		}
		values := make([]any, len(definition.Inputs))
		for i, input := range definition.Inputs {
			values[i] = refused.Args[input.Name]
		}
		return sentence(refused.Name, definition.Inputs, values)
	}
	return refused.Error()
}

func (s *sequence) compareOutcome(a action, receipt *types.Receipt) {
	s.Helper()
	said := ""
	if receipt.Status != types.ReceiptStatusSuccessful {
		if said = s.ask(a.by, a.call()); said == "" {
			s.Fatalf("%s failed, but its simulation in the same second succeeds", a)
		}
	}
	if said != a.refusal {
		s.Fatalf("%s\ncontract: %s\nmodel:    %s", a, orAllowed(said), orAllowed(a.refusal))
	}
	if a.refusal == "" {
		s.compareLogs(s.ownLogs(receipt.Logs), a.logs)
	}
}

func orAllowed(refusal string) string { return cmp.Or(refusal, "allowed") }
