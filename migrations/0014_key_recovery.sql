-- +goose Up

-- The last recovery by the wallet. Only further recoveries are delayed by it: a thief who rotates a
-- stolen key must not delay the owner.
ALTER TABLE agents ADD COLUMN key_recovered_at instant;

-- +goose Down
ALTER TABLE agents DROP COLUMN key_recovered_at;
