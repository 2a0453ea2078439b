package signer

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Access is judged by who can read the file, as Kubernetes, Docker and administrators provide secrets.
func TestAccess(t *testing.T) {
	t.Parallel()
	const root, agent, other = 0, 1000, 1001
	for name, c := range map[string]struct {
		mode     fs.FileMode
		uid, gid uint32
		readOnly bool
		user     int64
		want     string
	}{
		"the user's own":                          {0o600, agent, agent, false, agent, ""},
		"root's, and the process is root":         {0o400, root, root, false, root, ""},
		"Kubernetes, default mode":                {0o644, root, root, true, agent, ""},
		"Kubernetes, fsGroup":                     {0o440, root, 2000, true, agent, ""},
		"Docker Swarm":                            {0o444, root, root, true, agent, ""},
		"Docker Compose, a file of the host":      {0o444, other, other, true, agent, ""},
		"root's for the service's group":          {0o640, root, 2000, false, agent, ""},
		"systemd credential":                      {0o440, root, root, false, agent, ""},
		"the owner's own group":                   {0o640, agent, agent, false, agent, ""},
		"the users' group":                        {0o640, agent, 100, false, agent, "chmod 600"},
		"readable by all":                         {0o644, agent, agent, false, agent, "chmod 600"},
		"root's, readable by all":                 {0o444, root, root, false, agent, "mount it read-only"},
		"root reads, others' group may too":       {0o640, root, 2000, false, root, "chmod 600"},
		"writable by the group":                   {0o660, root, agent, false, agent, "chmod 600"},
		"writable by all":                         {0o602, agent, agent, false, agent, "chmod 600"},
		"another user's":                          {0o600, other, agent, false, agent, "another user (uid 1001): run `chown 1000"},
		"another user's, and the process is root": {0o600, other, other, false, root, "another user"},
		"another user's group-readable":           {0o640, other, agent, false, agent, "another user"},
	} {
		err := access{c.mode, c.uid, c.gid, c.readOnly}.check(c.user, "/secret")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// The state of a mount is read from the open file. The kernel's list of mounts is the reference.
func TestReadOnlyMounts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	expected := map[string]bool{path: false}
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mounts)) {
		fields := strings.Fields(line) // a later mount on the same path hides an earlier one
		expected[fields[1]] = strings.HasPrefix(fields[3], "ro")
	}
	for path, want := range expected {
		file, err := os.Open(path)
		if err != nil {
			continue // hidden by another mount, or not for this user
		}
		if got := onReadOnlyMount(file); got != want {
			t.Errorf("%s: read-only %v, want %v", path, got, want)
		}
		_ = file.Close()
	}
}
