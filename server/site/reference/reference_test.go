package reference_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"

	"taskmarket"

	"gopkg.in/yaml.v3"

	"taskmarket/server/site/reference"
)

const base = "https://market.example/api/v1"

func render(t *testing.T, document string) string {
	t.Helper()
	page, err := reference.Render([]byte(document), base)
	if err != nil {
		t.Fatalf("Render() error = %v", err)
	}
	return string(page)
}

// elements calls visit for each start tag. It fails the test if the page cannot be parsed.
func elements(t *testing.T, page string, visit func(name string, attributes map[string]string)) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("the page is not well formed: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			attributes := map[string]string{}
			for _, a := range start.Attr {
				attributes[a.Name.Local] = a.Value
			}
			visit(start.Name.Local, attributes)
		}
	}
}

func TestEveryOperationAndSchemaIsShown(t *testing.T) {
	t.Parallel()
	page := render(t, string(taskmarket.OpenAPI))
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string `yaml:"operationId"`
		}
		Components struct{ Schemas map[string]any }
	}
	if err := yaml.Unmarshal(taskmarket.OpenAPI, &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for method, op := range methods {
			form := `data-method="` + strings.ToUpper(method) + `" data-path="` + path + `"`
			if !strings.Contains(page, `<article id="`+op.OperationID+`"`) || !strings.Contains(page, form) {
				t.Errorf("%s %s is not shown", method, path)
			}
		}
	}
	for name := range document.Components.Schemas {
		if !strings.Contains(page, `<article id="schema-`+name+`"`) {
			t.Errorf("schema %s is not shown", name)
		}
	}
}

func TestKnownValuesAreShown(t *testing.T) {
	t.Parallel()
	page := render(t, string(taskmarket.OpenAPI))
	if !strings.Contains(page, "known values: seen, safe, final") {
		t.Error("the known values of Finality are not shown")
	}
	if strings.Contains(page, `&#34;finality&#34;: &#34;…&#34;`) {
		t.Error("the example of a task has no known value")
	}
}

// Every link has a target, every label has a field, and no resource is loaded from another host.
func TestPageIsSelfContained(t *testing.T) {
	t.Parallel()
	page := render(t, string(taskmarket.OpenAPI))
	ids, wanted := map[string]bool{}, map[string]string{}
	elements(t, page, func(name string, a map[string]string) {
		if id := a["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %s is used twice", id)
			}
			ids[id] = true
		}
		for attribute, target := range map[string]string{
			"href": strings.TrimPrefix(a["href"], "#"), "for": a["for"], "aria-labelledby": a["aria-labelledby"], "aria-describedby": a["aria-describedby"],
		} {
			if target != "" && (attribute != "href" || strings.HasPrefix(a["href"], "#")) {
				wanted[target] = name
			}
		}
		for _, attribute := range []string{"src", "href", "action"} {
			if address := a[attribute]; strings.Contains(address, "//") {
				t.Errorf("<%s> loads %s", name, address)
			}
		}
		for attribute := range a {
			if strings.HasPrefix(attribute, "on") || attribute == "style" {
				t.Errorf("<%s> has %s, which the policy forbids", name, attribute)
			}
		}
		if name == "style" || name == "script" && a["src"] != reference.ScriptPath {
			t.Errorf("there is a <%s> %v", name, a)
		}
	})
	for target, name := range wanted {
		if !ids[target] {
			t.Errorf("a <%s> names #%s, which does not exist", name, target)
		}
	}
}

// Commands can be run as they are: they contain an example for each required parameter, and valid
// JSON as the body.
func TestCommandsAreComplete(t *testing.T) {
	t.Parallel()
	page := render(t, string(taskmarket.OpenAPI))
	commands := regexp.MustCompile(`(?s)aria-label="Command"><code>(.*?)</code>`).FindAllStringSubmatch(page, -1)
	if len(commands) < 42 {
		t.Fatalf("%d commands", len(commands))
	}
	for _, found := range commands {
		command := html.UnescapeString(found[1])
		address := regexp.MustCompile(`'(` + regexp.QuoteMeta(base) + `[^']*)'`).FindString(command)
		if address == "" || strings.ContainsAny(address, "{}") {
			t.Errorf("no complete URL: %s", command)
		}
		if _, body, has := strings.Cut(command, "--data '"); has {
			body = strings.ReplaceAll(strings.TrimSuffix(body, "'"), `'\''`, "'")
			if !json.Valid([]byte(body)) {
				t.Errorf("the body is not JSON: %s", command)
			}
		}
	}
}

func TestDocumentTextIsEscaped(t *testing.T) {
	t.Parallel()
	const evil = `<script>alert(1)</script><img src=x onerror=alert(1)> **<b>** ` + "`<i>`" + ` \"><svg onload=x>`
	page := render(t, `
info: {title: "`+evil+`", version: "`+evil+`", description: "`+evil+`"}
servers: [{url: "javascript:alert(1)"}]
tags: [{name: "`+evil+`", description: "- `+evil+`"}]
paths:
  "/`+evil+`":
    get:
      operationId: "`+evil+`"
      tags: ["`+evil+`"]
      summary: "`+evil+`"
      parameters: [{name: "`+evil+`", in: query, schema: {type: string, pattern: "`+evil+`"}}]
      responses: {"200": {description: "`+evil+`"}}
components: {schemas: {"`+evil+`": {type: object, description: "## `+evil+`", properties: {"`+evil+`": {type: string, example: "`+evil+`"}}}}}
`)
	for _, tag := range []string{"<script>", "<img", "<svg", "<b>*", "<i>"} {
		if strings.Contains(page, tag) {
			t.Errorf("the page contains %s", tag)
		}
	}
	elements(t, page, func(name string, a map[string]string) {
		for attribute := range a {
			if strings.HasPrefix(attribute, "on") {
				t.Errorf("<%s> has %s", name, attribute)
			}
		}
	})
}

func TestRenderAcceptsUnusualDocuments(t *testing.T) {
	t.Parallel()
	for _, document := range []string{"", "[]", "5", "paths: 5", "paths: {/x: {get: 5}}", "components: {schemas: {A: {$ref: '#/components/schemas/B'}}}", "tags: {a: b}"} {
		render(t, document)
	}
	if _, err := reference.Render([]byte("\t{"), base); err == nil {
		t.Error("invalid YAML was rendered")
	}
}

func TestRecursiveSchemaHasAFiniteExample(t *testing.T) {
	t.Parallel()
	page := render(t, "components: {schemas: {A: {type: object, properties: {next: {$ref: '#/components/schemas/A'}}}}}")
	if !strings.Contains(page, "null") {
		t.Error("there is no example")
	}
}
