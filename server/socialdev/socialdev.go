// Package socialdev is a social network for development and tests on one machine. It implements
// part of the Mastodon API, stores its posts in memory, and accepts any handle without
// authentication.
package socialdev

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html/template"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	maxBody   = 64 << 10
	maxStatus = 5_000 // maximum length of a post, in characters
	maxPosts  = 10_000
)

// Network is the development network. It implements the part of Mastodon's API that creates and
// reads posts, and pages that display them.
type Network struct {
	base  string
	first int64 // number of the first post

	mu    sync.Mutex
	posts []post
}

type post struct {
	ID      string
	Handle  string
	Account string
	Text    string
	At      time.Time
}

// New returns an empty network with the base URL, for example http://127.0.0.1:8080. Posts and
// accounts from before a restart do not collide with new ones: post numbers begin at the start
// time, and an account's id is derived from its handle.
func New(base string) *Network {
	return &Network{base: base, first: time.Now().UnixMicro()}
}

// Handler returns the network's HTTP handler.
func (n *Network) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/v1/statuses", n.write)
	mux.HandleFunc("GET /api/v1/statuses/{id}", n.read)
	mux.HandleFunc("GET /{$}", n.showAll)
	mux.HandleFunc("GET /share", n.compose)
	mux.HandleFunc("POST /share", n.share)
	mux.HandleFunc("GET /{handle}/{id}", n.showOne)
	return mux
}

var handlePattern = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`)

// Post creates a post with the handle and returns its URL.
func (n *Network) Post(handle, text string) string { return n.url(n.add(handle, text)) }

func (n *Network) add(handle, text string) post {
	n.mu.Lock()
	defer n.mu.Unlock()
	id := strconv.FormatInt(n.first+int64(len(n.posts)), 10)
	p := post{ID: id, Handle: handle, Account: accountID(handle), Text: text, At: time.Now().UTC()}
	n.posts = append(n.posts, p)
	return p
}

func accountID(handle string) string {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(strings.ToLower(handle))) // hash.Write never returns an error
	return strconv.FormatUint(hash.Sum64(), 10)
}

func (n *Network) url(p post) string { return n.base + "/@" + p.Handle + "/" + p.ID }

func (n *Network) find(id string) (post, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	number, err := strconv.ParseInt(id, 10, 64)
	if place := number - n.first; err == nil && place >= 0 && place < int64(len(n.posts)) {
		return n.posts[place], true
	}
	return post{}, false
}

func (n *Network) full() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.posts) >= maxPosts
}

// write creates a status from JSON or from a form, as Mastodon does.
func (n *Network) write(w http.ResponseWriter, r *http.Request) {
	handle, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !bearer || !handlePattern.MatchString(handle) {
		refuse(w, http.StatusUnauthorized, "The access token is missing or invalid: send the handle to post as")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	var body struct {
		Status string `json:"status"`
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			refuse(w, http.StatusBadRequest, "The body is not JSON")
			return
		}
	} else {
		body.Status = r.PostFormValue("status")
	}
	if n.takes(w, body.Status) {
		n.writeStatus(w, n.add(handle, body.Status))
	}
}

// takes reports whether the text can be posted. It rejects texts of invalid length, and all texts
// when the network is full.
func (n *Network) takes(w http.ResponseWriter, text string) bool {
	if text == "" || utf8.RuneCountInString(text) > maxStatus {
		refuse(w, http.StatusUnprocessableEntity, fmt.Sprintf("A status has 1 to %d characters", maxStatus))
		return false
	}
	if n.full() {
		refuse(w, http.StatusInsufficientStorage, "There is no room for more posts; restart the network")
		return false
	}
	return true
}

func (n *Network) read(w http.ResponseWriter, r *http.Request) {
	p, ok := n.find(r.PathValue("id"))
	if !ok {
		refuse(w, http.StatusNotFound, "Record not found")
		return
	}
	n.writeStatus(w, p)
}

type account struct {
	ID          string `json:"id"`
	Username    string `json:"username"`
	Acct        string `json:"acct"`
	DisplayName string `json:"display_name"`
	URL         string `json:"url"`
}

type status struct {
	ID         string    `json:"id"`
	CreatedAt  time.Time `json:"created_at"`
	Visibility string    `json:"visibility"`
	URL        string    `json:"url"`
	URI        string    `json:"uri"`
	Content    string    `json:"content"`
	Reblog     *status   `json:"reblog"`
	Account    account   `json:"account"`
}

func (n *Network) writeStatus(w http.ResponseWriter, p post) {
	writeJSON(w, http.StatusOK, status{
		ID: p.ID, CreatedAt: p.At, Visibility: "public", URL: n.url(p), URI: n.url(p),
		Content: "<p>" + template.HTMLEscapeString(p.Text) + "</p>",
		Account: account{
			ID: p.Account, Username: p.Handle, Acct: p.Handle, DisplayName: p.Handle, URL: n.base + "/@" + p.Handle,
		},
	})
}

func refuse(w http.ResponseWriter, code int, message string) {
	writeJSON(w, code, map[string]string{"error": message})
}

func writeJSON(w http.ResponseWriter, code int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // fails only if the client has disconnected
}
