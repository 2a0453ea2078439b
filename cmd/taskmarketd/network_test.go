package main

import (
	"slices"
	"strings"
	"testing"
)

// Another machine must be reached over TLS, unless it is in PLAINTEXT_HOSTS.
func TestPlaintextIsExplicit(t *testing.T) {
	for _, test := range []struct{ variable, host string }{ // host is empty if the variable is fine without an exception
		{"DATABASE_URL=postgres://user@db/taskmarket?sslmode=disable", "db"},
		{"DATABASE_URL=postgres://user@db/taskmarket?sslmode=prefer", "db"},
		{"DATABASE_URL=postgres://user@db/taskmarket?sslmode=allow", "db"},
		{"DATABASE_URL=postgres://user@127.0.0.1,10.0.0.7/taskmarket?sslmode=disable", "10.0.0.7"},
		{"DATABASE_URL=postgres:///taskmarket?hostaddr=10.0.0.7&sslmode=disable", "10.0.0.7"},
		{"DATABASE_LISTEN_URL=postgres://user@db/taskmarket?sslmode=disable", "db"},
		{"DATABASE_STANDBY_URL=postgres://user@db/taskmarket?sslmode=disable", "db"},
		{"DATABASE_URL=postgres://user@db/taskmarket", ""},
		{"DATABASE_URL=postgres://user@db/taskmarket?sslmode=verify-full", ""},
		{"DATABASE_URL=postgres://user@localhost/taskmarket?sslmode=disable", ""},
		{"DATABASE_URL=postgres:///taskmarket?host=::1,127.0.0.2&sslmode=disable", ""},
		{"DATABASE_URL=postgres:///taskmarket?host=/run/postgresql", ""},
		{"DATABASE_URL=postgres://user:password@db:port/taskmarket", "an invalid URL"},
		{"RPC_URLS=https://node/secret,http://node/secret", "node"},
		{"WS_URL=ws://node:8546/secret", "node"},
		{"RPC_URLS=http://127.0.0.1:8545,http://localhost:8545,https://node", ""},
		{"WS_URL=wss://node", ""},
		{"FILE_SCANNER=tcp://scanner:3310", "scanner"},
		{"FILE_SCANNER=tcp://127.0.0.1:3310", ""},
		{"FILE_SCANNER=unix:///run/clamav/clamd.ctl", ""},
	} {
		for _, allowed := range []string{"", "db", "node,scanner", "10.0.0.7"} {
			c, err := loadConfig(append(valid(), prefix+test.variable, prefix+"PLAINTEXT_HOSTS="+allowed))
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(test.variable, "=")
			err = c.Validate()
			if fine := test.host == "" || slices.Contains(strings.Split(allowed, ","), test.host); fine != (err == nil) {
				t.Errorf("%s, PLAINTEXT_HOSTS=%s: Validate() = %v, want valid: %t", test.variable, allowed, err, fine)
			}
			if err != nil && (!strings.Contains(err.Error(), prefix+name) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "password")) {
				t.Errorf("%s: Validate() = %v, want an error with the name and without the path", test.variable, err)
			}
		}
	}
}
