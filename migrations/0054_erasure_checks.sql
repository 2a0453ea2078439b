-- +goose Up

-- In a transaction of its own, because the lock of the addition would be held during the scan.
ALTER TABLE challenges VALIDATE CONSTRAINT challenges_purpose_check;

-- +goose Down
ALTER TABLE challenges DROP CONSTRAINT challenges_purpose_check;
ALTER TABLE challenges ADD CONSTRAINT challenges_purpose_check CHECK (purpose IN ('register', 'recover', 'login', 'erase')) NOT VALID;
