package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// everybody is the scope of the lists that are nobody's own.
const everybody = "'00000000-0000-0000-0000-000000000000'"

// length is SQL that tells how long a list is.
type length struct {
	sql  string
	args int // how many of the list's arguments, from the first on, it speaks of
}

// kept returns how long the scope's lists are together, by the counts that
// triggers keep. The names are a condition on list. It is what the rows
// themselves would say at the same instant.
func kept(scope, names string, args int) length {
	of := " WHERE scope_id = " + scope + " AND list " + names
	return length{args: args, sql: "SELECT coalesce(sum(items), 0)::bigint FROM (SELECT items FROM list_counts" + of +
		" UNION ALL SELECT items FROM list_changes" + of + ") AS kept"}
}

// keptOf returns the kept length of a list of whom the first argument names.
func keptOf(name string) length { return kept("$1", "= '"+name+"'", 1) }

// compactBatch bounds how many lists one transaction compacts.
const compactBatch = 1_000

// CompactCounts adds what the lengths of lists have changed by to what they
// were, so that to tell a length stays a matter of a few rows. Nobody waits for
// it, and it changes no length. Of several at once one does it.
func (s *Store) CompactCounts(ctx context.Context) error {
	for {
		compacted := 0
		err := s.tx(ctx, func(tx *sqlx.Tx) error {
			var free bool
			if err := s.get(ctx, tx, &free, `SELECT pg_try_advisory_xact_lock($1)`, compactLock); err != nil || !free {
				return translate(err, "take the lock of the counts")
			}
			err := s.get(ctx, tx, &compacted, compactCounts, compactBatch)
			return translate(err, "compact the counts of lists")
		})
		if err != nil || compacted < compactBatch {
			return err
		}
	}
}

// compactLock is the advisory lock of the one who compacts.
const compactLock = 7_463_001

// compactCounts takes all changes of a list or none: those that a transaction
// sees never add up to less than nothing, but some of them may. It updates
// before it inserts, because a row with a negative number is refused even if it
// only were to be added to another.
const compactCounts = `
	WITH lists AS (
		SELECT DISTINCT scope_id, list FROM list_changes ORDER BY scope_id, list LIMIT $1
	), gone AS (
		DELETE FROM list_changes c USING lists l WHERE c.scope_id = l.scope_id AND c.list = l.list
		RETURNING c.scope_id, c.list, c.items
	), changes AS (
		SELECT scope_id, list, sum(items) AS items FROM gone GROUP BY scope_id, list
	), updated AS (
		UPDATE list_counts k SET items = k.items + c.items
		FROM changes c
		WHERE k.scope_id = c.scope_id AND k.list = c.list AND c.items <> 0
	), inserted AS (
		INSERT INTO list_counts (scope_id, list, items)
		SELECT scope_id, list, items
		FROM changes c
		WHERE items <> 0 AND NOT EXISTS (SELECT 1 FROM list_counts k WHERE k.scope_id = c.scope_id AND k.list = c.list)
	)
	SELECT count(*) FROM lists`
