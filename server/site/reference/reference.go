// Package reference renders the OpenAPI document as an interactive page: every operation with its
// credentials, limits, parameters, bodies, responses and an example command, and every schema. The page
// loads nothing from other origins.
package reference

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
)

//go:embed files
var files embed.FS

// Paths of the page's assets. The page is served at /docs.
const (
	StylePath  = "/docs/style.css"
	ScriptPath = "/docs/script.js"
)

// Asset returns an asset of the page by the last part of its path.
func Asset(name string) ([]byte, error) { return fs.ReadFile(files, "files/"+name) }

// Render returns the page for an OpenAPI document in YAML. base is the base URL of the operations
// in the commands: https://market.example/api/v1.
func Render(document []byte, base string) ([]byte, error) {
	root, err := parse(document)
	if err != nil {
		return nil, fmt.Errorf("parse the document: %w", err)
	}
	page, err := template.New("page.html.tmpl").Funcs(template.FuncMap{"markdown": markdown}).ParseFS(files, "files/page.html.tmpl")
	if err != nil {
		return nil, fmt.Errorf("parse the template: %w", err)
	}
	var written bytes.Buffer
	if err := page.Execute(&written, newContents(root, base)); err != nil {
		return nil, fmt.Errorf("fill the template: %w", err)
	}
	return written.Bytes(), nil
}

// contents is the data of the page template.
type contents struct {
	Title, Version, Description string
	Base, Path, Style, Script   string // Path is the URL path of Base
	Groups                      []group
	Schemas                     []schema
}

// group contains the operations with one tag.
type group struct {
	Name, Description string
	Operations        []operation
}

func newContents(root node, base string) contents {
	info := root.at("info")
	c := contents{
		Title: info.text("title"), Version: info.text("version"), Description: info.text("description"),
		Base: base, Path: root.at("servers", "0").text("url"), Style: StylePath, Script: ScriptPath,
	}
	byTag := map[string][]operation{}
	for path, item := range root.at("paths").members() {
		for method, op := range item.members() {
			if tag := op.at("tags", "0"); tag.ok() {
				byTag[tag.value()] = append(byTag[tag.value()], newOperation(method, path, base, op))
			}
		}
	}
	for tag := range root.at("tags").items() {
		c.Groups = append(c.Groups, group{tag.text("name"), tag.text("description"), byTag[tag.text("name")]})
	}
	for name, s := range root.at("components", "schemas").members() {
		c.Schemas = append(c.Schemas, newSchema(name, s))
	}
	return c
}
