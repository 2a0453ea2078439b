package talk

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"

	"taskmarket/client"
)

func TestSafeName(t *testing.T) {
	id := uuid.MustParse("0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80")
	for name, want := range map[string]string{
		"harbour.jpg":                      "harbour.jpg",
		"../../etc/passwd":                 ".._.._etc_passwd",
		`..\..\boot.ini`:                   ".._.._boot.ini",
		"/absolute":                        "_absolute",
		".bashrc":                          ".bashrc",
		"--output=x":                       "--output_x",
		"CON":                              "CON",
		"a:stream":                         "a_stream",
		"trailing. . ":                     "trailing",
		"nul\x00l\n\x1b[31m":               "nul_l___31m",
		"photo\u202egpj.exe":               "photo_gpj.exe",
		"":                                 "",
		"...":                              "",
		strings.Repeat("x", 300) + ".jpeg": strings.Repeat("x", 95) + ".jpeg",
		"y." + strings.Repeat("z", 300):    "y." + strings.Repeat("z", 98),
		"größe.jpg":                        "gr__e.jpg",
	} {
		got := safeName(client.File{ID: id, OriginalFilename: name})
		if want = strings.TrimSuffix("3f1b6a2c4e80-"+want, "-"); got != want {
			t.Errorf("safeName(%q) = %q, want %q", name, got, want)
		}
		if filepath.Base(got) != got || !filepath.IsLocal(got) {
			t.Errorf("safeName(%q) = %q is outside the directory", name, got)
		}
	}
}
