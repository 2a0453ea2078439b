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

-- The states that follow from the decisions. measure_id is the decision in force. Each of the other tables
-- has a migration of its own, which does not hold the locks of the others while it waits for its own. A
-- later migration validates the constraints.
ALTER TABLE users ADD COLUMN account_state text NOT NULL DEFAULT 'good', ADD COLUMN measure_id uuid;
ALTER TABLE users ADD CONSTRAINT users_account_state_check CHECK (
    account_state IN ('good', 'hidden', 'limited', 'suspended') AND (account_state = 'good') = (measure_id IS NULL)) NOT VALID;
ALTER TABLE users ADD CONSTRAINT users_measure_id_fkey FOREIGN KEY (measure_id) REFERENCES moderation_decisions (id) NOT VALID;

-- +goose Down
ALTER TABLE users DROP COLUMN measure_id, DROP COLUMN account_state;
DROP TABLE appeals;
DROP TABLE reports;
DROP TABLE moderation_decisions;
