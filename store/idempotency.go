package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// requestLease is how long an unfinished request keeps others with its key
// away. One that takes longer has most likely died with its server and may be
// repeated; if it has not, both make the same record, because they share its id.
const requestLease = 15 * time.Second

// Answer is what a request was answered with.
type Answer struct {
	Status int
	Body   []byte
}

// BeginRequest says how to go on with a request that carries an idempotency
// key: without an Answer, do it and call FinishRequest, ForgetRequest or
// LeaveRequest; with one, give that. scope identifies principal, operation and
// key, requestHash the body, and record is the id of what the request is about
// to create: when a request before this one died half-way, the id that it had
// is returned instead, so that nothing is created twice. It refuses the key with another body
// (KindIdempotencyReused) and while the first request runs (KindRequestInProgress).
func (s *Store) BeginRequest(ctx context.Context, scope, requestHash common.Hash, record uuid.UUID) (uuid.UUID, *Answer, error) {
	var answer *Answer
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		taken, err := s.takeKey(ctx, tx, scope, requestHash, &record)
		if taken || err != nil {
			return err
		}
		answer, err = s.answer(ctx, tx, scope, requestHash)
		return err
	})
	return record, answer, err
}

// insertKey takes a key that nobody has used; retakeKey one that has expired or
// whose request died.
const (
	insertKey = `
	INSERT INTO idempotency_keys (scope, request_hash, record_id, held_until, expires_at)
	VALUES ($1, $2, $3, now() + $4 * interval '1 microsecond', now() + $5 * interval '1 microsecond')
	ON CONFLICT (scope) DO NOTHING
	RETURNING record_id`
	retakeKey = `
	UPDATE idempotency_keys AS k
	SET request_hash = $2, status = NULL, body = NULL, held_until = now() + $4 * interval '1 microsecond',
	    record_id = CASE WHEN k.expires_at <= now() THEN $3 ELSE k.record_id END,
	    created_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.created_at END,
	    expires_at = CASE WHEN k.expires_at <= now() THEN now() + $5 * interval '1 microsecond' ELSE k.expires_at END
	WHERE k.scope = $1
	  AND (k.expires_at <= now() OR k.status IS NULL AND k.held_until <= now() AND k.request_hash = $2)
	RETURNING record_id`
)

// takeKey takes a key that is new, or that another request has left. It reports
// whether it did, and then what the request makes. A key that is taken is not
// locked: many who ask again would hold up the one who has it.
func (s *Store) takeKey(ctx context.Context, tx *sqlx.Tx, scope, requestHash common.Hash, record *uuid.UUID) (bool, error) {
	for _, statement := range []string{insertKey, retakeKey} {
		err := s.db.Get(ctx, tx, record, statement, scope, requestHash, *record, requestLease.Microseconds(), market.IdempotencyLifetime.Microseconds())
		if !errors.Is(err, sql.ErrNoRows) {
			return err == nil, pg.Translate(err, "take an idempotency key")
		}
	}
	return false, nil
}

// answer returns what the first request with the key was answered.
func (s *Store) answer(ctx context.Context, tx *sqlx.Tx, scope, requestHash common.Hash) (*Answer, error) {
	var row struct {
		RequestHash common.Hash `db:"request_hash"`
		Status      *int        `db:"status"`
		Body        []byte      `db:"body"`
	}
	err := s.db.Get(ctx, tx, &row, `SELECT request_hash, status, body FROM idempotency_keys WHERE scope = $1`, scope)
	switch {
	case errors.Is(err, sql.ErrNoRows): // it was freed just now
		return nil, inProgress()
	case err != nil:
		return nil, pg.Translate(err, "select an idempotency key")
	case row.RequestHash != requestHash:
		return nil, market.Errorf(market.KindIdempotencyReused, "this Idempotency-Key was used with another request").
			WithHint("use a fresh key for each new request")
	case row.Status == nil:
		return nil, inProgress()
	}
	return &Answer{Status: *row.Status, Body: row.Body}, nil
}

func inProgress() error {
	return market.Errorf(market.KindRequestInProgress, "the first request with this Idempotency-Key is still running").
		WithHint("repeat the request in a moment")
}

// FinishRequest keeps the answer for later requests with the same key.
func (s *Store) FinishRequest(ctx context.Context, scope common.Hash, answer Answer) error {
	body := append([]byte{}, answer.Body...) // never nil: NULL is no answer yet
	return s.endRequest(ctx, "keep the answer of an idempotency key", `
		UPDATE idempotency_keys
		SET status = $2, body = $3
		WHERE scope = $1`, scope, answer.Status, body)
}

// ForgetRequest frees the key of a request that was refused, for any request.
func (s *Store) ForgetRequest(ctx context.Context, scope common.Hash) error {
	return s.endRequest(ctx, "delete an idempotency key",
		`DELETE FROM idempotency_keys WHERE scope = $1 AND status IS NULL`, scope)
}

// LeaveRequest is for a request of which nobody knows what it has done. It can
// be made again at once, and makes the same record.
func (s *Store) LeaveRequest(ctx context.Context, scope common.Hash) error {
	return s.endRequest(ctx, "free an idempotency key",
		`UPDATE idempotency_keys SET held_until = now() WHERE scope = $1 AND status IS NULL`, scope)
}

func (s *Store) endRequest(ctx context.Context, what, statement string, args ...any) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, statement, args...)
		return pg.Translate(err, what)
	})
}
