// Package durable writes files that are complete after a crash of the machine.
package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Replace replaces or creates a file with the text, readable by this user only. After a crash the
// file is the old or the new one; after Replace returns it is the new one.
func Replace(path string, text []byte) error {
	directory := filepath.Dir(path)
	file, err := os.CreateTemp(directory, ".new-*") // creates the file with mode 0600
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

// SyncDirectory makes the names of a directory durable, after a file was created in it or renamed.
// Windows does this itself and cannot open a directory.
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
