//go:build unix && !linux && !darwin

package signer

import "os"

// onReadOnlyMount returns false: mounts are not examined on this system.
func onReadOnlyMount(*os.File) bool { return false }
