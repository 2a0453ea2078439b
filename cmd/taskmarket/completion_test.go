package main

import (
	"os/exec"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/cli"
)

func TestCompletion(t *testing.T) {
	u := newUser(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script := u.run("completion", shell).ok().stdout
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed, so its script is not checked", shell)
			continue
		}
		check := exec.Command(path, "-n", u.write(shell, script))
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s cannot read its script: %v: %s", shell, err, out)
		}
	}
	if got := u.run("__complete", "rotate").ok().stdout; !strings.HasPrefix(got, "rotate-key\t") {
		t.Errorf("the completions of rotate are %q, want rotate-key first", got)
	}
	u.run("completion", "cmd").ended(cli.ExitUsage).wantStderr(`invalid argument "cmd"`)
	u.run("completion").ended(cli.ExitUsage)
}
