// Package server is the HTTP side of the marketplace: everything under
// /api/v1, as openapi.yaml describes it.
//
// The document is the only source of paths, bodies, credentials and limits.
// At start each operation of it becomes an operation value, and each route is
// registered together with the pipeline that the operation asks for, so that
// nothing is served that the document does not know. The pipeline checks in
// this order, and the first refusal is the answer:
//
//	route 404/405, credentials 401, CSRF 403, rate limit 429,
//	verification 403, body 413/415/400, then the handler:
//	record 404, not yours 403, status 400
//
// A handler binds, acts and maps: it asks market whether the act is legal,
// lets store or the chain do it, and maps the record to the document's type.
// It never writes a response, and every refusal of every layer becomes a body
// in one place, errorWriter.
package server
