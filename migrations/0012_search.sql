-- +goose Up

-- Additional search columns for tasks: the normalised location, remote work, and the deadline.
-- Tasks without a deadline are sorted last.
ALTER TABLE tasks
    ADD COLUMN place text COLLATE "C" CHECK (char_length(place) <= 2000), -- the location without case and accents
    ADD CHECK (place IS NULL OR location IS NOT NULL);
UPDATE tasks SET place = lower(location) WHERE location IS NOT NULL;

CREATE INDEX tasks_board_place_idx ON tasks (place, created_at DESC, id DESC) WHERE status = 'funded';
CREATE INDEX tasks_board_remote_idx ON tasks (remote, created_at DESC, id DESC) WHERE status = 'funded';
DROP INDEX tasks_board_deadline_idx;
CREATE INDEX tasks_board_deadline_idx ON tasks (coalesce(deadline, 'infinity'::timestamptz), id) WHERE status = 'funded';
CREATE INDEX tasks_agent_amount_idx ON tasks (agent_id, amount DESC, id DESC);
CREATE INDEX tasks_agent_deadline_idx ON tasks (agent_id, coalesce(deadline, 'infinity'::timestamptz), id);

-- The previous indexes contained only rows with the value true, but a search for false can be
-- selective as well.
DROP INDEX humans_verified_idx;
DROP INDEX humans_remote_idx;
CREATE INDEX humans_verified_idx ON humans (verified, id) WHERE available;
CREATE INDEX humans_remote_idx ON humans (remote, id) WHERE available;

-- +goose Down
DROP INDEX humans_remote_idx;
DROP INDEX humans_verified_idx;
CREATE INDEX humans_verified_idx ON humans (id) WHERE available AND verified;
CREATE INDEX humans_remote_idx ON humans (id) WHERE available AND remote;
DROP INDEX tasks_agent_deadline_idx;
DROP INDEX tasks_agent_amount_idx;
DROP INDEX tasks_board_deadline_idx;
CREATE INDEX tasks_board_deadline_idx ON tasks (deadline, id) WHERE status = 'funded';
DROP INDEX tasks_board_remote_idx;
DROP INDEX tasks_board_place_idx;
ALTER TABLE tasks DROP COLUMN place;
