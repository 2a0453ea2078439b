-- +goose Up

-- The name of a sign-in link can begin with cli:, and the command line adds another prefix, so all of them are
-- ignored, in upper and lower case.
ALTER TABLE appeals ADD CONSTRAINT appeals_other_person_check CHECK (
    regexp_replace(lower(decided_by), '^(cli:)+', '') <> regexp_replace(lower(first_decider), '^(cli:)+', '')) NOT VALID;
-- Safe: the new constraint, which applies to all new rows, includes it.
ALTER TABLE appeals DROP CONSTRAINT appeals_another_person_check;

-- +goose Down
ALTER TABLE appeals DROP CONSTRAINT appeals_other_person_check,
    ADD CONSTRAINT appeals_another_person_check CHECK (
        lower(regexp_replace(decided_by, '^cli:', '')) <> lower(regexp_replace(first_decider, '^cli:', '')));
