package main

import (
	"testing"

	"taskmarket/cmd/taskmarket/internal/cli"
)

func TestClaimErrors(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.run("claim", "--yes").ended(cli.ExitRefused).wantStderr("[request ")
	newVisitor(t).run("claim").ended(cli.ExitUnauthorized).wantStderr("no API key")
}
