package moderation

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/onchain"
	"taskmarket/store/internal/pg"
)

// isValidator is true if the human $2 is a validator of the submitted task t.
const isValidator = `EXISTS (
		SELECT 1
		FROM onchain_tasks e
		JOIN chain_parameters p ON p.chain_id = e.chain_id AND p.escrow = e.escrow
		JOIN chain_validators v ON v.chain_id = p.chain_id AND v.escrow = p.escrow
		JOIN users u ON u.wallet = v.wallet
		WHERE e.chain_id = t.chain_id AND e.escrow = t.escrow AND e.id = t.escrow_task_id AND e.work_hash IS NOT NULL
		  AND u.id = $2 AND u.kind = 'human' AND v.added_in <= coalesce(e.panel, p.panel)
		  AND (v.removed_in IS NULL OR coalesce(e.panel, p.panel) < v.removed_in))`

// reportable selects, for each kind of subject, the record with the id (for a profile: the username)
// $1 and its author, if the user $2 can read it. It follows market.Task.ReadableBy and fileVisible.
var reportable = map[market.SubjectKind]string{
	market.SubjectTask: `
		SELECT t.id, t.agent_id AS author_id
		FROM tasks t
		WHERE t.id = $1::uuid AND (
			t.status = 'funded' AND t.visibility = 'shown' OR t.status <> 'new' AND t.human_id = $2
			OR t.status <> 'new' AND t.visibility <> 'removed' AND EXISTS (
				SELECT 1 FROM applications a WHERE a.task_id = t.id AND a.human_id = $2 AND a.status <> 'withdrawn')
			OR ` + isValidator + `)`,
	market.SubjectProfile: `
		SELECT u.id, u.id AS author_id
		FROM users u
		WHERE lower(u.username) COLLATE "C" = lower($1) COLLATE "C" AND $2::uuid IS NOT NULL`,
	market.SubjectMessage: `
		SELECT m.id, m.sender_id AS author_id
		FROM task_messages m
		JOIN tasks t ON t.id = m.task_id
		WHERE m.id = $1::uuid AND m.visibility = 'shown' AND $2 IN (t.agent_id, t.human_id)
		UNION ALL
		SELECT m.id, CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END
		FROM direct_messages m
		JOIN conversations c ON c.id = m.conversation_id
		WHERE m.id = $1::uuid AND m.visibility = 'shown' AND $2 IN (c.agent_id, c.human_id)`,
	market.SubjectFile: `
		SELECT f.id, f.uploader_id AS author_id
		FROM files f
		JOIN tasks t ON t.id = f.task_id
		WHERE f.id = $1::uuid AND f.visibility = 'shown' AND ` + onchain.FileShared + ` AND ($2 IN (t.agent_id, t.human_id) OR ` + isValidator + `)`,
}

// NewReport is a report to store. Subject names a record by its id, or a profile by its username.
type NewReport struct {
	ID       uuid.UUID
	Reporter market.Principal
	Kind     market.SubjectKind
	Subject  string
	Category market.ReportCategory
	Comment  string
}

type reportRow struct {
	ID           uuid.UUID             `db:"id"`
	ReporterKind *market.PrincipalKind `db:"reporter_kind"`
	ReporterID   uuid.NullUUID         `db:"reporter_id"`
	Rule         *string               `db:"rule"`
	SubjectKind  market.SubjectKind    `db:"subject_kind"`
	SubjectID    uuid.UUID             `db:"subject_id"`
	Category     market.ReportCategory `db:"category"`
	Comment      string                `db:"comment"`
	Decided      bool                  `db:"decided"`
	SubjectText  string                `db:"subject_text"`
	CreatedAt    pg.NullTime           `db:"created_at"`
}

const reportColumns = `r.id, r.reporter_kind, r.reporter_id, r.rule, r.subject_kind, r.subject_id, r.category, r.comment,
	r.decision_id IS NOT NULL AS decided, r.created_at`

func (r reportRow) report() market.Report {
	var reporter market.PrincipalKind
	if r.ReporterKind != nil {
		reporter = *r.ReporterKind
	}
	return market.Report{
		ID: r.ID, ReporterKind: reporter, ReporterID: r.ReporterID.UUID, Rule: pg.Text(r.Rule),
		Subject: market.Subject{Kind: r.SubjectKind, ID: r.SubjectID}, Category: r.Category, Comment: r.Comment,
		Decided: r.Decided, CreatedAt: r.CreatedAt.Time, SubjectText: r.SubjectText,
	}
}

// reportPause is the Retry-After of a report above the limit of open reports.
const reportPause = 24 * time.Hour

// AddReport inserts a report with the current text of the record, and returns the report. Repeating the
// call with the same id changes nothing. It returns KindInvalid for an unknown kind or a malformed id,
// KindNotFound unless the reporter can read the record and another user wrote it, KindAlreadyExists if
// the reporter's earlier report of the record is undecided, KindRateLimited if the reporter has
// market.MaxOpenReports undecided reports, and KindRestricted for a suspended reporter.
func (s *Store) AddReport(ctx context.Context, n NewReport) (market.Report, error) {
	subject, ok := reportable[n.Kind]
	if !ok {
		return market.Report{}, market.Invalid("subject_type", "enum", "must be task, profile, message or file")
	}
	if _, err := uuid.Parse(n.Subject); err != nil && n.Kind != market.SubjectProfile {
		return market.Report{}, market.Invalid("subject", "format", "must be the id of the %s", n.Kind)
	}
	var row reportRow
	err := s.db.TxFor(ctx, n.Reporter.ID, func(tx *sqlx.Tx) error {
		err := s.db.Get(ctx, tx, &row, `SELECT `+reportColumns+` FROM reports r WHERE r.id = $1 AND r.reporter_id = $2`, n.ID, n.Reporter.ID)
		if err = pg.Translate(err, fmt.Sprintf("select report %s", n.ID)); market.KindOf(err) != market.KindNotFound {
			return err
		}
		if err := s.checkReporter(ctx, tx, n.Reporter.ID); err != nil {
			return err
		}
		err = s.db.Get(ctx, tx, &row, `
			WITH subject AS (`+subject+`), r AS (
				INSERT INTO reports (id, reporter_id, reporter_kind, subject_kind, subject_id, author_id, category, comment, subject_text)
				SELECT $3, $2, $4, $5, subject.id, subject.author_id, $6, $7,
				       (SELECT `+fullText+` FROM (`+fmt.Sprintf(subjectTexts[n.Kind], "subject.id")+`) c)
				FROM subject
				WHERE subject.author_id <> $2
				RETURNING *)
			SELECT `+reportColumns+` FROM r`,
			n.Subject, n.Reporter.ID, n.ID, n.Reporter.Kind, n.Kind, n.Category, n.Comment)
		if err = pg.Translate(err, fmt.Sprintf("insert report %s", n.ID)); market.KindOf(err) == market.KindNotFound {
			return pg.Refusal(market.KindNotFound, fmt.Sprintf("this %s does not exist, is your own, or cannot be read by you", n.Kind), err).
				WithHint("check the id or username; you can report only content of other users that you can read")
		}
		if err != nil {
			return err
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{
			Kind: market.AuditReport, Account: n.Reporter.ID, SubjectKind: string(n.Kind), Subject: row.SubjectID.String(), Detail: string(n.Category),
		})
	})
	return row.report(), err
}

// checkReporter limits the undecided reports of a reporter, who must not be suspended.
func (s *Store) checkReporter(ctx context.Context, tx *sqlx.Tx, reporter uuid.UUID) error {
	// The lock prevents concurrent reports through several servers from exceeding the limit.
	if err := s.db.Serialize(ctx, tx, "reports", reporter); err != nil {
		return err
	}
	var have struct {
		Open  int                 `db:"open"`
		State market.AccountState `db:"account_state"`
	}
	err := s.db.Get(ctx, tx, &have, `
		SELECT account_state, (SELECT count(*) FROM reports WHERE reporter_id = $1 AND decision_id IS NULL) AS open
		FROM users
		WHERE id = $1`, reporter)
	if err != nil {
		return pg.Translate(err, fmt.Sprintf("count the reports of %s", reporter))
	}
	if have.State == market.AccountSuspended {
		return have.State.Refusal()
	}
	if have.Open >= market.MaxOpenReports {
		return &market.Error{
			Kind: market.KindRateLimited, Message: fmt.Sprintf("you have %d undecided reports, which is the limit", have.Open),
			Hint: "wait until moderators have decided some of them", RetryAfter: reportPause,
		}
	}
	return nil
}

// RuleReport is a report by one of the operator's rules.
type RuleReport struct {
	ID      uuid.UUID
	Rule    string
	Comment string
	Subject market.Subject
	Author  uuid.UUID
	Record  uuid.UUID // the record with the text; the subject's id if that is the record
	Text    string    // what the rule read
}

// AddRuleReport inserts a report with the text, unless the rule has an open report of the record, or rules have
// market.MaxOpenReports open reports about the author. The limit prevents an author from filling the queue.
func (s *Store) AddRuleReport(ctx context.Context, n RuleReport) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		// The lock prevents concurrent reports through several servers from exceeding the limit.
		if err := s.db.Serialize(ctx, tx, "rule reports", n.Author); err != nil {
			return err
		}
		_, err := s.db.Exec(ctx, tx, `
			INSERT INTO reports (id, subject_kind, subject_id, author_id, category, comment, subject_text, rule, record_id)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9::uuid
			WHERE (SELECT count(*) FROM reports WHERE author_id = $4 AND rule IS NOT NULL AND decision_id IS NULL) < $10
			  AND NOT EXISTS (
				SELECT FROM reports
				WHERE subject_kind = $2 AND subject_id = $3 AND record_id = $9::uuid AND rule = $8 AND decision_id IS NULL)`,
			n.ID, n.Subject.Kind, n.Subject.ID, n.Author, market.ReportOtherReason, n.Comment, n.Text, n.Rule, n.Record, market.MaxOpenReports)
		return pg.Translate(err, fmt.Sprintf("insert the report of %s %s by a rule", n.Subject.Kind, n.Subject.ID))
	})
}
