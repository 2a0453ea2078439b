package gate

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// Content security policies for everything that the service sends to a browser. Each one forbids
// all sources except those that the page needs.
const (
	PolicyHeader = "Content-Security-Policy"
	// Unframed forbids other pages from embedding the page. Browsers ignore it in a meta element.
	Unframed = "; frame-ancestors 'none'"

	apiPolicy = "default-src 'none'" + Unframed
	noForms   = "; base-uri 'none'; form-action 'none'"

	// noMarkup forbids scripts to turn a text into markup or code, for example with innerHTML. No policy of
	// trusted types can be created, so there is no exception.
	noMarkup = "; require-trusted-types-for 'script'; trusted-types 'none'"

	// ReferencePolicy allows the API reference to load its own files and to send requests to its
	// own origin.
	ReferencePolicy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'" + noMarkup + noForms + Unframed

	// ConsolePolicy allows the operators' console to load its style sheet, and to send its forms to its own
	// origin.
	ConsolePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'" + Unframed

	// DownloadPolicy is for a reported file in the console. If a browser shows the file, the file cannot
	// run or load anything.
	DownloadPolicy = "sandbox; default-src 'none'"
)

// AppPolicy allows the web app to load its own files, and to send requests to its own origin and to
// the URL of a node. node is empty if the app has no node.
func AppPolicy(node string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
		"connect-src " + strings.TrimSpace("'self' "+node) + noMarkup + noForms + Unframed
}

// RescuePolicy allows the rescue page to use its own inline script and style, and to send requests
// to any node. The page also contains the policy in a meta element, so that it applies to a saved
// copy.
func RescuePolicy(script, style []byte) string {
	return "default-src 'none'; script-src " + sourceHash(script) + "; style-src " + sourceHash(style) +
		"; connect-src https: http:" + noMarkup + noForms
}

func sourceHash(content []byte) string {
	sum := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
