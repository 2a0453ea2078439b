package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"taskmarket/chain/rpc"
	"taskmarket/chain/send"
	"taskmarket/client"
	"taskmarket/client/signer"
	"taskmarket/market"
)

// The exit codes are documented by `taskmarket help exit-codes`. Do not change them: scripts depend
// on them.
const (
	ExitDone         = 0
	ExitFailed       = 1
	ExitUsage        = 2
	ExitRefused      = 3
	ExitUnauthorized = 4
	ExitChain        = 5
	ExitLater        = 6
	ExitDeclined     = 7
	ExitInterrupted  = 130
)

// ExitError is an error with an exit code and an optional hint.
type ExitError struct {
	Code int
	Err  error
	Hint string // what the user can do; empty if unknown
}

func (f *ExitError) Error() string { return f.Err.Error() }

// Unwrap returns the wrapped error.
func (f *ExitError) Unwrap() error { return f.Err }

// WithHint sets the hint and returns the error.
func (f *ExitError) WithHint(hint string) *ExitError {
	f.Hint = hint
	return f
}

// Fail returns an error with an exit code.
func Fail(code int, format string, args ...any) *ExitError {
	return &ExitError{Code: code, Err: fmt.Errorf(format, args...)}
}

// usageHint is a format string; completeHint fills in the command.
const usageHint = "`taskmarket help%s` shows the usage"

// UsageError returns the error for an invalid command line.
func UsageError(format string, args ...any) *ExitError {
	return Fail(ExitUsage, format, args...).WithHint(usageHint)
}

// asUsage converts an error of the command-line parser to a one-line usage error. If the parser
// suggests similar command names, they become the hint. An ExitError is returned unchanged.
func asUsage(err error) *ExitError {
	if f, ok := errors.AsType[*ExitError](err); ok {
		return f
	}
	first, rest, _ := strings.Cut(err.Error(), "\n")
	f := UsageError("%s", first)
	if _, similar, ok := strings.Cut(rest, "Did you mean this?"); ok {
		f.Hint = "did you mean: " + strings.Join(strings.Fields(similar), ", ") + "?"
	}
	return f
}

// ExitCode returns the exit code for an error. The code of an ExitError in the error's chain takes
// precedence over all other errors in the chain.
func ExitCode(ctx context.Context, err error) int {
	if f, ok := errors.AsType[*ExitError](err); ok {
		return f.Code
	}
	refused, isAPI := errors.AsType[*client.APIError](err)
	withheld, isWithheld := errors.AsType[*client.NotShownError](err)
	_, reverted := errors.AsType[*rpc.RevertError](err)
	switch {
	case err == nil:
		return ExitDone
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		return ExitInterrupted
	case isAPI:
		return apiExitCode(refused.Status)
	case isWithheld && withheld.Held():
		return ExitLater
	case isWithheld:
		return ExitRefused
	case errors.Is(err, signer.ErrDeclined):
		return ExitDeclined
	case reverted, isOneOf(err, safetyErrors):
		return ExitChain
	case isOneOf(err, temporaryErrors), isUnreachable(err):
		return ExitLater
	default:
		return ruleExitCode(market.KindOf(err))
	}
}

// ruleExitCode returns the exit code for a market rule that the program checked itself, before it
// sent a request.
func ruleExitCode(kind market.Kind) int {
	switch kind { //nolint:exhaustive // only the API returns the other kinds
	case market.KindInvalid:
		return ExitUsage
	case market.KindForbidden, market.KindWrongStatus, market.KindNotFound, market.KindSignatureInvalid,
		market.KindTxFailed, market.KindTxNotFound, market.KindTxMismatch, market.KindWouldRevert:
		return ExitChain
	default:
		return ExitFailed
	}
}

// safetyErrors are the errors with the exit code ExitChain: a check prevented a signature, or the
// action failed or is no longer possible on the chain.
var safetyErrors = []error{
	client.ErrOtherPlan, client.ErrOtherContracts, client.ErrOtherRequest, client.ErrOtherTerms, client.ErrOtherCall, client.ErrOtherWork,
	client.ErrFeeLimit, client.ErrNoGas, client.ErrFailed, client.ErrMovedOn, client.ErrEnded, client.ErrSigned, client.ErrPermitUsed, client.ErrPermitExpired, rpc.ErrWrongChain, send.ErrTooMuchGas,
	rpc.ErrRefused, send.ErrInsufficientFunds,
	signer.ErrMismatch, client.ErrInsecureNode,
}

// temporaryErrors are errors after which a retry can succeed.
var temporaryErrors = []error{client.ErrNotMined, client.ErrUnderWay, send.ErrGasLimit, send.ErrNonceTaken, client.ErrUnavailable}

func isOneOf(err error, all []error) bool {
	return slices.ContainsFunc(all, func(one error) bool { return errors.Is(err, one) })
}

func apiExitCode(status int) int {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return ExitUnauthorized
	case status == http.StatusTooManyRequests, status == http.StatusBadGateway,
		status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return ExitLater
	case status >= http.StatusBadRequest && status < http.StatusInternalServerError:
		return ExitRefused
	default:
		return ExitFailed
	}
}

// isUnreachable reports whether the API or the node could not be reached.
func isUnreachable(err error) bool {
	_, transport := errors.AsType[*url.Error](err)
	_, network := errors.AsType[net.Error](err)
	_, node := errors.AsType[*rpc.ProviderError](err)
	return transport || network || node || errors.Is(err, context.DeadlineExceeded) ||
		market.KindOf(err) == market.KindChainUnavailable
}

// report prints the error and its hint on stderr, and with --json also on stdout. It returns the
// exit code.
func (a *App) report(ctx context.Context, err error) int {
	code := ExitCode(ctx, err)
	if code == ExitDone {
		return code
	}
	a.printError(ctx, err)
	message, hint := explain(err, code)
	a.Note("taskmarket: %s", OneLine(message))
	if refused, ok := errors.AsType[*client.APIError](err); ok && len(refused.Details) > 1 {
		for _, d := range refused.Details {
			a.Note("  %s: %s", OneLine(d.Field), OneLine(d.Message))
		}
	}
	if hint = a.completeHint(hint); hint != "" {
		a.Note("hint: %s", OneLine(hint))
	}
	return code
}

// completeHint inserts the command into usageHint.
func (a *App) completeHint(hint string) string {
	if hint == usageHint {
		return fmt.Sprintf(hint, a.command)
	}
	return hint
}

// explain returns the error message, with the request id if there is one, and a hint.
func explain(err error, code int) (message, hint string) {
	message = err.Error()
	if _, explained := errors.AsType[*ExitError](err); code == ExitInterrupted && !explained {
		message = "interrupted"
	}
	if refused, ok := errors.AsType[*client.APIError](err); ok {
		message = strings.Replace(message, refused.Error(), refused.Message+requestMark(refused.RequestID), 1)
		hint = terminalHint(refused.Hint, refused.Code, refused.RetryAfter)
		if refused.Status == http.StatusUnauthorized {
			hint = "" // the hint describes credentials of HTTP requests, which users of the program do not send
		}
	}
	if refused, ok := errors.AsType[*market.Error](err); ok {
		message, hint = strings.Replace(message, refused.Error(), refused.Message, 1), terminalHint(refused.Hint, refused.Kind, 0)
	}
	if withheld, ok := errors.AsType[*client.NotShownError](err); ok {
		hint = withheldHint(withheld)
	}
	for _, entry := range errorHints {
		if errors.Is(err, entry.err) {
			hint = entry.hint
			break
		}
	}
	if refused, ok := errors.AsType[*rpc.RevertError](err); ok {
		if words, ok := refused.Words(); ok {
			message, hint = words.Sentence+" ("+refused.Error()+")", words.Next
		}
	}
	message = strings.ReplaceAll(message, "\n", "; ") // errors.Join separates errors with newlines
	if f, ok := errors.AsType[*ExitError](err); ok && f.Hint != "" {
		return message, f.Hint
	}
	if hint == "" {
		hint = generalHints[code]
	}
	return message, hint
}

// withheldHint returns the next step for a task that moderation withholds.
func withheldHint(e *client.NotShownError) string {
	appeal := "`taskmarket notices` shows the moderators' decisions and their reasons, and `taskmarket appeal` appeals against one of them"
	if !e.Held() {
		return appeal + "; if the appeal succeeds, run the same command again"
	}
	return fmt.Sprintf("run the same command again after the decision: it resumes and pays once; `taskmarket get-task %s` shows whether the task is still held. "+
		"To give it up, do nothing: nothing is locked. %s", e.TaskID, appeal)
}

// errorHints are the hints for errors of the library. The first match is used.
var errorHints = []struct {
	err  error
	hint string
}{
	{send.ErrGasLimit, "raise the limit with --max-fee-per-gas or max_fee_per_gas, or wait until gas is cheaper"},
	{send.ErrTooMuchGas, "run the command again: it estimates the gas again"},
	{client.ErrNoGas, "send " + market.ChainCoin + " to the wallet, and run the command again"},
	{send.ErrInsufficientFunds, "send " + market.ChainCoin + " to the wallet, and run the command again"},
	{send.ErrNonceTaken, "wait until the wallet's other transaction is mined, and run the command again"},
	{rpc.ErrRefused, "no node has the transaction, so it has no effect; run the command again, which resumes, or use another node"},
	{client.ErrFeeLimit, "accept the fee with a higher --max-fee"},
	{client.ErrOtherPlan, "run the command again: it shows the new plan"},
	{client.ErrOtherRequest, "use another --key, or repeat the original arguments"},
	{client.ErrPermitUsed, "look up the wallet's payments in a block explorer; if none of them is for this task, run the command with a new --key"},
	{client.ErrPermitExpired, "run the same command again, without --signature: it makes a new permit, which is valid for less than an hour"},
	{client.ErrUnderWay, "run the earlier command with --resume; `taskmarket doctor` lists the unfinished operations"},
	{client.ErrEnded, "`taskmarket list-tasks` shows your tasks and their status"},
	{client.ErrFailed, "`taskmarket next TASK` shows the possible actions and their times"},
	{client.ErrMovedOn, "`taskmarket next TASK` shows the possible actions and their times"},
	{client.ErrInsecureNode, "set insecure_node to true to allow it; see `taskmarket help configuration`"},
	{signer.ErrNoAccount, "if the signer has several accounts, set TASKMARKET_WALLET_ADDRESS to the one to use; if it has none, add or unlock one there"},
	{signer.ErrMismatch, "check the external signer: `taskmarket config` shows its URL"},
}

// commandHints maps error kinds to the command to run next. They are used if the API's hint is
// empty or describes HTTP requests or headers.
var commandHints = map[market.Kind]string{
	market.KindWrongStatus:        "`taskmarket next TASK` shows the possible actions and their times",
	market.KindForbidden:          "`taskmarket profile` shows the agent whose API key is in use",
	market.KindNotVerified:        "`taskmarket verify` links an account on a social network",
	market.KindVerificationFailed: "`taskmarket verify` prints the text to post",
	market.KindAlreadyVerified:    "`taskmarket verify --handle=ACCOUNT` prints the text that links another account",
	market.KindNothingToClaim:     "`taskmarket balance` shows the reward that you can claim",
	market.KindWouldRevert:        "`taskmarket next TASK` shows the possible actions and their times",
	market.KindReasonRequired:     "add --reason with a text for the applicant",
	market.KindNotFound:           "check the id or the username; `taskmarket list-tasks` lists your tasks",
	market.KindRotationTooSoon:    "use the API key from the last replacement",
}

// httpTerms matches hints that are meant for developers who send HTTP requests.
var httpTerms = regexp.MustCompile(`\b(GET|POST|PUT|PATCH|DELETE) /|X-API-Key|Retry-After|[Hh]eader`)

// terminalHint adapts the API's hint for command-line users and adds when to retry.
func terminalHint(hint string, kind market.Kind, retryAfter time.Duration) string {
	if hint == "" || httpTerms.MatchString(hint) {
		hint = commandHints[kind]
	}
	retry := "try again in " + market.FormatDuration(retryAfter)
	switch {
	case retryAfter <= 0, strings.Contains(strings.ToLower(hint), "try again in "):
		return hint
	case hint == "":
		return retry
	default:
		return strings.TrimSuffix(hint, ".") + "; " + retry
	}
}

// generalHints are the fallback hints, by exit code.
var generalHints = map[int]string{
	ExitFailed:       "`taskmarket doctor` finds problems and suggests how to fix them",
	ExitUsage:        usageHint,
	ExitRefused:      "check the arguments; `taskmarket actions` shows the actions that you can take",
	ExitUnauthorized: "check the API key: `taskmarket config` shows its source; `taskmarket recover-key` replaces a lost key",
	ExitChain:        "`taskmarket config` shows the node and the contracts in use",
	ExitLater:        "try again later; a command that sends a transaction resumes where it stopped",
	ExitDeclined:     "nothing was sent; run the command again to confirm",
	ExitInterrupted:  "run the same command again",
}
