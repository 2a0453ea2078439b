package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// wrongKinds are content types other than JSON.
var wrongKinds = []string{
	"", "text/plain", "text/json", "application/xml", "application/jsonp", "application/*", "*/*", "json", "application/json, application/json",
	"application/json;;", "application/problem+json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json\xff",
}

func badKinds(add adder) {
	for _, kind := range wrongKinds {
		add("content type "+kind, func(b *bad) { b.kind = kind })
	}
	add("two content types", func(b *bad) { b.headers = http.Header{"Content-Type": {"application/json", "application/json"}} })
}

// badEmptyBodies adds bodies for an operation without a body.
func badEmptyBodies(add adder) {
	for _, body := range slices.Concat(brokenBodies(), []string{`{"a":1}`, `{"id":null}`, `{"":""}`, `{"status":"approved"}`, `{"__proto__":{}}`}) {
		if body != "" {
			add(fmt.Sprintf("body %.20q", body), func(b *bad) { b.kind, b.body = "application/json", body })
		}
	}
	badKinds(func(name string, change func(*bad)) { add(name, func(b *bad) { b.body = "x"; change(b) }) })
	add("huge body", func(b *bad) { b.kind, b.body = "application/json", strings.Repeat(" ", 300_000)+"{}" })
}

// brokenBodies returns texts that are not JSON, or not a JSON object.
func brokenBodies() []string {
	return []string{
		"", " ", "null", "true", "0", `"x"`, "[]", "[{}]", "{", "}", `{"a"}`, `{"a":}`, "{'a':1}", "{a:1}", "{}{}", "{} x", `{"a":1,}`, "{/**/}",
		"\ufeff{}", "\xff", "{\"a\":\"\xff\"}", `{"a":NaN}`, `{"a":01}`, `{"a":"\x00"}`, `{"a":"\u0000"}`, `{"a":"\ud800"}`, `{"a":1,"a":2}`,
		strings.Repeat("[", 10_000), strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000), "a=1&b=2", "<a/>",
		"{\x00}", "\x00{\x00}\x00", "\xfe\xff\x00{\x00}", "\xff\xfe{\x00}\x00", "+/v8-{}", "\x1f\x8b\x08\x00", "{}\x00", "{}\n{}", "{},", "//\n{}x", ")]}'\n{}",
	}
}

// badBodies changes one thing in a valid body.
func (s *scene) badBodies(t *testing.T, op operation, good string, add adder) {
	t.Helper()
	schema := op.RequestBody.Value.Content["application/json"].Schema.Value
	members := membersOf(t, schema, good)
	badKinds(add)
	bodies := map[string]string{
		"unknown member": object(with(members, "unknown", "1")), "no name": object(with(members, "", "1")), "prototype": object(with(members, "__proto__", "{}")),
		"trailing data": good + "{}", "huge": strings.Repeat(" ", 300_000) + good, "in an array": "[" + good + "]", "in an object": `{"body":` + good + "}",
		"with a mark of byte order": "\ufeff" + good, "as a string": fmt.Sprintf("%q", good), "twice": good + good, "in UTF-16": wide(good),
	}
	for _, body := range brokenBodies() {
		if body != "" || op.RequestBody.Value.Required {
			bodies[fmt.Sprintf("body %.20q", body)] = body
		}
	}
	spoil(good, bodies)
	for name, property := range schema.Properties {
		badNames(name, members, bodies)
		s.badMembers(name, property.Value, slices.Contains(schema.Required, name), members, bodies)
		for _, raw := range beyond[op.OperationID+"."+name] {
			bodies[fmt.Sprintf("%s beyond: %.40s", name, raw)] = object(with(members, name, raw))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bodies)) {
		add(name, func(b *bad) { b.body = bodies[name] })
	}
}

// wide encodes ASCII as UTF-16.
func wide(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteByte(text[i])
		b.WriteByte(0)
	}
	return b.String()
}

// spoil truncates the body and inserts invalid bytes, at each place.
func spoil(good string, bodies map[string]string) {
	for i := range len(good) {
		if i > 0 {
			bodies[fmt.Sprintf("cut at %d", i)] = good[:i]
		}
		bodies[fmt.Sprintf("NUL at %d", i)] = good[:i] + "\x00" + good[i:]
		bodies[fmt.Sprintf("not UTF-8 at %d", i)] = good[:i] + "\xff" + good[i:]
	}
}

// membersOf splits a valid body.
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
	_ = json.Unmarshal([]byte(good), &raw) // an object according to the schema
	members := make(map[string]string)
	for name, text := range raw {
		members[name] = string(text)
	}
	return members
}

// badNames adds bodies with names that resemble the member's, beside it and in its place, and with
// the member twice.
func badNames(name string, members, bodies map[string]string) {
	value, ok := members[name]
	if !ok {
		return
	}
	rest := maps.Clone(members)
	delete(rest, name)
	for i, twin := range lookalikes(name) {
		bodies[fmt.Sprintf("%s beside its lookalike %d", name, i)] = object(with(members, twin, value))
		bodies[fmt.Sprintf("%s replaced by its lookalike %d", name, i)] = object(with(rest, twin, value))
	}
	escaped := fmt.Sprintf(`\u%04x%s`, name[0], name[1:])
	for what, twice := range map[string]string{
		"twice": name + `":` + value, "twice, once null": name + `":null`, "twice, once escaped": escaped + `":` + value,
	} {
		rest, _ := strings.CutPrefix(object(members), "{")
		bodies[name+" "+what] = `{"` + twice + "," + rest
	}
}

// lookalikes returns other names, in JSON's spelling, that a careless parser accepts as the name.
func lookalikes(name string) []string {
	capital := strings.ToUpper(name[:1]) + name[1:]
	all := []string{
		strings.ToUpper(name), capital, name + " ", " " + name, name + `\u0000`, name + `\u200b`, `\ufeff` + name, name + "[]", "$" + name, name + ".",
		string(rune(name[0])+0xfee0) + name[1:], "body." + name, name + `\ud800`,
	}
	for plain, other := range map[string]string{"s": "ſ", "k": "\u212a", "a": "а", "e": "е", "o": "о", "i": "ı", "_": "-"} {
		if strings.Contains(name, plain) {
			all = append(all, strings.ReplaceAll(name, plain, other))
		}
	}
	if before, after, ok := strings.Cut(name, "_"); ok {
		all = append(all, before+strings.ToUpper(after[:1])+after[1:], before+after)
	}
	return all
}

// badMembers adds bodies with one member missing, or with a value that its schema forbids or that
// is always invalid.
func (s *scene) badMembers(name string, schema *openapi3.Schema, required bool, members, bodies map[string]string) {
	if required {
		rest := maps.Clone(members)
		delete(rest, name)
		bodies["without "+name] = object(rest)
	}
	set := func(raw string) { bodies[fmt.Sprintf("%s is %.60q", name, raw)] = object(with(members, name, raw)) }
	for _, raw := range garbageValues() {
		var value any
		if err := json.Unmarshal([]byte(raw), &value); err != nil || schema.VisitJSON(value) != nil {
			set(raw)
		}
	}
	for _, raw := range brokenValues() {
		set(raw)
	}
	for _, text := range s.misspelled(schema) {
		raw, _ := json.Marshal(text) // a string is always encodable
		set(string(raw))
	}
}

// garbageValues returns values of members; some schemas allow some of them.
func garbageValues() []string {
	eleven := `"a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","a10"`
	return []string{
		"null", "true", "false", "0", "-1", "1.5", "6", "1e400", "-1e400", "1e-400", "[]", "{}", `{"a":1}`, "[null]", "[1]", "[[]]", `["a","a"]`,
		"[" + eleven + "]", "[" + strings.Repeat(`"a",`, 5000) + `"a"]`, strings.Repeat("9", 10_000), "9223372036854775808", "0.1e-10",
		`""`, `"x"`, `"0"`, `"-1"`, `"+1"`, `"0001"`, `"1e18"`, `"0x"`, `"0x10"`, `"1_000"`, `"١٢"`, `"１２"`, `" 1"`, `"1.0"`, `"NaN"`, `"yesterday"`,
		`"1` + strings.Repeat("0", 78) + `"`, `"` + strings.Repeat("x", 21_000) + `"`, `"` + strings.Repeat("🌊", 21_000) + `"`, `"true"`, `"null"`,
		`"0x` + strings.Repeat("g", 64) + `"`, `"0X` + strings.Repeat("a", 64) + `"`, `"javascript:alert(1)"`, `"file:///etc/passwd"`, `["x"]`, `{"$ne":null}`,
	}
}

// brokenValues returns values that are always invalid: malformed JSON, text that cannot be stored,
// or too deep nesting.
func brokenValues() []string {
	return []string{
		`"\u0000"`, `"a\u0000"`, `"\u0000a"`, `["\u0000"]`, `{"\u0000":1}`, `"\ud800"`, `"\ud800\ud800"`, `"a\udfff"`, `"\udc00\ud800"`, `"\ud83d "`, `["\ud800"]`,
		"\"\xff\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"\xe2\x82\"", "\"\xf0\x9f\x8c\"", "\"a\nb\"", "\"a\tb\"", "\"\x00\"", "\"\x1f\"",
		`"\x41"`, `"\u00g0"`, `"\u12"`, `"\U00000041"`, `"\'"`, `"`, `'x'`, "`x`", "NaN", "Infinity", "-Infinity", "undefined", "None", "True", "nul", "01", "1.", ".5", "+1",
		"0x1", "1e", "-", "--1", "1 2", "", ",", "1,", "[1,]", `{"a"}`, "{a:1}", "[", "{", "]", "}", "[}", "// 1", "/*1*/1",
		nested("[", "]", 40), nested("[", "]", 10_000), nested(`{"a":`, "}", 40), nested(`{"a":`, "}", 10_000), `{"a":1,"a":2}`, `{"a":1,"A":2}`,
	}
}

func nested(open, end string, depth int) string {
	return strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth)
}

// beyond are values of the right form that the operation still refuses.
var beyond = map[string][]string{
	"createTask.escrow_amount":   {`"0"`, `"1"`, `"9999999999999999"`},
	"createTask.deadline":        instants(-1<<62, -100*365*day, -day, -time.Second, 366*day, 3650*day),
	"createTask.title":           {`" "`, `"\u200b"`, `"a\nb"`, `"a\u202eb"`},
	"createTask.description":     {`" "`, `"\n"`, `"\u200b"`},
	"createTask.skills":          {`[" "]`, `["a","a"]`, `["a\nb"]`},
	"registerAgent.username":     {`"admin"`, `"API"`, `"me"`},
	"registerAgent.name":         {`" "`, `"a\u202eb"`},
	"changeHumanMe.username":     {`"admin"`, `"API"`, `"me"`, `"harbour-agent"`, `"HARBOUR-AGENT"`},
	"changeHumanMe.name":         {`" "`, `"a\u202eb"`},
	"startConversation.username": {`"nobody-of-this-name"`},
	"verifyAgent.post_url":       {`"http://127.0.0.1:1/@a/1"`, `"http://169.254.169.254/@a/1"`, `"http://localhost/@a/1"`, `"http://[::1]/@a/1"`},
	"verifyHuman.post_url":       {`"http://127.0.0.1:1/@a/1"`, `"http://169.254.169.254/@a/1"`, `"http://localhost/@a/1"`, `"http://[::1]/@a/1"`},
}

const day = 24 * time.Hour

// instants returns the times at these offsets from now.
func instants(offsets ...time.Duration) []string {
	var all []string
	for _, offset := range offsets {
		all = append(all, time.Now().UTC().Add(offset).Format(`"`+time.RFC3339+`"`))
	}
	return all
}

func with(members map[string]string, name, raw string) map[string]string {
	changed := maps.Clone(members)
	changed[name] = raw
	return changed
}

// object writes members in a fixed order.
func object(members map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		parts = append(parts, `"`+name+`":`+members[name])
	}
	return "{" + strings.Join(parts, ",") + "}"
}
