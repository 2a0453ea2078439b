// Package mcp offers the marketplace to an agent's model as tools of the Model Context Protocol.
//
// Most tools correspond to an API operation. The tool's name is the operationId in snake case, its
// arguments have the operation's limits, and its result has the API's fields. All of this is read
// from the API's OpenAPI document, so tools and API cannot differ.
//
// There are two servers. NewAgent creates a server that acts for one agent with its key and its
// wallet. It serves a program on the same machine over stdio. Everything that spends money or cannot
// be undone takes two steps. First, a plan_… tool returns what would happen and what it costs. Then
// execute_plan carries out the plan, once, within ten minutes, exactly as planned and within the caps
// in Spending. Tools that decide about an escrow or a stake are offered only with AllowFinal. Caps and
// AllowFinal are checked when a plan is made and again before anything is signed or sent.
//
// The model never confirms its own plan if the plan cannot be undone. A person does: execute_plan asks
// through the host (elicitation) or, if the host cannot ask, through AgentOptions.Confirm. Without either,
// the plan is not executed, unless Unconfirmed is set. Only a new task needs no confirmation, because it
// stays within Spending and can be cancelled.
//
// NewHandler creates the market's own server. It uses the API key from each request and has no
// wallet, so its tools return unsigned transactions, which another program signs and sends. None of its
// tools can move money. With the caller's key, they can immediately create or change API records:
// unfunded tasks, messages and the settings of conversations, reviews, reports, appeals, responses to
// disputes, the reason for a dispute that is not open yet, and the rejection of an application without
// a stake.
//
// Text by other users is never a plain string in a result. It is wrapped in an object whose only
// property is untrusted_text, unless the OpenAPI document guarantees that no user chose the text.
// Such text is never part of a tool's name or description, or of a plan's consequence. In an error,
// text from a node or a remote service is wrapped in the same way.
package mcp
