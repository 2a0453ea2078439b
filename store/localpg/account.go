package localpg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"

	"taskmarket/test/process"
)

// Account returns the operating system user that the server runs as, or nil for the current user.
// If the current user is root, it returns another user, because PostgreSQL and PgBouncer refuse to
// run as root.
func Account() (*process.User, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(errUID, errGID); err != nil {
			return nil, fmt.Errorf("read the ids of user %s: %w", name, err)
		}
		return &process.User{UID: uint32(uid), GID: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL refuses to run as root, and there is no user \"postgres\" or \"nobody\" to run it as; run this as an ordinary user")
}

// canAccess reports whether the account can access the directory, which may be inside a private
// home directory.
func canAccess(account *process.User, dir string) bool {
	if account == nil {
		return true
	}
	cmd := exec.Command("/bin/sh", "-c", `cd "$1"`, "sh", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = process.As(*account)
	return cmd.Run() == nil
}

// give makes the account the owner of path.
func give(account *process.User, path string) error {
	if account == nil {
		return nil
	}
	return os.Chown(path, int(account.UID), int(account.GID))
}

// ownedBy reports whether path is a directory, not a symbolic link, that belongs to the user.
func ownedBy(uid int, path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	owner, ok := process.Owner(info)
	return ok && owner == uid
}
