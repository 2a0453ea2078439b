package cli

import (
	"io"
	"strings"
	"testing"
)

func TestPromptsWithoutTerminal(t *testing.T) {
	a := New(Streams{In: strings.NewReader("yes\n"), Out: io.Discard, Err: io.Discard}, nil)
	_, secret := a.AskSecret(t.Context(), "Password:")
	for want, err := range map[string]error{
		"cannot ask for a secret because stdin is not a terminal: Password:":    secret,
		"cannot ask for confirmation because stdin is not a terminal: Send it?": a.Confirm(t.Context(), "Send it?"),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error = %v, want %s", err, want)
		}
	}
}
