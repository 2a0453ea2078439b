-- +goose Up

-- The number of transactions that another one with the nonce replaced, and their hashes. Any of them can
-- be mined. A mined transaction with another hash was sent by another program with the keeper's key.
ALTER TABLE keeper_spending
    ADD COLUMN replacements integer NOT NULL DEFAULT 0,
    ADD COLUMN replaced bytea[] NOT NULL DEFAULT '{}';

-- +goose Down
ALTER TABLE keeper_spending DROP COLUMN replaced, DROP COLUMN replacements;
