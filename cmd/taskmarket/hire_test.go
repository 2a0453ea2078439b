package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	gen "taskmarket/gen/client"
)

// posting returns the arguments that create a task for which the world's automatic human applies.
func posting(more ...string) []string { return offering(append(more, "--skill", "demo")...) }

// offering returns the arguments that create a task for which the demo human does not apply.
func offering(more ...string) []string {
	return append([]string{
		"create-task", "--title", "Say hello", "--description", "Say hello to the harbour.", "--amount", "10 TASK",
	}, more...)
}

// post creates a task with the command and returns its id.
func (u *agentUser) post(more ...string) string {
	u.t.Helper()
	var task client.Task
	u.run(posting(append(more, "--yes", "--json")...)...).ok().json(&task)
	return task.ID.String()
}

// sent returns the number of transactions that the user's wallet has sent.
func (u *agentUser) sent() uint64 {
	u.t.Helper()
	n, err := sharedWorld(u.t).direct(u.t).NonceAt(u.t.Context(), u.wallet.Address(), nil)
	clitest.Must(u.t, err)
	return n
}

func (u *agentUser) task(id string) client.Task {
	u.t.Helper()
	task, err := u.lib.Task(u.t.Context(), uuid.MustParse(id))
	clitest.Must(u.t, err)
	return task
}

// nextSecond waits until the chain's time has advanced by at least one second.
func nextSecond(t *testing.T) {
	t.Helper()
	node := sharedWorld(t).direct(t)
	now, err := node.HeaderByNumber(t.Context(), nil)
	clitest.Must(t, err)
	eventually(t, "a later block", func() bool {
		head, err := node.HeaderByNumber(t.Context(), nil)
		clitest.Must(t, err)
		return head.Time > now.Time
	})
}

func TestHire(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	human, contracts := sharedWorld(t).newHuman(t), chain.NewContracts(sharedWorld(t).deployment(t))
	wantGolden(t, "create-task-dry-run.txt", u.stable(u.run(offering("--dry-run")...).ok().stdout))
	var plan struct {
		Spends      string `json:"spends"`
		TypedData   any    `json:"typed_data"`
		Transaction any    `json:"transaction"`
		Simulated   bool   `json:"simulated"`
	}
	u.run(offering("--dry-run", "--json")...).ok().json(&plan)
	if plan.Spends != chaintest.Tokens(10).String() || !plan.Simulated || plan.TypedData == nil || plan.Transaction == nil {
		t.Errorf("the plan is %+v", plan)
	}
	if u.sent() != 0 {
		t.Error("--dry-run sent a transaction")
	}
	var task, again client.Task
	u.run(offering("--key", "one", "--yes", "--json")...).ok().json(&task)
	if u.run(offering("--key", "one", "--yes", "--json")...).ok().json(&again); again.ID != task.ID || u.sent() != 1 {
		t.Errorf("the same command created task %s after %s, with %d transactions in total", again.ID, task.ID, u.sent())
	}
	id := task.ID.String()
	_, err := human.Apply(t.Context(), contracts, task.ID, "I can do this.")
	clitest.Must(t, err)
	wantGolden(t, "accept-application.txt", u.stable(u.run("accept-application", id, "--first", "--wait", "--yes").ok().stdout))
	u.run("accept-application", id, "--first", "--yes").ok().wantStderr("already done")
	// The human can submit once accept-application has returned.
	_, err = human.Submit(t.Context(), task.ID, "Done, as described.")
	clitest.Must(t, err)
	wantGolden(t, "approve-submission.txt", u.stable(u.run("approve-submission", id, "--wait", "--until-paid", "--yes").ok().stdout))
	if task := u.task(id); task.Status != gen.TaskStatusApproved || u.sent() != 3 {
		t.Errorf("the task is %s after %d transactions, want approved after 3", task.Status, u.sent())
	}
	u.run("cancel-task", id, "--yes").ended(cli.ExitRefused)
}

// Every transaction requires confirmation before it is signed. Any answer other than yes declines
// it.
func TestConfirmationBeforeSigning(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.run(posting("--deadline", "72h")...).ended(cli.ExitDeclined).wantStderr("--yes")
	u.terminal = true
	for _, answer := range []string{"n\n", "\n", "maybe\n", ""} {
		u.stdin = answer
		u.run(posting("--deadline", "72h")...).ended(cli.ExitDeclined)
	}
	page, err := u.lib.Tasks(t.Context(), client.TaskQuery{})
	clitest.Must(t, err)
	if len(page.Tasks) != 0 || u.sent() != 0 {
		t.Errorf("declined, but there are %d tasks and %d transactions", len(page.Tasks), u.sent())
	}
	u.stdin = "yes\n"
	asked := u.run(posting("--deadline", "72h", "--key", "k")...).ok()
	wantGolden(t, "create-task-asks.txt", u.stable(asked.stderr))
	wantGolden(t, "create-task.txt", u.stable(asked.stdout))
	u.stdin = ""
	nextSecond(t)
	u.run(posting("--deadline", "72h", "--key", "k")...).ok().wantStderr("already done")
	if u.sent() != 1 {
		t.Errorf("%d transactions for one task", u.sent())
	}
}

func TestRejectDisputeAndCancel(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	id := uuid.MustParse(u.post())
	var applied []client.Application
	eventually(t, "an application", func() bool {
		page, err := u.lib.Applications(t.Context(), id, client.PageQuery{})
		clitest.Must(t, err)
		applied = page.Applications
		return len(applied) > 0 && applied[0].Status == gen.ApplicationStatusPending
	})
	args := []string{"reject-application", id.String(), applied[0].ID.String(), "--reason", "-"}
	u.stdin = "Spam"
	wantGolden(t, "reject-application-dry-run.txt", u.stable(u.run(append(args, "--dry-run")...).ok().stdout))
	wantGolden(t, "reject-application.txt", u.stable(u.run(append(args, "--yes")...).ok().stdout))
	u.run("reject-application", id.String(), applied[0].ID.String(), "--yes").ok()
	wantGolden(t, "cancel-task.txt", u.stable(u.run("cancel-task", id.String(), "--yes").ok().stdout))
	u.run("cancel-task", id.String(), "--yes").ok().wantStderr("already done")

	disputed := u.post()
	u.run("accept-application", disputed, "--first", "--wait", "--yes").ok()
	eventually(t, "the submission", func() bool { return u.task(disputed).SubmittedAt != nil })
	reason := u.write("reason.txt", "This is another harbour.\n")
	out := u.stable(u.run("dispute-task", disputed, "--reason", "@"+reason, "--yes").ok().stdout)
	// The world's validators may already have decided when the command reads the task.
	wantGolden(t, "dispute-task.txt", regexp.MustCompile(`(?m)^Status +(disputed|approved)$`).ReplaceAllString(out, "Status  disputed"))
	record, err := u.lib.DisputeOf(t.Context(), uuid.MustParse(disputed))
	if err != nil || record.Reason != "This is another harbour." {
		t.Errorf("the dispute's reason is %q, %v", record.Reason, err)
	}
}

// With --yes, commands require pinned contracts. Otherwise, the API could redirect the payment
// without being noticed.
func TestYesRequiresPinnedContracts(t *testing.T) {
	t.Parallel()
	u := newAgent(t).withoutPins()
	for _, args := range [][]string{
		posting("--yes"), {"create-task", "--resume", "--yes"}, {"approve-submission", uuid.NewString(), "--yes"},
	} {
		u.run(args...).ended(cli.ExitUsage).wantStderr("no contracts are pinned")
	}
	u.run(posting("--dry-run")...).ok()
	u.terminal, u.stdin = true, "n\n"
	u.run(posting()...).ended(cli.ExitDeclined).wantStderr("Contract")
}

// The program signs nothing if any value of the transaction differs from the request.
func TestSpendingIsRejected(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	other := common.HexToAddress("0x00000000000000000000000000000000000000aa").Hex()
	for name, c := range map[string]struct {
		set        map[string]string
		args       []string
		code       int
		wantStderr string
	}{
		"another escrow":           {set: map[string]string{"ESCROW_ADDRESS": other}, args: posting("--yes"), code: cli.ExitChain, wantStderr: "contracts are not the expected ones"},
		"another chain":            {set: map[string]string{"CHAIN_ID": "1"}, args: posting("--yes"), code: cli.ExitChain, wantStderr: "contracts are not the expected ones"},
		"another wallet":           {set: map[string]string{"WALLET_ADDRESS": other}, args: posting("--yes"), code: cli.ExitChain, wantStderr: "wallet_address is"},
		"a fee above the maximum":  {args: posting("--yes", "--max-fee", "4.99"), code: cli.ExitChain, wantStderr: "fee is above the limit"},
		"too few tokens":           {args: posting("--yes", "--amount", "1000 TASK"), code: cli.ExitChain, wantStderr: "the wallet has too few tokens"},
		"below the minimum":        {args: posting("--yes", "--amount", "1000"), code: cli.ExitChain, wantStderr: "below the escrow's minimum"},
		"another token":            {args: posting("--amount", "10 ETH"), code: cli.ExitUsage, wantStderr: "paid in TASK"},
		"no amount":                {args: posting("--amount", ""), code: cli.ExitUsage, wantStderr: "--amount is missing"},
		"an invalid deadline":      {args: posting("--deadline", "soon"), code: cli.ExitUsage, wantStderr: "--deadline"},
		"an invalid fee":           {args: posting("--max-fee", "low"), code: cli.ExitUsage, wantStderr: "--max-fee"},
		"a file in UTF-16":         {args: posting("--description", "@"+u.write("wide", "p\x00a\x00y\x00")), code: cli.ExitUsage, wantStderr: "the file is UTF-16: save it as UTF-8"},
		"a missing file":           {args: posting("--description", "@nowhere"), code: cli.ExitUsage, wantStderr: "nowhere"},
		"no application":           {args: []string{"accept-application", uuid.NewString()}, code: cli.ExitUsage, wantStderr: "APPLICATION is missing"},
		"APPLICATION with --first": {args: []string{"accept-application", uuid.NewString(), uuid.NewString(), "--first"}, code: cli.ExitUsage, wantStderr: "cannot be combined"},
		"no task":                  {args: []string{"approve-submission"}, code: cli.ExitUsage, wantStderr: "TASK is missing"},
		"an invalid id":            {args: []string{"approve-submission", "one"}, code: cli.ExitUsage, wantStderr: "not the id of a task"},
		"an unknown task":          {args: []string{"approve-submission", uuid.NewString(), "--yes"}, code: cli.ExitRefused, wantStderr: "[request "},
		"no reason":                {args: []string{"dispute-task", uuid.NewString()}, code: cli.ExitUsage, wantStderr: "--reason is missing"},
		"contradictory flags":      {args: posting("--dry-run", "--yes"), code: cli.ExitUsage, wantStderr: "none of the others can be"},
		"an invalid hash":          {args: posting("--tx-hash", "0x12"), code: cli.ExitUsage, wantStderr: "--tx-hash"},
		"--resume with a task":     {args: []string{"cancel-task", uuid.NewString(), "--resume"}, code: cli.ExitUsage, wantStderr: "--resume"},
	} {
		t.Run(name, func(t *testing.T) {
			mine := *u.user
			mine.t, mine.env = t, map[string]string{}
			for name, value := range u.env {
				mine.env[name] = value
			}
			for name, value := range c.set {
				mine.set(name, value)
			}
			mine.run(c.args...).ended(c.code).wantStderr(c.wantStderr)
		})
	}
	if u.sent() != 0 {
		t.Errorf("%d transactions were sent", u.sent())
	}
}

func TestResume(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.run("create-task", "--resume").ok().wantStderr("no unfinished operations")
	u.run(posting("--key", "a", "--unsigned")...).ok() // creates the task's record without paying
	wantGolden(t, "resume-dry-run.txt", u.stable(u.run("create-task", "--resume", "--dry-run").ok().stdout))
	wantGolden(t, "resume.txt", u.stable(u.run("create-task", "--resume", "--yes").ok().stdout))
	u.run("create-task", "--resume", "--yes").ok().wantStderr("no unfinished operations")
	if u.sent() != 1 {
		t.Errorf("%d transactions for one task", u.sent())
	}
}

// The gas price is limited by the flag, the environment variable or the default.
func TestMaxFeePerGas(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.run(posting("--dry-run", "--max-fee-per-gas", "1 wei")...).ended(cli.ExitLater).wantStderr("--max-fee-per-gas")
	u.run("rescue", "withdraw-credit", "--max-fee-per-gas", "100").ended(cli.ExitUsage).wantStderr("such as 30 gwei")
	u.set("MAX_FEE_PER_GAS", "1 wei")
	u.run(posting("--yes")...).ended(cli.ExitLater).wantStderr("gas costs more than the limit")
	limited, err := cli.New(u.streams(nil, nil), u.environ()).Options()
	clitest.Must(t, err)
	u.unset("MAX_FEE_PER_GAS")
	o, err := cli.New(u.streams(nil, nil), u.environ()).Options()
	clitest.Must(t, err)
	if limited.MaxFeePerGas == nil || o.MaxFeePerGas != nil || o.MaxOffer.String() != "100000000000" {
		t.Errorf("a limit that was set is %s; without one replacements may cost %s, first offers %s", limited.MaxFeePerGas, o.MaxFeePerGas, o.MaxOffer)
	}
	if most := (&cli.Settings{}).MaxFeePerGas(); most.String() != "100000000000" {
		t.Errorf("by default %s wei", most)
	}
}

// An unencrypted connection to a remote node is rejected unless insecure_node is set.
func TestInsecureNodeIsRejected(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	for _, url := range []string{"http://node.invalid:8545/secret", "ws://192.0.2.1/secret"} {
		u.set("RPC_URL", url)
		refused := u.run(posting("--yes")...).ended(cli.ExitChain).wantStderr("insecure_node")
		sent := u.run("approve-submission", someID, "--tx-hash", aHash).ended(cli.ExitChain).wantStderr("insecure_node")
		if strings.Contains(refused.stderr+sent.stderr, "secret") {
			t.Errorf("the URL is repeated: %s%s", refused.stderr, sent.stderr)
		}
	}
	u.set("INSECURE_NODE", "true")
	u.set("RPC_URL", "http://node.invalid:8545/secret")
	u.run(posting("--yes")...).ended(cli.ExitLater)
	u.set("INSECURE_NODE", "yes")
	u.run("config").ended(cli.ExitUsage).wantStderr("true or false")
}

// If a command paid but could not print the result, running it again prints that result and does
// not pay a second time.
func TestUnprintedResultIsPrintedAgain(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	closed, err := os.Open(os.DevNull) // opened for reading only, so that a write fails
	clitest.Must(t, err)
	defer closed.Close()
	command := exec.CommandContext(t.Context(), sharedWorld(t).program, offering("--yes", "--json")...)
	command.Env, command.Stdout = u.environ(), closed
	if err := command.Run(); command.ProcessState.ExitCode() != cli.ExitFailed {
		t.Fatalf("with an unwritable stdout, the command ended with %v", err)
	}
	post := func() string {
		var task client.Task
		u.run(offering("--yes", "--json")...).ok().json(&task)
		return task.ID.String()
	}
	first := post()
	if u.sent() != 1 {
		t.Errorf("%d transactions before the caller got the result", u.sent())
	}
	if second := post(); second == first || u.sent() != 2 {
		t.Errorf("after the result was printed, the command created task %s after %s, with %d transactions", second, first, u.sent())
	}
}

// --discard removes an unfinished operation without a signature, after confirmation.
func TestDiscard(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.run("create-task", "--discard").ended(cli.ExitUsage).wantStderr("--discard requires --resume")
	u.run("create-task", "--resume", "--discard", "--dry-run").ended(cli.ExitUsage)
	u.run("create-task", "--resume", "--discard", "--yes").ok().wantStderr("no unfinished operations")
	u.run(posting("--key", "a", "--unsigned")...).ok() // creates the task's record without paying
	u.run("create-task", "--resume", "--discard").ended(cli.ExitDeclined).wantStderr("unfinished: lock the amount").
		wantStderr("stops listing them after 7 days")
	// The operation belongs to another command.
	u.run("cancel-task", "--resume", "--discard", "--yes").ok().wantStderr("no unfinished operations")
	var result struct {
		Discarded []struct {
			Title  string
			Signed bool
		}
		Errors []errorReply
	}
	u.run("create-task", "--resume", "--discard", "--yes", "--json").ok().json(&result)
	if len(result.Discarded) != 1 || result.Discarded[0].Title != "Say hello" || result.Discarded[0].Signed || len(result.Errors) != 0 {
		t.Errorf("discarded %+v", result)
	}
	u.run("create-task", "--resume", "--yes").ok().wantStderr("no unfinished operations")
	if u.sent() != 0 {
		t.Errorf("%d transactions were sent", u.sent())
	}
}

// moderate decides on a task with the service's own command.
func (w *world) moderate(t *testing.T, task, measure string) {
	t.Helper()
	decide := exec.CommandContext(t.Context(), filepath.Join(w.dir, "taskmarketd"), "admin", "moderation", "decide", "task", task, measure,
		"--facts", "It asks for a passport.", "--clause", "3.1 Identity documents")
	decide.Env = append(os.Environ(), cli.EnvPrefix+"DATABASE_URL="+w.variable["DEV_DATABASE_URL"])
	if out, err := decide.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", decide, err, out)
	}
}

// While a moderation rule holds a task, the command does not pay for it, even if it is repeated,
// resumed or run with --unsigned. After a moderator's decision, the same command pays once.
func TestHeldTaskIsNotPaidFor(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	args := []string{
		"create-task", "--title", "Harbour photos", "--description", "Upload a selfie holding your passport.", "--amount", "10 TASK", "--yes",
	}
	before := u.sent()
	refused := u.run(args...).ended(cli.ExitLater)
	for _, words := range []string{"is held until a moderator decides, by 20", "nothing was signed", "hint: run the same command again", "taskmarket notices"} {
		refused.wantStderr(words)
	}
	u.run(append(args, "--json")...).ended(cli.ExitLater).wantErrorJSON("unavailable")
	u.run("create-task", "--resume", "--yes").ended(cli.ExitLater)
	unsigned := append(args[:len(args)-1:len(args)-1], "--unsigned", "--wallet", u.wallet.Address().Hex())
	if r := u.run(unsigned...).ended(cli.ExitLater); strings.Contains(r.stdout, "typed_data") {
		t.Errorf("a permit was printed: %s", r.stdout)
	}
	var page client.TaskPage
	u.run("list-tasks", "--json").ok().json(&page)
	if len(page.Tasks) != 1 || u.sent() != before {
		t.Fatalf("%d tasks, %d transactions", len(page.Tasks), u.sent()-before)
	}
	id := page.Tasks[0].ID.String()
	if r := u.run("get-task", id).ok(); !strings.Contains(r.stdout, "held by the rule") || !strings.Contains(r.stdout, "a moderator decides by 20") {
		t.Errorf("get-task shows no hold: %s", r.stdout)
	}
	if r := u.run("next", id).ok(); strings.Contains(r.stdout, "lock its amount") {
		t.Errorf("next offers to fund the task: %s", r.stdout)
	}
	sharedWorld(t).moderate(t, id, "none")
	var task client.Task
	u.run(append(args, "--json")...).ok().json(&task)
	if task.ID.String() != id || task.Status != gen.TaskStatusFunded || u.sent() != before+1 {
		t.Errorf("task %s is %s after %d transactions", task.ID, task.Status, u.sent()-before)
	}
}

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
