package client_test

import (
	"os"
	"testing"
)

// runExample makes the test program run the package's example. The tests of the command line run it
// in the development world.
const runExample = "TASKMARKET_RUN_EXAMPLE"

func TestMain(m *testing.M) {
	if os.Getenv(runExample) != "" {
		Example()
		return
	}
	os.Exit(m.Run())
}
