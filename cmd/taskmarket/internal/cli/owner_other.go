//go:build !unix

package cli

import "io/fs"

// File modes do not describe access on these systems.

func ownedByOther(fs.FileInfo) bool { return false }

func administrator() bool { return false }

func openToOthers(fs.FileInfo) bool { return false }

func writableByOthers(fs.FileInfo) bool { return false }
