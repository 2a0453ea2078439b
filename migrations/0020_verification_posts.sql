-- +goose Up
-- Another account could copy a post with a code that is valid for any account, so a code can be
-- limited to one account (code_account, as handle@network). A link that was created with an
-- unlimited code stores this code (linked_code) and the time of its post (social_posted_at). If an
-- older post contains the same code, its account can replace the link.
ALTER TABLE users
    ADD code_account text CHECK (length(code_account) BETWEEN 3 AND 300),
    ADD linked_code text,
    ADD social_posted_at instant;

-- The time of earlier posts is unknown. Their links have no linked_code, so that no post can
-- replace them.
UPDATE users SET social_posted_at = verified_at;
UPDATE users SET code_expires_at = now() WHERE verified_at IS NOT NULL AND kind = 'agent';

ALTER TABLE users
    ADD CONSTRAINT users_posted_check CHECK ((social_posted_at IS NULL) = (verified_at IS NULL)),
    ADD CONSTRAINT users_linked_code_check CHECK (linked_code IS NULL OR verified_at IS NOT NULL);

-- +goose Down
ALTER TABLE users DROP code_account, DROP linked_code, DROP social_posted_at;
