package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// TaskView is a task with what its readers are told besides its record, all as
// of one instant.
type TaskView struct {
	market.Task
	Tally      Tally
	CurrentFee uint16 // basis points that the task's escrow takes of a task posted now
	Quorum     int    // verdicts that decide: by the task's panel, before it has one by the panel in force
}

const (
	// A tally takes a look at the verdicts only where there is work to judge.
	taskViewColumns = taskColumns + `,
		p.fee_basis_points AS current_fee,
		(SELECT q.quorum
		 FROM chain_quorums q
		 WHERE q.chain_id = p.chain_id AND q.escrow = p.escrow AND q.from_panel <= coalesce(e.panel, p.panel)
		 ORDER BY q.from_panel DESC
		 LIMIT 1) AS quorum,
		CASE WHEN e.work_hash IS NOT NULL THEN (
			SELECT count(*) FROM verdicts v WHERE v.approved AND ` + currentVerdict + `
		) END AS approvals,
		CASE WHEN e.work_hash IS NOT NULL THEN (
			SELECT count(*) FROM verdicts v WHERE NOT v.approved AND ` + currentVerdict + `
		) END AS rejections`

	taskViewJoins = taskJoins + `
		LEFT JOIN chain_parameters p ON p.chain_id = t.chain_id AND p.escrow = t.escrow`

	// currentVerdict picks the verdicts (v) of the task's current round on its work.
	currentVerdict = `v.task_id = t.id AND v.work_hash = e.work_hash
		AND v.round = CASE WHEN e.disputed_at IS NULL THEN 0 ELSE 1 END`
)

type taskViewRow struct {
	taskRow
	pg.Listed
	CurrentFee *uint16    `db:"current_fee"`
	Quorum     pg.NullInt `db:"quorum"`
	Approvals  pg.NullInt `db:"approvals"`
	Rejections pg.NullInt `db:"rejections"`
}

func (r taskViewRow) view() TaskView {
	return TaskView{
		Task: r.task(), Tally: Tally{Approvals: int(r.Approvals), Rejections: int(r.Rejections)},
		CurrentFee: pg.OrZero(r.CurrentFee), Quorum: int(r.Quorum),
	}
}

// viewFor hides the work from pg.NoScope but the parties.
func (r taskViewRow) viewFor(viewer market.Principal) TaskView {
	view := r.view()
	if role := view.RoleOf(viewer); role != market.RoleAgent && role != market.RoleHuman {
		view.Submission = nil
	}
	return view
}

// TaskView returns a task as Task does, with what is told besides it.
// KindUnauthorized when the claim does not hold.
func (s *Store) TaskView(ctx context.Context, id uuid.UUID, key CachedKey) (TaskView, error) {
	guard := key.guard()
	guarded, args := guard.Column([]any{id})
	var row taskViewRow
	err := s.db.Get(ctx, nil, &row, `SELECT `+taskViewColumns+guarded+` FROM tasks t `+taskViewJoins+` WHERE t.id = $1`, args...)
	if err != nil {
		return TaskView{}, pg.Translate(err, fmt.Sprintf("select task %s", id))
	}
	return row.view(), guard.Check(row.Guarded)
}
