package e2e_test

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/chain"
	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	"taskmarket/chain/send"
	gen "taskmarket/gen/client"
	"taskmarket/gen/contracts"
)

// commandLine builds the agents' program in the server's folder, once, for the first test that
// needs it.
var commandLine = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(program), "taskmarket")
	if out, err := exec.Command("go", "build", "-o", path, "taskmarket/cmd/taskmarket").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build taskmarket: %w: %s", err, out)
	}
	return path, nil
})

// toolsOf starts the agent's tool server with the caps and connects to it, as an MCP host without
// elicitation does.
func (w *world) toolsOf(a *agent, dir string, caps ...string) toolbox {
	w.t.Helper()
	return w.connect(w.toolServer(a, dir, caps...))
}

// confirmedToolsOf is like toolsOf, but the host asks a person for each confirmation, and the person agrees.
func (w *world) confirmedToolsOf(a *agent, dir string, caps ...string) toolbox {
	w.t.Helper()
	return w.connectAs(w.toolServer(a, dir, caps...), &sdk.ClientOptions{
		ElicitationHandler: func(context.Context, *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			return &sdk.ElicitResult{Action: "accept"}, nil
		},
	})
}

func (w *world) toolServer(a *agent, dir string, caps ...string) sdk.Transport {
	w.t.Helper()
	path, err := commandLine()
	w.must(err)
	key := slices.IndexFunc(w.net.Dev.Accounts(), func(d devnet.Account) bool { return d.Address == a.Wallet.Address() })
	command := exec.CommandContext(w.ctx, path, append([]string{"mcp"}, caps...)...)
	command.Stderr = w.t.Output()
	command.Env = append(w.variables(w.pins()),
		"HOME="+w.dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "TASKMARKET_API_URL="+w.server.api(),
		"TASKMARKET_RPC_URL="+w.net.Dev.URL(), "TASKMARKET_API_KEY="+a.Key,
		"TASKMARKET_PRIVATE_KEY="+hexutil.Encode(crypto.FromECDSA(w.net.Dev.Accounts()[key].Key)))
	return &sdk.CommandTransport{Command: command}
}

// execute plans a step and executes the plan, as an MCP host does after the user's approval.
func (b toolbox) execute(step string, arguments args) map[string]any {
	b.t.Helper()
	plan := b.call("plan_"+step, arguments)
	return b.call("execute_plan", args{"plan_id": plan["plan_id"], "spends": plan["spends"]})
}

// A model hires a human with the agent's program, by executing plans.
func TestAgentTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	defer w.end()
	before := w.balances()
	dir := t.TempDir()
	b := w.toolsOf(w.agent, dir, "--max-per-plan", "10 "+w.symbol(), "--max-per-day", "15 "+w.symbol())
	w.wantPlansHold(b)

	plan := b.call("plan_create_task", orderAs("first"))
	w.wantGains(before, gains{})
	if plan["spends"] != chaintest.Tokens(10).String() || plan["payout_amount"] != "9500000000000000000" ||
		!strings.Contains(as[string](t, plan["consequence"]), "in the escrow") {
		t.Errorf("the plan is %v", plan)
	}
	yes := args{"plan_id": plan["plan_id"], "spends": plan["spends"]}
	task := as[string](t, as[args](t, b.call("execute_plan", yes)["task"])["id"])
	b.refused("execute_plan", yes, "already been used")
	restarted := w.toolsOf(w.agent, dir, "--max-per-plan", "10 "+w.symbol(), "--max-per-day", "15 "+w.symbol())
	for _, b := range []toolbox{b, restarted} {
		if again := b.call("plan_create_task", orderAs("first")); again["already_done"] != true || again["task_id"] != task {
			t.Errorf("the same key plans %v", again)
		}
		b.refused("plan_create_task", orderAs("second"), "left under the cap for 24 hours")
	}

	b = w.wantFinalPermitted(b, dir)
	id := uuid.MustParse(task)
	w.addUntrustedText(id)
	applications := as[[]any](t, b.call("list_task_applications", args{"task_id": task})["applications"])
	unstaked, err := w.person(w.net.OtherHuman).API.ApplyForTaskWithResponse(w.ctx, id, nil, gen.ApplyForTaskRequest{})
	w.must(err)
	b.execute("reject_application", args{"task_id": task, "application_id": unstaked.JSON201.Application.ID, "reason": injection + "reason"})
	accept := args{"task_id": task, "application_id": as[args](t, applications[0])["id"]}
	w.wantReleaseCapped("accept_application", accept)
	w.wantConfirmationNeeded("accept_application", accept)
	b.execute("accept_application", accept)
	w.deliver(id)
	w.wantReleaseCapped("approve_task", args{"task_id": task})
	// The approval does not count again, because the acceptance has already counted the escrow.
	b.execute("approve_task", args{"task_id": task})
	w.await(id, gen.TaskStatusValidating)
	w.vote(id, true)
	w.await(id, gen.TaskStatusApproved)
	w.wantGains(before, paid)
	w.review(id)
	b.execute("review_task", args{"task_id": task, "rating": 5, "comment": injection + "comment"})
	b.wantAllWrapped(id)
}

// wantFinalPermitted checks that a tool server offers final decisions only with --allow-final. It
// returns such a server, whose caps also allow the release of the task's amount.
func (w *world) wantFinalPermitted(b toolbox, dir string) toolbox {
	w.t.Helper()
	final := w.confirmedToolsOf(w.agent, dir, "--max-per-plan", "10 "+w.symbol(), "--max-per-day", "20 "+w.symbol(), "--allow-final")
	for _, name := range []string{
		"plan_accept_application", "plan_reject_application", "plan_approve_task", "plan_dispute_task", "plan_cancel_task",
	} {
		if b.offers(name) || !final.offers(name) {
			w.t.Errorf("%s is offered without the flag: %v; with it: %v", name, b.offers(name), final.offers(name))
		}
	}
	return final
}

// offers reports whether a tool of this name exists.
func (b toolbox) offers(name string) bool {
	b.t.Helper()
	list, err := b.session.ListTools(b.ctx, nil)
	b.must(err)
	return slices.ContainsFunc(list.Tools, func(t *sdk.Tool) bool { return t.Name == name })
}

// wantReleaseCapped checks that a step which releases an escrow of 10 tokens is rejected above the
// caps, or without any, and signs nothing.
func (w *world) wantReleaseCapped(step string, arguments args) {
	w.t.Helper()
	nonce := w.nonceOf(w.agent)
	w.toolsOf(w.agent, w.t.TempDir(), "--allow-final").refused("plan_"+step, arguments, "not allowed to lock, release or forfeit tokens")
	w.toolsOf(w.agent, w.t.TempDir(), "--allow-final", "--max-per-plan", "9 "+w.symbol(), "--max-per-day", "15 "+w.symbol()).
		refused("plan_"+step, arguments, "above the cap of")
	w.toolsOf(w.agent, w.t.TempDir(), "--allow-final", "--max-per-plan", "10 "+w.symbol(), "--max-per-day", "9 "+w.symbol()).
		refused("plan_"+step, arguments, "left under the cap for 24 hours")
	if got := w.nonceOf(w.agent); got != nonce {
		w.t.Errorf("%s sent %d transactions", step, got-nonce)
	}
}

// wantConfirmationNeeded checks that a step signs nothing if no person can be asked, or if the person
// declines.
func (w *world) wantConfirmationNeeded(step string, arguments args) {
	w.t.Helper()
	nonce := w.nonceOf(w.agent)
	for words, confirm := range map[string][]string{
		"a person must confirm this action": nil, "the person declined": {"--confirm", "exit 1"},
	} {
		b := w.toolsOf(w.agent, w.t.TempDir(), append([]string{"--allow-final", "--max-per-plan", "10 " + w.symbol(), "--max-per-day", "10 " + w.symbol()}, confirm...)...)
		plan := b.call("plan_"+step, arguments)
		b.refused("execute_plan", args{"plan_id": plan["plan_id"], "spends": plan["spends"]}, words)
	}
	if got := w.nonceOf(w.agent); got != nonce {
		w.t.Errorf("%s sent %d transactions", step, got-nonce)
	}
}

// orderAs returns the order with the model's key.
func orderAs(key string) args {
	arguments := order()
	arguments["idempotency_key"] = key
	return arguments
}

// symbol returns the token's symbol.
func (w *world) symbol() string {
	w.t.Helper()
	config, err := w.agent.Config(w.ctx)
	w.must(err)
	return config.Token.Symbol
}

// wantPlansHold checks that a plan can be executed only if it is unchanged, belongs to the same
// agent and is within the caps. All its attempts must fail.
func (w *world) wantPlansHold(b toolbox) {
	w.t.Helper()
	nonce := w.nonceOf(w.agent)
	dear := orderAs("dear")
	dear["escrow_amount"] = chaintest.Tokens(11).String()
	b.refused("plan_create_task", dear, "above the cap of")
	w.toolsOf(w.agent, w.t.TempDir()).refused("plan_create_task", orderAs("first"), "not allowed to lock, release or forfeit tokens")

	plan := b.call("plan_create_task", orderAs("first"))
	yes := args{"plan_id": plan["plan_id"], "spends": plan["spends"]}
	b.refused("execute_plan", args{"plan_id": plan["plan_id"], "spends": "1"}, "not 1; nothing was done")
	b.refused("execute_plan", args{"plan_id": plan["plan_id"], "spends": plan["spends"], "title": "Other"}, "invalid arguments")
	b.refused("execute_plan", args{"plan_id": "guessed", "spends": plan["spends"]}, "unknown plan_id")
	other := w.newAgent(w.net.OtherAgent, "other-agent")
	w.toolsOf(other, w.t.TempDir(), "--max-per-plan", "10 "+w.symbol(), "--max-per-day", "15 "+w.symbol()).
		refused("execute_plan", yes, "unknown plan_id")

	w.setFee(chaintest.FeeBasisPoints + 1)
	b.refused("execute_plan", yes, "the plan has changed")
	w.setFee(chaintest.FeeBasisPoints)
	b.refused("execute_plan", yes, "already been used")
	if got := w.nonceOf(w.agent); got != nonce {
		w.t.Errorf("%d transactions were sent", got-nonce)
	}
}

func (w *world) nonceOf(a *agent) uint64 {
	w.t.Helper()
	nonce, err := send.NewSender(w.net.Node, a.Wallet).NextNonce(w.ctx)
	w.must(err)
	return nonce
}

// setFee changes the platform's fee as the owner, and waits until the server has followed the
// change.
func (w *world) setFee(basisPoints uint16) {
	w.t.Helper()
	data := contracts.NewEscrow().PackSetPlatformFee(basisPoints)
	w.net.Send(w.t, w.net.Owner, chain.Call{To: w.net.Deployment.Escrow, Data: data})
	w.settle()
}
