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

// server is an installation with its working folder: home/data, home/password, home/lock, a log,
// and home/native-… if the programs had to be copied.
type server struct {
	binaries
	user *process.User
	home string
	log  string
}

// newServer finds the programs and creates the home. If the server's account cannot access it, home
// becomes a link to another folder.
func newServer(home, log string) (server, error) {
	bin, err := findBinaries()
	if err != nil {
		return server{}, err
	}
	user, err := account()
	if err != nil {
		return server{}, err
	}
	s := server{binaries: bin, user: user, log: log}
	if s.home, err = accessibleHome(home, user); err != nil {
		return server{}, err
	}
	return s, s.copyPackage()
}

// accessibleHome creates home and returns it, or a replacement outside of closed folders.
func accessibleHome(home string, user *process.User) (string, error) {
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return "", fmt.Errorf("make a place for PostgreSQL's data: %w", err)
	}
	if canAccess(user, filepath.Dir(home)) {
		return home, makeOpen(home)
	}
	away := filepath.Join("/var/tmp", fmt.Sprintf("taskmarket-pg-%d-%x", os.Geteuid(), sha256.Sum256([]byte(home)))[:40])
	if err := makeOpen(away); err != nil {
		return "", err
	}
	if err := os.Symlink(away, home); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("remember where PostgreSQL's data is: %w", err)
	}
	return away, nil
}

// makeOpen creates a folder that every user may enter. It rejects an existing folder of another
// user, who could have created it in a folder that is open for writing.
func makeOpen(dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make a place for PostgreSQL's data: %w", err)
	}
	if !ownedBy(os.Geteuid(), dir) {
		return fmt.Errorf("%s belongs to another user: remove it", dir)
	}
	if err := os.Chmod(dir, 0o755); err != nil { // independent of the umask
		return fmt.Errorf("open PostgreSQL's folder: %w", err)
	}
	return nil
}

// copyPackage copies the npm package out of a closed folder such as root's home.
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
