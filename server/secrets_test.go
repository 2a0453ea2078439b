package server_test

import (
	"slices"
	"strings"
)

// secretTexts maps each secret text to its permitted readers, as named in the authorisation table.
type secretTexts map[string][]string

// Secret texts that all callers send in their requests.
const (
	whisperStart = "whisper: "
	draftNote    = whisperStart + "the note of a draft" // only its author's export contains this text
	draftReason  = whisperStart + "the reason of a draft"
	taskMessage  = whisperStart + "a message about a task"
)

// sentSecrets returns the secret texts in request bodies, with their readers.
func sentSecrets() secretTexts {
	sides := []string{"owner", "assigned", "other", "stranger"}
	return secretTexts{draftNote: {"assigned"}, draftReason: sides, taskMessage: sides}
}

// to returns a new text that only the given readers may receive.
func (w secretTexts) to(what string, readers ...string) string {
	text := whisperStart + what + "."
	w[text] = readers
	return text
}

// heard records which secret texts each principal received.
type heard map[string]map[string]bool

// listen finds the secret texts in a response to the principal, and returns those that the
// principal may not read.
func (h heard) listen(w secretTexts, principal string, got reply) (leaked []string) {
	told := got.body + got.header.Get("Content-Disposition")
	if !strings.Contains(told, whisperStart) {
		return nil
	}
	if principal == "nocsrf" { // reads need no CSRF token, so this principal can read like the assigned human
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

// missed returns the permitted readers that did not receive their text.
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

// leakedWallets returns the humans whose wallet is in a response to a principal that may not read it. The
// permitted readers are the human, the agents of tasks that the human applied for, and the validators of tasks
// that the human was hired for. Agents' wallets are public to authenticated users, because they are on the
// chain with each task.
func (s *scene) leakedWallets(principal string, got reply) (leaked []string) {
	if principal == "nocsrf" { // reads need no CSRF token
		principal = "assigned"
	}
	for human, readers := range map[string]struct {
		user    *user
		allowed []string
	}{
		"assigned":  {s.assigned, []string{"assigned", "owner", "validator"}},
		"applicant": {s.applicant, []string{"applicant", "owner"}},
		"stranger":  {s.stranger, []string{"stranger", "other", "validator"}},
	} {
		wallet := strings.ToLower(readers.user.signer.Address().Hex())
		if !slices.Contains(readers.allowed, principal) && strings.Contains(strings.ToLower(got.body), wallet) {
			leaked = append(leaked, human)
		}
	}
	return leaked
}
