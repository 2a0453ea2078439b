package market_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"taskmarket/market"
)

// flag returns a flag emoji with tags.
func flag(name string) string {
	var b strings.Builder
	b.WriteString("🏴")
	for _, r := range name {
		b.WriteRune(0xe0000 + r)
	}
	return b.String() + "\U000e007f"
}

// ordinary are texts in living languages, and emoji, with the invisible characters that their spelling needs.
var ordinary = map[string]string{
	"Persian":              "می\u200cخواهم کتاب\u200cهای تازه را ببینم؛ نمی\u200cدانم کجاست.",
	"Persian with Latin":   "فایل PDF\u200cها و ۵\u200cتا عکس «نمونه»\u200cای",
	"Persian abbreviation": "۱۳۹۹ ه\u200d.ش",
	"Arabic with tatweel":  "هـ\u200d ـ\u200cم",
	"Urdu":                 "علم\u200cالاعداد اور یہ ہے",
	"Kurdish":              "کوردستان\u200cی ئێمە",
	"Hindi":                "क्\u200dष और क्\u200cष, श्\u200dरीमान जी",
	"Marathi":              "दुसऱ्\u200dया दिवशी",
	"Nepali":               "गर्\u200dयो",
	"Bengali":              "উদ্\u200cঘাটন, র\u200d্যাব এবং ত্\u200d",
	"Malayalam":            "അവന്\u200d പറഞ്ഞു: എന്\u200dറെ വീട്\u200c എവിടെ",
	"Kannada":              "ಬ್ಯಾಂಕ್\u200c ಶಾಖೆ, ರ\u200d್ಯಾಂಕ್",
	"Telugu":               "బ్యాంక్\u200c లో",
	"Tamil":                "க்\u200cஷ",
	"Gujarati":             "ક્\u200dષ",
	"Gurmukhi":             "ਕ੍\u200dਯ",
	"Oriya":                "କ୍\u200cଷ",
	"Sinhala":              "ශ්\u200dරී ලංකාව, ක්\u200dෂේත්\u200dරය",
	"Khmer":                "ខ្ញុំ\u200bចង់\u200bថតរូប\u200bផ្ទះ\u200b។ \u200bសូម\u200bអរគុណ\u200b",
	"Khmer with digits":    "ថ្ងៃ\u200b2024\u200bនេះ",
	"Thai":                 "ถ่าย\u200bรูป\u200bร้านค้า\u2060ใกล้\u200bสถานี",
	"Lao":                  "ສະ\u200bບາຍ\u200bດີ",
	"Burmese":              "မြန်မာ\u200bနိုင်ငံ\u200bသည်၊ က\ufe00",
	"Javanese":             "ꦲꦏ꧀\u200bꦱꦫ",
	"Mongolian":            "ᠮᠣᠩᠭᠣᠯ ᠬᠡᠯᠡ ᠭ\u180bᠠᠵᠠᠷ ᠠᠮᠠᠷ\u180eᠠ ᠭ\u180d\u180eᠠ ᠠ\u180f",
	"Japanese":             "葛\U000e0100飾区と渡邉\U000e0102さん、神\ufe00社\u3001\ufe01",
	"Chinese":              "辻\U000e0101，\ufe00",
	"Hebrew":               "יְרוּשָׁלַ\u034fִם",
	"Arabic":               "السعر ١٢٠ ريال، الهاتف 555-1234",
	"number signs":         "\u0600 \u06dd",
	"family":               "👩\u200d👩\u200d👧\u200d👦",
	"emoji":                "❤\ufe0f\u200d🔥 ❤\ufe0f 🏳\ufe0f\u200d🌈 👍🏽 🏴\u200d☠\ufe0f 👨🏽\u200d❤\ufe0f\u200d💋\u200d👨🏻 👁\ufe0f\u200d🗨\ufe0f 🙂\u200d↔\ufe0f ✂\ufe0e ‼\ufe0f ℹ\ufe0f 〰\ufe0f ©\ufe0f",
	"keycaps":              "1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3",
	"flags":                flag("gbeng") + flag("gbsct") + " " + flag("gbwls") + "🇵🇹",
	"Braille":              "⠓⠑⠇⠇⠕\u2800⠺⠕⠗⠇⠙",
	"mathematics":          "A ∩\ufe00 B = 0\ufe00",
	"lines":                "Two lines.\r\n\tIndented. Größe 3 m² — “noon” 港 e\u0301 a\u00a0b\u3000c",
	"nothing":              "",
}

func TestCheckHidden(t *testing.T) {
	t.Parallel()
	for language, text := range ordinary {
		if err := market.CheckHidden("content", text); err != nil {
			t.Errorf("%s: CheckHidden(%q) = %v", language, text, err)
		}
		if got := market.WithoutHidden(market.Clean(text)); got != text {
			t.Errorf("%s: %q is changed to %q", language, text, got)
		}
	}
	for _, bad := range []string{
		"\x00", "\x1b[2J", "a\x7f", "\u0085", "pay\u200bpal", "a\u200db", "a\u200cb", "пей\u200cпал", "日\u200b本", "\u200d👧", "👩\u200d", "👩\u200d\u200d👧", "👩\u200db",
		"a\ufe0f", "é\ufe0f", "1\ufe0f", "a\ufe0f\u20e3", "❤\ufe0f\ufe0f", "❤\ufe0f\ufe0e", "a\U000e0100", "漢\U000e0100\U000e0101", "漢\ufe0f", "あ\U000e0100", "👍\U000e0100", "漢\u180b", "ᠠ\u180b\u180c",
		"\U000e0041\U000e0042", "🏴\U000e0067\U000e007f", "🏴\U000e0067\U000e0062", "👍\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
		flag("hello"), flag("gbengignore"), flag("gbeng") + "\U000e0041", flag("gbsct") + "\U000e007f", "🏳" + strings.TrimPrefix(flag("gbeng"), "🏴"),
		"\u202dabc", "\u202egpj.exe", "\u2028", "\u2029", "\u2060", "\u180e", "\u3164", "\u115f", "\u1160", "\uffa0", "가\u3164나", "\u034f", "a\u034f\u0301", "\ufff9", "a\u2064", "a\u2062b", "a\u206a",
		"ខ\u200b\u200b", "ខ\u200b\u2060", "می\u200c\u200cخ", "م\u200d\u200c", "\u200cم\u200c", " \u200cم\u200c \u200cم", "ខ\u17b4", "\u2800", "\u2800\u2800", "⠓\u2800\u2800⠑", "a\u2800b", "\U0001d173", "\U000e0001", "\U000e0fff",
		"❤" + strings.Repeat("\ufe0f", 100), "漢" + strings.Repeat("\U000e0100", 100), strings.Repeat("x", 1000) + "\u200b",
	} {
		err := market.CheckHidden("content", bad)
		if market.KindOf(err) != market.KindInvalid || !strings.Contains(err.Error(), "content: ") {
			t.Errorf("CheckHidden(%+q) = %v, want an error of the field", bad, err)
		}
		if err := market.CheckHidden("content", market.WithoutHidden(bad)); err != nil {
			t.Errorf("WithoutHidden(%+q) = %+q: %v", bad, market.WithoutHidden(bad), err)
		}
	}
	const want = "content: contains the invisible character U+202E at position 4"
	if err := market.CheckHidden("content", "❤\ufe0f!\u202e"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %s", err, want)
	}
}

// A text has at most one hidden character for each displayed character, so a run of them cannot carry a message.
func TestHiddenCharactersAreBounded(t *testing.T) {
	t.Parallel()
	hidden := []rune{'\u200b', '\u200c', '\u200d', '\u2060', '\u180b', '\u180e', '\ufe00', '\ufe0f', '\U000e0100', '\u034f'}
	displayed := []rune{'م', 'ខ', 'ᠠ', '漢', 'क', 'ก', 'א', ' ', 'x'}
	for _, a := range displayed {
		for _, b := range displayed {
			for _, h := range hidden {
				for _, i := range hidden {
					text := strings.Repeat(string([]rune{h, a, i, b}), 20)
					count := len(slices.DeleteFunc([]rune(market.WithoutHidden(text)), func(r rune) bool { return !market.Hidden(r) }))
					letters := len(slices.DeleteFunc([]rune(text), func(r rune) bool { return market.Hidden(r) || r == ' ' }))
					if count > letters {
						t.Errorf("%+q: %d hidden characters for %d letters", text[:8], count, letters)
					}
				}
			}
		}
	}
}

// Format characters that arrive with pasted text are removed, not refused.
func TestClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"המחיר \u200e120 ש\"ח\u200f":        "המחיר 120 ש\"ח",
		"الهاتف \u202a+962 6 555\u202c":     "الهاتف +962 6 555",
		"\u2068Ada\u2069 and \u2066x\u2069": "Ada and x",
		"pho\u00adto\u00adgraph":            "photograph",
		"\ufefftext\u061c":                  "text",
		"می\u200c\u00adخواهم":               "می\u200cخواهم",
		"\u00ad":                            "",
		"pay\u200bpal\u202e":                "pay\u200bpal\u202e",
		"plain":                             "plain",
	} {
		if got := market.Clean(text); got != want {
			t.Errorf("Clean(%+q) = %+q, want %+q", text, got, want)
		}
	}
	for _, r := range market.Dropped {
		if !market.Hidden(r) || market.CheckHidden("x", "م"+string(r)+"م") == nil {
			t.Errorf("%U is accepted without Clean", r)
		}
	}
	if utf8.RuneCountInString(market.Dropped) != 12 {
		t.Errorf("%d characters are dropped", utf8.RuneCountInString(market.Dropped))
	}
}
