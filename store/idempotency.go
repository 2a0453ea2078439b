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

// requestLease is how long an unfinished request blocks other requests with the same idempotency
// key. After that, its server has probably crashed, and the request can be repeated. If it is still
// running, both requests write the same record, because they use the same record id.
const requestLease = 15 * time.Second

// Answer is the stored response to a request.
type Answer struct {
	Status int
	Body   []byte
}

// BeginRequest starts a request with an idempotency key. If it returns an Answer, the caller sends
// this response again. Otherwise the caller performs the request and calls FinishRequest,
// DiscardRequest or AbandonRequest. scope identifies the principal, operation and key; requestHash
// identifies the body. record is the id for the record to create. If an earlier attempt was
// interrupted, BeginRequest returns the record id from that attempt instead, so that the record is
// created only once. It returns KindIdempotencyReused if the key was used with another body, and
// KindRequestInProgress while the first request is running.
func (s *Store) BeginRequest(ctx context.Context, scope, requestHash common.Hash, record uuid.UUID) (uuid.UUID, *Answer, error) {
	var response *Answer
	err := s.db.Tx(WithCaller(ctx, Caller{}), func(tx *sqlx.Tx) error {
		taken, err := s.acquireKey(ctx, tx, scope, requestHash, &record)
		if taken || err != nil {
			return err
		}
		response, err = s.storedResponse(ctx, tx, scope, requestHash)
		return err
	})
	return record, response, err
}

// insertKey acquires an unused key. reacquireKey acquires a key that has expired or whose request
// was interrupted.
const (
	insertKey = `
	INSERT INTO idempotency_keys (scope, request_hash, record_id, held_until, expires_at, account_id)
	VALUES ($1, $2, $3, now() + $4 * interval '1 microsecond', now() + $5 * interval '1 microsecond', $6)
	ON CONFLICT (scope) DO NOTHING
	RETURNING record_id`
	reacquireKey = `
	UPDATE idempotency_keys AS k
	SET request_hash = $2, status = NULL, body = NULL, account_id = $6, held_until = now() + $4 * interval '1 microsecond',
	    record_id = CASE WHEN k.expires_at <= now() THEN $3 ELSE k.record_id END,
	    created_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.created_at END,
	    expires_at = CASE WHEN k.expires_at <= now() THEN now() + $5 * interval '1 microsecond' ELSE k.expires_at END
	WHERE k.scope = $1
	  AND (k.expires_at <= now() OR k.status IS NULL AND k.held_until <= now() AND k.request_hash = $2)
	RETURNING record_id`
)

// acquireKey acquires a new or abandoned key, sets the id for the record to create, and reports
// whether it succeeded. It takes no lock on a key that is in use, so that repeated requests do not
// delay the request that uses the key.
func (s *Store) acquireKey(ctx context.Context, tx *sqlx.Tx, scope, requestHash common.Hash, record *uuid.UUID) (bool, error) {
	account, _ := callerParameters(ctx)
	for _, statement := range []string{insertKey, reacquireKey} {
		err := s.db.Get(ctx, tx, record, statement,
			scope, requestHash, *record, requestLease.Microseconds(), market.IdempotencyLifetime.Microseconds(), account)
		if !errors.Is(err, sql.ErrNoRows) {
			return err == nil, pg.Translate(err, "acquire an idempotency key")
		}
	}
	return false, nil
}

// storedResponse returns the response to the first request with the key.
func (s *Store) storedResponse(ctx context.Context, tx *sqlx.Tx, scope, requestHash common.Hash) (*Answer, error) {
	var row struct {
		RequestHash common.Hash `db:"request_hash"`
		Status      *int        `db:"status"`
		Body        []byte      `db:"body"`
	}
	err := s.db.Get(ctx, tx, &row, `SELECT request_hash, status, body FROM idempotency_keys WHERE scope = $1`, scope)
	switch {
	case errors.Is(err, sql.ErrNoRows): // the key was released between the two statements
		return nil, inProgress()
	case err != nil:
		return nil, pg.Translate(err, "select an idempotency key")
	case row.RequestHash != requestHash:
		return nil, market.Errorf(market.KindIdempotencyReused, "this Idempotency-Key was already used for a different request").
			WithHint("use a new key for each new request")
	case row.Status == nil:
		return nil, inProgress()
	}
	return &Answer{Status: *row.Status, Body: row.Body}, nil
}

func inProgress() error {
	return market.Errorf(market.KindRequestInProgress, "the first request with this Idempotency-Key is still running").
		WithHint("retry the request in a moment")
}

// FinishRequest stores the response for later requests with the same key. It stores nothing if the caller's
// account was erased since the request began, because EraseAccount deletes the account's keys.
func (s *Store) FinishRequest(ctx context.Context, scope common.Hash, response Answer) error {
	body := append([]byte{}, response.Body...) // never nil, because a NULL body means that there is no response yet
	return s.endRequest(ctx, "store the response of an idempotency key", `
		UPDATE idempotency_keys
		SET status = $2, body = $3
		WHERE scope = $1`, scope, response.Status, body)
}

// DiscardRequest releases the key of a rejected request, so that a different request can use it.
func (s *Store) DiscardRequest(ctx context.Context, scope common.Hash) error {
	return s.endRequest(ctx, "delete an idempotency key",
		`DELETE FROM idempotency_keys WHERE scope = $1 AND status IS NULL`, scope)
}

// AbandonRequest ends a request whose outcome is unknown. The client can repeat the request
// immediately, and the repeated request creates the same record.
func (s *Store) AbandonRequest(ctx context.Context, scope common.Hash) error {
	// A second earlier, because the clock of the database's machine can step back.
	return s.endRequest(ctx, "release an idempotency key",
		`UPDATE idempotency_keys SET held_until = now() - interval '1 s' WHERE scope = $1 AND status IS NULL`, scope)
}

func (s *Store) endRequest(ctx context.Context, what, statement string, args ...any) error {
	return s.db.Write(WithCaller(ctx, Caller{}), what, statement, args...) // also after the request has ended its own credential
}
