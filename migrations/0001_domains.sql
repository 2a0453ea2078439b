-- +goose Up

-- An amount in wei does not fit into bigint. numeric(78,0) would round 1.5 and accept NaN.
CREATE DOMAIN wei AS numeric
    CHECK (value = trunc(value) AND value >= 0 AND value < 2::numeric ^ 256);

CREATE DOMAIN address AS bytea CHECK (octet_length(value) = 20);
CREATE DOMAIN hash32 AS bytea CHECK (octet_length(value) = 32);

-- Instants have millisecond precision, as in the API.
CREATE DOMAIN instant AS timestamptz(3) CHECK (isfinite(value));

-- +goose Down
DROP DOMAIN instant;
DROP DOMAIN hash32;
DROP DOMAIN address;
DROP DOMAIN wei;
