-- +goose Up

-- One person can use the console and the command line, whose names have the prefix cli:, and names that
-- differ in case are those of one person.
ALTER TABLE appeals ADD CONSTRAINT appeals_another_person_check CHECK (
    lower(regexp_replace(decided_by, '^cli:', '')) <> lower(regexp_replace(first_decider, '^cli:', ''))) NOT VALID;

-- +goose Down
ALTER TABLE appeals DROP CONSTRAINT appeals_another_person_check;
