package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
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
		if _, err := f.s.exec(ctx, f.tx, `DELETE FROM `+table+` WHERE chain_id = $1 AND escrow = $2`, d.ChainID, d.Escrow); err != nil {
			return translate(err, "delete the parameters to fold")
		}
	}
	if len(logs) == 0 {
		return nil
	}
	return f.saveParameters(ctx, market.FoldParameters(logs))
}

func (f *fold) saveParameters(ctx context.Context, p market.Parameters) error {
	d := f.s.deployment
	_, err := f.s.exec(ctx, f.tx, `
		INSERT INTO chain_parameters (chain_id, escrow, fee_basis_points, panel, paused)
		VALUES ($1, $2, $3, $4, $5)`,
		d.ChainID, d.Escrow, p.FeeBasisPoints, p.Panel, p.Paused)
	if err != nil {
		return translate(err, "insert the parameters")
	}
	for _, v := range p.Validators {
		_, err := f.s.exec(ctx, f.tx, `
			INSERT INTO chain_validators (chain_id, escrow, wallet, added_in, removed_in)
			VALUES ($1, $2, $3, $4, $5)`,
			d.ChainID, d.Escrow, v.Wallet, v.AddedIn, nullUint(v.RemovedIn))
		if err != nil {
			return translate(err, "insert a validator")
		}
	}
	for _, q := range p.Quorums {
		_, err := f.s.exec(ctx, f.tx, `
			INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum)
			VALUES ($1, $2, $3, $4)`,
			d.ChainID, d.Escrow, q.FromPanel, q.Size)
		if err != nil {
			return translate(err, "insert a quorum")
		}
	}
	return nil
}

// Parameters returns the fee, the pause and the panels of the deployment, as of
// the last block followed; zeros before the first of its logs.
func (s *Store) Parameters(ctx context.Context) (market.Parameters, error) {
	d := s.deployment
	var row struct {
		FeeBasisPoints uint16 `db:"fee_basis_points"`
		Panel          uint64 `db:"panel"`
		Paused         bool   `db:"paused"`
	}
	err := s.get(ctx, nil, &row, `
		SELECT fee_basis_points, panel, paused
		FROM chain_parameters
		WHERE chain_id = $1 AND escrow = $2`, d.ChainID, d.Escrow)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return market.Parameters{}, translate(err, "select the parameters")
	}
	p := market.Parameters{FeeBasisPoints: row.FeeBasisPoints, Panel: row.Panel, Paused: row.Paused}
	if p.Validators, err = s.validators(ctx); err != nil {
		return market.Parameters{}, err
	}
	p.Quorums, err = s.quorums(ctx)
	return p, err
}

func (s *Store) validators(ctx context.Context) ([]market.Validator, error) {
	var rows []struct {
		Wallet    common.Address `db:"wallet"`
		AddedIn   uint64         `db:"added_in"`
		RemovedIn nullUint       `db:"removed_in"`
	}
	err := s.rows(ctx, nil, &rows, `
		SELECT wallet, added_in, removed_in
		FROM chain_validators
		WHERE chain_id = $1 AND escrow = $2
		ORDER BY added_in, wallet`, s.deployment.ChainID, s.deployment.Escrow)
	validators := make([]market.Validator, len(rows))
	for i, row := range rows {
		validators[i] = market.Validator{Wallet: row.Wallet, AddedIn: row.AddedIn, RemovedIn: uint64(row.RemovedIn)}
	}
	return validators, translate(err, "select the validators")
}

func (s *Store) quorums(ctx context.Context) ([]market.Quorum, error) {
	var rows []struct {
		FromPanel uint64 `db:"from_panel"`
		Quorum    uint8  `db:"quorum"`
	}
	err := s.rows(ctx, nil, &rows, `
		SELECT from_panel, quorum
		FROM chain_quorums
		WHERE chain_id = $1 AND escrow = $2
		ORDER BY from_panel`, s.deployment.ChainID, s.deployment.Escrow)
	quorums := make([]market.Quorum, len(rows))
	for i, row := range rows {
		quorums[i] = market.Quorum{FromPanel: row.FromPanel, Size: row.Quorum}
	}
	return quorums, translate(err, "select the quorums")
}
