package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"

	"taskmarket/market"
)

// PostRef names a post on a network, as parsed from its address.
type PostRef struct {
	Network string // the host that is asked, from the configuration
	Handle  string
	ID      string
}

// Post is a post as its network tells it.
type Post struct {
	ID        string
	Handle    string // of the author, without host
	AccountID string // the network's own id of the author
	Text      string // without markup
}

// Network is a social network whose accounts can vouch for agents. It parses
// addresses of posts and asks its own host: a caller's URL is never fetched.
type Network interface {
	// Parse reads the address of one of the network's posts.
	Parse(postURL string) (PostRef, bool)
	// Post reads a post: KindVerificationFailed when there is none,
	// KindNetworkUnavailable when the network does not say.
	Post(ctx context.Context, ref PostRef) (Post, error)
}

const (
	networkTimeout = 5 * time.Second
	maxPostSize    = 256 << 10
)

// Mastodon is a network of hosts that speak Mastodon's API.
type Mastodon struct {
	hosts  map[string]string // to the URL scheme that is spoken
	client *http.Client
}

// NewMastodon knows the hosts, asked by https. A host on loopback, such as
// 127.0.0.1:8080, is a stand-in for development and asked by plain http.
func NewMastodon(hosts ...string) *Mastodon {
	m := &Mastodon{hosts: make(map[string]string, len(hosts))}
	local := false
	for _, host := range hosts {
		m.hosts[host] = "https"
		if onLoopback(host) {
			m.hosts[host], local = "http", true
		}
	}
	dialer := &net.Dialer{Timeout: networkTimeout, Control: publicOnly(local)}
	m.client = &http.Client{
		Timeout:       networkTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: networkTimeout, MaxIdleConns: 10},
	}
	return m
}

func onLoopback(host string) bool {
	name := (&url.URL{Host: host}).Hostname()
	address, err := netip.ParseAddr(name)
	return name == "localhost" || err == nil && address.IsLoopback()
}

// publicOnly refuses connections into our own networks, whatever a host's name
// resolves to.
func publicOnly(local bool) func(network, address string, _ syscall.RawConn) error {
	return func(_, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("parse address %q: %w", address, err)
		}
		ip := target.Addr().Unmap()
		if ip.IsLoopback() && local || ip.IsGlobalUnicast() && !ip.IsPrivate() {
			return nil
		}
		return fmt.Errorf("refuse to connect to %s: not a public address", ip)
	}
}

// Both spellings of a post's address; the handle may hold hyphens.
var postPath = regexp.MustCompile(`^/(?:@([A-Za-z0-9_][A-Za-z0-9_.-]{0,99})|users/([A-Za-z0-9_][A-Za-z0-9_.-]{0,99})/statuses)/([0-9]{1,20})/?$`)

// Parse implements Network.
func (m *Mastodon) Parse(postURL string) (PostRef, bool) {
	u, err := url.Parse(postURL)
	if err != nil || u.User != nil || m.hosts[u.Host] != u.Scheme || u.Scheme == "" {
		return PostRef{}, false
	}
	parts := postPath.FindStringSubmatch(u.EscapedPath())
	if parts == nil {
		return PostRef{}, false
	}
	return PostRef{Network: u.Host, Handle: parts[1] + parts[2], ID: parts[3]}, true
}

// status is what we read of a post in Mastodon's API.
type status struct {
	ID      string          `json:"id"`
	Content string          `json:"content"`
	Reblog  json.RawMessage `json:"reblog"`
	Account struct {
		ID       string `json:"id"`
		Username string `json:"username"`
		Acct     string `json:"acct"`
	} `json:"account"`
}

// Post implements Network.
func (m *Mastodon) Post(ctx context.Context, ref PostRef) (Post, error) {
	ctx, cancel := context.WithTimeout(ctx, networkTimeout)
	defer cancel()
	address := url.URL{Scheme: m.hosts[ref.Network], Host: ref.Network, Path: "/api/v1/statuses/" + ref.ID}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return Post{}, fmt.Errorf("make a request to %s: %w", ref.Network, err)
	}
	request.Header.Set("Accept", "application/json")
	response, err := m.client.Do(request)
	if err != nil {
		return Post{}, networkAway(ref, err)
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusOK:
		return readStatus(ref, response)
	case http.StatusNotFound, http.StatusGone, http.StatusUnauthorized, http.StatusForbidden:
		return Post{}, market.Errorf(market.KindVerificationFailed, "%s has no such public post", ref.Network)
	}
	return Post{}, networkAway(ref, fmt.Errorf("status %d", response.StatusCode))
}

func readStatus(ref PostRef, response *http.Response) (Post, error) {
	if kind, _, err := mime.ParseMediaType(response.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return Post{}, networkAway(ref, errors.New("the answer is not JSON"))
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPostSize+1))
	if err != nil {
		return Post{}, networkAway(ref, err)
	}
	if len(body) > maxPostSize {
		return Post{}, networkAway(ref, fmt.Errorf("the answer has more than %d bytes", maxPostSize))
	}
	var said status
	if err := json.Unmarshal(body, &said); err != nil {
		return Post{}, networkAway(ref, err)
	}
	// A boost, or the account of another host, is somebody else's word.
	boost := len(said.Reblog) > 0 && string(said.Reblog) != "null"
	if boost || said.Account.ID == "" || strings.Contains(said.Account.Acct, "@") {
		return Post{}, market.Errorf(market.KindVerificationFailed, "the post was not written by an account of %s", ref.Network)
	}
	return Post{ID: said.ID, Handle: said.Account.Username, AccountID: said.Account.ID, Text: plain(said.Content)}, nil
}

func networkAway(ref PostRef, cause error) error {
	return &market.Error{
		Kind: market.KindNetworkUnavailable, Message: ref.Network + " does not answer at the moment",
		Hint: "try again shortly", Cause: cause,
	}
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain strips the markup of a post.
func plain(content string) string { return html.UnescapeString(tag.ReplaceAllString(content, "")) }
