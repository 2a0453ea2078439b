package fold

import (
	"context"

	"github.com/google/uuid"

	"taskmarket/market"
)

// linkedTask is a task with its posting and its applications during linking.
type linkedTask struct {
	task         market.Task
	linked       bool // whether the task is now linked to a different posting than before
	applications []linkedApplication
}

// assigned returns the id of the human whose wallet is in the escrow record, or nil if no human is
// assigned or the wallet has no account.
func (r *linkedTask) assigned() *uuid.UUID {
	if r.task.Escrow == nil {
		return nil
	}
	for _, a := range r.applications {
		if a.HumanWallet == r.task.Escrow.Human {
			return &a.HumanID
		}
	}
	return nil
}

// linkRecords links the collected tasks to the chain. Tasks are linked first, because an
// application depends on the posting of its task.
func (f *Fold) linkRecords(ctx context.Context) error {
	ids := taskIDs(f.records)
	if len(ids) == 0 {
		return nil
	}
	records, err := f.linkTasks(ctx, ids)
	if err != nil {
		return err
	}
	if err := f.linkApplications(ctx, ids, records); err != nil {
		return err
	}
	return f.addActivities(ctx, ids, records)
}

// Link links the tasks to the chain in a transaction outside the watcher. The caller must have
// locked the chain's cursor in this transaction.
func (f *Fold) Link(ctx context.Context, tasks ...uuid.UUID) error {
	for _, id := range tasks {
		f.records[id] = true
	}
	if err := f.linkRecords(ctx); err != nil {
		return err
	}
	return f.confirmActivities(ctx)
}
