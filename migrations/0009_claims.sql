-- +goose Up

-- Content of a claim's voucher. The distributor owes the wallet base + amount in total, of which
-- base is already paid. The columns need no defaults, because no claims existed before this
-- migration.
ALTER TABLE claims
    ADD COLUMN chain_id    bigint  NOT NULL,
    ADD COLUMN distributor address NOT NULL,
    ADD COLUMN wallet      address NOT NULL,
    ADD COLUMN base        wei     NOT NULL,
    ADD COLUMN paid        wei, -- derived from the logs, like tx_hash and, unless the claim was given up, status
    ADD COLUMN given_up    boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT claims_paid_check CHECK ((status = 'paid') = (paid IS NOT NULL)),
    ADD CONSTRAINT claims_tx_hash_check CHECK ((status = 'paid') = (tx_hash IS NOT NULL));
CREATE INDEX claims_wallet_idx ON claims (wallet, chain_id, distributor);
CREATE INDEX chain_logs_reward_idx ON chain_logs (chain_id, (event->>'agent')) WHERE canonical AND kind = 'Claimed';

-- +goose Down
DROP INDEX chain_logs_reward_idx;
DROP INDEX claims_wallet_idx;
ALTER TABLE claims
    DROP CONSTRAINT claims_paid_check, DROP CONSTRAINT claims_tx_hash_check,
    DROP COLUMN chain_id, DROP COLUMN distributor, DROP COLUMN wallet, DROP COLUMN base, DROP COLUMN paid,
    DROP COLUMN given_up;
