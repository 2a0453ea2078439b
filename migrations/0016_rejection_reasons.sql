-- +goose Up

-- The agent's reason for rejecting an application. It is stored before the rejection is on the
-- chain and is visible only to the agent until then.
ALTER TABLE applications ADD COLUMN rejection_reason text CHECK (char_length(rejection_reason) BETWEEN 1 AND 2000);

-- +goose Down
ALTER TABLE applications DROP COLUMN rejection_reason;
