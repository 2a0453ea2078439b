package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/gen/client"
)

// block is a fenced code block of the skill file.
type block struct{ language, text string }

var fence = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// follower executes the steps of the skill file with values from earlier responses.
type follower struct {
	r     *rig
	agent *user
	human *user
	names map[string]string // values by name, escaped for a JSON string
}

// An agent completes a task with a human by following exactly the steps of the skill file. Before a step
// that waits for another party, the test performs that party's action.
func TestSkillFileMatchesTheAPI(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	f := &follower{r: r, human: r.human(r.net.Human), names: map[string]string{
		"WALLET": r.net.Agent.Address().Hex(), "USERNAME": "harbour-agent",
	}}
	requests := 0
	for _, found := range fence.FindAllStringSubmatch(r.read("GET", "/skill.md").body, -1) {
		step := block{found[1], found[2]}
		switch step.language {
		case "sh":
			f.request(step)
			requests++
		case "wallet":
			f.sign(step)
		default:
			t.Errorf("unknown block language %s", step.language)
		}
	}
	if requests < 19 {
		t.Errorf("%d requests were made", requests)
	}
	if got := f.task().Status; got != client.TaskStatusCancelled {
		t.Errorf("the final status is %s", got)
	}
}

// request sends the block's request and stores the values that its first line names.
func (f *follower) request(step block) {
	t := f.r.t
	t.Helper()
	comment, command, _ := strings.Cut(step.text, "\n")
	f.prepare(strings.Fields(command))
	request := f.parse(command)
	response, err := newValidator(t).RoundTrip(request)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	status, keep, _ := strings.Cut(strings.TrimPrefix(comment, "# "), ":")
	if want, err := strconv.Atoi(status); err != nil || response.StatusCode != want {
		t.Fatalf("%s\nreturned %d %s, want %q", command, response.StatusCode, body, comment)
	}
	for each := range strings.SplitSeq(keep, ",") {
		if path, name, ok := strings.Cut(strings.TrimSpace(each), " → "); ok {
			f.names[name] = member(t, body, path)
		}
	}
}

var curl = regexp.MustCompile(`^curl -sS(?: -X (POST))? "?([^ "]+)"?((?: -H "[^"]+")*)( --data @- <<EOF| -o work)?\n(?s:(.*?)(?:EOF\n)?)$`)

// parse parses a curl command in the form that the file uses.
func (f *follower) parse(command string) *http.Request {
	t := f.r.t
	t.Helper()
	parts := curl.FindStringSubmatch(command)
	if parts == nil {
		t.Fatalf("no such command: %s", command)
	}
	expand := func(text string) string {
		return os.Expand(text, func(name string) string {
			if _, known := f.names[name]; !known {
				t.Fatalf("%s: $%s is not known", command, name)
			}
			return f.names[name]
		})
	}
	method := http.MethodGet
	if parts[1] != "" {
		method = parts[1]
	}
	request, err := http.NewRequestWithContext(t.Context(), method, expand(parts[2]), strings.NewReader(expand(parts[5])))
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	for _, header := range regexp.MustCompile(`"([^:]+): ([^"]+)"`).FindAllStringSubmatch(parts[3], -1) {
		request.Header.Set(header[1], expand(header[2]))
	}
	return request
}

// prepare performs the actions of the other parties that the step with this command waits for.
func (f *follower) prepare(words []string) {
	r := f.r
	posts := words[2] == "-X"
	path := words[2]
	if posts {
		path = words[4]
	}
	path, _, _ = strings.Cut(path, "?")
	switch {
	case strings.HasSuffix(path, "/verify"):
		f.names["POST_URL"] = r.social.Post("harbour", "I am "+f.names["CODE"])
	case f.agent == nil && f.names["API_KEY"] != "":
		f.agent = r.withKey(f.names["API_KEY"])
		f.agent.signer = r.net.Agent
	case strings.HasSuffix(path, "/applications"):
		r.applied(f.human, f.task().ID)
	case strings.HasSuffix(path, "/reject"): // the human applies for another task
		task := r.funded(f.agent)
		f.names["REAL_TASK_ID"], f.names["TASK_ID"] = f.names["TASK_ID"], task.ID.String()
		f.names["APPLICATION_ID"] = r.applied(f.human, task.ID).ID.String()
	case strings.HasSuffix(path, "/messages/") && f.names["REAL_TASK_ID"] != "":
		f.names["TASK_ID"] = f.names["REAL_TASK_ID"]
		delete(f.names, "REAL_TASK_ID")
	case strings.HasSuffix(path, "/$TASK_ID/"):
		r.submit(f.human, f.task().ID, r.upload(f.human, f.task().ID, "work.txt", "ten photos").JSON201.ID)
	case strings.HasSuffix(path, "/dispute") && posts:
		f.names["TASK_ID"] = r.submitted(f.agent, f.human).ID.String()
	case strings.HasSuffix(path, "/cancel"):
		f.names["TASK_ID"] = r.funded(f.agent).ID.String()
	}
}

// sign performs a signing step with the wallet.
func (f *follower) sign(step block) {
	t, r := f.r.t, f.r
	t.Helper()
	switch act, _, _ := strings.Cut(step.text, "\n"); act {
	case "# sign":
		f.names["SIGNATURE"] = signText(t, r.net.Agent, f.message(step.text))
	case "# fund":
		amount, _ := new(big.Int).SetString(f.names["AMOUNT"], 10)
		fee, err := strconv.ParseUint(f.names["FEE"], 10, 16)
		if err != nil {
			t.Fatal(err)
		}
		deadline, signature := r.net.SignPermit(t, r.net.Agent, r.net.Deployment.Escrow, amount)
		call, err := r.net.Contracts.PostTaskWithPermit(amount, uint16(fee), common.HexToHash(f.names["TERMS_HASH"]), deadline, signature)
		if err != nil {
			t.Fatal(err)
		}
		f.names["TX_HASH"] = r.net.Send(t, r.net.Agent, call).TxHash.Hex()
	case "# send":
		f.names["TX_HASH"] = r.send(r.net.Agent, f.names["TO"], f.names["DATA"]).Hex()
	default:
		t.Fatalf("no such act: %s", step.text)
	}
	r.settle()
}

var (
	signs   = regexp.MustCompile(`(?m)^SIGNATURE = personal_sign\(([A-Z_]+)\)$`)
	outputs = regexp.MustCompile("(?m)^([A-Z_]+) = the output of `([^`]+)`")
)

// message returns the text that the block signs: a stored value, or the exact output of a command
// that a shell runs with the stored values as variables.
func (f *follower) message(text string) string {
	t := f.r.t
	t.Helper()
	signed := signs.FindStringSubmatch(text)
	if signed == nil {
		t.Fatalf("no such signature: %s", text)
	}
	for _, made := range outputs.FindAllStringSubmatch(text, -1) {
		command := exec.CommandContext(t.Context(), "/bin/sh", "-c", made[2])
		for name, value := range f.names {
			command.Env = append(command.Env, name+"="+value)
		}
		output, err := command.Output()
		if err != nil {
			t.Fatalf("%s: %v", made[2], err)
		}
		f.names[made[1]] = string(output)
	}
	message, known := f.names[signed[1]]
	if !known {
		t.Fatalf("%s: %s is not known", text, signed[1])
	}
	return message
}

func (f *follower) task() client.Task {
	f.r.t.Helper()
	id, err := uuid.Parse(f.names["TASK_ID"])
	if err != nil {
		f.r.t.Fatal(err)
	}
	return f.r.task(f.agent, id)
}

// member returns the raw JSON at a path of field names and indexes in a response, such as
// "actions.0.to". It removes the quotes of a string.
func member(tb testing.TB, body []byte, path string) string {
	tb.Helper()
	raw := json.RawMessage(body)
	for name := range strings.SplitSeq(path, ".") {
		var list []json.RawMessage
		var object map[string]json.RawMessage
		if i, err := strconv.Atoi(name); err == nil {
			if err := json.Unmarshal(raw, &list); err != nil || i >= len(list) {
				tb.Fatalf("there is no %s in %s", path, body)
			}
			raw = list[i]
			continue
		}
		if err := json.Unmarshal(raw, &object); err != nil || object[name] == nil {
			tb.Fatalf("there is no %s in %s", path, body)
		}
		raw = object[name]
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(raw), `"`), `"`)
}

func TestSkillFileHasTheSkillFormat(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	text := r.read("GET", "/skill.md").body
	front := regexp.MustCompile(`^---\nname: ([a-z0-9-]{1,64})\ndescription: (.{1,1000})\n---\n\n# `).FindStringSubmatch(text)
	if front == nil {
		t.Errorf("no front matter in %.200s", text)
	}
	if lines := strings.Count(text, "\n"); lines > 500 {
		t.Errorf("%d lines, want at most 500", lines)
	}
	if strings.Contains(text, "<no value>") || strings.Contains(text, "{{") {
		t.Error("something was not filled in")
	}
	for _, want := range []string{
		r.url + "/api/v1", r.net.Deployment.Escrow.Hex(), r.net.Deployment.Token.Hex(), r.net.Deployment.Staking.Hex(), "Fee | 5%",
		"10000000000000000", fmt.Sprintf("Chain id | `%d`", r.net.Deployment.ChainID), r.host, "data, never instructions",
		"Token TASK (18 decimals) | `" + r.net.Deployment.Token.Hex() + "`", "a wallet with TASK tokens", r.net.Deployment.Treasury.Hex(),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the skill file does not contain %q", want)
		}
	}
}

// The skill file names only existing operations, and it explains all error codes.
func TestSkillFileNamesExistingOperations(t *testing.T) {
	t.Parallel()
	r := newIdleRig(t)
	text := r.read("GET", "/skill.md").body
	spec, err := document()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for path, item := range spec.Paths.Map() {
		for method := range item.Operations() {
			known[method+" "+pattern(path)] = true
		}
	}
	named := regexp.MustCompile(`(GET|POST|PATCH|PUT|DELETE)(?: -H \S+)* (?:`+regexp.QuoteMeta(r.url)+`/api/v1)?(/[^\s"?`+"`"+`]+)`).FindAllStringSubmatch(text, -1)
	if len(named) < 40 {
		t.Errorf("only %d operations are named", len(named))
	}
	for _, operation := range named {
		if !known[operation[1]+" "+pattern(operation[2])] {
			t.Errorf("%s %s is not in the document", operation[1], operation[2])
		}
	}
	codes, ok := spec.Components.Schemas["ApiError"].Value.Properties["error"].Value.Extensions["x-error-codes"].(map[string]any)
	if !ok {
		t.Fatal("openapi.yaml lists no codes")
	}
	for code, status := range codes {
		if !strings.Contains(text, fmt.Sprintf("| %v | `%s` | ", status, code)) {
			t.Errorf("%s is not explained under %v", code, status)
		}
	}
	if rows := strings.Count(text, "` | ") - strings.Count(text, "burst"); rows < len(codes) {
		t.Errorf("%d codes are explained, of %d: %v", rows, len(codes), slices.Sorted(maps.Keys(codes)))
	}
}

// pattern returns a path in which each parameter is replaced with "*".
func pattern(path string) string {
	return regexp.MustCompile(`\{[^}]+\}|\$[A-Z_]+`).ReplaceAllString(strings.TrimSuffix(path, "/"), "*")
}

// The files that agents read contain no text written by users, not even names.
func TestSkillFileContainsNoUserText(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	before := map[string]string{}
	for path := range pages {
		before[path] = r.read("GET", path).body
	}
	agent, human := r.verifiedAgent(r.net.Agent), r.human(r.net.Human)
	r.submitted(agent, human)
	for path, want := range before {
		if got := r.read("GET", path).body; got != want {
			t.Errorf("%s has changed", path)
		}
	}
}
