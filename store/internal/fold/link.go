package fold

import (
	"context"

	"github.com/google/uuid"

	"taskmarket/market"
)

// linkedTask is a record that was made what the chain says.
type linkedTask struct {
	task         market.Task
	linked       bool // to another posting than before
	applications []linkedApplication
}

// assigned returns the human that the escrow names, nil when nobody we know.
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

// linkRecords makes the collected records what the chain says: tasks first, because
// an application depends on which escrow record its task is linked to.
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

// Link makes the tasks linkRecords the chain outside of the watcher's own
// transactions. The caller's transaction has locked the chain's cursor.
func (f *Fold) Link(ctx context.Context, tasks ...uuid.UUID) error {
	for _, id := range tasks {
		f.records[id] = true
	}
	if err := f.linkRecords(ctx); err != nil {
		return err
	}
	return f.confirmActivities(ctx)
}
