// Package web holds the app for humans, as `make web` built it.
package web

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

// dist has the fallback always, and the app where it was built.
//
//go:embed all:dist
var dist embed.FS

//go:embed routes.json
var routes []byte

// Routes returns the paths of the app's own pages, as its router spells them.
func Routes() []string {
	var paths []string
	if err := json.Unmarshal(routes, &paths); err != nil {
		panic(fmt.Sprintf("web: read routes.json: %v", err)) // a test reads it, too
	}
	return paths
}

// Files returns the app's files with index.html at the root. Without a build
// that is one page that says how to make it, and built is false.
func Files() (files fs.FS, built bool) {
	folder := "dist/fallback"
	if _, err := fs.Stat(dist, "dist/app/index.html"); err == nil {
		folder, built = "dist/app", true
	}
	files, err := fs.Sub(dist, folder)
	if err != nil { // only for a name that is no path
		panic(fmt.Sprintf("web: %v", err))
	}
	return files, built
}
