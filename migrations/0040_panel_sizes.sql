-- +goose Up

-- The number of validators from this panel on, so that reads of tasks need not count them. There is now
-- also a row for each panel with other validators. During an update, an older version of the service
-- replaces all rows of an escrow by rows without the number; reads count then.
ALTER TABLE chain_quorums ADD COLUMN validators smallint;
ALTER TABLE chain_quorums ADD CONSTRAINT chain_quorums_validators_check CHECK (validators BETWEEN 0 AND 32) NOT VALID;

-- Safe: the table has a row for each change of the panel. A concurrent change replaces all its rows.
INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum)
SELECT p.chain_id, p.escrow, p.panel, (
    SELECT q.quorum
    FROM chain_quorums q
    WHERE q.chain_id = p.chain_id AND q.escrow = p.escrow AND q.from_panel < p.panel
    ORDER BY q.from_panel DESC
    LIMIT 1)
FROM (
    SELECT chain_id, escrow, added_in AS panel FROM chain_validators
    UNION
    SELECT chain_id, escrow, removed_in FROM chain_validators WHERE removed_in IS NOT NULL
) AS p
WHERE EXISTS (
    SELECT FROM chain_quorums q
    WHERE q.chain_id = p.chain_id AND q.escrow = p.escrow AND q.from_panel < p.panel)
ON CONFLICT DO NOTHING;

-- Safe: as above.
UPDATE chain_quorums q
SET validators = (
    SELECT count(*)
    FROM chain_validators v
    WHERE v.chain_id = q.chain_id AND v.escrow = q.escrow AND v.added_in <= q.from_panel
      AND (v.removed_in IS NULL OR v.removed_in > q.from_panel));

-- +goose Down
ALTER TABLE chain_quorums DROP COLUMN validators;
