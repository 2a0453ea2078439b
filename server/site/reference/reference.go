// Package reference turns the API's document into a page to read and to try:
// every operation with its credentials, limits, parameters, bodies, answers and
// a command, and every schema. It needs no network but the service's own.
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

// Paths of what the page loads. It is served at /docs.
const (
	StylePath  = "/docs/style.css"
	ScriptPath = "/docs/script.js"
)

// Policy is the content security policy that the page works under: nothing but
// its own style and script, and requests to its own origin.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Asset returns a file that the page loads, by the last part of its path.
func Asset(name string) ([]byte, error) { return fs.ReadFile(files, "files/"+name) }

// Render makes the page of an OpenAPI document in YAML. base is where the
// operations are, as commands name it: https://market.example/api/v1.
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

// contents is what the page shows.
type contents struct {
	Title, Version, Description string
	Base, Path, Style, Script   string // Path is that of Base on this origin
	Groups                      []group
	Schemas                     []schema
}

// group is the operations of one tag.
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
