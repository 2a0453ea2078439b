package store_test

import (
	"testing"

	"taskmarket/store"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

func TestOpenUsesUTC(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	var zone string
	if err := storetest.DB(t, s).Get(&zone, `SHOW timezone`); err != nil {
		t.Fatal(err)
	}
	if zone != "Pacific/Kiritimati" {
		t.Errorf("the test database's time zone = %s, want an unusual one", zone)
	}
	task := storetest.Task(t, s, storetest.Agent(t, s))
	got, err := s.Task(t.Context(), task.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, offset := got.CreatedAt.Zone(); offset != 0 {
		t.Errorf("Task().CreatedAt = %s, want UTC", got.CreatedAt)
	}
}

func TestOpenRejectsOtherDatabases(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{
		"another scheme": "mysql://localhost/x",
		"no URL":         "host=localhost",
		"no server":      "postgres://nobody@127.0.0.1:1/none?sslmode=disable",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if s, err := store.Open(t.Context(), url, storetest.Deployment()); err == nil {
				s.Close()
				t.Errorf("Open(%q) = nil error, want one", url)
			}
		})
	}
}

func TestMigrateIsIdempotent(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	applied, err := schema.Migrate(t.Context(), storetest.URL(t, s))
	if err != nil || applied != 0 {
		t.Errorf("Migrate() = %d, %v; want 0, nil", applied, err)
	}
}
