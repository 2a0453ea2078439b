package e2e_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/send"
	"taskmarket/client"
	gen "taskmarket/gen/client"
	"taskmarket/store/storetest"
	"taskmarket/test/actor"
)

const (
	// commandTimeout bounds one run of the command line.
	commandTimeout = time.Minute
	// killRoundTimeout is the time limit for one round with all commands while other tests run.
	killRoundTimeout = 6 * time.Minute
	// exitLater is the exit code for a failure after which the same command may succeed later.
	exitLater = 6
	// minEffective is the minimum number of kills with lasting effects in a round.
	minEffective = 4
)

// killRounds returns how often the program is killed at each request of each command: alternately
// before the request is sent and after the answer arrives. TASKMARKET_TEST_KILL_ROUNDS sets another
// number.
func killRounds(tb testing.TB) int {
	tb.Helper()
	text := os.Getenv("TASKMARKET_TEST_KILL_ROUNDS")
	if text == "" {
		return 2
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("TASKMARKET_TEST_KILL_ROUNDS is %q, not a positive number", text)
	}
	return n
}

// TestKilledCommandsPayOnce kills each command that sends a transaction at each of its requests to
// the API and to the node, and while it prints its result. It then runs the command again: the
// outcome equals that of an undisturbed run, with one transaction.
func TestKilledCommandsPayOnce(t *testing.T) {
	t.Parallel()
	w := newWorldFor(t, testTimeout+time.Duration(killRounds(t))*killRoundTimeout)
	defer w.end()
	fund := w.net.Sender(w.net.Owner)
	t.Run("commands", func(t *testing.T) {
		for _, c := range killedCommands() {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				l := w.newLane(t, c, fund)
				for round := range killRounds(t) {
					l.enumerate(round)
				}
			})
		}
	})
}

// killedCommand is a command of the command line and its expected outcome.
type killedCommand struct {
	name    string
	needs   gen.TaskStatus // status that the task needs before the command; empty for no task
	applied bool           // the task needs an application before the command
	args    func(subject) []string
	status  gen.TaskStatus // status of the task after the command
	gains   int64          // change of the agent's balance, in whole tokens
}

// subject is the task to which a command is applied.
type subject struct {
	title       string
	named       bool // whether create-task is run with --key
	task        client.Task
	application uuid.UUID
}

func killedCommands() []killedCommand {
	task := func(s subject) string { return s.task.ID.String() }
	return []killedCommand{
		{name: "create-task", status: gen.TaskStatusFunded, gains: -1, args: func(s subject) []string {
			args := []string{"--title", s.title, "--description", "Three photographs.", "--amount", "1 TASK"}
			if s.named {
				args = append(args, "--key", s.title)
			}
			return args
		}},
		{name: "accept-application", needs: gen.TaskStatusFunded, applied: true, status: gen.TaskStatusActive, args: func(s subject) []string {
			return []string{task(s), s.application.String()}
		}},
		{name: "reject-application", needs: gen.TaskStatusFunded, applied: true, status: gen.TaskStatusFunded, args: func(s subject) []string {
			return []string{task(s), s.application.String(), "--reason", "No photographs of yours."}
		}},
		{name: "approve-submission", needs: gen.TaskStatusSubmitted, applied: true, status: gen.TaskStatusValidating, args: func(s subject) []string {
			return []string{task(s)}
		}},
		{name: "dispute-task", needs: gen.TaskStatusSubmitted, applied: true, status: gen.TaskStatusDisputed, args: func(s subject) []string {
			return []string{task(s), "--reason", "No photograph shows the harbour."}
		}},
		{name: "cancel-task", needs: gen.TaskStatusFunded, status: gen.TaskStatusCancelled, gains: 1, args: func(s subject) []string {
			return []string{task(s)}
		}},
	}
}

// lane is an isolated environment in which one command is killed: a separate agent, human and state
// directory. All lanes share the chain and the server.
type lane struct {
	*world
	killedCommand
	human *actor.Person
	fund  *send.Sender // sends from the account with the token supply; shared by all lanes
	steps *stepper
	env   []string
	state string // path of the state directory
	cases int
}

// newLane creates a lane for the subtest t.
func (w *world) newLane(t *testing.T, c killedCommand, fund *send.Sender) *lane {
	t.Helper()
	own := *w
	own.t, own.people = t, make(map[*chain.KeySigner]*actor.Person)
	l := &lane{world: &own, killedCommand: c, fund: fund, steps: &stepper{}, state: t.TempDir()}
	wallet, key := l.newWallet()
	l.agent = l.newAgent(wallet, c.name)
	human, _ := l.newWallet()
	l.human = l.person(human)
	l.env = l.variables(map[string]string{
		"API_URL": l.steps.before(t, l.server.origin()) + "/api/v1", "RPC_URL": l.steps.before(t, l.net.Dev.URL()),
		"API_KEY": l.agent.Key, "PRIVATE_KEY": key,
	})
	l.env = append(l.env, l.variables(l.pins())...)
	l.env = append(l.env, "XDG_STATE_HOME="+l.state, "XDG_CONFIG_HOME="+t.TempDir())
	return l
}

// newWallet creates a wallet with tokens and coins for gas, and returns it with its private key.
func (l *lane) newWallet() (*chain.KeySigner, string) {
	l.t.Helper()
	key, err := crypto.GenerateKey()
	l.must(err)
	wallet := chain.NewKeySigner(key)
	l.must(l.net.Dev.SetBalance(l.ctx, wallet.Address(), chaintest.Tokens(10)))
	_, err = l.fund.Send(l.ctx, l.net.Contracts.TransferToken(wallet.Address(), chaintest.Tokens(1_000)))
	l.must(err)
	return wallet, hexutil.Encode(crypto.FromECDSA(key))
}

// enumerate kills the command at its first request, then at its second, and so on until the command
// ends before the kill. A run without lasting effects leaves the world unchanged, so the command is
// repeated and checked only after a run with effects.
func (l *lane) enumerate(round int) {
	l.t.Helper()
	effective := 0
	for at, s := 1, l.prepare(); ; at++ {
		before := l.observe(s)
		after := (round+at*(killRounds(l.t)%2))%2 == 1
		killed, err := l.steps.run(l.ctx, l.command(s), at, after)
		if !killed {
			if err != nil {
				l.rerun(s, err)
			}
			l.wantDone(s, before, fmt.Sprintf("not killed in %d requests", at-1))
			l.t.Logf("round %d: %d requests, and %d kills with lasting effects", round, at-1, effective)
			break
		}
		if l.observe(s) == before {
			continue
		}
		effective++
		when := fmt.Sprintf("round %d, killed at request %d, %s, after its response: %v", round, at, l.steps.last, after)
		l.rerun(s, errors.New(when))
		l.wantDone(s, before, when)
		s = l.prepare()
	}
	if effective < minEffective {
		l.t.Errorf("round %d: only %d kills had lasting effects", round, effective)
	}
}

// rerun runs the command until it succeeds. On a busy machine, the command may report temporary
// errors. It is then run again.
func (l *lane) rerun(s subject, before error) {
	l.t.Helper()
	for {
		_, err := l.steps.run(l.ctx, l.command(s), 0, false)
		if err == nil {
			return
		}
		ended, ok := errors.AsType[*exec.ExitError](err)
		if !ok || ended.ExitCode() != exitLater {
			l.t.Fatalf("%v: run again: %v", before, err)
		}
		l.pause(fmt.Sprintf("%v: run again: %v", before, err))
	}
}

// prepare creates a task with the status that the command requires, or none if it requires none.
func (l *lane) prepare() subject {
	l.t.Helper()
	l.cases++
	s := subject{title: fmt.Sprintf("%s %d", l.name, l.cases), named: l.cases%2 == 0}
	if l.needs == "" {
		return s
	}
	s.task = retry(l.world, "create a task", func(ctx context.Context) (client.Task, error) {
		return l.agent.CreateTask(ctx, client.TaskRequest{
			Key: s.title, Title: s.title, Description: "Three photographs.", Amount: chaintest.Tokens(1),
		})
	})
	if l.applied {
		s.application = l.apply(l.human, s.task.ID).ID
	}
	if l.needs == gen.TaskStatusSubmitted {
		retry(l.world, "accept", func(ctx context.Context) (client.Outcome, error) {
			return l.agent.AcceptApplication(ctx, s.task.ID, s.application)
		})
		_, err := l.human.Submit(l.ctx, s.task.ID, "The photographs are attached.")
		l.must(err)
		l.await(s.task.ID, gen.TaskStatusSubmitted)
	}
	return s
}

func (l *lane) command(s subject) *exec.Cmd {
	args := append([]string{l.name}, l.args(s)...)
	cmd := exec.Command(agentProgram, append(args, "--yes", "--json")...)
	cmd.Env = l.env
	return cmd
}

// effects is a snapshot of the state that a run changes.
type effects struct {
	sent, waiting uint64 // nonces of the wallet: after the mined transactions, and after the pending ones
	tokens        string // balance of the wallet, in wei
	records       int    // number of task records with the title in the database
	journal       int    // number of unfinished flows in the journal
}

func (l *lane) observe(s subject) effects {
	l.t.Helper()
	var found effects
	var err error
	wallet := l.agent.Wallet.Address()
	found.sent, err = l.net.Dev.Client().NonceAt(l.ctx, wallet, nil)
	l.must(err)
	found.waiting, err = l.net.Dev.Client().PendingNonceAt(l.ctx, wallet)
	l.must(err)
	tokens, _, err := l.net.Reader.Balances(l.ctx, wallet)
	l.must(err)
	found.tokens = tokens.String()
	l.must(storetest.DB(l.t, l.records).GetContext(l.ctx, &found.records, `SELECT count(*) FROM tasks WHERE title = $1`, s.title))
	found.journal = len(l.unfinished())
	return found
}

// unfinished returns the flows in the program's journal that are not done.
func (l *lane) unfinished() []client.Flow {
	l.t.Helper()
	var flows []client.Flow
	l.must(filepath.WalkDir(l.state, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var flow client.Flow
		if err := json.Unmarshal(raw, &flow); err != nil {
			return fmt.Errorf("decode %s: %w", path, err)
		}
		if !flow.Done {
			flows = append(flows, flow)
		}
		return nil
	}))
	return flows
}

// wantDone fails the test unless the command had its effect exactly once and left no unfinished
// flow.
func (l *lane) wantDone(s subject, before effects, when string) {
	l.t.Helper()
	tokens, ok := new(big.Int).SetString(before.tokens, 10)
	if !ok {
		l.t.Fatalf("%q is not an amount", before.tokens)
	}
	want := effects{
		sent: before.sent + 1, waiting: before.sent + 1, records: 1,
		tokens: tokens.Add(tokens, chaintest.Tokens(l.gains)).String(),
	}
	if got := l.observe(s); got != want {
		l.t.Errorf("%s: left %+v, want %+v", when, got, want)
	}
	if s.task.ID == uuid.Nil {
		l.must(storetest.DB(l.t, l.records).GetContext(l.ctx, &s.task.ID, `SELECT id FROM tasks WHERE title = $1`, s.title))
	}
	l.await(s.task.ID, l.status)
}

// TestParallelCommandsOfOneWallet runs commands of one wallet at the same time, each in a separate
// process: each sends one transaction, and none is lost.
func TestParallelCommandsOfOneWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	const each = 3
	commands := killedCommands()
	creation, cancellation := commands[0], commands[len(commands)-1]
	l := w.newLane(t, cancellation, w.net.Sender(w.net.Owner))
	var runs []*exec.Cmd
	for range each {
		runs = append(runs, l.command(l.prepare()))
	}
	l.killedCommand = creation
	for range each {
		runs = append(runs, l.command(l.prepare()))
	}
	before := l.observe(subject{})
	var wait sync.WaitGroup
	for _, run := range runs {
		wait.Go(func() {
			for {
				output, err := run.CombinedOutput()
				ended, ok := errors.AsType[*exec.ExitError](err)
				switch {
				case err == nil:
					return
				case !ok || ended.ExitCode() != exitLater || l.ctx.Err() != nil:
					t.Errorf("%s: %v: %s", run, err, output)
					return
				}
				again := exec.Command(run.Path, run.Args[1:]...) // the machine was busy: see rerun
				again.Env = run.Env
				run = again
			}
		})
	}
	wait.Wait()
	got := l.observe(subject{})
	before.sent, before.waiting = before.sent+2*each, before.waiting+2*each
	if got != before { // the locked and the released tokens cancel out
		t.Errorf("left %+v, want %+v", got, before)
	}
}
