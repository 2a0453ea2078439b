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

// Fold derives again, within one transaction, what depends on the logs that
// were added or dropped, and on chain time. It never looks at what the derived
// rows held before, so a replay of the same logs ends in the same rows.
type Fold struct {
	db         *pg.DB
	deployment market.Deployment
	tx         *sqlx.Tx
	head       market.Cursor // after the transaction; its block's time is chain time
	// Feeds have the items of logs in blocks below since already, unless a
	// record was linked just now.
	since uint64

	taskLogs, stakeLogs *logGroups

	tasks, stakes map[uint64]bool      // ids on the chain whose logs changed
	postings      []*market.EscrowTask // what the tasks' logs fold into
	parameters    bool
	records       map[uuid.UUID]bool      // tasks to linkRecords again
	rewarded      map[common.Address]bool // wallets whose payments changed
}

func New(db *pg.DB, d market.Deployment, tx *sqlx.Tx, head market.Cursor, since uint64) *Fold {
	return &Fold{
		db: db, deployment: d, tx: tx, head: head, since: since,
		taskLogs: newLogGroups(d.Escrow, market.EventTaskPosted, "task_id",
			func(l market.Log) uint64 { return l.Event.TaskID }),
		stakeLogs: newLogGroups(d.Staking, market.EventStakeLocked, "application_id",
			func(l market.Log) uint64 { return l.Event.ApplicationID }),
		tasks: make(map[uint64]bool), stakes: make(map[uint64]bool), records: make(map[uuid.UUID]bool),
		rewarded: make(map[common.Address]bool),
	}
}

func (f *Fold) now() time.Time { return f.head.Block.Time }

// Add takes a log that came, in chain order; its row is written already.
func (f *Fold) Add(log market.Log) {
	f.Touch(log)
	switch {
	case log.Address == f.taskLogs.contract && log.Event.OfTask():
		f.taskLogs.add(log)
	case log.Address == f.stakeLogs.contract && log.Event.OfStake():
		f.stakeLogs.add(log)
	}
}

// Touch notes what a log that came or went belongs to. A log of another
// contract, or one that changes no record, belongs to nothing.
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

// Run folds what was touched and lets the records linkRecords.
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

// findTouched collects the records that the touched ids are, or may now be,
// linked to. An id without logs any more is known by the links to it.
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
	return f.find(ctx, "find the tasks that stakes touched", `
		SELECT task_id FROM applications
		WHERE chain_id = $1 AND escrow = $2 AND onchain_application_id = ANY ($3)
		UNION
		SELECT t.id
		FROM onchain_applications o
		JOIN tasks t ON t.chain_id = o.chain_id AND t.escrow = o.escrow AND t.escrow_task_id = o.task_id
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.id = ANY ($3)`,
		d.ChainID, d.Escrow, idArray(f.stakes))
}

// findPosted collects the records of the touched postings. It asks with what
// the postings name, each by one index: a join with rows written just now is
// planned without knowing them.
func (f *Fold) findPosted(ctx context.Context) error {
	var terms, txs pq.ByteaArray
	for _, e := range f.postings {
		if e.TermsHash != (common.Hash{}) {
			terms = append(terms, e.TermsHash[:])
		} else { // only these can be claimed
			txs = append(txs, e.Posted.TxHash[:])
		}
	}
	d := f.deployment
	return f.find(ctx, "find the tasks that postings touched", `
		SELECT id FROM tasks
		WHERE chain_id = $1 AND escrow = $2 AND escrow_task_id = ANY ($3)
		UNION ALL
		SELECT id FROM tasks
		WHERE terms_hash = ANY ($4)
		UNION ALL
		SELECT id FROM tasks
		WHERE chain_id = $1 AND escrow = $2 AND claimed_tx = ANY ($5)`,
		d.ChainID, d.Escrow, idArray(f.tasks), terms, txs)
}

// findDue collects the records whose status chain time alone has changed
// since they were saved. After a reorganisation it may have gone back.
func (f *Fold) findDue(ctx context.Context) error {
	return f.find(ctx, "find the tasks that time turned", `
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

// find adds the tasks that a query names.
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

// logs returns canonical logs in chain order. The query selects onchain.LogColumns.
func (f *Fold) logs(ctx context.Context, what, query string, args ...any) ([]market.Log, error) {
	var rows []onchain.LogRow
	if err := f.db.Select(ctx, f.tx, &rows, query, args...); err != nil {
		return nil, pg.Translate(err, what)
	}
	return onchain.LogsOf(f.deployment.ChainID, rows)
}

// manyRows is from when on an ANALYZE takes less time than it saves.
const manyRows = 500

// analyze lets the planner count a table, keyed by id, when one step has added
// more rows than it knows of. Until autovacuum comes by, which is never within a
// transaction, it takes a new table for empty and all of its indexes for equally
// good; the foreign keys to it are then looked up in one that must be read
// whole, and a backfill takes time that grows with the square of its length.
func (f *Fold) analyze(ctx context.Context, table string, added int) error {
	if added < manyRows {
		return nil
	}
	var known float64
	err := f.db.Get(ctx, f.tx, &known, `SELECT reltuples FROM pg_class WHERE oid = $1::text::regclass`, table)
	if err != nil || known >= float64(added) {
		return pg.Translate(err, "ask how many rows the planner knows of in "+table)
	}
	_, err = f.tx.ExecContext(ctx, `ANALYZE `+table+` (chain_id, escrow, id)`)
	return pg.Translate(err, "count the rows of "+table)
}

// idArray lists ids in ascending order.
func idArray(ids map[uint64]bool) pq.Int64Array {
	array := make(pq.Int64Array, 0, len(ids))
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		array = append(array, pg.BigInt(id))
	}
	return array
}

// taskIDs lists the records in ascending order, which is also the order in
// which they are locked.
func taskIDs(records map[uuid.UUID]bool) []uuid.UUID {
	return slices.SortedFunc(maps.Keys(records), func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
}

// Many derived rows are written by one statement, which takes them as JSON and
// lets PostgreSQL read each member with its column's type.

// jsonBytes is a bytea in JSON; empty is null.
type jsonBytes []byte

// MarshalJSON implements json.Marshaler.
func (b jsonBytes) MarshalJSON() ([]byte, error) {
	if len(b) == 0 {
		return []byte("null"), nil
	}
	return json.Marshal(`\x` + hex.EncodeToString(b))
}

// jsonOf returns nil, hence null, for a hash or address of zeros.
func jsonOf(b interface{ Bytes() []byte }) jsonBytes {
	if raw := b.Bytes(); len(bytes.Trim(raw, "\x00")) > 0 {
		return raw
	}
	return nil
}

// jsonTime returns nil, hence null, for the zero instant.
func jsonTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// insertJSON runs a statement whose only parameter is the rows as JSON.
func (f *Fold) insertJSON(ctx context.Context, what, statement string, rows any) error {
	body, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	_, err = f.db.Exec(ctx, f.tx, statement, string(body))
	return pg.Translate(err, what)
}
