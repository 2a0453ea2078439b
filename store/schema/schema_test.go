package schema_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"taskmarket/migrations"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

func TestCheckSchema(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if err := s.Schema.Check(t.Context()); err != nil {
		t.Fatalf("Check() of a migrated database = %v", err)
	}
	db := storetest.DB(t, s)
	for _, c := range []struct {
		change string
		want   string
	}{
		{`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`, ""},
		{`DELETE FROM goose_db_version WHERE version_id > 0`, "is at version 0"},
		{`DROP TABLE goose_db_version`, "is at version 0"},
	} {
		db.MustExec(c.change)
		err := s.Schema.Check(t.Context())
		if _, old := errors.AsType[*schema.VersionError](err); old != (c.want != "") || old && !strings.Contains(err.Error(), c.want) {
			t.Errorf("Check() after %s = %v, want %q", c.change, err, c.want)
		}
	}
}

// A database of the development before 0.1.0 is refused and not changed: neither one with all of the former
// migrations, whose version is above the first one, nor one that lacks some.
func TestSchemasBeforeTheReleaseAreRefused(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	db := storetest.DB(t, s)
	for _, version := range []int{2, migrations.Joined} {
		db.MustExec(`DELETE FROM goose_db_version WHERE version_id > 1`)
		db.MustExec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, true)`, version)
		before := storetest.Rows(t, s, `SELECT version_id FROM goose_db_version`)
		applied, err := schema.MigrateFrom(t.Context(), storetest.URL(t, s), withMigration(t, `CREATE TABLE made (id uuid)`))
		for call, err := range map[string]error{"Migrate": err, "Check": s.Schema.Check(t.Context())} {
			if e, ok := errors.AsType[*schema.VersionError](err); !ok || !strings.Contains(e.Error(), "delete the database") {
				t.Errorf("%s() of version %d = %v", call, version, err)
			}
		}
		if after := storetest.Rows(t, s, `SELECT version_id FROM goose_db_version`); applied != 0 || len(after) != len(before) {
			t.Errorf("Migrate() of version %d applied %d migrations: %s", version, applied, after)
		}
	}
	db.MustExec(`DELETE FROM goose_db_version WHERE version_id > 1`)
	if applied, err := schema.MigrateFrom(t.Context(), storetest.URL(t, s), withMigration(t, `CREATE TABLE made (id uuid)`)); err != nil || applied != 1 {
		t.Errorf("Migrate() of version 1 = %d, %v, want one migration", applied, err)
	}
	if applied, err := schema.Migrate(t.Context(), storetest.URL(t, s)); err != nil || applied != 0 {
		t.Errorf("Migrate() of a newer schema = %d, %v", applied, err)
	}
}

// What cannot be done is reported, with the cause, for a URL that is not one, a server that does not answer, and a role
// that does not exist.
func TestUnusableDatabasesAreReported(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	const refused = "postgres://taskmarket@127.0.0.1:1/taskmarket?sslmode=disable"
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"creating with no URL":       {schema.CreateDatabase(t.Context(), "postgres://%", "x"), "invalid"},
		"creating without a server":  {schema.CreateDatabase(t.Context(), refused, "x"), "create database x"},
		"granting with no URL":       {schema.Grant(t.Context(), "postgres://%", "x"), "invalid"},
		"granting without a server":  {schema.Grant(t.Context(), refused, "x"), "grant privileges"},
		"granting to an absent role": {schema.Grant(t.Context(), storetest.URL(t, s), "absent"), "grant privileges to absent"},
		"migrating with no URL":      {migrated(t, "postgres://%"), "invalid"},
		"migrating without a server": {migrated(t, refused), "read the schema's version"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("%s: %v, want an error with %q", name, test.err, test.want)
		}
	}
	if err := schema.Grant(t.Context(), refused, ""); err != nil {
		t.Errorf("granting to no role: %v", err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Schema.Probe(over); !errors.Is(err, context.Canceled) {
		t.Errorf("Probe() of a caller who has left = %v", err)
	}
	db := storetest.DB(t, s)
	db.MustExec(`ALTER TABLE goose_db_version RENAME COLUMN version_id TO other`)
	if err := s.Schema.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "read the schema's version") {
		t.Errorf("Check() of a table of another tool = %v", err)
	}
}

func migrated(t *testing.T, url string) error {
	t.Helper()
	_, err := schema.Migrate(t.Context(), url)
	return err
}

// withMigration returns the migrations and another one after them.
func withMigration(t *testing.T, statement string) fs.FS {
	t.Helper()
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	all := fstest.MapFS{"9999_made.sql": {Data: []byte("-- +goose Up\n" + statement + ";")}}
	for _, name := range names {
		body, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = &fstest.MapFile{Data: body}
	}
	return all
}

// A migration that waits for a lock does not block other statements on any table. It is applied when the
// lock is released.
func TestMigrationsDoNotBlock(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"users", "tasks", "activities"} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			const held = 2 * time.Second
			s := storetest.New(t)
			db := storetest.DB(t, s)
			holder := db.MustBegin()
			holder.MustExec(`LOCK TABLE ` + table + ` IN ROW EXCLUSIVE MODE`)
			time.AfterFunc(held, func() { _ = holder.Rollback() })
			later, migrated := withMigration(t, `ALTER TABLE `+table+` ADD COLUMN made text`), make(chan error, 1)
			go func() {
				applied, err := schema.MigrateFrom(t.Context(), storetest.URL(t, s), later)
				if err == nil && applied != 1 {
					err = errors.New("no migration was applied")
				}
				migrated <- err
			}()
			began := time.Now()
			var longest time.Duration
			for busy := true; busy; {
				asked := time.Now()
				db.MustExec(`SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM tasks), (SELECT count(*) FROM activities)`)
				longest = max(longest, time.Since(asked))
				select {
				case err := <-migrated:
					if err != nil {
						t.Error(err)
					}
					busy = false
				case <-time.After(5 * time.Millisecond):
				}
			}
			if took := time.Since(began); longest >= time.Second || took < held {
				t.Errorf("a migration took %s, and other statements waited for up to %s", took, longest)
			}
		})
	}
}
