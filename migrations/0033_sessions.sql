-- +goose Up

-- A human can list the sessions, so each has its last use, the network of that use, and the browser of
-- the sign-in. The columns are null for sessions that the previous release opened. last_used_at
-- has the type of an instant without the domain, because adding a column of a domain with a constraint
-- rewrites the table.
ALTER TABLE sessions
    ADD COLUMN last_used_at timestamptz(3),
    ADD COLUMN network cidr,
    ADD COLUMN browser text,
    ADD COLUMN system text;
ALTER TABLE sessions
    ADD CONSTRAINT sessions_last_used_at_check CHECK (isfinite(last_used_at)) NOT VALID,
    ADD CONSTRAINT sessions_network_check CHECK (masklen(network) = CASE family(network) WHEN 4 THEN 24 ELSE 48 END) NOT VALID,
    ADD CONSTRAINT sessions_browser_check CHECK (browser IN ('chrome', 'edge', 'firefox', 'opera', 'safari', 'other')) NOT VALID,
    ADD CONSTRAINT sessions_system_check CHECK (system IN ('android', 'ios', 'linux', 'macos', 'windows', 'other')) NOT VALID;

-- +goose Down
ALTER TABLE sessions DROP COLUMN last_used_at, DROP COLUMN network, DROP COLUMN browser, DROP COLUMN system;
