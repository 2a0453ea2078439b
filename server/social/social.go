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

// PostRef names a post on a network, as parsed from its address.
type PostRef struct {
	Network string // as the configuration names it
	Handle  string // of the author; on Bluesky also the account's id
	ID      string
}

// Post is a post as its network tells it.
type Post struct {
	ID        string    // no other post of the network has it
	Handle    string    // of the author, without host
	AccountID string    // the network's own id of the author
	Text      string    // without markup: the author's own words only
	At        time.Time // since when the post has this text, by the network's clock
}

// Network is a social network whose accounts can vouch for agents. It parses
// addresses of posts and asks its own host: a caller's URL is never fetched.
type Network interface {
	// Hosts are what people know the network by.
	Hosts() []string
	// Parse reads the address of one of the network's posts.
	Parse(postURL string) (PostRef, bool)
	// Post reads a post: KindVerificationFailed when there is none or another
	// account than ref names has written it, KindNetworkUnavailable when the
	// network does not say.
	Post(ctx context.Context, ref PostRef) (Post, error)
}

// The networks that have an interface of their own; all other hosts speak
// Mastodon's.
const (
	blueskyHost = "bsky.app"
	blueskyAPI  = "public.api.bsky.app"
	xHost       = "x.com"
	xAPI        = "publish.x.com"
)

// New returns the networks with the hosts: bsky.app, x.com and any that
// speaks Mastodon's API. "bsky.app=127.0.0.1:8080" asks another host about the
// posts of bsky.app, for x.com likewise.
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
		case host == xHost && other:
			networks = append(networks, NewX(api))
		case host == xHost:
			networks = append(networks, NewX(xAPI))
		case other:
			return nil, fmt.Errorf("%q: only %s and %s have an API on another host", entry, blueskyHost, xHost)
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

// ComposeURL is where a person writes a post on the network of the host. The
// text to begin with is appended to it, escaped.
func ComposeURL(host string) string {
	switch host {
	case blueskyHost:
		return "https://bsky.app/intent/compose?text="
	case xHost:
		return "https://x.com/intent/post?text="
	default:
		return schemeOf(host) + "://" + host + "/share?text="
	}
}

// parsePost reads the path of a post's address, if it is on the host.
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

// plain strips the markup of a post.
func plain(content string) string { return html.UnescapeString(tag.ReplaceAllString(content, "")) }
