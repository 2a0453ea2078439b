package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
)

// table makes the bad requests of an operation.
func (s *scene) table(t *testing.T, op operation) []bad {
	t.Helper()
	good := bad{method: op.method, target: s.target(op, nil), as: s.caller(op)}
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
		badBodies(t, op, good.body, add)
	}
	return all
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

// target fills in the path's parameters, some of them in another way.
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
			add("method "+method, func(b *bad) { b.method = method })
		}
	}
}

func (s *scene) badPaths(op operation, add adder) {
	path := strings.TrimSuffix(s.target(op, nil), "/")
	for _, suffix := range []string{"/x/y/z", "%00", "/..%2f..", ".json", "//x"} {
		add("path ending in "+suffix, func(b *bad) { b.target = path + suffix })
	}
	for _, p := range op.Parameters {
		if p.Value.In != openapi3.ParameterInPath {
			continue
		}
		id := s.ids["id"]
		for _, garbage := range []string{
			"0", "-1", "null", "undefined", "%00", "%ff", "%20", "..%2f..", "%2e%2e", "a", strings.ToUpper(id), "%7B" + id + "%7D",
			id + "0", id[1:], strings.ReplaceAll(id, "-", ""), "urn:uuid:" + id, strings.Repeat("9", 5000), "'%20OR%201=1--",
			id + "%00", id + "%0a", "%F0%9F%92%B8", "*", "00000000-0000-0000-0000-00000000000g",
		} {
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
		for _, text := range garbageTexts {
			if forbidsText(p.Value.Schema.Value, text) {
				add(fmt.Sprintf("query %s is %.20q", name, text), func(b *bad) { b.target += "?" + name + "=" + url.QueryEscape(text) })
			}
		}
	}
}

// garbageTexts are values of query parameters, of which a schema allows some.
var garbageTexts = []string{
	"", " ", "x", "0", "-1", "1.5", "1e3", "+1", "007", "0x10", "NaN", "null", "TRUE", "yes", "[]", "{}", "١٢", "99999999999999999999",
	"\x00", "a\x00b", "\xff", "2026-02-30T00:00:00Z", "yesterday", strings.Repeat("9", 3000), "0x1234", "' OR 1=1--",
}

// forbidsText reports whether a parameter of the schema cannot have the text
// as its value.
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
			continue // a session means nothing here, and no key is needed
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

// badEmptyBodies are bodies for an operation that takes none.
func badEmptyBodies(add adder) {
	for _, body := range slices.Concat(brokenBodies(), []string{`{"a":1}`, `{"id":null}`, `{"":""}`, `{"status":"approved"}`}) {
		if body != "" {
			add(fmt.Sprintf("body %.20q", body), func(b *bad) { b.kind, b.body = "application/json", body })
		}
	}
	for _, kind := range []string{"text/plain", "application/xml", "multipart/form-data; boundary=x"} {
		add("body of "+kind, func(b *bad) { b.kind, b.body = kind, "x" })
	}
	add("huge body", func(b *bad) { b.kind, b.body = "application/json", strings.Repeat(" ", 300_000)+"{}" })
}

// brokenBodies are no JSON, or no JSON object.
func brokenBodies() []string {
	return []string{
		"", " ", "null", "true", "0", `"x"`, "[]", "[{}]", "{", "}", `{"a"}`, `{"a":}`, "{'a':1}", "{a:1}", "{}{}", "{} x", `{"a":1,}`, "{/**/}",
		"\ufeff{}", "\xff", "{\"a\":\"\xff\"}", `{"a":NaN}`, `{"a":01}`, `{"a":"\x00"}`, `{"a":"\u0000"}`, `{"a":"\ud800"}`, `{"a":1,"a":2}`,
		strings.Repeat("[", 10_000), strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000), "a=1&b=2", "<a/>",
	}
}

// badBodies change one thing in a body that the schema takes.
func badBodies(t *testing.T, op operation, good string, add adder) {
	t.Helper()
	schema := op.RequestBody.Value.Content["application/json"].Schema.Value
	members := membersOf(t, schema, good)
	for _, kind := range []string{"", "text/plain", "application/xml", "application/x-www-form-urlencoded", "text/json", "application/jsonp", "multipart/form-data; boundary=x"} {
		add("content type "+kind, func(b *bad) { b.kind = kind })
	}
	bodies := map[string]string{
		"unknown member": object(with(members, "unknown", "1")), "no name": object(with(members, "", "1")),
		"trailing data": good + "{}", "huge": strings.Repeat(" ", 300_000) + good, "in an array": "[" + good + "]",
	}
	for _, body := range brokenBodies() {
		if body != "" || op.RequestBody.Value.Required {
			bodies[fmt.Sprintf("body %.20q", body)] = body
		}
	}
	for name, property := range schema.Properties {
		badMembers(name, property.Value, slices.Contains(schema.Required, name), members, bodies)
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		add(name, func(b *bad) { b.body = bodies[name] })
	}
}

// membersOf splits a body that must be good.
func membersOf(t *testing.T, schema *openapi3.Schema, good string) map[string]string {
	t.Helper()
	var value any
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(good), &value); err != nil {
		t.Fatalf("the good body is no JSON: %v", err)
	}
	if err := schema.VisitJSON(value); err != nil {
		t.Fatalf("the good body is not: %v", err)
	}
	_ = json.Unmarshal([]byte(good), &raw) // it is an object, as the schema says
	members := make(map[string]string)
	for name, text := range raw {
		members[name] = string(text)
	}
	return members
}

// badMembers adds bodies whose one member is missing, doubled or of a value
// that its schema forbids.
func badMembers(name string, schema *openapi3.Schema, required bool, members, bodies map[string]string) {
	if required {
		rest := maps.Clone(members)
		delete(rest, name)
		bodies["without "+name] = object(rest)
	}
	if value, ok := members[name]; ok {
		bodies[name+" in capitals"] = object(with(members, strings.ToUpper(name), value))
		bodies[name+" twice"] = strings.Replace(object(members), "{", fmt.Sprintf("{%q:%s,", name, value), 1)
	}
	for _, raw := range garbageValues() {
		var value any
		unspeakable := strings.Contains(raw, `\u0000`) || strings.Contains(raw, `\ud800`)
		if err := json.Unmarshal([]byte(raw), &value); err != nil || unspeakable || schema.VisitJSON(value) != nil {
			bodies[fmt.Sprintf("%s is %.30s", name, raw)] = object(with(members, name, raw))
		}
	}
}

// garbageValues are values of members, of which a schema allows some.
func garbageValues() []string {
	eleven := `"a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","a10"`
	return []string{
		"null", "true", "false", "0", "-1", "1.5", "1e400", "[]", "{}", `{"a":1}`, "[null]", "[1]", "[[]]", `["a","a"]`, "[" + eleven + "]",
		`""`, `"x"`, `"0"`, `"-1"`, `"+1"`, `"0001"`, `"1e18"`, `"0x"`, `"0x10"`, `"1_000"`, `"١٢"`, `"１２"`, `" 1"`, `"1.0"`, `"NaN"`, `"yesterday"`,
		`"\u0000"`, `"a\u0000b"`, `"\ud800"`, `"\ud800\ud800"`, `["\u0000"]`, `"1` + strings.Repeat("0", 78) + `"`, `"` + strings.Repeat("x", 21_000) + `"`,
		`"0x` + strings.Repeat("g", 64) + `"`, `"0X` + strings.Repeat("a", 64) + `"`, `"javascript:alert(1)"`,
	}
}

func with(members map[string]string, name, raw string) map[string]string {
	changed := maps.Clone(members)
	changed[name] = raw
	return changed
}

// object writes members in one order.
func object(members map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		parts = append(parts, strconv.Quote(name)+":"+members[name])
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// badForms are uploads that hold no one file.
func badForms(add adder) {
	const kind = "multipart/form-data; boundary=x"
	part := func(header, content string) string {
		return "--x\r\nContent-Disposition: form-data; " + header + "\r\n\r\n" + content + "\r\n"
	}
	file := part(`name="file"; filename="a.txt"`, "a")
	for name, form := range map[string]string{
		"nothing": "", "no part": "--x--\r\n", "no end": file, "two files": file + file + "--x--\r\n",
		"another name": part(`name="upload"; filename="a.txt"`, "a") + "--x--\r\n", "no filename": part(`name="file"`, "a") + "--x--\r\n",
		"a member too many": file + part(`name="note"`, "a") + "--x--\r\n", "no name": part(`filename="a.txt"`, "a") + "--x--\r\n",
		"another boundary":  "--y\r\n\r\n--y--\r\n",
		"an empty filename": part(`name="file"; filename=""`, "a") + "--x--\r\n", "no header": "--x\r\n\r\na\r\n--x--\r\n", "garbage": "\x00\xff",
	} {
		add("form with "+name, func(b *bad) { b.kind, b.body = kind, form })
	}
	for _, wrong := range []string{"", "application/json", "multipart/form-data", "multipart/mixed; boundary=x", "text/plain", "multipart/form-data; boundary="} {
		add("form of "+wrong, func(b *bad) { b.kind, b.body = wrong, file+"--x--\r\n" })
	}
}
