-- +goose Up

-- A human can list the sessions, so each has its last use, the network of that use, and the browser of
-- the sign-in. The columns are null for sessions that the previous release opened.
ALTER TABLE sessions
    ADD COLUMN last_used_at instant,
    ADD COLUMN network cidr,
    ADD COLUMN browser text,
    ADD COLUMN system text;
ALTER TABLE sessions
    ADD CONSTRAINT sessions_network_check CHECK (masklen(network) = CASE family(network) WHEN 4 THEN 24 ELSE 48 END) NOT VALID,
    ADD CONSTRAINT sessions_browser_check CHECK (browser IN ('chrome', 'edge', 'firefox', 'opera', 'safari', 'other')) NOT VALID,
    ADD CONSTRAINT sessions_system_check CHECK (system IN ('android', 'ios', 'linux', 'macos', 'windows', 'other')) NOT VALID;

-- Signatures of contract wallets are checked by a node. The number of checks per challenge is limited,
-- because a challenge is issued to anonymous clients.
ALTER TABLE challenges ADD COLUMN checks smallint NOT NULL DEFAULT 0;
ALTER TABLE challenges ADD CONSTRAINT challenges_checks_check CHECK (checks BETWEEN 0 AND 3) NOT VALID;

-- +goose Down
ALTER TABLE challenges DROP COLUMN checks;
ALTER TABLE sessions DROP COLUMN last_used_at, DROP COLUMN network, DROP COLUMN browser, DROP COLUMN system;
