// Package web embeds the web app that `make web` builds.
package web

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
)

// dist contains the fallback page, and the app if it was built.
//
//go:embed all:dist
var dist embed.FS

//go:embed routes.json
var routes []byte

// Routes returns the paths of the app's pages, in the syntax of its router.
func Routes() []string {
	var paths []string
	if err := json.Unmarshal(routes, &paths); err != nil {
		panic(fmt.Sprintf("web: read routes.json: %v", err)) // impossible: a test parses the same file
	}
	return paths
}

// Files returns the app's files with index.html at the root. If the app was not built, the only file is
// a page that explains how to build it, and built is false.
func Files() (files fs.FS, built bool) {
	folder := "dist/fallback"
	if _, err := fs.Stat(dist, "dist/app/index.html"); err == nil {
		folder, built = "dist/app", true
	}
	files, err := fs.Sub(dist, folder)
	if err != nil { // impossible: fs.Sub rejects only invalid paths
		panic(fmt.Sprintf("web: %v", err))
	}
	return files, built
}
