package mcp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"taskmarket"
)

// schema is a JSON schema or a part of the OpenAPI document.
type schema = map[string]any

// contract is the part of the OpenAPI document from which the tools are generated.
type contract struct {
	components schema
	operations map[string]operation // by operationId
}

// operation describes one API operation.
type operation struct {
	method, path string
	parameters   []parameter
	body         schema // schema of the request body; nil if there is no body
	response     schema // schema of a successful response
	public       bool   // requires no credentials
}

// parameter is a request parameter in the path, the query or a header.
type parameter struct {
	name, in string // name in the API, and location: path, query or header
	argument string // name of the tool argument
	required bool
	schema   schema
}

// readContract parses the OpenAPI document that is embedded in this program.
func readContract() (*contract, error) {
	var document struct {
		Paths      map[string]map[string]any
		Components schema
	}
	if err := yaml.Unmarshal(taskmarket.OpenAPI, &document); err != nil {
		return nil, fmt.Errorf("read the API's contract: %w", err)
	}
	c := &contract{components: document.Components, operations: map[string]operation{}}
	for path, item := range document.Paths {
		for method, part := range item {
			described, ok := part.(schema)
			if id := text(described, "operationId"); ok && id != "" {
				c.operations[id] = c.operation(strings.ToUpper(method), path, described)
			}
		}
	}
	return c, nil
}

func (c *contract) operation(method, path string, described schema) operation {
	op := operation{method: method, path: path}
	security, _ := described["security"].([]any)
	op.public = len(security) == 0
	for _, entry := range list(described, "parameters") {
		if p := c.parameter(path, c.resolve(entry)); p.argument != "" {
			op.parameters = append(op.parameters, p)
		}
	}
	if body := c.resolve(described["requestBody"]); body != nil {
		op.body = jsonBody(body)
	}
	responses, _ := described["responses"].(schema)
	for _, status := range []string{"200", "201"} {
		if success := c.resolve(responses[status]); success != nil {
			op.response = jsonBody(success)
		}
	}
	return op
}

func jsonBody(part schema) schema {
	content, _ := part["content"].(schema)
	media, _ := content["application/json"].(schema)
	body, _ := media["schema"].(schema)
	return body
}

// omitted lists the API parameters that tools do not offer. Lists are paged only by cursor, because
// a request with both a page number and a cursor is rejected.
var omitted = []string{"page", "If-None-Match"}

// parameter returns the tool argument for an API parameter, using the name that results use: id in
// the path /tasks/{id} becomes task_id.
func (c *contract) parameter(path string, described schema) parameter {
	p := parameter{name: text(described, "name"), in: text(described, "in")}
	if slices.Contains(omitted, p.name) {
		return p
	}
	p.required, _ = described["required"].(bool)
	p.schema, _ = described["schema"].(schema)
	if about := text(described, "description"); about != "" && p.schema["type"] != "array" {
		p.schema = schema{"allOf": []any{p.schema}, "description": about}
	}
	switch p.name {
	case "id":
		collection, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
		p.argument = strings.TrimSuffix(collection, "s") + "_id"
	case "appId":
		p.argument = "application_id"
	default:
		p.argument = snake(p.name)
	}
	return p
}

// snake converts an operationId or parameter name to snake case: rotateAPIKey becomes
// rotate_api_key, and Idempotency-Key becomes idempotency_key.
func snake(name string) string {
	letters := []rune(strings.ReplaceAll(name, "-", ""))
	var out strings.Builder
	for i, letter := range letters {
		begins := unicode.IsUpper(letter) && i > 0 &&
			(unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if begins {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(letter))
	}
	return out.String()
}

// resolve follows a reference within the document. It returns nil if part is not a schema.
func (c *contract) resolve(part any) schema {
	node, _ := part.(schema)
	for node != nil && text(node, "$ref") != "" {
		node = c.component(text(node, "$ref"))
	}
	return node
}

// component returns the target of a reference.
func (c *contract) component(reference string) schema {
	kind, name, _ := strings.Cut(strings.TrimPrefix(reference, "#/components/"), "/")
	parts, _ := c.components[kind].(schema)
	found, _ := parts[name].(schema)
	return found
}

// arguments returns the JSON schema for an operation's arguments: its parameters and the fields of
// its body.
func (c *contract) arguments(op operation) schema {
	properties, required := schema{}, []any{}
	for _, p := range op.parameters {
		properties[p.argument] = c.input(p.schema)
		if p.required {
			required = append(required, p.argument)
		}
	}
	if op.body != nil {
		body := c.input(op.body)
		members, _ := body["properties"].(schema)
		maps.Copy(properties, members)
		required = append(required, list(body, "required")...)
	}
	return object(properties, required...)
}

// object returns the schema for an object without additional properties.
func object(properties schema, required ...any) schema {
	whole := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		whole["required"] = required
	}
	return whole
}

// keywords lists the keywords common to OpenAPI 3.0 and JSON Schema that restrict or describe an
// argument.
var keywords = []string{
	"type", "description", "format", "pattern", "enum", "required", "additionalProperties", "uniqueItems",
	"minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum",
}

// input converts a schema from the document to a JSON schema with all references resolved.
func (c *contract) input(node schema) schema {
	node = c.flat(node)
	out := schema{}
	for _, word := range keywords {
		if value, ok := node[word]; ok {
			out[word] = value
		}
	}
	if about := text(out, "description"); about != "" {
		out["description"] = strings.Join(strings.Fields(about), " ")
	}
	if items := c.resolve(node["items"]); items != nil {
		out["items"] = c.input(items)
	}
	if members, ok := node["properties"].(schema); ok {
		properties := schema{}
		for name, member := range members {
			properties[name] = c.input(c.flat(member))
		}
		out["properties"] = properties
	}
	return out
}

// flat resolves references. This includes a reference in allOf, which the document uses to add a
// description to a field.
func (c *contract) flat(part any) schema {
	node := c.resolve(part)
	all := list(node, "allOf")
	if len(all) == 0 {
		return node
	}
	merged := schema{}
	for _, part := range all {
		maps.Copy(merged, c.flat(part))
	}
	maps.Copy(merged, node)
	delete(merged, "allOf")
	return merged
}

// text returns a string property, or "" if it is not a string.
func text(node schema, name string) string {
	value, _ := node[name].(string)
	return value
}

// list returns a list property, or nil if it is not a list.
func list(node schema, name string) []any {
	values, _ := node[name].([]any)
	return values
}
