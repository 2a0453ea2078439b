package origin_test

import (
	"strings"
	"testing"

	"taskmarket/origin"
)

func TestParseReturnsTheSpellingOfBrowsers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"https://market.example":                 "https://market.example",
		"https://market.example/":                "https://market.example",
		"https://market.example:443":             "https://market.example",
		"https://market.example:0443/":           "https://market.example",
		"https://market.example:":                "https://market.example",
		"http://market.example:80":               "http://market.example",
		"https://market.example:80":              "https://market.example:80",
		"http://market.example:443":              "http://market.example:443",
		"HTTPS://Market.EXAMPLE":                 "https://market.example",
		"https://market.example.":                "https://market.example",
		"https://market.example.:8443":           "https://market.example:8443",
		"https://Märkt.example":                  "https://xn--mrkt-loa.example",
		"https://M%C3%A4rkt.example":             "https://xn--mrkt-loa.example",
		"https://xn--mrkt-loa.example":           "https://xn--mrkt-loa.example",
		"https://faß.example":                    "https://xn--fa-hia.example",
		"https://ｍａｒｋｅｔ。example":                 "https://market.example",
		"https://市場.example":                     "https://xn--rlsx8k.example",
		"https://task_market.internal":           "https://task_market.internal",
		"http://LOCALHOST:8080":                  "http://localhost:8080",
		"http://127.0.0.1:8080":                  "http://127.0.0.1:8080",
		"http://[0:0:0:0:0:0:0:1]:8080":          "http://[::1]:8080",
		"https://[2001:0DB8:0000:0000:0001::01]": "https://[2001:db8::1:0:0:1]",
		"https://[2001:db8::1:0:0:1]:443":        "https://[2001:db8::1:0:0:1]",
		"http://[::FFFF:127.0.0.1]":              "http://[::ffff:7f00:1]",
		"https://market.example/api/v1/":         "https://market.example/api/v1",
		"https://market.example:443/a%2Fb":       "https://market.example/a%2Fb",
	} {
		got, err := origin.Parse(text)
		if err != nil || got.String() != want {
			t.Errorf("Parse(%q) = %v, %v, want %s", text, got, err, want)
			continue
		}
		again, err := origin.Parse(got.String())
		if err != nil || again.String() != want {
			t.Errorf("Parse(%q) = %v, %v, want the same", want, again, err)
		}
	}
}

func TestParseRejectsOtherURLs(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "market.example", "//market.example", "https:market.example", "https://", "https:///x", "ftp://market.example", "ws://market.example", "javascript:alert(1)",
		"https://user@market.example", "https://user:hunter2@market.example", "https://@market.example", "https://market.example?x=1", "https://market.example?", "https://market.example#x", "https://market.example/#",
		" https://market.example", "https://market.example ", "https://mar ket.example", "https://market.example:0", "https://market.example:65536", "https://market.example:x", "https://market.example:-1",
		"https://.market.example", "https://market..example", "https://.", "https://market.example..", "https://" + strings.Repeat("a", 64) + ".example", "https://" + strings.Repeat("a.", 130) + "example",
		"https://127.1", "https://0x7f.0.0.1", "https://127.0.0.01", "https://2130706433", "https://1.2.3.4.5", "https://256.0.0.1",
		"https://[::1", "https://[fe80::1%25eth0]", "https://[::1]x", "https://[v1.x]", "https://::1", "https://mar\u200bket.example/\x00", "https://market.example\\@evil.example", "https://a,b.example", "https://a'b.example", "https://xn--a.example\x7f",
	} {
		if got, err := origin.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %s, want an error", text, got)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Parse(%q) = %v, which contains the password", text, err)
		}
	}
	if got, err := origin.ParseOrigin("https://market.example/api/v1"); err == nil {
		t.Errorf("ParseOrigin() of a URL with a path = %s", got)
	}
}
