// Package localpg runs a PostgreSQL server on this machine for development and tests. It needs no
// installation, configuration or clean-up.
//
// The programs are found in PATH, in the usual directories of packages, or in the npm package that
// `make tools` downloads. TASKMARKET_PG_FROM=npm selects the npm package. If root starts the
// server, it runs as the user postgres or nobody. It listens only on the loopback address and
// requires a password, so that other users of the machine have no access.
//
// Start runs a server that belongs to one process and ends with it, even if the process is killed.
// Shared is for tests: one server for all test binaries that `go test ./...` runs at the same time.
//
// Backup copies a running cluster, as a standby or for a recovery to a point in time.
//
// The servers do not sync to disk. A killed server loses no committed data, but a power failure can
// destroy the data, so do not store important data in them.
package localpg
