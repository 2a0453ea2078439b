package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client"
	"taskmarket/client/visible"
	"taskmarket/market"
)

// confirmWait is how long AgentOptions.Confirm may wait for a person.
const confirmWait = 5 * time.Minute

// Confirmation describes a plan that cannot be undone, for the person who decides.
type Confirmation struct {
	// Text states the facts, one per line, and the consequence. Amounts, addresses and hashes were read from
	// the chain. Each text that the model passed is in quotes, on one line, without invisible characters.
	Text string `json:"text"`
	// Plan is the plan as JSON; nil for an action without a transaction.
	Plan json.RawMessage `json:"plan,omitempty"`
	// Arguments are the arguments that the model passed to the plan_… tool.
	Arguments map[string]any `json:"arguments"`
}

// confirmationOf describes a plan. It uses no text from the service: only the plan's numbers, and the
// arguments of the model's call.
func confirmationOf(act market.Act, p client.Plan, args arguments) Confirmation {
	c := Confirmation{Arguments: args}
	lines := []string{"Action: " + strings.ReplaceAll(snake(act.Operation), "_", " ")}
	fact := func(name, value string) { lines = append(lines, name+": "+value) }
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if strings.HasSuffix(name, "_id") {
			fact(name, visible.Line(fmt.Sprint(args[name])))
		}
	}
	consequence := act.EffectInWords(market.RoleAgent)
	if act.Call {
		consequence = p.Consequence
		c.Plan, _ = json.Marshal(p) // a plan consists of values that can be encoded
		for _, f := range planFacts(p) {
			fact(f[0], f[1])
		}
	}
	fact("Consequence", consequence)
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !strings.HasSuffix(name, "_id") {
			fact(name, quoted(args[name]))
		}
	}
	c.Text = strings.Join(lines, "\n")
	return c
}

// planFacts returns the names and values of a plan's numbers and addresses.
func planFacts(p client.Plan) [][2]string {
	var facts [][2]string
	add := func(name, value string) { facts = append(facts, [2]string{name, value}) }
	amount := func(name string, wei *big.Int) {
		if wei != nil && wei.Sign() > 0 {
			add(name, market.FormatAmount(wei, "tokens"))
		}
	}
	if p.EscrowTaskID != nil {
		add("Task number in the escrow", strconv.FormatUint(*p.EscrowTaskID, 10))
	}
	if p.Human != nil {
		add("Wallet of the human", p.Human.Hex())
	}
	if p.WorkHash != nil {
		add("Hash of the work", p.WorkHash.Hex())
	}
	amount("Leaves your wallet", p.Spends)
	switch market.ActOf(p.Action).Money { //nolint:exhaustive // the others release nothing
	case market.MoneyForfeited:
		amount("Stake that the human loses", p.Releases)
	case market.MoneyPromised:
		amount("Locked amount that you give up", p.Releases)
		amount("Of this, the human receives", p.Payout)
		amount("Of this, the platform receives", p.Fee)
	}
	add("Your wallet", p.Wallet.Hex())
	add("Chain", strconv.FormatUint(p.ChainID, 10))
	if p.GasCost != nil {
		add("Gas, at most", market.FormatAmount(p.GasCost, market.ChainCoin))
	}
	switch {
	case p.Done:
		add("State", "already done; nothing will be signed")
	case p.Resumes:
		add("State", "signed earlier; the signed transaction will be sent again")
	}
	return facts
}

// quoted returns a value on one line, in quotes if it is a text.
func quoted(value any) string {
	text, ok := value.(string)
	if !ok {
		return visible.Line(fmt.Sprint(value))
	}
	return `"` + strings.ReplaceAll(visible.Line(text), `"`, `\"`) + `"`
}

type requestKey struct{}

// requestOf returns the request of the tool call; nil outside of one.
func requestOf(ctx context.Context) *sdk.CallToolRequest {
	request, _ := ctx.Value(requestKey{}).(*sdk.CallToolRequest)
	return request
}

// elicits reports whether the host can show a form to a person. A host without any mode of elicitation
// in its capability supports forms, because early versions of the protocol had no modes.
func elicits(request *sdk.CallToolRequest) bool {
	if request == nil {
		return false
	}
	c := request.ClientCapabilities()
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// approve returns the agreement to execute, marked as used. If a person must confirm it first and the
// host can ask, it returns the question instead, and the host calls the tool again with the answer. A
// plan whose confirmation was declined stays used, so that the same question is not asked again.
func (a *Agent) approve(ctx context.Context, id, spends string) (*agreement, *sdk.CallToolResult, error) {
	agreed, err := a.book.read(id, spends)
	if err != nil {
		return nil, nil, err
	}
	request := requestOf(ctx)
	var yes func() (bool, error)
	switch {
	case !agreed.final, a.unconfirmed:
		yes = func() (bool, error) { return true, nil }
	case elicits(request):
		response, answered := request.Params.InputResponses[agreed.question]
		if !answered {
			return nil, questionOf(agreed), nil
		}
		result, ok := response.(*sdk.ElicitResult)
		yes = func() (bool, error) { return ok && result.Action == "accept", nil }
	case a.confirm == nil:
		return nil, nil, toolErrorf("nothing was done: a person must confirm this action, and this host cannot ask, because it does not support elicitation; " +
			"the operator can start this server with --confirm tty or --confirm COMMAND, or perform the action with the command line")
	default:
		yes = func() (bool, error) { return a.ask(ctx, agreed) }
	}
	if agreed, err = a.book.take(id, spends); err != nil {
		return nil, nil, err
	}
	switch confirmed, err := yes(); {
	case err != nil:
		return nil, nil, toolErrorf("nothing was done: the confirmation failed: %w; make a new plan to ask again", err)
	case !confirmed:
		return nil, nil, toolErrorf("nothing was done: the person declined this plan")
	}
	return agreed, nil, nil
}

// questionOf returns the result that makes the host ask a person.
func questionOf(agreed *agreement) *sdk.CallToolResult {
	return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{agreed.question: &sdk.ElicitParams{
		Mode: "form", Message: "Execute this plan? It cannot be undone.\n" + agreed.confirms.Text,
		RequestedSchema: schema{"type": "object", "properties": schema{}},
	}}}
}

// ask calls AgentOptions.Confirm. An answer after the plan's expiry does not count.
func (a *Agent) ask(ctx context.Context, agreed *agreement) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, min(confirmWait, agreed.expires.Sub(a.book.now())))
	defer cancel()
	yes, err := a.confirm(ctx, agreed.confirms)
	if err == nil {
		err = ctx.Err()
	}
	return yes, err
}
