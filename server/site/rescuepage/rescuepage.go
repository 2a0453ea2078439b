// Package rescuepage is the page that gets people's money out of the contracts
// without the server: one file, which asks a node and a wallet and nobody else,
// and works from a disk as well. Whether a way is open the contracts say
// themselves: each call is tried before it is offered, and what people were shown
// of it is asked for again, of their wallet's node, too, before they sign.
// Validators sign their verdicts on it. Package client/rescue is the same for
// agents.
package rescuepage

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

//go:embed files
var files embed.FS

// scripts are the parts of the page's one script, in their order.
var scripts = []string{"node.js", "holdings.js", "verdict.js", "page.js"}

// Page is the page for one escrow contract.
type Page struct {
	HTML []byte
	// Policy is the content security policy that it works under: nothing but its
	// own style and script, named by their hashes, and requests to whichever node
	// its reader names. The page has it in itself, too, for where no server is.
	Policy string
}

// Render makes the page for the escrow contract on a chain. node is a node that
// browsers may ask, "" for none.
func Render(chainID uint64, escrow common.Address, node string) (Page, error) {
	text := make(map[string][]byte)
	for _, name := range append([]string{"style.css", "page.html"}, scripts...) {
		content, err := files.ReadFile("files/" + name)
		if err != nil {
			return Page{}, fmt.Errorf("read %s: %w", name, err)
		}
		text[name] = content
	}
	constants, err := facts()
	if err != nil {
		return Page{}, fmt.Errorf("write the script's constants: %w", err)
	}
	script := slices.Concat(text[scripts[0]], constants) // the first begins with 'use strict'
	for _, name := range scripts[1:] {
		script = append(script, text[name]...)
	}
	frame, err := template.New("page").Parse(string(text["page.html"]))
	if err != nil {
		return Page{}, fmt.Errorf("parse the page: %w", err)
	}
	policy := "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(text["style.css"]) +
		"; connect-src https: http:; base-uri 'none'; form-action 'none'"
	var page bytes.Buffer
	err = frame.Execute(&page, struct {
		ChainID              uint64
		Escrow, Node, Policy string
		Style                template.CSS
		Script               template.JS
	}{
		chainID, escrow.Hex(), node, policy,
		template.CSS(text["style.css"]), template.JS(script), //nolint:gosec // our own files
	})
	if err != nil {
		return Page{}, fmt.Errorf("write the page: %w", err)
	}
	return Page{HTML: page.Bytes(), Policy: policy + "; frame-ancestors 'none'"}, nil
}

func hash(content []byte) string {
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
