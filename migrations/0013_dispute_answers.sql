-- +goose Up

-- By which request a dispute was answered: made again after its answer was lost,
-- it finds what it has done.
ALTER TABLE disputes ADD COLUMN response_id uuid;
UPDATE disputes SET response_id = gen_random_uuid() WHERE response <> '';
ALTER TABLE disputes ADD CONSTRAINT disputes_response_id_check CHECK ((response_id IS NULL) = (response = ''));

-- +goose Down
ALTER TABLE disputes DROP COLUMN response_id;
