package store

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Validation is a task that waits for a validator's verdict.
type Validation struct {
	Task   market.Task
	Tally  Tally
	Quorum int             // how many equal verdicts decide
	Mine   *market.Verdict // of the current round and work; nil when none
}

const (
	// roundCloses is market.EscrowTask.Due of work under review.
	roundCloses = `CASE
		WHEN e.agent_approved THEN e.last_activity_at + interval '72 hours'
		WHEN e.disputed_by = e.agent THEN e.disputed_at + interval '120 hours'
		ELSE e.last_activity_at + interval '720 hours' END`

	validationColumns = taskColumns + `, ` + roundCloses + ` AS closes_at,
		(SELECT q.quorum
		 FROM chain_quorums q
		 WHERE q.chain_id = e.chain_id AND q.escrow = e.escrow AND q.from_panel <= e.panel
		 ORDER BY q.from_panel DESC
		 LIMIT 1) AS quorum`

	validationFrom = taskFrom + `
		JOIN chain_validators w
			ON w.chain_id = e.chain_id AND w.escrow = e.escrow
			AND w.added_in <= e.panel AND (w.removed_in IS NULL OR e.panel < w.removed_in)`
)

type validationRow struct {
	taskRow
	pg.Listed
	ClosesAt pg.NullTime `db:"closes_at"`
	Quorum   pg.NullInt  `db:"quorum"`
}

// Validations lists the tasks under review whose panel the wallet is on and
// whose round is not over in chain time, nearest end first; never a task that
// the wallet is a party of. KindForbidden for a wallet that was never on a panel.
func (s *Store) Validations(ctx context.Context, wallet common.Address, page PageQuery) (Page[Validation], error) {
	if err := s.checkValidator(ctx, wallet); err != nil {
		return Page[Validation]{}, err
	}
	list := pg.List[validationRow]{
		What: "select validations", Columns: validationColumns, From: validationFrom,
		Order: pg.Order{Name: "validations", Key: roundCloses, ID: "t.id", Parse: pg.ParseTimeKey},
		Key:   func(r validationRow) (string, uuid.UUID) { return pg.TimeKey(r.ClosesAt.Time), r.ID },
	}
	list.Filter.Add("w.wallet = ? AND e.agent <> ? AND e.human <> ?", wallet, wallet, wallet)
	list.Filter.Add("e.status IN (3, 4) AND h.time < " + roundCloses)
	found, err := pg.SelectPage(ctx, s.db, list, page, func(r validationRow) Validation {
		return Validation{Task: r.task(), Quorum: int(r.Quorum)}
	})
	if err != nil {
		return Page[Validation]{}, err
	}
	return found, s.addVerdicts(ctx, found.Items, wallet)
}

func (s *Store) checkValidator(ctx context.Context, wallet common.Address) error {
	var known bool
	err := s.db.Get(ctx, nil, &known, `
		SELECT EXISTS (SELECT 1 FROM chain_validators WHERE chain_id = $1 AND escrow = $2 AND wallet = $3)`,
		s.deployment.ChainID, s.deployment.Escrow, wallet)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("look for validator %s", wallet))
	}
	if !known {
		return market.Errorf(market.KindForbidden, "only validators see what waits for a verdict")
	}
	return nil
}

// addVerdicts adds the tallies and the wallet's own verdicts.
func (s *Store) addVerdicts(ctx context.Context, items []Validation, wallet common.Address) error {
	ids := make([]uuid.UUID, len(items))
	for i, item := range items {
		ids[i] = item.Task.ID
	}
	tallies, err := s.tallies(ctx, ids)
	if err != nil {
		return err
	}
	var rows []verdictRow
	err = s.db.Select(ctx, nil, &rows, `
		SELECT `+verdictColumns+` FROM verdicts v WHERE v.task_id = ANY ($1) AND v.validator = $2`, pq.Array(ids), wallet)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("select the verdicts of %s", wallet))
	}
	for i, item := range items {
		items[i].Tally = tallies[item.Task.ID]
		for _, row := range rows {
			e := item.Task.Escrow
			if row.TaskID == item.Task.ID && row.Round == e.Round().Number && row.WorkHash == e.WorkHash {
				mine := row.verdict()
				items[i].Mine = &mine
			}
		}
	}
	return nil
}
