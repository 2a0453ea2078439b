package client

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

// challengeTerms is what a challenge must name before it is signed. Without
// this check, an API could have the agent's wallet sign in somewhere else, or
// pass on a challenge that another service made for another account.
type challengeTerms struct {
	wallet   common.Address
	host     *url.URL
	chainID  uint64
	username string
}

// check reads the challenge's lines "Name: value" and refuses one that lacks a
// value or is a text of another kind.
func (t challengeTerms) check(text string) error {
	if strings.Contains(text, "wants you to sign in") {
		return fmt.Errorf("the challenge is a sign-in message, not a registration; it was not signed")
	}
	var values []string
	for line := range strings.Lines(text) {
		if _, value, ok := strings.Cut(line, ": "); ok {
			values = append(values, strings.ToLower(strings.TrimSpace(value)))
		}
	}
	names := func(wanted ...string) bool {
		return slices.ContainsFunc(wanted, func(w string) bool { return slices.Contains(values, strings.ToLower(w)) })
	}
	switch {
	case !names(t.wallet.Hex()):
		return fmt.Errorf("the challenge does not name the wallet %s; it was not signed", t.wallet)
	case !names(t.host.Host, t.host.Hostname()):
		return fmt.Errorf("the challenge does not name the host %s; it was not signed", t.host.Host)
	case !names(strconv.FormatUint(t.chainID, 10)):
		return fmt.Errorf("the challenge does not name the chain %d; it was not signed", t.chainID)
	case !names(t.username):
		return fmt.Errorf("the challenge does not name the username %s; it was not signed", t.username)
	}
	return nil
}
