package chaintest

import "encoding/json"

// ProviderFaults returns errors that nodes and gateways return in responses with HTTP status 200 although the call
// is valid, by a name for tests. Each is a fault of the provider and no answer to the call.
func ProviderFaults() map[string]Fault {
	return map[string]Fault{
		"no header":           {Code: -32000, Message: "header not found"},
		"no state":            {Code: -32000, Message: "missing trie node 5d7e (path ) state 0x5d7e is not available"},
		"indexing":            {Code: -32000, Message: "transaction indexing is in progress"},
		"no code":             {Message: "try again"},
		"resource not found":  {Code: -32001, Message: "Unable to complete the request at this time."},
		"syncing":             {Code: -32002, Message: "No state available for block"},
		"rate limit":          {Code: -32005, Message: "daily request count exceeded, request rate limited", Data: json.RawMessage(`{"see":"https://example.com"}`)},
		"another rate limit":  {Code: -32016, Message: "over rate limit"},
		"rate limit as 429":   {Code: 429, Message: "Your app has exceeded its compute units per second capacity."},
		"own code":            {Code: -32097, Message: "capacity exceeded"},
		"own positive code":   {Code: 15, Message: "request timeout on the free tier, please upgrade"},
		"access denied":       {Code: -32052, Message: "API key is not allowed to access blockchain"},
		"invalid request":     {Code: -32600, Message: "invalid request"},
		"invalid params":      {Code: -32602, Message: "too many arguments, want at most 1"},
		"internal error":      {Code: -32603, Message: "Internal error"},
		"error without words": {Code: -32603},
	}
}

// MissingMethod returns errors with which nodes refuse a method that they do not support, by a name for tests.
func MissingMethod(method string) map[string]Fault {
	return map[string]Fault{
		"geth":             {Code: -32601, Message: "the method " + method + " does not exist/is not available"},
		"code only":        {Code: -32601, Message: "unavailable"},
		"EIP-1474":         {Code: -32004, Message: "Method not supported"},
		"a gateway":        {Code: -32600, Message: "Unsupported method: " + method + ". See available methods in the documentation"},
		"another gateway":  {Code: -32000, Message: "Method not found"},
		"a paying gateway": {Code: -32000, Message: method + " method is not available on your plan"},
	}
}
