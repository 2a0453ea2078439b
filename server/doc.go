// Package server is the HTTP API of the marketplace, under /api/v1, as
// openapi.yaml describes it.
//
// Package gate checks each request first. A handler then binds, acts and maps: it
// asks market whether the act is allowed, calls the store or the chain, and maps
// the record to the document's type. It refuses a record that does not exist with
// 404, one of another user with 403, and an act that the record's status does not
// allow with 400. It never writes a response itself.
package server
