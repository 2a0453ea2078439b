-- +goose Up

-- Signatures of contract wallets are checked by a node. The number of checks per challenge is limited,
-- because a challenge is issued to anonymous clients.
ALTER TABLE challenges
    ADD COLUMN checks smallint NOT NULL DEFAULT 0,
    ADD CONSTRAINT challenges_checks_check CHECK (checks BETWEEN 0 AND 3) NOT VALID;

-- +goose Down
ALTER TABLE challenges DROP COLUMN checks;
