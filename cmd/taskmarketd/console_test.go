package main

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const consoleSecret = "4d8e1b7a2c905f63e8a1d47b90c2f5e6"

// Sign-in through an identity proxy requires a random secret, roles, and either the proxy's addresses or a
// unix socket. Plain http is allowed only for loopback addresses.
func TestConsoleConfiguration(t *testing.T) {
	proxy := []string{"CONSOLE_PROXY_SECRET=" + consoleSecret, "TRUSTED_PROXIES=10.0.0.7/32", "CONSOLE_OPERATORS=ada@example.org"}
	for name, c := range map[string]struct {
		variables []string
		fault     string // variable that the error must name; empty for a valid configuration
	}{
		"off":                      {variables: nil},
		"loopback":                 {variables: []string{"CONSOLE_LISTEN=127.0.0.1:9465"}},
		"a unix socket":            {variables: []string{"CONSOLE_LISTEN=unix:/run/console.sock", "CONSOLE_PROXY_SECRET=" + consoleSecret, "CONSOLE_MODERATORS=bob"}},
		"an identity proxy":        {variables: append(proxy, "CONSOLE_LISTEN=:9465", "CONSOLE_URL=https://console.example")},
		"no port":                  {variables: []string{"CONSOLE_LISTEN=localhost"}, fault: "CONSOLE_LISTEN"},
		"plain http":               {variables: []string{"CONSOLE_URL=http://console.example"}, fault: "CONSOLE_URL"},
		"a path":                   {variables: []string{"CONSOLE_URL=https://market.example/console"}, fault: "CONSOLE_URL"},
		"roles without a secret":   {variables: []string{"CONSOLE_OPERATORS=ada"}, fault: "CONSOLE_PROXY_SECRET"},
		"a short secret":           {variables: append(proxy, "CONSOLE_PROXY_SECRET=secret"), fault: "CONSOLE_PROXY_SECRET"},
		"a predictable secret":     {variables: append(proxy, "CONSOLE_PROXY_SECRET="+strings.Repeat("k", 32)), fault: "CONSOLE_PROXY_SECRET"},
		"a secret without proxies": {variables: append(proxy, "TRUSTED_PROXIES="), fault: "CONSOLE_PROXY_SECRET"},
		"a secret without roles":   {variables: append(proxy, "CONSOLE_OPERATORS="), fault: "CONSOLE_OPERATORS"},
		"every peer":               {variables: append(proxy, "TRUSTED_PROXIES=0.0.0.0/0"), fault: "TRUSTED_PROXIES"},
		"an invalid name":          {variables: append(proxy, "CONSOLE_OPERATORS=Ada Lovelace"), fault: "CONSOLE_OPERATORS"},
		"two roles":                {variables: append(proxy, "CONSOLE_MODERATORS=ada@example.org"), fault: "CONSOLE_OPERATORS"},
	} {
		environ := valid()
		for _, variable := range c.variables {
			environ = append(environ, prefix+variable)
		}
		parsed, err := loadConfig(environ)
		err = errors.Join(err, parsed.Validate())
		if c.fault == "" && err != nil || c.fault != "" && (err == nil || !strings.Contains(err.Error(), prefix+c.fault)) {
			t.Errorf("%s: Validate() = %v, want a fault in %q", name, err, c.fault)
		}
	}
}

// A socket that an earlier process left behind is replaced, but any other file is not. Only the server's
// user and its group can connect.
func TestConsoleSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "console.sock")
	s := &service{config: config{ConsoleListen: unixPrefix + path}}
	for range 2 {
		listener, err := s.listenConsole(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if socket, ok := listener.(*net.UnixListener); ok {
			socket.SetUnlinkOnClose(false)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != socketMode {
			t.Errorf("the socket has the mode %v, %v", info.Mode(), err)
		}
		_ = listener.Close()
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if listener, err := s.listenConsole(t.Context()); err == nil {
		_ = listener.Close()
		t.Error("a file was replaced by the socket")
	}
}
