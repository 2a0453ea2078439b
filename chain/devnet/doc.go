// Package devnet runs a local chain: anvil, from the npm package that `make tools` downloads. Tests
// use it instead of a mock, and development uses it as its chain.
//
// anvil differs from the nodes of a real network; do not rely on these differences:
//
//   - By default, each transaction is mined at once, but shortly after the call that sends it has
//     returned: wait for the receipt. Other blocks are mined on request.
//   - A reorg drops the transactions of the old blocks: they do not return to the
//     mempool. Subscribers receive no logs marked as removed.
//   - The safe and finalized blocks are one and two epochs behind the head, so both
//     move back when the head does. On a real network, finalized blocks are never dropped.
//   - For an unknown block it returns an error where other nodes return an empty list.
//   - Block 0 is recreated at each start. Its time is stored with the state, so that
//     its hash, and with it the identity of the chain, does not change.
//   - The chain's clock stops while anvil is not running. Start sets it to the present, unless the
//     last block is in the future.
//   - It accepts administrative commands from every client, so it listens only on the loopback
//     address.
package devnet
