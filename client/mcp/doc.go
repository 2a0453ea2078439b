// Package mcp gives an agent's model the marketplace as tools of the Model
// Context Protocol.
//
// Each tool is an operation of the API: its name is the operationId in snake
// case, its arguments and their limits are the operation's, its result has the
// API's own members. All that is read from the API's contract, so that the two
// cannot differ.
//
// There are two servers. NewAgent acts for one agent with its key and its
// wallet, for a program on the same machine that speaks over stdio. Whatever
// spends or cannot be undone takes two steps there: a tool plan_… answers what
// would happen and what it costs, and only execute_plan does it, once, within
// minutes, exactly as planned and within the caps of Spending. Tools that decide
// over an escrow or a stake are offered only with AllowFinal. Caps and AllowFinal
// are checked when a plan is made and again before anything is signed or sent.
//
// NewHandler is for the market's own server: it acts with the key of each request
// and has no wallet, so its tools answer unsigned transactions, which another
// program signs and sends. None of its tools can move money. What they change at
// once, with the caller's key, are records of the API: messages, reviews, answers
// to disputes, the reason for a dispute that is not yet open, and the rejection of
// an application that has no stake.
//
// Text that other people wrote is never a plain string in a result. It stands
// in an object whose only member is called untrusted_text, wherever the
// contract does not rule out that a person chose the words. No such text is
// part of a tool's name or description, of an error, or of what a plan says.
package mcp
