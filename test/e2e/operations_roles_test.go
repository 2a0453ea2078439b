//go:build operations

package e2e_test

import (
	"testing"

	"taskmarket/store/schema"
	"taskmarket/store/storetest"
)

// TestOperationsServiceRole: the service completes a hire with only the privileges that `migrate`
// grants to its role.
func TestOperationsServiceRole(t *testing.T) {
	records := storetest.New(t)
	role, address := storetest.Role(t, records)
	if err := schema.Grant(t.Context(), storetest.URL(t, records), role); err != nil {
		t.Fatal(err)
	}
	w := newWorldOn(t, failoverTimeout, site{records: records, database: address})
	defer w.end()
	before := w.balances()
	w.pay(w.submitted())
	w.wantPaidOnce(before, 1)
}
