package schema_test

import (
	"testing"

	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

// Every column of the schema has a class, so that a new one cannot be left out of exports and erasures.
func TestEveryColumnHasAClass(t *testing.T) {
	t.Parallel()
	var columns []struct {
		Table  string `db:"table_name"`
		Column string `db:"column_name"`
	}
	err := storetest.DB(t, storetest.New(t)).SelectContext(t.Context(), &columns, `
		SELECT c.relname AS table_name, a.attname AS column_name
		FROM pg_class c
		JOIN pg_attribute a ON a.attrelid = c.oid
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
		  AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'goose_db_version'`)
	if err != nil || len(columns) == 0 {
		t.Fatalf("select the columns: %v, %v", columns, err)
	}
	classes := schema.ColumnClasses()
	for _, c := range columns {
		if classes[c.Table][c.Column] == "" {
			t.Errorf("%s.%s has no class in personal_data.go", c.Table, c.Column)
		}
		delete(classes[c.Table], c.Column)
	}
	for table, rest := range classes {
		for column := range rest {
			t.Errorf("personal_data.go has %s.%s, which does not exist", table, column)
		}
	}
}
