// Package signer provides the wallets that an agent can have, each a chain.Signer:
//
//   - KeyFile reads a private key from a file that only its owner may read.
//   - Keystore opens a key that is encrypted with a password, in the format of Ethereum's programs (Web3 Secret Storage, version 3). Find searches their folders.
//   - External uses a key of another program over JSON-RPC.
//   - Offline has no key: a person signs with another wallet.
//
// Inputs are not trusted. A keystore file cannot make the program compute for long or exhaust its
// memory. An external signer's result is used only if it is a signature of the expected address
// over exactly the requested data.
package signer
