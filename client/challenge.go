package client

import (
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/client/internal/node"
)

// challengeTerms is what a challenge must name before it is signed. Without
// this check, an API could have the agent's wallet sign in somewhere else, or
// pass on a challenge that another service made for another account.
type challengeTerms struct {
	act      string // what is signed for, as the title names it
	wallet   common.Address
	base     *url.URL
	chainID  uint64
	username string // empty where the challenge names none
}

// check refuses a text that is not about these terms: a title and lines
// "Name: value", each name once.
func (t challengeTerms) check(text string) error {
	title, rest, _ := strings.Cut(text, "\n")
	if !strings.Contains(title, t.act) {
		return fmt.Errorf("the challenge is not there to %s but is %q; it was not signed", t.act, title)
	}
	named := map[string]string{}
	for line := range strings.Lines(rest) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if _, twice := named[name]; !ok || twice {
			return fmt.Errorf("the challenge has an odd line %q; it was not signed", line)
		}
		named[name] = value
	}
	for name, right := range map[string]bool{
		"Wallet":   named["Wallet"] == t.wallet.Hex(),
		"Domain":   t.isHost(named["Domain"]),
		"Chain ID": named["Chain ID"] == strconv.FormatUint(t.chainID, 10),
		"Username": named["Username"] == t.username,
	} {
		if !right {
			return fmt.Errorf("the challenge names %q as %s, which is not ours; it was not signed", named[name], name)
		}
	}
	return nil
}

// isHost reports whether the domain is the one that we talk to. This machine
// has several names.
func (t challengeTerms) isHost(domain string) bool {
	host, _, err := net.SplitHostPort(domain)
	if err != nil {
		host = domain
	}
	return domain == t.base.Host || host == t.base.Hostname() && host == domain ||
		node.Loopback(host) && node.Loopback(t.base.Hostname())
}
