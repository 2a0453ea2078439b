package content_test

import (
	"strings"
	"testing"

	"taskmarket/market"
	"taskmarket/server/content"
)

const (
	png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
	jpg = "\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01"
	pdf = "%PDF-1.7\n"
	zip = "PK\x03\x04\x14\x00\x00\x00\x08\x00"
	elf = "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3e\x00"
	svg = `<svg xmlns="http://www.w3.org/2000/svg"/>`
)

const refused = "refused"

func TestTypeOf(t *testing.T) {
	padding := strings.Repeat(" ", content.HeadSize)
	exe := "MZ" + strings.Repeat("\x00", 58) + "\x40\x00\x00\x00PE\x00\x00"
	for _, test := range []struct{ name, declared, content, want string }{
		{"photo.png", "image/png", png, "image/png"},
		{"photo.png", "image/jpeg", png, "image/jpeg"}, // users do not distinguish these
		{"photo", content.Unknown, jpg, content.Unknown},
		{"logo.svg", "image/svg+xml", svg, "image/svg+xml"},
		{"plan.pdf", "application/pdf", pdf, "application/pdf"},
		{"work.zip", "application/zip", zip, "application/zip"},
		{"report.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", zip, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"notes.txt", "text/plain", "Dear agent, <b>done</b>", "text/plain"},
		{"notes.md", "text/markdown", "# Done", "text/markdown"},
		{"prices.csv", "text/csv", "a,b\n1,2\n", "text/csv"},
		{"data.json", "application/json", `{"a":1}`, "application/json"},
		{"empty.txt", "text/plain", "", "text/plain"},
		{"song.mp3", "audio/mpeg", "\xff\xfb\x90\x64\x00", "audio/mpeg"},
		{"clip.mp4", "video/mp4", "\x00\x01\x02\x03unknown", "video/mp4"},
		{"photo.heic", "image/heic", "\x00\x01\x02\x03unknown", "image/heic"},
		{"page.html", "text/html", "<!doctype html><p>Done</p>", "text/html"}, // the work may be a web page
		{"run.sh", "text/x-shellscript", "#!/bin/sh\nexit\n", "text/x-shellscript"},

		{"photo.png", "image/png", "not a picture", "text/plain"},
		{"photo", "image/png", zip, "application/zip"},
		{"plan.pdf", "application/pdf", jpg, "image/jpeg"},
		{"work.zip", "application/zip", pdf, "application/pdf"},
		{"song.mp3", "audio/mpeg", pdf, "application/pdf"},
		{"notes.txt", "text/plain", elf, "application/x-executable"},

		{"photo.png", "image/png", "<!doctype html><script>alert(1)</script>", refused},
		{"photo.png", content.Unknown, "<!doctype html><script>alert(1)</script>", refused},
		{"photo", "image/png", elf, refused},
		{"photo.PNG. .", "image/png", exe, refused},
		{"photo.png", "image/png", padding + "<script>alert(1)</script>", refused},
		{"invoice.pdf", content.Unknown, "<!--" + padding + "--><svg onload='alert(1)'/>", refused},
		{"invoice", "application/pdf", padding + "#!/bin/sh", refused},
		{"song.mp3", content.Unknown, padding + "<html>", refused},
		{"photo.png", "image/png", svg, refused},
		{"photo.heic", "image/heic", svg, refused},
		{"invoice.pdf", "application/pdf", exe, refused},
		{"song.mp3", "audio/mpeg", "#!/bin/sh\nrm -rf ~\n", refused},
	} {
		head := test.content[:min(len(test.content), content.HeadSize)]
		got, err := content.TypeOf(test.name, test.declared, []byte(head))
		if market.KindOf(err) == market.KindInvalid {
			got, err = refused, nil
		}
		if got != test.want || err != nil {
			t.Errorf("TypeOf(%q, %q, %.20q) = %q, %v, want %q", test.name, test.declared, test.content, got, err, test.want)
		}
	}
}
