package spend

import (
	"testing"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

func TestSamePlan(t *testing.T) {
	agreed := client.Plan{ID: "one"}
	if err := samePlan(agreed, agreed); err != nil {
		t.Errorf("the confirmed plan: %v", err)
	}
	if code := cli.ExitCode(t.Context(), samePlan(agreed, client.Plan{ID: "other"})); code != cli.ExitChain {
		t.Errorf("another plan: exit code %d, want %d", code, cli.ExitChain)
	}
	if code := cli.ExitCode(t.Context(), samePlan(client.Plan{}, agreed)); code != cli.ExitChain {
		t.Errorf("a plan that was not confirmed: exit code %d, want %d", code, cli.ExitChain)
	}
	for _, nothing := range []client.Plan{{ID: "one", Resumes: true}, {ID: "one", Done: true}} {
		if code := cli.ExitCode(t.Context(), samePlan(nothing, agreed)); code != cli.ExitChain {
			t.Errorf("nothing new was to be signed: exit code %d, want %d", code, cli.ExitChain)
		}
	}
}
