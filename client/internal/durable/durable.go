// Package durable writes files that a crash of the machine leaves whole.
package durable

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// Replace puts a file with the text, readable by this user only, in the place of
// the one that may be there. A crash leaves one of the two; after Replace it is
// the new one.
func Replace(path string, text []byte) error {
	directory := filepath.Dir(path)
	file, err := os.CreateTemp(directory, ".new-*") // made with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // nothing to remove once it was renamed
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return SyncDirectory(directory)
}

// SyncDirectory makes the names of a directory durable, after a file was made in
// it or renamed. Windows does so by itself, and cannot open a directory for it.
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
