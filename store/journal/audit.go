package journal

import (
	"context"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// LastIDs returns the highest ids that the contracts assigned in blocks up to the given one.
func (s *Store) LastIDs(ctx context.Context, atOrBelow uint64) (market.LastIDs, error) {
	var ids struct {
		Task        uint64 `db:"task"`
		Application uint64 `db:"application"`
	}
	err := s.db.Get(ctx, nil, &ids, `
		SELECT coalesce((SELECT id FROM onchain_tasks
		                 WHERE chain_id = $1 AND escrow = $2 AND posted_block <= $3 ORDER BY id DESC LIMIT 1), 0) AS task,
		       coalesce((SELECT id FROM onchain_applications
		                 WHERE chain_id = $1 AND escrow = $2 AND locked_block <= $3 ORDER BY id DESC LIMIT 1), 0) AS application`,
		s.deployment.ChainID, s.deployment.Escrow, pg.BigInt(atOrBelow))
	return market.LastIDs(ids), pg.Translate(err, "select the last onchain ids")
}

// AuditTasks returns the deployment's folded tasks for comparison with the escrow contract.
func (s *Store) AuditTasks(ctx context.Context, q market.AuditQuery) ([]*market.EscrowTask, error) {
	var rows []struct {
		Escrow onchain.TaskRow `db:"e"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+onchain.TaskColumns+`
		FROM onchain_tasks e
		WHERE e.chain_id = $1 AND e.escrow = $2 AND e.id > $3 AND e.posted_block <= $4 `+ifLive(q, `AND e.status < 5`)+`
		  AND NOT EXISTS (SELECT FROM chain_logs l
		                  WHERE l.chain_id = e.chain_id AND l.address = e.escrow AND l.task_id = e.id AND l.canonical
		                    AND l.block_number > $4)
		ORDER BY e.id
		LIMIT $5`,
		s.deployment.ChainID, s.deployment.Escrow, pg.BigInt(q.After), pg.BigInt(q.Block), q.Limit)
	tasks := make([]*market.EscrowTask, len(rows))
	for i, row := range rows {
		tasks[i] = row.Escrow.EscrowTask()
	}
	return tasks, pg.Translate(err, "select the tasks to audit")
}

// AuditStakes returns the deployment's folded applications for comparison with the staking
// contract.
func (s *Store) AuditStakes(ctx context.Context, q market.AuditQuery) ([]*market.Stake, error) {
	var rows []onchain.ApplicationRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT o.chain_id, o.id, o.task_id, o.human, o.agent, o.amount, o.expires_at, o.status, o.accepted, o.rejected,
		       o.withdrawn, o.locked_at, o.ended_at, o.locked_tx, o.locked_ordinal, o.locked_block, o.locked_index
		FROM onchain_applications o
		WHERE o.chain_id = $1 AND o.escrow = $2 AND o.id > $3 AND o.locked_block <= $4 `+ifLive(q, `AND o.status IN ('live', 'activated')`)+`
		  AND NOT EXISTS (SELECT FROM chain_logs l
		                  WHERE l.chain_id = o.chain_id AND l.address = $6 AND l.application_id = o.id AND l.canonical
		                    AND l.block_number > $4)
		ORDER BY o.id
		LIMIT $5`,
		s.deployment.ChainID, s.deployment.Escrow, pg.BigInt(q.After), pg.BigInt(q.Block), q.Limit, s.deployment.Staking)
	stake := func(r onchain.ApplicationRow) *market.Stake { return r.StakeOf(s.deployment.Staking) }
	return pg.Convert(rows, stake), pg.Translate(err, "select the applications to audit")
}

func ifLive(q market.AuditQuery, condition string) string {
	if q.Live {
		return condition
	}
	return ""
}

// LogPositions returns the positions of an on-chain record's canonical logs.
func (s *Store) LogPositions(ctx context.Context, r market.OnchainRef) ([]market.LogPosition, error) {
	contract, column := s.deployment.Escrow, "task_id"
	if r.Kind == market.OnchainApplication {
		contract, column = s.deployment.Staking, "application_id"
	}
	var rows []struct {
		Block uint64 `db:"block_number"`
		Index uint   `db:"log_index"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT block_number, log_index FROM chain_logs
		WHERE chain_id = $1 AND address = $2 AND `+column+` = $3 AND canonical
		ORDER BY block_number, log_index`,
		s.deployment.ChainID, contract, pg.BigInt(r.ID))
	places := make([]market.LogPosition, len(rows))
	for i, row := range rows {
		places[i] = market.LogPosition(row)
	}
	return places, pg.Translate(err, "select the logs of "+r.String())
}

// SaveFinding stores a difference between the contracts and the database.
func (s *Store) SaveFinding(ctx context.Context, f market.Finding) error {
	return s.db.Write(ctx, "save the finding on "+f.String(), `
		INSERT INTO chain_findings (chain_id, escrow, kind, id, block_number, difference)
		VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (chain_id, escrow, kind, id) DO UPDATE
		SET block_number = EXCLUDED.block_number, difference = EXCLUDED.difference`,
		s.deployment.ChainID, s.deployment.Escrow, string(f.Kind), pg.BigInt(f.ID), pg.BigInt(f.Block), f.Difference)
}

// DeleteFinding deletes the finding about a record that no longer differs from the contracts.
func (s *Store) DeleteFinding(ctx context.Context, r market.OnchainRef) error {
	return s.db.Write(ctx, "delete the finding on "+r.String(), `
		DELETE FROM chain_findings WHERE chain_id = $1 AND escrow = $2 AND kind = $3 AND id = $4`,
		s.deployment.ChainID, s.deployment.Escrow, string(r.Kind), pg.BigInt(r.ID))
}

// Findings returns the stored differences, up to limit.
func (s *Store) Findings(ctx context.Context, limit int) ([]market.Finding, error) {
	var rows []struct {
		Kind       market.OnchainKind `db:"kind"`
		ID         uint64             `db:"id"`
		Block      uint64             `db:"block_number"`
		Difference string             `db:"difference"`
	}
	err := s.db.Select(ctx, nil, &rows, `
		SELECT kind, id, block_number, difference FROM chain_findings
		WHERE chain_id = $1 AND escrow = $2
		ORDER BY found_at, kind, id
		LIMIT $3`, s.deployment.ChainID, s.deployment.Escrow, limit)
	findings := make([]market.Finding, len(rows))
	for i, row := range rows {
		findings[i] = market.Finding{
			OnchainRef: market.OnchainRef{Kind: row.Kind, ID: row.ID}, Block: row.Block, Difference: row.Difference,
		}
	}
	return findings, pg.Translate(err, "select the audit's findings")
}
