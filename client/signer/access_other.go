//go:build !unix

package signer

import (
	"errors"
	"os"
)

// ErrStrange is returned if a file belongs to another user, who could replace its content.
var ErrStrange = errors.New("it belongs to another user")

// checkAccess accepts every file, because file modes do not determine access on these systems. The folder
// must be protected instead.
func checkAccess(*os.File, string) error { return nil }
