package e2e_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	gen "taskmarket/gen/client"
	"taskmarket/test/process"
)

// keeperAccount is the index of the account that chaintest uses as the keeper.
const keeperAccount = 8

// rewarderAccount is the index of the account that chaintest uses as the voucher signer.
const rewarderAccount = 9

// keyShared is part of the log message about transactions of the keeper's account that are not in the
// database.
const keyShared = "another program uses the keeper's key"

// replica is one `taskmarketd serve`, which can be killed and restarted at the same address.
type replica struct {
	world *world
	port  int
	logs  []string // paths of the log files, one for each process of the replica
	proc  *process.Process
	// expected is part of a log message that the test causes on purpose. Lines that contain it are not
	// complaints. It is empty if no message is expected.
	expected string
}

// newReplica starts a server and returns once it is healthy.
func (w *world) newReplica() *replica {
	w.t.Helper()
	for range 5 {
		port, err := process.FreePort()
		w.must(err)
		r := &replica{world: w, port: port}
		err = r.start(w.ctx)
		if err == nil {
			w.replicas = append(w.replicas, r)
			return r
		}
		if !strings.Contains(err.Error(), "address already in use") {
			w.t.Fatal(err)
		}
	}
	w.t.Fatal("could not find a free port")
	return nil
}

func (r *replica) origin() string { return "http://127.0.0.1:" + strconv.Itoa(r.port) }

func (r *replica) api() string { return r.origin() + "/api/v1" }

// start starts the program and returns once it is healthy.
func (r *replica) start(ctx context.Context) error {
	if err := r.launch(); err != nil {
		return err
	}
	return r.awaitHealth(ctx)
}

// launch starts the program.
func (r *replica) launch() error {
	log := filepath.Join(r.world.dir, fmt.Sprintf("server-%d-%d.log", r.port, len(r.logs)))
	proc, err := process.Start(process.Spec{
		Name: "taskmarketd", Path: program, Args: []string{"serve"}, Env: r.world.environment(r), Log: log,
		Grace: 30 * time.Second, // the server waits up to 15 s for open requests
	})
	if err != nil {
		return err
	}
	r.logs = append(r.logs, log)
	r.proc = proc
	return nil
}

func (r *replica) awaitHealth(ctx context.Context) error {
	for {
		if r.healthy(ctx) {
			return nil
		}
		select {
		case <-r.proc.Done():
			return fmt.Errorf("the server ended while starting: %w: %s", r.proc.Err(), r.proc.LogTail())
		case <-ctx.Done():
			return fmt.Errorf("wait for the server's health: %w: %s", ctx.Err(), r.proc.LogTail())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// healthy reports whether the server can serve and has followed the chain.
func (r *replica) healthy(ctx context.Context) bool {
	api, err := gen.NewClientWithResponses(r.api())
	if err != nil {
		return false
	}
	health, err := api.GetHealthWithResponse(ctx)
	if err != nil || health.JSON200 == nil {
		return false
	}
	lag := health.JSON200.Chain.LagBlocks
	return health.JSON200.Status == gen.HealthStatusOK && lag != nil && *lag == 0
}

// tryServe runs the program with one changed variable, which it must reject, and returns its
// output.
func (w *world) tryServe(variable, value string) (output string, err error) {
	w.t.Helper()
	serve := exec.CommandContext(w.ctx, program, "serve")
	for _, line := range w.environment(w.server) {
		if !strings.HasPrefix(line, "TASKMARKET_"+variable+"=") && !strings.HasPrefix(line, "TASKMARKET_LISTEN=") {
			serve.Env = append(serve.Env, line)
		}
	}
	serve.Env = append(serve.Env, "TASKMARKET_"+variable+"="+value, "TASKMARKET_LISTEN=127.0.0.1:0")
	raw, err := serve.CombinedOutput()
	return string(raw), err
}

// kill kills the program without a warning, like a power failure.
func (r *replica) kill() error {
	return r.proc.Kill()
}

// stop stops the program as an operator does, with a signal, and returns its exit error.
func (r *replica) stop() error {
	return errors.Join(r.proc.Stop(), r.proc.Err())
}

// complaints returns the log lines of all the replica's processes that need an operator's
// attention.
func (r *replica) complaints(tb testing.TB) []string {
	tb.Helper()
	var lines []string
	for _, name := range r.logs {
		raw, err := os.ReadFile(name)
		if err != nil {
			tb.Fatalf("read the server's log: %v", err)
		}
		for line := range strings.Lines(string(raw)) {
			var entry struct{ Level string }
			if r.expected != "" && strings.Contains(line, r.expected) {
				continue
			}
			if json.Unmarshal([]byte(line), &entry) != nil || entry.Level == "ERROR" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// environment returns all of the server's environment variables. The rate limits are too high to be
// reached, because other tests cover them.
func (w *world) environment(r *replica) []string {
	return append(w.variables(map[string]string{
		"DATABASE_URL": w.database, "LISTEN": "127.0.0.1:" + strconv.Itoa(r.port), "BASE_URL": r.origin(),
		"BLOB_URL": "file://" + w.dir + "/files?create_dir=true", "RPC_URLS": cmp.Or(w.rpcURL, w.net.Dev.URL()),
		"DEPLOYMENT":                w.net.DeploymentFile(),
		"SESSION_KEYS":              "9f1c7e52d03ab86d4e5f12a7c8b30d69",
		"KEEPER_PRIVATE_KEY":        hexutil.Encode(crypto.FromECDSA(w.net.Dev.Accounts()[keeperAccount].Key)),
		"REWARD_SIGNER_PRIVATE_KEY": hexutil.Encode(crypto.FromECDSA(w.net.Dev.Accounts()[rewarderAccount].Key)),
		"SOCIAL_HOSTS":              w.socialHost, "RATE_LIMITS": "*=1000000/min:1000000",
		"FINALITY": "seen", "METRICS_LISTEN": "127.0.0.1:0",
		"TUNING": fmt.Sprintf(`{"Poll": %d, "StopDelay": %d, "FinalityDoubt": %d, "AuditInterval": %d, "UnfundedTasks": 1000000, "DailyRejections": 1000000}`,
			50*time.Millisecond, w.stopDelay, 2*time.Second, 500*time.Millisecond),
	}), w.extra...)
}

// pins returns the variables that pin the chain and the contracts in an agent's program.
func (w *world) pins() map[string]string {
	d := w.net.Deployment
	return map[string]string{
		"CHAIN_ID": strconv.FormatUint(d.ChainID, 10), "TOKEN_ADDRESS": d.Token.Hex(), "ESCROW_ADDRESS": d.Escrow.Hex(),
		"APPLICATION_STAKING_ADDRESS": d.Staking.Hex(),
	}
}

func (w *world) variables(values map[string]string) []string {
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.dir}
	for name, value := range values {
		environ = append(environ, "TASKMARKET_"+name+"="+value)
	}
	return environ
}
