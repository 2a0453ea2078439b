//go:build operations

package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	gen "taskmarket/gen/client"
	"taskmarket/store/storetest"
)

const (
	// standbyAge is the limit that docs/operations.md states for the age of lists.
	standbyAge = 5 * time.Second
	// standbyWarmUp is longer than the interval between two checks of the standby.
	standbyWarmUp = 3 * time.Second
)

// TestOperationsStandby: the standby serves public lists while it follows the primary. A change appears
// in the lists in time even if the standby does not replay it, and no request fails after the standby
// is killed.
func TestOperationsStandby(t *testing.T) {
	p := newPair(t, false)
	on := p.site()
	on.extra = append(on.extra, "TASKMARKET_DATABASE_STANDBY_URL="+p.standby.URL(databaseName))
	w := newWorldOn(t, failoverTimeout, on)
	defer w.end()
	w.setAvailable(true)
	task := w.post(time.Time{})
	for round := range 2 {
		w.readsLists(true, standbyWarmUp)
		w.must(execute(p.standby, `SELECT pg_wal_replay_pause()`))
		w.must(awaitTrue(w.ctx, p.standby, `SELECT pg_get_wal_replay_pause_state() = 'paused'`))
		w.setAvailable(false)
		title := fmt.Sprintf("Title %d", round)
		w.rename(task.ID, title)
		changed := time.Now()
		if !w.isListed() || w.isOnBoard(title) {
			t.Error("the primary served a list while the standby was recent")
		}
		w.awaitUnlisted(changed)
		w.awaitOnBoard(title, changed)
		w.must(execute(p.standby, `SELECT pg_wal_replay_resume()`))
		w.setAvailable(true)
		time.Sleep(standbyAge)
	}
	w.readsLists(true, standbyWarmUp)
	w.must(p.standby.Kill())
	w.readsLists(true, standbyWarmUp)
	w.setAvailable(false)
	w.rename(task.ID, "Last title")
	changed := time.Now()
	w.awaitUnlisted(changed)
	w.awaitOnBoard("Last title", changed)
}

// rename changes a task's title in the primary. The API has no operation for this.
func (w *world) rename(task uuid.UUID, title string) {
	w.t.Helper()
	_, err := storetest.DB(w.t, w.records).ExecContext(w.ctx, `UPDATE tasks SET title = $2 WHERE id = $1`, task, title)
	w.must(err)
}

func (w *world) isOnBoard(title string) bool {
	w.t.Helper()
	board, err := w.human().API.GetBoardWithResponse(w.ctx, nil)
	w.must(err)
	if board.StatusCode() != http.StatusOK {
		w.t.Fatalf("read the board: %s %s", board.Status(), board.Body)
	}
	return slices.ContainsFunc(board.JSON200.Tasks, func(t gen.BoardTask) bool { return t.Title == title })
}

// awaitOnBoard waits until the board has a task with the title, and fails the test if this takes too long.
func (w *world) awaitOnBoard(title string, changed time.Time) {
	w.t.Helper()
	for !w.isOnBoard(title) {
		w.pause("wait for a recent board")
	}
	w.wantInTime(changed)
}

// setAvailable changes whether the human is in the list of available humans.
func (w *world) setAvailable(available bool) {
	w.t.Helper()
	changed, err := w.human().API.ChangeHumanMeWithResponse(w.ctx, gen.ChangeHumanRequest{IsAvailable: &available})
	w.must(err)
	if changed.JSON200 == nil {
		w.t.Fatalf("change the human: %s %s", changed.Status(), changed.Body)
	}
}

func (w *world) isListed() bool {
	w.t.Helper()
	listed, err := w.human().API.ListAvailableHumansWithResponse(w.ctx, nil)
	w.must(err)
	if listed.StatusCode() != http.StatusOK {
		w.t.Fatalf("list the available humans: %s %s", listed.Status(), listed.Body)
	}
	return slices.ContainsFunc(listed.JSON200.Humans, func(h gen.AvailableHuman) bool { return h.ID == w.human().Human.ID })
}

// readsLists requests the list repeatedly for the duration. It fails the test unless the human is listed,
// or not listed if want is false.
func (w *world) readsLists(want bool, d time.Duration) {
	w.t.Helper()
	for began := time.Now(); time.Since(began) < d; w.pause("read lists") {
		if got := w.isListed(); got != want {
			w.t.Fatalf("the human is listed: %t, want %t", got, want)
		}
	}
}

// awaitUnlisted waits until the list does not contain the human, and fails the test if this takes too
// long.
func (w *world) awaitUnlisted(changed time.Time) {
	w.t.Helper()
	for w.isListed() {
		w.pause("wait for a recent list")
	}
	w.wantInTime(changed)
}

// wantInTime fails the test if the time since the change is longer than the documented age of lists.
func (w *world) wantInTime(changed time.Time) {
	w.t.Helper()
	took := time.Since(changed)
	w.t.Logf("the change appeared in the list after %s", took)
	if took > standbyAge+time.Second {
		w.t.Errorf("the change appeared in the list after %s, want at most %s", took, standbyAge)
	}
}
