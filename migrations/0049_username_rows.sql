-- +goose Up

-- The rows of the users who are older than 0034_usernames.sql.
-- Safe: the trigger of 0034_usernames.sql records concurrent changes, and its rows win.
INSERT INTO usernames (skeleton, user_id) SELECT username_skeleton(username), id FROM users ORDER BY created_at, id ON CONFLICT DO NOTHING;

-- +goose Down
SELECT 1; -- 0034_usernames.sql drops the table
