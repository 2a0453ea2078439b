package test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const builtApp = "web/dist/app/index.html"

var (
	// goCommand matches the lines of a recipe that compile Go code of this module.
	goCommand = regexp.MustCompile(`\bgo (build|test|run|vet) |\$\(GO_TEST\)|\$\(GOLANGCI\) run`)
	// otherModule matches commands on the modules below tools/, whose tests may build the server.
	otherModule = regexp.MustCompile(`^@?(cd tools/(lint|oasdiff|s3|clef)|go run -C tools)\b`)
	// withoutServer matches commands on the packages in serverless.
	withoutServer = regexp.MustCompile(`(\./store|\./migrations|\./web/build/facts|\./cmd/taskmarket|\./\$\(CONTRACTS\)(/\S+)?)( |$|\s*\|\|)`)
)

// serverless are packages that do not embed the web app.
var serverless = []string{"./store", "./migrations", "./web/build/facts", "./cmd/taskmarket", "./chain/contracts/..."}

// The server embeds the built app, so each target that compiles the server must depend on it. Otherwise
// a parallel make embeds a part of the app, or none.
func TestTargetsThatCompileTheServerDependOnTheBuiltApp(t *testing.T) {
	t.Parallel()
	rules := makeRules(t)
	var found int
	for target, r := range rules {
		for _, line := range r.recipe {
			if !goCommand.MatchString(line) || otherModule.MatchString(line) || withoutServer.MatchString(line) {
				continue
			}
			found++
			if !dependsOn(rules, target, builtApp) {
				t.Errorf("%s runs %q, but does not depend on %s", target, line, builtApp)
			}
		}
	}
	if found < 12 {
		t.Errorf("found %d commands that compile the server, want at least 12", found)
	}
	for _, target := range []string{"run", "test", "web-test", "deep-loading", "clients", "release"} {
		if !dependsOn(rules, target, builtApp) {
			t.Errorf("%s uses the server, but does not depend on %s", target, builtApp)
		}
	}
	deps, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-C", "..", "-deps", "-test"}, serverless...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(strings.Fields(string(deps)), "taskmarket/web") {
		t.Errorf("one of %v embeds the web app", serverless)
	}
}

// Tests with PostgreSQL or a chain use the programs in .dev/tools.
func TestTargetsThatRunTestsDependOnTheTools(t *testing.T) {
	t.Parallel()
	rules := makeRules(t)
	for target, r := range rules {
		for _, line := range r.recipe {
			runsTests := strings.Contains(line, "$(GO_TEST)") || strings.Contains(line, "$(FORGE") ||
				strings.Contains(line, "go test ") && !strings.Contains(line, "cd tools")
			if runsTests && !dependsOn(rules, target, ".dev/tools/.installed") {
				t.Errorf("%s runs %q, but does not depend on tools", target, line)
			}
		}
	}
}

// A rule of the Makefile, with its prerequisites expanded and its recipe as it is written.
type rule struct{ prerequisites, recipe []string }

// makeRules returns the rules that make has read, by target.
func makeRules(t *testing.T) map[string]*rule {
	t.Helper()
	// Exit code 1 means that help, which is never made, is not up to date.
	out, err := exec.CommandContext(t.Context(), "make", "-C", "..", "--no-print-directory", "-pqrR", "help").Output()
	if len(out) == 0 {
		t.Fatalf("make -p: %v", err)
	}
	rules := make(map[string]*rule)
	var last *rule
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\n")
		switch target, prerequisites, isRule := strings.Cut(line, ": "); {
		case strings.HasPrefix(line, "\t") && last != nil:
			if n := len(last.recipe); n > 0 && strings.HasSuffix(last.recipe[n-1], `\`) {
				last.recipe[n-1] += strings.TrimSpace(line)
			} else {
				last.recipe = append(last.recipe, strings.TrimSpace(line))
			}
		case line == "" || strings.HasPrefix(line, "#"):
			if line == "" {
				last = nil
			}
		case strings.HasSuffix(line, ":"):
			last = &rule{}
			rules[strings.TrimSuffix(line, ":")] = last
		case isRule && !strings.Contains(target, " ") && !strings.Contains(prerequisites, "="):
			last = &rule{prerequisites: strings.Fields(prerequisites)}
			rules[target] = last
		}
	}
	return rules
}

func dependsOn(rules map[string]*rule, target, wanted string) bool {
	r := rules[target]
	return r != nil && slices.ContainsFunc(r.prerequisites, func(each string) bool {
		return each == wanted || dependsOn(rules, each, wanted)
	})
}
