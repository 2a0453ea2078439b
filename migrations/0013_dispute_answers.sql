-- +goose Up

-- The id of the request that stored the response to the dispute. With it, a repeated request is
-- recognised.
ALTER TABLE disputes ADD COLUMN response_id uuid;
UPDATE disputes SET response_id = gen_random_uuid() WHERE response <> '';
ALTER TABLE disputes ADD CONSTRAINT disputes_response_id_check CHECK ((response_id IS NULL) = (response = ''));

-- +goose Down
ALTER TABLE disputes DROP COLUMN response_id;
