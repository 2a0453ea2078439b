package cli

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"taskmarket/client"
	"taskmarket/market"
)

// errorDocument is the JSON document that --json prints for an error. The first four members are
// always present.
type errorDocument struct {
	// Error is the error code of the API or of a market rule. For other errors, it is the code in
	// errorClasses.
	Error     string          `json:"error"`
	Message   string          `json:"message"`
	Hint      string          `json:"hint"`
	RequestID string          `json:"request_id"`
	Details   []client.Detail `json:"details,omitempty"`
}

// errorClasses maps exit codes to the error codes for errors without a code of their own.
var errorClasses = map[int]string{
	ExitFailed:       "failed",
	ExitUsage:        "usage",
	ExitRefused:      "refused",
	ExitUnauthorized: "unauthorized",
	ExitChain:        "chain",
	ExitLater:        "unavailable",
	ExitDeclined:     "declined",
	ExitInterrupted:  "interrupted",
}

// documentOf returns the error document for an error of the whole command or of one of its items.
func (a *App) documentOf(ctx context.Context, err error) errorDocument {
	code := ExitCode(ctx, err)
	message, hint := explain(err, code)
	d := errorDocument{Error: errorClasses[code], Message: message, Hint: a.completeHint(hint)}
	if kind := market.KindOf(err); kind != "" {
		d.Error = string(kind)
	}
	if refused, ok := errors.AsType[*client.APIError](err); ok {
		if refused.Code != "" {
			d.Error = string(refused.Code)
		}
		d.RequestID, d.Details = refused.RequestID, refused.Details
		d.Message = strings.Replace(message, requestMark(refused.RequestID), "", 1)
	}
	return d
}

// DocumentsOf returns an error document for each failed item of a command.
func (a *App) DocumentsOf(ctx context.Context, faults []error) []errorDocument {
	all := make([]errorDocument, len(faults))
	for i, err := range faults {
		all[i] = a.documentOf(ctx, err)
	}
	return all
}

// requestMark formats a request id for the error line. It returns "" if there is no id.
func requestMark(id string) string {
	if id == "" {
		return ""
	}
	return " [request " + id + "]"
}

// printError prints the error as JSON on stdout if --json is set. It prints nothing if a result was
// already printed, or for the watch command, whose stdout contains only events.
func (a *App) printError(ctx context.Context, err error) {
	if !a.jsonErrors || a.Stdout.used || a.command == " watch" {
		return
	}
	if text, fault := EncodeJSON(a.documentOf(ctx, err), "  "); fault == nil {
		_ = a.Write(text) // a failed write is ignored, because the error is also on stderr
	}
}

// asksForJSON reports whether a command line that the parser rejected contains --json. The parser
// may have stopped before it reached the flag.
func asksForJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	requested := false
	for _, arg := range args {
		if arg == "--json" {
			requested = true
		} else if value, ok := strings.CutPrefix(arg, "--json="); ok {
			requested, _ = strconv.ParseBool(value)
		}
	}
	return requested
}
