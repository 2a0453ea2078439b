// Package signer provides the kinds of wallets that an agent can use, each as a chain.Signer:
//
//   - KeyFile reads a private key from a file that only its owner may read.
//   - Keystore opens a password-encrypted key in the format that Ethereum programs use (Web3 Secret
//     Storage, version 3). Find looks for a keystore by its name in Foundry's folder.
//   - External uses a key in another program over JSON-RPC.
//   - Offline has no key: a person signs with another wallet.
//
// Inputs are not trusted. A keystore file cannot cause a long computation or exhaust the memory. An
// external signer's result is used only if it is the expected address's signature over exactly the
// requested data.
package signer
