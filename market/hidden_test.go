package market_test

import (
	"strings"
	"testing"

	"taskmarket/market"
)

func TestCheckHidden(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"", "Two lines.\r\n\tIndented.", "Größe 3 m² — “noon” 港", "e\u0301", "❤\ufe0f", "❤\ufe0f\u200d🔥", "👩\u200d👧", "🏳\ufe0f\u200d🌈", "👍🏽",
		"1\ufe0f\u20e3", "می\u200cخواهم", "क्\u200dष", "\u0600 \u06dd", "a\u00a0b\u3000c", "✂\ufe0e",
	} {
		if err := market.CheckHidden("content", good); err != nil {
			t.Errorf("CheckHidden(%q) = %v", good, err)
		}
	}
	for _, bad := range []string{
		"\x00", "\x1b[2J", "a\x7f", "\u0085", "pay\u200bpal", "pay\u00adpal", "\ufeffmark", "a\u200db", "a\u200cb", "\u200d👧", "👩\u200d", "👩\u200d\u200d👧", "👩\u200db",
		"a\ufe0f", "1\ufe0f", "❤\ufe0f\ufe0f", "❤\ufe0f\ufe0e", "a\U000e0100", "漢\U000e0100", "\U000e0041\U000e0042", "🏴\U000e0067\U000e007f",
		"\u202egpj.exe", "\u2066x\u2069", "\u200e", "\u061c", "\u2028", "\u2029", "\u2060", "\u180e", "\u3164", "\u115f", "\uffa0", "\u034f", "\ufff9", "a\u2064",
		strings.Repeat("x", 1000) + "\u200b",
	} {
		err := market.CheckHidden("content", bad)
		if market.KindOf(err) != market.KindInvalid || !strings.Contains(err.Error(), "content: ") {
			t.Errorf("CheckHidden(%q) = %v, want an error of the field", bad, err)
		}
	}
	const want = "content: contains the invisible character U+202E at position 4"
	if err := market.CheckHidden("content", "❤\ufe0f!\u202e"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error = %v, want %s", err, want)
	}
}
