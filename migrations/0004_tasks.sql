-- +goose Up

CREATE TABLE tasks (
    id               uuid     PRIMARY KEY,
    agent_id         uuid     NOT NULL REFERENCES agents (id),
    title            text     NOT NULL CHECK (char_length(title) BETWEEN 1 AND 200),
    description      text     NOT NULL CHECK (char_length(description) BETWEEN 1 AND 20000),
    skills           text[]   NOT NULL DEFAULT '{}' CHECK (cardinality(skills) <= 10),
    location         text     CHECK (char_length(location) <= 100),
    remote           boolean  NOT NULL DEFAULT true,
    amount           wei      NOT NULL CHECK (amount >= 10000000000000000),
    fee_basis_points integer  NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 2000),
    deadline         instant,
    terms_hash       hash32   NOT NULL UNIQUE,
    chain_id         bigint   NOT NULL,
    escrow           address  NOT NULL,
    -- A posting without a terms hash that the agent specified in confirm-create. A reorganisation
    -- does not delete it, because a later block can contain it again.
    claimed_tx       hash32,
    claimed_ordinal  integer,
    -- The following columns are derived from the logs and from chain time.
    status           text     NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'funded', 'active', 'submitted',
                              'validating', 'disputed', 'approved', 'rejected', 'cancelled', 'expired')),
    escrow_task_id   bigint,
    human_id         uuid     REFERENCES humans (id),
    turns_at         instant,  -- time at which the status changes, or changed, without an action
    changed_block    bigint   NOT NULL DEFAULT 0, -- block of the last folded log
    created_at       instant  NOT NULL DEFAULT now(),
    updated_at       instant  NOT NULL DEFAULT now(),
    search           tsvector NOT NULL GENERATED ALWAYS AS (
                         setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', description), 'B')) STORED,
    CHECK ((claimed_tx IS NULL) = (claimed_ordinal IS NULL)),
    CHECK ((status = 'new') = (escrow_task_id IS NULL)),
    CHECK (human_id IS NULL OR status NOT IN ('new', 'funded')),
    -- Deferred until the commit, because one step can delete an on-chain task and unlink it from
    -- its task.
    FOREIGN KEY (chain_id, escrow, escrow_task_id) REFERENCES onchain_tasks (chain_id, escrow, id)
        DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX tasks_escrow_task_idx ON tasks (chain_id, escrow, escrow_task_id);
CREATE UNIQUE INDEX tasks_claimed_tx_idx ON tasks (chain_id, escrow, claimed_tx, claimed_ordinal);
CREATE INDEX tasks_agent_id_idx ON tasks (agent_id, created_at DESC, id DESC);
CREATE INDEX tasks_agent_status_idx ON tasks (agent_id, status, created_at DESC, id DESC);
CREATE INDEX tasks_human_id_idx ON tasks (human_id, created_at DESC, id DESC) WHERE human_id IS NOT NULL;
CREATE INDEX tasks_board_newest_idx ON tasks (created_at DESC, id DESC) WHERE status = 'funded';
CREATE INDEX tasks_board_amount_idx ON tasks (amount DESC, id DESC) WHERE status = 'funded';
CREATE INDEX tasks_board_deadline_idx ON tasks (deadline, id) WHERE status = 'funded';
CREATE INDEX tasks_board_skills_idx ON tasks USING gin (skills) WHERE status = 'funded';
CREATE INDEX tasks_board_search_idx ON tasks USING gin (search) WHERE status = 'funded';
CREATE INDEX tasks_turns_forward_idx ON tasks (chain_id, turns_at) WHERE status IN ('funded', 'active', 'submitted');
CREATE INDEX tasks_turns_back_idx ON tasks (chain_id, turns_at) WHERE status IN ('expired', 'validating');

CREATE TABLE applications (
    id                     uuid    PRIMARY KEY,
    task_id                uuid    NOT NULL REFERENCES tasks (id),
    human_id               uuid    NOT NULL REFERENCES humans (id),
    message                text    NOT NULL DEFAULT '' CHECK (char_length(message) <= 2000),
    stake_amount           wei     NOT NULL,
    decision               text    CHECK (decision IN ('rejected', 'withdrawn')), -- decision recorded without a stake
    -- The stake that was linked most recently. A reorganisation does not delete it, as for
    -- claimed_tx.
    stake_tx               hash32,
    stake_ordinal          integer,
    -- The following columns are derived from the logs and from chain time.
    status                 text    NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'pending', 'accepted',
                                   'rejected', 'withdrawn', 'expired', 'released')),
    onchain_application_id bigint,
    chain_id               bigint  NOT NULL,
    escrow                 address NOT NULL,
    turns_at               instant,
    created_at             instant NOT NULL DEFAULT now(),
    CHECK ((stake_tx IS NULL) = (stake_ordinal IS NULL)),
    CHECK (status NOT IN ('pending', 'accepted', 'expired') OR onchain_application_id IS NOT NULL),
    FOREIGN KEY (chain_id, escrow, onchain_application_id) REFERENCES onchain_applications (chain_id, escrow, id)
        DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX applications_onchain_idx ON applications (chain_id, escrow, onchain_application_id);
CREATE UNIQUE INDEX applications_stake_tx_idx ON applications (chain_id, escrow, stake_tx, stake_ordinal);
CREATE UNIQUE INDEX applications_live_idx ON applications (task_id, human_id) WHERE status IN ('new', 'pending', 'accepted');
CREATE UNIQUE INDEX applications_accepted_idx ON applications (task_id) WHERE status = 'accepted';
CREATE INDEX applications_task_id_idx ON applications (task_id, created_at DESC, id DESC);
CREATE INDEX applications_human_id_idx ON applications (human_id, created_at DESC, id DESC);
CREATE INDEX applications_turns_forward_idx ON applications (chain_id, turns_at) WHERE status = 'pending';
CREATE INDEX applications_turns_back_idx ON applications (chain_id, turns_at) WHERE status = 'expired';

CREATE TABLE files (
    id            uuid    PRIMARY KEY,
    task_id       uuid    NOT NULL REFERENCES tasks (id),
    filename      text    NOT NULL CHECK (char_length(filename) BETWEEN 1 AND 200),
    content_type  text    NOT NULL CHECK (char_length(content_type) <= 200),
    size          bigint  NOT NULL CHECK (size BETWEEN 0 AND 26214400),
    sha256        hash32  NOT NULL,
    uploader_id   uuid    NOT NULL,
    uploader_kind text    NOT NULL,
    created_at    instant NOT NULL DEFAULT now(),
    FOREIGN KEY (uploader_id, uploader_kind) REFERENCES users (id, kind)
);
CREATE INDEX files_task_id_idx ON files (task_id, created_at, id);

-- Drafts of work. The draft whose hash is on the chain is the submission.
CREATE TABLE submissions (
    id         uuid    PRIMARY KEY,
    task_id    uuid    NOT NULL REFERENCES tasks (id),
    human_id   uuid    NOT NULL REFERENCES humans (id),
    note       text    NOT NULL CHECK (char_length(note) <= 10000),
    proof_url  text    CHECK (char_length(proof_url) BETWEEN 1 AND 2000),
    work_hash  hash32  NOT NULL,
    created_at instant NOT NULL DEFAULT now(),
    UNIQUE (task_id, work_hash)
);
CREATE TABLE submission_files (
    submission_id uuid NOT NULL REFERENCES submissions (id),
    file_id       uuid NOT NULL REFERENCES files (id),
    PRIMARY KEY (submission_id, file_id)
);
CREATE INDEX submission_files_file_id_idx ON submission_files (file_id);

CREATE TABLE disputes (
    id           uuid    PRIMARY KEY,
    task_id      uuid    NOT NULL,
    filed_by     text    NOT NULL CHECK (filed_by IN ('agent', 'human')),
    reason       text    NOT NULL CHECK (char_length(reason) <= 4000),
    response     text    NOT NULL DEFAULT '' CHECK (char_length(response) <= 4000),
    responded_at instant,
    created_at   instant NOT NULL DEFAULT now(),
    FOREIGN KEY (task_id) REFERENCES tasks (id),
    UNIQUE (task_id, filed_by),
    CHECK ((responded_at IS NULL) = (response = ''))
);

CREATE TABLE verdicts (
    id         uuid     PRIMARY KEY,
    task_id    uuid     NOT NULL REFERENCES tasks (id),
    round      smallint NOT NULL CHECK (round IN (0, 1)),
    validator  address  NOT NULL,
    human_id   uuid     NOT NULL REFERENCES humans (id),
    approved   boolean  NOT NULL,
    reason     text     NOT NULL CHECK (char_length(reason) BETWEEN 1 AND 4000),
    work_hash  hash32   NOT NULL,
    signature  bytea    NOT NULL CHECK (octet_length(signature) BETWEEN 65 AND 16384),
    created_at instant  NOT NULL DEFAULT now(),
    UNIQUE (task_id, round, validator)
);

-- +goose Down
DROP TABLE verdicts;
DROP TABLE disputes;
DROP TABLE submission_files;
DROP TABLE submissions;
DROP TABLE files;
DROP TABLE applications;
DROP TABLE tasks;
