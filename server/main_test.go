package server_test

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestMain fails if the response statuses that occurred during the tests differ from the documented
// ones. It checks them only if all tests ran and passed.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && everyTestRan() {
		if err := seen.complete(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// everyTestRan reports whether no flag has excluded tests.
func everyTestRan() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return !testing.Short()
}

// seen contains the kinds of responses that occurred during the tests.
var seen sightings

// sighting is a kind of response: a status, for an operation or for a tag.
type sighting struct {
	name   string
	status string
}

// sightings is a set of kinds of responses. It is safe for concurrent use.
type sightings struct {
	mu   sync.Mutex
	have map[sighting]bool
}

// add records a response. Server errors are counted per tag, not per operation.
func (s *sightings) add(op *openapi3.Operation, status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.have == nil {
		s.have = make(map[sighting]bool)
	}
	s.have[sightingOf(op, fmt.Sprint(status))] = true
}

func sightingOf(op *openapi3.Operation, status string) sighting {
	if status == fmt.Sprint(http.StatusInternalServerError) || status == fmt.Sprint(http.StatusServiceUnavailable) {
		return sighting{"tag " + op.Tags[0], status}
	}
	return sighting{op.OperationID, status}
}

// complete returns an error that lists the documented responses that did not occur and the
// undocumented ones that did.
func (s *sightings) complete() error {
	spec, err := document()
	if err != nil {
		return err
	}
	documented := make(map[sighting]bool)
	for _, item := range spec.Paths.Map() {
		for _, op := range item.Operations() {
			for status := range op.Responses.Map() {
				documented[sightingOf(op, status)] = true
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	faults := slices.Concat(without(documented, s.have, "documented and never seen"), without(s.have, documented, "seen and not documented"))
	if len(faults) > 0 {
		return fmt.Errorf("the responses in the tests differ from openapi.yaml:\n%s", strings.Join(faults, "\n"))
	}
	return nil
}

// without lists the keys that are in a but not in b.
func without(a, b map[sighting]bool, what string) []string {
	var list []string
	for each := range maps.Keys(a) {
		if !b[each] {
			list = append(list, fmt.Sprintf("\t%s %s: %s", each.name, each.status, what))
		}
	}
	slices.Sort(list)
	return list
}
