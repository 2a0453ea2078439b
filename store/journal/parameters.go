package journal

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Parameters returns the deployment's fee, pause state and panels at the last followed block.
// Before the first administration log, it returns zero values.
func (s *Store) Parameters(ctx context.Context) (market.Parameters, error) {
	var row parametersRow
	// Use a single statement, so that all fields are from one snapshot.
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
	Wallets        pq.ByteaArray `db:"wallets"` // Wallets and the next two fields are parallel arrays, one element for each validator
	AddedIn        pq.Int64Array `db:"added_in"`
	RemovedIn      pq.Int64Array `db:"removed_in"`
	FromPanels     pq.Int64Array `db:"from_panels"` // FromPanels and the next field are parallel arrays, one element for each quorum
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
		p.Quorums = append(p.Quorums, market.Quorum{FromPanel: pg.Counter(panel), Size: uint8(r.Quorums[i])}) //nolint:gosec // a check constraint limits it to 1 to 32
	}
	return p
}
