package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// parameterLogs returns the canonical administration logs in chain order.
func (f *fold) parameterLogs(ctx context.Context) ([]market.Log, error) {
	return f.logs(ctx, "select the administration logs", `
		SELECT `+logMembers+`
		FROM chain_logs l
		WHERE l.chain_id = $1 AND l.address = $2 AND l.canonical
		  AND l.kind IN ('FeeChanged', 'ValidatorAdded', 'ValidatorRemoved', 'QuorumChanged', 'Paused', 'Unpaused')
		ORDER BY l.block_number, l.log_index`,
		f.s.deployment.ChainID, f.s.deployment.Escrow)
}

// panels returns which panel was in force just before a log.
func (f *fold) panels(ctx context.Context) (func(market.Log) uint64, error) {
	logs, err := f.parameterLogs(ctx)
	if err != nil {
		return nil, err
	}
	return func(log market.Log) uint64 {
		var panel uint64
		for _, change := range logs {
			if !change.Before(log) {
				break
			}
			panel = max(panel, change.Event.Panel)
		}
		return panel
	}, nil
}

// foldParameters writes the deployment's parameters anew if a log touched them.
func (f *fold) foldParameters(ctx context.Context) error {
	if !f.parameters {
		return nil
	}
	logs, err := f.parameterLogs(ctx)
	if err != nil {
		return err
	}
	d := f.s.deployment
	for _, table := range []string{"chain_parameters", "chain_validators", "chain_quorums"} {
		if _, err := f.s.db.Exec(ctx, f.tx, `DELETE FROM `+table+` WHERE chain_id = $1 AND escrow = $2`, d.ChainID, d.Escrow); err != nil {
			return pg.Translate(err, "delete the parameters to fold")
		}
	}
	if len(logs) == 0 {
		return nil
	}
	return f.saveParameters(ctx, market.FoldParameters(logs))
}

func (f *fold) saveParameters(ctx context.Context, p market.Parameters) error {
	d := f.s.deployment
	_, err := f.s.db.Exec(ctx, f.tx, `
		INSERT INTO chain_parameters (chain_id, escrow, fee_basis_points, panel, paused)
		VALUES ($1, $2, $3, $4, $5)`,
		d.ChainID, d.Escrow, p.FeeBasisPoints, p.Panel, p.Paused)
	if err != nil {
		return pg.Translate(err, "insert the parameters")
	}
	for _, v := range p.Validators {
		_, err := f.s.db.Exec(ctx, f.tx, `
			INSERT INTO chain_validators (chain_id, escrow, wallet, added_in, removed_in)
			VALUES ($1, $2, $3, $4, $5)`,
			d.ChainID, d.Escrow, v.Wallet, v.AddedIn, pg.NullUint(v.RemovedIn))
		if err != nil {
			return pg.Translate(err, "insert a validator")
		}
	}
	for _, q := range p.Quorums {
		_, err := f.s.db.Exec(ctx, f.tx, `
			INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum)
			VALUES ($1, $2, $3, $4)`,
			d.ChainID, d.Escrow, q.FromPanel, q.Size)
		if err != nil {
			return pg.Translate(err, "insert a quorum")
		}
	}
	return nil
}

// Parameters returns the fee, the pause and the panels of the deployment, as of
// the last block followed; zeros before the first of its logs.
func (s *Store) Parameters(ctx context.Context) (market.Parameters, error) {
	var row parametersRow
	// One statement, so that all members are of one block.
	err := s.db.Get(ctx, nil, &row, `
		SELECT p.fee_basis_points, p.panel, p.paused,
		       ARRAY(SELECT v.wallet FROM chain_validators v
		             WHERE v.chain_id = $1 AND v.escrow = $2 ORDER BY v.added_in, v.wallet)::bytea[] AS wallets,
		       ARRAY(SELECT v.added_in FROM chain_validators v
		             WHERE v.chain_id = $1 AND v.escrow = $2 ORDER BY v.added_in, v.wallet) AS added_in,
		       ARRAY(SELECT coalesce(v.removed_in, 0) FROM chain_validators v
		             WHERE v.chain_id = $1 AND v.escrow = $2 ORDER BY v.added_in, v.wallet) AS removed_in,
		       ARRAY(SELECT q.from_panel FROM chain_quorums q
		             WHERE q.chain_id = $1 AND q.escrow = $2 ORDER BY q.from_panel) AS from_panels,
		       ARRAY(SELECT q.quorum::bigint FROM chain_quorums q
		             WHERE q.chain_id = $1 AND q.escrow = $2 ORDER BY q.from_panel) AS quorums
		FROM chain_parameters p
		WHERE p.chain_id = $1 AND p.escrow = $2`,
		s.deployment.ChainID, s.deployment.Escrow)
	if errors.Is(err, sql.ErrNoRows) {
		return market.Parameters{}, nil
	}
	return row.parameters(), pg.Translate(err, "select the parameters")
}

type parametersRow struct {
	FeeBasisPoints uint16        `db:"fee_basis_points"`
	Panel          uint64        `db:"panel"`
	Paused         bool          `db:"paused"`
	Wallets        pq.ByteaArray `db:"wallets"` // of validators, with the next two
	AddedIn        pq.Int64Array `db:"added_in"`
	RemovedIn      pq.Int64Array `db:"removed_in"`
	FromPanels     pq.Int64Array `db:"from_panels"` // of quorums, with the next
	Quorums        pq.Int64Array `db:"quorums"`
}

func (r parametersRow) parameters() market.Parameters {
	p := market.Parameters{FeeBasisPoints: r.FeeBasisPoints, Panel: r.Panel, Paused: r.Paused}
	for i, wallet := range r.Wallets {
		p.Validators = append(p.Validators, market.Validator{
			Wallet: common.BytesToAddress(wallet), AddedIn: pg.Counter(r.AddedIn[i]), RemovedIn: pg.Counter(r.RemovedIn[i]),
		})
	}
	for i, panel := range r.FromPanels {
		p.Quorums = append(p.Quorums, market.Quorum{FromPanel: pg.Counter(panel), Size: uint8(r.Quorums[i])}) //nolint:gosec // the table holds 1 to 32
	}
	return p
}
