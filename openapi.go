// Package taskmarket contains the OpenAPI document of the HTTP API, from which the server, the
// clients and the documentation are generated.
package taskmarket

import _ "embed" // for the OpenAPI document

// OpenAPI is openapi.yaml, byte for byte.
//
//go:embed openapi.yaml
var OpenAPI []byte

// OpenAPIJSON is the same document as JSON, with its members in the same order.
//
//go:embed gen/openapi.json
var OpenAPIJSON []byte
