package social

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// Bluesky is the network bsky.app, read through its public API.
type Bluesky struct {
	api   string
	asker asker
}

// NewBluesky returns the network with the API host, such as public.api.bsky.app.
func NewBluesky(api string) *Bluesky { return &Bluesky{api, newAsker(api)} }

const blueskyCollection = "app.bsky.feed.post"

var (
	// An account is identified by its handle, which is a domain name, or by its DID. The key of a
	// post is a time in base 32.
	blueskyPath = regexp.MustCompile(`^/profile/([^/]{1,253})/post/([2-7a-j][2-7a-z]{12})/?$`)
	handleName  = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
	didName     = regexp.MustCompile(`^did:(?:plc:[a-z2-7]{24}|web:[A-Za-z0-9.-]{1,240})$`)
)

// invalidHandle is the handle that Bluesky returns if it cannot verify that the handle belongs to the
// account.
const invalidHandle = "handle.invalid"

// Hosts implements Network.
func (b *Bluesky) Hosts() []string { return []string{blueskyHost} }

// Parse implements Network.
func (b *Bluesky) Parse(postURL string) (PostRef, bool) {
	path, ok := parsePost(postURL, "https", blueskyHost)
	parts := blueskyPath.FindStringSubmatch(path)
	if !ok || parts == nil || !handleName.MatchString(parts[1]) && !didName.MatchString(parts[1]) {
		return PostRef{}, false
	}
	return PostRef{Network: blueskyHost, Handle: parts[1], ID: parts[2]}, true
}

// blueskyPost contains the fields of a post that are used.
type blueskyPost struct {
	URI    string `json:"uri"`
	Author struct {
		DID    string `json:"did"`
		Handle string `json:"handle"`
	} `json:"author"`
	Record struct {
		Type string `json:"$type"`
		Text string `json:"text"` // excludes quoted posts, which are in embed
	} `json:"record"`
	Indexed time.Time `json:"indexedAt"` // set by the network, unlike createdAt, which the author sets
}

// Post implements Network.
func (b *Bluesky) Post(ctx context.Context, ref PostRef) (Post, error) {
	did, err := b.account(ctx, ref)
	if err != nil {
		return Post{}, err
	}
	uri := "at://" + did + "/" + blueskyCollection + "/" + ref.ID
	var reply struct {
		Posts []blueskyPost `json:"posts"`
	}
	if err := b.ask(ctx, "app.bsky.feed.getPosts", url.Values{"uris": {uri}}, &reply); err != nil {
		return Post{}, err
	}
	if len(reply.Posts) == 0 {
		return Post{}, noSuchPost(blueskyHost)
	}
	post := reply.Posts[0]
	owner := strings.EqualFold(post.Author.Handle, ref.Handle) || did == ref.Handle
	if len(reply.Posts) > 1 || post.URI != uri || post.Author.DID != did || post.Record.Type != blueskyCollection ||
		!owner || post.Author.Handle == invalidHandle || !handleName.MatchString(post.Author.Handle) {
		return Post{}, otherAuthor(ref)
	}
	// The author chooses the key, so it is unique only together with the author's DID.
	return Post{ID: did + "/" + ref.ID, Handle: post.Author.Handle, AccountID: did, Text: post.Record.Text, At: post.Indexed}, nil
}

// account returns the DID of the account in the post's URL.
func (b *Bluesky) account(ctx context.Context, ref PostRef) (did string, err error) {
	if didName.MatchString(ref.Handle) {
		return ref.Handle, nil
	}
	var reply struct {
		DID string `json:"did"`
	}
	if err := b.ask(ctx, "com.atproto.identity.resolveHandle", url.Values{"handle": {ref.Handle}}, &reply); err != nil {
		return "", err
	}
	if !didName.MatchString(reply.DID) {
		return "", noSuchPost(blueskyHost)
	}
	return reply.DID, nil
}

// ask calls a method of the API, which returns 400 for an unknown record.
func (b *Bluesky) ask(ctx context.Context, method string, parameters url.Values, into any) error {
	code, err := b.asker.get(ctx, url.URL{Host: b.api, Path: "/xrpc/" + method, RawQuery: parameters.Encode()}, into)
	switch {
	case err != nil:
		return NetworkAway(blueskyHost, err)
	case code != http.StatusOK:
		return refused(blueskyHost, code, http.StatusBadRequest, http.StatusNotFound)
	}
	return nil
}
