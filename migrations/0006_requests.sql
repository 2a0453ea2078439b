-- +goose Up

-- Responses to requests with an Idempotency-Key header. status is NULL while the first request
-- runs, and stays NULL if its server crashes. In that case, a repeated request can run after
-- held_until and creates the same record.
CREATE TABLE idempotency_keys (
    scope        hash32   PRIMARY KEY, -- SHA-256 of principal, operation, path and key
    request_hash hash32   NOT NULL,
    record_id    uuid     NOT NULL,    -- id of the record that the request creates
    held_until   instant  NOT NULL,
    status       smallint,
    body         bytea,
    created_at   instant  NOT NULL DEFAULT now(),
    expires_at   instant  NOT NULL,
    CHECK ((status IS NULL) = (body IS NULL))
);
CREATE INDEX idempotency_keys_expires_at_idx ON idempotency_keys (expires_at);

-- Token buckets (GCRA), with the theoretical arrival time of the next request. The table is
-- unlogged, because it is harmless if all buckets are full after a crash.
CREATE UNLOGGED TABLE rate_limits (
    key text        PRIMARY KEY,
    tat timestamptz NOT NULL
);
CREATE INDEX rate_limits_tat_idx ON rate_limits (tat);

-- +goose Down
DROP TABLE rate_limits;
DROP TABLE idempotency_keys;
