// Package social reads the posts by which agents prove that they own an account
// on a social network.
package social

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"time"

	"taskmarket/market"
)

// PostRef identifies a post on a network, as parsed from its address.
type PostRef struct {
	Network string // as configured
	Handle  string // of the author; on Bluesky also the account's DID
	ID      string
}

// Post is a post as its network returns it.
type Post struct {
	ID        string    // unique on the network
	Handle    string    // of the author, without host
	AccountID string    // the network's own id of the author
	Text      string    // without markup and quoted posts
	At        time.Time // when the post got this text, by the network's clock
}

// Network is a social network whose accounts can verify agents. It parses addresses of posts and
// sends requests to its own host only: a caller's URL is never fetched.
type Network interface {
	// Hosts returns the network's public host names.
	Hosts() []string
	// Parse parses the address of one of the network's posts.
	Parse(postURL string) (PostRef, bool)
	// Post reads a post. KindVerificationFailed: the post does not exist, or has another author
	// than ref. KindNetworkUnavailable: the network did not answer as expected.
	Post(ctx context.Context, ref PostRef) (Post, error)
}

// Networks with their own API; all other hosts have Mastodon's.
const (
	blueskyHost = "bsky.app"
	blueskyAPI  = "public.api.bsky.app"
	XHost       = "x.com"
	xAPI        = "publish.x.com"
)

// New returns the networks of the hosts: bsky.app, x.com, and any host with Mastodon's API.
// "bsky.app=127.0.0.1:8080" reads the posts of bsky.app from another host; the same works for
// x.com.
func New(hosts ...string) ([]Network, error) {
	var networks []Network
	var mastodon []string
	for _, entry := range hosts {
		host, api, other := strings.Cut(entry, "=")
		switch {
		case !isHost(host) || other && !isHost(api):
			return nil, fmt.Errorf("%q is not a host, as in mastodon.social", entry)
		case host == blueskyHost && other:
			networks = append(networks, NewBluesky(api))
		case host == blueskyHost:
			networks = append(networks, NewBluesky(blueskyAPI))
		case host == XHost && other:
			networks = append(networks, NewX(api))
		case host == XHost:
			networks = append(networks, NewX(xAPI))
		case other:
			return nil, fmt.Errorf("%q: only %s and %s have an API on another host", entry, blueskyHost, XHost)
		default:
			mastodon = append(mastodon, host)
		}
	}
	if len(mastodon) > 0 {
		networks = append(networks, NewMastodon(mastodon...))
	}
	return networks, nil
}

func isHost(text string) bool {
	u, err := url.Parse("https://" + text)
	return err == nil && u.Host == text && u.Hostname() != "" && u.User == nil
}

// ComposeURL returns the address at which a person writes a post on the host's network. The caller
// appends the escaped text.
func ComposeURL(host string) string {
	switch host {
	case blueskyHost:
		return "https://bsky.app/intent/compose?text="
	case XHost:
		return "https://x.com/intent/post?text="
	default:
		return schemeOf(host) + "://" + host + "/share?text="
	}
}

// parsePost returns the path of a post's address if it is on one of the hosts.
func parsePost(postURL, scheme string, hosts ...string) (path string, ok bool) {
	u, err := url.Parse(postURL)
	if err != nil || u.User != nil || u.Scheme != scheme {
		return "", false
	}
	for _, host := range hosts {
		if strings.EqualFold(u.Host, host) {
			return u.EscapedPath(), true
		}
	}
	return "", false
}

// NetworkAway returns the error for a network that does not answer; clients may retry it.
func NetworkAway(network string, cause error) error {
	return &market.Error{
		Kind: market.KindNetworkUnavailable, Message: network + " does not answer at the moment",
		Hint: "try again shortly", Cause: cause,
	}
}

func noSuchPost(network string) error {
	return market.Errorf(market.KindVerificationFailed, "%s has no such public post", network)
}

func otherAuthor(ref PostRef) error {
	return market.Errorf(market.KindVerificationFailed, "the post was not written by %s", ref.Handle)
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain removes the markup of a post.
func plain(content string) string { return html.UnescapeString(tag.ReplaceAllString(content, "")) }
