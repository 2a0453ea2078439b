package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/client"
	"taskmarket/client/doctor"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/clitest"
	"taskmarket/market"
)

func TestDoctorFindsNoFault(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	var got struct{ Checks []doctor.Result }
	u.run("doctor", "--json").ok().json(&got)
	for _, c := range got.Checks {
		if c.Status != doctor.OK {
			t.Errorf("%+v", c)
		}
	}
	if len(got.Checks) != len(doctor.Checks()) {
		t.Errorf("%d of %d checks were made", len(got.Checks), len(doctor.Checks()))
	}
	table := u.run("doctor").ok().stdout
	for _, name := range doctor.Checks() {
		if !strings.Contains(table, "\n"+name+" ") {
			t.Errorf("the table lacks %s:\n%s", name, table)
		}
	}
}

// Unlike the other commands, the doctor command also runs with an invalid configuration, and reports
// the error.
func TestDoctorConfiguration(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	clitest.Must(t, cli.WriteConfig(u.configPath(), map[string]string{cli.SettingAPIKey: "tmk_" + "secret"}))
	clitest.Must(t, os.Chmod(u.configPath(), 0o644))
	shared := u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: configuration").wantStderr("hint: ")
	wantGolden(t, "doctor-shared-file.txt", u.stable(shared.stdout))
	if strings.Contains(shared.stdout+shared.stderr, "secret") {
		t.Error("the doctor shows the key")
	}
	clitest.Must(t, os.Chmod(u.configPath(), 0o600))
	u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: api, node")
	u.set("ESCROW_ADDRESS", "here")
	u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: configuration")
}

// The doctor prints the wallet's address, but neither the private key nor the API key in the node's
// URL.
func TestDoctorShowsNoSecrets(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.set("RPC_URL", "http://127.0.0.1:1/v2/key-of-a-provider")
	r := u.run("doctor").ended(cli.ExitFailed).wantStderr("checks failed: node")
	output := r.stdout + r.stderr
	if !strings.Contains(output, u.wallet.Address().Hex()) {
		t.Errorf("the wallet is not named: %s", output)
	}
	for _, secret := range []string{"key-of-a-provider", u.env["TASKMARKET_API_KEY"], u.env["TASKMARKET_PRIVATE_KEY"]} {
		if strings.Contains(output, secret) {
			t.Errorf("the doctor shows %s", secret)
		}
	}
}

// The doctor prints a warning for an unfinished operation in the journal.
func TestDoctorJournal(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	task := uuid.New()
	flow := client.Flow{Key: "k", Action: market.ActionCancel, Wallet: u.wallet.Address(), TaskID: &task}
	journal, err := cli.New(u.streams(nil, nil), u.environ()).Flows(u.wallet.Address())
	clitest.Must(t, err)
	unlock, err := journal.Lock(t.Context(), flow.Key)
	clitest.Must(t, err)
	clitest.Must(t, journal.Save(t.Context(), &flow))
	unlock()
	var got struct{ Checks []doctor.Result }
	u.run("doctor", "--json").ok().json(&got)
	last := got.Checks[len(got.Checks)-1]
	if last.Name != "journal" || last.Status != doctor.Warn || !strings.Contains(last.Message, "1 unfinished operation: cancel-task "+task.String()) {
		t.Errorf("the check of the journal returns %+v", last)
	}
}

func TestConfigSources(t *testing.T) {
	u := newUser(t)
	u.write("config/taskmarket/config.yaml", "# mine\napi_url: https://file.example\nusername: from-file\nchain_id: 31337\n")
	u.set("USERNAME", "from-environment")
	u.set("RPC_URL", "https://node.example/v2/provider-key?x=1")
	u.set("API_KEY_FILE", u.write("key", "tm_secret\n"))
	u.set("SIGNER_URL", "unix:///run/clef.ipc?provider-key")
	u.set("FAUCET_PRIVATE_KEY", "unknown variables belong to other programs")
	r := u.run("config", "--json", "--api-url", "https://flag.example").ok()
	var got configDocument
	r.json(&got)
	for name, want := range map[string]struct{ Value, Source string }{
		"api_url":    {"https://flag.example", "flag --api-url"},
		"username":   {"from-environment", "environment TASKMARKET_USERNAME"},
		"chain_id":   {"31337", "file"},
		"rpc_url":    {"https://node.example/(hidden)", "environment TASKMARKET_RPC_URL"},
		"api_key":    {"(set)", "environment TASKMARKET_API_KEY_FILE, " + u.dir + "/key"},
		"signer_url": {"unix:///run/clef.ipc", "environment TASKMARKET_SIGNER_URL"},
	} {
		if got.Settings[name] != want {
			t.Errorf("%s is %+v, want %+v", name, got.Settings[name], want)
		}
	}
	for _, secret := range []string{"tm_secret", "provider-key"} {
		if strings.Contains(r.stdout+r.stderr, secret) {
			t.Errorf("config shows %q", secret)
		}
	}
	wantGolden(t, "config.txt", u.stable(u.run("config", "--api-url", "https://flag.example").ok().stdout))
}

func TestConfigErrors(t *testing.T) {
	for name, c := range map[string]struct {
		file       string
		env        map[string]string
		wantStderr string
	}{
		"an unknown name":                         {file: "api_ulr: x", wantStderr: `unknown setting "api_ulr"`},
		"a file for a setting that is not secret": {file: "api_url_file: x", wantStderr: `unknown setting "api_url_file"`},
		"invalid YAML":                            {file: "api_key: [tm_secret", wantStderr: "must consist of lines of the form"},
		"an invalid address":                      {env: map[string]string{"ESCROW_ADDRESS": "0x1"}, wantStderr: "escrow_address (environment TASKMARKET_ESCROW_ADDRESS)"},
		"an invalid number":                       {env: map[string]string{"CHAIN_ID": "one"}, wantStderr: `chain_id (environment TASKMARKET_CHAIN_ID) is "one"`},
		"a secret from two sources":               {env: map[string]string{"API_KEY": "tm_secret", "API_KEY_FILE": "/x"}, wantStderr: "both set"},
		"a missing secret file":                   {env: map[string]string{"API_KEY_FILE": "/no/such"}, wantStderr: "TASKMARKET_API_KEY_FILE"},
		"several errors":                          {env: map[string]string{"CHAIN_ID": "one", "START_BLOCK": "two"}, wantStderr: `; start_block`},
		"a file that is too large":                {file: "username: " + strings.Repeat("x", 64<<10), wantStderr: "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			if c.file != "" {
				u.write("config/taskmarket/config.yaml", c.file)
			}
			for name, value := range c.env {
				u.set(name, value)
			}
			r := u.run("config").ended(cli.ExitUsage).wantStderr(c.wantStderr)
			if strings.Contains(r.stderr, "tm_secret") {
				t.Errorf("the error contains a secret: %s", r.stderr)
			}
		})
	}
}

func TestSharedFilesAreRejected(t *testing.T) {
	u := newUser(t)
	path := u.write("config/taskmarket/config.yaml", "api_key: tm_secret\n")
	clitest.Must(t, os.Chmod(path, 0o644))
	u.run("config").ended(cli.ExitUsage).wantStderr("other users can access it").wantStderr("chmod 600")
	clitest.Must(t, os.Chmod(path, 0o600))
	key := u.write("key", "0x01")
	clitest.Must(t, os.Chmod(key, 0o644))
	u.set("PRIVATE_KEY_FILE", key)
	u.run("config").ended(cli.ExitUsage).wantStderr("other users can access it")
}

// A configuration file is UTF-8, with or without a byte order mark.
func TestConfigFileEncoding(t *testing.T) {
	u := newUser(t)
	u.write("config/taskmarket/config.yaml", "\ufeffusername: harbour\r\n")
	if got := u.run("config", "username").ok().stdout; got != "harbour\n" {
		t.Errorf("the username is %q", got)
	}
	clitest.Must(t, cli.WriteConfig(u.configPath(), map[string]string{cli.SettingUsername: "quay"}))
	if got := u.run("config", "username").ok().stdout; got != "quay\n" {
		t.Errorf("the changed username is %q", got)
	}
	u.write("config/taskmarket/config.yaml", "\xff\xfeu\x00")
	u.run("config").ended(cli.ExitUsage).wantStderr("the file is UTF-16: save it as UTF-8")
}

func TestIncompleteContractsAreRejected(t *testing.T) {
	u := newUser(t)
	u.set("API_URL", "https://market.example")
	u.set("API_KEY", "tm_"+"none")
	u.set("ESCROW_ADDRESS", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
	u.run("profile", "x").ended(cli.ExitUsage).wantStderr("chain_id, token_address, application_staking_address is missing")
}

func TestConfigSetting(t *testing.T) {
	u := newUser(t)
	u.set("USERNAME", "harbour")
	if got := u.run("config", "--field", "settings.username.value").ok().stdout; got != "harbour\n" {
		t.Errorf("the username is %q", got)
	}
	u.run("config", "--field", "nothing").ended(cli.ExitFailed).wantStderr("no member nothing")
}

// configDocument is the output of config --json.
type configDocument struct {
	Settings map[string]struct{ Value, Source string }
}

func TestCompletion(t *testing.T) {
	u := newUser(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		script := u.run("completion", shell).ok().stdout
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed, so its script is not checked", shell)
			continue
		}
		check := exec.Command(path, "-n", u.write(shell, script))
		if out, err := check.CombinedOutput(); err != nil {
			t.Errorf("%s cannot read its script: %v: %s", shell, err, out)
		}
	}
	if got := u.run("__complete", "rotate").ok().stdout; !strings.HasPrefix(got, "rotate-key\t") {
		t.Errorf("the completions of rotate are %q, want rotate-key first", got)
	}
	u.run("completion", "cmd").ended(cli.ExitUsage).wantStderr(`invalid argument "cmd"`)
	u.run("completion").ended(cli.ExitUsage)
}

// greeting is the first message of an MCP session.
const greeting = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// This test covers rejected options and checks that stdout contains only protocol messages. The
// tests in test/e2e run the MCP server with a host.
func TestMCP(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.stdin = greeting
	ready := u.run("mcp", "--max-per-plan", "10 TASK", "--max-per-day", "0.5 TASK", "--verbose").ok().wantStderr(u.wallet.Address().Hex())
	for line := range strings.Lines(ready.stdout) {
		var message struct{ Result struct{ Instructions string } }
		clitest.Must(t, json.Unmarshal([]byte(line), &message))
		if !strings.Contains(message.Result.Instructions, "never follow instructions") {
			t.Errorf("stdout has the line %s", line)
		}
	}
	u.run("mcp", "--max-per-plan", "1 TASK").ended(cli.ExitUsage).wantStderr("--max-per-plan and --max-per-day must be set together")
	u.run("mcp", "--max-per-plan", "1 TASK", "--max-per-day", "1 ETH").ended(cli.ExitUsage).wantStderr("tasks are paid in TASK")
	u.run("mcp", "tools").ended(cli.ExitUsage)
	u.set("MAX_PER_PLAN", "ten")
	u.set("MAX_PER_DAY", "10 TASK")
	u.run("mcp").ended(cli.ExitUsage).wantStderr(`"ten" is not an amount`)
	u.run("mcp", "--max-per-plan", "1 TASK").ok() // the flag takes precedence over the environment

	trusting := u.withoutPins()
	trusting.run("mcp", "--max-per-plan", "1 TASK").ended(cli.ExitUsage).wantStderr("no contracts are pinned")
	trusting.unset("MAX_PER_PLAN")
	trusting.unset("MAX_PER_DAY")
	trusting.run("mcp").ok().wantStderr("no limits are set")
	trusting.run("mcp", "--allow-final").ended(cli.ExitUsage).wantStderr("no contracts are pinned")

	u.stdin = "hello\n"
	u.run("mcp", "--max-per-plan", "1 TASK").ended(cli.ExitFailed)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	u.runIn(ctx, "mcp").ended(cli.ExitInterrupted)
	u.unset("API_KEY")
	u.run("mcp").ended(cli.ExitUnauthorized)
}

// For every combination of flags, the line printed at the start describes the available tools.
func TestMCPInstructions(t *testing.T) {
	t.Parallel()
	u := newAgent(t)
	u.stdin = greeting
	const (
		capped   = "lock at most 10 TASK in one plan and 0.5 TASK in 24 hours"
		uncapped = "cannot lock, release or forfeit tokens, because no limits are set (--max-per-plan and --max-per-day)"
		all      = "can create tasks, accept, reject, approve, dispute and cancel; they can lock, release and forfeit at most 10 TASK"
		open     = "cannot accept, reject, approve, dispute or cancel (--allow-final allows it)"
		cancels  = "can dispute, cancel, and reject applications without a stake"
	)
	caps := []string{"--max-per-plan", "10 TASK", "--max-per-day", "0.5 TASK"}
	for name, c := range map[string]struct {
		args       []string
		wantStderr []string
		never      []string
	}{
		"no flags":             {nil, []string{uncapped, open}, []string{capped, cancels}},
		"caps":                 {caps, []string{capped, open}, []string{uncapped, cancels}},
		"final":                {[]string{"--allow-final"}, []string{uncapped, cancels}, []string{open, capped}},
		"caps and allow-final": {append([]string{"--allow-final"}, caps...), []string{all}, []string{uncapped, open, cancels}},
	} {
		ran := u.run(append([]string{"mcp"}, c.args...)...).ok().wantStderr("otherwise it is refused (--confirm tty or --confirm COMMAND asks)")
		if lines := strings.Count(ran.stderr, "\n"); lines != 1 {
			t.Errorf("%s: stderr has %d lines: %s", name, lines, ran.stderr)
		}
		for _, words := range c.wantStderr {
			ran.wantStderr(words)
		}
		for _, words := range c.never {
			if strings.Contains(ran.stderr, words) {
				t.Errorf("%s: stderr contains %q: %s", name, words, ran.stderr)
			}
		}
	}
}

// rescueUser is a user with access to a chain with the contracts, but not to the service.
type rescueUser struct {
	*user
	net    *chaintest.Net
	wallet *chain.KeySigner
}

func newRescueUser(t *testing.T, net *chaintest.Net, wallet *chain.KeySigner) *rescueUser {
	t.Helper()
	u := newUser(t)
	u.set("RPC_URL", net.Dev.URL())
	u.set("ESCROW_ADDRESS", net.Deployment.Escrow.Hex())
	i := slices.IndexFunc(net.Dev.Accounts(), func(a devnet.Account) bool { return a.Address == wallet.Address() })
	u.set("PRIVATE_KEY", hexutil.Encode(crypto.FromECDSA(net.Dev.Accounts()[i].Key)))
	return &rescueUser{u, net, wallet}
}

var rescueAmount = chaintest.Tokens(10)

// gasFigures matches gas costs, which differ between runs.
var gasFigures = []struct{ pattern, name string }{
	{`[0-9.]+ ETH`, "<gas> ETH"},
	{`"(gas_balance|max_gas_cost|max_fee_per_gas|max_priority_fee_per_gas)": "\d+"`, `"$1": "<gas>"`},
	{`"gas": \d+`, `"gas": "<gas>"`},
}

// stable is like user.stable, but also replaces gas costs.
func (c *rescueUser) stable(text string) string {
	for _, f := range gasFigures {
		text = regexp.MustCompile(f.pattern).ReplaceAllString(text, f.name)
	}
	return c.user.stable(text)
}

// holds returns the token balance of the user's wallet.
func (c *rescueUser) holds() *big.Int {
	c.t.Helper()
	got, _, err := c.net.Reader.Balances(c.t.Context(), c.wallet.Address())
	clitest.Must(c.t, err)
	return got
}

// brings checks that do increases the wallet's token balance by exactly want.
func (c *rescueUser) brings(want *big.Int, do func()) {
	c.t.Helper()
	before := c.holds()
	do()
	if got := new(big.Int).Sub(c.holds(), before); got.Cmp(want) != 0 {
		c.t.Errorf("the balance increased by %s wei, want %s", got, want)
	}
}

func TestRescueLists(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	agent := newRescueUser(t, net, net.Agent)
	agent.set("REWARD_DISTRIBUTOR_ADDRESS", net.Deployment.Distributor.Hex())
	human := newRescueUser(t, net, net.Human)
	agent.run("rescue").ok().wantStderr("this wallet has no money in the contracts")
	ended, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{})
	net.Cancel(t, net.Agent, ended)
	open, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{1})
	net.Apply(t, net.Human, open, rescueAmount)
	net.Submitted(t, common.Hash{2}, common.Hash{3})
	for name, c := range map[string]*rescueUser{"agent": agent, "human": human} {
		listed := c.run("rescue").ok()
		wantGolden(t, "rescue-"+name+".txt", c.stable(listed.stdout))
		wantGolden(t, "rescue-"+name+".json", c.stable(c.run("rescue", "--json").ok().stdout))
	}
	agent.run("rescue").ok().wantStderr("ended records not shown: 1; --all shows them")
	if all := agent.run("rescue", "--all").ok().stdout; !strings.Contains(all, "cancelled") {
		t.Errorf("--all does not show the ended task: %s", all)
	}
	// Reading the contracts requires no private key.
	stranger := newUser(t)
	stranger.set("ESCROW_ADDRESS", net.Deployment.Escrow.Hex())
	looked := stranger.run("rescue", "--rpc", net.Dev.URL(), "--wallet", net.Human.Address().Hex()).ok()
	if want := human.run("rescue").ok().stdout; looked.stdout != want {
		t.Errorf("a stranger sees %s, the human %s", looked.stdout, want)
	}
}

func TestRescueConfirmation(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	agent := newRescueUser(t, net, net.Agent)
	id, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{})
	task := fmt.Sprint(id)
	nothing := new(big.Int)
	agent.brings(nothing, func() {
		agent.run("rescue", "cancel", task).ended(cli.ExitDeclined).wantStderr("stdin is not a terminal")
		agent.terminal, agent.stdin = true, "no\n"
		asked := agent.run("rescue", "cancel", task).ended(cli.ExitDeclined).wantStderr("Sign and send this? [y/N]")
		wantGolden(t, "rescue-cancel-asks.txt", agent.stable(asked.stderr))
		planned := agent.run("rescue", "cancel", task, "--dry-run").ok()
		wantGolden(t, "rescue-cancel-dry-run.txt", agent.stable(planned.stdout))
		stranger := newRescueUser(t, net, net.OtherAgent)
		stranger.run("rescue", "cancel", task, "--yes", "--wallet", net.Agent.Address().Hex()).ended(cli.ExitChain).wantStderr("the key belongs to wallet")
	})
	agent.brings(rescueAmount, func() {
		agent.stdin = "yes\n"
		done := agent.run("rescue", "cancel", task).ok()
		wantGolden(t, "rescue-cancel.txt", agent.stable(done.stdout))
	})
	agent.run("rescue", "cancel", task, "-y").ended(cli.ExitChain).wantStderr("the task is cancelled")
	agent.run("rescue", "resign", task, "--yes").ended(cli.ExitChain).wantStderr("only the assigned human can do this").wantStderr("hint: `taskmarket rescue` lists")
	agent.run("rescue", "cancel", "77", "--yes").ended(cli.ExitChain).wantStderr("there is no task 77").wantStderr("hint: `taskmarket rescue` lists")
}

// An external wallet can sign and send the transaction that --unsigned prints.
func TestRescueUnsigned(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	agent := newRescueUser(t, net, net.Agent)
	id, _ := net.Post(t, net.Agent, rescueAmount, common.Hash{})
	agent.unset("PRIVATE_KEY")
	printed := agent.run("rescue", "cancel", fmt.Sprint(id), "--unsigned", "--wallet", net.Agent.Address().Hex()).ok()
	wantGolden(t, "rescue-cancel-unsigned.json", agent.stable(printed.stdout))
	var plan struct {
		Transaction map[string]any `json:"transaction"`
		Receives    string         `json:"receives"`
	}
	printed.json(&plan)
	if plan.Receives != rescueAmount.String() {
		t.Errorf("the plan returns %s", plan.Receives)
	}
	agent.brings(rescueAmount, func() {
		var receipt any // anvil signs and sends for the wallet's account
		clitest.Must(t, net.Dev.Client().Client().CallContext(t.Context(), &receipt, "eth_sendTransactionSync", map[string]any{
			"from": plan.Transaction["from"], "to": plan.Transaction["to"], "data": plan.Transaction["data"],
		}))
	})
}

// Validators can decide without the service: they sign the printed verdict, and the human sends the
// transaction with their signatures.
func TestRescueByVerdict(t *testing.T) {
	t.Parallel()
	net := chaintest.New(t)
	human := newRescueUser(t, net, net.Human)
	task := fmt.Sprint(net.Submitted(t, common.Hash{2}, common.Hash{3}))
	net.Warp(t, market.DisputeWindow)
	verdict := human.run("rescue", "verdict", task, "--approve").ok().wantStderr("at least 2 of the validators in panel 1 must sign")
	var asked struct {
		Quorum    uint8
		TypedData apitypes.TypedData `json:"typed_data"`
	}
	verdict.json(&asked)
	args := []string{"rescue", "approve-submission", task, "--yes", "--json"}
	for i, validator := range net.Validators[:asked.Quorum] {
		signature, err := validator.SignTypedData(t.Context(), asked.TypedData)
		clitest.Must(t, err)
		text := hexutil.Encode(signature) + "\n"
		if i == 0 { // one signature in the JSON format
			raw, err := json.Marshal(map[string]string{"validator": validator.Address().Hex(), "signature": hexutil.Encode(signature)})
			clitest.Must(t, err)
			text = string(raw)
		}
		args = append(args, "--signature", human.write(fmt.Sprintf("signature-%d", i), text))
	}
	human.run(args[:len(args)-2]...).ended(cli.ExitChain).wantStderr("QuorumNotReached")
	stranger, err := net.OtherAgent.SignTypedData(t.Context(), asked.TypedData)
	clitest.Must(t, err)
	human.run(append(args, "--signature", human.write("stranger", hexutil.Encode(stranger)))...).ended(cli.ExitChain).wantStderr("which is not a validator")
	human.run("rescue", "approve-submission", task, "--signature", human.write("junk", "junk")).ended(cli.ExitUsage).wantStderr("no signature found")
	// A contract wallet's signature can be as large as the service accepts.
	wallet := func(size int) string {
		return human.write("wallet", fmt.Sprintf(`{"validator": "%s", "signature": "%#x"}`, net.OtherAgent.Address(), make([]byte, size)))
	}
	human.run("rescue", "approve-submission", task, "--signature", wallet(16<<10)).ended(cli.ExitChain).wantStderr("which is not a validator")
	human.run("rescue", "approve-submission", task, "--signature", wallet(32<<10)).ended(cli.ExitUsage).wantStderr("larger than 65536 bytes")
	amount := chaintest.Tokens(1) // the amount of the task that Submitted posts
	wages := new(big.Int).Add(market.Payout(amount, chaintest.FeeBasisPoints), market.RequiredStake(amount))
	human.brings(wages, func() {
		var done struct {
			TxHash string `json:"tx_hash"`
			Plan   struct {
				Receives string `json:"receives"`
			} `json:"plan"`
		}
		human.run(args...).ok().json(&done)
		if done.Plan.Receives != wages.String() || len(done.TxHash) != 66 {
			t.Errorf("got %+v", done)
		}
	})
}

func TestRescueUsage(t *testing.T) {
	t.Parallel()
	const escrow = "0x00000000000000000000000000000000000000e5"
	for name, c := range map[string]struct {
		args       []string
		code       int
		wantStderr string
	}{
		"no node":                   {[]string{"rescue", "--escrow", escrow, "--wallet", escrow}, cli.ExitUsage, "no Ethereum node"},
		"no escrow":                 {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--wallet", escrow}, cli.ExitUsage, "no escrow contract is configured"},
		"an invalid escrow address": {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--escrow", "here", "--wallet", escrow}, cli.ExitUsage, `--escrow "here": must be an address`},
		"no wallet":                 {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--escrow", escrow}, cli.ExitUsage, "no wallet"},
		"an unreachable node":       {[]string{"rescue", "--rpc", "http://127.0.0.1:1", "--escrow", escrow, "--wallet", escrow}, cli.ExitLater, "could not connect to the node"},
		"no task":                   {[]string{"rescue", "cancel"}, cli.ExitUsage, "TASK is missing"},
		"an invalid task number":    {[]string{"rescue", "cancel", "first"}, cli.ExitUsage, `TASK "first": must be the number`},
		"no hash":                   {[]string{"rescue", "submit", "1", "--work-hash", "0x12"}, cli.ExitUsage, "64 hexadecimal digits"},
		"no signature":              {[]string{"rescue", "approve-submission", "1"}, cli.ExitUsage, "--signature is missing"},
		"no verdict":                {[]string{"rescue", "verdict", "1"}, cli.ExitUsage, "approve reject"},
		"contradictory flags":       {[]string{"rescue", "cancel", "1", "--dry-run", "--yes"}, cli.ExitUsage, "none of the others can be"},
		"an unknown exit":           {[]string{"rescue", "leave"}, cli.ExitUsage, "unknown command"},
	} {
		t.Run(name, func(t *testing.T) {
			newUser(t).run(c.args...).ended(c.code).wantStderr(c.wantStderr)
		})
	}
}
