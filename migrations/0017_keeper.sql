-- +goose Up

-- The keeper's lease, which ensures that only one process at a time sends transactions for a chain.
-- Each update of a job checks the epoch. limited_at is the last time at which the keeper reached a
-- spending limit.
CREATE TABLE keeper_lease (
    chain_id    bigint  PRIMARY KEY,
    holder      text    NOT NULL CHECK (holder <> ''),
    account     address NOT NULL,
    epoch       bigint  NOT NULL CHECK (epoch > 0),
    lease_until instant NOT NULL,
    limited_at  instant
);

-- Maximum and actual costs of the keeper's transactions. A chain executes only one transaction for
-- each nonce of an account. Each nonce therefore has one row, which a replacement transaction
-- updates. most is the gas limit times the fee cap; paid is NULL until the receipt is known.
CREATE TABLE keeper_spending (
    chain_id  bigint  NOT NULL,
    sender    address NOT NULL,
    nonce     bigint  NOT NULL CHECK (nonce >= 0),
    tx_hash   hash32  NOT NULL,
    most      wei     NOT NULL,
    paid      wei     CHECK (paid <= most),
    signed_at instant NOT NULL,
    PRIMARY KEY (chain_id, sender, nonce)
);
CREATE INDEX keeper_spending_signed_at_idx ON keeper_spending (chain_id, signed_at);

-- The account that signed the job's transaction, because nonces are counted per account. The sender
-- of existing transactions is unknown, so these are deleted and the keeper creates new transactions
-- for their jobs.
ALTER TABLE outbox ADD COLUMN sender address;
UPDATE outbox SET state = CASE WHEN state = 'sent' THEN 'pending' ELSE state END, nonce = NULL, tx_hash = NULL, raw_tx = NULL
    WHERE num_nonnulls(nonce, tx_hash, raw_tx) > 0;
ALTER TABLE outbox
    DROP CONSTRAINT outbox_check,
    ADD CONSTRAINT outbox_sent_check CHECK (state <> 'sent' OR raw_tx IS NOT NULL),
    ADD CONSTRAINT outbox_transaction_check CHECK (num_nonnulls(sender, nonce, tx_hash, raw_tx) IN (0, 4));
CREATE INDEX outbox_task_idx ON outbox (chain_id, escrow, ((payload->>'task_id')::bigint)) WHERE kind IN ('verdicts', 'settle');

-- For the tasks in an escrow that are due for settlement, oldest first.
DROP INDEX onchain_tasks_settle_at_idx;
CREATE INDEX onchain_tasks_settle_at_idx ON onchain_tasks (chain_id, escrow, settle_at) WHERE status IN (3, 4);

-- +goose Down
DROP INDEX onchain_tasks_settle_at_idx;
CREATE INDEX onchain_tasks_settle_at_idx ON onchain_tasks (chain_id, settle_at) WHERE status IN (3, 4);
DROP INDEX outbox_task_idx;
ALTER TABLE outbox
    DROP CONSTRAINT outbox_transaction_check,
    DROP CONSTRAINT outbox_sent_check,
    DROP COLUMN sender,
    ADD CONSTRAINT outbox_check CHECK (state <> 'sent' OR (nonce IS NOT NULL AND tx_hash IS NOT NULL AND raw_tx IS NOT NULL));
DROP TABLE keeper_spending;
DROP TABLE keeper_lease;
