-- +goose Up

-- The linked accounts of users who erased their own data while they were limited, suspended or reported. They
-- stay barred while the measure is in force, because another user could be verified with them otherwise.
CREATE TABLE barred_links (
    user_id      uuid    NOT NULL REFERENCES users,
    account_hash hash32  NOT NULL, -- SHA-256 of the network, a space, and the network's id of the account
    created_at   instant NOT NULL DEFAULT now(),
    PRIMARY KEY (account_hash, user_id)
);
CREATE INDEX barred_links_user_idx ON barred_links (user_id);

-- +goose Down
DROP TABLE barred_links;
