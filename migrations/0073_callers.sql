-- +goose Up

-- The account that sent the request, so that an erasure deletes its stored responses. It is NULL for requests
-- without an account.
ALTER TABLE idempotency_keys ADD COLUMN account_id uuid;

-- Returns the state of the account, or NULL if the credential is no longer the account's. The lock makes an
-- erasure and a measure on the account wait until the transaction ends. If one of them holds the lock, the
-- second statement sees its changes, because each statement of the function has a snapshot of its own.
-- +goose StatementBegin
CREATE FUNCTION caller_state(account uuid, kind text, credential bytea) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM users WHERE id = account FOR KEY SHARE;
    IF kind = 'agent' THEN
        RETURN (SELECT u.account_state FROM users u JOIN agents a ON a.id = u.id WHERE u.id = account AND a.key_hash = credential);
    END IF;
    RETURN (SELECT u.account_state FROM users u JOIN sessions s ON s.human_id = u.id WHERE u.id = account AND s.id_hash = credential);
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION caller_state;
ALTER TABLE idempotency_keys DROP COLUMN account_id;
