//go:build !linux

package pg

import "syscall"

// limitUnconfirmed does nothing, because only Linux has a limit on unacknowledged bytes.
func limitUnconfirmed(string, string, syscall.RawConn) error { return nil }
