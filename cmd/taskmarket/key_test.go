package main

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
)

// apiKeyIn reads the API key from a configuration file.
func apiKeyIn(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	clitest.Must(t, err)
	_, key, _ := strings.Cut("\n"+string(raw), "\napi_key: ")
	key, _, _ = strings.Cut(key, "\n")
	return key
}

func TestRotateKey(t *testing.T) {
	t.Parallel()
	u, _ := registeredUser(t)
	old := apiKeyIn(t, u.configPath())
	r := u.run("rotate-key", "--yes").ok()
	fresh := apiKeyIn(t, u.configPath())
	if fresh == old || fresh == "" || strings.Contains(r.stdout+r.stderr, fresh) {
		t.Errorf("the old key is %q, the new %q; printed %s%s", old, fresh, r.stdout, r.stderr)
	}
	wantGolden(t, "rotate-key.txt", u.stable(r.stdout+r.stderr))
	u.run("profile").ok()
	u.set("API_KEY_FILE", u.write("old", old))
	u.run("profile").ended(cli.ExitUnauthorized).wantStderr("recover-key")
	u.unset("API_KEY_FILE")
	u.run("rotate-key", "--yes").ended(cli.ExitLater).wantStderr("hint: Use the key that you received then, or try again in 2")
}

// rotate-key replaces the old key in the file that contains it. If the file is not writable, the
// command fails before it requests a new key.
func TestRotateKeyStorage(t *testing.T) {
	t.Parallel()
	u, _ := registeredUser(t)
	key := apiKeyIn(t, u.configPath())
	clitest.Must(t, cli.WriteConfig(u.configPath(), map[string]string{cli.SettingAPIKey: ""}))
	u.set("API_KEY", key)
	u.run("rotate-key", "--yes").ended(cli.ExitUsage).wantStderr("cannot be replaced")
	u.unset("API_KEY")
	// Even root cannot create the temporary file, because its name would be too long.
	u.set("API_KEY_FILE", u.write(strings.Repeat("k", 250), key))
	u.run("rotate-key", "--yes").ended(cli.ExitUsage).wantStderr("replace the API key file")
	place := u.write("secrets/key", key)
	u.set("API_KEY_FILE", place)
	u.run("rotate-key", "--yes").ok()
	raw, err := os.ReadFile(place)
	clitest.Must(t, err)
	if strings.TrimSpace(string(raw)) == key || apiKeyIn(t, u.configPath()) != "" {
		t.Errorf("the key's file has %q", raw)
	}
	u.run("profile").ok()
}

// If the response to a key rotation is lost, recover-key returns a new key at once. A second call is
// rejected.
func TestRecoverKey(t *testing.T) {
	t.Parallel()
	u, name := registeredUser(t)
	target, err := url.Parse(sharedWorld(t).variable["WEB_URL"])
	clitest.Must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		if strings.HasSuffix(r.Request.URL.Path, "/rotate") {
			panic(http.ErrAbortHandler) // closes the connection without a response
		}
		return nil
	}
	lossy := httptest.NewServer(proxy)
	defer lossy.Close()
	u.run("rotate-key", "--yes", "--api-url", lossy.URL).ended(cli.ExitLater).wantStderr("recover-key")
	u.run("profile").ended(cli.ExitUnauthorized)
	u.run("recover-key").ended(cli.ExitDeclined).wantStderr("use --yes to confirm")
	u.run("recover-key", "--yes").ok()
	u.run("profile").ok()
	u.run("recover-key", "--yes").ended(cli.ExitLater).wantStderr("hint: Use the key that you received then, or try again in 2")

	other := newVisitor(t) // a user without an API key
	other.set("KEYSTORE", filepath.Join(u.dir, "wallet.json"))
	other.set("KEYSTORE_PASSWORD_FILE", filepath.Join(u.dir, "password"))
	other.run("recover-key", "--yes").ended(cli.ExitLater)

	fresh, freshName := registeredUser(t)
	path := fresh.configPath()
	clitest.Must(t, cli.WriteConfig(path, map[string]string{cli.SettingAPIKey: "", cli.SettingAgentID: "", cli.SettingUsername: "", cli.SettingEscrowAddress: ""}))
	clitest.Must(t, cli.WriteConfig(path, map[string]string{cli.SettingTokenAddress: "", cli.SettingStakingAddress: ""}))
	r := fresh.run("recover-key", "--yes").ok()
	if key := apiKeyIn(t, path); key == "" || strings.Contains(r.stdout+r.stderr, key) {
		t.Errorf("the key is %q; printed %s%s", key, r.stdout, r.stderr)
	}
	if got := strings.TrimSpace(fresh.run("config", "username").ok().stdout); got != freshName || got == name {
		t.Errorf("the username is %q, want %q", got, freshName)
	}
	fresh.run("config", "escrow_address").ok()
	fresh.run("profile").ok()
}
