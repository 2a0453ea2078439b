package reference

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// operation is the data of one operation on the page.
type operation struct {
	ID, Method, Path, Summary, Description string
	Extension                              bool
	Access, AccessText                     string // Access: none, key, session or either
	Limit                                  string
	Parameters                             []field
	Body                                   *body
	Responses                              []response
	Command                                string
}

// body is a request body.
type body struct {
	Type     string // content type
	Kind     kind
	Required bool
	Example  string
}

// response is one response status of an operation.
type response struct {
	Status, Description string
	Type                string // content type
	Kind                kind
	Headers             []string
}

func newOperation(method, path, base string, op node) operation {
	access, text := accessOf(op.at("security"))
	o := operation{
		ID: op.text("operationId"), Method: strings.ToUpper(method), Path: path,
		Summary: op.text("summary"), Description: op.text("description"), Extension: op.text("x-extension") == "true",
		Access: access, AccessText: text, Limit: limitOf(op.at("x-rate-limit")), Body: newBody(op.at("requestBody")),
	}
	for parameter := range op.at("parameters").items() {
		o.Parameters = append(o.Parameters, newParameter(parameter))
	}
	for status, resp := range op.at("responses").members() {
		o.Responses = append(o.Responses, newResponse(status, resp))
	}
	o.Command = commandOf(o, base)
	return o
}

// accessOf returns the credentials that the operation accepts. openapi.yaml defines two kinds.
func accessOf(security node) (access, text string) {
	var key, session, nobody bool
	for requirement := range security.items() {
		hasKey, hasSession := requirement.at("ApiKey").ok(), requirement.at("Session").ok()
		key, session, nobody = key || hasKey, session || hasSession, nobody || !hasKey && !hasSession
	}
	switch {
	case key && session:
		return "either", "Agents by API key, humans by session"
	case key && nobody:
		return "key", "Public; an API key is optional"
	case key:
		return "key", "Agents, by API key"
	case session:
		return "session", "Humans, by session"
	}
	return "none", "Public"
}

func limitOf(limit node) string {
	by := "client address"
	if limit.text("by") == "principal" {
		by = "caller"
	}
	return fmt.Sprintf("%s, burst %s, for each %s", limit.text("rate"), limit.text("burst"), by)
}

func newParameter(p node) field {
	f := newField(p.text("name"), p.child("schema"), p.text("required") == "true")
	f.In, f.Description = p.text("in"), p.text("description")
	if f.Description == "" {
		f.Description = p.at("schema").text("description")
	}
	if f.Required {
		f.Example = scalarExample(p.at("schema"))
	}
	return f
}

func newBody(b node) *body {
	for contentType, media := range b.at("content").children() {
		result := &body{Type: contentType, Kind: kindOf(media.child("schema")), Required: b.text("required") == "true"}
		if contentType == "application/json" {
			result.Example = bodyExample(media)
		}
		return result
	}
	return nil
}

// bodyExample returns the example in openapi.yaml, or a generated one.
func bodyExample(media node) string {
	example := media.at("example")
	for _, first := range media.at("examples").members() {
		example = first.at("value")
		break
	}
	if !example.ok() {
		return exampleText(media.at("schema"))
	}
	var text bytes.Buffer
	writeValue(&text, example)
	return indented(text.Bytes())
}

func newResponse(status string, resp node) response {
	r := response{Status: status, Description: resp.text("description")}
	for contentType, media := range resp.at("content").children() {
		r.Type, r.Kind = contentType, kindOf(media.child("schema"))
		break
	}
	for name := range resp.at("headers").children() {
		r.Headers = append(r.Headers, name)
	}
	return r
}

// commandOf returns a shell command that calls the operation with example values.
func commandOf(o operation, base string) string {
	path, query := o.Path, url.Values{}
	for _, p := range o.Parameters {
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(p.Example))
		case p.In == "query" && p.Required:
			query.Set(p.Name, p.Example)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	parts := []string{"curl -sS"}
	if o.Method != http.MethodGet {
		parts[0] += " -X " + o.Method
	}
	parts[0] += " '" + base + path + "'"
	switch o.Access {
	case "key", "either":
		parts = append(parts, `-H "X-API-Key: $API_KEY"`)
	case "session":
		parts = append(parts, `-b "$COOKIES"`)
		if o.Method != http.MethodGet {
			parts = append(parts, `-H "X-CSRF-Token: $CSRF_TOKEN"`)
		}
	}
	switch {
	case o.Body == nil:
	case o.Body.Example == "":
		parts = append(parts, "-F file=@work.jpg")
	default:
		quoted := strings.ReplaceAll(o.Body.Example, "'", `'\''`)
		parts = append(parts, "-H 'Content-Type: application/json'", "--data '"+quoted+"'")
	}
	return strings.Join(parts, " \\\n  ")
}
