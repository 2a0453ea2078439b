//go:build !unix

package cli

import "io/fs"

// On these systems, file modes do not determine access.

func ownedByOther(fs.FileInfo) bool { return false }

func administrator() bool { return false }

func writableByOthers(fs.FileInfo) bool { return false }
