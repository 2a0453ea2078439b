package moderation

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/feed"
	"taskmarket/store/internal/pg"
)

const decisionColumns = `d.id, d.subject_kind, d.subject_id, d.author_kind, d.author_id, d.measure, d.territory, d.facts,
	d.automation, d.clause, d.decided_by, d.decided_at, d.ended_at, d.ended_by`

type decisionRow struct {
	pg.Listed
	ID          uuid.UUID            `db:"id"`
	SubjectKind market.SubjectKind   `db:"subject_kind"`
	SubjectID   uuid.UUID            `db:"subject_id"`
	AuthorKind  market.PrincipalKind `db:"author_kind"`
	AuthorID    uuid.UUID            `db:"author_id"`
	Measure     market.Measure       `db:"measure"`
	Territory   string               `db:"territory"`
	Facts       string               `db:"facts"`
	Automation  market.Automation    `db:"automation"`
	Clause      string               `db:"clause"`
	DecidedBy   string               `db:"decided_by"`
	DecidedAt   pg.NullTime          `db:"decided_at"`
	EndedAt     pg.NullTime          `db:"ended_at"`
	EndedBy     *string              `db:"ended_by"`
	SubjectText string               `db:"subject_text"`
}

func (r decisionRow) decision() market.Decision {
	return market.Decision{
		ID: r.ID, Subject: market.Subject{Kind: r.SubjectKind, ID: r.SubjectID}, AuthorKind: r.AuthorKind, AuthorID: r.AuthorID,
		Measure: r.Measure, Territory: r.Territory, Facts: r.Facts, Automation: r.Automation, Clause: r.Clause,
		DecidedBy: r.DecidedBy, DecidedAt: r.DecidedAt.Time, EndedAt: r.EndedAt.Pointer(), EndedBy: pg.Text(r.EndedBy), SubjectText: r.SubjectText,
	}
}

// subjects contains, for each kind of subject, the statement that locks the record $1 and selects its
// author and whether a rule holds it. It does not use FOR UPDATE, because inserts of rows that refer to
// the record must not wait for a decision.
var subjects = map[market.SubjectKind]string{
	market.SubjectTask: `
		SELECT t.agent_id AS author_id, 'agent' AS author_kind, t.visibility = 'held' AS held
		FROM tasks t WHERE t.id = $1 FOR NO KEY UPDATE`,
	market.SubjectProfile: `
		SELECT u.id AS author_id, u.kind AS author_kind, false AS held
		FROM users u WHERE u.id = $1 FOR UPDATE`, // waits for the account's requests, see WithCaller
	market.SubjectFile: `
		SELECT f.uploader_id AS author_id, f.uploader_kind AS author_kind, false AS held
		FROM files f WHERE f.id = $1 FOR NO KEY UPDATE`,
	market.SubjectMessage: `
		WITH task_message AS (
			SELECT m.sender_id, m.sender_kind FROM task_messages m WHERE m.id = $1 FOR NO KEY UPDATE
		), direct_message AS (
			SELECT m.conversation_id, m.sender_kind FROM direct_messages m WHERE m.id = $1 FOR NO KEY UPDATE)
		SELECT sender_id AS author_id, sender_kind AS author_kind, false AS held FROM task_message
		UNION ALL
		SELECT CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END, m.sender_kind, false
		FROM direct_message m
		JOIN conversations c ON c.id = m.conversation_id`,
}

// subjectState is a locked record that is moderated.
type subjectState struct {
	AuthorID   uuid.UUID            `db:"author_id"`
	AuthorKind market.PrincipalKind `db:"author_kind"`
	Held       bool                 `db:"held"`

	inForce *market.Decision // the decision on this record that is in force; nil if there is none
}

func (s subjectState) measure() market.Measure {
	if s.inForce == nil {
		return market.MeasureNone
	}
	return s.inForce.Measure
}

// replaced returns the id of the decision that a new measure replaces; uuid.Nil if there is none.
func (s subjectState) replaced() uuid.UUID {
	if s.inForce == nil {
		return uuid.Nil
	}
	return s.inForce.ID
}

func (s *Store) lockSubject(ctx context.Context, tx *sqlx.Tx, subject market.Subject) (subjectState, error) {
	var state subjectState
	what := fmt.Sprintf("%s %s", subject.Kind, subject.ID)
	if err := s.db.Get(ctx, tx, &state, subjects[subject.Kind], subject.ID); err != nil {
		return state, pg.Translate(err, "lock "+what)
	}
	var row decisionRow
	err := s.db.Get(ctx, tx, &row, `
		SELECT `+decisionColumns+`
		FROM moderation_decisions d
		WHERE d.subject_kind = $1 AND d.subject_id = $2 AND d.measure <> 'none' AND d.ended_at IS NULL
		FOR UPDATE`, subject.Kind, subject.ID)
	err = pg.Translate(err, "lock the measure on "+what)
	if market.KindOf(err) == market.KindNotFound {
		return state, nil
	}
	state.inForce = new(row.decision())
	return state, err
}

// deletedSubject returns the author of a record that was deleted after a report, for example a file, so that
// the report can be closed. It returns KindNotFound for a record without an open report.
func (s *Store) deletedSubject(ctx context.Context, tx *sqlx.Tx, subject market.Subject) (subjectState, error) {
	var state subjectState
	err := s.db.Get(ctx, tx, &state, `
		SELECT r.author_id, u.kind AS author_kind, false AS held
		FROM reports r
		JOIN users u ON u.id = r.author_id
		WHERE r.subject_kind = $1 AND r.subject_id = $2 AND r.decision_id IS NULL
		LIMIT 1`, subject.Kind, subject.ID)
	return state, pg.Translate(err, fmt.Sprintf("select %s %s", subject.Kind, subject.ID))
}

// Decide stores a moderator's decision: it imposes the measure, closes the open reports about the
// subject, ends its hold, and notifies the author of a measure or of the end of a hold. The
// returned decision contains the subject's author and the time of the decision. It returns
// KindInvalid for an invalid decision, KindNotFound for an unknown subject, KindWrongStatus if
// there is nothing to decide or a measure at least as severe is in force, and KindForbidden for a
// measure if an appeal against the moderator's decision on the subject is open, or on a message or
// file without an open report, an open appeal or a measure in force. No measure changes what
// the author or other parties can do with money.
func (s *Store) Decide(ctx context.Context, d market.Decision) (market.Decision, error) {
	if err := d.Check(); err != nil {
		return market.Decision{}, err
	}
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		state, err := s.lockSubject(ctx, tx, d.Subject)
		if market.KindOf(err) == market.KindNotFound && d.Measure == market.MeasureNone {
			state, err = s.deletedSubject(ctx, tx, d.Subject)
		}
		if err != nil {
			return err
		}
		if err := d.Measure.Replaces(state.measure(), d.Subject.Kind); err != nil {
			return err
		}
		if err := s.checkPrivacy(ctx, tx, d, state); err != nil {
			return err
		}
		d.AuthorID, d.AuthorKind, d.Automation = state.AuthorID, state.AuthorKind, market.AutomationNone
		if state.Held {
			d.Automation = market.AutomationDetection
		}
		if d.Measure != market.MeasureNone {
			if err := s.checkOpenAppeal(ctx, tx, d); err != nil {
				return err
			}
		}
		if d.Measure != market.MeasureNone && state.inForce != nil {
			if err := s.endDecision(ctx, tx, *state.inForce, d.DecidedBy); err != nil {
				return err
			}
		}
		if d, err = s.insertDecision(ctx, tx, d); err != nil {
			return err
		}
		closed, err := s.closeReports(ctx, tx, d, state.replaced())
		if err != nil {
			return err
		}
		if d.Measure == market.MeasureNone && closed == 0 && !state.Held {
			return market.Errorf(market.KindWrongStatus, "the %s has no open report and is not held, so there is nothing to decide", d.Subject.Kind)
		}
		if err := s.applyDecision(ctx, tx, d, state.Held); err != nil {
			return err
		}
		return s.auditModeration(ctx, tx, market.AuditDecision, d.DecidedBy, d.Subject, string(d.Measure))
	})
	return d, err
}

// checkPrivacy returns KindForbidden for a measure on a message or file that moderators may not read, unless it
// replaces another one.
func (s *Store) checkPrivacy(ctx context.Context, tx *sqlx.Tx, d market.Decision, state subjectState) error {
	if d.Measure == market.MeasureNone || !d.Subject.Kind.Private() || state.inForce != nil {
		return nil
	}
	open, err := s.isUnderReview(ctx, tx, d.Subject)
	if err == nil && !open {
		return market.Errorf(market.KindForbidden, "this %s has no open report or appeal, so moderators cannot decide on it", d.Subject.Kind).
			WithHint("report it first, as a user who can read it")
	}
	return err
}

// checkOpenAppeal returns KindForbidden for a measure by a person against whose decision on the same subject an
// appeal is open, even if that decision has ended, because the appeal could not end the new measure.
func (s *Store) checkOpenAppeal(ctx context.Context, tx *sqlx.Tx, d market.Decision) error {
	var deciders []string
	err := s.db.Select(ctx, tx, &deciders, `
		SELECT d.decided_by
		FROM appeals p
		JOIN moderation_decisions d ON d.id = p.decision_id
		WHERE p.outcome IS NULL AND d.subject_kind = $1 AND d.subject_id = $2`, d.Subject.Kind, d.Subject.ID)
	if slices.ContainsFunc(deciders, func(name string) bool { return market.SamePerson(d.DecidedBy, name) }) {
		return market.Errorf(market.KindForbidden, "an appeal against your decision on this %s is open, so another person must impose a measure", d.Subject.Kind).
			WithHint("wait for the decision on the appeal, or ask another person")
	}
	return pg.Translate(err, fmt.Sprintf("select the open appeals about %s %s", d.Subject.Kind, d.Subject.ID))
}

func (s *Store) insertDecision(ctx context.Context, tx *sqlx.Tx, d market.Decision) (market.Decision, error) {
	var row decisionRow
	err := s.db.Get(ctx, tx, &row, `
		INSERT INTO moderation_decisions AS d (id, subject_kind, subject_id, author_id, author_kind, measure,
		                                       territory, facts, automation, clause, decided_by, subject_text)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
		        CASE WHEN $6 = 'none' THEN '' ELSE coalesce((SELECT `+fullText+` FROM (`+fmt.Sprintf(subjectTexts[d.Subject.Kind], "$3")+`) c), '') END)
		RETURNING `+decisionColumns,
		d.ID, d.Subject.Kind, d.Subject.ID, d.AuthorID, d.AuthorKind, d.Measure, d.Territory, d.Facts, d.Automation, d.Clause, d.DecidedBy)
	return row.decision(), pg.Translate(err, fmt.Sprintf("insert decision %s", d.ID))
}

// laterVersion separates the versions of a text in market.Decision.SubjectText.
const laterVersion = `E'\n\n[changed to]\n\n'`

// closeReports closes the open reports of the decision's subject and returns their number. A measure takes over
// the texts that were reported and those of the measure that it replaces (uuid.Nil if there is none), because the
// author can have changed or erased the text since, and the reports do not keep it. One statement does both, so
// that the text of a concurrent report is not lost.
func (s *Store) closeReports(ctx context.Context, tx *sqlx.Tx, d market.Decision, replaced uuid.UUID) (int64, error) {
	var n int64
	err := s.db.Get(ctx, tx, &n, `
		WITH closed AS (
			UPDATE reports r SET decision_id = $1
			FROM (SELECT id, subject_text, created_at FROM reports
			      WHERE subject_kind = $2 AND subject_id = $3 AND decision_id IS NULL) open
			WHERE r.id = open.id AND r.decision_id IS NULL
			RETURNING open.id, open.subject_text, open.created_at
		), kept AS (
			UPDATE moderation_decisions d SET subject_text = (
				SELECT coalesce(string_agg(text, `+laterVersion+` ORDER BY n), '')
				FROM (
					SELECT text, min(n) AS n
					FROM unnest(string_to_array(concat_ws(`+laterVersion+`,
						(SELECT nullif(subject_text, '') FROM moderation_decisions WHERE id = $4),
						(SELECT string_agg(subject_text, `+laterVersion+` ORDER BY created_at, id) FROM closed WHERE subject_text <> ''),
						nullif(d.subject_text, '')), `+laterVersion+`)) WITH ORDINALITY v (text, n)
					GROUP BY text) versions)
			WHERE d.id = $1 AND d.measure <> 'none')
		SELECT count(*) FROM closed`, d.ID, d.Subject.Kind, d.Subject.ID, replaced)
	return n, pg.Translate(err, fmt.Sprintf("close the reports of %s %s", d.Subject.Kind, d.Subject.ID))
}

// applyDecision changes the state of the subject and notifies the author of a measure or a visible task.
func (s *Store) applyDecision(ctx context.Context, tx *sqlx.Tx, d market.Decision, onHold bool) error {
	switch {
	case d.Measure == market.MeasureNone && !onHold:
		return nil
	case d.Measure == market.MeasureNone:
		if err := s.releaseTasks(ctx, tx, `t.id = $1`, d.Subject.ID); err != nil {
			return err
		}
		return s.notifyOfTask(ctx, tx, d)
	}
	if err := s.impose(ctx, tx, d); err != nil {
		return err
	}
	return s.notifyOfDecision(ctx, tx, d, market.ActivityMeasureImposed)
}

// notifyOfTask notifies the author that a task is visible, unless the task of a suspended agent stays hidden.
func (s *Store) notifyOfTask(ctx context.Context, tx *sqlx.Tx, d market.Decision) error {
	var visible bool
	err := s.db.Get(ctx, tx, &visible, `SELECT visibility = 'shown' FROM tasks WHERE id = $1`, d.Subject.ID)
	if err != nil || !visible {
		return pg.Translate(err, fmt.Sprintf("select the visibility of task %s", d.Subject.ID))
	}
	return feed.Add(ctx, s.db, tx, d.AuthorKind, d.AuthorID, feed.Item{Kind: market.ActivityTaskShown, Related: d.Subject.ID, Cause: "task-shown"})
}

// notifyOfDecision adds an item to the author's feed. Only an item about a task refers to its subject,
// because the feed shows the title of the author's own task. Other subjects are named only in the
// market.Notice.
func (s *Store) notifyOfDecision(ctx context.Context, tx *sqlx.Tx, d market.Decision, kind market.ActivityKind) error {
	n := feed.Item{Kind: kind, Cause: string(kind) + "-" + d.ID.String()}
	if d.Subject.Kind == market.SubjectTask {
		n.Related = d.Subject.ID
	}
	return feed.Add(ctx, s.db, tx, d.AuthorKind, d.AuthorID, n)
}

// impose changes the state of a subject to that of the measure.
func (s *Store) impose(ctx context.Context, tx *sqlx.Tx, d market.Decision) error {
	var statements []string
	var state any = d.Measure.Visibility()
	switch d.Subject.Kind {
	case market.SubjectTask:
		statements = []string{`UPDATE tasks SET visibility = $2, measure_id = $3, hold_due_at = NULL WHERE id = $1`}
	case market.SubjectFile:
		statements = []string{`UPDATE files SET visibility = $2, measure_id = $3 WHERE id = $1`}
	case market.SubjectMessage:
		statements = []string{
			`UPDATE task_messages SET visibility = $2, measure_id = $3 WHERE id = $1`,
			`UPDATE direct_messages SET visibility = $2, measure_id = $3 WHERE id = $1`,
		}
	case market.SubjectProfile:
		return s.imposeOnAccount(ctx, tx, d)
	}
	for _, statement := range statements {
		if _, err := s.db.Exec(ctx, tx, statement, d.Subject.ID, state, d.ID); err != nil {
			return pg.Translate(err, fmt.Sprintf("impose decision %s", d.ID))
		}
	}
	return nil
}

// imposeOnAccount changes the state of an account. A suspended agent's tasks are hidden, so that no human
// applies to an agent that cannot write to applicants. They include the tasks that a reorganisation can
// open again. Only tasks whose end is final stay shown.
func (s *Store) imposeOnAccount(ctx context.Context, tx *sqlx.Tx, d market.Decision) error {
	what := fmt.Sprintf("impose decision %s", d.ID)
	_, err := s.db.Exec(ctx, tx, `UPDATE users SET account_state = $2, measure_id = $3, updated_at = now() WHERE id = $1`,
		d.Subject.ID, d.Measure.AccountState(), d.ID)
	if err != nil {
		return pg.Translate(err, what)
	}
	if _, err := s.db.Exec(ctx, tx, `UPDATE humans SET listed = false WHERE id = $1`, d.Subject.ID); err != nil {
		return pg.Translate(err, what)
	}
	if d.Measure != market.MeasureSuspend {
		return nil
	}
	_, err = s.db.Exec(ctx, tx, `
		UPDATE tasks t SET visibility = 'hidden', measure_id = $2
		WHERE agent_id = $1 AND visibility = 'shown'
		  AND (status NOT IN ('approved', 'rejected', 'cancelled')
		       OR changed_block > coalesce((SELECT h.finalized FROM chain_head h WHERE h.chain_id = t.chain_id), 0))`, d.Subject.ID, d.ID)
	return pg.Translate(err, what)
}

// endDecision ends a measure and its effects.
func (s *Store) endDecision(ctx context.Context, tx *sqlx.Tx, d market.Decision, by string) error {
	what := fmt.Sprintf("end decision %s", d.ID)
	_, err := s.db.Exec(ctx, tx, `
		UPDATE moderation_decisions SET ended_at = now(), ended_by = $2 WHERE id = $1 AND ended_at IS NULL`, d.ID, by)
	if err != nil {
		return pg.Translate(err, what)
	}
	// Update the account first, because releaseTasks keeps the tasks of a suspended agent hidden.
	for _, statement := range []string{
		`UPDATE users SET account_state = 'good', measure_id = NULL, updated_at = now() WHERE measure_id = $2 AND id = $1`,
		`UPDATE humans SET listed = true WHERE id = $1 AND EXISTS (SELECT 1 FROM users u WHERE u.id = $1 AND u.account_state = 'good' AND $2::uuid IS NOT NULL)`,
		`UPDATE files SET visibility = 'shown', measure_id = NULL WHERE id = $1 AND measure_id = $2`,
		`UPDATE task_messages SET visibility = 'shown', measure_id = NULL WHERE id = $1 AND measure_id = $2`,
		`UPDATE direct_messages SET visibility = 'shown', measure_id = NULL WHERE id = $1 AND measure_id = $2`,
	} {
		if _, err := s.db.Exec(ctx, tx, statement, d.Subject.ID, d.ID); err != nil {
			return pg.Translate(err, what)
		}
	}
	return s.releaseTasks(ctx, tx, `t.measure_id = $1`, d.ID)
}

// fundedErased is true for a funded task whose text was erased. Such a task is never shown.
const fundedErased = `t.erased_at IS NOT NULL AND t.status = 'funded'`

// releaseTasks shows the selected tasks again. It hides the tasks of a suspended agent instead, until the
// suspension ends, and holds a funded task whose text was erased.
func (s *Store) releaseTasks(ctx context.Context, tx *sqlx.Tx, condition string, arg uuid.UUID) error {
	_, err := s.db.Exec(ctx, tx, `
		UPDATE tasks t
		SET visibility = CASE WHEN suspended THEN 'hidden' WHEN `+fundedErased+` THEN 'held' ELSE 'shown' END,
		    measure_id = CASE WHEN suspended THEN c.measure_id END,
		    hold_rule = CASE WHEN NOT suspended AND `+fundedErased+` THEN 'erased' ELSE t.hold_rule END,
		    hold_due_at = CASE WHEN NOT suspended AND `+fundedErased+` THEN now() + `+pg.Interval(market.HoldWindow)+` END
		FROM (SELECT u.id, u.measure_id, u.account_state = 'suspended' AS suspended FROM users u) c
		WHERE c.id = t.agent_id AND `+condition, arg)
	return pg.Translate(err, "show tasks")
}

// Lift ends a measure without an appeal and notifies the author. It returns KindWrongStatus if the
// decision has no measure in force.
func (s *Store) Lift(ctx context.Context, id uuid.UUID, moderator string) (market.Decision, error) {
	var lifted market.Decision
	if err := market.CheckOperatorName(moderator); err != nil {
		return lifted, err
	}
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		d, err := s.lockDecision(ctx, tx, id)
		if err != nil {
			return err
		}
		if d.Measure == market.MeasureNone || d.EndedAt != nil {
			return market.Errorf(market.KindWrongStatus, "the decision has no measure in force")
		}
		if err := s.endDecision(ctx, tx, d, moderator); err != nil {
			return err
		}
		if err := s.notifyOfDecision(ctx, tx, d, market.ActivityMeasureEnded); err != nil {
			return err
		}
		if err := s.auditModeration(ctx, tx, market.AuditDecisionLifted, moderator, d.Subject, string(d.Measure)); err != nil {
			return err
		}
		lifted, err = s.decision(ctx, tx, id)
		return err
	})
	return lifted, err
}

// lockDecision locks the decision's subject and then the decision, in the same order as Decide.
func (s *Store) lockDecision(ctx context.Context, tx *sqlx.Tx, id uuid.UUID) (market.Decision, error) {
	d, err := s.decision(ctx, tx, id)
	if err != nil {
		return d, err
	}
	// A deleted file needs no lock.
	if _, err := s.lockSubject(ctx, tx, d.Subject); err != nil && market.KindOf(err) != market.KindNotFound {
		return d, err
	}
	return s.decision(ctx, tx, id)
}

func (s *Store) decision(ctx context.Context, tx *sqlx.Tx, id uuid.UUID) (market.Decision, error) {
	var row decisionRow
	err := s.db.Get(ctx, tx, &row, `SELECT `+decisionColumns+` FROM moderation_decisions d WHERE d.id = $1`, id)
	return row.decision(), pg.Translate(err, fmt.Sprintf("select decision %s", id))
}

// auditModeration adds a moderator's act on a subject to the audit log.
func (s *Store) auditModeration(ctx context.Context, tx *sqlx.Tx, kind market.AuditKind, moderator string, subject market.Subject, detail string) error {
	origin := market.OriginOf(ctx)
	origin.Operator = moderator
	return auditlog.Add(ctx, s.db, tx, market.AuditEntry{
		Kind: kind, SubjectKind: string(subject.Kind), Subject: subject.ID.String(), Detail: detail, Origin: origin,
	})
}
