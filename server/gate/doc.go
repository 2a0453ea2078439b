// Package gate checks each API request before its handler runs. It also adds the headers, error
// bodies and ETags that all responses have in common.
//
// openapi.yaml is the only source of paths, bodies, credentials and limits. At startup, each of its
// operations becomes an Operation, and each route is registered with the checks that its operation
// requires. The checks run in this order, and the first one that fails determines the response:
//
//	route 404/405, starting 503, overload 503, credentials 400/401, CSRF 403,
//	rate limit 429, verification and account state 403, body 413/415/400, query and fields 400,
//	idempotency key 409, then the handler
//
// The errors of all layers are turned into response bodies in one place, errorWriter.
package gate
