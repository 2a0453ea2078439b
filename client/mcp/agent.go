package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"taskmarket/client"
	"taskmarket/market"
)

// AgentOptions configure the tools of one agent.
type AgentOptions struct {
	// Client contains the agent's key, wallet, node and journal. NewAgent sets its Allow and
	// AllowOther. If Spending allows an amount or AllowFinal is true, Contracts must be set, because no
	// human checks who receives the money.
	Client client.Options
	// Spending limits the amounts that plans may spend and release.
	Spending Spending
	// AllowFinal enables the tools that accept and reject applications, approve and dispute work,
	// and cancel tasks. They release escrows and forfeit stakes, within Spending. Without it, these
	// tools are not offered, and their transactions are neither signed nor sent again. If a new
	// transaction would have to wait for such a transaction, it is not signed either.
	AllowFinal bool
	// Confirm asks a person whether to execute a plan that cannot be undone, and reports whether the answer
	// is yes. It is used if the MCP host cannot ask, because it does not support elicitation. If it is nil,
	// the plan is not executed.
	Confirm func(context.Context, Confirmation) (bool, error)
	// Unconfirmed executes these plans without a person's confirmation.
	Unconfirmed bool
	// Version is the program's version.
	Version string
	// Log receives the tools' internal errors.
	Log *slog.Logger
	// Now returns the current time. If nil, time.Now is used.
	Now func() time.Time
}

// Agent is the tool server for one agent with its wallet.
type Agent struct {
	client      *client.Client
	book        *book
	spending    *ledger
	final       bool
	confirm     func(context.Context, Confirmation) (bool, error)
	unconfirmed bool
	server      *sdk.Server
}

// agentInstructions is the part of the instructions to a model that does not depend on AllowFinal.
const agentInstructions = `Hire humans and pay them through an escrow contract, as one agent with its wallet. Actions that
spend money or cannot be undone take two steps: a plan_... tool returns what would happen, the cost and the consequence;
show that to the person who decides, then call execute_plan with its plan_id and its spends. A plan can be executed once,
within ten minutes, and only as it was planned. For everything that cannot be undone, execute_plan itself asks a person.
If the person declines, do not make the plan again unless that person asks for it. `

const (
	// finalInstructions is the part of the instructions that is used with AllowFinal.
	finalInstructions = `To hire: plan_create_task, list_task_applications, plan_accept_application; when
the task is submitted, review the work, then plan_approve_task or plan_dispute_task; afterwards plan_review_task. `
	// openInstructions is the part of the instructions that is used without AllowFinal.
	openInstructions = `You can post a task with plan_create_task and read its applications and
the work. You cannot accept or reject an application, approve or dispute work, or cancel a task: ask the operator of
this server to do that, or to allow it with --allow-final. `
)

func instructions(final bool) string {
	if final {
		return agentInstructions + finalInstructions + sharedInstructions
	}
	return agentInstructions + openInstructions + sharedInstructions
}

// ErrNotPinned is returned if Spending or AllowFinal lets the tools move money but no contracts are
// pinned, because the API could then substitute other contracts.
var ErrNotPinned = errors.New("spending limits and AllowFinal require pinned contracts")

// NewAgent creates the tools. Call Close when the Agent is no longer needed.
func NewAgent(o AgentOptions) (*Agent, error) {
	if o.Client.Signer == nil || o.Client.Flows == nil || o.Spending.File == "" || o.Log == nil {
		return nil, errors.New("a wallet, a journal, a log and a spending file are required")
	}
	if o.Unconfirmed && o.Confirm != nil {
		return nil, errors.New("the options Unconfirmed and Confirm exclude each other")
	}
	if (o.Spending.some() || o.AllowFinal) && o.Client.Contracts == nil {
		return nil, ErrNotPinned
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	a := &Agent{
		book: newBook(o.Now), spending: &ledger{o.Spending, o.Client.Flows, o.Now}, final: o.AllowFinal,
		confirm: o.Confirm, unconfirmed: o.Unconfirmed,
	}
	o.Client.Allow, o.Client.AllowOther = a.allow, a.allowOther
	var err error
	if a.client, err = client.New(o.Client); err != nil {
		return nil, err
	}
	tools, err := a.tools()
	if err != nil {
		a.client.Close()
		return nil, err
	}
	clientFor := func(context.Context) (*client.Client, error) { return a.client, nil }
	a.server = newServer(o.Version, instructions(o.AllowFinal), tools, host{clientFor: clientFor, log: o.Log})
	return a, nil
}

// Serve serves the protocol with one message per line. It returns nil at the end of the input, or
// the context's error if ctx ends first.
func (a *Agent) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	err := a.server.Run(ctx, &sdk.IOTransport{Reader: in, Writer: out, MaxLineLength: maxBody})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF):
		return nil
	}
	return err
}

// Close closes the client's connections.
func (a *Agent) Close() { a.client.Close() }

func (a *Agent) tools() ([]*tool, error) {
	c, err := readContract()
	if err != nil {
		return nil, err
	}
	tools, err := c.readingTools()
	if err != nil {
		return nil, err
	}
	for _, act := range market.Acts() {
		if act.Operation == "" || act.Final && act.Call && !a.final {
			continue
		}
		t, err := a.plan(c, act)
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	execute, err := a.execute()
	if err != nil {
		return nil, err
	}
	tools = append(tools, execute)
	for _, t := range tools {
		t.do = verified(t.definition.Name, t.do)
	}
	return tools, nil
}
