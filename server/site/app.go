package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"taskmarket/server/gate"
	"taskmarket/server/social"
)

// App is the web app for humans: its files and its settings.
type App struct {
	// Files contains index.html at the root, and in assets/ the files whose names contain a hash of
	// their content. The compressed forms of a file x are x.br and x.gz.
	Files fs.FS
	// Routes are the paths of the app's pages in the notation of its router: /tasks/$taskId matches
	// any id. Every other path returns 404.
	Routes []string
	// ChainName is the chain's display name.
	ChainName string
	// RPCURL is the URL of a node for browsers. Optional: without it they use the wallet's node.
	RPCURL string
	// FaucetPath is the path of a faucet in a development environment. Never set it in production:
	// with it the app offers a wallet that signs without confirmation.
	FaucetPath string
}

const (
	appIndex    = "index.html"
	appSettings = "app.json"
	appManifest = "manifest.json" // the build's list of files, not served
	// appForever is the Cache-Control of the files in assets/, whose names change with their content.
	appForever  = "public, max-age=31536000, immutable"
	appRecheck  = "no-cache"
	appCurrency = "ETH" // native currency of every supported chain
	appPageKind = "text/html; charset=utf-8"
)

// appKinds maps file extensions to content types. Package mime is not used, because its table differs
// between machines.
var appKinds = map[string]string{
	".html": appPageKind,
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".json": "application/json",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

// appEncodings lists the compressed forms, smallest first.
var appEncodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// appFile is a file in all its encodings, in memory.
type appFile struct {
	kind    string // content type
	caching string
	forms   map[string]appForm // by encoding; "" is the uncompressed file
}

type appForm struct {
	content []byte
	tag     string
}

// ServeApp serves the app under every path that has no other handler, so call it last. It adds a
// middleware, because a route for all paths would hide which methods the other paths accept.
func ServeApp(e *echo.Echo, g *gate.Gate, o Options) error {
	app := o.App
	if app == nil {
		return nil
	}
	files, err := readApp(app, o.Networks)
	if err != nil {
		return fmt.Errorf("read the web app: %w", err)
	}
	taken := make(map[string]bool)
	for _, route := range e.Routes() {
		taken[route.Path] = true
	}
	serve := g.LimitBeside(gate.AppID)(serveAppFile(files, newAppRoutes(app.Routes), gate.AppPolicy(app.RPCURL)))
	e.Pre(func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if reads := r.Method == http.MethodGet || r.Method == http.MethodHead; reads && !taken[r.URL.Path] && !isAPI(r.URL.Path) {
				return serve(c)
			}
			return next(c)
		}
	})
	return nil
}

func serveAppFile(files map[string]appFile, routes appRoutes, policy string) echo.HandlerFunc {
	return func(c echo.Context) error {
		requested := path.Clean("/" + c.Request().URL.Path)
		name, status := strings.TrimPrefix(requested, "/"), http.StatusOK
		switch {
		case routes.has(requested):
			name = appIndex
		case files[name].kind == "" && wantsPage(c.Request()): // the app displays its own not-found page
			name, status = appIndex, http.StatusNotFound
		}
		file, ok := files[name]
		if !ok {
			return echo.ErrNotFound
		}
		if file.kind == appPageKind {
			c.Response().Header().Set(gate.PolicyHeader, policy)
		}
		return file.serve(c, status)
	}
}

// wantsPage reports whether a browser requests a page, not one of its files.
func wantsPage(r *http.Request) bool {
	return path.Ext(r.URL.Path) == "" && !strings.HasPrefix(r.URL.Path, "/assets/") &&
		strings.Contains(r.Header.Get("Accept"), "text/html")
}

// appRoutes are the paths of the app's pages, split into segments.
type appRoutes [][]string

func newAppRoutes(paths []string) appRoutes {
	routes := make(appRoutes, len(paths))
	for i, each := range paths {
		routes[i] = strings.Split(path.Clean("/"+each), "/")
	}
	return routes
}

// has reports whether a clean path is one of the pages.
func (r appRoutes) has(requested string) bool {
	segments := strings.Split(requested, "/")
	return slices.ContainsFunc(r, func(route []string) bool {
		return slices.EqualFunc(route, segments, func(want, got string) bool {
			return want == got || strings.HasPrefix(want, "$") && got != ""
		})
	})
}

// isAPI reports whether a path is /api or below it, even if there is no operation at the path.
func isAPI(requested string) bool {
	clean := path.Clean("/" + requested)
	return clean == "/api" || strings.HasPrefix(clean, "/api/")
}

// settings returns the content of /app.json.
func (a *App) settings(networks []social.Network) ([]byte, error) {
	type currency struct {
		Name     string `json:"name"`
		Symbol   string `json:"symbol"`
		Decimals int    `json:"decimals"`
	}
	type network struct {
		Name       string `json:"name"`
		ComposeURL string `json:"composeUrl"`
	}
	var hosts []network
	for _, each := range networks {
		for _, host := range each.Hosts() {
			hosts = append(hosts, network{host, social.ComposeURL(host)})
		}
	}
	return json.Marshal(struct {
		ChainName  string    `json:"chainName"`
		Currency   currency  `json:"currency"`
		RPCURL     string    `json:"rpcUrl,omitempty"`
		FaucetPath string    `json:"faucetPath,omitempty"`
		Networks   []network `json:"networks,omitempty"`
	}{a.ChainName, currency{appCurrency, appCurrency, 18}, a.RPCURL, a.FaucetPath, hosts})
}

// readApp reads all files and their compressed forms into memory.
func readApp(app *App, networks []social.Network) (map[string]appFile, error) {
	files := make(map[string]appFile)
	err := fs.WalkDir(app.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || isCompressed(name) || name == appManifest {
			return err
		}
		files[name], err = readAppFile(app.Files, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := checkComplete(app.Files, files); err != nil {
		return nil, err
	}
	settings, err := app.settings(networks)
	if err != nil {
		return nil, err
	}
	files[appSettings] = appFile{
		kind: appKinds[".json"], caching: appRecheck, forms: map[string]appForm{"": newAppForm(settings)},
	}
	return files, nil
}

// appReference matches the files that index.html loads.
var appReference = regexp.MustCompile(`(?:src|href)="/([^"]+\.[a-z]+)"`)

// checkComplete returns an error if index.html or the build's list names a file that is missing: the program
// was built while the app was being built, or from a part of it.
func checkComplete(all fs.FS, files map[string]appFile) error {
	index, ok := files[appIndex]
	if !ok {
		return fmt.Errorf("there is no %s", appIndex)
	}
	var named []string
	for _, match := range appReference.FindAllSubmatch(index.forms[""].content, -1) {
		named = append(named, string(match[1]))
	}
	switch list, err := fs.ReadFile(all, appManifest); {
	case errors.Is(err, fs.ErrNotExist): // the page that replaces an app that was not built
	case err != nil:
		return err
	default:
		var built map[string]struct {
			File        string
			CSS, Assets []string
		}
		if err := json.Unmarshal(list, &built); err != nil {
			return fmt.Errorf("read %s: %w", appManifest, err)
		}
		for _, each := range built {
			named = append(append(append(named, each.File), each.CSS...), each.Assets...)
		}
	}
	for _, name := range named {
		if _, ok := files[name]; !ok {
			return fmt.Errorf("%s is missing, so the pages would not work: run `make web build` and start the program again", name)
		}
	}
	return nil
}

func isCompressed(name string) bool {
	for _, encoding := range appEncodings {
		if strings.HasSuffix(name, encoding.suffix) {
			return true
		}
	}
	return false
}

func readAppFile(files fs.FS, name string) (appFile, error) {
	file := appFile{kind: appKinds[path.Ext(name)], caching: appRecheck, forms: make(map[string]appForm)}
	if file.kind == "" {
		return appFile{}, fmt.Errorf("%s has an unknown file type", name)
	}
	if strings.HasPrefix(name, "assets/") {
		file.caching = appForever
	}
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return appFile{}, err
	}
	file.forms[""] = newAppForm(content)
	for _, encoding := range appEncodings {
		content, err := fs.ReadFile(files, name+encoding.suffix)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return appFile{}, err
		default:
			file.forms[encoding.name] = newAppForm(content)
		}
	}
	return file, nil
}

func newAppForm(content []byte) appForm {
	sum := sha256.Sum256(content)
	return appForm{content: content, tag: `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// serve sends the smallest form that the client accepts, or 304 if it is unchanged.
func (f appFile) serve(c echo.Context, status int) error {
	header := c.Response().Header()
	encoding := f.choose(c.Request().Header)
	form := f.forms[encoding]
	header.Set("Cache-Control", f.caching)
	header.Set("ETag", form.tag)
	if len(f.forms) > 1 {
		header.Set("Vary", "Accept-Encoding")
	}
	if status == http.StatusOK && gate.Knows(c.Request().Header.Get("If-None-Match"), form.tag) {
		return c.NoContent(http.StatusNotModified)
	}
	if encoding != "" {
		header.Set("Content-Encoding", encoding)
	}
	header.Set("Content-Length", strconv.Itoa(len(form.content)))
	return c.Blob(status, f.kind, form.content)
}

// choose returns the encoding of the response, or "" for no compression.
func (f appFile) choose(request http.Header) string {
	for _, encoding := range appEncodings {
		if _, has := f.forms[encoding.name]; has && gate.Accepts(request, encoding.name) {
			return encoding.name
		}
	}
	return ""
}
