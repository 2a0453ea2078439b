package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/store/storetest"
)

// TestThreat37WhatIsCheckedIsUsed: in every operation, no member of a body is hidden by another
// with a similar name, and the stored value is the one that was checked.
func TestThreat37WhatIsCheckedIsUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	s := w.scene()
	w.settle()
	for path, item := range s.document.Paths.Map() {
		for method, op := range item.Operations() {
			good, ok := s.valid[op.OperationID]
			if !ok {
				continue
			}
			t.Run(op.OperationID, func(t *testing.T) {
				before := w.snapshot()
				operation := operation{Operation: op, method: method, path: path, served: item.Operations()}
				bodies := twinBodies(membersOf(t, op.RequestBody.Value.Content["application/json"].Schema.Value, good))
				if len(bodies) < 20 {
					t.Errorf("%d bodies, want 20 or more", len(bodies))
				}
				for _, body := range bodies {
					twin := s.good(operation)
					twin.name, twin.kind, twin.body = "twin", "application/json", body
					s.wantBad(t, twin)
				}
				wantUnchanged(t, before, w.snapshot())
			})
		}
	}
	w.wantStored()
}

// twinBodies returns valid bodies with a second member for each of their members, under the same
// name in another spelling or under a similar one; and the body with the other spelling alone.
func twinBodies(members map[string]string) []string {
	var bodies []string
	for name, value := range members {
		first, rest := name[:1], name[1:]
		escaped := func(r byte) string { return fmt.Sprintf(`\u%04x`, r) }
		for _, twin := range []string{
			name, escaped(name[0]) + rest, first + escaped(rest[0]) + rest[1:],
			strings.ToUpper(first) + rest, strings.ToUpper(name), first + strings.ToUpper(rest), escaped(strings.ToUpper(first)[0]) + rest,
			strings.NewReplacer("s", "ſ", "k", "\u212a", "a", "а", "e", "е", "o", "о", "i", "і").Replace(name), // long s, Kelvin, Cyrillic
			name + " ", " " + name, name + `\u0000`, name + "\u200b", "\ufeff" + name, name + "\u0301", name + ".", name + "[]",
			strings.ReplaceAll(name, "_", "-") + "-", "/" + name, "$" + name, "__proto__",
		} {
			member := `"` + twin + `":` + value
			all := object(members)
			bodies = append(bodies, "{"+member+","+all[1:], all[:len(all)-1]+","+member+"}")
		}
	}
	slices.Sort(bodies)
	return slices.Compact(bodies)
}

// wantStored creates a task whose texts are ambiguous to some parsers.
func (w *world) wantStored() {
	w.t.Helper()
	key := uuid.NewString()
	body := `{"\u0074itle":"caf\u00e9 \ud83d\ude00 \\u0041 \"x\" e\u0301","description":"D","escrow_amount":"10000000000000001"}`
	made := w.ask("POST", "/tasks/", body, "X-API-Key", w.agent.Key, "Idempotency-Key", key)
	if made.status != http.StatusCreated {
		w.t.Fatalf("create = %d %s", made.status, made.body)
	}
	var stored struct{ Title, Amount string }
	w.must(storetest.DB(w.t, w.records).GetContext(w.ctx, &stored, `SELECT title, amount::text FROM tasks WHERE description = 'D'`))
	if want := "café 😀 \\u0041 \"x\" e\u0301"; stored.Title != want || stored.Amount != "10000000000000001" {
		w.t.Errorf("the database holds %q for %s, want %q for 10000000000000001", stored.Title, stored.Amount, want)
	}
}
