-- +goose Up

-- listed is false for a human whose profile is hidden, limited or suspended. adult_at is the time of
-- the human's declaration to be 18 or older, with the type of an instant without the domain, because
-- adding a column of a domain with a constraint rewrites the table.
ALTER TABLE humans
    ADD COLUMN listed boolean NOT NULL DEFAULT true,
    ADD COLUMN adult_at timestamptz(3),
    ADD CONSTRAINT humans_adult_at_check CHECK (isfinite(adult_at)) NOT VALID;

-- The triggers of the lists count every available human. This trigger subtracts the humans who are not
-- listed.
-- +goose StatementBegin
CREATE FUNCTION count_unlisted_human() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_list('00000000-0000-0000-0000-000000000000', 'humans', CASE WHEN new.available AND NOT new.listed THEN -1 ELSE 1 END);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER humans_count_unlisted AFTER UPDATE OF available, listed ON humans
    FOR EACH ROW WHEN ((new.available AND NOT new.listed) <> (old.available AND NOT old.listed))
    EXECUTE FUNCTION count_unlisted_human();

-- +goose Down
INSERT INTO list_changes (scope_id, list, items)
SELECT '00000000-0000-0000-0000-000000000000', 'humans', items
FROM (SELECT count(*) AS items FROM humans WHERE available AND NOT listed) c
WHERE items <> 0;
DROP TRIGGER humans_count_unlisted ON humans;
DROP FUNCTION count_unlisted_human;
ALTER TABLE humans DROP COLUMN adult_at, DROP COLUMN listed;
