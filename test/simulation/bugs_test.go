package simulation_test

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain/follow"
	"taskmarket/chain/keeper"
	"taskmarket/market"
	"taskmarket/test/invariant"
)

// bug is a deliberate defect in the service or the contracts, which the simulator must find.
type bug struct {
	name    string
	sql     string // run in the database
	journal func(follow.Journal) follow.Journal
	outbox  func(keeper.Store) keeper.Store
	ignored int                                                // number of providers that the service does not use
	change  func(b *base) func(*state.StateDB, types.Receipts) // change of the contracts' state
}

func (b bug) journalOf(s follow.Journal) follow.Journal {
	if b.journal == nil {
		return s
	}
	return b.journal(s)
}

func (b bug) outboxOf(s keeper.Store) keeper.Store {
	if b.outbox == nil {
		return s
	}
	return b.outbox(s)
}

// forgetful omits the logs of every step in which a task was cancelled, and cannot repair them.
type forgetful struct{ follow.Journal }

// Advance implements follow.Journal.
func (j forgetful) Advance(ctx context.Context, from market.Cursor, step market.Step) error {
	for _, l := range step.Logs {
		if l.Event.Kind == market.EventTaskCancelled {
			step.Logs = nil
			break
		}
	}
	return j.Journal.Advance(ctx, from, step)
}

// Repair implements follow.Journal.
func (forgetful) Repair(context.Context, market.Cursor, market.Block, []market.Log) (int, error) {
	return 0, errSeeded
}

// displacing records false indexes of logs, which the auditor does not compare.
type displacing struct{ follow.Journal }

// Advance implements follow.Journal.
func (j displacing) Advance(ctx context.Context, from market.Cursor, step market.Step) error {
	step.Logs = slices.Clone(step.Logs)
	for i := range step.Logs {
		step.Logs[i].Index += 1_000
	}
	return j.Journal.Advance(ctx, from, step)
}

var errSeeded = errors.New("a seeded bug")

// stuck cannot follow reorgs.
type stuck struct{ follow.Journal }

// Rewind implements follow.Journal.
func (stuck) Rewind(context.Context, market.Cursor, market.Block) error { return errSeeded }

// idle hides the settlements from the keeper.
type idle struct{ keeper.Store }

// OpenJobs implements keeper.Store.
func (s idle) OpenJobs(ctx context.Context, limit int) ([]market.Job, error) {
	jobs, err := s.Store.OpenJobs(ctx, limit)
	var rest []market.Job
	for _, job := range jobs {
		if job.Kind != market.OutboxSettle {
			rest = append(rest, job)
		}
	}
	return rest, err
}

// balanceSlot returns the storage slot of an account's balance in the token.
func balanceSlot(account common.Address) common.Hash {
	return crypto.Keccak256Hash(common.LeftPadBytes(account[:], 32), make([]byte, 32))
}

// afterRelease returns a change of the contracts' state that calls change for each task that a block
// releases.
func afterRelease(change func(b *base, s *state.StateDB, human common.Address, paid *big.Int)) func(*base) func(*state.StateDB, types.Receipts) {
	return func(b *base) func(*state.StateDB, types.Receipts) {
		return func(s *state.StateDB, receipts types.Receipts) {
			for _, r := range receipts {
				for _, l := range r.Logs {
					event, err := b.contracts.Decode(*l)
					if err == nil && event.Kind == market.EventTaskReleased {
						change(b, s, event.Human, event.Amount)
					}
				}
			}
		}
	}
}

func addBalance(b *base, s *state.StateDB, account common.Address, amount *big.Int) {
	slot := balanceSlot(account)
	s.SetState(b.deployment.Token, slot, common.BigToHash(new(big.Int).Add(s.GetState(b.deployment.Token, slot).Big(), amount)))
}

// neverReverting returns a contract's code with RETURN in place of REVERT.
func neverReverting(code []byte) []byte {
	code = slices.Clone(code)
	for i := 0; i < len(code); i++ {
		switch op := vm.OpCode(code[i]); {
		case op == vm.REVERT:
			code[i] = byte(vm.RETURN)
		case op.IsPush():
			i += int(op - vm.PUSH0) // its operand
		}
	}
	return code
}

// bugs returns a bug for each invariant.
func bugs() map[string]bug {
	return map[string]bug{
		invariant.Head:     {name: "reorgs are not followed", journal: func(j follow.Journal) follow.Journal { return stuck{j} }},
		invariant.Audit:    {name: "logs are omitted", journal: func(j follow.Journal) follow.Journal { return forgetful{j} }},
		invariant.Agree:    {name: "logs have false positions", journal: func(j follow.Journal) follow.Journal { return displacing{j} }},
		invariant.Failover: {name: "the service uses only the first provider", ignored: 1},
		invariant.Replay: {name: "a derived column depends on the clock", sql: `
			CREATE FUNCTION simulation.drift() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN NEW.posted_at := now(); RETURN NEW; END $$;
			CREATE TRIGGER seeded_bug BEFORE INSERT OR UPDATE ON onchain_tasks FOR EACH ROW EXECUTE FUNCTION simulation.drift()`},
		invariant.Written: {name: "submitting deletes the submission", sql: `
			CREATE FUNCTION simulation.forget() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN DELETE FROM submissions WHERE task_id = NEW.id; RETURN NULL; END $$;
			CREATE TRIGGER seeded_bug AFTER UPDATE ON tasks FOR EACH ROW
			WHEN (NEW.status = 'submitted') EXECUTE FUNCTION simulation.forget()`},
		invariant.Events: {name: "events are repeated", sql: `
			CREATE FUNCTION simulation.echo() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN
				INSERT INTO events (audience_id, kind, subject_id, task_id, status)
				VALUES (NEW.audience_id, NEW.kind, NEW.subject_id, NEW.task_id, NEW.status);
				RETURN NULL;
			END $$;
			CREATE TRIGGER seeded_bug AFTER INSERT ON events FOR EACH ROW
			WHEN (NEW.status = 'submitted' AND pg_trigger_depth() < 3) EXECUTE FUNCTION simulation.echo()`},
		invariant.Refusal: {name: "the contracts return instead of reverting", change: func(b *base) func(*state.StateDB, types.Receipts) {
			return func(s *state.StateDB, _ types.Receipts) {
				for _, contract := range b.deployment.Contracts() {
					s.SetCode(contract, neverReverting(s.GetCode(contract)), tracing.CodeChangeUnspecified)
				}
			}
		}},
		invariant.Payment: {name: "a release pays twice", change: afterRelease(addBalance)},
		invariant.Money: {name: "a release loses tokens", change: afterRelease(func(b *base, s *state.StateDB, human common.Address, _ *big.Int) {
			addBalance(b, s, human, big.NewInt(-1))
		})},
		invariant.End: {name: "the keeper does not settle", outbox: func(s keeper.Store) keeper.Store { return idle{s} }},
	}
}

// removeBug undoes the SQL of a bug.
const removeBug = `
	DROP TRIGGER IF EXISTS seeded_bug ON onchain_tasks;
	DROP TRIGGER IF EXISTS seeded_bug ON tasks;
	DROP TRIGGER IF EXISTS seeded_bug ON events;
	DROP FUNCTION IF EXISTS simulation.drift, simulation.forget, simulation.echo`

// TestSeededBugs plays histories with a bug for each invariant until the invariant is violated.
func TestSeededBugs(t *testing.T) {
	for invariant, seeded := range bugs() {
		t.Run(seeded.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(defaultSeeds) {
				played, err := workers().play(order{Seed: seed, Bug: invariant})
				must(t, err)
				if played.Invariant == invariant {
					t.Logf("found by seed %d: %s", seed, played.Failure)
					return
				}
				if played.Failure != "" {
					t.Logf("seed %d violates something else: %s", seed, played.Failure)
				}
			}
			t.Errorf("not found by %d seeds", defaultSeeds)
		})
	}
}
