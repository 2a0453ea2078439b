// Package server implements the HTTP API of the marketplace, under /api/v1, as openapi.yaml
// describes it.
//
// Package gate checks each request first. A handler then does three things: it checks with package
// market whether the action is allowed, calls the store or the chain, and maps the record to its
// API type. It returns 404 for a record that does not exist, 403 for a record of another user, and
// 400 for an action that the record's status does not allow. It never writes a response itself.
package server
