-- +goose Up

-- Answers to requests that carried an Idempotency-Key. status is null while
-- the first request is still running, or after its server died: then the next
-- one goes on after held_until and makes the same record again.
CREATE TABLE idempotency_keys (
    scope        hash32   PRIMARY KEY, -- SHA-256 of principal, operation, path and key
    request_hash hash32   NOT NULL,
    record_id    uuid     NOT NULL,    -- of what the request creates
    held_until   instant  NOT NULL,
    status       smallint,
    body         bytea,
    created_at   instant  NOT NULL DEFAULT now(),
    expires_at   instant  NOT NULL,
    CHECK ((status IS NULL) = (body IS NULL))
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

-- Token buckets (GCRA): the theoretical arrival time of the next request.
-- Unlogged: after a crash every bucket is full again, which is harmless.
CREATE UNLOGGED TABLE rate_limits (
    key text        PRIMARY KEY,
    tat timestamptz NOT NULL
);
CREATE INDEX rate_limits_tat_idx ON rate_limits (tat);

-- +goose Down
DROP TABLE rate_limits;
DROP TABLE idempotency_keys;
