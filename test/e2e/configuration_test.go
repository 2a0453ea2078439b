package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestWeakConfigurationsEndTheProgram: the program does not start with secrets that are guessable or published. It
// names their variables, and does not print their values.
func TestWeakConfigurationsEndTheProgram(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	variables := map[string]string{
		"DATABASE_URL": "postgres://user:password@127.0.0.1:1/taskmarket", "BLOB_URL": "file://" + t.TempDir(), "BASE_URL": "https://market.example",
		"RPC_URLS": "https://127.0.0.1:1", "LISTEN": "127.0.0.1:0",
		"DEPLOYMENT": fmt.Sprintf(`{"chain_id": 8453, "token": %[1]q, "escrow": %[1]q, "application_staking": %[1]q, "treasury": %[1]q, "reward_distributor": %[1]q}`, address),
	}
	weak := map[string]string{
		"SESSION_KEYS": "secret-session-keysecret-session-key", "KEEPER_PRIVATE_KEY": "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
	}
	maps.Copy(variables, weak)
	serve := exec.CommandContext(ctx, program, "serve")
	serve.Env = []string{"PATH=" + os.Getenv("PATH")}
	for variable, value := range variables {
		serve.Env = append(serve.Env, "TASKMARKET_"+variable+"="+value)
	}
	out, err := serve.CombinedOutput()
	if failed, ok := errors.AsType[*exec.ExitError](err); !ok || failed.ExitCode() <= 0 || ctx.Err() != nil {
		t.Fatalf("serve ended with %v, want an exit code: %s", err, out)
	}
	for variable, value := range weak {
		if !strings.Contains(string(out), "TASKMARKET_"+variable) || strings.Contains(string(out), value) {
			t.Errorf("serve does not name %s, or prints its value: %s", variable, out)
		}
	}
}
