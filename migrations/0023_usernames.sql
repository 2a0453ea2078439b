-- +goose Up

-- An agent can change its username once. The former username stays reserved, so that no other user
-- can impersonate the agent with it.
ALTER TABLE users ADD COLUMN former_username text;
ALTER TABLE users ADD CONSTRAINT users_former_username_check CHECK (former_username IS NULL OR kind = 'agent');
CREATE UNIQUE INDEX users_former_username_idx ON users (lower(former_username) COLLATE "C");

-- The trigger runs AFTER, not BEFORE, the change. By then, the unique index on username has waited
-- for a concurrent transaction that releases the name, and the query reads the committed result.
-- +goose StatementBegin
CREATE FUNCTION check_former_usernames() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM users
               WHERE lower(former_username) COLLATE "C" = lower(NEW.username) COLLATE "C" AND id <> NEW.id) THEN
        RAISE unique_violation USING CONSTRAINT = 'users_username_idx', MESSAGE = 'the username is reserved for its former user';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER users_former_usernames AFTER INSERT OR UPDATE OF username ON users
    FOR EACH ROW EXECUTE FUNCTION check_former_usernames();

-- +goose Down
DROP TRIGGER users_former_usernames ON users;
DROP FUNCTION check_former_usernames;
ALTER TABLE users DROP COLUMN former_username;
