// Package actor simulates users of the web app: they sign in with a wallet, call the API with a
// session, and send their own transactions. The development world and the end-to-end tests use it.
package actor
