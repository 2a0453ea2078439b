package localpg

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"taskmarket/test/process"
)

// server is an installation with a working directory, home. This directory contains data, password,
// lock, a log, and native-… if the programs had to be copied. If memory is not empty, it is the directory
// that contains data, on a file system in memory.
type server struct {
	binaries
	user   *process.User
	home   string
	memory string
	log    string

	settings []string // in addition to the default settings
}

// newServer finds the programs and creates home. If the account that runs the server cannot access
// home, home becomes a symbolic link to another directory.
func newServer(home, log string) (server, error) {
	bin, err := findBinaries()
	if err != nil {
		return server{}, err
	}
	user, err := Account()
	if err != nil {
		return server{}, err
	}
	s := server{binaries: bin, user: user, log: log}
	if s.home, err = accessibleHome(home, user); err != nil {
		return server{}, err
	}
	return s, s.copyPackage()
}

// accessibleHome creates home and returns it. If the user cannot access home, it creates and returns a
// replacement outside private directories.
func accessibleHome(home string, user *process.User) (string, error) {
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", fmt.Errorf("create PostgreSQL's directory: %w", err)
	}
	if canAccess(user, filepath.Dir(home)) {
		return home, makeOpen(home)
	}
	away := filepath.Join("/var/tmp", fmt.Sprintf("taskmarket-pg-%d-%x", os.Geteuid(), sha256.Sum256([]byte(home)))[:40])
	if err := makeOpen(away); err != nil {
		return "", err
	}
	if err := os.Symlink(away, home); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("link to PostgreSQL's data directory: %w", err)
	}
	return away, nil
}

// makeOpen creates a directory that every user can enter. It rejects an existing directory that
// belongs to another user, because the parent directory may be writable by everyone.
func makeOpen(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create PostgreSQL's directory: %w", err)
	}
	if !ownedBy(os.Geteuid(), dir) {
		return fmt.Errorf("%s is not a directory of the current user: remove it", dir)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // Chmod, because the umask can restrict the mode that Mkdir sets
		return fmt.Errorf("change the permissions of PostgreSQL's directory: %w", err)
	}
	return nil
}

// copyPackage copies the npm package out of a private directory such as root's home.
func (s *server) copyPackage() error {
	if canAccess(s.user, s.dir) {
		return nil
	}
	native := filepath.Join(s.home, "native-"+s.release)
	if _, err := os.Stat(native); errors.Is(err, fs.ErrNotExist) {
		half := native + ".new"
		err := errors.Join(os.RemoveAll(half), os.CopyFS(half, os.DirFS(filepath.Dir(s.dir))), os.Rename(half, native))
		if err != nil {
			return fmt.Errorf("copy PostgreSQL to where it can run: %w", err)
		}
	}
	s.dir = filepath.Join(native, "bin")
	return nil
}
