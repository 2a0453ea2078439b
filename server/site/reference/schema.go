package reference

import (
	"slices"
	"strings"
)

// schema is a named schema.
type schema struct {
	Name, Description, Example string
	Type                       kind
	Rules                      []string
	Fields                     []field
}

// field is a field of an object, or a parameter.
type field struct {
	Name, In, Description string
	Required              bool
	Type                  kind
	Rules                 []string
	Example               string // initial value in the test form
}

// kind is the type of a value: a plain type, or a link to a schema.
type kind struct {
	Prefix string // "array of " for a list, repeated for nested lists; otherwise empty
	Text   string
	Schema string // name of the schema that the type links to, or ""
}

func newSchema(name string, s node) schema {
	described := schema{
		Name: name, Description: s.text("description"), Type: kindOf(s), Rules: rulesOf(s), Fields: fieldsOf(s),
	}
	if len(described.Fields) > 0 || s.at("example").ok() {
		described.Example = exampleText(s)
	}
	return described
}

func fieldsOf(s node) []field {
	required := s.texts("required")
	var fields []field
	for name, raw := range s.at("properties").children() {
		fields = append(fields, newField(name, raw, slices.Contains(required, name)))
	}
	return fields
}

// newField describes a field by its schema, which may be a reference.
func newField(name string, raw node, required bool) field {
	description := raw.text("description")
	if raw.ref() != "" {
		description = "" // the schema's section displays its description
	}
	return field{Name: name, Required: required, Description: description, Type: kindOf(raw), Rules: rulesOf(raw)}
}

func kindOf(raw node) kind {
	switch {
	case raw.ref() != "":
		return kind{Text: raw.ref(), Schema: raw.ref()}
	case raw.at("allOf", "0").ok():
		return kindOf(raw.at("allOf").child("0"))
	case raw.text("type") == "array":
		item := kindOf(raw.child("items"))
		item.Prefix = "array of " + item.Prefix
		return item
	case raw.text("format") != "":
		return kind{Text: raw.text("type") + ", " + raw.text("format")}
	}
	return kind{Text: raw.text("type")}
}

// bounds are the constraints of a value, in the page's notation.
var bounds = []struct{ name, written string }{
	{"minimum", "at least "},
	{"maximum", "at most "},
	{"minLength", "minimum length "},
	{"maxLength", "maximum length "},
	{"minItems", "minimum number of items "},
	{"maxItems", "maximum number of items "},
	{"pattern", "matches "},
	{"default", "default "},
}

func rulesOf(raw node) []string {
	if raw.ref() != "" {
		return nil
	}
	var rules []string
	for _, bound := range bounds {
		if value := raw.at(bound.name); value.ok() {
			rules = append(rules, bound.written+value.value())
		}
	}
	if values := raw.texts("enum"); len(values) > 0 {
		rules = append(rules, "one of "+strings.Join(values, ", "))
	}
	if values := raw.texts("x-extensible-enum"); len(values) > 0 {
		rules = append(rules, "known values: "+strings.Join(values, ", "))
	}
	if raw.text("nullable") == "true" {
		rules = append(rules, "may be null")
	}
	return rules
}
