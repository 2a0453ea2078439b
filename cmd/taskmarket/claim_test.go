package main

import "testing"

func TestClaimRefuses(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.run("claim").ended(exitRefused).says("[request ")
	newVisitor(t).run("claim").ended(exitUnauthorized).says("no API key")
}
