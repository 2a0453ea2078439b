//go:build !unix

package cli

import "io/fs"

// A file's mode says nothing here about who may use it.

func strangers(fs.FileInfo) bool { return false }

func administrator() bool { return false }

func openToOthers(fs.FileInfo) bool { return false }

func writableByOthers(fs.FileInfo) bool { return false }
