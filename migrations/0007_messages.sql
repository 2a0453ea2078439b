-- +goose Up

-- Stored list lengths, so that reading a length needs no count(*). Triggers update them in the
-- transaction that changes the list.
CREATE TABLE list_counts (
    scope_id uuid   NOT NULL, -- owner of the list: a task, a conversation or a user
    list     text   NOT NULL,
    items    bigint NOT NULL CHECK (items >= 0),
    PRIMARY KEY (scope_id, list)
) WITH (fillfactor = 70);

-- +goose StatementBegin
CREATE FUNCTION count_list(scope uuid, name text, change bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE list_counts SET items = items + change WHERE scope_id = scope AND list = name;
    IF NOT found THEN
        INSERT INTO list_counts AS c (scope_id, list, items)
        VALUES (scope, name, change)
        ON CONFLICT (scope_id, list) DO UPDATE SET items = c.items + excluded.items;
    END IF;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_task_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_list(new.task_id, 'messages', 1);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER task_messages_count AFTER INSERT ON task_messages
    FOR EACH ROW EXECUTE FUNCTION count_task_message();

-- +goose StatementBegin
CREATE FUNCTION count_direct_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM count_list(new.conversation_id, 'messages', 1);
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER direct_messages_count AFTER INSERT ON direct_messages
    FOR EACH ROW EXECUTE FUNCTION count_direct_message();

-- A conversation counts for both members, and an unread message counts for its receiver. Counters
-- are always locked in the order agent, human, to avoid deadlocks.
-- +goose StatementBegin
CREATE FUNCTION count_conversation() RETURNS trigger LANGUAGE plpgsql AS $$
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

-- +goose Down
DROP TRIGGER conversations_count ON conversations;
DROP TRIGGER direct_messages_count ON direct_messages;
DROP TRIGGER task_messages_count ON task_messages;
DROP FUNCTION count_conversation;
DROP FUNCTION count_direct_message;
DROP FUNCTION count_task_message;
DROP FUNCTION count_list;
DROP TABLE list_counts;
