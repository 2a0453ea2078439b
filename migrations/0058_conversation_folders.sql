-- +goose Up

-- Each member's own settings of a conversation. A conversation exists once for an agent and a human, so
-- the row is also the place of a block between the two accounts. requested: the other member opened the
-- conversation as a stranger, and the member has not accepted it yet. The constraint is validated by a
-- later migration.
ALTER TABLE conversations
    ADD COLUMN agent_requested boolean NOT NULL DEFAULT false,
    ADD COLUMN agent_muted     boolean NOT NULL DEFAULT false,
    ADD COLUMN agent_blocked   boolean NOT NULL DEFAULT false,
    ADD COLUMN human_requested boolean NOT NULL DEFAULT false,
    ADD COLUMN human_muted     boolean NOT NULL DEFAULT false,
    ADD COLUMN human_blocked   boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT conversations_requested_check CHECK (NOT (agent_requested AND human_requested)) NOT VALID;

-- As Membership.Folder in market.
-- +goose StatementBegin
CREATE FUNCTION conversation_folder(requested boolean, blocked boolean) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN blocked THEN 'blocked' WHEN requested THEN 'requests' ELSE 'inbox' END
$$;
-- +goose StatementEnd

-- The stored list that contains the conversations of a folder. That of the inbox has the name that
-- servers of the previous release read.
-- +goose StatementBegin
CREATE FUNCTION conversation_list(folder text) RETURNS text IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE folder WHEN 'inbox' THEN 'conversations' ELSE 'conversations ' || folder END
$$;
-- +goose StatementEnd

-- Adds the difference between two states of a member's side to the lengths of the member's lists. A new
-- conversation has no folder before.
-- +goose StatementBegin
CREATE FUNCTION count_membership(member uuid, folder_before text, unread_before bigint, folder text, unread bigint)
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF folder IS DISTINCT FROM folder_before THEN
        PERFORM count_list(member, conversation_list(folder), 1);
        IF folder_before IS NOT NULL THEN
            PERFORM count_list(member, conversation_list(folder_before), -1);
        END IF;
    END IF;
    IF unread <> unread_before THEN
        PERFORM count_list(member, 'unread', unread - unread_before);
    END IF;
END $$;
-- +goose StatementEnd

-- As in 0007_messages.sql, but unread messages count only in the inbox, and not in muted conversations.
-- +goose StatementBegin
CREATE FUNCTION counted_unread(folder text, muted boolean, unread integer) RETURNS bigint IMMUTABLE LANGUAGE sql AS $$
    SELECT CASE WHEN folder = 'inbox' AND NOT muted THEN unread ELSE 0 END::bigint
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    agent_folder text := conversation_folder(new.agent_requested, new.agent_blocked);
    human_folder text := conversation_folder(new.human_requested, new.human_blocked);
    agent_unread bigint := counted_unread(agent_folder, new.agent_muted, new.agent_unread);
    human_unread bigint := counted_unread(human_folder, new.human_muted, new.human_unread);
    agent_before text;
    human_before text;
BEGIN
    IF tg_op = 'INSERT' THEN
        PERFORM count_membership(new.agent_id, NULL, 0, agent_folder, agent_unread);
        PERFORM count_membership(new.human_id, NULL, 0, human_folder, human_unread);
    ELSE
        agent_before := conversation_folder(old.agent_requested, old.agent_blocked);
        human_before := conversation_folder(old.human_requested, old.human_blocked);
        PERFORM count_membership(new.agent_id, agent_before, counted_unread(agent_before, old.agent_muted, old.agent_unread), agent_folder, agent_unread);
        PERFORM count_membership(new.human_id, human_before, counted_unread(human_before, old.human_muted, old.human_unread), human_folder, human_unread);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE OR REPLACE TRIGGER conversations_count
    AFTER INSERT OR UPDATE OF agent_unread, agent_requested, agent_muted, agent_blocked,
                              human_unread, human_requested, human_muted, human_blocked ON conversations
    FOR EACH ROW EXECUTE FUNCTION count_conversation();

-- +goose Down
-- All conversations return to the inbox, which the trigger counts.
UPDATE conversations
SET agent_requested = false, agent_muted = false, agent_blocked = false,
    human_requested = false, human_muted = false, human_blocked = false
WHERE agent_requested OR agent_muted OR agent_blocked OR human_requested OR human_muted OR human_blocked;
DROP TRIGGER conversations_count ON conversations;
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION count_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    agent_unread bigint := new.agent_unread;
    human_unread bigint := new.human_unread;
BEGIN
    IF tg_op = 'INSERT' THEN
        PERFORM count_list(new.agent_id, 'conversations', 1);
        PERFORM count_list(new.human_id, 'conversations', 1);
    ELSE
        agent_unread := agent_unread - old.agent_unread;
        human_unread := human_unread - old.human_unread;
    END IF;
    IF agent_unread <> 0 THEN
        PERFORM count_list(new.agent_id, 'unread', agent_unread);
    END IF;
    IF human_unread <> 0 THEN
        PERFORM count_list(new.human_id, 'unread', human_unread);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER conversations_count AFTER INSERT OR UPDATE OF agent_unread, human_unread ON conversations
    FOR EACH ROW EXECUTE FUNCTION count_conversation();
DROP FUNCTION counted_unread;
DROP FUNCTION count_membership;
DROP FUNCTION conversation_list;
DROP FUNCTION conversation_folder;
ALTER TABLE conversations
    DROP CONSTRAINT conversations_requested_check,
    DROP COLUMN agent_requested, DROP COLUMN agent_muted, DROP COLUMN agent_blocked,
    DROP COLUMN human_requested, DROP COLUMN human_muted, DROP COLUMN human_blocked;
