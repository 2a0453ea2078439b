package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"taskmarket/chain"
	"taskmarket/client"
	"taskmarket/client/signer"
	"taskmarket/market"
)

// The exit codes, which `taskmarket help exit-codes` documents. Programs depend
// on them.
const (
	exitDone         = 0
	exitFailed       = 1
	exitUsage        = 2
	exitRefused      = 3
	exitUnauthorized = 4
	exitChain        = 5
	exitLater        = 6
	exitDeclined     = 7
	exitInterrupted  = 130
)

// failure is an error that knows its exit code and what to do next.
type failure struct {
	code int
	err  error
	hint string // may be empty
}

func (f *failure) Error() string { return f.err.Error() }

// Unwrap returns what went wrong.
func (f *failure) Unwrap() error { return f.err }

// next returns the failure with the advice what to do.
func (f *failure) next(hint string) *failure {
	f.hint = hint
	return f
}

// fail makes a failure with an exit code.
func fail(code int, format string, args ...any) *failure {
	return &failure{code: code, err: fmt.Errorf(format, args...)}
}

// usageHint is completed by report, which knows the command.
const usageHint = "`taskmarket help%s` says how it is used"

// usageError is a wrong command line.
func usageError(format string, args ...any) *failure {
	return fail(exitUsage, format, args...).next(usageHint)
}

// asUsage makes an error of the command line's parser one sentence. What the
// parser adds below, commands of similar names, becomes the hint. An error of
// ours stays as it is.
func asUsage(err error) *failure {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	first, rest, _ := strings.Cut(err.Error(), "\n")
	f := usageError("%s", first)
	if _, similar, ok := strings.Cut(rest, "Did you mean this?"); ok {
		f.hint = "did you mean: " + strings.Join(strings.Fields(similar), ", ") + "?"
	}
	return f
}

// exitCode returns the code that stands for the error, by the most telling
// error in its chain.
func exitCode(ctx context.Context, err error) int {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.code
	}
	refused, isAPI := errors.AsType[*client.APIError](err)
	_, reverted := errors.AsType[*chain.RevertError](err)
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return exitInterrupted
	case isAPI:
		return apiExitCode(refused.Status)
	case errors.Is(err, signer.ErrDeclined):
		return exitDeclined
	case reverted, isOneOf(err, unsafe):
		return exitChain
	case isOneOf(err, passing), away(err):
		return exitLater
	default:
		return ruleExitCode(market.KindOf(err))
	}
}

// ruleExitCode is for what the market's own rules refuse before anything is sent.
func ruleExitCode(kind market.Kind) int {
	switch kind { //nolint:exhaustive // the others are the service's
	case market.KindInvalid:
		return exitUsage
	case market.KindForbidden, market.KindWrongStatus, market.KindNotFound, market.KindSignatureInvalid,
		market.KindTxFailed, market.KindTxNotFound, market.KindTxMismatch, market.KindWouldRevert:
		return exitChain
	default:
		return exitFailed
	}
}

// unsafe are the refusals of safety checks: nothing was signed.
var unsafe = []error{
	client.ErrOtherContracts, client.ErrOtherRequest, client.ErrOtherTerms, client.ErrOtherCall, client.ErrOtherWork,
	client.ErrFeeLimit, client.ErrNoGas, client.ErrFailed, client.ErrMovedOn, client.ErrEnded, client.ErrSigned, client.ErrPermitUsed, chain.ErrWrongChain, chain.ErrTooMuchGas,
	signer.ErrLies, client.ErrInsecureNode,
}

// passing are the failures that a later attempt may not meet.
var passing = []error{client.ErrNotMined, client.ErrUnderWay, chain.ErrGasLimit, client.ErrUnavailable}

func isOneOf(err error, all []error) bool {
	return slices.ContainsFunc(all, func(one error) bool { return errors.Is(err, one) })
}

func apiExitCode(status int) int {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return exitUnauthorized
	case status == http.StatusTooManyRequests, status == http.StatusBadGateway,
		status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return exitLater
	case status >= http.StatusBadRequest && status < http.StatusInternalServerError:
		return exitRefused
	default:
		return exitFailed
	}
}

// away reports whether the API or the node only could not be reached.
func away(err error) bool {
	_, transport := errors.AsType[*url.Error](err)
	_, network := errors.AsType[net.Error](err)
	return transport || network || errors.Is(err, context.DeadlineExceeded) ||
		market.KindOf(err) == market.KindChainUnavailable
}

// report writes to stderr what went wrong and what to do, with --json also to stdout,
// and returns the exit code.
func (a *app) report(ctx context.Context, err error) int {
	code := exitCode(ctx, err)
	if code != exitDone {
		a.printError(ctx, err)
	}
	switch code {
	case exitDone:
		return code
	case exitInterrupted:
		a.note("taskmarket: interrupted")
		return code
	}
	message, hint := explain(err, code)
	a.note("taskmarket: %s", oneLine(message))
	if refused, ok := errors.AsType[*client.APIError](err); ok && len(refused.Details) > 1 {
		for _, d := range refused.Details {
			a.note("  %s: %s", oneLine(d.Field), oneLine(d.Message))
		}
	}
	if hint = a.completed(hint); hint != "" {
		a.note("hint: %s", oneLine(hint))
	}
	return code
}

// completed names the command in a hint about its usage.
func (a *app) completed(hint string) string {
	if hint == usageHint {
		return fmt.Sprintf(hint, a.command)
	}
	return hint
}

// explain returns what went wrong, with the request's id where there is one, and
// what to do next.
func explain(err error, code int) (message, hint string) {
	message = err.Error()
	if refused, ok := errors.AsType[*client.APIError](err); ok {
		message = strings.Replace(message, refused.Error(), refused.Message+requestMark(refused.RequestID), 1)
		hint = refused.Hint
		if refused.Status == http.StatusUnauthorized {
			hint = "" // it is about headers, which our user does not write
		}
		hint = whenToRetry(hint, refused.RetryAfter)
		if hint == "" && refused.Code == market.KindWrongStatus {
			hint = ofStatus
		}
	}
	if refused, ok := errors.AsType[*market.Error](err); ok {
		message, hint = strings.Replace(message, refused.Error(), refused.Message, 1), refused.Hint
	}
	if errors.Is(err, chain.ErrGasLimit) {
		hint = "--max-fee-per-gas, or max_fee_per_gas in the configuration, allows more; or wait until gas is cheaper"
	}
	if refused, ok := errors.AsType[*chain.RevertError](err); ok {
		if words, known := refused.Words(); known {
			message, hint = words.Sentence+" ("+refused.Error()+")", words.Next
		}
	}
	message = strings.ReplaceAll(message, "\n", "; ") // between the errors that errors.Join joined
	if f, ok := errors.AsType[*failure](err); ok && f.hint != "" {
		return message, f.hint
	}
	if hint == "" {
		hint = generalHints[code]
	}
	return message, hint
}

// ofStatus is the advice where the status of a task does not fit.
const ofStatus = "`taskmarket next TASK` shows what can be done with a task, and when"

// whenToRetry adds to the API's advice when to try again. What it says of the
// header is for those who see headers.
func whenToRetry(hint string, after time.Duration) string {
	const header = "as long as the header Retry-After says"
	switch {
	case after <= 0:
		return hint
	case strings.Contains(hint, header):
		return strings.Replace(hint, header, after.String(), 1)
	case hint == "":
		return "try again in " + after.String()
	default:
		return strings.TrimSuffix(hint, ".") + "; try again in " + after.String()
	}
}

// generalHints are for failures that nobody knows better.
var generalHints = map[int]string{
	exitUnauthorized: "check the API key: `taskmarket config` shows where it comes from; a lost one is replaced by `taskmarket recover-key`",
	exitChain:        "nothing was signed that was not asked for; `taskmarket config` shows the node and the contracts in use",
	exitLater:        "try again later: the same command continues where it stopped",
}
