-- +goose Up

-- The hashes of the transactions that another one with the nonce replaced. Any of them can be mined. A
-- mined transaction with another hash was sent by another program with the keeper's key.
ALTER TABLE keeper_spending ADD COLUMN replaced bytea[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE keeper_spending DROP COLUMN replaced;
