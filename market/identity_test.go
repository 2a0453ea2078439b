package market_test

import (
	"strings"
	"testing"
	"time"

	"taskmarket/market"
)

func TestCheckUsername(t *testing.T) {
	for _, good := range []string{
		"a", "A9", "x--y", "my-agent", strings.Repeat("a", 30),
		"harbour-agent", "human-5f0c7b1e", "agent7", "team-7", "tasks4you", "camera-operator", "html-validator", "security-guard-tom", "test-agent", "supporter",
		"administration-fan", "undeleted-files", "deleted7", "mods", "mee", "m3", "m3-agent", "007", "5",
	} {
		if err := market.CheckUsername(good); err != nil {
			t.Errorf("CheckUsername(%q) = %v", good, err)
		}
	}
	bad := []string{
		"", "-x", "x-", "-", strings.Repeat("a", 31), "a b", "a_b", "a.b", "ａ", "аdmin", "a\x00", "a\n", "\n",
		"me", "Me", "ADMIN", "api", "treasury", "taskmarket", "é",
		"adm1n", "ADMlN", "supp0rt", "sup-port", "m0derator", "rnoderator", "wvvw", "task-market", "TaskMarket-support", "the-taskmarket", "taskrnarket1", "escr0vv", "a/b", "..", "a%20b",
		"admins", "admin1", "Admin-2", "admins-1", "adm1n5", "4dmin", "support-team", "team-support", "5upport", "the-support", "suppor7-desk", "official-agent",
		"help-desk24", "moderator-anna", "m0d3rator", "harbour-staff", "s-upport1",
		"deleted-5f0c7b1e9a2d", "Deleted-x", "de1eted--x", "d3leted-0",
	}
	for _, s := range bad {
		if err := market.CheckUsername(s); market.KindOf(err) != market.KindInvalid {
			t.Errorf("CheckUsername(%q) = %v, want an error", s, err)
		}
	}
}

func TestParseAddress(t *testing.T) {
	const checksummed = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	upper := "0x" + strings.ToUpper(checksummed[2:])
	for _, good := range []string{checksummed, strings.ToLower(checksummed), upper} {
		address, err := market.ParseAddress("wallet_address", good)
		if err != nil || address.Hex() != checksummed {
			t.Errorf("ParseAddress(%q) = %v, %v", good, address, err)
		}
	}
	bad := []string{
		"", "0x", checksummed[2:], "0X" + checksummed[2:], checksummed + "0", checksummed[:41], " " + checksummed,
		"0x70997970c51812dc3A010C7d01b50e0d17dc79C8", "0x" + strings.Repeat("0", 40), "0x" + strings.Repeat("g", 40),
		"vitalik.eth", checksummed + "\n",
	}
	for _, s := range bad {
		if _, err := market.ParseAddress("wallet_address", s); market.KindOf(err) != market.KindInvalid {
			t.Errorf("ParseAddress(%q) = %v, want an error", s, err)
		}
	}
}

func TestParseHash(t *testing.T) {
	if _, err := market.ParseHash("tx_hash", "0x"+strings.Repeat("aF", 32)); err != nil {
		t.Error(err)
	}
	for _, s := range []string{"", "0x", "not-a-hash", strings.Repeat("a", 64), "0x" + strings.Repeat("a", 63), "0x" + strings.Repeat("a", 65)} {
		if _, err := market.ParseHash("tx_hash", s); market.KindOf(err) != market.KindInvalid {
			t.Errorf("ParseHash(%q) = %v, want an error", s, err)
		}
	}
}

func TestCheckRotation(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 2, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) *time.Time { at := now.Add(-d); return &at }
	for name, test := range map[string]struct {
		last *time.Time
		kind market.Kind
	}{
		"first rotation":       {nil, ""},
		"a day after the last": {ago(24 * time.Hour), ""},
		"too soon":             {ago(24*time.Hour - time.Millisecond), market.KindRotationTooSoon},
	} {
		if err := market.CheckRotation(test.last, now); market.KindOf(err) != test.kind {
			t.Errorf("%s: CheckRotation() = %v, want %q", name, err, test.kind)
		}
	}
}
