package pg

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/market"
)

// maxAttempts limits how often a transaction is attempted if it conflicts with other transactions.
const maxAttempts = 5

// Tx runs fn in a transaction at isolation level read committed, and commits if fn returns nil. It
// retries after a deadlock or a serialization failure, so fn must have no side effects outside the
// transaction. It returns KindUnavailable after operationLimit; the transaction may have been committed.
func (db *DB) Tx(ctx context.Context, fn func(*sqlx.Tx) error) error {
	return inTime(ctx, func(ctx context.Context) error { return db.LongTx(ctx, db.admitted(ctx, fn)) })
}

// admitted returns fn behind the pool's check of the context's request.
func (db *DB) admitted(ctx context.Context, fn func(*sqlx.Tx) error) func(*sqlx.Tx) error {
	return func(tx *sqlx.Tx) error {
		if err := db.admit(ctx, tx); err != nil {
			return err
		}
		return fn(tx)
	}
}

// LongTx is like Tx without a limit for the whole transaction, and without the check of the request. Each of
// its statements still has a limit.
func (db *DB) LongTx(ctx context.Context, fn func(*sqlx.Tx) error) error {
	return db.retry(ctx, func() error {
		err := db.inSlot(ctx, func() error { return db.attempt(ctx, fn) })
		db.prepareQueued(ctx)
		return err
	})
}

// inTime runs an operation with operationLimit, and returns KindUnavailable if it has failed because of it.
func inTime(ctx context.Context, operation func(context.Context) error) error {
	limited, cancel := within(ctx)
	defer cancel()
	err := operation(limited)
	if err != nil && market.KindOf(err) == "" && limited.Err() != nil && ctx.Err() == nil {
		return Busy(err)
	}
	return err
}

// retry calls write again after a deadlock or a serialization failure.
func (db *DB) retry(ctx context.Context, write func() error) error {
	for attempt := 1; ; attempt++ {
		err := write()
		if attempt == maxAttempts || !conflict(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("retry a transaction: %w", ctx.Err())
		case <-time.After(rand.N(time.Duration(attempt) * 10 * time.Millisecond)): //nolint:gosec // random numbers for a delay need not be secure
		}
	}
}

// inSlot calls write while it holds one of the slots for transactions.
func (db *DB) inSlot(ctx context.Context, write func() error) error {
	select {
	case db.slots <- struct{}{}:
		defer func() { <-db.slots }()
	case <-ctx.Done():
		return fmt.Errorf("wait for a transaction slot: %w", ctx.Err())
	}
	return write()
}

func (db *DB) attempt(ctx context.Context, fn func(*sqlx.Tx) error) error {
	tx, end, err := db.begin(ctx, nil)
	if err != nil {
		return Translate(err, "begin a transaction")
	}
	defer end()
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return Translate(err, "commit")
	}
	db.onCommit()
	return nil
}

// begin begins a transaction, for which it waits no longer than operationLimit. end rolls the transaction
// back unless it has ended.
func (db *DB) begin(ctx context.Context, options *sql.TxOptions) (tx *sqlx.Tx, end func(), err error) {
	bound, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(operationLimit, cancel)
	tx, err = db.Pool.BeginTxx(bound, options)
	if !late.Stop() && ctx.Err() == nil {
		if err == nil {
			_ = tx.Rollback()
		}
		return nil, nil, Busy(fmt.Errorf("begin a transaction: %w", context.DeadlineExceeded))
	}
	if err != nil {
		cancel()
		return nil, nil, err
	}
	return tx, func() { _ = tx.Rollback(); cancel() }, nil // Rollback has no effect after a commit
}

func conflict(err error) bool {
	return pq.As(err, pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected) != nil
}

// Snapshot runs fn in a read-only transaction whose statements all read the same state.
func (db *DB) Snapshot(ctx context.Context, fn func(*sqlx.Tx) error) error {
	tx, end, err := db.begin(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return Translate(err, "begin a snapshot")
	}
	defer end() // nothing was written
	return fn(tx)
}

// Write runs one statement in a transaction. what names the operation in errors.
func (db *DB) Write(ctx context.Context, what, statement string, args ...any) error {
	return db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := db.Exec(ctx, tx, statement, args...)
		return Translate(err, what)
	})
}

// GetWrittenFor is like TxFor for a single statement, and scans the row that the statement returns. It
// takes one round trip, and the statement must check the context's request itself. The statement must be idempotent, because it is repeated after a conflict or a
// lost connection. GetWrittenFor returns the driver's errors, like Get.
func (db *DB) GetWrittenFor(ctx context.Context, record uuid.UUID, dest any, statement string, args ...any) error {
	return inTime(ctx, func(ctx context.Context) error {
		done, err := db.queues.await(ctx, record)
		if err != nil {
			return err
		}
		defer done()
		return db.retry(ctx, func() error {
			err := db.inSlot(ctx, func() error { return db.Get(ctx, nil, dest, statement, args...) })
			if err == nil {
				db.onCommit()
			}
			return err
		})
	})
}

// TxFor is like Tx, for a transaction that locks a record or inserts rows that belong to it. Transactions
// for the same record run one at a time; those that wait use no connection. The record is a task, a
// conversation, a user or a moderation decision.
func (db *DB) TxFor(ctx context.Context, record uuid.UUID, fn func(*sqlx.Tx) error) error {
	return inTime(ctx, func(ctx context.Context) error { return db.LongTxFor(ctx, record, db.admitted(ctx, fn)) })
}

// LongTxFor is like TxFor, but has only the limits of LongTx.
func (db *DB) LongTxFor(ctx context.Context, record uuid.UUID, fn func(*sqlx.Tx) error) error {
	done, err := db.queues.await(ctx, record)
	if err != nil {
		return err
	}
	defer done()
	return db.LongTx(ctx, fn)
}

// Serialize locks a kind of record, such as "uploads", for the account until the transaction ends. Another
// transaction with this lock, on any server, ends first, so a limit that is checked next counts its rows.
func (db *DB) Serialize(ctx context.Context, tx *sqlx.Tx, acts string, account uuid.UUID) error {
	_, err := db.Exec(ctx, tx, `SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 0))`, acts, account)
	return Translate(err, fmt.Sprintf("lock the %s of %s", acts, account))
}
