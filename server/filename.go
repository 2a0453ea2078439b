package server

import (
	"net/url"
	"path"
	"strings"

	"taskmarket/market"
)

// cleanFilename makes a label of what an uploader calls a file: no folders, no
// characters that break or turn a line. It never names anything on our disks.
func cleanFilename(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = strings.Map(func(r rune) rune {
		if market.Disturbs(r) {
			return -1
		}
		return r
	}, name)
	name = strings.Trim(name, " ")
	if runes := []rune(name); len(runes) > market.MaxFilename {
		name = string(runes[:market.MaxFilename])
	}
	if name == "" || name == "." || name == ".." || name == "/" {
		return "file"
	}
	return name
}

// attachment writes Content-Disposition by RFC 6266: a plain name for old
// readers, and the name itself, percent-encoded.
func attachment(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%`, r) {
			return '_'
		}
		return r
	}, name)
	encoded := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	return `attachment; filename="` + plain + `"; filename*=UTF-8''` + encoded
}
