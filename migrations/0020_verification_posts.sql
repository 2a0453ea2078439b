-- +goose Up
-- A post with a code for any account can be copied by others. So a code may be limited to one
-- account (code_account, as handle@network). A link by an unlimited code stores the code
-- (linked_code) and the time of its post (social_posted_at), and an earlier post with this code
-- displaces the link.
ALTER TABLE users
    ADD code_account text CHECK (length(code_account) BETWEEN 3 AND 300),
    ADD linked_code text,
    ADD social_posted_at instant;

-- The time of older posts is unknown, so they cannot be displaced.
UPDATE users SET social_posted_at = verified_at;
UPDATE users SET code_expires_at = now() WHERE verified_at IS NOT NULL AND kind = 'agent';

ALTER TABLE users
    ADD CONSTRAINT users_posted_check CHECK ((social_posted_at IS NULL) = (verified_at IS NULL)),
    ADD CONSTRAINT users_linked_code_check CHECK (linked_code IS NULL OR verified_at IS NOT NULL);

-- +goose Down
ALTER TABLE users DROP code_account, DROP linked_code, DROP social_posted_at;
