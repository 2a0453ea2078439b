-- +goose Up

-- What the agent says to the human whose application it rejects. It is given
-- before the chain shows the rejection, and until then it is the agent's alone.
ALTER TABLE applications ADD COLUMN rejection_reason text CHECK (char_length(rejection_reason) BETWEEN 1 AND 2000);

-- +goose Down
ALTER TABLE applications DROP COLUMN rejection_reason;
