// Package auditlog adds entries to the audit log in the transactions of the acts that they record.
package auditlog

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
	"taskmarket/store/internal/pg"
)

// Add adds an entry to the audit log in the transaction of the act. If the entry has no origin, it
// gets the origin in ctx.
func Add(ctx context.Context, db *pg.DB, tx *sqlx.Tx, e market.AuditEntry) error {
	if e.Origin == (market.Origin{}) {
		e.Origin = market.OriginOf(ctx)
	}
	_, err := db.Exec(ctx, tx, `
		SELECT write_audit($1, $2::text::uuid, nullif($3, ''), nullif($4, '')::cidr, nullif($5, ''), nullif($6, ''), nullif($7, ''), nullif($8, ''), $9)`,
		string(e.Kind), accountOf(e), e.Operator, networkOf(e), e.RequestID, e.SubjectKind, e.Subject, e.Detail, max(1, e.Count))
	return pg.Translate(err, fmt.Sprintf("write %s to the audit log", e.Kind))
}

// accountOf returns the id of the account that acted. It returns nil if the entry has no account or
// an operator acted.
func accountOf(e market.AuditEntry) *string {
	if e.Account == uuid.Nil || e.Operator != "" {
		return nil
	}
	return new(e.Account.String())
}

func networkOf(e market.AuditEntry) string {
	if !e.Network.IsValid() {
		return ""
	}
	return e.Network.String()
}
