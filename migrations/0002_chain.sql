-- +goose Up

-- The cursor for each chain, and the lease of the watcher that advances it. hash and time are NULL
-- until the first block is followed.
CREATE TABLE chain_head (
    chain_id    bigint  PRIMARY KEY,
    number      bigint  NOT NULL CHECK (number >= -1),
    hash        hash32,
    parent      hash32,
    time        instant,
    safe        bigint  NOT NULL DEFAULT 0,
    finalized   bigint  NOT NULL DEFAULT 0,
    holder      text    NOT NULL DEFAULT '',
    epoch       bigint  NOT NULL DEFAULT 0,
    lease_until instant,
    CHECK ((hash IS NULL) = (time IS NULL) AND (hash IS NULL) = (parent IS NULL))
);

CREATE TABLE chain_blocks (
    chain_id  bigint  NOT NULL REFERENCES chain_head (chain_id),
    hash      hash32  NOT NULL,
    number    bigint  NOT NULL,
    parent    hash32  NOT NULL,
    time      instant NOT NULL,
    canonical boolean NOT NULL DEFAULT true,
    PRIMARY KEY (chain_id, hash)
);
CREATE UNIQUE INDEX chain_blocks_canonical_idx ON chain_blocks (chain_id, number) WHERE canonical;

-- Append-only. Logs that a reorganisation dropped stay in the table with canonical = false. There
-- is no foreign key to chain_blocks, because it would require a look-up for each log. A step
-- inserts its logs and their blocks in one transaction, and blocks are never deleted.
CREATE TABLE chain_logs (
    chain_id       bigint   NOT NULL,
    block_hash     hash32   NOT NULL,
    log_index      integer  NOT NULL CHECK (log_index >= 0),
    block_number   bigint   NOT NULL,
    block_time     instant  NOT NULL,
    tx_hash        hash32   NOT NULL,
    tx_index       integer  NOT NULL,
    address        address  NOT NULL,
    topics         bytea[]  NOT NULL,
    data           bytea    NOT NULL,
    kind           text     NOT NULL,
    task_id        bigint   CHECK (task_id > 0),
    application_id bigint   CHECK (application_id > 0),
    event          jsonb    NOT NULL,
    canonical      boolean  NOT NULL DEFAULT true,
    PRIMARY KEY (chain_id, block_hash, log_index)
);
CREATE INDEX chain_logs_task_idx ON chain_logs (chain_id, address, task_id, block_number, log_index)
    WHERE canonical AND task_id IS NOT NULL;
CREATE INDEX chain_logs_application_idx ON chain_logs (chain_id, address, application_id, block_number, log_index)
    WHERE canonical AND application_id IS NOT NULL;
CREATE INDEX chain_logs_parameters_idx ON chain_logs (chain_id, address, block_number, log_index)
    WHERE canonical AND kind IN ('FeeChanged', 'ValidatorAdded', 'ValidatorRemoved', 'QuorumChanged', 'Paused', 'Unpaused');

-- One row for each task id in the escrow, with the fields of market.EscrowTask, folded from the
-- escrow's logs.
CREATE TABLE onchain_tasks (
    chain_id         bigint   NOT NULL,
    escrow           address  NOT NULL,
    id               bigint   NOT NULL CHECK (id > 0),
    status           smallint NOT NULL CHECK (status BETWEEN 1 AND 7),
    agent            address  NOT NULL,
    human            address,
    amount           wei      NOT NULL CHECK (amount > 0),
    fee_basis_points integer  NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 2000),
    terms_hash       hash32,
    work_hash        hash32,
    application_id   bigint,
    panel            bigint,
    agent_approved   boolean  NOT NULL DEFAULT false,
    disputed_by      address,
    posted_at        instant  NOT NULL,
    accepted_at      instant,
    submitted_at     instant,
    disputed_at      instant,
    approved_at      instant,
    last_activity_at instant,
    ended_at         instant,
    settle_at        instant,
    verdict          boolean,
    paid             wei,
    fee              wei,
    refund           wei,
    posted_tx        hash32   NOT NULL,
    posted_ordinal   integer  NOT NULL CHECK (posted_ordinal >= 0),
    posted_block     bigint   NOT NULL,
    posted_index     integer  NOT NULL,
    accept_tx        hash32,
    submit_tx        hash32,
    end_tx           hash32,
    PRIMARY KEY (chain_id, escrow, id),
    -- When a task ends, the payout, the fee and the refund must add up to the amount.
    CHECK (status NOT IN (5) OR (paid + fee = amount AND refund IS NULL)),
    CHECK (status NOT IN (6, 7) OR (refund = amount AND paid IS NULL AND fee IS NULL)),
    CHECK ((status >= 5) = (ended_at IS NOT NULL) AND (status >= 5) = (end_tx IS NOT NULL)),
    CHECK (status NOT IN (2, 3, 4, 5, 6) OR (human IS NOT NULL AND human <> agent)),
    CHECK (status NOT IN (3, 4, 5, 6) OR submitted_at IS NOT NULL),
    CHECK (status <> 7 OR submitted_at IS NULL)
);
CREATE UNIQUE INDEX onchain_tasks_posting_idx ON onchain_tasks (chain_id, escrow, posted_tx, posted_ordinal);
CREATE INDEX onchain_tasks_terms_idx ON onchain_tasks (chain_id, escrow, terms_hash, posted_block, posted_index)
    WHERE terms_hash IS NOT NULL;
CREATE INDEX onchain_tasks_agent_idx ON onchain_tasks (chain_id, escrow, agent, id);
CREATE INDEX onchain_tasks_human_idx ON onchain_tasks (chain_id, escrow, human) WHERE human IS NOT NULL;
CREATE INDEX onchain_tasks_settle_at_idx ON onchain_tasks (chain_id, settle_at) WHERE status IN (3, 4);

-- One row for each application id in the staking contract, with the fields of market.Stake, folded
-- from the contract's logs.
CREATE TABLE onchain_applications (
    chain_id       bigint  NOT NULL,
    escrow         address NOT NULL, -- the escrow of the staking contract's deployment
    id             bigint  NOT NULL CHECK (id > 0),
    task_id        bigint  NOT NULL,
    human          address NOT NULL,
    agent          address NOT NULL CHECK (agent <> human),
    amount         wei     NOT NULL,
    expires_at     instant NOT NULL,
    status         text    NOT NULL CHECK (status IN ('live', 'activated', 'returned', 'forfeited')),
    accepted       boolean NOT NULL DEFAULT false,
    rejected       boolean NOT NULL DEFAULT false,
    withdrawn      boolean NOT NULL DEFAULT false,
    locked_at      instant NOT NULL,
    ended_at       instant,
    locked_tx      hash32  NOT NULL,
    locked_ordinal integer NOT NULL CHECK (locked_ordinal >= 0),
    locked_block   bigint  NOT NULL,
    locked_index   integer NOT NULL,
    PRIMARY KEY (chain_id, escrow, id),
    CHECK ((status IN ('returned', 'forfeited')) = (ended_at IS NOT NULL)),
    CHECK (NOT (accepted AND (rejected OR withdrawn)) AND NOT (rejected AND withdrawn))
);
CREATE UNIQUE INDEX onchain_applications_locking_idx
    ON onchain_applications (chain_id, escrow, locked_tx, locked_ordinal);
CREATE INDEX onchain_applications_task_idx ON onchain_applications (chain_id, escrow, task_id, human);
CREATE INDEX onchain_applications_human_idx ON onchain_applications (chain_id, escrow, human);

-- The fields of market.Parameters, folded from the escrow's administration logs.
CREATE TABLE chain_parameters (
    chain_id         bigint  NOT NULL,
    escrow           address NOT NULL,
    fee_basis_points integer NOT NULL CHECK (fee_basis_points BETWEEN 0 AND 2000),
    panel            bigint  NOT NULL,
    paused           boolean NOT NULL,
    PRIMARY KEY (chain_id, escrow)
);
CREATE TABLE chain_validators (
    chain_id   bigint  NOT NULL,
    escrow     address NOT NULL,
    wallet     address NOT NULL,
    added_in   bigint  NOT NULL,
    removed_in bigint  CHECK (removed_in > added_in),
    PRIMARY KEY (chain_id, escrow, wallet)
);
CREATE TABLE chain_quorums (
    chain_id   bigint   NOT NULL,
    escrow     address  NOT NULL,
    from_panel bigint   NOT NULL,
    quorum     smallint NOT NULL CHECK (quorum BETWEEN 1 AND 32),
    PRIMARY KEY (chain_id, escrow, from_panel)
);

-- The keeper's jobs. The keeper selects a job with FOR UPDATE SKIP LOCKED. It stores the
-- transaction before sending it, so that a job is never sent twice with different nonces.
CREATE TABLE outbox (
    id         bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id   bigint  NOT NULL,
    escrow     address NOT NULL,
    kind       text    NOT NULL CHECK (kind IN ('verdicts', 'settle', 'claim')),
    dedupe_key text    NOT NULL UNIQUE,
    payload    jsonb   NOT NULL,
    gate       text    NOT NULL DEFAULT 'seen' CHECK (gate IN ('seen', 'safe', 'final')),
    state      text    NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'sent', 'done', 'failed')),
    run_at     instant NOT NULL DEFAULT now(),
    attempts   integer NOT NULL DEFAULT 0,
    nonce      bigint,
    tx_hash    hash32,
    raw_tx     bytea,
    error      text    NOT NULL DEFAULT '',
    created_at instant NOT NULL DEFAULT now(),
    CHECK (state <> 'sent' OR (nonce IS NOT NULL AND tx_hash IS NOT NULL AND raw_tx IS NOT NULL))
);
CREATE INDEX outbox_open_idx ON outbox (chain_id, run_at, id) WHERE state IN ('pending', 'sent');

-- +goose Down
DROP TABLE outbox;
DROP TABLE chain_quorums;
DROP TABLE chain_validators;
DROP TABLE chain_parameters;
DROP TABLE onchain_applications;
DROP TABLE onchain_tasks;
DROP TABLE chain_logs;
DROP TABLE chain_blocks;
DROP TABLE chain_head;
