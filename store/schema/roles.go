package schema

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/lib/pq"

	"taskmarket/store/internal/pg"
)

// Grant gives a role the privileges that `serve` needs on the tables, and replaces the privileges that it had before.
// The role can read and write rows, but not change the schema. Grant must run after the migrations. The database's URL
// must be that of the role that owns the tables. An empty role is ignored.
func Grant(ctx context.Context, databaseURL, role string) error {
	if role == "" {
		return nil
	}
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
	if _, err := tx.ExecContext(ctx, strings.ReplaceAll(serviceGrants, "$role", pq.QuoteIdentifier(role))); err != nil {
		return fmt.Errorf("grant privileges to %s: %w", role, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("grant privileges: %w", err)
	}
	return nil
}

const (
	// serviceGrants also revoke privileges on columns, because REVOKE on a table includes its columns.
	serviceGrants = `
		REVOKE CREATE ON SCHEMA public FROM PUBLIC;
		REVOKE ALL ON ALL TABLES IN SCHEMA public FROM $role;
		GRANT USAGE ON SCHEMA public TO $role;
		GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO $role;
		GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO $role;
		GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO $role;
		REVOKE INSERT, UPDATE, DELETE ON goose_db_version FROM $role;` + appendOnlyGrants
	// appendOnlyGrants let the role read the audit log and add rows with the current time. Rights on a
	// partition would bypass those on the table.
	appendOnlyGrants = `
		DO $$ DECLARE partition regclass; BEGIN
			FOR partition IN SELECT name FROM audit_partitions() LOOP
				EXECUTE 'REVOKE ALL ON ' || partition || $to$ FROM $role$to$;
			END LOOP;
		END $$;
		REVOKE INSERT, UPDATE, DELETE ON audit_log FROM $role;
		GRANT INSERT (kind, account_id, operator, network, request_id, subject_kind, subject, detail, count) ON audit_log TO $role;`
)
