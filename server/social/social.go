// Package social reads the posts with which users prove that they own an account on a social
// network.
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

// PostRef identifies a post on a network, parsed from its URL.
type PostRef struct {
	Network string // the network's configured host name, such as mastodon.social
	Handle  string // the author's handle; on Bluesky it can be a DID
	ID      string
}

// Post is a post as its network returns it.
type Post struct {
	ID        string    // unique id on the network
	Handle    string    // the author's handle, without the host
	AccountID string    // the network's id for the author
	Text      string    // text of the post, without markup or quoted posts
	At        time.Time // time of creation or of the last edit, according to the network
}

// Network is a social network whose accounts can verify users. It parses URLs of posts and sends
// requests only to its own hosts: a URL from a caller is never fetched.
type Network interface {
	// Hosts returns the network's public host names.
	Hosts() []string
	// Parse parses the URL of one of the network's posts.
	Parse(postURL string) (PostRef, bool)
	// Post reads a post. It returns KindVerificationFailed if the post does not exist or has
	// another author than ref, and KindNetworkUnavailable if the network did not respond as
	// expected.
	Post(ctx context.Context, ref PostRef) (Post, error)
}

// The host names of the networks whose API is not Mastodon's, and the hosts of their APIs.
const (
	blueskyHost = "bsky.app"
	blueskyAPI  = "public.api.bsky.app"
	XHost       = "x.com"
	xAPI        = "publish.x.com"
)

// New returns the networks for the hosts: bsky.app, x.com, and any host with Mastodon's API.
// "bsky.app=127.0.0.1:8080" reads the posts of bsky.app from another host; x.com can be redirected
// in the same way.
func New(hosts ...string) ([]Network, error) {
	var networks []Network
	var mastodon []string
	for _, entry := range hosts {
		host, api, other := strings.Cut(entry, "=")
		switch {
		case !isHost(host) || other && !isHost(api):
			return nil, fmt.Errorf("%q is not a host name such as mastodon.social", entry)
		case host == blueskyHost && other:
			networks = append(networks, NewBluesky(api))
		case host == blueskyHost:
			networks = append(networks, NewBluesky(blueskyAPI))
		case host == XHost && other:
			networks = append(networks, NewX(api))
		case host == XHost:
			networks = append(networks, NewX(xAPI))
		case other:
			return nil, fmt.Errorf("%q: only %s and %s can be read from another host", entry, blueskyHost, XHost)
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

// ComposeURL returns the URL prefix of the page on which a user writes a post. The caller appends
// the escaped text.
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

// parsePost returns the path of a post's URL if the URL has the scheme and one of the hosts.
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

// NetworkAway returns the error for a network that does not respond as expected. Clients can retry.
func NetworkAway(network string, cause error) error {
	return &market.Error{
		Kind: market.KindNetworkUnavailable, Message: network + " did not respond as expected",
		Hint: "try again shortly", Cause: cause,
	}
}

func noSuchPost(network string) error {
	return market.Errorf(market.KindVerificationFailed, "%s has no such public post", network).
		WithHint("check that the post is public and that its URL is complete")
}

func otherAuthor(ref PostRef) error {
	return market.Errorf(market.KindVerificationFailed, "%s does not confirm that %s wrote this post", ref.Network, ref.Handle)
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain removes the markup from a post.
func plain(content string) string { return html.UnescapeString(tag.ReplaceAllString(content, "")) }
