package socialdev

import (
	"html/template"
	"net/http"
	"slices"
	"strings"
)

// shownPosts is how many posts the first page shows.
const shownPosts = 50

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Local social network</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}article{border-top:1px solid #8884;padding:1rem 0}p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}</style>
<h1>Local social network</h1>
<p>A stand-in for development. Post with <code>POST /api/v1/statuses</code> and <code>Authorization: Bearer HANDLE</code>.</p>
{{range .}}<article><a href="/@{{.Handle}}/{{.ID}}">@{{.Handle}}</a> <time>{{.At.Format "2006-01-02 15:04:05"}}</time><p>{{.Text}}</p></article>
{{else}}<p>Nobody has posted yet.</p>
{{end}}</html>
`))

func (n *Network) showAll(w http.ResponseWriter, _ *http.Request) {
	n.mu.Lock()
	posts := slices.Clone(n.posts[max(0, len(n.posts)-shownPosts):])
	n.mu.Unlock()
	slices.Reverse(posts)
	show(w, posts)
}

func (n *Network) showOne(w http.ResponseWriter, r *http.Request) {
	p, ok := n.find(r.PathValue("id"))
	if !ok || !strings.EqualFold("@"+p.Handle, r.PathValue("handle")) {
		http.NotFound(w, r)
		return
	}
	show(w, []post{p})
}

func show(w http.ResponseWriter, posts []post) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_ = page.Execute(w, posts) // the client may be gone
}
