// Package fold derives rows from the canonical logs and from chain time, for package store.
// Fold.Run derives them in this order: parameters, tasks, stakes, links, jobs, claims. It adds the
// feed items for links and claims together with them, and confirms feed items last.
package fold

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// Fold derives rows within one transaction from added or dropped logs and from chain time. Apart
// from the links between applications and stakes, the result does not depend on the previous
// content of these rows, so replaying the same logs produces the same rows.
type Fold struct {
	db         *pg.DB
	deployment market.Deployment
	tx         *sqlx.Tx
	head       market.Cursor // the cursor after this transaction; the time of its block is chain time
	// activitiesFrom is the number of the first block whose logs may lack activities. Logs in lower
	// blocks already have activities, except those of tasks that are linked in this transaction.
	activitiesFrom uint64

	taskLogs, stakeLogs *logGroups

	tasks, stakes map[uint64]bool      // on-chain ids for which logs were added or dropped
	postings      []*market.EscrowTask // the folded escrow records of the touched tasks
	parameters    bool
	records       map[uuid.UUID]bool      // tasks to link again
	rewarded      map[common.Address]bool // wallets to which payments were added or dropped
}

// New returns a fold for a deployment's logs in the transaction. Activities for logs below block
// since must already exist.
func New(db *pg.DB, d market.Deployment, tx *sqlx.Tx, head market.Cursor, since uint64) *Fold {
	return &Fold{
		db: db, deployment: d, tx: tx, head: head, activitiesFrom: since,
		taskLogs: newLogGroups(d.Escrow, market.EventTaskPosted, "task_id",
			func(l market.Log) uint64 { return l.Event.TaskID }),
		stakeLogs: newLogGroups(d.Staking, market.EventStakeLocked, "application_id",
			func(l market.Log) uint64 { return l.Event.ApplicationID }),
		tasks: make(map[uint64]bool), stakes: make(map[uint64]bool), records: make(map[uuid.UUID]bool),
		rewarded: make(map[common.Address]bool),
	}
}

func (f *Fold) now() time.Time { return f.head.Block.Time }

// Add adds a new log whose row is already inserted. Logs must be added in chain order.
func (f *Fold) Add(log market.Log) {
	f.Touch(log)
	switch {
	case log.Address == f.taskLogs.contract && log.Event.OfTask():
		f.taskLogs.add(log)
	case log.Address == f.stakeLogs.contract && log.Event.OfStake():
		f.stakeLogs.add(log)
	}
}

// Touch marks the on-chain record that an added or dropped log belongs to. It ignores logs from
// other contracts and logs that change no record.
func (f *Fold) Touch(log market.Log) {
	d, ev := f.deployment, log.Event
	switch {
	case log.Address == d.Escrow && ev.OfTask():
		f.tasks[ev.TaskID] = true
	case log.Address == d.Staking && ev.OfStake():
		f.stakes[ev.ApplicationID] = true
	case log.Address == d.Escrow && ev.OfParameters():
		f.parameters = true
	case log.Address == d.Distributor && ev.OfReward():
		f.rewarded[ev.Agent] = true
	}
}

// Run derives all rows that depend on the touched records. Later steps read the rows that earlier
// steps derive.
func (f *Fold) Run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		f.foldParameters,
		f.foldTasks,
		f.foldStakes,
		f.findTouched,
		f.findDue,
		f.linkRecords,
		f.syncJobs,
		f.foldClaims,
		f.confirmActivities,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// findTouched collects the tasks that are linked to the touched ids or can be linked now. For ids
// without remaining logs, it finds the tasks by their existing links.
func (f *Fold) findTouched(ctx context.Context) error {
	if len(f.tasks) > 0 {
		if err := f.findPosted(ctx); err != nil {
			return err
		}
	}
	if len(f.stakes) == 0 {
		return nil
	}
	d := f.deployment
	return f.find(ctx, "select the tasks of touched stakes", `
		SELECT task_id FROM applications
		WHERE chain_id = $1 AND escrow = $2 AND onchain_application_id = ANY ($3)
		UNION
		SELECT t.id
		FROM onchain_applications o
		JOIN tasks t ON t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.escrow_task_id = o.task_id
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.id = ANY ($3)`,
		d.ChainID, d.Escrow, idArray(f.stakes))
}

// findPosted collects the tasks for the touched postings. It passes the values of the postings as
// arguments, because the planner has no statistics for rows that were just inserted and would
// choose a bad join. For the same reason it looks up transactions only if there are some.
func (f *Fold) findPosted(ctx context.Context) error {
	var terms, txs pq.ByteaArray
	for _, e := range f.postings {
		if e.TermsHash != (common.Hash{}) {
			terms = append(terms, e.TermsHash[:])
		} else { // only a posting without a terms hash can be linked by transaction hash
			txs = append(txs, e.Posted.TxHash[:])
		}
	}
	d := f.deployment
	err := f.find(ctx, "select the tasks of touched postings", `
		SELECT id FROM tasks
		WHERE chain_id = $1 AND escrow = $2 AND escrow_task_id = ANY ($3)
		UNION ALL
		SELECT id FROM tasks
		WHERE terms_hash = ANY ($4)`,
		d.ChainID, d.Escrow, idArray(f.tasks), terms)
	if err != nil || len(txs) == 0 {
		return err
	}
	return f.find(ctx, "select the tasks of claimed postings", `
		SELECT id FROM tasks
		WHERE chain_id = $1 AND escrow = $2 AND claimed_tx = ANY ($3)`,
		d.ChainID, d.Escrow, txs)
}

// findDue collects the tasks that must be updated only because chain time has changed since they
// were saved. Their own status, or the status of an application to them, depends on it. After a
// reorganisation, chain time can be earlier than before.
func (f *Fold) findDue(ctx context.Context) error {
	return f.find(ctx, "select the tasks that are due", `
		SELECT id FROM tasks
		WHERE chain_id = $1 AND turns_at <= $2 AND status IN ('funded', 'active', 'submitted')
		UNION ALL
		SELECT id FROM tasks
		WHERE chain_id = $1 AND turns_at > $2 AND status IN ('expired', 'validating')
		UNION ALL
		SELECT task_id FROM applications
		WHERE chain_id = $1 AND turns_at <= $2 AND status = 'pending'
		UNION ALL
		SELECT task_id FROM applications
		WHERE chain_id = $1 AND turns_at > $2 AND status = 'expired'`,
		f.deployment.ChainID, f.now().UTC())
}

// find collects the tasks that a query returns.
func (f *Fold) find(ctx context.Context, what, query string, args ...any) error {
	var ids []uuid.UUID
	if err := f.db.Select(ctx, f.tx, &ids, query, args...); err != nil {
		return pg.Translate(err, what)
	}
	for _, id := range ids {
		f.records[id] = true
	}
	return nil
}

// logs returns canonical logs in the order of the query, which selects onchain.LogColumns.
func (f *Fold) logs(ctx context.Context, what, query string, args ...any) ([]market.Log, error) {
	var rows []onchain.LogRow
	if err := f.db.Select(ctx, f.tx, &rows, query, args...); err != nil {
		return nil, pg.Translate(err, what)
	}
	return onchain.LogsOf(f.deployment.ChainID, rows)
}

// manyRows is the minimum number of added rows for which analyze runs ANALYZE.
const manyRows = 500

// analyze updates the planner's statistics for columns of a table if one step added more rows than the
// statistics contain. Autovacuum cannot do this within a transaction. With the statistics for an
// empty table, the planner considers all indexes equal and checks foreign keys with a full index
// scan, so a backfill would take quadratic time.
func (f *Fold) analyze(ctx context.Context, table, columns string, added int) error {
	if added < manyRows {
		return nil
	}
	var estimate float64
	err := f.db.Get(ctx, f.tx, &estimate, `SELECT reltuples FROM pg_class WHERE oid = $1::text::regclass`, table)
	if err != nil || estimate >= float64(added) {
		return pg.Translate(err, "select the planner's row count of "+table)
	}
	_, err = f.tx.ExecContext(ctx, `ANALYZE `+table+` (`+columns+`)`)
	return pg.Translate(err, "analyze "+table)
}

// idArray returns the on-chain ids in ascending order.
func idArray(ids map[uint64]bool) pq.Int64Array {
	array := make(pq.Int64Array, 0, len(ids))
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		array = append(array, pg.BigInt(id))
	}
	return array
}

// taskIDs returns the task ids in ascending order, which is the order in which tasks are locked.
func taskIDs(records map[uuid.UUID]bool) []uuid.UUID {
	return slices.SortedFunc(maps.Keys(records), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

// Derived rows are inserted in bulk. They are passed as JSON, which PostgreSQL converts to the
// column types.

// jsonBytes is a bytea value in JSON. An empty value becomes null.
type jsonBytes []byte

// MarshalJSON implements json.Marshaler.
func (b jsonBytes) MarshalJSON() ([]byte, error) {
	if len(b) == 0 {
		return []byte("null"), nil
	}
	return append(hex.AppendEncode([]byte(`"\\x`), b), '"'), nil
}

// jsonOf returns nil for a zero hash or address, so that it becomes null.
func jsonOf(b interface{ Bytes() []byte }) jsonBytes {
	if raw := b.Bytes(); len(bytes.Trim(raw, "\x00")) > 0 {
		return raw
	}
	return nil
}

// jsonTime returns nil for the zero time, so that it becomes null.
func jsonTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// insertJSON runs a statement whose only argument is the rows, encoded as JSON.
func (f *Fold) insertJSON(ctx context.Context, what, statement string, rows any) error {
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	_, err = f.db.Exec(ctx, f.tx, statement, string(body))
	return pg.Translate(err, what)
}
