package server_test

import (
	"slices"
	"strings"
)

// whispers are texts with those, by the names of the authorisation table, who
// may read them.
type whispers map[string][]string

// What the requests of the table say, whoever sends them.
const (
	whisperStart = "whisper: "
	draftNote    = whisperStart + "the note of a draft" // no answer has it, not even to its author
	draftReason  = whisperStart + "the reason of a draft"
	taskMessage  = whisperStart + "a message about a task"
)

// sentWhispers are in the bodies of requests.
func sentWhispers() whispers {
	sides := []string{"owner", "assigned", "other", "stranger"}
	return whispers{draftNote: nil, draftReason: sides, taskMessage: sides}
}

// to makes a text that only the readers may see.
func (w whispers) to(what string, readers ...string) string {
	text := whisperStart + what + "."
	w[text] = readers
	return text
}

// heard collects who was told which whisper.
type heard map[string]map[string]bool

// listen finds the whispers in an answer to the principal, and returns those
// that are not for its ears.
func (h heard) listen(w whispers, principal string, got reply) (leaked []string) {
	told := got.body + got.header.Get("Content-Disposition")
	if !strings.Contains(told, whisperStart) {
		return nil
	}
	if principal == "nocsrf" { // who may read all the same
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

// missed returns the readers who were never told, though they may read.
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
