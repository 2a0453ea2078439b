package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client"
	"taskmarket/client/visible"
)

// effect classifies what a tool changes. It determines the tool's annotations.
type effect int

const (
	reads   effect = iota // changes nothing
	marks                 // has a minor, idempotent effect, such as marking messages as read
	writes                // creates a record that others can see
	decides               // makes a change that cannot be undone
)

func (e effect) annotations() *sdk.ToolAnnotations {
	return &sdk.ToolAnnotations{
		ReadOnlyHint:    e == reads,
		IdempotentHint:  e == reads || e == marks,
		DestructiveHint: new(e == decides),
		OpenWorldHint:   new(true), // inputs and outputs involve other users
	}
}

// tool is a tool and its implementation, independent of the server.
type tool struct {
	definition *sdk.Tool
	arguments  *jsonschema.Resolved
	// do executes the tool and returns its result, which is encoded as JSON, except for a result that asks
	// the host for input. The arguments were validated against the schema.
	do toolFunc
}

// toolFunc implements a tool.
type toolFunc func(ctx context.Context, caller *client.Client, arguments map[string]any) (any, error)

// callers returns the API client for the current caller.
type callers func(context.Context) (*client.Client, error)

// newTool creates a tool with the schemas for its arguments and its result. A result schema with
// untrusted text refers to untrustedSchema.
func newTool(name, about string, e effect, arguments, result schema) (*tool, error) {
	in, err := resolved(arguments)
	if err != nil {
		return nil, fmt.Errorf("resolve the argument schema of %s: %w", name, err)
	}
	result["$defs"] = schema{untrustedText: untrustedSchema}
	return &tool{
		definition: &sdk.Tool{
			Name: name, Description: about, Annotations: e.annotations(), InputSchema: arguments, OutputSchema: result,
		},
		arguments: in,
	}, nil
}

// resolved prepares a schema for validation.
func resolved(s schema) (*jsonschema.Resolved, error) {
	encoded, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var parsed jsonschema.Schema
	if err := json.Unmarshal(encoded, &parsed); err != nil {
		return nil, err
	}
	return parsed.Resolve(nil)
}

// errBroken is returned after a panic in a tool. The cause is only logged.
var errBroken = toolErrorf("the tool failed with an internal error, which was logged")

// host contains what the tools need from their server.
type host struct {
	clientFor callers      // returns the API client for the current caller
	trusted   bool         // the API runs in this program
	log       *slog.Logger // receives the tools' internal errors
}

// add registers the tool with a server.
func (t *tool) add(server *sdk.Server, h host) {
	server.AddTool(t.definition, func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		ctx = context.WithValue(ctx, requestKey{}, request)
		result, err := t.recoverPanic(ctx, h.log, func() (any, error) { return t.call(ctx, h.clientFor, request.Params.Arguments) })
		if err != nil {
			return failure(err, h.trusted), nil
		}
		if question, ok := result.(*sdk.CallToolResult); ok {
			return question, nil
		}
		return success(result)
	})
}

// recoverPanic executes a call and recovers from a panic, so that the program continues for other
// callers.
func (t *tool) recoverPanic(ctx context.Context, log *slog.Logger, call func() (any, error)) (result any, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			log.ErrorContext(ctx, "tool failed", slog.String("tool", t.definition.Name), slog.Any("cause", cause),
				slog.String("stack", string(debug.Stack())))
			err = errBroken
		}
	}()
	return call()
}

func (t *tool) call(ctx context.Context, clientFor callers, raw json.RawMessage) (any, error) {
	arguments, err := t.read(raw)
	if err != nil {
		return nil, err
	}
	caller, err := clientFor(ctx)
	if err != nil {
		return nil, asToolError(err)
	}
	return t.do(ctx, caller, arguments)
}

// read decodes and validates the arguments.
func (t *tool) read(raw json.RawMessage) (map[string]any, error) {
	arguments := map[string]any{}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &arguments); err != nil {
			return nil, toolErrorf("the arguments are not a JSON object")
		}
	}
	if arguments == nil { // some clients send null if there are no arguments
		arguments = map[string]any{}
	}
	if err := t.arguments.Validate(arguments); err != nil {
		return nil, toolErrorf("invalid arguments: %s", shortened(err.Error(), longestFault))
	}
	return arguments, nil
}

// success returns the result as structured content and, for clients that only support text, also as
// text. If the result is a picture, its image is added.
func success(result any) (*sdk.CallToolResult, error) {
	encoded, err := encode(result)
	if err != nil {
		return nil, fmt.Errorf("encode result: %w", err)
	}
	content := []sdk.Content{&sdk.TextContent{Text: string(encoded)}}
	if seen, ok := result.(work); ok && seen.image != nil {
		content = append(content, seen.image)
	}
	return &sdk.CallToolResult{StructuredContent: json.RawMessage(encoded), Content: content}, nil
}

// encode encodes the result as JSON with all invisible characters escaped, so that a model reads no
// text that is invisible to a human.
func encode(result any) ([]byte, error) {
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(result); err != nil {
		return nil, err
	}
	return visible.JSON(bytes.TrimSuffix(plain.Bytes(), []byte("\n"))), nil
}

// request converts a tool's arguments to an API request.
func (op operation) request(arguments map[string]any) client.Request {
	r := client.Request{Method: op.method, Path: op.path, Query: url.Values{}}
	body := map[string]any{}
	for name, value := range arguments {
		body[name] = value
	}
	for _, p := range op.parameters {
		value, ok := arguments[p.argument]
		delete(body, p.argument)
		switch {
		case p.in == "path":
			r.Path = strings.Replace(r.Path, "{"+p.name+"}", url.PathEscape(fmt.Sprint(value)), 1)
		case p.in == "query" && ok:
			r.Query.Set(p.name, queryValue(value))
		case p.name == "Idempotency-Key" && ok:
			r.IdempotencyKey = fmt.Sprint(value)
		case p.name == "Idempotency-Key":
			r.IdempotencyKey = uuid.NewString()
		}
	}
	if op.body != nil {
		r.Body = body
	}
	return r
}

// queryValue formats an argument as the API expects it, with a list in a single parameter.
func queryValue(value any) string {
	values, ok := value.([]any)
	if !ok {
		return fmt.Sprint(value)
	}
	texts := make([]string, len(values))
	for i, item := range values {
		texts[i] = fmt.Sprint(item)
	}
	return strings.Join(texts, ",")
}

// ask sends the request and wraps the untrusted text in the response.
func (s *shape) ask(ctx context.Context, caller *client.Client, r client.Request) (map[string]any, error) {
	raw, err := caller.Call(ctx, r)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var response map[string]any
	if err := decoder.Decode(&response); err != nil {
		return nil, fmt.Errorf("read the API's response: %w", err)
	}
	s.wrap(response)
	return response, nil
}
