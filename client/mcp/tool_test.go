package mcp_test

import (
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// finalTools lists the tools that decide about an escrow or a stake.
var finalTools = []string{
	"plan_accept_application", "plan_reject_application", "plan_approve_task", "plan_dispute_task", "plan_cancel_task",
}

// Without AllowFinal, the tools for final decisions are neither listed nor callable, and the
// instructions mention the flag that enables them.
func TestFinalToolsAreNotOfferedByDefault(t *testing.T) {
	t.Parallel()
	in, out, _ := start(t)
	session := connect(t, &sdk.IOTransport{Reader: out, Writer: in})
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, tool := range list.Tools {
		listed[tool.Name] = true
	}
	for _, name := range finalTools {
		if listed[name] {
			t.Errorf("%s is listed", name)
		}
		_, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: map[string]any{}})
		if err == nil || !strings.Contains(err.Error(), "unknown tool") {
			t.Errorf("%s can be called: %v", name, err)
		}
	}
	if !listed["plan_create_task"] || !listed["execute_plan"] {
		t.Errorf("the tools are %v", listed)
	}
	if instructions := session.InitializeResult().Instructions; !strings.Contains(instructions, "--allow-final") {
		t.Errorf("the instructions do not name the flag: %s", instructions)
	}
}
