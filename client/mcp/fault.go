package mcp

import (
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client"
	"taskmarket/client/visible"
)

const (
	// longestFault is the maximum length of an error about invalid arguments, in bytes. The
	// validator's errors repeat the arguments, and quoting makes them longer.
	longestFault = 300
	// longestWords is the maximum length of the text from a service or a node in an error, in bytes.
	longestWords = 1000
)

// toolError marks an error that was created by the tools themselves. Any other error may contain text
// from a service or a node.
type toolError struct{ error }

// Unwrap returns the wrapped error for errors.Is and errors.As.
func (o toolError) Unwrap() error { return o.error }

func toolErrorf(format string, args ...any) error { return toolError{fmt.Errorf(format, args...)} }

// asToolError wraps err as a toolError. It returns nil if err is nil.
func asToolError(err error) error {
	if err == nil {
		return nil
	}
	return toolError{err}
}

// failure returns the error as a tool result, so that the model can correct the call. Text from a
// service or a node is marked as untrusted, because it could contain instructions. trusted means
// that the API runs in this program, so its messages need no mark.
func failure(err error, trusted bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: errorText(err, trusted)}}}
}

func errorText(err error, trusted bool) string {
	if refused, ok := errors.AsType[*client.NotShownError](err); ok {
		err = notShown(refused) // its text contains no text from the API
	}
	if fault, ok := errors.AsType[toolError](err); ok {
		return visible.Text(fault.Error())
	}
	if refused, ok := errors.AsType[*client.APIError](err); ok && trusted {
		return visible.Text(refused.Error())
	}
	words, fault := encode(mark{shortened(err.Error(), longestWords)})
	if fault != nil {
		return "the tool failed"
	}
	return "the tool failed with this error: " + string(words)
}

// notShown returns the error for a task that moderation withholds, with the next step.
func notShown(e *client.NotShownError) error {
	if !e.Held() {
		return toolErrorf("%w; list_notices shows the reasons and the deadline for an appeal", e)
	}
	return toolErrorf("%w; after the decision, get_task returns the task's visibility: if it is \"shown\", call the same tools again; "+
		"otherwise list_notices shows the reasons and the deadline for an appeal", e)
}

// shortened truncates text to a number of bytes. If that splits a character, the JSON encoder
// replaces it.
func shortened(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return text[:longest] + "..."
}
