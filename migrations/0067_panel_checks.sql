-- +goose Up

-- Validates the constraint that migration 0065 added. In the same transaction, the lock that ADD CONSTRAINT
-- takes would be held during the scan of the table.
ALTER TABLE chain_parameters VALIDATE CONSTRAINT chain_parameters_panels_check;

-- +goose Down
ALTER TABLE chain_parameters DROP CONSTRAINT chain_parameters_panels_check,
    ADD CONSTRAINT chain_parameters_panels_check
        CHECK (cardinality(from_panels) = cardinality(quorums) AND cardinality(from_panels) = cardinality(panel_sizes)) NOT VALID;
