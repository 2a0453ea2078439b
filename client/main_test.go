package client_test

import (
	"os"
	"testing"
)

// runExample is the environment variable that makes the test binary run the package's example. The
// command-line tests run it in the development environment.
const runExample = "TASKMARKET_RUN_EXAMPLE"

func TestMain(m *testing.M) {
	if os.Getenv(runExample) != "" {
		Example()
		return
	}
	os.Exit(m.Run())
}
