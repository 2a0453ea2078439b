package mcp

import (
	"context"
	"taskmarket/chain"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"

	"taskmarket/client"
)

// Undecided work is shown only after its hash was read from the chain. In this test the node is
// unreachable, so the work must not be shown.
func TestWorkIsVerifiedOnChain(t *testing.T) {
	t.Parallel()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	const away = "http://127.0.0.1:1"
	caller, err := client.New(client.Options{BaseURL: away, RPCURL: away, APIKey: "tmk_x", Signer: chain.NewKeySigner(key), MaxWait: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer caller.Close()
	task := func(status string, note any) any { return map[string]any{"status": status, "submission_note": note} }
	file := func(by string) any { return work{File: map[string]any{"uploaded_by": by}} }
	for name, c := range map[string]struct {
		tool   string
		result any
		shown  bool
	}{
		"a task without work":        {"get_task", task("active", nil), true},
		"submitted work":             {"get_task", task("submitted", mark{"Ten photos."}), false},
		"disputed work":              {"get_task", task("disputed", mark{"Ten photos."}), false},
		"work in an unknown status":  {"get_task", task("accepted!", mark{"Ten photos."}), false},
		"approved work":              {"get_task", task("approved", mark{"Ten photos."}), true},
		"a file of the agent":        {"download_task_file", file("agent"), true},
		"a file of the human":        {"download_task_file", file("human"), false},
		"the result of another tool": {"list_tasks", task("submitted", mark{"Ten photos."}), true},
	} {
		do := verified(c.tool, func(context.Context, *client.Client, map[string]any) (any, error) { return c.result, nil })
		got, err := do(t.Context(), caller, map[string]any{"task_id": uuid.NewString()})
		if shown := err == nil && got != nil; shown != c.shown {
			t.Errorf("%s: got %v, error %v", name, got, err)
		}
	}
}

// The shown result must be part of the work whose hash is on the chain, or marked as evidence.
func TestShownWorkIsVerified(t *testing.T) {
	t.Parallel()
	id, added := uuid.New(), uuid.New()
	whole := client.Work{
		Note: "Ten photos.", ProofURL: "https://photos.example/10",
		Files: []client.File{{ID: id, Sha256: "aa", Submitted: true}}, Evidence: []client.File{{ID: added, Sha256: "bb"}},
	}
	task := func(note, proof string) any {
		return map[string]any{"submission_note": mark{note}, "proof_url": mark{proof}}
	}
	file := func(sum string, submitted bool) any {
		return work{File: map[string]any{"sha256": sum, "submitted": submitted}}
	}
	for name, c := range map[string]struct {
		tool   string
		id     uuid.UUID
		result any
		part   bool
	}{
		"the note and the link":      {"get_task", id, task("Ten photos.", "https://photos.example/10"), true},
		"another note":               {"get_task", id, task("A hundred photos.", "https://photos.example/10"), false},
		"another link":               {"get_task", id, task("Ten photos.", "https://photos.example/11"), false},
		"the file":                   {"download_task_file", id, file("aa", true), true},
		"the file with another hash": {"download_task_file", id, file("bb", true), false},
		"the file as evidence":       {"download_task_file", id, file("aa", false), false},
		"another file":               {"download_task_file", uuid.New(), file("aa", true), false},
		"evidence":                   {"download_task_file", added, file("bb", false), true},
		"evidence as submitted work": {"download_task_file", added, file("bb", true), false},
		"evidence with another hash": {"download_task_file", added, file("cc", false), false},
	} {
		if got := verifiers[c.tool](arguments{"file_id": c.id.String()}, c.result, whole); got != c.part {
			t.Errorf("%s: %v", name, got)
		}
	}
}
