package schema_test

import (
	"testing"

	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

// The service works with a role that owns nothing and cannot change the schema.
func TestServiceRole(t *testing.T) {
	t.Parallel()
	owner := storetest.New(t)
	name, address := storetest.Role(t, owner)
	for range 2 { // each migration grants again
		if err := schema.Grant(t.Context(), storetest.URL(t, owner), name); err != nil {
			t.Fatal(err)
		}
	}
	s := storetest.Open(t, address)
	if err := s.Schema.Probe(t.Context()); err != nil {
		t.Errorf("Probe() = %v", err)
	}
	agent, human := storetest.Agent(t, s), storetest.Human(t, s)
	storetest.Application(t, s, storetest.Task(t, s, agent), human)
	if err := s.Sweep(t.Context()); err != nil {
		t.Errorf("Sweep() = %v", err)
	}
	db := storetest.DB(t, s)
	db.MustExec(`SELECT create_event_partition(now() + interval '5 months')`)
	for _, statement := range []string{
		`CREATE TABLE public.extra ()`, `ALTER TABLE users ADD COLUMN extra text`, `DROP TABLE reviews`, `TRUNCATE reviews`,
		`DELETE FROM goose_db_version`, `ALTER TABLE users DISABLE TRIGGER USER`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err == nil {
			t.Errorf("the service's role can execute %s", statement)
		}
	}
}
