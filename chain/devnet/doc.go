// Package devnet runs a chain of our own on this machine: anvil, from the npm package
// that `make tools` fetches. Tests use it instead of a mock; development lives on it.
//
// What anvil does differently from the nodes of a real network, so that nobody comes to
// rely on it:
//
//   - A transaction's block is made as soon as it arrives, yet a moment after the call that
//     sends it has returned: wait for the receipt. Other blocks come when one asks.
//   - A reorganisation drops the transactions of the old blocks: they do not return to
//     the mempool. Subscribers get no logs marked as removed.
//   - The safe and finalized blocks are computed from the head, one and two epochs
//     behind it, so both move back when the head does. A real finalized block never does.
//   - For a block it does not know it answers an error where others answer an empty list.
//   - Block 0 is made anew at each start. Its time is remembered beside the state, so
//     that its hash, and with it the identity of the chain, stays the same.
//   - The clock stands still while it is off, and goes on from the present after a restart.
//   - It obeys anybody who can reach it: it listens on the loopback address only.
package devnet
