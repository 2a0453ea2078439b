-- +goose Up

-- Columns that agents and humans share. A username is unique among all users. A wallet belongs to
-- at most one agent and one human.
CREATE TABLE users (
    id                 uuid    PRIMARY KEY,
    kind               text    NOT NULL CHECK (kind IN ('agent', 'human')),
    username           text    NOT NULL CHECK (username ~ '^[A-Za-z0-9]([A-Za-z0-9-]{0,28}[A-Za-z0-9])?$'),
    name               text    NOT NULL CHECK (char_length(name) BETWEEN 1 AND 80),
    bio                text    NOT NULL DEFAULT '' CHECK (char_length(bio) <= 2000),
    wallet             address NOT NULL,
    verification_code  text    NOT NULL UNIQUE,
    code_expires_at    instant NOT NULL,
    social_network     text,
    social_handle      text,
    social_account_id  text,
    social_post_id     text,
    verified_at        instant,
    created_at         instant NOT NULL DEFAULT now(),
    updated_at         instant NOT NULL DEFAULT now(),
    UNIQUE (id, kind),
    CHECK ((verified_at IS NULL) = (social_network IS NULL)
        AND (verified_at IS NULL) = (social_handle IS NULL)
        AND (verified_at IS NULL) = (social_account_id IS NULL)
        AND (verified_at IS NULL) = (social_post_id IS NULL))
);
CREATE UNIQUE INDEX users_username_idx ON users (lower(username) COLLATE "C");
CREATE UNIQUE INDEX users_wallet_idx ON users (kind, wallet);
-- A social account or a post can be linked to at most one user of each kind.
CREATE UNIQUE INDEX users_social_account_idx ON users (kind, social_network, social_account_id);
CREATE UNIQUE INDEX users_social_post_idx ON users (social_network, social_post_id);

CREATE TABLE agents (
    id             uuid    PRIMARY KEY,
    kind           text    NOT NULL DEFAULT 'agent' CHECK (kind = 'agent'),
    key_hash       hash32  NOT NULL UNIQUE, -- SHA-256 of the API key
    key_prefix     text    NOT NULL,
    key_rotated_at instant,
    FOREIGN KEY (id, kind) REFERENCES users (id, kind)
);

CREATE TABLE humans (
    id          uuid    PRIMARY KEY,
    kind        text    NOT NULL DEFAULT 'human' CHECK (kind = 'human'),
    skills      text[]  NOT NULL DEFAULT '{}' CHECK (cardinality(skills) <= 10),
    location    text    CHECK (char_length(location) <= 100),
    remote      boolean NOT NULL DEFAULT true,
    hourly_rate wei,
    available   boolean NOT NULL DEFAULT false,
    FOREIGN KEY (id, kind) REFERENCES users (id, kind)
);
CREATE INDEX humans_available_idx ON humans (id) WHERE available;
CREATE INDEX humans_skills_idx ON humans USING gin (skills) WHERE available;

-- Hashes of the texts that wallets are asked to sign. Each text can be used once.
CREATE TABLE challenges (
    hash       hash32  PRIMARY KEY, -- SHA-256 of the text
    purpose    text    NOT NULL CHECK (purpose IN ('register', 'recover', 'login')),
    wallet     address NOT NULL,
    profile    hash32,              -- hash of the registration body that the text is bound to
    created_at instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL
);
CREATE INDEX challenges_expires_at_idx ON challenges (expires_at);

CREATE TABLE sessions (
    id_hash    hash32  PRIMARY KEY, -- SHA-256 of the token's jti
    human_id   uuid    NOT NULL REFERENCES humans (id),
    created_at instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL
);
CREATE INDEX sessions_human_id_idx ON sessions (human_id);
CREATE INDEX sessions_expires_at_idx ON sessions (expires_at);

-- +goose Down
DROP TABLE sessions;
DROP TABLE challenges;
DROP TABLE humans;
DROP TABLE agents;
DROP TABLE users;
