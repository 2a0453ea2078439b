package moderation

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Backlog counts the records that wait for moderators. The durations state how long the oldest
// record of each kind has waited; 0 if there is none.
type Backlog struct {
	Held    int // tasks that a rule holds
	Overdue int // held tasks whose decision is overdue
	Reports int // open reports
	Appeals int // open appeals

	OldestHeld   time.Duration
	OldestReport time.Duration
	OldestAppeal time.Duration
}

// maxCases is the maximum number of cases on a page, and of reports, appeals or decisions that moderators
// list at once. MaxCasePage is the highest page number of cases.
const (
	maxCases    = 200
	MaxCasePage = 50
)

// Case is a record with open reports, or a task that a rule holds.
type Case struct {
	Subject        market.Subject
	AuthorKind     market.PrincipalKind
	AuthorID       uuid.UUID
	AuthorUsername string
	Reports        int // open reports
	Categories     []string
	Since          time.Time
	Hold           *market.Hold // nil if the record is not held
}

type caseRow struct {
	SubjectKind market.SubjectKind   `db:"subject_kind"`
	SubjectID   uuid.UUID            `db:"subject_id"`
	AuthorKind  market.PrincipalKind `db:"author_kind"`
	AuthorID    uuid.UUID            `db:"author_id"`
	Username    string               `db:"username"`
	Reports     int                  `db:"reports"`
	Categories  pq.StringArray       `db:"categories"`
	Since       pg.NullTime          `db:"since"`
	HoldRule    *string              `db:"hold_rule"`
	HoldDueAt   pg.NullTime          `db:"hold_due_at"`
}

func (r caseRow) moderationCase() Case {
	c := Case{
		Subject: market.Subject{Kind: r.SubjectKind, ID: r.SubjectID}, AuthorKind: r.AuthorKind, AuthorID: r.AuthorID,
		AuthorUsername: r.Username, Reports: r.Reports, Categories: r.Categories, Since: r.Since.Time,
	}
	if !r.HoldDueAt.IsZero() {
		c.Hold = &market.Hold{Rule: pg.Text(r.HoldRule), DueAt: r.HoldDueAt.Time}
	}
	return c
}

// waitsForDecision is true for the held tasks that are still in the agent's lists.
const waitsForDecision = `visibility = 'held' AND lapsed_at IS NULL AND erased_at IS NULL`

// Queue returns a page of at most 200 undecided cases, and whether there are more. The first
// page is 1. The cases form four groups: held tasks by due time, records that a user with a linked account reported,
// records that other users reported, because an account without a link costs nothing, and records that only a rule
// reported, because anyone can write such texts; the last three with the oldest report first. The groups take turns, so
// that many cases of one group do not push another off the first page. It never includes the reporters.
func (s *Store) Queue(ctx context.Context, page int) (cases []Case, more bool, err error) {
	if page < 1 || page > MaxCasePage {
		return nil, false, market.Invalid("page", "range", "must be from 1 to %d", MaxCasePage)
	}
	var rows []caseRow
	err = s.db.Select(ctx, nil, &rows, `
		SELECT c.subject_kind, c.subject_id, u.kind AS author_kind, u.id AS author_id, u.username, c.reports,
		       c.categories, c.since, c.hold_rule, c.hold_due_at
		FROM (
			SELECT subject_kind, subject_id, (array_agg(author_id))[1] AS author_id, sum(reports)::integer AS reports,
			       min(since) AS since, bool_or(trusted) AS trusted, bool_and(ruled) AS ruled, max(hold_rule) AS hold_rule, max(hold_due_at) AS hold_due_at,
			       array_remove(array_agg(DISTINCT category), NULL) AS categories
			FROM (
				SELECT r.subject_kind, r.subject_id, r.author_id, 1 AS reports, r.created_at AS since, r.category,
				       u.verified_at IS NOT NULL AS trusted, r.rule IS NOT NULL AS ruled, NULL AS hold_rule, NULL::timestamptz AS hold_due_at
				FROM reports r
				LEFT JOIN users u ON u.id = r.reporter_id
				WHERE r.decision_id IS NULL
				UNION ALL
				SELECT 'task', id, agent_id, 0, created_at, NULL, true, false, hold_rule, hold_due_at
				FROM tasks
				WHERE `+waitsForDecision+`
			) open
			GROUP BY subject_kind, subject_id
		) c
		JOIN users u ON u.id = c.author_id
		ORDER BY row_number() OVER (
		             PARTITION BY c.hold_due_at IS NULL, c.trusted, c.ruled
		             ORDER BY c.hold_due_at, c.since, c.subject_id),
		         c.hold_due_at, c.trusted DESC, c.ruled, c.subject_id
		LIMIT $1 OFFSET $2`, maxCases+1, (page-1)*maxCases)
	if err != nil {
		return nil, false, pg.Translate(err, "select the moderation queue")
	}
	more = len(rows) > maxCases
	return pg.Convert(rows[:min(len(rows), maxCases)], caseRow.moderationCase), more, nil
}

// OpenReports returns the undecided reports of a subject, oldest first, at most 200. They include the
// reporters, which only moderators may read.
func (s *Store) OpenReports(ctx context.Context, subject market.Subject) ([]market.Report, error) {
	var rows []reportRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+reportColumns+`, r.subject_text
		FROM reports r
		WHERE r.subject_kind = $1 AND r.subject_id = $2 AND r.decision_id IS NULL
		ORDER BY r.created_at, r.id
		LIMIT $3`, subject.Kind, subject.ID, maxCases)
	return pg.Convert(rows, reportRow.report), pg.Translate(err, fmt.Sprintf("select the reports of %s %s", subject.Kind, subject.ID))
}

// OpenAppeals returns the undecided appeals with their decisions, oldest first, at most 200.
func (s *Store) OpenAppeals(ctx context.Context) ([]market.Notice, error) {
	var rows []noticeRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+noticeColumns+`
		FROM appeals p
		JOIN moderation_decisions d ON d.id = p.decision_id
		WHERE p.outcome IS NULL
		ORDER BY p.created_at, p.id
		LIMIT $1`, maxCases)
	return pg.Convert(rows, noticeRow.notice), pg.Translate(err, "select the open appeals")
}

// underReview is true if an open report or appeal concerns the record with the id $1 and the kind $2.
const underReview = `(EXISTS (SELECT 1 FROM reports r WHERE r.subject_kind = $2 AND r.subject_id = $1 AND r.decision_id IS NULL)
	OR EXISTS (SELECT 1 FROM appeals p JOIN moderation_decisions d ON d.id = p.decision_id
	           WHERE p.outcome IS NULL AND d.subject_kind = $2 AND d.subject_id = $1))`

func (s *Store) isUnderReview(ctx context.Context, tx *sqlx.Tx, subject market.Subject) (bool, error) {
	var open bool
	err := s.db.Get(ctx, tx, &open, `SELECT `+underReview, subject.ID, subject.Kind)
	return open, pg.Translate(err, fmt.Sprintf("select the reports and appeals of %s %s", subject.Kind, subject.ID))
}

// SubjectDecisions returns the decisions on a subject with their appeals, newest first, at most 200. It omits the
// texts of a message or file without an open report or appeal.
func (s *Store) SubjectDecisions(ctx context.Context, subject market.Subject) ([]market.Notice, error) {
	var rows []noticeRow
	err := s.db.Select(ctx, nil, &rows, `
		SELECT `+noticeColumns+`, CASE WHEN $4 AND NOT `+underReview+` THEN '' ELSE d.subject_text END AS subject_text
		FROM moderation_decisions d`+noticeJoins+`
		WHERE d.subject_kind = $2 AND d.subject_id = $1
		ORDER BY d.decided_at DESC, d.id DESC
		LIMIT $3`, subject.ID, subject.Kind, maxCases, subject.Kind.Private())
	return pg.Convert(rows, noticeRow.notice), pg.Translate(err, fmt.Sprintf("select the decisions on %s %s", subject.Kind, subject.ID))
}

// DecisionSubject returns the subject of the decision with the id, or of the decision that the appeal with the id
// is about.
func (s *Store) DecisionSubject(ctx context.Context, id uuid.UUID) (market.Subject, error) {
	var row struct {
		Kind market.SubjectKind `db:"subject_kind"`
		ID   uuid.UUID          `db:"subject_id"`
	}
	err := s.db.Get(ctx, nil, &row, `
		SELECT subject_kind, subject_id
		FROM moderation_decisions
		WHERE id = $1 OR id = (SELECT decision_id FROM appeals WHERE id = $1)`, id)
	return market.Subject(row), pg.Translate(err, fmt.Sprintf("select the subject of decision or appeal %s", id))
}

// skillsAndLocation is an SQL expression for the skills and the location of a task or a human, to append to a text.
const skillsAndLocation = ` || coalesce(E'\n\nSkills: ' || nullif(array_to_string(skills, ', '), ''), '')
		       || coalesce(E'\n\nLocation: ' || nullif(location, ''), '')`

// subjectTexts selects the text, author and state of each kind of subject for a moderator. It includes every text
// of the author that other users read or a rule checks. %[1]s is the SQL expression for the subject's id.
var subjectTexts = map[market.SubjectKind]string{
	market.SubjectTask: `
		SELECT t.title, t.description` + skillsAndLocation + ` AS text, t.agent_id AS author_id, t.visibility AS state, coalesce(t.hold_rule, '') AS rule
		FROM tasks t WHERE t.id = %[1]s`,
	market.SubjectProfile: `
		SELECT u.username || ' ' || u.name AS title, u.bio` + skillsAndLocation + ` AS text, u.id AS author_id, u.account_state AS state, '' AS rule
		FROM users u LEFT JOIN humans h ON h.id = u.id WHERE u.id = %[1]s`,
	market.SubjectMessage: `
		SELECT 'message' AS title, m.content AS text, m.sender_id AS author_id, m.visibility AS state, '' AS rule
		FROM task_messages m WHERE m.id = %[1]s
		UNION ALL
		SELECT 'direct message', m.content, CASE m.sender_kind WHEN 'agent' THEN c.agent_id ELSE c.human_id END, m.visibility, ''
		FROM direct_messages m
		JOIN conversations c ON c.id = m.conversation_id
		WHERE m.id = %[1]s`,
	market.SubjectFile: `
		SELECT f.filename AS title, f.content_type AS text, f.uploader_id AS author_id, f.visibility AS state, '' AS rule
		FROM files f WHERE f.id = %[1]s`,
}

// fullText is SubjectText.Full in SQL.
const fullText = `c.title || E'\n\n' || c.text`

// SubjectText is a subject as a moderator reads it. Text ends with the skills and the location. For a file, Title and Text contain the name and the
// declared type.
type SubjectText struct {
	Title, Text    string
	AuthorID       uuid.UUID
	AuthorUsername string
	State          string // a market.Visibility, or for a profile a market.AccountState
	Rule           string // the rule that holds or held a task; empty if none did
}

// Full returns the title and the text, as reports and decisions store them.
func (c SubjectText) Full() string { return c.Title + "\n\n" + c.Text }

// SubjectText returns a subject for a moderator, and records the read, also that of the copies of a deleted record
// (KindNotFound) with an open report or appeal. It returns KindForbidden for a
// message or file without an open report or appeal, because moderators may read private content only
// in these cases.
func (s *Store) SubjectText(ctx context.Context, subject market.Subject, moderator string) (SubjectText, error) {
	return s.readSubject(ctx, subject, moderator, "")
}

// ReportedFile returns the name of a file whose content a moderator is about to read, and records the read.
// It returns KindForbidden for a file without an open report or appeal.
func (s *Store) ReportedFile(ctx context.Context, id uuid.UUID, moderator string) (filename string, err error) {
	file, err := s.readSubject(ctx, market.Subject{Kind: market.SubjectFile, ID: id}, moderator, "content")
	return file.Title, err
}

// readSubject selects a subject and records the read with a detail.
func (s *Store) readSubject(ctx context.Context, subject market.Subject, moderator, detail string) (SubjectText, error) {
	if err := market.CheckOperatorName(moderator); err != nil {
		return SubjectText{}, err
	}
	var content SubjectText
	var missing error
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		open, err := s.isUnderReview(ctx, tx, subject)
		if err != nil {
			return err
		}
		content, err = s.subjectText(ctx, tx, subject, open)
		if open && market.KindOf(err) == market.KindNotFound { // the copies of a deleted record are read
			missing, err = err, nil
		}
		if err != nil {
			return err
		}
		return s.auditModeration(ctx, tx, market.AuditReportRead, moderator, subject, detail)
	})
	return content, cmp.Or(err, missing)
}

func (s *Store) subjectText(ctx context.Context, tx *sqlx.Tx, subject market.Subject, open bool) (SubjectText, error) {
	query, ok := subjectTexts[subject.Kind]
	if !ok {
		return SubjectText{}, market.Invalid("subject", "enum", "must be task, profile, message or file")
	}
	var row struct {
		Title    string    `db:"title"`
		Text     string    `db:"text"`
		AuthorID uuid.UUID `db:"author_id"`
		Username string    `db:"username"`
		State    string    `db:"state"`
		Rule     string    `db:"rule"`
	}
	err := s.db.Get(ctx, tx, &row, `
		SELECT c.title, c.text, c.author_id, u.username, c.state, c.rule
		FROM (`+fmt.Sprintf(query, "$1")+`) c
		JOIN users u ON u.id = c.author_id`, subject.ID)
	if err != nil {
		return SubjectText{}, pg.Translate(err, fmt.Sprintf("select %s %s", subject.Kind, subject.ID))
	}
	if subject.Kind.Private() && !open {
		return SubjectText{}, market.Errorf(market.KindForbidden, "this %s has no open report or appeal, so moderators cannot read it", subject.Kind)
	}
	return SubjectText{
		Title: row.Title, Text: row.Text, AuthorID: row.AuthorID, AuthorUsername: row.Username, State: row.State, Rule: row.Rule,
	}, nil
}

// Backlog returns the numbers and ages of held tasks, reports and appeals, for operators. It
// reads them by index.
func (s *Store) Backlog(ctx context.Context) (Backlog, error) {
	var row struct {
		Held    int `db:"held"`
		Overdue int `db:"overdue"`
		Reports int `db:"reports"`
		Appeals int `db:"appeals"`

		OldestHeld   float64 `db:"oldest_held"` // seconds
		OldestReport float64 `db:"oldest_report"`
		OldestAppeal float64 `db:"oldest_appeal"`
	}
	err := s.db.Get(ctx, nil, &row, `
		SELECT (SELECT count(*) FROM tasks WHERE `+waitsForDecision+`) AS held,
		       (SELECT count(*) FROM tasks WHERE `+waitsForDecision+` AND hold_due_at <= now()) AS overdue,
		       (SELECT count(*) FROM reports WHERE decision_id IS NULL) AS reports,
		       (SELECT count(*) FROM appeals WHERE outcome IS NULL) AS appeals,
		       `+waited(`SELECT min(hold_due_at) - `+pg.Interval(market.HoldWindow)+` FROM tasks WHERE `+waitsForDecision)+` AS oldest_held,
		       `+waited(`SELECT min(created_at) FROM reports WHERE decision_id IS NULL`)+` AS oldest_report,
		       `+waited(`SELECT min(created_at) FROM appeals WHERE outcome IS NULL`)+` AS oldest_appeal`)
	return Backlog{
		Held: row.Held, Overdue: row.Overdue, Reports: row.Reports, Appeals: row.Appeals,
		OldestHeld: pg.Seconds(row.OldestHeld), OldestReport: pg.Seconds(row.OldestReport), OldestAppeal: pg.Seconds(row.OldestAppeal),
	}, pg.Translate(err, "count the moderation backlog")
}

// waited returns an SQL expression for the seconds since the time that the query selects, or 0 if it selects
// none.
func waited(query string) string {
	return `greatest(0, extract(epoch FROM now() - (` + query + `)))::float8`
}
