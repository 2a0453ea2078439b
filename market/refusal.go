package market

import (
	_ "embed" // embeds refusals.json
	"encoding/json"
	"fmt"
	"sync"
)

// Refusal explains to users why a contract rejects a call.
type Refusal struct {
	Sentence string `json:"sentence"` // an explanation that starts in lower case and has no full stop
	Next     string `json:"next"`     // what the user can do next
}

// refusalsJSON is the content of a file that the web app uses as well.
//
//go:embed refusals.json
var refusalsJSON []byte

// Refusals returns the texts for all contract errors, keyed by the error's name. Callers share the
// map and must not change it.
var Refusals = sync.OnceValue(func() map[string]Refusal {
	var all map[string]Refusal
	if err := json.Unmarshal(refusalsJSON, &all); err != nil {
		panic(fmt.Sprintf("read refusals.json, which is part of the program: %v", err))
	}
	return all
})
