package moderation

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/pg"
)

const noticeColumns = decisionColumns + `, p.id AS appeal_id, p.statement, p.created_at AS appealed_at, p.outcome, p.reasons,
	p.decided_by AS appeal_decided_by, p.decided_at AS appeal_decided_at`

const noticeJoins = ` LEFT JOIN appeals p ON p.decision_id = d.id`

type noticeRow struct {
	decisionRow
	AppealID        *uuid.UUID  `db:"appeal_id"`
	Statement       *string     `db:"statement"`
	AppealedAt      pg.NullTime `db:"appealed_at"`
	Outcome         *string     `db:"outcome"`
	Reasons         *string     `db:"reasons"`
	AppealDecidedBy *string     `db:"appeal_decided_by"`
	AppealDecidedAt pg.NullTime `db:"appeal_decided_at"`
}

func (r noticeRow) notice() market.Notice {
	n := market.Notice{Decision: r.decision()}
	if r.AppealID != nil {
		n.Appeal = &market.Appeal{
			ID: *r.AppealID, DecisionID: r.ID, Statement: pg.Text(r.Statement), CreatedAt: r.AppealedAt.Time,
			Outcome: market.AppealOutcome(pg.Text(r.Outcome)), Reasons: pg.Text(r.Reasons),
			DecidedBy: pg.Text(r.AppealDecidedBy), DecidedAt: r.AppealDecidedAt.Pointer(),
		}
	}
	return n
}

// Notices lists the measures against the author, newest first.
func (s *Store) Notices(ctx context.Context, author uuid.UUID, page pg.PageQuery) (pg.Page[market.Notice], error) {
	list := pg.List[noticeRow]{
		What: "select notices", Columns: noticeColumns, From: "moderation_decisions d", Joins: noticeJoins,
		Order: pg.Order{Name: "notices", Key: "d.decided_at", ID: "d.id", Descending: true, Parse: pg.ParseTimeKey},
		Key:   func(r noticeRow) (string, uuid.UUID) { return pg.TimeKey(r.DecidedAt.Time), r.ID },
	}
	list.Filter.Add("d.author_id = ? AND d.measure <> 'none'", author)
	return pg.SelectPage(ctx, s.db, list, page, noticeRow.notice)
}

func (s *Store) notice(ctx context.Context, tx *sqlx.Tx, decision uuid.UUID) (market.Notice, error) {
	var row noticeRow
	err := s.db.Get(ctx, tx, &row, `SELECT `+noticeColumns+` FROM moderation_decisions d`+noticeJoins+` WHERE d.id = $1`, decision)
	return row.notice(), pg.Translate(err, fmt.Sprintf("select the notice of decision %s", decision))
}

// AddAppeal inserts an author's appeal and returns the notice. Repeating the call with the same id
// changes nothing. It returns KindNotFound for a decision against another user, KindAlreadyExists for
// a second appeal, and KindWrongStatus if the decision imposed no measure, the measure has ended or
// the time to appeal has passed.
func (s *Store) AddAppeal(ctx context.Context, a market.Appeal, author uuid.UUID) (market.Notice, error) {
	var notice market.Notice
	err := s.db.TxFor(ctx, a.DecisionID, func(tx *sqlx.Tx) error {
		var state struct {
			Now      pg.NullTime `db:"now"`
			Repeated bool        `db:"repeated"`
		}
		err := s.db.Get(ctx, tx, &state, `
			SELECT now() AS now, EXISTS (SELECT 1 FROM appeals p WHERE p.id = $3 AND p.decision_id = d.id) AS repeated
			FROM moderation_decisions d
			WHERE d.id = $1 AND d.author_id = $2
			FOR UPDATE`, a.DecisionID, author, a.ID)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("lock decision %s", a.DecisionID))
		}
		if !state.Repeated {
			d, err := s.decision(ctx, tx, a.DecisionID)
			if err != nil {
				return err
			}
			if err := s.insertAppeal(ctx, tx, a, d, state.Now); err != nil {
				return err
			}
			err = auditlog.Add(ctx, s.db, tx, market.AuditEntry{
				Kind: market.AuditAppeal, Account: author, SubjectKind: string(d.Subject.Kind), Subject: d.Subject.ID.String(),
			})
			if err != nil {
				return err
			}
		}
		notice, err = s.notice(ctx, tx, a.DecisionID)
		return err
	})
	return notice, err
}

func (s *Store) insertAppeal(ctx context.Context, tx *sqlx.Tx, a market.Appeal, d market.Decision, now pg.NullTime) error {
	if err := d.AppealableAt(now.Time); err != nil {
		return err
	}
	_, err := s.db.Exec(ctx, tx, `
		INSERT INTO appeals (id, decision_id, first_decider, imposed_at, statement)
		VALUES ($1, $2, $3, $4, $5)`, a.ID, d.ID, d.DecidedBy, d.DecidedAt, a.Statement)
	return pg.Translate(err, fmt.Sprintf("insert an appeal against decision %s", d.ID))
}

// DecideAppeal stores the decision on an appeal, ends the measure if it is reversed, and notifies the
// author. It returns KindInvalid for an invalid outcome, statement of reasons or moderator,
// KindForbidden if the moderator made the first decision, and KindWrongStatus if the appeal has been
// decided.
func (s *Store) DecideAppeal(ctx context.Context, id uuid.UUID, outcome market.AppealOutcome, reasons, moderator string) (market.Notice, error) {
	var notice market.Notice
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var decision uuid.UUID
		if err := s.db.Get(ctx, tx, &decision, `SELECT decision_id FROM appeals WHERE id = $1`, id); err != nil {
			return pg.Translate(err, fmt.Sprintf("select appeal %s", id))
		}
		d, err := s.lockDecision(ctx, tx, decision)
		if err != nil {
			return err
		}
		if err := d.CheckOutcome(outcome, reasons, moderator); err != nil {
			return err
		}
		n, err := s.db.Exec(ctx, tx, `
			UPDATE appeals SET outcome = $2, reasons = $3, decided_by = $4, decided_at = now()
			WHERE id = $1 AND outcome IS NULL`, id, outcome, reasons, moderator)
		if err != nil {
			return pg.Translate(err, fmt.Sprintf("decide appeal %s", id))
		}
		if n == 0 {
			return market.Errorf(market.KindWrongStatus, "this appeal has already been decided")
		}
		if err := s.endAppeal(ctx, tx, d, outcome, moderator); err != nil {
			return err
		}
		if err := s.auditModeration(ctx, tx, market.AuditAppealDecision, moderator, d.Subject, string(outcome)); err != nil {
			return err
		}
		notice, err = s.notice(ctx, tx, d.ID)
		return err
	})
	return notice, err
}

// endAppeal applies the outcome of an appeal. A measure may have been lifted or replaced in the meantime.
func (s *Store) endAppeal(ctx context.Context, tx *sqlx.Tx, d market.Decision, outcome market.AppealOutcome, moderator string) error {
	if outcome == market.AppealUpheld {
		return s.notifyOfDecision(ctx, tx, d, market.ActivityAppealUpheld)
	}
	if d.EndedAt == nil {
		if err := s.endDecision(ctx, tx, d, moderator); err != nil {
			return err
		}
	}
	return s.notifyOfDecision(ctx, tx, d, market.ActivityMeasureEnded)
}
