package socialdev

import (
	"html/template"
	"net/http"
	"slices"
	"strings"
)

// pagePosts is the maximum number of posts on the start page.
const pagePosts = 50

// policy allows the pages only inline styles and forms that are sent to this host.
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"

var page = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Local social network</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:2rem auto;padding:0 1rem}label,textarea{display:block;width:100%;box-sizing:border-box}input,textarea,button{font:inherit;margin:0 0 1rem}article{border-top:1px solid #8884;padding:1rem 0}p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.25rem 0}</style>
<h1>Local social network</h1>
<p>A stand-in for development. <a href="/share">Post here</a>, or with <code>POST /api/v1/statuses</code> and <code>Authorization: Bearer HANDLE</code>.</p>
{{with .Draft}}<form method="post" action="/share">
<label>Post as <input name="handle" required pattern="[A-Za-z0-9_][A-Za-z0-9_.\-]{0,99}" autofocus></label>
<label>Text <textarea name="text" rows="4" required>{{.Text}}</textarea></label>
<button>Post</button>
</form>
{{end}}{{range .Posts}}<article><a href="/@{{.Handle}}/{{.ID}}">@{{.Handle}}</a> <time>{{.At.Format "2006-01-02 15:04:05"}}</time><p>{{.Text}}</p></article>
{{else}}{{if not .Draft}}<p>No posts yet.</p>{{end}}
{{end}}</html>
`))

// view is the data of the page template: a list of posts, or a draft.
type view struct {
	Draft *draft
	Posts []post
}

// draft is the text of a post in the form.
type draft struct{ Text string }

func (n *Network) showAll(w http.ResponseWriter, _ *http.Request) {
	n.mu.Lock()
	posts := slices.Clone(n.posts[max(0, len(n.posts)-pagePosts):])
	n.mu.Unlock()
	slices.Reverse(posts)
	show(w, view{Posts: posts})
}

func (n *Network) showOne(w http.ResponseWriter, r *http.Request) {
	p, ok := n.find(r.PathValue("id"))
	if !ok || !strings.EqualFold("@"+p.Handle, r.PathValue("handle")) {
		http.NotFound(w, r)
		return
	}
	show(w, view{Posts: []post{p}})
}

// compose shows the form for a post, as Mastodon's /share does.
func (n *Network) compose(w http.ResponseWriter, r *http.Request) {
	show(w, view{Draft: &draft{r.URL.Query().Get("text")}})
}

// share creates a post from the form and redirects to it, so that the address bar shows its URL.
func (n *Network) share(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	handle, text := r.PostFormValue("handle"), r.PostFormValue("text")
	if !handlePattern.MatchString(handle) {
		refuse(w, http.StatusUnprocessableEntity, "A handle has 1 to 100 letters, digits, dots, hyphens and underscores, and does not begin with a dot or a hyphen")
		return
	}
	if !n.takes(w, text) {
		return
	}
	http.Redirect(w, r, n.Post(handle, text), http.StatusSeeOther) //nolint:gosec // on this host, with a validated handle
}

func show(w http.ResponseWriter, v view) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", policy)
	_ = page.Execute(w, v) // fails only if the client has disconnected
}
