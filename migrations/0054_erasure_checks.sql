-- +goose Up

-- Validates the constraint that migration 0052 added. In the same transaction, the lock that ADD CONSTRAINT
-- takes would be held during the scan of the table.
ALTER TABLE challenges VALIDATE CONSTRAINT challenges_purpose_check;

-- +goose Down
ALTER TABLE challenges DROP CONSTRAINT challenges_purpose_check;
ALTER TABLE challenges ADD CONSTRAINT challenges_purpose_check CHECK (purpose IN ('register', 'recover', 'login', 'erase')) NOT VALID;
