// Package rescue gets a wallet's money out of the contracts with nothing but an
// Ethereum node: it needs no server, no account there and no record of what was
// done before.
//
// Open takes the escrow's address and reads from the contracts which others
// belong to it. Rescue.Holdings finds what the wallet has there: the tasks that
// it posted or works on, the stakes it locked or that were locked for its tasks,
// credits, and rewards. Logs say which those are, in as many requests as the
// node's limits make necessary; what they are now is read from the contracts'
// state at the latest block, which every node has.
//
// For each it tells which exits are open, from when and until when: package
// market has the rules, here are their calls. Rescue.Prepare makes one of them a
// plan, simulated and with its consequence in words, and Rescue.Send carries out
// what the plan says and nothing else.
//
// What only the server knows is missing: titles, deadlines, messages, and
// vouchers for rewards that were not handed in.
package rescue
