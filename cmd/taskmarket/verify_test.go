package main

import (
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/cli"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	u, name := registeredUser(t)
	text := u.run("verify").ok()
	wantGolden(t, "verify.txt", u.stable(text.stdout+text.stderr))
	u.run("profile").ok()
	w := sharedWorld(t)
	u.run("verify", "https://unknown.example/@a/1").ended(cli.ExitRefused).wantStderr("not the URL of a post on a supported network")
	u.run("verify", w.post(t, name, "something else")).ended(cli.ExitRefused).wantStderr("does not contain the verification code")
	linked := u.run("verify", w.post(t, name, strings.TrimSpace(text.stdout)), "--wait", "1m").ok()
	wantGolden(t, "verify-linked.txt", u.stable(linked.stdout))
	if changed := u.run("change-username", name+"-2", "--yes").ok().stdout; !strings.Contains(changed, name+"-2") {
		t.Errorf("changed to %s", changed)
	}
	u.run("change-username", name+"-3", "--yes").ended(cli.ExitRefused).wantStderr("already changed its username")
	if username := u.run("config", "username").ok().stdout; strings.TrimSpace(username) != name+"-2" {
		t.Errorf("the saved username is %q", username)
	}
	if profile := u.run("profile").ok(); !strings.Contains(profile.stdout, "as "+name+" on ") {
		t.Errorf("the profile shows no account: %s", profile.stdout)
	}
}
