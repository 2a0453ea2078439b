//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"

	"taskmarket/client/signer"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// If the user has no home directory, the program neither reads nor writes files in the working
// directory.
func TestWorkingDirectoryIsNotUsed(t *testing.T) {
	u := newUser(t)
	t.Chdir(t.TempDir())
	clitest.Must(t, os.MkdirAll(".config/taskmarket", 0o700))
	clitest.Must(t, os.WriteFile(".config/taskmarket/config.yaml", []byte("api_url: https://evil.example\n"), 0o600))
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		delete(u.env, name)
	}
	for _, home := range []string{"", "."} {
		u.env["HOME"] = home
		u.run("config").ended(cli.ExitUsage).wantStderr("no home directory").wantStderr("TASKMARKET_CONFIG")
		u.run("--help").ok()
	}
	u.set("CONFIG", filepath.Join(u.dir, "config.yaml"))
	u.run("config").ended(cli.ExitUsage).wantStderr("TASKMARKET_STATE_DIR")
	u.set("STATE_DIR", filepath.Join(u.dir, "state"))
	u.run("config").ok()
}

// The program rejects directories that other users can modify.
func TestDirectoriesOfOtherUsersAreRejected(t *testing.T) {
	for name, c := range map[string]struct {
		folder string
		mode   os.FileMode
		refuse bool
	}{
		"a configuration directory writable by all":              {"config/taskmarket", 0o777, true},
		"a configuration directory writable by the user's group": {"config/taskmarket", 0o770, false},
		"a sticky directory":                                     {"config/taskmarket", 0o777 | os.ModeSticky, false},
		"a state directory writable by all":                      {"state/taskmarket", 0o757, true},
		"a state directory readable by all":                      {"state/taskmarket", 0o755, false},
		"a parent writable by all":                               {"state", 0o777, true},
		"a sticky parent":                                        {"state", 0o777 | os.ModeSticky, false},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			u.write("config/taskmarket/config.yaml", "username: harbour\n")
			u.write("state/taskmarket/journal", "")
			clitest.Must(t, os.Chmod(filepath.Join(u.dir, c.folder), c.mode))
			if !c.refuse {
				u.run("config").ok()
				return
			}
			u.run("config").ended(cli.ExitUsage).wantStderr("other users can write to it").wantStderr("chmod go-w")
		})
	}
}

// The test requires root, because only root can create files that belong to other users.
func TestFilesOfOtherUsersAreRejected(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Log("not checked: only root can change a file's owner")
		return
	}
	const other = 65534
	for _, path := range []string{"config/taskmarket/config.yaml", "config/taskmarket", "state/taskmarket"} {
		u := newUser(t)
		u.write("config/taskmarket/config.yaml", "username: harbour\n")
		u.write("state/taskmarket/journal", "")
		clitest.Must(t, os.Chown(filepath.Join(u.dir, path), other, other))
		u.run("config").ended(cli.ExitUsage).wantStderr("belongs to another user")
	}
}

// A parent of the state directory can be a symbolic link. The target of the link is checked too.
func TestStateDirectorySymlinks(t *testing.T) {
	u := newUser(t)
	u.write("elsewhere/shared/state/taskmarket/journal", "")
	clitest.Must(t, os.Symlink(filepath.Join(u.dir, "elsewhere", "shared", "state"), filepath.Join(u.dir, "state")))
	u.run("config").ok()
	clitest.Must(t, os.Chmod(filepath.Join(u.dir, "elsewhere", "shared"), 0o777))
	u.run("config").ended(cli.ExitUsage).wantStderr("other users can write to it")
}

// If the configuration file is a symbolic link, the link is preserved and its target is replaced.
func TestWriteConfigFollowsLinks(t *testing.T) {
	u := newUser(t)
	real, link := u.write("dotfiles/agent.yaml", "username: old\n"), filepath.Join(u.dir, "link.yaml")
	clitest.Must(t, os.Symlink(filepath.Join("dotfiles", "agent.yaml"), link))
	clitest.Must(t, cli.WriteConfig(link, map[string]string{cli.SettingUsername: "new"}))
	info, err := os.Lstat(link)
	clitest.Must(t, err)
	raw, err := os.ReadFile(real)
	clitest.Must(t, err)
	if info.Mode()&os.ModeSymlink == 0 || string(raw) != "username: new\n" {
		t.Errorf("the link is %v, and its target contains %q", info.Mode(), raw)
	}
	clitest.Must(t, os.Remove(real))
	if err := cli.WriteConfig(link, map[string]string{cli.SettingUsername: "new"}); err == nil {
		t.Error("a dangling link was written")
	}
	clitest.Must(t, os.MkdirAll(filepath.Join(u.dir, "shared"), 0o700))
	// The mode is set separately, because the umask limits the mode of a new directory.
	clitest.Must(t, os.Chmod(filepath.Join(u.dir, "shared"), 0o777))
	clitest.Must(t, os.WriteFile(filepath.Join(u.dir, "shared", "agent.yaml"), nil, 0o600))
	clitest.Must(t, os.Remove(link))
	clitest.Must(t, os.Symlink(filepath.Join("shared", "agent.yaml"), link))
	if err := cli.WriteConfig(link, map[string]string{cli.SettingUsername: "new"}); err == nil {
		t.Error("a file that others can replace was written")
	}
}

// A wallet created with a password file can be opened with the same file, and by typing what the file shows.
func TestPasswordFileOpensItsWallet(t *testing.T) {
	for text, want := range map[string]string{
		"word": "word", "word\n": "word", "word\r\n": "word", "word \n": "word ", " word": " word", "\ufeffword\r\n": "word", "w\u00f6rd": "w\u00f6rd",
	} {
		u := newUser(t)
		u.set("KEYSTORE_PASSWORD_FILE", u.write("password", text))
		s, err := cli.New(u.streams(nil, nil), u.environ()).Settings()
		clitest.Must(t, err)
		made, err := signer.ReadSecret(u.env[cli.EnvPrefix+"KEYSTORE_PASSWORD_FILE"])
		clitest.Must(t, err)
		if got := s.Text(cli.SettingKeystorePassword); got != want || made != want {
			t.Errorf("%q is read as %q, and by register as %q; want %q", text, got, made, want)
		}
	}
	u := newUser(t)
	u.set("API_KEY_FILE", u.write("key", " tm_1 \r\n"))
	s, err := cli.New(u.streams(nil, nil), u.environ()).Settings()
	clitest.Must(t, err)
	if got := s.Text(cli.SettingAPIKey); got != "tm_1" {
		t.Errorf("the key is read as %q", got)
	}
}
