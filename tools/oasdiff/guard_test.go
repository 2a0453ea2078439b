// Package oasdiff_test shows that the guard over the HTTP contract, which is `make
// contract-check`, refuses what breaks clients and nothing else: a guard that compares
// nothing looks exactly like success.
package oasdiff_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// node is a mapping of the contract.
type node = map[string]any

// change is made to the contract as published.
type change struct {
	name string
	make func(contract node)
	rule string // of oasdiff, which must refuse it; none when it is compatible
}

var changes = []change{
	{"nothing", func(node) {}, ""},
	{"an operation goes", func(c node) { delete(at(c, "paths"), "/board") }, "api-path-removed"},
	{"a method goes", func(c node) { delete(at(c, "paths", "/humans/me"), "patch") }, "api-removed-without-deprecation"},
	{
		"a member of an answer goes",
		func(c node) { delete(at(c, "components", "schemas", "Task", "properties"), "location") },
		"response-optional-property-removed",
	},
	{
		"a member of an answer is no longer sure",
		func(c node) { drop(at(c, "components", "schemas", "Task"), "required", "agent_username") },
		"response-property-became-optional",
	},
	{
		"a member of an answer is of another type",
		func(c node) { at(c, "components", "schemas", "Task", "properties", "chain_id")["type"] = "string" },
		"response-property-type-changed",
	},
	{
		"a request must say more",
		func(c node) { add(at(c, "components", "schemas", "CreateTaskRequest"), "required", "deadline") },
		"request-property-became-required",
	},
	{
		"a request may say less",
		func(c node) {
			at(c, "components", "schemas", "CreateTaskRequest", "properties", "title")["maxLength"] = 100
		},
		"request-property-max-length-decreased",
	},
	{
		"a word of a request goes",
		func(c node) { drop(at(c, "components", "schemas", "TaskSort"), "enum", "deadline") },
		"request-parameter-property-enum-value-removed",
	},
	{
		"a parameter goes",
		func(c node) { drop(at(c, "paths", "/board", "get"), "parameters", nil) },
		"request-parameter-removed",
	},
	{
		"an answer may say something new",
		func(c node) { add(at(c, "components", "schemas", "TaskStatus"), "enum", "paused") },
		"response-property-enum-value-added",
	},
	{
		"an answer goes",
		func(c node) { delete(at(c, "paths", "/agents/register", "post", "responses"), "201") },
		"response-success-status-removed",
	},
	{
		"an operation wants credentials",
		func(c node) { at(c, "paths", "/board", "get")["security"] = []any{node{"ApiKey": []any{}}} },
		"api-security-anonymous-access-removed",
	},
	{
		"only additions",
		func(c node) {
			at(c, "paths")["/board/archive"] = at(c, "paths", "/board")
			at(c, "components", "schemas", "Task", "properties")["colour"] = node{"type": "string"}
			at(c, "components", "schemas", "CreateTaskRequest", "properties")["colour"] = node{"type": "string"}
		},
		"",
	},
}

func TestGuard(t *testing.T) {
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

// check runs the guard over a contract as `make lint` does over openapi.yaml.
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

// at is the mapping at a path, which the published contract has.
func at(n node, path ...string) node {
	for _, key := range path {
		n = n[key].(node)
	}
	return n
}

// add puts a word at the end of a list.
func add(n node, list, word string) { n[list] = append(n[list].([]any), word) }

// drop takes a word out of a list, or all of it when the word is nil.
func drop(n node, list string, word any) {
	var kept []any
	for _, other := range n[list].([]any) {
		if word != nil && other != word {
			kept = append(kept, other)
		}
	}
	n[list] = kept
}
