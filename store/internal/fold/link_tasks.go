package fold

import (
	"context"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// recordRow contains the columns of a task that are needed for linking.
type recordRow struct {
	ID             uuid.UUID      `db:"id"`
	AgentID        uuid.UUID      `db:"agent_id"`
	AgentWallet    common.Address `db:"agent_wallet"`
	Amount         pg.Wei         `db:"amount"`
	FeeBasisPoints uint16         `db:"fee_basis_points"`
	Deadline       pg.NullTime    `db:"deadline"`
	TermsHash      common.Hash    `db:"terms_hash"`
	ChainID        uint64         `db:"chain_id"`
	Escrow         common.Address `db:"escrow"`
	EscrowTaskID   pg.NullUint    `db:"escrow_task_id"`
	ClaimedTx      []byte         `db:"claimed_tx"` // nil if the agent has linked no posting
	ClaimedOrdinal int64          `db:"claimed_ordinal"`
}

func (r recordRow) task() market.Task {
	return market.Task{
		ID: r.ID, AgentID: r.AgentID, AgentWallet: r.AgentWallet, Amount: r.Amount.Int, FeeBasisPoints: r.FeeBasisPoints,
		Deadline: r.Deadline.Pointer(), TermsHash: r.TermsHash, ChainID: r.ChainID, EscrowAddress: r.Escrow,
	}
}

// linkTasks links each task to its posting. A posting belongs to only one task, because it contains
// the task's terms hash or its agent has linked it to the task.
func (f *Fold) linkTasks(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]*linkedTask, error) {
	rows, err := f.lockRecords(ctx, ids)
	if err != nil {
		return nil, err
	}
	candidates, err := f.candidates(ctx, rows)
	if err != nil {
		return nil, err
	}
	records, tasks := make(map[uuid.UUID]*linkedTask, len(ids)), make([]market.Task, len(rows))
	for i, row := range rows {
		task := row.task()
		if err := task.LinkEscrow(firstMatch(&task, candidates[row.ID]), f.now()); err != nil {
			return nil, err
		}
		linked := task.Escrow != nil && task.Escrow.ID != uint64(row.EscrowTaskID)
		records[row.ID], tasks[i] = &linkedTask{task: task, linked: linked}, task
	}
	return records, f.saveLinkedTasks(ctx, tasks)
}

// lockRecords locks the tasks in the order of their ids to prevent deadlocks.
func (f *Fold) lockRecords(ctx context.Context, ids []uuid.UUID) ([]recordRow, error) {
	var rows []recordRow
	err := f.db.Select(ctx, f.tx, &rows, `
		SELECT t.id, t.agent_id, u.wallet AS agent_wallet, t.amount, t.fee_basis_points, t.deadline, t.terms_hash,
		       t.chain_id, t.escrow, t.escrow_task_id, t.claimed_tx, coalesce(t.claimed_ordinal, 0) AS claimed_ordinal
		FROM tasks t
		JOIN users u ON u.id = t.agent_id
		WHERE t.id = ANY ($1)
		ORDER BY t.id
		FOR UPDATE OF t`, pq.Array(ids))
	if err == nil && len(rows) != len(ids) {
		err = fmt.Errorf("found %d of %d tasks", len(rows), len(ids))
	}
	return rows, pg.Translate(err, "lock the tasks to link")
}

// firstMatch returns the first posting in chain order that matches the task, or nil. Later matching
// postings are not linked.
func firstMatch(t *market.Task, candidates []*market.EscrowTask) *market.EscrowTask {
	for _, e := range candidates {
		if t.Matches(e) == nil {
			return e
		}
	}
	return nil
}

// candidates returns the postings, in chain order, that contain each task's terms hash, and the
// posting without a terms hash that the task's agent linked. It reads the contents of postings from
// the database only for tasks with a candidate that this step did not fold.
func (f *Fold) candidates(ctx context.Context, records []recordRow) (map[uuid.UUID][]*market.EscrowTask, error) {
	folded := make(map[uint64]*market.EscrowTask, len(f.postings))
	for _, e := range f.postings {
		folded[e.ID] = e
	}
	var rows []struct {
		TaskID uuid.UUID      `db:"task_id"`
		Escrow common.Address `db:"escrow"`
		ID     uint64         `db:"id"`
		Block  uint64         `db:"posted_block"`
		Index  uint           `db:"posted_index"`
	}
	if err := f.selectCandidates(ctx, &rows, candidateIDs, records); err != nil {
		return nil, err
	}
	candidates, others := make(map[uuid.UUID][]*market.EscrowTask, len(records)), make(map[uuid.UUID]bool)
	for _, row := range rows {
		if e := folded[row.ID]; e != nil && row.Escrow == f.deployment.Escrow {
			candidates[row.TaskID] = append(candidates[row.TaskID], e)
		} else {
			others[row.TaskID] = true
		}
	}
	records = slices.DeleteFunc(slices.Clone(records), func(r recordRow) bool { return !others[r.ID] })
	return candidates, f.readCandidates(ctx, records, candidates)
}

// readCandidates replaces the tasks' candidates with those in the database.
func (f *Fold) readCandidates(ctx context.Context, records []recordRow, candidates map[uuid.UUID][]*market.EscrowTask) error {
	if len(records) == 0 {
		return nil
	}
	var rows []struct {
		TaskID uuid.UUID       `db:"task_id"`
		Escrow onchain.TaskRow `db:"e"`
	}
	if err := f.selectCandidates(ctx, &rows, candidateRows, records); err != nil {
		return err
	}
	for _, r := range records {
		candidates[r.ID] = nil
	}
	for _, row := range rows {
		candidates[row.TaskID] = append(candidates[row.TaskID], row.Escrow.EscrowTask())
	}
	return nil
}

// selectCandidates passes the tasks' values as arguments, because the planner has no statistics for tasks
// that were just inserted, and would read all of an escrow contract's tasks.
func (f *Fold) selectCandidates(ctx context.Context, rows any, query string, records []recordRow) error {
	var ids []uuid.UUID
	var escrows, terms, txs pq.ByteaArray
	var chains, ordinals pq.Int64Array
	for _, r := range records {
		ids, chains, escrows = append(ids, r.ID), append(chains, pg.BigInt(r.ChainID)), append(escrows, r.Escrow[:])
		terms, txs, ordinals = append(terms, r.TermsHash[:]), append(txs, r.ClaimedTx), append(ordinals, r.ClaimedOrdinal)
	}
	err := f.db.Select(ctx, f.tx, rows, query, pq.Array(ids), chains, escrows, terms, txs, ordinals)
	return pg.Translate(err, "select the postings of tasks")
}

var (
	candidateIDs  = candidatesOf(`e.escrow, e.id, e.posted_block, e.posted_index`, `posted_block, posted_index`)
	candidateRows = candidatesOf(onchain.TaskColumns, `"e.posted_block", "e.posted_index"`)
)

// candidatesOf returns a query for the candidates of tasks. It does not filter by the poster, which
// market.Task.Matches checks. With such a filter, the planner would use an index over all postings
// by an agent, and the total time would be quadratic in their number.
func candidatesOf(columns, order string) string {
	return `
		SELECT t.id AS task_id, ` + columns + `
		FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $4::bytea[]) AS t (id, chain_id, escrow, terms_hash)
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.terms_hash = t.terms_hash
		UNION ALL
		SELECT t.id AS task_id, ` + columns + `
		FROM unnest($1::uuid[], $2::bigint[], $3::bytea[], $5::bytea[], $6::int[]) AS t (id, chain_id, escrow, claimed_tx, claimed_ordinal)
		JOIN onchain_tasks e ON e.chain_id = t.chain_id AND e.escrow = t.escrow
		                    AND e.posted_tx = t.claimed_tx AND e.posted_ordinal = t.claimed_ordinal
		WHERE t.claimed_tx <> '' AND e.terms_hash IS NULL
		ORDER BY ` + order
}

// fundsErased is true if the update n would show a funded task whose text was erased.
const fundsErased = `t.erased_at IS NOT NULL AND n.status = 'funded' AND t.visibility = 'shown'`

// saveLinkedTasks saves the derived columns of locked tasks. It finds the human by the wallet in
// the escrow record, if the wallet has signed in. changed_block is the block of the task's last
// log, which determines the task's finality. It is read only if this step contains no log of the task. A
// late posting returns a lapsed task to the lists, and it holds a task whose text was erased, because no
// human can see what to do.
func (f *Fold) saveLinkedTasks(ctx context.Context, tasks []market.Task) error {
	var ids []uuid.UUID
	var statuses pq.StringArray
	var escrowIDs, blocks pq.Int64Array
	var humans pq.ByteaArray
	var transitions []pg.NullTime
	for _, t := range tasks {
		var escrow market.EscrowTask
		if t.Escrow != nil {
			escrow = *t.Escrow
		}
		ids, statuses, transitions = append(ids, t.ID), append(statuses, string(t.Status)), append(transitions, pg.NullTimeOf(t.TransitionAt()))
		escrowIDs, humans = append(escrowIDs, pg.BigInt(escrow.ID)), append(humans, escrow.Human.Bytes())
		blocks = append(blocks, pg.BigInt(f.lastLogIn(escrow)))
	}
	_, err := f.db.Exec(ctx, f.tx, `
		UPDATE tasks t
		SET status = n.status, escrow_task_id = nullif(n.escrow_task_id, 0), turns_at = n.turns_at, updated_at = now(),
		    lapsed_at = CASE WHEN n.status = 'new' THEN t.lapsed_at END,
		    visibility = CASE WHEN `+fundsErased+` THEN 'held' ELSE t.visibility END,
		    hold_rule = CASE WHEN `+fundsErased+` THEN 'erased' ELSE t.hold_rule END,
		    hold_due_at = CASE WHEN `+fundsErased+` THEN now() + `+pg.Interval(market.HoldWindow)+` ELSE t.hold_due_at END,
		    human_id = (SELECT u.id FROM users u WHERE u.kind = 'human' AND u.wallet = n.human),
		    changed_block = coalesce(nullif(n.block, 0), (
		        SELECT max(l.block_number)
		        FROM chain_logs l
		        WHERE l.chain_id = t.chain_id AND l.address = t.escrow AND l.task_id = n.escrow_task_id AND l.canonical), 0)
		FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bytea[], $5::timestamptz[], $6::bigint[])
		     AS n (id, status, escrow_task_id, human, turns_at, block)
		WHERE t.id = n.id`,
		pq.Array(ids), statuses, escrowIDs, humans, pq.Array(transitions), blocks)
	return pg.Translate(err, fmt.Sprintf("save %d tasks", len(tasks)))
}

// lastLogIn returns the number of the last block with a log of the posting, or 0 if this step added none.
func (f *Fold) lastLogIn(e market.EscrowTask) uint64 {
	logs := f.taskLogs.logs[e.ID]
	if e.Escrow != f.taskLogs.contract || len(logs) == 0 {
		return 0
	}
	return logs[len(logs)-1].Block.Number
}
