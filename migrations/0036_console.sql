-- +goose Up

-- Links that sign an operator in once.
CREATE TABLE console_links (
    token_hash hash32 PRIMARY KEY,
    operator text NOT NULL CONSTRAINT console_links_operator_check CHECK (operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'),
    role text NOT NULL CONSTRAINT console_links_role_check CHECK (role IN ('moderator', 'operator')),
    expires_at instant NOT NULL
);

CREATE TABLE console_sessions (
    id_hash hash32 PRIMARY KEY,
    operator text NOT NULL CONSTRAINT console_sessions_operator_check CHECK (operator ~ '^[A-Za-z0-9@._:+-]{1,128}$'),
    role text NOT NULL CONSTRAINT console_sessions_role_check CHECK (role IN ('moderator', 'operator')),
    by_proxy boolean NOT NULL, -- whether each request must name the operator in a header of the identity proxy
    created_at instant NOT NULL DEFAULT now(),
    used_at instant NOT NULL DEFAULT now(),
    expires_at instant NOT NULL,
    CONSTRAINT console_sessions_expires_check CHECK (expires_at > created_at)
);

-- +goose Down
DROP TABLE console_sessions;
DROP TABLE console_links;
