package server_test

import (
	"slices"
	"strings"
)

// whispers are secret texts, each with its permitted readers by the names of the authorisation
// table.
type whispers map[string][]string

// The secret texts in the table's requests, for all callers.
const (
	whisperStart = "whisper: "
	draftNote    = whisperStart + "the note of a draft" // no answer contains it, not even its author's
	draftReason  = whisperStart + "the reason of a draft"
	taskMessage  = whisperStart + "a message about a task"
)

// sentWhispers are in the bodies of requests.
func sentWhispers() whispers {
	sides := []string{"owner", "assigned", "other", "stranger"}
	return whispers{draftNote: nil, draftReason: sides, taskMessage: sides}
}

// to returns a new text that only the readers may see.
func (w whispers) to(what string, readers ...string) string {
	text := whisperStart + what + "."
	w[text] = readers
	return text
}

// heard records the whispers that each principal received.
type heard map[string]map[string]bool

// listen finds the whispers in an answer to the principal, and returns those that it may not read.
func (h heard) listen(w whispers, principal string, got reply) (leaked []string) {
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
func (h heard) missed(w whispers) (missed []string) {
	for text, readers := range w {
		for _, reader := range readers {
			if !h[text][reader] {
				missed = append(missed, reader+" of "+text)
			}
		}
	}
	return missed
}
