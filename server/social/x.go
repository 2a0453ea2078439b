package social

import (
	"context"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// X is the network x.com, read through its oEmbed API for embedded posts. That API identifies
// accounts only by their handles, so an account that takes over a handle also takes over its link to a
// user.
type X struct {
	api   string
	asker asker
}

// NewX returns the network with the API host, such as publish.x.com.
func NewX(api string) *X { return &X{api, newAsker(api)} }

// xHosts are the hosts of the network under its current and its former name.
var xHosts = []string{XHost, "www.x.com", "twitter.com", "www.twitter.com"}

var (
	xPath = regexp.MustCompile(`^/([A-Za-z0-9_]{1,15})/status/([0-9]{1,20})/?$`)
	// The post's text is the first paragraph. The author's display name, which can be any text,
	// comes after it.
	xQuote = regexp.MustCompile(`(?s)^<blockquote class="twitter-tweet"[^<>]*><p[^<>]*>(.*?)</p>`)
)

// Hosts implements Network.
func (x *X) Hosts() []string { return []string{XHost} }

// Parse implements Network.
func (x *X) Parse(postURL string) (PostRef, bool) {
	path, ok := parsePost(postURL, "https", xHosts...)
	parts := xPath.FindStringSubmatch(path)
	if !ok || parts == nil {
		return PostRef{}, false
	}
	return PostRef{Network: XHost, Handle: parts[1], ID: parts[2]}, true
}

// embedding contains the fields of an oEmbed response that are used.
type embedding struct {
	Type      string `json:"type"`
	URL       string `json:"url"`
	AuthorURL string `json:"author_url"`
	HTML      string `json:"html"`
}

// Post implements Network.
func (x *X) Post(ctx context.Context, ref PostRef) (Post, error) {
	address := "https://" + XHost + "/" + ref.Handle + "/status/" + ref.ID
	var reply embedding
	code, err := x.asker.get(ctx, url.URL{Host: x.api, Path: "/oembed", RawQuery: url.Values{
		"url": {address}, "hide_thread": {"1"}, "omit_script": {"1"}, "dnt": {"1"},
	}.Encode()}, &reply)
	switch {
	case err != nil:
		return Post{}, NetworkAway(XHost, err)
	case code != http.StatusOK:
		return Post{}, refused(XHost, code, http.StatusBadRequest, http.StatusForbidden, http.StatusNotFound, http.StatusGone)
	}
	words := xQuote.FindStringSubmatch(reply.HTML)
	found, ok := x.Parse(reply.URL)
	handle, named := x.author(reply.AuthorURL)
	if reply.Type != "rich" || words == nil || !ok || !named || found.ID != ref.ID ||
		!strings.EqualFold(found.Handle, ref.Handle) || !strings.EqualFold(handle, ref.Handle) {
		return Post{}, otherAuthor(ref)
	}
	return Post{ID: ref.ID, Handle: handle, AccountID: strings.ToLower(handle), Text: plain(words[1]), At: xTime(ref.ID)}, nil
}

// xEpoch is the epoch of post ids, in Unix milliseconds.
const xEpoch = 1_288_834_974_657

// xTime returns the time in a post's id, whose upper bits count milliseconds. An edited post has a
// new id.
func xTime(id string) time.Time {
	number, err := strconv.ParseUint(id, 10, 64)
	if err != nil { // the number is too large for an id
		number = math.MaxUint64
	}
	return time.UnixMilli(int64(number>>22) + xEpoch).UTC()
}

// author returns the handle in the URL of an account.
func (x *X) author(address string) (handle string, ok bool) {
	path, ok := parsePost(address, "https", xHosts...)
	handle = strings.TrimPrefix(path, "/")
	return handle, ok && xPath.MatchString("/"+handle+"/status/0")
}
