package main

import "testing"

func TestRenameReplacesModulePathOnly(t *testing.T) {
	rename := renamer("taskmarket", "example.com/you/market")
	for text, want := range map[string]string{
		"module taskmarket\n":                       "module example.com/you/market\n",
		"module taskmarket/tools\n":                 "module example.com/you/market/tools\n",
		"import \"taskmarket\"\n":                   "import \"example.com/you/market\"\n",
		"\t\"taskmarket/gen/api\"\n":                "\t\"example.com/you/market/gen/api\"\n",
		"\tgen \"taskmarket/gen/client\"\n":         "\tgen \"example.com/you/market/gen/client\"\n",
		"- { pkg: taskmarket/store, desc: x }\n":    "- { pkg: example.com/you/market/store, desc: x }\n",
		"import: taskmarket/market } }\n":           "import: example.com/you/market/market } }\n",
		"ignore-types: ['^taskmarket/market\\.K$']": "ignore-types: ['^example.com/you/market/market\\.K$']",
		"local-prefixes: [taskmarket]\n":            "local-prefixes: [example.com/you/market]\n",
		"see `go doc taskmarket/chain`":             "see `go doc example.com/you/market/chain`",
		"run bin/taskmarket help\n":                 "run bin/taskmarket help\n",
		"postgres://user@db/taskmarket\n":           "postgres://user@db/taskmarket\n",
		"from \"./taskmarket/client.gen.js\"":       "from \"./taskmarket/client.gen.js\"",
		"Use: \"taskmarket\",\n":                    "Use: \"taskmarket\",\n",
	} {
		if got := string(rename([]byte(text))); got != want {
			t.Errorf("rename(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestRunRefusesInvalidModulePaths(t *testing.T) {
	for _, path := range []string{"", "Example/../x", "example.com//x", "-x", "a b"} {
		if run(t.TempDir(), []string{path}) == nil {
			t.Errorf("run accepted %q", path)
		}
	}
}
