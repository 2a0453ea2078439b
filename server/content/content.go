// Package content checks uploaded files: their first bytes against their name and declared type, and
// all bytes with the operator's malware scanner. It also writes the header that names a downloaded file.
package content

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"taskmarket/market"
)

// HeadSize is the number of bytes from the beginning of a file that TypeOf needs.
const HeadSize = 3072

// Unknown is the media type of a file that declares no other type.
const Unknown = "application/octet-stream"

// active are types that run code or imitate pages of the service when they are opened.
var active = []string{
	"application/x-elf", "application/vnd.microsoft.portable-executable", "application/x-mach-binary",
	"application/x-java-applet", "application/jar", "application/vnd.android.package-archive",
	"application/x-ms-installer", "application/x-ms-shortcut", "application/wasm", "application/vnd.debian.binary-package",
	"application/x-rpm", "image/svg+xml", "text/html", "text/javascript", "text/x-php", "text/x-lua", "text/x-perl",
	"text/x-python", "text/x-ruby", "text/x-shellscript", "text/x-tcl",
}

// A family is a group of types that users do not distinguish: a PNG image with the name of a JPEG image
// is accepted.
type family struct {
	name       string
	types      []string // exact types, or prefixes that end with a slash
	extensions []string
	strict     bool // every file of the family is recognised by its content
}

var families = []family{
	{
		name: "an image", types: []string{"image/png", "image/jpeg", "image/gif", "image/webp"},
		extensions: []string{"png", "jpg", "jpeg", "gif", "webp"}, strict: true,
	},
	{name: "an image", types: []string{"image/"}, extensions: []string{"avif", "bmp", "heic", "heif", "tif", "tiff"}},
	{name: "a PDF document", types: []string{"application/pdf"}, extensions: []string{"pdf"}, strict: true},
	{
		name: "an audio or video file", types: []string{"audio/", "video/"},
		extensions: []string{"aac", "avi", "flac", "m4a", "mkv", "mov", "mp3", "mp4", "mpeg", "ogg", "opus", "wav", "webm"},
	},
	{name: "a ZIP archive", types: []string{"application/zip"}, extensions: []string{"zip", "docx", "xlsx", "pptx", "odt", "ods", "odp"}, strict: true},
}

// TypeOf returns the media type of a file: the declared one unless the content has another. head is the
// beginning of the file, up to HeadSize bytes. TypeOf returns KindInvalid for a program, a script, an SVG
// image, a web page or another long text whose name or declared type claims a harmless file, such as a photo.
func TypeOf(filename, declared string, head []byte) (string, error) {
	found := mimetype.Detect(head)
	extension := strings.ToLower(strings.TrimPrefix(path.Ext(strings.TrimRight(filename, ". ")), "."))
	for _, f := range families {
		if f.disguises(found, extension, declared, len(head) >= HeadSize) {
			return "", &market.Error{
				Kind: market.KindInvalid, Message: "the file is not what its name or type claims",
				Hint:    "give the file the name and type of its content",
				Details: []market.Detail{{Field: "file", Code: "type_mismatch", Message: "must be " + f.name + ", as its name or type claims"}},
			}
		}
	}
	if consistent(found, declared) {
		return declared, nil
	}
	kind, _, _ := strings.Cut(found.String(), ";")
	return kind, nil
}

// disguises reports whether a file of the family would hide its content: a program or a page, or a text that
// continues after the head, because a page or a script can begin with more spaces or comments than TypeOf reads.
// Some rare types of sound and images are texts.
func (f family) disguises(found *mimetype.MIME, extension, declared string, continues bool) bool {
	text := continues && extends(found, "text/plain") && (f.strict || slices.Contains(f.extensions, extension))
	return f.claimedBy(extension, declared) && (isActive(found) || text)
}

// isActive reports whether the type or one that it extends is active.
func isActive(found *mimetype.MIME) bool {
	for m := found; m != nil; m = m.Parent() {
		if slices.ContainsFunc(active, m.Is) {
			return true
		}
	}
	return false
}

// consistent reports whether the content can have the declared type. Many types are not recognised by
// their content, so unknown binary data and plain text can have any type outside the strict families.
func consistent(found *mimetype.MIME, declared string) bool {
	for _, f := range families {
		if f.claimedBy("", declared) {
			return f.accepts(found)
		}
	}
	return declared == Unknown || found.Is(Unknown) || found.Is("text/plain") ||
		extends(found, declared) || extends(mimetype.Lookup(declared), found.String())
}

// extends reports whether the type is the other one or a subtype of it. Every type extends Unknown.
func extends(m *mimetype.MIME, other string) bool {
	for ; m != nil; m = m.Parent() {
		if m.Is(other) {
			return true
		}
	}
	return false
}

// claimedBy reports whether a file with the extension or the declared type claims to belong to the family.
func (f family) claimedBy(extension, declared string) bool {
	return slices.Contains(f.extensions, extension) || f.has(declared) && declared != "image/svg+xml"
}

// has reports whether the type is one of the family.
func (f family) has(kind string) bool {
	return slices.ContainsFunc(f.types, func(t string) bool {
		return kind == t || strings.HasSuffix(t, "/") && strings.HasPrefix(kind, t)
	})
}

// accepts reports whether the content can belong to the family. Sound, video and rare kinds of images are
// not always recognised, so unknown binary data is accepted for them.
func (f family) accepts(found *mimetype.MIME) bool {
	if found.Is(Unknown) {
		return !f.strict
	}
	for m := found; m != nil; m = m.Parent() {
		if kind, _, _ := strings.Cut(m.String(), ";"); f.has(kind) {
			return true
		}
	}
	return f.name == "an audio or video file" && found.Is("application/ogg")
}

// Disposition builds the Content-Disposition header of a download according to RFC 6266: an ASCII name for old
// clients, and the percent-encoded original name.
func Disposition(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%`, r) {
			return '_'
		}
		return r
	}, name)
	encoded := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	return `attachment; filename="` + plain + `"; filename*=UTF-8''` + encoded
}
