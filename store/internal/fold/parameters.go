package fold

import (
	"context"
	"slices"

	"taskmarket/market"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// parameterLogs returns the canonical administration logs in chain order.
func (f *Fold) parameterLogs(ctx context.Context) ([]market.Log, error) {
	return f.logs(ctx, "select the administration logs", `
		SELECT `+onchain.LogColumns+`
		FROM chain_logs l
		WHERE l.chain_id = $1 AND l.address = $2 AND l.canonical
		  AND l.kind IN ('FeeChanged', 'ValidatorAdded', 'ValidatorRemoved', 'QuorumChanged', 'Paused', 'Unpaused')
		ORDER BY l.block_number, l.log_index`,
		f.deployment.ChainID, f.deployment.Escrow)
}

// panels returns a function that returns the panel in force just before one of the tasks' logs. It reads no
// administration logs if none of the tasks has a panel.
func (f *Fold) panels(ctx context.Context, tasks []market.Log) (func(market.Log) uint64, error) {
	if !slices.ContainsFunc(tasks, func(log market.Log) bool { return log.Event.SetsPanel() }) {
		return nil, nil
	}
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

// foldParameters rebuilds the deployment's parameters if an administration log was added or
// dropped.
func (f *Fold) foldParameters(ctx context.Context) error {
	if !f.parameters {
		return nil
	}
	logs, err := f.parameterLogs(ctx)
	if err != nil {
		return err
	}
	d := f.deployment
	for _, table := range []string{"chain_parameters", "chain_validators", "chain_quorums"} {
		if _, err := f.db.Exec(ctx, f.tx, `DELETE FROM `+table+` WHERE chain_id = $1 AND escrow = $2`, d.ChainID, d.Escrow); err != nil {
			return pg.Translate(err, "delete the parameters to fold")
		}
	}
	if len(logs) == 0 {
		return nil
	}
	return f.saveParameters(ctx, market.FoldParameters(logs))
}

func (f *Fold) saveParameters(ctx context.Context, p market.Parameters) error {
	d := f.deployment
	_, err := f.db.Exec(ctx, f.tx, `
		INSERT INTO chain_parameters (chain_id, escrow, fee_basis_points, panel, paused)
		VALUES ($1, $2, $3, $4, $5)`,
		d.ChainID, d.Escrow, p.FeeBasisPoints, p.Panel, p.Paused)
	if err != nil {
		return pg.Translate(err, "insert the parameters")
	}
	for _, v := range p.Validators {
		_, err := f.db.Exec(ctx, f.tx, `
			INSERT INTO chain_validators (chain_id, escrow, wallet, added_in, removed_in)
			VALUES ($1, $2, $3, $4, $5)`,
			d.ChainID, d.Escrow, v.Wallet, v.AddedIn, pg.NullUint(v.RemovedIn))
		if err != nil {
			return pg.Translate(err, "insert a validator")
		}
	}
	for _, panel := range changedPanels(p) {
		_, err := f.db.Exec(ctx, f.tx, `
			INSERT INTO chain_quorums (chain_id, escrow, from_panel, quorum, validators)
			VALUES ($1, $2, $3, $4, $5)`,
			d.ChainID, d.Escrow, panel, p.QuorumOf(panel), p.PanelSize(panel))
		if err != nil {
			return pg.Translate(err, "insert a quorum")
		}
	}
	return nil
}

// changedPanels returns the panels with a quorum whose quorum or validators differ from those of the
// previous panel, in ascending order.
func changedPanels(p market.Parameters) []uint64 {
	var panels []uint64
	for _, q := range p.Quorums {
		panels = append(panels, q.FromPanel)
	}
	for _, v := range p.Validators {
		panels = append(panels, v.AddedIn, v.RemovedIn)
	}
	slices.Sort(panels)
	return slices.DeleteFunc(slices.Compact(panels), func(panel uint64) bool { return p.QuorumOf(panel) == 0 })
}
