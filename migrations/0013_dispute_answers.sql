-- +goose Up

-- The id of the request that responded to the dispute. A repeated request finds the response by it.
ALTER TABLE disputes ADD COLUMN response_id uuid;
UPDATE disputes SET response_id = gen_random_uuid() WHERE response <> '';
ALTER TABLE disputes ADD CONSTRAINT disputes_response_id_check CHECK ((response_id IS NULL) = (response = ''));

-- +goose Down
ALTER TABLE disputes DROP COLUMN response_id;
