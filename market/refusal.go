package market

import (
	_ "embed" // for refusals.json
	"encoding/json"
	"fmt"
	"sync"
)

// Refusal says in words for everybody why a contract refuses a call.
type Refusal struct {
	Sentence string `json:"sentence"` // begins in lower case and has no full stop
	Next     string `json:"next"`     // what to do about it
}

// refusalsJSON is a file of its own so that the web application shows the same words.
//
//go:embed refusals.json
var refusalsJSON []byte

// Refusals returns the words for every error of the contracts, by its name.
// The map is shared and must not be changed.
var Refusals = sync.OnceValue(func() map[string]Refusal {
	var all map[string]Refusal
	if err := json.Unmarshal(refusalsJSON, &all); err != nil {
		panic(fmt.Sprintf("read refusals.json, which is part of the program: %v", err))
	}
	return all
})
