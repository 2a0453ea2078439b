// Package signer makes the wallets that an agent can have, each a chain.Signer:
//
//   - KeyFile reads a private key from a file that nobody else may read.
//   - Keystore opens a key that a password protects, as Ethereum's programs
//     store it (Web3 Secret Storage, version 3). Find knows where they put it.
//   - External asks another program, which holds the key, over JSON-RPC.
//   - Offline has no key: a person carries what is to be signed to another wallet.
//
// None is trusted with more than it needs. A keystore file cannot make the
// program compute for long or fill its memory, and nothing that an external
// signer answers is used before it is shown to be a signature of the one
// address over exactly what was asked for.
package signer
