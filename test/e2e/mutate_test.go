package e2e_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
)

// table builds the bad requests of an operation.
func (s *scene) table(t *testing.T, op operation) []bad {
	t.Helper()
	good := s.good(op)
	if body, ok := s.valid[op.OperationID]; ok {
		good.kind, good.body = "application/json", body
	}
	var all []bad
	add := func(name string, change func(*bad)) {
		b := good
		b.name, b.headers = name, make(http.Header)
		change(&b)
		all = append(all, b)
	}
	s.badMethods(op, add)
	s.badPaths(op, add)
	s.badQueries(op, add)
	s.badHeaders(op, add)
	s.badCredentials(op, add)
	switch {
	case op.RequestBody == nil:
		badEmptyBodies(add)
	case op.RequestBody.Value.Content["multipart/form-data"] != nil:
		badForms(add)
	default:
		s.badBodies(t, op, good.body, add)
	}
	return all
}

// good returns a valid request of the operation, without a body.
func (s *scene) good(op operation) bad {
	return bad{method: op.method, target: s.target(op, nil), as: s.caller(op), route: &routers.Route{
		Spec: s.document, Path: op.path, Method: op.method, Operation: op.Operation,
	}}
}

type adder func(name string, change func(*bad))

func (s *scene) caller(op operation) caller {
	switch {
	case op.accepts("ApiKey"):
		return s.agent
	case op.accepts("Session"):
		return s.human
	}
	return s.nobody
}

// target fills in the path's parameters, overriding some of them.
func (s *scene) target(op operation, other map[string]string) string {
	path := op.path
	for name, id := range s.ids {
		if name == "id" && strings.HasPrefix(path, "/agents/") {
			id = s.ids["agent"]
		}
		if name == "id" && strings.HasPrefix(path, "/humans/") {
			id = s.ids["human"]
		}
		if value, ok := other[name]; ok {
			id = value
		}
		path = strings.ReplaceAll(path, "{"+name+"}", id)
	}
	return path
}

func (s *scene) badMethods(op operation, add adder) {
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "PROPFIND", "get"} {
		if op.served[method] == nil {
			add("method "+method, func(b *bad) { b.method, b.elsewhere = method, true })
		}
	}
}

func (s *scene) badPaths(op operation, add adder) {
	path := strings.TrimSuffix(s.target(op, nil), "/")
	for _, suffix := range []string{"/x/y/z", "%00", "/..%2f..", ".json", "//x", "/.", "%20", "%2f", "%5c", ";a=1", "*", "/%2e%2e/x"} {
		add("path ending in "+suffix, func(b *bad) { b.target, b.elsewhere = path+suffix, true })
	}
	add("path in capitals", func(b *bad) { b.target, b.elsewhere = "/"+strings.ToUpper(path[1:2])+path[2:], true })
	for _, p := range op.Parameters {
		if p.Value.In != openapi3.ParameterInPath {
			continue
		}
		garbage := []string{"%00", "%ff", "%20", "..%2f..", "%2e%2e", "null%00", strings.Repeat("9", 5000), "'%20OR%201=1--", "%F0%9F%92%B8", "*"}
		for _, id := range misspelledIDs(s.ids["id"]) {
			garbage = append(garbage, url.PathEscape(id))
		}
		for _, garbage := range garbage {
			add(p.Value.Name+" is "+garbage, func(b *bad) {
				b.target = s.target(op, map[string]string{p.Value.Name: garbage})
			})
		}
	}
}

func (s *scene) badQueries(op operation, add adder) {
	for _, query := range []string{
		"unknown=1", "a", "=", "=1", "%zz=1", "a=%zz", "a;b=1", "%00=1", "page[]=1", "X-API-Key=abc", "__proto__=1", "id=1",
		"%F0%28=1", strings.Repeat("a", 4000) + "=1", "a=1&a=2", "ID=1", "$where=1", "a[b][c]=1", "q%20=1", "\u2028=1",
	} {
		add("query "+query[:min(20, len(query))], func(b *bad) { b.target += "?" + query })
	}
	for _, p := range op.Parameters {
		if p.Value.In != openapi3.ParameterInQuery {
			continue
		}
		name := p.Value.Name
		add("query "+name+" twice", func(b *bad) { b.target += "?" + name + "=1&" + name + "=1" })
		add("query "+name+" in capitals", func(b *bad) { b.target += "?" + strings.ToUpper(name) + "=1" })
		for _, text := range slices.Concat(garbageTexts, s.misspelled(p.Value.Schema.Value), otherCases(p.Value.Schema.Value)) {
			if forbidsText(p.Value.Schema.Value, text) {
				add(fmt.Sprintf("query %s is %.20q", name, text), func(b *bad) { b.target += "?" + name + "=" + url.QueryEscape(text) })
			}
		}
	}
}

// garbageTexts are values of query parameters; some schemas allow some of them.
var garbageTexts = []string{
	"", " ", "x", "0", "-1", "1.5", "1e3", "+1", "007", "0x10", "NaN", "null", "TRUE", "yes", "[]", "{}", "١٢", "99999999999999999999",
	"00", "01", "1.0", " 1", "1 ", "1\n", "1_0", "１", "1,2", "1;2", "51", "101", "1000000000", "2147483648", "4294967297", "9223372036854775807",
	"9223372036854775808", "-9223372036854775808", "18446744073709551616", "Infinity", "true ", "True", "on", "\u200b1",
	"\x00", "a\x00b", "\xff", "2026-02-30T00:00:00Z", "yesterday", strings.Repeat("9", 3000), "0x1234", "' OR 1=1--",
}

// otherCases returns the values of an enumeration in another case.
func otherCases(schema *openapi3.Schema) []string {
	if schema.Items != nil {
		schema = schema.Items.Value
	}
	var texts []string
	for _, value := range schema.Enum {
		if text, ok := value.(string); ok {
			texts = append(texts, strings.ToUpper(text), text+" ", " "+text, text+"\x00", text+";"+text, strings.Replace(text, "e", "е", 1)+"ſ")
		}
	}
	return texts
}

// forbidsText reports whether the parameter's schema rejects the text.
func forbidsText(schema *openapi3.Schema, text string) bool {
	if strings.Contains(text, "\x00") || !utf8.ValidString(text) {
		return true
	}
	switch {
	case schema.Type.Is(openapi3.TypeInteger):
		n, err := strconv.Atoi(text)
		return err != nil || strconv.Itoa(n) != text || schema.VisitJSON(float64(n)) != nil
	case schema.Type.Is(openapi3.TypeNumber):
		n, err := strconv.ParseFloat(text, 64)
		return err != nil || schema.VisitJSON(n) != nil
	case schema.Type.Is(openapi3.TypeBoolean):
		return text != "true" && text != "false"
	case schema.Type.Is(openapi3.TypeArray):
		return schema.VisitJSON([]any{text}) != nil
	}
	return schema.VisitJSON(text) != nil
}

func (s *scene) badHeaders(op operation, add adder) {
	for _, p := range op.Parameters {
		if p.Value.In != openapi3.ParameterInHeader {
			continue
		}
		for _, text := range []string{strings.Repeat("x", 1001), strings.Repeat("x", 256), "a b", "\xc3\xa9"} {
			if forbidsText(p.Value.Schema.Value, text) {
				add(fmt.Sprintf("header %s is %.20q", p.Value.Name, text), func(b *bad) { b.headers.Set(p.Value.Name, text) })
			}
		}
	}
}

func (s *scene) badCredentials(op operation, add adder) {
	if op.public() {
		return
	}
	for _, key := range []string{"x", "null", strings.Repeat("k", 3000), "' OR 1=1--", "Bearer x"} {
		add("key "+key[:1], func(b *bad) { b.as, b.denied, b.headers = s.nobody, true, http.Header{"X-Api-Key": {key}} })
	}
	add("two keys", func(b *bad) { b.as, b.denied, b.headers = s.nobody, true, http.Header{"X-Api-Key": {"x", "y"}} })
	for _, token := range []string{"", "x", "a.b.c", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."} {
		if optional := op.accepts("ApiKey") && !op.accepts("Session") && len(*op.Security) > 1; optional {
			continue // sessions are not accepted here, and no key is needed
		}
		add("session "+token, func(b *bad) {
			b.as, b.denied, b.headers = s.nobody, true, http.Header{"Cookie": {"taskmarket_session=" + token}}
		})
	}
	if op.accepts("Session") {
		add("key and session", func(b *bad) { b.as, b.denied = s.both, true })
	}
	if op.accepts("Session") && op.unsafe() {
		for name, header := range map[string]http.Header{
			"foreign token": {"X-Csrf-Token": {"x"}}, "no token": {"X-Csrf-Token": {""}}, "foreign origin": {"Origin": {"https://evil.example"}},
		} {
			add(name, func(b *bad) { b.as, b.denied, b.headers = s.human, true, header })
		}
	}
}
