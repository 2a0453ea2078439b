package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"taskmarket/chain/devnet"
	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	gen "taskmarket/gen/client"
)

// unsignedPlan is the output of --unsigned.
type unsignedPlan struct {
	Transaction *struct {
		From    string `json:"from"`
		To      string `json:"to"`
		Data    string `json:"data"`
		Value   string `json:"value"`
		ChainID int    `json:"chain_id"`
		Gas     int    `json:"gas"`
	} `json:"transaction"`
	TypedData json.RawMessage `json:"typed_data"`
}

// coldWallet is a key used by Foundry's cast. The program under test has no access to the key.
type coldWallet struct {
	*agentUser
	cast, key string
}

func newColdWallet(t *testing.T) *coldWallet {
	t.Helper()
	cast, err := devnet.Program("cast")
	clitest.Must(t, err)
	key, err := crypto.GenerateKey()
	clitest.Must(t, err)
	w := &coldWallet{agentUser: newAgentWith(t, key), cast: cast, key: hexutil.Encode(crypto.FromECDSA(key))}
	w.unset("PRIVATE_KEY")
	return w
}

func (w *coldWallet) tool(args ...string) string {
	w.t.Helper()
	out, err := exec.CommandContext(w.t.Context(), w.cast, args...).Output()
	if err != nil {
		w.t.Fatalf("cast %s: %v: %s", args[0], err, out)
	}
	return strings.TrimSpace(string(out))
}

// send signs and sends the transaction in the plan, and returns its hash.
func (w *coldWallet) send(p unsignedPlan) string {
	w.t.Helper()
	if p.Transaction.From != w.wallet.Address().Hex() && !strings.EqualFold(p.Transaction.From, w.wallet.Address().Hex()) || p.Transaction.Value != "0" {
		w.t.Errorf("the transaction is %+v", p.Transaction)
	}
	return w.tool("send", "--async", "--rpc-url", sharedWorld(w.t).variable["RPC_URL"], "--private-key", w.key, p.Transaction.To, p.Transaction.Data)
}

// TestUnsigned hires a human while an external wallet signs and sends all transactions.
func TestUnsigned(t *testing.T) {
	t.Parallel()
	w := newColdWallet(t)
	// The amount exceeds what remains in the wallet after the payment. Commands must still succeed then.
	args := posting("--key", "cold", "--deadline", "72h", "--amount", "60 TASK")
	var permit, ready unsignedPlan
	w.run(append(args, "--unsigned")...).ok().wantStderr("--signature FILE").json(&permit)
	if permit.TypedData == nil || permit.Transaction != nil && permit.Transaction.Data != "" {
		t.Fatalf("before the signature: %+v", permit)
	}
	signature := w.write("signature", w.tool("wallet", "sign", "--private-key", w.key, "--data", "--from-file", w.write("permit.json", string(permit.TypedData)))+"\n")
	nextSecond(t) // the later commands must reuse the permit and the deadline of the first one
	w.run(append(args, "--unsigned", "--signature", signature)...).ok().wantStderr("--tx-hash").json(&ready)
	if ready.TypedData != nil || ready.Transaction.Data == "" || ready.Transaction.Gas == 0 || ready.Transaction.ChainID != devnet.ChainID {
		t.Fatalf("with the signature: %+v", ready)
	}
	if w.sent() != 0 {
		t.Error("--unsigned sent a transaction")
	}
	hash := w.send(ready)
	var task client.Task
	w.run(append(args, "--tx-hash", hash, "--json")...).ok().json(&task)
	if task.Status != gen.TaskStatusFunded || w.sent() != 1 {
		t.Fatalf("the task is %s after %d transactions", task.Status, w.sent())
	}
	w.run(append(args, "--tx-hash", hash)...).ok() // running the command again has no effect
	w.run(append(args, "--unsigned")...).ok().wantStderr("nothing to sign")

	id := task.ID.String()
	accept := []string{"accept-application", id, "--first", "--wait"}
	var accepted unsignedPlan
	w.run(append(accept, "--unsigned")...).ok().json(&accepted)
	w.run(append(accept, "--tx-hash", hash)...).ended(cli.ExitRefused).wantStderr("emitted no")
	w.run(append(accept, "--tx-hash", w.send(accepted))...).ok()
	var approved unsignedPlan
	w.run("approve-submission", id, "--wait", "--unsigned").ok().json(&approved)
	w.run("approve-submission", id, "--tx-hash", w.send(approved), "--until-paid", "--json").ok().json(&task)
	if task.Status != gen.TaskStatusApproved || w.sent() != 3 {
		t.Errorf("the task is %s after %d transactions, want approved after 3", task.Status, w.sent())
	}
}

// A signature by another wallet or of another text, and input that is not a signature, are rejected, and
// no transaction is printed.
func TestUnsignedRejectsOtherSignatures(t *testing.T) {
	t.Parallel()
	w := newColdWallet(t)
	args := posting("--key", "cold", "--unsigned", "--signature", "-")
	foreign, err := newWallet(t).SignMessage(t.Context(), "something else")
	clitest.Must(t, err)
	own, err := w.wallet.SignMessage(t.Context(), "something else")
	clitest.Must(t, err)
	for name, c := range map[string]struct {
		text string
		code int
	}{
		"of another wallet": {hexutil.Encode(foreign), cli.ExitChain},
		"of another text":   {`"` + hexutil.Encode(own) + `"`, cli.ExitChain},
		"too short":         {hexutil.Encode(own[:64]), cli.ExitUsage},
		"not hexadecimal":   {"hello", cli.ExitUsage},
		"empty":             {"", cli.ExitUsage},
	} {
		w.stdin = c.text
		if r := w.run(args...); r.code != c.code || r.stdout != "" {
			t.Errorf("%s: exit code %d, want %d and nothing printed: %s%s", name, r.code, c.code, r.stdout, r.stderr)
		}
	}
}

// The development node, which has the private keys, is used as the external signer.
func TestExternalSignerSpends(t *testing.T) {
	t.Parallel()
	// The private key of anvil's ninth account, which is the same in every instance.
	key, err := crypto.HexToECDSA("dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97")
	clitest.Must(t, err)
	u := newAgentWith(t, key)
	u.unset("PRIVATE_KEY")
	u.set("SIGNER_URL", sharedWorld(t).variable["RPC_URL"])
	u.set("WALLET_ADDRESS", u.wallet.Address().Hex())
	before := u.sent()
	id := u.post()
	u.run("cancel-task", id, "--yes").ok()
	if u.sent() != before+2 {
		t.Errorf("%d transactions, want two more than %d", u.sent(), before)
	}
}
