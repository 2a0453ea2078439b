package e2e_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// deployment is a deployment file of a public chain.
const deployment = `{"chain_id": 8453, "token": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "escrow": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	"application_staking": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "treasury": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
	"reward_distributor": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"}`

// sound returns environment variables that `taskmarketd serve` accepts on a public chain, by name.
func sound(tb testing.TB) map[string]string {
	tb.Helper()
	return map[string]string{
		"DATABASE_URL": "postgres://user:password@127.0.0.1:1/taskmarket", "BLOB_URL": "file://" + tb.TempDir(), "BASE_URL": "https://market.example",
		"RPC_URLS": "https://127.0.0.1:1", "LISTEN": "127.0.0.1:0", "DEPLOYMENT": deployment,
		"SESSION_KEYS": "9f1c7e52d03ab86d4e5f12a7c8b30d69",
	}
}

// TestWeakConfigurationsEndTheProgram: the program does not start with a secret that is missing,
// short, guessable or published, without encryption, or with proxy networks that contain clients. It
// names the variable, and does not print its value if that is a secret.
func TestWeakConfigurationsEndTheProgram(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ variable, value string }{
		"no session key":                   {"SESSION_KEYS", ""},
		"a short session key":              {"SESSION_KEYS", "too-short-secret"},
		"a session key of one letter":      {"SESSION_KEYS", strings.Repeat("k", 64)},
		"a session key of words":           {"SESSION_KEYS", "secret-session-keysecret-session-key"},
		"a sequential session key":         {"SESSION_KEYS", "0123456789abcdefghijklmnopqrstuv"},
		"one weak session key of two":      {"SESSION_KEYS", "9f1c7e52d03ab86d4e5f12a7c8b30d69,changeme"},
		"no database":                      {"DATABASE_URL", ""},
		"a database without TLS":           {"DATABASE_URL", "postgres://user:password@db.example/taskmarket?sslmode=disable"},
		"a node without TLS":               {"RPC_URLS", "http://node.example/api-key"},
		"a public address without TLS":     {"BASE_URL", "http://market.example"},
		"a published keeper key":           {"KEEPER_PRIVATE_KEY", "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"},
		"a keeper key of zeros":            {"KEEPER_PRIVATE_KEY", "0x" + strings.Repeat("0", 63) + "1"},
		"an invalid keeper key":            {"KEEPER_PRIVATE_KEY", "0xnot-a-private-key"},
		"a published voucher key":          {"REWARD_SIGNER_PRIVATE_KEY", "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"},
		"all IPv4 addresses as proxies":    {"TRUSTED_PROXIES", "0.0.0.0/0"},
		"all IPv6 addresses as proxies":    {"TRUSTED_PROXIES", "::/0"},
		"a public network as proxies":      {"TRUSTED_PROXIES", "64.0.0.0/8"},
		"an endless rate limit":            {"RATE_LIMITS", "loginWithEthereum=1000000000000/min:1000000000000"},
		"an unknown operation's limit":     {"RATE_LIMITS", "signIn=5/min:5"},
		"a metrics address without a port": {"METRICS_LISTEN", "0.0.0.0"},
		"an address with a wrong checksum": {"DEPLOYMENT", strings.Replace(deployment, "C51812dc3A", "c51812dc3A", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			serve := exec.CommandContext(ctx, program, "serve")
			serve.Env = []string{"PATH=" + os.Getenv("PATH"), "TASKMARKET_" + c.variable + "=" + c.value}
			for variable, value := range sound(t) {
				if variable != c.variable {
					serve.Env = append(serve.Env, "TASKMARKET_"+variable+"="+value)
				}
			}
			raw, err := serve.CombinedOutput()
			out := string(raw)
			if failed, ok := errors.AsType[*exec.ExitError](err); !ok || failed.ExitCode() <= 0 || ctx.Err() != nil {
				t.Fatalf("serve ended with %v, want an exit code: %s", err, out)
			}
			part, _, _ := strings.Cut(c.value, "=") // an error in a list may name only the faulty entry
			if !strings.Contains(out, "TASKMARKET_"+c.variable) && !strings.Contains(out, "limit of "+part) {
				t.Errorf("serve does not name %s: %s", c.variable, out)
			}
			secret := strings.HasSuffix(c.variable, "KEYS") || strings.HasSuffix(c.variable, "KEY") || strings.HasSuffix(c.variable, "_URL") || c.variable == "RPC_URLS"
			if secret && c.variable != "BASE_URL" && c.value != "" && strings.Contains(out, c.value) {
				t.Errorf("serve prints the value of %s: %s", c.variable, out)
			}
		})
	}
}
