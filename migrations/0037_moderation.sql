-- +goose Up

-- A decision of a moderator on a reported or held record, with its statement of reasons. It is in
-- force until ended_at.
CREATE TABLE moderation_decisions (
    id           uuid    PRIMARY KEY,
    subject_kind text    NOT NULL CHECK (subject_kind IN ('task', 'profile', 'message', 'file')),
    subject_id   uuid    NOT NULL,
    author_id    uuid    NOT NULL,
    author_kind  text    NOT NULL,
    measure      text    NOT NULL CHECK (CASE subject_kind
                             WHEN 'profile' THEN measure IN ('none', 'hide', 'limit', 'suspend')
                             ELSE measure IN ('none', 'hide', 'remove')
                         END),
    territory    text    NOT NULL CHECK (char_length(territory) <= 100),
    facts        text    NOT NULL CHECK (char_length(facts) <= 4000),
    automation   text    NOT NULL CHECK (automation IN ('none', 'detection')),
    clause       text    NOT NULL CHECK (char_length(clause) <= 200),
    decided_by   text    NOT NULL CHECK (decided_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'),
    decided_at   instant NOT NULL DEFAULT now(),
    ended_at     instant,
    ended_by     text    CHECK (ended_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'),
    -- Whether the list outside of the database contains the decision and its end. Suspensions are
    -- repeated from it after a restore.
    listed       boolean NOT NULL DEFAULT false,
    end_listed   boolean NOT NULL DEFAULT false,
    UNIQUE (id, decided_by, decided_at),
    CHECK ((ended_at IS NULL) = (ended_by IS NULL)),
    CHECK (measure <> 'none' OR ended_at IS NULL),
    CHECK (measure = 'none' OR (territory <> '' AND facts <> '' AND clause <> '')),
    FOREIGN KEY (author_id, author_kind) REFERENCES users (id, kind)
);
-- A record is under one measure at most.
CREATE UNIQUE INDEX moderation_decisions_in_force_idx ON moderation_decisions (subject_kind, subject_id)
    WHERE measure <> 'none' AND ended_at IS NULL;
CREATE INDEX moderation_decisions_author_idx ON moderation_decisions (author_id, decided_at DESC, id DESC) WHERE measure <> 'none';
CREATE INDEX moderation_decisions_unlisted_idx ON moderation_decisions (decided_at)
    WHERE measure = 'suspend' AND (NOT listed OR ended_at IS NOT NULL AND NOT end_listed);

CREATE TABLE reports (
    id            uuid    PRIMARY KEY,
    reporter_id   uuid    NOT NULL,
    reporter_kind text    NOT NULL,
    subject_kind  text    NOT NULL CHECK (subject_kind IN ('task', 'profile', 'message', 'file')),
    subject_id    uuid    NOT NULL,
    author_id     uuid    NOT NULL REFERENCES users (id),
    category      text    NOT NULL CHECK (category IN ('illegal', 'fraud', 'privacy', 'harassment', 'sexual', 'spam', 'other_reason')),
    comment       text    NOT NULL DEFAULT '' CHECK (char_length(comment) <= 2000),
    decision_id   uuid    REFERENCES moderation_decisions (id),
    created_at    instant NOT NULL DEFAULT now(),
    CHECK (author_id <> reporter_id),
    FOREIGN KEY (reporter_id, reporter_kind) REFERENCES users (id, kind)
);
CREATE UNIQUE INDEX reports_open_idx ON reports (reporter_id, subject_kind, subject_id) WHERE decision_id IS NULL;
CREATE INDEX reports_queue_idx ON reports (subject_kind, subject_id) WHERE decision_id IS NULL;
CREATE INDEX reports_decision_id_idx ON reports (decision_id) WHERE decision_id IS NOT NULL;

-- An author's appeal. It repeats the decision's person and time, so that the checks can compare them:
-- another person decides the appeal, and 4416 hours are at least six months.
CREATE TABLE appeals (
    id            uuid    PRIMARY KEY,
    decision_id   uuid    NOT NULL UNIQUE,
    first_decider text    NOT NULL,
    imposed_at    instant NOT NULL,
    statement     text    NOT NULL CHECK (char_length(statement) BETWEEN 1 AND 4000),
    created_at    instant NOT NULL DEFAULT now(),
    outcome       text    CHECK (outcome IN ('upheld', 'reversed')),
    reasons       text    CHECK (char_length(reasons) BETWEEN 1 AND 4000),
    decided_by    text    CHECK (decided_by ~ '^[A-Za-z0-9@._:+-]{1,100}$'),
    decided_at    instant,
    CHECK ((outcome IS NULL) = (reasons IS NULL) AND (outcome IS NULL) = (decided_by IS NULL)
       AND (outcome IS NULL) = (decided_at IS NULL)),
    CONSTRAINT appeals_second_person_check CHECK (decided_by <> first_decider),
    CONSTRAINT appeals_window_check CHECK (created_at < imposed_at + interval '4416 hours'),
    FOREIGN KEY (decision_id, first_decider, imposed_at) REFERENCES moderation_decisions (id, decided_by, decided_at)
);
CREATE INDEX appeals_open_idx ON appeals (created_at) WHERE outcome IS NULL;

-- The states that follow from the decisions. measure_id is the decision in force. The constraints are
-- validated by a later migration.
ALTER TABLE users ADD COLUMN account_state text NOT NULL DEFAULT 'good', ADD COLUMN measure_id uuid;
ALTER TABLE users ADD CONSTRAINT users_account_state_check CHECK (
    account_state IN ('good', 'hidden', 'limited', 'suspended') AND (account_state = 'good') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE users ADD CONSTRAINT users_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

ALTER TABLE tasks ADD COLUMN visibility text NOT NULL DEFAULT 'shown', ADD COLUMN measure_id uuid,
    ADD COLUMN hold_rule text, ADD COLUMN hold_due_at instant;
ALTER TABLE tasks ADD CONSTRAINT tasks_visibility_check CHECK (
    visibility IN ('shown', 'held', 'hidden', 'removed')
    AND (visibility IN ('hidden', 'removed')) = (measure_id IS NOT NULL)
    AND (visibility = 'held') = (hold_due_at IS NOT NULL)
    AND (hold_due_at IS NULL OR hold_rule IS NOT NULL)
    AND char_length(hold_rule) BETWEEN 1 AND 100) NOT VALID;
ALTER TABLE tasks ADD CONSTRAINT tasks_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

ALTER TABLE files ADD COLUMN visibility text NOT NULL DEFAULT 'shown', ADD COLUMN measure_id uuid;
ALTER TABLE files ADD CONSTRAINT files_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE files ADD CONSTRAINT files_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

ALTER TABLE task_messages ADD COLUMN visibility text NOT NULL DEFAULT 'shown', ADD COLUMN measure_id uuid;
ALTER TABLE task_messages ADD CONSTRAINT task_messages_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE task_messages ADD CONSTRAINT task_messages_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

ALTER TABLE direct_messages ADD COLUMN visibility text NOT NULL DEFAULT 'shown', ADD COLUMN measure_id uuid;
ALTER TABLE direct_messages ADD CONSTRAINT direct_messages_visibility_check CHECK (
    visibility IN ('shown', 'hidden', 'removed') AND (visibility = 'shown') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE direct_messages ADD CONSTRAINT direct_messages_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

-- listed is false for a human whose profile is hidden, limited or suspended. adult_at is the time of
-- the human's declaration to be 18 or older.
ALTER TABLE humans ADD COLUMN listed boolean NOT NULL DEFAULT true, ADD COLUMN adult_at instant;

-- The triggers of the lists count every funded task as part of the board, and every available human as
-- listed. These triggers subtract the tasks that are not shown and the humans who are not listed.
-- +goose StatementBegin
CREATE FUNCTION count_withheld_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    change bigint;
BEGIN
    IF tg_op = 'INSERT' THEN
        SELECT -count(*) INTO change FROM after WHERE status = 'funded' AND visibility <> 'shown';
    ELSE
        SELECT (SELECT count(*) FROM before WHERE status = 'funded' AND visibility <> 'shown')
             - (SELECT count(*) FROM after WHERE status = 'funded' AND visibility <> 'shown') INTO change;
    END IF;
    IF change <> 0 THEN
        PERFORM count_list('00000000-0000-0000-0000-000000000000', 'board', change);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER tasks_count_withheld_added AFTER INSERT ON tasks
    REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_withheld_tasks();
CREATE TRIGGER tasks_count_withheld_changed AFTER UPDATE ON tasks
    REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_withheld_tasks();

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

-- An author is notified of a measure, of its end, of the decision on an appeal, and of the decision on
-- a held task.
ALTER TABLE activities DROP CONSTRAINT activities_agent_check, DROP CONSTRAINT activities_human_check;
ALTER TABLE activities ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
    'task_funded', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
    'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
    'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
    'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
    'claim_failed', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown')) NOT VALID;
ALTER TABLE activities ADD CONSTRAINT activities_human_check CHECK (audience_kind <> 'human' OR coalesce(reverted_kind, kind) IN (
    'work_submitted', 'review_started', 'dispute_opened', 'dispute_answered', 'work_approved',
    'payment_released', 'payment_refunded', 'task_cancelled', 'task_expired', 'stake_locked',
    'application_accepted', 'application_rejected', 'unstaked_application_rejected',
    'application_withdrawn', 'application_expired', 'stake_returned', 'stake_forfeited',
    'review_received', 'message_received', 'dm_received',
    'measure_imposed', 'measure_ended', 'appeal_upheld')) NOT VALID;

-- +goose Down
DELETE FROM activities WHERE kind IN ('measure_imposed', 'measure_ended', 'appeal_upheld', 'task_shown');
ALTER TABLE activities DROP CONSTRAINT activities_agent_check, DROP CONSTRAINT activities_human_check;
ALTER TABLE activities
    ADD CONSTRAINT activities_agent_check CHECK (audience_kind <> 'agent' OR coalesce(reverted_kind, kind) IN (
        'task_funded', 'human_assigned', 'work_submitted', 'review_started', 'dispute_opened',
        'dispute_answered', 'work_approved', 'payment_released', 'payment_refunded',
        'task_cancelled', 'task_expired', 'application_created', 'stake_locked',
        'application_rejected', 'application_withdrawn', 'review_received', 'claim_paid',
        'claim_failed', 'message_received', 'dm_received'
    )),
    ADD CONSTRAINT activities_human_check CHECK (audience_kind <> 'human' OR coalesce(reverted_kind, kind) IN (
        'work_submitted', 'review_started', 'dispute_opened', 'dispute_answered', 'work_approved',
        'payment_released', 'payment_refunded', 'task_cancelled', 'task_expired', 'stake_locked',
        'application_accepted', 'application_rejected', 'unstaked_application_rejected',
        'application_withdrawn', 'application_expired', 'stake_returned', 'stake_forfeited',
        'review_received', 'message_received', 'dm_received'
    ));
INSERT INTO list_changes (scope_id, list, items)
SELECT '00000000-0000-0000-0000-000000000000', list, items
FROM (SELECT 'humans' AS list, count(*) AS items FROM humans WHERE available AND NOT listed
      UNION ALL
      SELECT 'board', count(*) FROM tasks WHERE status = 'funded' AND visibility <> 'shown') c
WHERE items <> 0;
DROP TRIGGER humans_count_unlisted ON humans;
DROP FUNCTION count_unlisted_human;
DROP TRIGGER tasks_count_withheld_changed ON tasks;
DROP TRIGGER tasks_count_withheld_added ON tasks;
DROP FUNCTION count_withheld_tasks;
ALTER TABLE humans DROP COLUMN adult_at, DROP COLUMN listed;
ALTER TABLE direct_messages DROP COLUMN measure_id, DROP COLUMN visibility;
ALTER TABLE task_messages DROP COLUMN measure_id, DROP COLUMN visibility;
ALTER TABLE files DROP COLUMN measure_id, DROP COLUMN visibility;
ALTER TABLE tasks DROP COLUMN hold_due_at, DROP COLUMN hold_rule, DROP COLUMN measure_id, DROP COLUMN visibility;
ALTER TABLE users DROP COLUMN measure_id, DROP COLUMN account_state;
DROP TABLE appeals;
DROP TABLE reports;
DROP TABLE moderation_decisions;
