// Package durable writes files so that they are complete even after a machine crash.
package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Replace creates or replaces the file, which only this user can read, with text as its content. After
// a crash, the file has either the old or the new content; once Replace has returned nil, the new one.
func Replace(path string, text []byte) error {
	directory := filepath.Dir(path)
	file, err := os.CreateTemp(directory, ".new-*") // CreateTemp uses mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // no effect after the rename
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return SyncDirectory(directory)
}

// SyncDirectory makes file creations and renames in a directory durable. On Windows it does
// nothing, because a directory cannot be synced there.
func SyncDirectory(path string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	directory, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}
