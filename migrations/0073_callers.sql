-- +goose Up

-- The account that sent the request, so that an erasure deletes its stored responses. It is NULL for requests
-- without an account.
ALTER TABLE idempotency_keys ADD COLUMN account_id uuid;

-- Returns the state in which an account can act: a limit or a suspension of one account of a wallet, agent or human,
-- also restricts the other one.
-- +goose StatementBegin
CREATE FUNCTION wallet_state(own text, owner bytea) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT coalesce((
        SELECT max(account_state) FROM users
        WHERE kind IN ('agent', 'human') AND wallet = owner AND account_state IN ('limited', 'suspended')), own)
$$;
-- +goose StatementEnd

-- Returns the wallet_state of the account, or NULL if the credential is no longer the account's. The lock makes an
-- erasure and a measure on an account of the wallet wait until the transaction ends. If one of them holds the lock,
-- the second statement sees its changes, because each statement of the function has a snapshot of its own.
-- +goose StatementBegin
CREATE FUNCTION caller_state(account uuid, kind text, credential bytea) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    PERFORM FROM users w
    WHERE w.kind IN ('agent', 'human') AND w.wallet = (SELECT u.wallet FROM users u WHERE u.id = account)
    ORDER BY w.id
    FOR KEY SHARE;
    IF kind = 'agent' THEN
        RETURN (SELECT wallet_state(u.account_state, u.wallet) FROM users u JOIN agents a ON a.id = u.id WHERE u.id = account AND a.key_hash = credential);
    END IF;
    RETURN (SELECT wallet_state(u.account_state, u.wallet) FROM users u JOIN sessions s ON s.human_id = u.id WHERE u.id = account AND s.id_hash = credential);
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION caller_state;
DROP FUNCTION wallet_state;
ALTER TABLE idempotency_keys DROP COLUMN account_id;
