-- +goose Up

CREATE TABLE reviews (
    id            uuid     PRIMARY KEY,
    task_id       uuid     NOT NULL REFERENCES tasks (id),
    reviewer_id   uuid     NOT NULL,
    reviewer_kind text     NOT NULL,
    subject_id    uuid     NOT NULL,
    subject_kind  text     NOT NULL,
    rating        smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
    comment       text     CHECK (char_length(comment) BETWEEN 1 AND 2000),
    counts        boolean  NOT NULL, -- whether it counts in averages; false for cancelled tasks
    created_at    instant  NOT NULL DEFAULT now(),
    UNIQUE (task_id, reviewer_id),
    CHECK (reviewer_kind <> subject_kind),
    FOREIGN KEY (reviewer_id, reviewer_kind) REFERENCES users (id, kind),
    FOREIGN KEY (subject_id, subject_kind) REFERENCES users (id, kind)
);
CREATE INDEX reviews_subject_id_idx ON reviews (subject_id, created_at DESC, id DESC);

CREATE TABLE task_messages (
    id          uuid    PRIMARY KEY,
    task_id     uuid    NOT NULL REFERENCES tasks (id),
    sender_id   uuid    NOT NULL,
    sender_kind text    NOT NULL,
    content     text    NOT NULL CHECK (char_length(content) BETWEEN 1 AND 4000),
    created_at  instant NOT NULL DEFAULT now(),
    read_at     instant,
    FOREIGN KEY (sender_id, sender_kind) REFERENCES users (id, kind)
);
CREATE INDEX task_messages_task_id_idx ON task_messages (task_id, created_at, id);

CREATE TABLE conversations (
    id           uuid    PRIMARY KEY,
    agent_id     uuid    NOT NULL REFERENCES agents (id),
    human_id     uuid    NOT NULL REFERENCES humans (id),
    agent_unread integer NOT NULL DEFAULT 0 CHECK (agent_unread >= 0),
    human_unread integer NOT NULL DEFAULT 0 CHECK (human_unread >= 0),
    created_at   instant NOT NULL DEFAULT now(),
    updated_at   instant NOT NULL DEFAULT now(),
    UNIQUE (agent_id, human_id)
);
CREATE INDEX conversations_agent_idx ON conversations (agent_id, updated_at DESC, id DESC);
CREATE INDEX conversations_human_idx ON conversations (human_id, updated_at DESC, id DESC);

CREATE TABLE direct_messages (
    id              uuid    PRIMARY KEY,
    conversation_id uuid    NOT NULL REFERENCES conversations (id),
    sender_kind     text    NOT NULL CHECK (sender_kind IN ('agent', 'human')),
    content         text    NOT NULL CHECK (char_length(content) BETWEEN 1 AND 4000),
    created_at      instant NOT NULL DEFAULT now(),
    read_at         instant
);
CREATE INDEX direct_messages_conversation_idx ON direct_messages (conversation_id, created_at, id);

-- One item for each party and cause. dedupe_key identifies the cause, which is a log (chain, block
-- hash and index), a time (chain, task and kind), or a record.
CREATE TABLE activities (
    id            uuid    PRIMARY KEY,
    audience_id   uuid    NOT NULL,
    audience_kind text    NOT NULL,
    type          text    NOT NULL CHECK (type IN ('task', 'application', 'payout', 'dispute', 'review', 'claim', 'message', 'dm')),
    title         text    NOT NULL,
    description   text    NOT NULL,
    amount        wei,
    tx_hash       hash32,
    related_id    uuid,
    status        text    NOT NULL CHECK (status IN ('pending', 'confirmed', 'reverted')),
    chain_id      bigint,
    block_hash    hash32,
    block_number  bigint,
    dedupe_key    text    NOT NULL,
    created_at    instant NOT NULL DEFAULT now(),
    UNIQUE (audience_id, dedupe_key),
    FOREIGN KEY (audience_id, audience_kind) REFERENCES users (id, kind),
    CHECK ((block_hash IS NULL) = (block_number IS NULL) AND (block_hash IS NULL) = (chain_id IS NULL)),
    CHECK (block_hash IS NOT NULL OR status = 'confirmed')
);
CREATE INDEX activities_audience_idx ON activities (audience_id, created_at DESC, id DESC);
CREATE INDEX activities_audience_type_idx ON activities (audience_id, type, created_at DESC, id DESC);
CREATE INDEX activities_pending_idx ON activities (chain_id, block_number) WHERE status = 'pending';
CREATE INDEX activities_block_hash_idx ON activities (chain_id, block_hash) WHERE block_hash IS NOT NULL;

CREATE TABLE claims (
    id             uuid    PRIMARY KEY,
    agent_id       uuid    NOT NULL REFERENCES agents (id),
    amount         wei     NOT NULL CHECK (amount > 0),
    karma_snapshot bigint  NOT NULL,
    tx_hash        hash32,
    status         text    NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'paid', 'failed')),
    created_at     instant NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX claims_open_idx ON claims (agent_id) WHERE status = 'pending';
CREATE INDEX claims_agent_id_idx ON claims (agent_id, created_at DESC, id DESC);

-- +goose Down
DROP TABLE claims;
DROP TABLE activities;
DROP TABLE direct_messages;
DROP TABLE conversations;
DROP TABLE task_messages;
DROP TABLE reviews;
