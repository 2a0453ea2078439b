// Package localpg runs a PostgreSQL server on this machine for development and tests. It needs no
// installation, configuration or clean-up.
//
// The programs come from PATH, from the folders of packages, or from the npm package that `make
// tools` fetches; TASKMARKET_PG_FROM=npm selects the last one. If root starts it, the server runs
// as postgres or nobody. It listens on the loopback address only and requires a password against
// other users of the machine.
//
// Start runs a server that belongs to one process and ends with it, even if the process is killed.
// Shared is for tests: one server for all test binaries that `go test ./...` runs at the same time.
//
// The servers do not sync to disk. A killed server loses no committed data, but a power failure may
// destroy the data, so do not store important data in them.
package localpg
