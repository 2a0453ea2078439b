package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"taskmarket/store/internal/pg"
)

// Roles are existing PostgreSQL roles that Grant gives access to the tables. "" means none.
type Roles struct {
	Service string // reads and writes rows, for `serve`; it cannot change the schema
	Reader  string // reads the tables that are not in withheld, for reporting
}

// withheld are the tables that the role Reader cannot read: credentials, saved responses, private messages,
// moderation records, and the audit log with the networks of users. A test compares them with the schema.
var withheld = []string{
	"agents", "sessions", "challenges", "idempotency_keys", "rate_limits", "task_messages", "direct_messages", "audit_log",
	"reports", "moderation_decisions", "appeals", "barred_links", "console_links", "console_sessions",
}

// readableAgentColumns are the columns of agents except the hash and the prefix of the API key.
var readableAgentColumns = []string{"id", "kind", "key_rotated_at", "key_recovered_at"}

// Grant gives the roles their privileges on the tables and replaces the privileges that they had before. It
// must run after the migrations. The database's URL must be that of the role that owns the tables.
func Grant(ctx context.Context, databaseURL string, roles Roles) error {
	db, err := pg.Open(databaseURL, pg.Timeouts{Lock: migrationLock}, sql.OpenDB)
	if err != nil {
		return err
	}
	defer db.Close()
	tx, err := db.BeginTxx(ctx, nil)
	if err != nil {
		return fmt.Errorf("grant privileges: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	for _, grant := range []struct{ role, statements string }{{roles.Service, serviceGrants}, {roles.Reader, readerGrants()}} {
		if grant.role == "" {
			continue
		}
		if _, err := tx.ExecContext(ctx, strings.ReplaceAll(commonGrants+grant.statements, "$role", pq.QuoteIdentifier(grant.role))); err != nil {
			return fmt.Errorf("grant privileges to %s: %w", grant.role, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("grant privileges: %w", err)
	}
	return nil
}

const (
	// commonGrants also revoke privileges on columns, because REVOKE on a table includes its columns.
	commonGrants = `
		REVOKE CREATE ON SCHEMA public FROM PUBLIC;
		REVOKE ALL ON ALL TABLES IN SCHEMA public FROM $role;
		GRANT USAGE ON SCHEMA public TO $role;`
	serviceGrants = `
		GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO $role;
		GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO $role;
		GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO $role;
		REVOKE INSERT, UPDATE, DELETE ON goose_db_version FROM $role;` + appendOnlyGrants
	// appendOnlyGrants let the role read the audit log and add rows with the current time. Rights on a
	// partition would bypass those on the table.
	appendOnlyGrants = noAuditPartitions + `
		REVOKE INSERT, UPDATE, DELETE ON audit_log FROM $role;
		GRANT INSERT (kind, account_id, operator, network, request_id, subject_kind, subject, detail, count) ON audit_log TO $role;`
	noAuditPartitions = `
		DO $$ DECLARE partition regclass; BEGIN
			FOR partition IN SELECT name FROM audit_partitions() LOOP
				EXECUTE 'REVOKE ALL ON ' || partition || $to$ FROM $role$to$;
			END LOOP;
		END $$;`
)

func readerGrants() string {
	return `
		GRANT SELECT ON ALL TABLES IN SCHEMA public TO $role;
		REVOKE SELECT ON ` + strings.Join(withheld, ", ") + ` FROM $role;` + noAuditPartitions + `
		GRANT SELECT (` + strings.Join(readableAgentColumns, ", ") + `) ON agents TO $role;`
}
