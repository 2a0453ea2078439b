package operators

import (
	"context"
	"fmt"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"taskmarket/market"
	"taskmarket/store/internal/auditlog"
	"taskmarket/store/internal/pg"
)

// DefaultAuditRetention is how long the audit log is kept by default. Whole months are deleted, so an entry can
// stay up to a month longer.
const DefaultAuditRetention = 365 * 24 * time.Hour

// WriteAudit adds entries about acts that change no other record, in one transaction.
func (s *Store) WriteAudit(ctx context.Context, entries ...market.AuditEntry) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		for _, e := range entries {
			if err := auditlog.Add(ctx, s.db, tx, e); err != nil {
				return err
			}
		}
		return nil
	})
}

// NoteRules records the version of the rules that hold new tasks for moderation, unless it was the last
// version recorded.
func (s *Store) NoteRules(ctx context.Context, version string) error {
	return s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		var noted bool
		err := s.db.Get(ctx, tx, &noted, `
			SELECT coalesce((SELECT detail FROM audit_log WHERE kind = $1 ORDER BY id DESC LIMIT 1) = $2, false)`, string(market.AuditRules), version)
		if err != nil || noted {
			return pg.Translate(err, "select the version of the rules")
		}
		return auditlog.Add(ctx, s.db, tx, market.AuditEntry{Kind: market.AuditRules, Detail: version})
	})
}

// AuditQuery selects entries of the audit log. Except for Limit, zero fields do not restrict the result.
type AuditQuery struct {
	Kinds    []market.AuditKind
	Account  uuid.UUID // as the account that acted, or as the subject
	Operator string
	Subject  string
	Before   int64 // entries with a lower id
	Limit    int   // from 1 to maxAuditPage
}

const maxAuditPage = 200

// AuditLog returns entries of the audit log, newest first.
func (s *Store) AuditLog(ctx context.Context, q AuditQuery) ([]market.AuditEntry, error) {
	if q.Limit < 1 || q.Limit > maxAuditPage {
		return nil, market.Invalid("limit", "range", "must be from 1 to %d", maxAuditPage)
	}
	var filter pg.Filter
	if len(q.Kinds) > 0 {
		kinds := make([]string, len(q.Kinds))
		for i, kind := range q.Kinds {
			kinds[i] = string(kind)
		}
		filter.Add("kind = ANY(?)", pq.Array(kinds))
	}
	if q.Account != uuid.Nil {
		filter.Add("(account_id = ? OR subject = ?)", q.Account, q.Account.String())
	}
	if q.Operator != "" {
		filter.Add("operator = ?", q.Operator)
	}
	if q.Subject != "" {
		filter.Add("subject = ?", q.Subject)
	}
	if q.Before > 0 {
		filter.Add("id < ?", q.Before)
	}
	return s.auditLog(ctx, filter, q.Limit)
}

// Sweep drops the partitions that are older than the retention period, and creates the
// partition of the next month in advance.
func (s *Store) Sweep(ctx context.Context) error {
	err := s.db.Tx(ctx, func(tx *sqlx.Tx) error {
		_, err := s.db.Exec(ctx, tx, `
			SELECT create_audit_partition(now() + interval '1 month'), drop_audit_partitions(`+pg.Interval(s.auditRetention)+`)`)
		return err
	})
	return pg.Translate(err, "sweep the audit log")
}

func (s *Store) auditLog(ctx context.Context, filter pg.Filter, limit int) ([]market.AuditEntry, error) {
	var rows []struct {
		ID          int64            `db:"id"`
		At          pg.NullTime      `db:"created_at"`
		Kind        market.AuditKind `db:"kind"`
		Account     uuid.NullUUID    `db:"account_id"`
		Operator    string           `db:"operator"`
		Network     string           `db:"network"`
		RequestID   string           `db:"request_id"`
		SubjectKind string           `db:"subject_kind"`
		Subject     string           `db:"subject"`
		Detail      string           `db:"detail"`
		Count       int              `db:"count"`
	}
	where, args := filter.SQL()
	args = append(args, limit)
	// The statement is not prepared, because it has many variants.
	err := s.db.SelectAdHoc(ctx, &rows, `
		SELECT id, created_at, kind, account_id, coalesce(operator, '') AS operator, coalesce(network::text, '') AS network,
		       coalesce(request_id, '') AS request_id, coalesce(subject_kind, '') AS subject_kind,
		       coalesce(subject, '') AS subject, coalesce(detail, '') AS detail, count
		FROM audit_log`+where+fmt.Sprintf(`
		ORDER BY id DESC
		LIMIT $%d`, len(args)), args...)
	if err != nil {
		return nil, pg.Translate(err, "select the audit log")
	}
	entries := make([]market.AuditEntry, len(rows))
	for i, row := range rows {
		entries[i] = market.AuditEntry{
			ID: row.ID, At: row.At.Time, Kind: row.Kind, Account: row.Account.UUID, SubjectKind: row.SubjectKind, Subject: row.Subject,
			Detail: row.Detail, Count: row.Count, Origin: market.Origin{RequestID: row.RequestID, Operator: row.Operator},
		}
		if row.Network != "" {
			if entries[i].Network, err = netip.ParsePrefix(row.Network); err != nil {
				return nil, fmt.Errorf("select the audit log: %w", err)
			}
		}
	}
	return entries, nil
}
