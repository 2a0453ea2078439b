package client_test

import (
	"os"
	"testing"
)

// runExample makes the test program the package's example: the tests of the command
// line run it in the development world.
const runExample = "TASKMARKET_RUN_EXAMPLE"

func TestMain(m *testing.M) {
	if os.Getenv(runExample) != "" {
		Example()
		return
	}
	os.Exit(m.Run())
}
