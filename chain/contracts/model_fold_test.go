package contracts_test

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"taskmarket/chain/follow"
	"taskmarket/market"
)

// compareFold follows the chain with a watcher, in block ranges whose size differs between
// sequences. After each step, the logs must be valid input for the fold. At the end, the folded
// state must equal the contracts' state.
func (s *sequence) compareFold() {
	s.Helper()
	j := &journal{cursor: market.Cursor{Block: market.Block{Number: s.d.StartBlock - 1}}}
	span := pick(s.draw, uint64(1), 2, 7, 0)
	w := follow.NewWatcher(s.net.Node, j, s.net.Contracts, follow.WatcherOptions{Range: span}, slog.New(slog.DiscardHandler))
	for {
		outcome, err := w.Step(s.Context())
		must(s.T, err)
		if outcome.Progress == follow.CaughtUp {
			break
		}
		s.foldAll(j.logs)
	}
	s.check("fold", s.foldAll(j.logs))
}

// foldAll derives each record from its logs and returns questions that compare the records with the
// contracts.
func (s *sequence) foldAll(logs []market.Log) []question {
	s.Helper()
	tasks, stakes := make(map[uint64][]market.Log), make(map[uint64][]market.Log)
	var administration []market.Log
	for _, log := range logs {
		switch ev := log.Event; {
		case ev.OfTask():
			tasks[ev.TaskID] = append(tasks[ev.TaskID], log)
		case ev.OfStake():
			stakes[ev.ApplicationID] = append(stakes[ev.ApplicationID], log)
		case ev.OfParameters():
			administration = append(administration, log)
		}
	}
	s.total.folds += len(tasks) + len(stakes) + 1
	panelAt := func(at market.Log) uint64 {
		before := slices.IndexFunc(administration, func(l market.Log) bool { return at.Before(l) })
		if before < 0 {
			before = len(administration)
		}
		return market.FoldParameters(administration[:before]).Panel
	}
	questions := askParameters(s.d, market.FoldParameters(administration), len(tasks))
	for _, id := range slices.Sorted(maps.Keys(tasks)) {
		e, err := market.FoldEscrowTask(tasks[id], panelAt)
		must(s.T, err)
		questions = append(questions, askTask(e)...)
	}
	return append(questions, s.foldStakes(stakes)...)
}

func (s *sequence) foldStakes(logs map[uint64][]market.Log) []question {
	s.Helper()
	var folded []*market.Stake
	for _, id := range slices.Sorted(maps.Keys(logs)) {
		stake, err := market.FoldStake(logs[id])
		must(s.T, err)
		folded = append(folded, stake)
	}
	var questions []question
	for _, stake := range folded {
		questions = append(questions, askStake(folded, stake))
	}
	return questions
}

// journal stores the logs of a single watcher on a chain without reorgs.
type journal struct {
	cursor market.Cursor
	logs   []market.Log
}

func (j *journal) Lead(_ context.Context, holder string, life time.Duration) (market.Lease, error) {
	j.cursor.Epoch = 1
	return market.Lease{Holder: holder, Epoch: 1, Until: time.Now().Add(life)}, nil
}

func (j *journal) Release(context.Context, market.Lease) error { return nil }

func (j *journal) CanonicalBlockFrom(context.Context, uint64) (market.Block, error) {
	return j.cursor.Block, nil
}

func (j *journal) LastIDs(context.Context, uint64) (ids market.LastIDs, err error) {
	for _, log := range j.logs {
		ids.Task = max(ids.Task, log.Event.TaskID)
		ids.Application = max(ids.Application, log.Event.ApplicationID)
	}
	return ids, nil
}

func (j *journal) Rereads(context.Context, uint64, int) ([]uint64, error) { return nil, nil }

func (j *journal) Repair(context.Context, market.Cursor, market.Block, []market.Log) (int, error) {
	return 0, market.ErrNotLeader // not called, because Rereads returns no blocks
}

func (j *journal) Cursor(context.Context) (market.Cursor, error) { return j.cursor, nil }

func (j *journal) CanonicalBlock(context.Context, uint64) (market.Block, error) {
	return j.cursor.Block, nil
}

func (j *journal) Advance(_ context.Context, _ market.Cursor, step market.Step) error {
	if len(step.Blocks) > 0 {
		j.cursor.Block = step.Blocks[len(step.Blocks)-1]
	}
	j.cursor.Safe, j.cursor.Finalized = step.Safe, step.Finalized
	j.logs = append(j.logs, step.Logs...)
	return nil
}

func (j *journal) Rewind(context.Context, market.Cursor, market.Block) error {
	return market.ErrFinalityViolated
}
