package mcp

import (
	"errors"
	"fmt"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client"
	"taskmarket/client/visible"
)

const (
	// longestFault bounds, in bytes, what is told of arguments that do not fit:
	// the checker repeats them, and quotes make them longer.
	longestFault = 300
	// longestWords bounds, in bytes, what is told of the words of a service or a
	// node.
	longestWords = 1000
)

// own is a fault in the words of these tools. All others may hold whatever a
// service or a node answered.
type own struct{ error }

// Unwrap implements the interface of package errors.
func (o own) Unwrap() error { return o.error }

func ownf(format string, args ...any) error { return own{fmt.Errorf(format, args...)} }

// asOwn makes an error own; nil stays nil.
func asOwn(err error) error {
	if err == nil {
		return nil
	}
	return own{err}
}

// failure tells the model what went wrong, so that it can do better. Words that
// are not our own are marked like those of other people: a service or a node
// could give it orders in them. trusted says that the API is this program, whose
// messages are our own.
func failure(err error, trusted bool) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: told(err, trusted)}}}
}

func told(err error, trusted bool) string {
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
	return "it failed, and this is what is known of it: " + string(words)
}

// shortened cuts a text to a number of bytes. Whoever writes it mends a
// character that is cut.
func shortened(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	return text[:longest] + "..."
}
