-- +goose Up

-- An erasure of an account's personal data. The account's row stays, because records of other users
-- and the wallet's records on the chain refer to it. listed is whether the list outside of the
-- database contains the erasure, which is repeated from it after a restore. contracts_erased_at is
-- when the texts that are part of contracts with other users were erased.
CREATE TABLE erasures (
    id                  uuid    PRIMARY KEY,
    account_id          uuid    NOT NULL REFERENCES users (id),
    requested_by        text    NOT NULL CHECK (requested_by IN ('account', 'operator')),
    erased_at           instant NOT NULL,
    contracts_erased_at instant,
    listed              boolean NOT NULL DEFAULT false
);
CREATE INDEX erasures_account_id_idx ON erasures (account_id);
CREATE INDEX erasures_unlisted_idx ON erasures (erased_at) WHERE NOT listed;
CREATE INDEX erasures_contracts_idx ON erasures (erased_at) WHERE contracts_erased_at IS NULL;

-- The wallet signs a challenge before its account is erased. The constraint is validated by a later
-- migration.
ALTER TABLE challenges DROP CONSTRAINT challenges_purpose_check;
ALTER TABLE challenges ADD CONSTRAINT challenges_purpose_check CHECK (purpose IN ('register', 'recover', 'login', 'erase')) NOT VALID;

-- +goose Down
DELETE FROM challenges WHERE purpose = 'erase';
ALTER TABLE challenges DROP CONSTRAINT challenges_purpose_check;
ALTER TABLE challenges ADD CONSTRAINT challenges_purpose_check CHECK (purpose IN ('register', 'recover', 'login'));
DROP TABLE erasures;
