package main

import (
	"testing"

	"taskmarket/client"
)

func TestOnlyWhatWasAgreedToIsSigned(t *testing.T) {
	agreed := client.Plan{ID: "one"}
	if err := sameAs(agreed, agreed); err != nil {
		t.Errorf("the plan that was agreed to: %v", err)
	}
	if code := exitCode(t.Context(), sameAs(agreed, client.Plan{ID: "other"})); code != exitChain {
		t.Errorf("another plan: exit code %d, want %d", code, exitChain)
	}
	if code := exitCode(t.Context(), sameAs(client.Plan{}, agreed)); code != exitChain {
		t.Errorf("a plan that nobody saw: exit code %d, want %d", code, exitChain)
	}
	for _, nothing := range []client.Plan{{ID: "one", Resumes: true}, {ID: "one", Done: true}} {
		if code := exitCode(t.Context(), sameAs(nothing, agreed)); code != exitChain {
			t.Errorf("nothing new was to be signed: exit code %d, want %d", code, exitChain)
		}
	}
}
