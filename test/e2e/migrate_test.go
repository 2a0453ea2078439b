package e2e_test

import (
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"github.com/google/uuid"

	"taskmarket/store/localpg"
	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

const (
	migrateKills = 20 // number of times that a running migration is killed
	migrateSeed  = 88
)

// TestKilledMigration: a migration that is killed at any moment leaves only complete steps,
// and the next run resumes from there.
func TestKilledMigration(t *testing.T) {
	t.Parallel()
	cluster := localpg.Shared(t)
	random := rand.New(rand.NewPCG(migrateSeed, migrateSeed))
	name := "killed_" + uuid.Must(uuid.NewV7()).String()[:8] + uuid.NewString()[:8]
	if err := schema.CreateDatabase(t.Context(), cluster.URL("postgres"), name); err != nil {
		t.Fatal(err)
	}
	migrate := func() *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, "migrate")
		cmd.Env = []string{"TASKMARKET_DATABASE_URL=" + cluster.URL(name)}
		return cmd
	}
	began := time.Now()
	for range migrateKills {
		cmd := migrate()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(300 * time.Millisecond))))
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Logf("killed %d times in %s", migrateKills, time.Since(began))
	if out, err := migrate().CombinedOutput(); err != nil {
		t.Fatalf("migrate without a kill: %v: %s", err, out)
	}
	s := storetest.Open(t, cluster.URL(name))
	storetest.Task(t, s, storetest.Agent(t, s))
	if applied, err := schema.Migrate(t.Context(), cluster.URL(name)); err != nil || applied != 0 {
		t.Errorf("Migrate() afterwards = %d, %v, want nothing left to do", applied, err)
	}
}
