-- +goose Up
CREATE TRIGGER chain_quorums_copied AFTER INSERT OR UPDATE OR DELETE ON chain_quorums
    FOR EACH ROW EXECUTE FUNCTION copy_changed_quorums();

-- Safe: the table has a row for each contract. A concurrent change waits for the lock and copies its rows.
SELECT copy_quorums(chain_id, escrow) FROM chain_parameters;

-- +goose Down
DROP TRIGGER chain_quorums_copied ON chain_quorums;
