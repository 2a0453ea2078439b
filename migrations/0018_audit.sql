-- +goose Up

-- Followed blocks that must be read again, because a receipt or a contract's state shows that logs
-- are missing.
CREATE TABLE chain_rereads (
    chain_id     bigint  NOT NULL,
    number       bigint  NOT NULL CHECK (number > 0),
    reason       text    NOT NULL CHECK (reason IN ('confirmation', 'audit')),
    requested_at instant NOT NULL DEFAULT now(),
    PRIMARY KEY (chain_id, number)
);

-- Records whose on-chain state differed from the database in the last comparison. A comparison
-- without a difference deletes the finding.
CREATE TABLE chain_findings (
    chain_id     bigint  NOT NULL,
    escrow       address NOT NULL,
    kind         text    NOT NULL CHECK (kind IN ('task', 'application')),
    id           bigint  NOT NULL CHECK (id > 0),
    block_number bigint  NOT NULL,
    difference   text    NOT NULL CHECK (difference <> ''),
    found_at     instant NOT NULL DEFAULT now(),
    PRIMARY KEY (chain_id, escrow, kind, id)
);

-- For the audit, which reads all records that have not ended.
CREATE INDEX onchain_tasks_live_idx ON onchain_tasks (chain_id, escrow, id) WHERE status < 5;
CREATE INDEX onchain_applications_live_idx ON onchain_applications (chain_id, escrow, id)
    WHERE status IN ('live', 'activated');

-- +goose Down
DROP INDEX onchain_applications_live_idx;
DROP INDEX onchain_tasks_live_idx;
DROP TABLE chain_findings;
DROP TABLE chain_rereads;
