-- +goose Up
CREATE TRIGGER chain_quorums_copied AFTER INSERT OR UPDATE OR DELETE ON chain_quorums
    FOR EACH ROW EXECUTE FUNCTION copy_changed_quorums();

-- Safe: chain_parameters has one row for each escrow. A concurrent change of chain_quorums waits for the lock of
-- CREATE TRIGGER; then the trigger copies its rows.
SELECT copy_quorums(chain_id, escrow) FROM chain_parameters;

-- +goose Down
DROP TRIGGER chain_quorums_copied ON chain_quorums;
