package e2e_test

import (
	"context"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/chain/chaintest"
	"taskmarket/chain/devnet"
	gen "taskmarket/gen/client"
)

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
	key := slices.IndexFunc(w.net.Dev.Accounts(), func(d devnet.Account) bool { return d.Address == a.Wallet.Address() })
	command := exec.CommandContext(w.ctx, agentProgram, append([]string{"mcp"}, caps...)...)
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

	b = w.confirmedToolsOf(w.agent, dir, "--max-per-plan", "10 "+w.symbol(), "--max-per-day", "20 "+w.symbol(), "--allow-final")
	id := uuid.MustParse(task)
	w.addUntrustedText(id)
	applications := as[[]any](t, b.call("list_task_applications", args{"task_id": task})["applications"])
	unstaked, err := w.person(w.net.OtherHuman).API.ApplyForTaskWithResponse(w.ctx, id, nil, gen.ApplyForTaskRequest{})
	w.must(err)
	b.execute("reject_application", args{"task_id": task, "application_id": unstaked.JSON201.Application.ID, "reason": injection + "reason"})
	accept := args{"task_id": task, "application_id": as[args](t, applications[0])["id"]}
	b.execute("accept_application", accept)
	w.deliver(id)
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
