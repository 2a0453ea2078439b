// Package taskmarket holds the contract of the HTTP API, from which server,
// clients and documentation are made.
package taskmarket

import _ "embed" // the contract

// OpenAPI is openapi.yaml, byte for byte.
//
//go:embed openapi.yaml
var OpenAPI []byte

// OpenAPIJSON is the same document as JSON, in the same order.
//
//go:embed gen/openapi.json
var OpenAPIJSON []byte
