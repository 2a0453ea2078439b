//go:build !linux

package localpg

// memoryFolder returns "": only Linux has a file system in memory at a known path.
func memoryFolder() string { return "" }
