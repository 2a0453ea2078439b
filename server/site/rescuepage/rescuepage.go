// Package rescuepage renders the page for withdrawing money from the contracts without the server.
// The page is one file, connects only to a node and a wallet, and also works when opened from disk. The
// contracts determine which exits are open: the page simulates each call before it offers it.
// Before the user signs, the page reads the displayed data again, also from the wallet's node.
// Validators can sign their verdicts on the page. Package client/rescue offers the same exits to
// programs.
package rescuepage

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/server/gate"
)

//go:embed files
var files embed.FS

// scripts are the parts of the page's only script, in order.
var scripts = []string{"node.js", "holdings.js", "verdict.js", "page.js"}

// Page is the rescue page for one escrow contract.
type Page struct {
	HTML   []byte
	Policy string // the page's content security policy
}

// Render returns the page for the escrow contract on a chain. node is the URL of a node that
// accepts requests from browsers, or "".
func Render(chainID uint64, escrow common.Address, node string) (Page, error) {
	text := make(map[string][]byte)
	for _, name := range append([]string{"style.css", "page.html"}, scripts...) {
		content, err := files.ReadFile("files/" + name)
		if err != nil {
			return Page{}, fmt.Errorf("read %s: %w", name, err)
		}
		text[name] = content
	}
	var rest []byte
	for _, name := range scripts[1:] {
		rest = append(rest, text[name]...)
	}
	constants, err := facts(slices.Concat(text[scripts[0]], rest))
	if err != nil {
		return Page{}, fmt.Errorf("write the script's constants: %w", err)
	}
	script := slices.Concat(text[scripts[0]], constants, rest) // the first script begins with 'use strict'
	frame, err := template.New("page").Parse(string(text["page.html"]))
	if err != nil {
		return Page{}, fmt.Errorf("parse the page: %w", err)
	}
	policy := gate.RescuePolicy(script, text["style.css"])
	var page bytes.Buffer
	err = frame.Execute(&page, struct {
		ChainID              uint64
		Escrow, Node, Policy string
		Style                template.CSS
		Script               template.JS
	}{
		chainID, escrow.Hex(), node, policy,
		template.CSS(text["style.css"]), template.JS(script), //nolint:gosec // embedded files
	})
	if err != nil {
		return Page{}, fmt.Errorf("write the page: %w", err)
	}
	return Page{HTML: page.Bytes(), Policy: policy + gate.Unframed}, nil
}
