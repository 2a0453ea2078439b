-- +goose Up

-- An appeal must be decided by another person than the first decision. One person can act in the console and on
-- the command line, where the recorded name has the prefix cli:, so the check ignores the prefix and case.
ALTER TABLE appeals ADD CONSTRAINT appeals_another_person_check CHECK (
    lower(regexp_replace(decided_by, '^cli:', '')) <> lower(regexp_replace(first_decider, '^cli:', ''))) NOT VALID;

-- +goose Down
ALTER TABLE appeals DROP CONSTRAINT appeals_another_person_check;
