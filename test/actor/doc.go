// Package actor provides people who use the marketplace as the web app does: they sign in with a
// wallet, call the API with a session and send their own transactions. The development world
// contains them, and the end-to-end tests act through them.
package actor
