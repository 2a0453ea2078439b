package e2e_test

import (
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
)

// misspelled returns texts that almost match the schema, by its format.
func (s *scene) misspelled(schema *openapi3.Schema) []string {
	for len(schema.AllOf) == 1 {
		schema = schema.AllOf[0].Value
	}
	if schema.Items != nil {
		return s.misspelled(schema.Items.Value)
	}
	form := func(name string) bool { return schema.Pattern == s.document.Components.Schemas[name].Value.Pattern }
	switch {
	case schema.Format == "date-time":
		return misspelledTimes()
	case schema.Pattern == "":
		return nil
	case form("Wei"):
		return misspelledAmounts
	case form("Uuid"):
		return misspelledIDs(s.ids["id"])
	case form("Address"):
		return misspelledHex(strings.Repeat("ab", 20), strings.Repeat("aB", 20))
	case form("Hash"):
		return misspelledHex(strings.Repeat("ab", 32))
	case form("HttpUrl"):
		return misspelledAddresses
	case form("Signature"):
		return misspelledHex(strings.Repeat("ab", 65) + "c")
	}
	return nil
}

// misspelledAmounts are texts that a lenient number parser accepts as an amount.
var misspelledAmounts = []string{
	"-1", "+1", "-0", "+0", "00", "01", "0001", "007", "1e18", "1E18", "1e+18", "1e0", "0x", "0x10", "0X10", "0b1", "0o7", "010_0", "1_000", "1,000", "1.000",
	"1 000", "1'000", "١٢", "１２", "१२", "۱۲", "Ⅻ", "²", "½", "一", " 1", "1 ", "\t1", "1\n", "\n1", "1\r\n", "\u00a01", "1\u2003", "1\u200b", "\ufeff1", "\u202e1",
	"1.0", "1.", ".1", "0.1", "1/1", "1%", "$1", "1n", "1L", "(1)", "--1", "−1", "﹢1", "NaN", "Inf", "Infinity", "∞", "one", "0x1p4",
	"115792089237316195423570985008687907853269984665640564039457584007913129639936", // 2^256
	strings.Repeat("9", 78), "1" + strings.Repeat("0", 78), strings.Repeat("9", 20_000),
}

// misspelledIDs returns texts that a lenient UUID parser accepts as the id.
func misspelledIDs(id string) []string {
	letter := strings.IndexAny(id, "abcdef")
	return []string{
		"0", "-1", "null", "undefined", "a", "*", strings.ToUpper(id), id[:letter] + strings.ToUpper(id[letter:letter+1]) + id[letter+1:], "{" + id + "}",
		"x" + id + "y", "(" + id + ")", "[" + id + "]", `"` + id + `"`, "'" + id + "'", " " + id, id + " ", id + "\n", "\t" + id, id + "\x7f", "\ufeff" + id, id + "\u200b",
		id + "0", "0" + id, id[1:], id[:35], id + id, strings.ReplaceAll(id, "-", ""), strings.ReplaceAll(id, "-", "_"), strings.ReplaceAll(id, "-", "\u2010"),
		id[:9] + "-" + id[10:], "urn:uuid:" + id, "URN:UUID:" + id, "0x" + id[2:], id[:35] + "g", id[:35] + "１", id[:35] + "%", "00000000-0000-0000-0000-00000000000g",
	}
}

// misspelledHex returns texts that a lenient parser of hexadecimals accepts for the digits after
// 0x, which are bytes in an accepted spelling; for addresses, also one whose capitals are not a
// checksum.
func misspelledHex(digits string, unchecked ...string) []string {
	n := len(digits)
	digits = digits[:n-n%2]
	all := []string{
		"", "0", "0x", "0X" + digits, digits, "x" + digits, "0x0x" + digits[4:], "0x" + digits[1:], "0x" + digits[2:] + "0", "0x" + digits + "0", "0x0" + digits,
		" 0x" + digits, "0x" + digits + " ", "0x " + digits, "0x" + digits + "\n", "\t0x" + digits, "\ufeff0x" + digits, "0x" + digits + "\u200b",
		"0x" + digits[1:] + "g", "0x" + digits[1:] + "G", "0x" + digits[3:] + "...", "0x" + digits[1:] + "１", "0x" + digits[1:] + "а", "0x" + digits[1:] + "-",
		"0x" + digits[1:] + ".", "0x+" + digits[1:], "0x-" + digits[1:], "-0x" + digits, "+0x" + digits, "0x_" + digits[1:], "0b" + digits, "0x" + digits[:n/2] + "\n" + digits[n/2+1:],
		"ethereum:0x" + digits, "0x" + digits + "@1", "vitalik.eth", "null", "undefined", strings.Repeat("0x", n/2), "0x" + strings.Repeat("ab", 10_000),
	}
	for _, digits := range unchecked {
		all = append(all, "0x"+digits, "0x"+strings.ToUpper(digits[:1])+strings.ToLower(digits[1:]), "0X"+strings.ToUpper(digits))
	}
	return all
}

// misspelledAddresses are URLs that a browser may still open.
var misspelledAddresses = []string{
	"", "https", "https://", "https:///a/b/c", "//a.example/x", "a.example/x/y", "HTTPS//a.example", "https:a.example/", "https//a.example", "ftp://a.example/", "file:///etc/passwd",
	"javascript:alert(1)//https://a", "data:text/html,https://a.example/", "view-source:https://a.example/", " https://a.example/", "https://a.example/ ", "https://a.example/\n",
	"https://a.example/a b", "https://a .example/", "https://a.example/\t", "\thttps://a.example/", "https://a.example/\u0086", "https://a.example/\x7f", "https://a.example/\u00a0",
	"https://a.example/\u200b", "https://a.example/\u202e", "https://\u00fe\u00a1u/", "https://аpple.example/", "https://a.example/é", "https://a。example/", "https://a.example/🌊",
	"https://a.example/%", "https://a.example/%zz", "https://a.example/%1", "https://a.example/<b>", `https://a.example/"x"`, `https://a.example/\x`, `https:\\a.example\x`,
	"https://a.example/{x}", "https://a.example/`x`", "https://a.example/^", "https://a.example/a|b", "https://a.example/#a#b", "https://a.example/[x]", "https://a.example:port/",
	"https://[::1", "https://::1]/abc", "https://[::::]/abc", "https://[zz]/abcde", "https://[127.0.0.1]/", "https://?a.example", "https://#a.example", "https://@/abcdefg",
}

// misspelledTimes returns times of tomorrow that are not RFC 3339, and of a day that does not
// exist.
func misspelledTimes() []string {
	day := time.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
	all := []string{
		"", "now", "tomorrow", "yesterday", "infinity", "-infinity", "epoch", "0", "1893456000", "1893456000000", "NaN", day, strings.ReplaceAll(day, "-", "") + "T000000Z",
		"2027-02-29T00:00:00Z", "2027-02-30T00:00:00Z", "2027-13-01T00:00:00Z", "2027-00-01T00:00:00Z", "2027-01-00T00:00:00Z", "2027-01-32T00:00:00Z",
		"10000-01-01T00:00:00Z", "+2027-01-01T00:00:00Z", "27-01-01T00:00:00Z", "2027-1-1T00:00:00Z", "2027/01/01T00:00:00Z", "2027-W01-1T00:00:00Z", "2027-001T00:00:00Z",
		"Fri, 01 Jan 2027 00:00:00 GMT", "01/01/2027", "２０２７-01-01T00:00:00Z",
	}
	for _, rest := range []string{
		"T00:00:00", "T00:00Z", "T00Z", "T24:00:00Z", "T00:60:00Z", "T00:00:61Z", "T0:00:00Z", "T00:00:00,5Z", "T00:00:00.Z", "T00:00:00+24:00", "T00:00:00+00:60", "T00:00:00+0000",
		"T00:00:00+00", "T00:00:00 Z", "T00:00:00ZZ", "T00:00:00Zx", "T00:00:00Z\n", "T00:00:00 UTC", "T00:00:00Europe/Berlin", "T00:00:00Z[UTC]", "_00:00:00Z", "TT00:00:00Z", "T-1:00:00Z",
	} {
		all = append(all, day+rest)
	}
	return append(all, " "+day+"T00:00:00Z", day+"T00:00:00−01:00")
}
