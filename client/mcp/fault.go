package mcp

import (
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client"
	"taskmarket/client/visible"
)

const (
	// longestFault limits, in bytes, an error about invalid arguments: the validator repeats them,
	// and quotes make them longer.
	longestFault = 300
	// longestWords limits, in bytes, the text of a service or a node in an error.
	longestWords = 1000
)

// own is an error that the tools have created themselves. Any other error may contain text of a
// service or a node.
type own struct{ error }

// Unwrap implements the interface of package errors.
func (o own) Unwrap() error { return o.error }

func ownErrorf(format string, args ...any) error { return own{fmt.Errorf(format, args...)} }

// asOwnError wraps an error as own. It returns nil for nil.
func asOwnError(err error) error {
	if err == nil {
		return nil
	}
	return own{err}
}

// failure returns the error to the model, so that it can correct the call. Text that is not our own
// is marked as untrusted, because a service or a node could put instructions into it. trusted means
// that the API is this program, whose messages are our own.
func failure(err error, trusted bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: errorText(err, trusted)}}}
}

func errorText(err error, trusted bool) string {
	if fault, ok := errors.AsType[own](err); ok {
		return visible.Text(fault.Error())
	}
	if refused, ok := errors.AsType[*client.APIError](err); ok && trusted {
		return visible.Text(refused.Error())
	}
	words, fault := encode(mark{shortened(err.Error(), longestWords)})
	if fault != nil {
		return "it failed"
	}
	return "the tool failed with this error: " + string(words)
}

// shortened cuts a text to a number of bytes. The encoder repairs a character that is cut.
func shortened(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return text[:longest] + "..."
}
