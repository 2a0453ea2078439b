// Package gate runs before each handler of the API, and sets what every answer has in common:
// headers, errors and versions.
//
// openapi.yaml is the only source of paths, bodies, credentials and limits. At start each of its
// operations becomes an Operation, and each route is registered with the checks that its operation
// requires. The checks run in this order, and the first one that fails decides the answer:
//
//	route 404/405, credentials 401, CSRF 403, rate limit 429,
//	verification 403, body 413/415/400, then the handler
//
// Every error of every layer becomes a response body in one place, errorWriter.
package gate
