-- +goose Up
ALTER TABLE appeals VALIDATE CONSTRAINT appeals_another_person_check;

-- +goose Down
ALTER TABLE appeals DROP CONSTRAINT appeals_another_person_check, ADD CONSTRAINT appeals_another_person_check CHECK (
    lower(regexp_replace(decided_by, '^cli:', '')) <> lower(regexp_replace(first_decider, '^cli:', ''))) NOT VALID;
