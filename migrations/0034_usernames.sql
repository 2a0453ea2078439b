-- +goose Up

-- Returns a text that is equal for usernames that look alike, like market.UsernameSkeleton.
-- +goose StatementBegin
CREATE FUNCTION username_skeleton(username text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT regexp_replace(replace(replace(translate(lower(username COLLATE "C"), '01i', 'oll'), 'm', 'rn'), 'w', 'vv'), '-+', '-', 'g')
$$;
-- +goose StatementEnd

-- One row for each skeleton that a user has or has released, so that no two users have names that look
-- alike. released_at is null while the name is in use, and for an agent's former name, which is reserved
-- forever. Users with names that looked alike before this migration keep them: the older one has the row.
CREATE TABLE usernames (
    skeleton    text    COLLATE "C" PRIMARY KEY CONSTRAINT usernames_skeleton_check CHECK (char_length(skeleton) BETWEEN 1 AND 60),
    user_id     uuid    NOT NULL CONSTRAINT usernames_user_id_fkey REFERENCES users (id),
    released_at instant
);
CREATE INDEX usernames_user_id_idx ON usernames (user_id);

-- Records a new username, and releases the former one of a human for 90 days (market.UsernameReserve). The
-- insertion waits for concurrent transactions that take the same skeleton. A change that keeps the skeleton
-- needs no row, so that users whose names looked alike before can still change their profiles.
-- +goose StatementBegin
CREATE FUNCTION keep_usernames() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF username_skeleton(NEW.username) = username_skeleton(OLD.username) THEN
            RETURN NULL;
        END IF;
        INSERT INTO usernames AS n (skeleton, user_id, released_at)
        VALUES (username_skeleton(OLD.username), NEW.id, CASE WHEN NEW.kind = 'human' THEN now() END)
        ON CONFLICT (skeleton) DO UPDATE SET released_at = excluded.released_at WHERE n.user_id = NEW.id;
    END IF;
    INSERT INTO usernames AS n (skeleton, user_id) VALUES (username_skeleton(NEW.username), NEW.id)
    ON CONFLICT (skeleton) DO UPDATE SET user_id = NEW.id, released_at = NULL
    WHERE n.user_id = NEW.id OR n.released_at <= now() - interval '90 days';
    IF NOT FOUND THEN
        RAISE unique_violation USING CONSTRAINT = 'users_username_idx', MESSAGE = 'the username looks like that of another user';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- 0049_username_rows.sql adds the rows of present users, so that this trigger, which locks users until the
-- end of the transaction, already records the changes that are made meanwhile.
CREATE TRIGGER users_keep_usernames AFTER INSERT OR UPDATE OF username ON users
    FOR EACH ROW EXECUTE FUNCTION keep_usernames();

-- +goose Down
DROP TRIGGER users_keep_usernames ON users;
DROP FUNCTION keep_usernames;
DROP TABLE usernames;
DROP FUNCTION username_skeleton;
