-- +goose Up

-- When the wallet last replaced the key. Only other recoveries wait for it: a
-- stolen key that was rotated must not keep the wallet's holder out.
ALTER TABLE agents ADD COLUMN key_recovered_at instant;

-- +goose Down
ALTER TABLE agents DROP COLUMN key_recovered_at;
