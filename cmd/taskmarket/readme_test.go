package main

import (
	"context"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ethereum "github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"taskmarket/chain/chaintest"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	gen "taskmarket/gen/client"
)

// hireLines returns the command lines in the README's section "Hire a human".
func hireLines(t *testing.T) []string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	clitest.Must(t, err)
	_, section, found := strings.Cut(string(readme), "\n## Hire a human\n")
	if !found {
		t.Fatal("README has no section Hire a human")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var lines []string
	for line := range strings.Lines(section) {
		if command, ok := strings.CutPrefix(line, "    "); ok {
			lines = append(lines, strings.TrimSuffix(command, "\n"))
		}
	}
	return lines
}

// longestHire is the time limit for the commands in the README.
const longestHire = 5 * time.Minute

// The README's commands, run in an empty directory, register an agent that hires and pays a human.
func TestReadmeHire(t *testing.T) {
	t.Parallel()
	lines := hireLines(t)
	if len(lines) != 9 {
		t.Fatalf("README has %d lines to hire a human, want 9", len(lines))
	}
	w, place := sharedWorld(t), t.TempDir()
	checkout, folder := filepath.Join(place, "taskmarket"), filepath.Join(place, "agent")
	clitest.Must(t, os.Mkdir(checkout, 0o755))
	clitest.Must(t, os.Mkdir(folder, 0o755))
	clitest.Must(t, os.Symlink(w.dir, filepath.Join(checkout, "bin")))
	clitest.Must(t, os.Symlink(filepath.Join(w.dir, "world"), filepath.Join(checkout, ".dev")))

	ctx, cancel := context.WithTimeout(t.Context(), longestHire)
	defer cancel()
	script := strings.Join(append(lines, `taskmarket get-task "$task" --field status`, `taskmarket get-task "$task" --field escrow_task_id`), "\n")
	shell := exec.CommandContext(ctx, "sh", "-e", "-c", script)
	shell.Dir, shell.Env = folder, []string{"HOME=" + place, "PATH=" + os.Getenv("PATH")}
	began := time.Now()
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("after %s: %v\n%s", time.Since(began).Round(time.Millisecond), err, out)
	}
	t.Logf("from an empty folder to a paid human in %s:\n%s", time.Since(began).Round(time.Millisecond), out)
	words := strings.Fields(string(out))
	status, number := words[len(words)-2], words[len(words)-1]
	if status != "approved" {
		t.Errorf("the task is %s", status)
	}
	w.wantPaid(t, number)

	agent := newUser(t)
	agent.set("CONFIG", filepath.Join(folder, "agent.yaml"))
	agent.claimsItsReward()
}

// claimsItsReward claims the agent's reward for a paid task.
func (u *user) claimsItsReward() {
	u.t.Helper()
	eventually(u.t, "karma for the task", func() bool {
		return strings.TrimSpace(u.run("balance", "--field", "claimable").ok().stdout) != "0"
	})
	claimed := u.run("claim", "--yes", "--wait=1m", "--verbose").ok()
	if count := strings.Count(claimed.stderr, "waiting for claim"); count > 1 {
		u.t.Errorf("the waiting note was printed %d times:\n%s", count, claimed.stderr)
	}
	wantGolden(u.t, "claim.txt", u.stable(claimed.stdout))
	wantGolden(u.t, "claims.txt", u.stable(u.run("claims").ok().stdout))
	u.run("claim", "--yes").ended(cli.ExitLater).wantStderr("try again in 23 hours")
}

// wantPaid checks on the chain that the escrow paid 9.5 of the task's 10 tokens, which is the
// amount less the fee of 5%.
func (w *world) wantPaid(t *testing.T, escrowTaskID string) {
	t.Helper()
	number, ok := new(big.Int).SetString(escrowTaskID, 10)
	if !ok {
		t.Fatalf("%q is not a task number of the escrow", escrowTaskID)
	}
	node, err := ethclient.DialContext(t.Context(), w.variable["RPC_URL"])
	clitest.Must(t, err)
	defer node.Close()
	d := w.deployment(t)
	logs, err := node.FilterLogs(t.Context(), ethereum.FilterQuery{Addresses: []common.Address{d.Token, d.Escrow}})
	clitest.Must(t, err)
	paid := new(big.Int).Sub(chaintest.Tokens(10), new(big.Int).Quo(chaintest.Tokens(1), big.NewInt(2)))
	ofTask, payments := map[common.Hash]bool{}, map[common.Hash]bool{}
	transfer := crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	for _, log := range logs {
		switch {
		case log.Address == d.Escrow && len(log.Topics) > 1 && log.Topics[1] == common.BigToHash(number):
			ofTask[log.TxHash] = true
		case log.Address == d.Token && log.Topics[0] == transfer && common.BytesToAddress(log.Topics[1][:]) == d.Escrow &&
			new(big.Int).SetBytes(log.Data).Cmp(paid) == 0:
			payments[log.TxHash] = true
		}
	}
	for tx := range payments {
		if ofTask[tx] {
			return
		}
	}
	t.Errorf("no transaction of escrow task %s pays %s wei", number, paid)
}

// The example in the library's documentation hires the human of the development world. A second run
// finds the existing task instead of creating another.
func TestLibraryExample(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	program := filepath.Join(u.dir, "example")
	if out, err := exec.Command("go", "test", "-c", "-o", program, "taskmarket/client").CombinedOutput(); err != nil {
		t.Fatalf("build the example: %v: %s", err, out)
	}
	u.env["TASKMARKET_RUN_EXAMPLE"] = "1"
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), testTimeout)
		defer cancel()
		example := exec.CommandContext(ctx, program)
		example.Dir, example.Env, example.Stderr = u.dir, u.environ(), os.Stderr
		if shown, err := example.Output(); err != nil || string(shown) != "the human was paid 9500000000000000000 wei\n" {
			t.Fatalf("the example printed %q, %v", shown, err)
		}
	}
	n := 0
	for task, err := range u.lib.AllTasks(t.Context(), gen.ListTasksParams{}) {
		clitest.Must(t, err)
		if n++; task.Status != gen.TaskStatusApproved {
			t.Errorf("the task is %s", task.Status)
		}
	}
	if n != 1 {
		t.Errorf("the example posted %d tasks", n)
	}
}
