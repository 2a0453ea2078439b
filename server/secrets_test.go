package server_test

import (
	"slices"
	"strings"
)

// secretTexts are secret texts, each with its permitted readers by the names of the authorisation
// table.
type secretTexts map[string][]string

// The secret texts in the table's requests, for all callers.
const (
	whisperStart = "whisper: "
	draftNote    = whisperStart + "the note of a draft" // no answer contains it, not even its author's
	draftReason  = whisperStart + "the reason of a draft"
	taskMessage  = whisperStart + "a message about a task"
)

// sentSecrets are in the bodies of requests.
func sentSecrets() secretTexts {
	sides := []string{"owner", "assigned", "other", "stranger"}
	return secretTexts{draftNote: nil, draftReason: sides, taskMessage: sides}
}

// to returns a new text that only the readers may see.
func (w secretTexts) to(what string, readers ...string) string {
	text := whisperStart + what + "."
	w[text] = readers
	return text
}

// heard records the secret texts that each principal received.
type heard map[string]map[string]bool

// listen finds the secret texts in an answer to the principal, and returns those that it may not read.
func (h heard) listen(w secretTexts, principal string, got reply) (leaked []string) {
	told := got.body + got.header.Get("Content-Disposition")
	if !strings.Contains(told, whisperStart) {
		return nil
	}
	if principal == "nocsrf" { // which may still read
		principal = "assigned"
	}
	for text, readers := range w {
		if !strings.Contains(told, text) {
			continue
		}
		if h[text] == nil {
			h[text] = make(map[string]bool)
		}
		if h[text][principal] = true; !slices.Contains(readers, principal) {
			leaked = append(leaked, text)
		}
	}
	return leaked
}

// missed returns the permitted readers that never received their text.
func (h heard) missed(w secretTexts) (missed []string) {
	for text, readers := range w {
		for _, reader := range readers {
			if !h[text][reader] {
				missed = append(missed, reader+" of "+text)
			}
		}
	}
	return missed
}
