package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"
	"time"

	"taskmarket/chain/rpc"
	"taskmarket/client"
	"taskmarket/client/signer"
	"taskmarket/market"
)

func TestExitCodes(t *testing.T) {
	api := func(status int, kind market.Kind) error {
		return fmt.Errorf("create task: %w", &client.APIError{Status: status, Code: kind, Message: "no"})
	}
	for name, c := range map[string]struct {
		err  error
		want int
	}{
		"no error":                        {nil, ExitDone},
		"another error":                   {errors.New("disk full"), ExitFailed},
		"a rejected request":              {api(400, market.KindWrongStatus), ExitRefused},
		"not found":                       {api(404, market.KindNotFound), ExitRefused},
		"no API key":                      {api(401, market.KindUnauthorized), ExitUnauthorized},
		"not verified":                    {api(403, market.KindNotVerified), ExitUnauthorized},
		"too many unfunded tasks":         {api(409, market.KindTooManyUnfunded), ExitRefused},
		"too many requests":               {api(429, market.KindRateLimited), ExitLater},
		"the service is unavailable":      {api(503, market.KindChainUnavailable), ExitLater},
		"an internal server error":        {api(500, ""), ExitFailed},
		"a redirect":                      {api(302, ""), ExitFailed},
		"other contracts":                 {fmt.Errorf("x: %w", client.ErrOtherContracts), ExitChain},
		"other terms":                     {client.ErrOtherTerms, ExitChain},
		"a changed plan":                  {fmt.Errorf("x: %w", client.ErrOtherPlan), ExitChain},
		"another call":                    {client.ErrOtherCall, ExitChain},
		"a revert":                        {fmt.Errorf("x: %w", &rpc.RevertError{Name: "NotDue"}), ExitChain},
		"a wrong signature of the signer": {fmt.Errorf("x: %w", signer.ErrMismatch), ExitChain},
		"declined by the signer":          {fmt.Errorf("x: %w", signer.ErrDeclined), ExitDeclined},
		"not mined":                       {fmt.Errorf("x: %w", client.ErrNotMined), ExitLater},
		"no connection":                   {&url.Error{Op: "Get", URL: "http://x", Err: errors.New("refused")}, ExitLater},
		"a timeout":                       {context.DeadlineExceeded, ExitLater},
		"the node is unavailable":         {&market.Error{Kind: market.KindChainUnavailable}, ExitLater},
		"declined":                        {fmt.Errorf("x: %w", Fail(ExitDeclined, "declined")), ExitDeclined},
		"a cancelled context":             {context.Canceled, ExitFailed}, // cancelled without a signal
	} {
		if got := ExitCode(t.Context(), c.err); got != c.want {
			t.Errorf("%s: exit code %d, want %d", name, got, c.want)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := ExitCode(ended, fmt.Errorf("x: %w", context.Canceled)); got != ExitInterrupted {
		t.Errorf("interrupted: exit code %d", got)
	}
}

func TestErrorsAreOneLineAndAHint(t *testing.T) {
	refused := &client.APIError{
		Status: 400, Code: market.KindInvalid, Message: "title: too long\x1b[2J", Hint: "shorten\nit", RequestID: "r-1",
		Details: []client.Detail{{Field: "title", Message: "too long"}, {Field: "bio", Message: "too\nlong"}},
	}
	later := &client.APIError{Status: 429, Code: market.KindRateLimited, Message: "slow down", RetryAfter: 7 * time.Second}
	for want, err := range map[string]error{
		"taskmarket: create task: title: too long\\x1b[2J [request r-1]\n  title: too long\n  bio: too\\nlong\nhint: shorten\\nit\n": fmt.Errorf("create task: %w", refused),
		"taskmarket: a required address is zero (ZeroAddress)\nhint: enter an address\n":                                             fmt.Errorf("fund: %w", &rpc.RevertError{Name: "ZeroAddress"}),
		"taskmarket: slow down\nhint: try again in 7 seconds\n":                                                                      later,
		"taskmarket: slower\nhint: try again in 7 seconds\n":                                                                         &client.APIError{Status: 429, Message: "slower", Hint: "Wait as long as the header Retry-After says.", RetryAfter: 7 * time.Second},
		"taskmarket: too early\nhint: Wait, or try again in 2 hours\n":                                                               &client.APIError{Status: 429, Message: "too early", Hint: "Wait, or try again in 2 hours", RetryAfter: 2 * time.Hour},
		"taskmarket: the day is over\nhint: Claim later; try again in 1 hour\n":                                                      &client.APIError{Status: 503, Message: "the day is over", Hint: "Claim later.", RetryAfter: time.Hour},
		"taskmarket: it is active\nhint: " + commandHints[market.KindWrongStatus] + "\n":                                             &client.APIError{Status: 400, Code: market.KindWrongStatus, Message: "it is active"},
		"taskmarket: one; two\nhint: " + generalHints[ExitFailed] + "\n":                                                             errors.Join(errors.New("one"), errors.New("two")),
		"taskmarket: no wallet\nhint: make one\n":                                                                                    Fail(ExitUsage, "no wallet").WithHint("make one"),
		"taskmarket: away: try later\nhint: " + generalHints[ExitLater] + "\n":                                                       fmt.Errorf("away: %w", Fail(ExitLater, "try later")),
	} {
		var out bytes.Buffer
		New(Streams{Out: &out, Err: &out}, nil).report(t.Context(), err)
		if out.String() != want {
			t.Errorf("report printed\n%swant\n%s", &out, want)
		}
	}
}
