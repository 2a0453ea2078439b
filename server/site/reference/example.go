package reference

import (
	"bytes"
	"encoding/json"
	"strings"
)

// maxExampleDepth limits the depth of examples of recursive schemas.
const maxExampleDepth = 8

// exampleText returns an example of the schema as JSON, with fields in the document's order.
func exampleText(s node) string {
	var compact bytes.Buffer
	writeExample(&compact, s, 0)
	return indented(compact.Bytes())
}

func indented(compact []byte) string {
	var text bytes.Buffer
	if json.Indent(&text, compact, "", "  ") != nil {
		return ""
	}
	return strings.TrimSpace(text.String())
}

// writeValue writes a value of the document, with fields in the document's order.
func writeValue(w *bytes.Buffer, value node) {
	separator := byte('{')
	for name, member := range value.members() {
		w.WriteByte(separator)
		separator = ','
		writeJSON(w, name)
		w.WriteByte(':')
		writeValue(w, member)
	}
	if separator == ',' {
		w.WriteByte('}')
		return
	}
	writeJSON(w, value.decoded())
}

func writeExample(w *bytes.Buffer, s node, depth int) {
	switch inner := s.at("allOf", "0"); {
	case s.at("example").ok():
		writeValue(w, s.at("example"))
	case inner.ok():
		writeExample(w, inner, depth)
	case s.at("enum", "0").ok():
		writeJSON(w, s.at("enum", "0").decoded())
	case s.at("x-extensible-enum", "0").ok():
		writeJSON(w, s.at("x-extensible-enum", "0").decoded())
	case s.at("default").ok():
		writeJSON(w, s.at("default").decoded())
	case depth > maxExampleDepth:
		w.WriteString("null")
	case s.text("type") == "object":
		writeObject(w, s, depth)
	case s.text("type") == "array":
		w.WriteByte('[')
		writeExample(w, s.at("items"), depth+1)
		w.WriteByte(']')
	default:
		writeJSON(w, plainExample(s))
	}
}

func writeObject(w *bytes.Buffer, s node, depth int) {
	w.WriteByte('{')
	first := true
	for name, member := range s.at("properties").members() {
		if !first {
			w.WriteByte(',')
		}
		first = false
		writeJSON(w, name)
		w.WriteByte(':')
		writeExample(w, member, depth+1)
	}
	w.WriteByte('}')
}

// plainExample returns an example value for a simple type.
func plainExample(s node) any {
	switch s.text("type") {
	case "integer", "number":
		if minimum := s.at("minimum"); minimum.ok() {
			return minimum.decoded()
		}
		return 0
	case "boolean":
		return true
	}
	switch s.text("format") {
	case "date-time":
		return "2030-01-01T12:00:00.000Z"
	case "uri":
		return "https://example.com/"
	}
	return "…"
}

func writeJSON(w *bytes.Buffer, value any) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		w.WriteString("null") // the value cannot be encoded as JSON
	}
}

// scalarExample returns an example value for a parameter, as written in a URL.
func scalarExample(s node) string {
	text := strings.TrimSpace(exampleText(s))
	var spelled string
	if json.Unmarshal([]byte(text), &spelled) == nil {
		return spelled
	}
	return text
}
