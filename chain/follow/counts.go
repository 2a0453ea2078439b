package follow

import (
	"context"
	"errors"
	"log/slog"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// checkCounts compares the ids that the contracts have assigned at the end of a range with the ids
// in the followed logs. Ids have no gaps, so an omitted posting or application is detected. If the
// node does not have the block's state, or the counts already differed before the range, the
// comparison is left to the auditor.
func (w *Watcher) checkCounts(ctx context.Context, p *rpc.Provider, cursor market.Cursor, step market.Step) error {
	before, err := w.journal.LastIDs(ctx, cursor.Block.Number)
	if err != nil {
		return err
	}
	after := before.Count(step.Logs, w.contracts.Deployment())
	last := step.Blocks[len(step.Blocks)-1]
	ok, err := w.idsFit(ctx, p, last.Hash, after)
	if ok || errors.Is(err, rpc.ErrNoState) {
		return nil
	}
	if err != nil {
		return err
	}
	if fitted, err := w.idsFit(ctx, p, cursor.Block.Hash, before); err == nil && !fitted && cursor.Block.Hash != (common.Hash{}) {
		w.log.ErrorContext(ctx, "the ids assigned by the contracts differ from those in the followed logs; the auditor will search for missing logs",
			slog.Uint64("block", cursor.Block.Number), slog.Uint64("tasks", before.Task), slog.Uint64("applications", before.Application))
		return nil
	}
	return p.Contradictionf("the logs contain %d tasks and %d applications up to block %d, but the contracts assigned other ids",
		after.Task, after.Application, last.Number)
}

// idsFit reports whether the contracts have assigned exactly these ids at the block.
func (w *Watcher) idsFit(ctx context.Context, p *rpc.Provider, block common.Hash, ids market.LastIDs) (bool, error) {
	d, escrow, staking := w.contracts.Deployment(), contracts.NewEscrow(), contracts.NewApplicationStaking()
	answers, err := p.CallsAt(ctx, block, []chain.Call{
		{To: d.Escrow, Data: escrow.PackTaskCount()},
		{To: d.Staking, Data: staking.PackGetStakeHuman(new(big.Int).SetUint64(ids.Application))},
		{To: d.Staking, Data: staking.PackGetStakeHuman(new(big.Int).SetUint64(ids.Application + 1))},
	})
	if err != nil {
		return false, err
	}
	if len(answers[0]) == 0 && len(answers[1]) == 0 { // the contracts are not deployed yet
		return ids == (market.LastIDs{}), nil
	}
	tasks, err := escrow.UnpackTaskCount(answers[0])
	if err != nil {
		return false, p.Errorf("read the number of tasks: %w", err)
	}
	last, err := staking.UnpackGetStakeHuman(answers[1])
	if err != nil {
		return false, p.Errorf("read the last applicant: %w", err)
	}
	next, err := staking.UnpackGetStakeHuman(answers[2])
	if err != nil {
		return false, p.Errorf("read the next applicant: %w", err)
	}
	none := common.Address{}
	return tasks.Cmp(new(big.Int).SetUint64(ids.Task)) == 0 && (ids.Application == 0 || last != none) && next == none, nil
}
