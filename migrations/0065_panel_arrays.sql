-- +goose Up

-- Copies of the escrow's rows in chain_quorums, in the order of from_panel, so that a read of a task finds its
-- panel without a search in another table: the position is width_bucket(panel, from_panels). A later migration
-- validates the constraint. The rows are copied by the next one, because it locks another table.
ALTER TABLE chain_parameters
    ADD COLUMN from_panels bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN quorums     smallint[] NOT NULL DEFAULT '{}',
    ADD COLUMN panel_sizes smallint[] NOT NULL DEFAULT '{}',
    ADD CONSTRAINT chain_parameters_panels_check
        CHECK (cardinality(from_panels) = cardinality(quorums) AND cardinality(from_panels) = cardinality(panel_sizes)) NOT VALID;

-- Copies the rows of an escrow. Rows from an older version of the service have no number of validators.
-- +goose StatementBegin
CREATE FUNCTION copy_quorums(chain bigint, contract address) RETURNS void LANGUAGE sql AS $$
    UPDATE chain_parameters p
    SET (from_panels, quorums, panel_sizes) = (
        SELECT coalesce(array_agg(q.from_panel ORDER BY q.from_panel), '{}'),
               coalesce(array_agg(q.quorum ORDER BY q.from_panel), '{}'),
               coalesce(array_agg(coalesce(q.validators, (
                   SELECT count(*)
                   FROM chain_validators v
                   WHERE v.chain_id = q.chain_id AND v.escrow = q.escrow AND v.added_in <= q.from_panel
                     AND (v.removed_in IS NULL OR v.removed_in > q.from_panel)))::smallint ORDER BY q.from_panel), '{}')
        FROM chain_quorums q
        WHERE q.chain_id = p.chain_id AND q.escrow = p.escrow)
    WHERE p.chain_id = chain AND p.escrow = contract
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION copy_changed_quorums() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM copy_quorums(old.chain_id, old.escrow);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        PERFORM copy_quorums(new.chain_id, new.escrow);
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION copy_changed_quorums();
DROP FUNCTION copy_quorums(bigint, address);
ALTER TABLE chain_parameters DROP COLUMN from_panels, DROP COLUMN quorums, DROP COLUMN panel_sizes;
