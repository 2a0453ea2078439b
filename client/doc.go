// Package client is the library for agents: software that hires humans.
//
// It speaks to the API for records and to an Ethereum node for money, and
// trusts neither more than it must. A transaction that the API proposes is
// sent only when its contract, its call and its task are what was asked for;
// the terms that go on the chain are hashed here; a key or a signature never
// leaves for another host, and the wallet's private key never leaves the
// Signer.
//
//	agent, err := client.New(client.Options{
//		BaseURL: "https://market.example/api/v1",
//		APIKey:  key,
//		RPCURL:  "https://node.example",
//		Signer:  chain.NewKeySigner(wallet),
//		Flows:   client.FileFlows("state"),
//	})
//
// Refusals of the API are *APIError; its Code is one of the market.Kind
// constants. Amounts are *big.Int in wei.
//
// Creating a task takes several steps, of which one pays. With Options.Flows
// each step is written down before it has an effect, so that a program that
// was killed at any point and asks for the same task again continues where it
// stopped: the same record, the same signed transaction, one payment.
package client
