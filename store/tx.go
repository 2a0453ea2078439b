package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"taskmarket/market"
)

// maxAttempts is how often a transaction is tried that others keep getting in
// the way of.
const maxAttempts = 5

// tx runs fn in a transaction (read committed) and commits when fn returns
// nil. A transaction that lost a deadlock or a serialisation conflict is run
// again from the start, so fn must have no other effects.
func (s *Store) tx(ctx context.Context, fn func(*sqlx.Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := s.attempt(ctx, fn)
		s.prepareWanted(ctx)
		if attempt == maxAttempts || !conflict(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("repeat a transaction: %w", ctx.Err())
		case <-time.After(rand.N(time.Duration(attempt) * 10 * time.Millisecond)): //nolint:gosec // a pause needs no secrets
		}
	}
}

func (s *Store) attempt(ctx context.Context, fn func(*sqlx.Tx) error) error {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
		return fmt.Errorf("wait for a transaction's turn: %w", ctx.Err())
	}
	tx, err := s.db.BeginTxx(ctx, nil)
	if err != nil {
		return translate(err, "begin a transaction")
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return translate(err, "commit")
	}
	s.announce() //nolint:contextcheck // others are told also when the caller is gone
	return nil
}

func conflict(err error) bool {
	return pq.As(err, pqerror.TRSerializationFailure, pqerror.TRDeadlockDetected) != nil
}

// prepared returns the statement of a query whose text is a constant, prepared
// once per connection; bound to tx unless tx is nil. A transaction that meets a
// query for the first time prepares it for itself: another connection may be
// long in coming while it holds locks.
func (s *Store) prepared(ctx context.Context, tx *sqlx.Tx, query string) (*sqlx.Stmt, error) {
	s.preparing.RLock()
	stmt := s.statements[query]
	s.preparing.RUnlock()
	switch {
	case stmt == nil && tx == nil:
		return s.prepare(ctx, query)
	case stmt == nil:
		s.want(query)
		return tx.PreparexContext(ctx, query)
	case tx == nil:
		return stmt, nil
	}
	return tx.StmtxContext(ctx, stmt), nil
}

func (s *Store) want(query string) {
	s.preparing.Lock()
	defer s.preparing.Unlock()
	if s.wanted == nil {
		s.wanted = make(map[string]bool)
	}
	s.wanted[query] = true
}

// prepareWanted prepares for good what transactions had to prepare for
// themselves. A query that fails stays unknown, and is wanted again.
func (s *Store) prepareWanted(ctx context.Context) {
	s.preparing.Lock()
	wanted := s.wanted
	s.wanted = nil
	s.preparing.Unlock()
	for query := range wanted {
		_, _ = s.prepare(ctx, query) //nolint:sqlclosecheck // it lives as long as the pool
	}
}

func (s *Store) prepare(ctx context.Context, query string) (*sqlx.Stmt, error) {
	fresh, err := s.db.PreparexContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.remember(query, fresh), nil
}

// remember keeps the first of several statements of one query.
func (s *Store) remember(query string, fresh *sqlx.Stmt) *sqlx.Stmt {
	s.preparing.Lock()
	defer s.preparing.Unlock()
	if first := s.statements[query]; first != nil {
		_ = fresh.Close()
		return first
	}
	s.statements[query] = fresh
	return fresh
}

// get scans the one row of a prepared query; a nil tx means none. Errors are
// the driver's, for translate.
func (s *Store) get(ctx context.Context, tx *sqlx.Tx, dest any, query string, args ...any) error {
	stmt, err := s.prepared(ctx, tx, query) //nolint:sqlclosecheck // it lives as long as the pool, or as tx
	if err != nil {
		return err
	}
	return stmt.GetContext(ctx, dest, args...)
}

// rows scans all rows of a prepared query into the slice that dest points to.
func (s *Store) rows(ctx context.Context, tx *sqlx.Tx, dest any, query string, args ...any) error {
	stmt, err := s.prepared(ctx, tx, query) //nolint:sqlclosecheck // it lives as long as the pool, or as tx
	if err != nil {
		return err
	}
	return stmt.SelectContext(ctx, dest, args...)
}

// exec runs a prepared statement and returns how many rows it changed.
func (s *Store) exec(ctx context.Context, tx *sqlx.Tx, query string, args ...any) (int64, error) {
	stmt, err := s.prepared(ctx, tx, query) //nolint:sqlclosecheck // it lives as long as the pool, or as tx
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(ctx, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// translate wraps err with what was being done. What the database refuses for
// the caller's sake becomes a *market.Error with that as its cause: a missing
// row, a unique key, a value that cannot be stored, a database that is away.
// nil stays nil, and a *market.Error stays as it is.
func translate(err error, what string) error {
	if err == nil || market.KindOf(err) != "" {
		return err
	}
	wrapped := fmt.Errorf("%s: %w", what, err)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return refusal(market.KindNotFound, "there is no such record", wrapped)
	case disconnected(err):
		return busy(wrapped)
	}
	var refused *pq.Error
	if !errors.As(err, &refused) {
		return wrapped
	}
	switch refused.Code {
	case pqerror.UniqueViolation:
		return duplicate(refused.Constraint, wrapped)
	case pqerror.CheckViolation, pqerror.CharacterNotInRepertoire, pqerror.UntranslatableCharacter,
		pqerror.InvalidTextRepresentation, pqerror.NumericValueOutOfRange,
		pqerror.StringDataRightTruncation, pqerror.DatetimeFieldOverflow, pqerror.InvalidDatetimeFormat:
		return refusal(market.KindInvalid, "the request holds a value that cannot be stored", wrapped)
	case pqerror.LockNotAvailable, pqerror.IdleInTransactionSessionTimeout, pqerror.ReadOnlySQLTransaction:
		return busy(wrapped)
	}
	switch refused.Code.Class() {
	case pqerror.ClassConnectionException, pqerror.ClassInsufficientResources, // such as a full disk
		pqerror.ClassOperatorIntervention, pqerror.ClassSystemError:
		return busy(wrapped)
	}
	return wrapped
}

// disconnected reports that a connection broke or could not be made. Whether a
// statement on its way was carried out, nobody knows.
func disconnected(err error) bool {
	_, network := errors.AsType[*net.OpError](err)
	return network || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// busy says that the database cannot do this now, but will.
func busy(cause error) *market.Error {
	unavailable := refusal(market.KindUnavailable, "the database is busy or away; try again", cause)
	unavailable.RetryAfter = time.Second
	return unavailable
}

func refusal(kind market.Kind, message string, cause error) *market.Error {
	return &market.Error{Kind: kind, Message: message, Cause: cause}
}

// duplicate says in a stranger's words which unique key stands in the way. A
// key that no request can violate by itself is an internal error.
func duplicate(constraint string, cause error) error {
	switch constraint {
	case "users_username_idx":
		return refusal(market.KindUsernameTaken, "this username is taken; choose another", cause)
	case "users_wallet_idx":
		return refusal(market.KindWalletRegistered, "this wallet is registered already; use its saved API key", cause)
	case "users_social_account_idx", "users_social_post_idx":
		return refusal(market.KindSocialAccountTaken, "this account or post already vouches for another user", cause)
	case "tasks_escrow_task_idx", "tasks_claimed_tx_idx":
		return refusal(market.KindTxAlreadyUsed, "this transaction already funds another task", cause)
	case "applications_live_idx":
		return refusal(market.KindWrongStatus, "there is already an application of yours that waits for a decision", cause)
	case "reviews_task_id_reviewer_id_key":
		return refusal(market.KindAlreadyExists, "you have reviewed this task already", cause)
	case "verdicts_task_id_round_validator_key":
		return refusal(market.KindAlreadyExists, "you have given your verdict on this round already", cause)
	case "claims_open_idx":
		return refusal(market.KindAlreadyExists, "a claim of yours is being paid; wait for it", cause)
	default:
		return cause
	}
}
