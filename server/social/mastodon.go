package social

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"taskmarket/market"
)

// Mastodon is a set of hosts with Mastodon's API.
type Mastodon struct {
	hosts []string
	asker asker
}

// NewMastodon returns the network with the hosts, which are read over https. Hosts on loopback are
// for development and read over plain http.
func NewMastodon(hosts ...string) *Mastodon { return &Mastodon{hosts, newAsker(hosts...)} }

// statusPath matches both forms of a post's path: /@handle/id and /users/handle/statuses/id.
var statusPath = regexp.MustCompile(`^/(?:@([A-Za-z0-9_][A-Za-z0-9_.-]{0,99})|users/([A-Za-z0-9_][A-Za-z0-9_.-]{0,99})/statuses)/([0-9]{1,20})/?$`)

// Hosts implements Network.
func (m *Mastodon) Hosts() []string { return m.hosts }

// Parse implements Network.
func (m *Mastodon) Parse(postURL string) (PostRef, bool) {
	for _, host := range m.hosts {
		path, ok := parsePost(postURL, schemeOf(host), host)
		if parts := statusPath.FindStringSubmatch(path); ok && parts != nil {
			return PostRef{Network: host, Handle: parts[1] + parts[2], ID: parts[3]}, true
		}
	}
	return PostRef{}, false
}

// status contains the fields of a post that are used.
type status struct {
	ID      string          `json:"id"`
	Content string          `json:"content"`
	Created time.Time       `json:"created_at"`
	Edited  *time.Time      `json:"edited_at"`
	Reblog  json.RawMessage `json:"reblog"`
	Account struct {
		ID       string `json:"id"`
		Username string `json:"username"`
		Acct     string `json:"acct"`
	} `json:"account"`
}

// Post implements Network.
func (m *Mastodon) Post(ctx context.Context, ref PostRef) (Post, error) {
	var reply status
	code, err := m.asker.get(ctx, url.URL{Host: ref.Network, Path: "/api/v1/statuses/" + ref.ID}, &reply)
	switch {
	case err != nil:
		return Post{}, NetworkAway(ref.Network, err)
	case code != http.StatusOK:
		return Post{}, refused(ref.Network, code, http.StatusNotFound, http.StatusGone, http.StatusUnauthorized, http.StatusForbidden)
	}
	// A boost or a post from another host has another author.
	boost := len(reply.Reblog) > 0 && string(reply.Reblog) != "null"
	if boost || reply.Account.ID == "" || strings.Contains(reply.Account.Acct, "@") {
		return Post{}, market.Errorf(market.KindVerificationFailed, "the post was not written by an account of %s", ref.Network)
	}
	if reply.ID != ref.ID || !strings.EqualFold(reply.Account.Username, ref.Handle) {
		return Post{}, otherAuthor(ref)
	}
	at := reply.Created
	if reply.Edited != nil { // the code may have been added by an edit
		at = *reply.Edited
	}
	return Post{ID: reply.ID, Handle: reply.Account.Username, AccountID: reply.Account.ID, Text: plain(reply.Content), At: at}, nil
}
