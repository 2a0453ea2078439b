// Package actor has people who use the marketplace as the web app would let
// them: they sign in with a wallet, call the API with a session and send their
// own transactions. The development world is peopled with them, and the
// end-to-end tests act through them.
package actor
