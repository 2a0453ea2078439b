// Package oasdiff_test checks that `make contract-check` refuses changes to the HTTP API that break
// clients, and only those. Otherwise, a check that compares nothing would go unnoticed.
package oasdiff_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// node is a mapping in the OpenAPI document.
type node = map[string]any

// change is a change to the published OpenAPI document.
type change struct {
	name string
	make func(contract node)
	rule string // the oasdiff rule that must refuse it; empty for a compatible change
}

var changes = []change{
	{"no change", func(node) {}, ""},
	{"an operation is removed", func(c node) { delete(at(c, "paths"), "/board") }, "api-path-removed"},
	{"a method is removed", func(c node) { delete(at(c, "paths", "/humans/me"), "patch") }, "api-removed-without-deprecation"},
	{
		"a response field is removed",
		func(c node) { delete(at(c, "components", "schemas", "Task", "properties"), "location") },
		"response-optional-property-removed",
	},
	{
		"a response field becomes optional",
		func(c node) { drop(at(c, "components", "schemas", "Task"), "required", "agent_username") },
		"response-property-became-optional",
	},
	{
		"a response field changes its type",
		func(c node) { at(c, "components", "schemas", "Task", "properties", "chain_id")["type"] = "string" },
		"response-property-type-changed",
	},
	{
		"a request field becomes required",
		func(c node) { add(at(c, "components", "schemas", "CreateTaskRequest"), "required", "deadline") },
		"request-property-became-required",
	},
	{
		"the maximum length of a request field decreases",
		func(c node) {
			at(c, "components", "schemas", "CreateTaskRequest", "properties", "title")["maxLength"] = 100
		},
		"request-property-max-length-decreased",
	},
	{
		"an enum value of a request is removed",
		func(c node) { drop(at(c, "components", "schemas", "TaskSort"), "enum", "deadline") },
		"request-parameter-enum-value-removed",
	},
	{
		"a parameter is removed",
		func(c node) { drop(at(c, "paths", "/board", "get"), "parameters", nil) },
		"request-parameter-removed",
	},
	{
		"a response status is removed",
		func(c node) { delete(at(c, "paths", "/agents/register", "post", "responses"), "201") },
		"response-success-status-removed",
	},
	{
		"an operation becomes authenticated",
		func(c node) { at(c, "paths", "/board", "get")["security"] = []any{node{"ApiKey": []any{}}} },
		"api-security-anonymous-access-removed",
	},
	{
		"only additions",
		func(c node) {
			at(c, "paths")["/board/archive"] = at(c, "paths", "/board")
			at(c, "components", "schemas", "Task", "properties")["colour"] = node{"type": "string"}
			add(at(c, "components", "schemas", "TaskStatus"), "x-extensible-enum", "paused")
			add(at(c, "components", "schemas", "TaskStatusInput"), "enum", "paused")
			at(c, "components", "schemas", "CreateTaskRequest", "properties")["colour"] = node{"type": "string"}
		},
		"",
	},
}

func TestContractCheckRefusesBreakingChanges(t *testing.T) {
	published, err := os.ReadFile("published.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		t.Run(change.name, func(t *testing.T) {
			var contract node
			if err := yaml.Unmarshal(published, &contract); err != nil {
				t.Fatal(err)
			}
			change.make(contract)
			said, passed := check(t, contract)
			switch {
			case change.rule == "" && !passed:
				t.Errorf("a compatible change is refused:\n%s", said)
			case change.rule != "" && passed:
				t.Error("a breaking change passes")
			case !strings.Contains(said, change.rule):
				t.Errorf("refused, but not by %s:\n%s", change.rule, said)
			}
		})
	}
}

// check runs `make contract-check` on a document, as `make lint` does on openapi.yaml.
func check(t *testing.T, contract node) (said string, passed bool) {
	t.Helper()
	raw, err := yaml.Marshal(contract)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "openapi.yaml")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("make", "--no-print-directory", "-C", filepath.Join("..", ".."), "contract-check", "CONTRACT="+file).CombinedOutput()
	return string(out), err == nil
}

// at returns the mapping at a path, which must exist.
func at(n node, path ...string) node {
	for _, key := range path {
		n = n[key].(node)
	}
	return n
}

// add appends a word to a list.
func add(n node, list, word string) { n[list] = append(n[list].([]any), word) }

// drop removes a word from a list, or empties the list if word is nil.
func drop(n node, list string, word any) {
	var kept []any
	for _, other := range n[list].([]any) {
		if word != nil && other != word {
			kept = append(kept, other)
		}
	}
	n[list] = kept
}
