-- +goose Up

-- Time of the last recovery with the wallet. It delays only further recoveries, because a thief who
-- rotates a stolen key must not be able to delay the owner's recovery.
ALTER TABLE agents ADD COLUMN key_recovered_at instant;

-- +goose Down
ALTER TABLE agents DROP COLUMN key_recovered_at;
