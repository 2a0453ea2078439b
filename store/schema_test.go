package store_test

import (
	"errors"
	"testing"

	"taskmarket/store"
	"taskmarket/store/storetest"
)

func TestCheckSchema(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	if err := s.CheckSchema(t.Context()); err != nil {
		t.Fatalf("CheckSchema() of a migrated database = %v", err)
	}
	db := storetest.DB(t, s)
	for _, c := range []struct {
		change string
		behind bool
	}{
		{`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`, false},
		{`DELETE FROM goose_db_version WHERE version_id > 3`, true},
		{`DROP TABLE goose_db_version`, true},
	} {
		db.MustExec(c.change)
		err := s.CheckSchema(t.Context())
		if _, behind := errors.AsType[*store.SchemaError](err); behind != c.behind || !behind && err != nil {
			t.Errorf("CheckSchema() after %s = %v, want a SchemaError: %t", c.change, err, c.behind)
		}
	}
}
