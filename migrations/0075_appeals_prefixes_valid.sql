-- +goose Up
ALTER TABLE appeals VALIDATE CONSTRAINT appeals_other_person_check;

-- +goose Down
ALTER TABLE appeals DROP CONSTRAINT appeals_other_person_check, ADD CONSTRAINT appeals_other_person_check CHECK (
    regexp_replace(lower(decided_by), '^(cli:)+', '') <> regexp_replace(lower(first_decider), '^(cli:)+', '')) NOT VALID;
