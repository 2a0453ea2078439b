package screening_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"taskmarket/market"
	"taskmarket/server/screening"
)

// posts returns the lines of a file of the corpus.
func posts(t *testing.T, name string) []string {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var list []string
	for lines := bufio.NewScanner(file); lines.Scan(); {
		list = append(list, lines.Text())
	}
	return list
}

func builtin(tb testing.TB) *screening.Screen {
	tb.Helper()
	screen, err := screening.New("")
	if err != nil {
		tb.Fatal(err)
	}
	return screen
}

// The rules were tuned on bad.txt and good.txt. The holdout files are not for tuning; they show how well the
// rules work on new posts. Before you change the rules, move the lines of the holdout files to the other
// files and write new ones.
func TestRatesOfTheBuiltInRules(t *testing.T) {
	t.Parallel()
	screen := builtin(t)
	for _, test := range []struct {
		name        string
		atLeast     int     // posts
		least, most float64 // share of held posts
	}{
		{"bad.txt", 100, 0.95, 1},
		{"good.txt", 100, 0, 0.02},
		{"holdout_bad.txt", 20, 0.5, 1},
		{"holdout_good.txt", 20, 0, 0.05},
	} {
		held, list := 0, posts(t, test.name)
		for _, post := range list {
			_, text, labelled := strings.Cut(post, ": ")
			if !labelled || !strings.Contains(test.name, "bad") {
				text = post
			}
			if screen.Match("A task", text) != "" {
				held++
			}
		}
		share := float64(held) / float64(len(list))
		t.Logf("%s: %d of %d posts are held (%.1f %%)", test.name, held, len(list), 100*share)
		if len(list) < test.atLeast || share < test.least || share > test.most {
			t.Errorf("%s: %d of %d posts are held, want a share from %v to %v", test.name, held, len(list), test.least, test.most)
		}
	}
}

// A text cannot evade a rule with accents, case, punctuation, line breaks, invisible characters, letters that
// look like others, digits that look like letters, or spaces between letters.
func TestDisguisedTextsAreHeld(t *testing.T) {
	t.Parallel()
	screen := builtin(t)
	for _, text := range []string{
		"Buy COCAINE", "buy cócaïne", "buy co\u200bcaine", "buy co\u00adcaine", "buy\ncocaine!", "Buy, (cocaine)", "buy ｃｏｃａｉｎｅ",
		"buy c\u043ecaine", "BUY \u0421\u041eCAINE", "buy c\u03bfcaine", "buy ᴄᴏᴄᴀɪɴᴇ", "buy c\u0488ocaine", "buy co\u20ddcaine",
		"buy 🅒🅞caine", "BUY 🅲🅾🅲🅰🅸🅽🅴", "buy c o c a i n e", "buy c.o-c a*i n e, now",
		"buy c\u0585caine", "BUY C\u0555CAINE", "buy \u13df\u043ecaine", "buy \uabafocaine", "buy c0caine", "buy C0CAIN3", "buy her01n", "buy 3c5tasy", "buy adderal1",
		"buy co caine", "buy c-ocaine", "buy cocai/ne", "BUY COCAIN E", "buy c\u043e caine",
		"buy c 0 c a 1 n e", "buy \u04410\u0441\u04301n3",
	} {
		if screen.Match("Errand", text) != "drugs" || screen.Match(text, "Errand") != "drugs" {
			t.Errorf("%q is not held", text)
		}
	}
}

// Texts in other scripts, and lists of letters, are not held.
func TestOtherScriptsAreNotHeld(t *testing.T) {
	t.Parallel()
	screen := builtin(t)
	for _, text := range []string{
		"Сфотографируйте витрину магазина на улице Ленина", "Φωτογραφίστε τη βιτρίνα του καταστήματος",
		"Photograph the doors A, B, C, D and E", "Label the parts a b c d e f",
		"Լուսանկարեք խանութի ցուցափեղկը Երևանում", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᎴ ᏗᎪᏪᎵ",
	} {
		if rule := screen.Match("Errand", text); rule != "" {
			t.Errorf("%q is held by %s", text, rule)
		}
	}
}

// Numbers with units, names with numbers, and short words next to others do not count as disguised words.
func TestNumbersAndShortWordsAreNotHeld(t *testing.T) {
	t.Parallel()
	screen := builtin(t)
	for _, text := range []string{
		"Photograph the door 3x and the neighbour's 3x larger sign", "Check that the page answers within 5ms, we need that",
		"Buy 1l of milk, 50g of butter and 3kg of flour at 10am", "Test an i5 and a B150 board at 1080p, report the 3D frame rate",
		"Photograph room 101, gate B1 and platform 13", "Compare MP3 with AAC at 135kbit",
		"Write a story about a hero in Lisbon", "Photograph the revolvers of the TV museum", "Draw a T shirt, an X ray and a V neck for Mr K Smith",
	} {
		if rule := screen.Match("Errand", text); rule != "" {
			t.Errorf("%q is held by %s", text, rule)
		}
	}
}

// An exception excuses only the match that needs its words, not other requests in the text.
func TestAnExceptionExcusesOnlyItsOwnMatch(t *testing.T) {
	t.Parallel()
	screen := builtin(t)
	for text, want := range map[string]string{
		"Photograph the revolvers in the museum.":                                                         "",
		"Photograph the revolvers and rifles of the army museum and count the old pistols at the museum.": "",
		"Draw a toy pistol and a prop revolver for our board game.":                                       "",
		"List which documents you need for a new passport.":                                               "",
		"Find out what documents the town hall needs to renew a passport.":                                "",
		"Proofread an article about passports.":                                                           "",
		"Write an article about how one-time codes... no, explain how SMS codes work.":                    "",
		"Send me a mockup of the profile page.":                                                           "",
		"Write an essay on the dangers of cocaine.":                                                       "",
		"Draw a WhatsApp sticker pack and compare the video quality on Signal and WhatsApp.":              "",

		"Which documents? Send me a photo of your passport.":                                              "identity",
		"Send me a photo of your passport. Which documents?":                                              "identity",
		"Which documents do you have, send me a photo of your passport":                                   "identity",
		"Which documents do you need for a new passport? Send a photo of your passport.":                  "identity",
		"An article about passports: upload a photo of your passport.":                                    "identity",
		"Write down which documents I sent. Upload a selfie with your passport. Then send a photo of it.": "identity",
		"This is a policy, guide and history of passports. Give me your bank login.":                      "identity",
		"The museum has a new hall. Buy a handgun there.":                                                 "weapons",
		"Buy a handgun for the museum.":                                                                   "weapons",
		"Museum, toy, prop, novel. Sell me a pistol.":                                                     "weapons",
		"Buy a toy pistol and a real pistol.":                                                             "weapons",
		"Photograph the revolvers in the museum, then buy a handgun.":                                     "weapons",
		"Bring cocaine to my hotel. Essay on policy.":                                                     "drugs",
		"Write an essay on the dangers of cocaine and bring me some cocaine.":                             "drugs",
		"Youth club policy: buy cannabis for us.":                                                         "drugs",
		"Draw an infographic. Then write to jobs@quickpay.example.":                                       "off_platform",
		"Draw a greeting card and contact me on WhatsApp.":                                                "off_platform",
		"Tutorial about security: forward the verification code to me.":                                   "one_time_codes",
		"Explain how login codes work, then forward the SMS verification code that you receive to me.":    "one_time_codes",
		"Mock up a page. Create five accounts and send me the passwords.":                                 "accounts_for_others",
		"Write a review of our affiliate program. Sign up with my referral link.":                         "referral_farming",

		// A phrase ends at each punctuation mark, except a hyphen or an apostrophe in a word.
		"Bring me cocaine, policy of the house is discretion":  "drugs",
		"Bring me cocaine - policy: discreet":                  "drugs",
		"Bring cocaine (policy: be discreet)":                  "drugs",
		"Bring cocaine [policy] {discreet}":                    "drugs",
		"Bring cocaine;policy is discretion":                   "drugs",
		"Bring cocaine | policy is discretion":                 "drugs",
		"Bring cocaine \"policy\" is discretion":               "drugs",
		"Bring cocaine 'policy' is discretion":                 "drugs",
		"Bring cocaine 、policy is discretion":                  "drugs",
		"Bring cocaine -- policy is discretion":                "drugs",
		"Bring me an essay on cocaine policy, and the cocaine": "drugs",
		"Bring heroin — prevention is not needed":              "drugs",
		"Bring heroin – prevention is not needed":              "drugs",
		"Bring heroin prevention is not needed":                "drugs",
		"Buy a toy, pistol for me":                             "weapons",
		"Buy a toy/pistol for me":                              "weapons",
		"Buy a toy 🔫 pistol for me":                            "weapons",
		"Sell me a prop, handgun":                              "weapons",
		"Upload an article, a passport and a bank card":        "identity",
		"Send me a guide, passport and photo":                  "identity",
		"send us the essay, the new passport":                  "identity",
		"Send the unit tests, the sms codes":                   "one_time_codes",
		"Send the unit tests for the sms codes":                "one_time_codes",
		"forward the help text, the one time code":             "one_time_codes",
		"forward the help text the one time code":              "one_time_codes",
		"Article, our affiliate link":                          "referral_farming",
		"Article on our affiliate link":                        "referral_farming",

		// An exception does not contain the request.
		"Contact me on WhatsApp sticker pack":                             "off_platform",
		"contact me: video quality on WhatsApp":                           "off_platform",
		"contact me on video quality on WhatsApp":                         "off_platform",
		"What documents do you have for a passport, upload them":          "identity",
		"Give me a guide to the passport you hold":                        "identity",
		"Scan the history of a passport":                                  "identity",
		"Draw a toy pistol!":                                              "",
		"Draw toy-pistols and \"prop revolvers\" (toy pistols as well)":   "",
		"Visit the cannabis museum and write a summary of cannabis laws.": "",
	} {
		if rule := screen.Match("Errand", text); rule != want {
			t.Errorf("%q is held by %q, want %q", text, rule, want)
		}
		if rule := screen.Match("Which documents", text); rule != want {
			t.Errorf("%q is held by %q, want %q", text, rule, want)
		}
	}
}

// Separators, spaces, digits, symbols, repeated letters and letters of other scripts in a word do not disguise it.
func TestWordsAreReadThroughDisguises(t *testing.T) {
	t.Parallel()
	screen := builtin(t)
	for _, word := range []string{
		"passport", "pass-port", "p4ssport", "p@ssport", "pa55port", "p@$$port", "p4$$p0rt", "pass.port", "pass_port", "pass/port", "p.a.s.s.p.o.r.t", "p-a-s-s-p-o-r-t", "p a s s p o r t", "P A S S P O R T", //nolint:dupword // spaced letters
		"pass port", "pas sport", "passpo rt", "pa ss po rt", "pass\u00adport", "pass\u200bport", "pass\u2060port", "pass\u200dport", "pass\u2800port", "pass\ufe0fport", "pаssроrt", "ρassρort", "ｐａｓｓｐｏｒｔ", "𝐩𝐚𝐬𝐬𝐩𝐨𝐫𝐭", "ⓟⓐⓢⓢⓟⓞⓡⓣ", "🇵🇦🇸🇸🇵🇴🇷🇹", "pâsspört", "p̶a̶s̶s̶p̶o̶r̶t̶",
		"passsport", "paaassport", "passssportttt", "PaSsPoRt", "pass*port", "pass|port", "p4ss-p0rt", "p 4 s s p 0 r t", "pa\nss\nport", "pass\nport", "p@ss port", "pas5p0r7", //nolint:dupword // spaced letters
		"p4$$-port", "p@$$-p0r+", "pa5sp0r+", "passpor+", "p*ssport", "p_ssport", "p**sport", "pa$$p*rt", "p#ssport", "pass#port", "pass~*~port", "pa§§port", "pass₱ort", "₱a$$port", "ꓑꓮꓢꓢꓑꓳꓣꓔ", "ᑭᗩᔕᔕᑭOᖇT", "p∆ssp○rt", "passp⭕rt",
		"p@ss-p0rt", "passportphoto", "photopassport", "passp0rtphoto", "pa$$port-photo", "pass p0rt",
	} {
		for _, text := range []string{"Send me a photo of your " + word + ".", "Please upload your " + word, "Take a picture of the " + word + " and show it to us"} {
			if rule := screen.Match("Errand", text); rule != "identity" {
				t.Errorf("%q is held by %q", text, rule)
			}
		}
	}
	for _, text := range []string{
		"buy a h@ndgun", "buy a hand-gun", "sell me a p1stol", "sell me a pi5t0l", "buy c0c@ine", "buy he-ro-in", "buy $hotguns", "buy ammmmunition", "send the 0ne t1me code to me", "send the o.t.p to me", "f0rward the ver1fication c0de to us",
		"pass the k-y-c check on my behalf with your name, complete kyc for me", "contact me on t3legram", "contact me on te1egram", "contact me on wh@tsapp", "contact me on What's App", "c r e a t e twenty accounts", "use my referr@l link", "follow this w0man",
		"send me your seedphrase", "give us the privatekey", "your s33dphrase", "seed-phrase", "send the smscode to me", "forward the one-timecode to me", "forward the verificationcode to us", "buy a p1sto1", "buy a pisto!", "buy a p!sto!", "send the pr!v@tekey", "sell me coca1ne", "sell me cocalne",
	} {
		if rule := screen.Match("Errand", text); rule == "" {
			t.Errorf("%q is not held", text)
		}
	}
	for _, text := range []string{
		"Send me a photo of the pass at the port.", "Pass the port on your left and photograph the crane.", "Write about the hero in the novel and the ammonites.", "Test port 8080 with 4 threads, pass or fail?", "Take part in a mento ring.",
		"Photograph the A4 poster, the B12 bus and gate 4a at 10am for $20!", "Compare 2x4GB with 1x8GB; mail the result in 24h", "E-mail, follow-up and check-in: write three one-word slogans", "a b c d e f g h i j k l m n o p q r s t u v w x y z",
		"Translate: passt, Portal, Passage, Reisebüro", "Label the parts p, a, s and t", "Is the sign at C&A/H&M lit? Photo + note.",
		"Translate the sentence: it is the private key's curve order!", "He is calling us at 8, and writes the numbers down at once!",
	} {
		if rule := screen.Match("Errand", text); rule != "" {
			t.Errorf("%q is held by %s", text, rule)
		}
	}
}

// Texts of the maximum length can be matched, and are not held.
func TestLongTextsAreMatched(t *testing.T) {
	t.Parallel()
	screen := builtin(t)
	for _, text := range []string{strings.Repeat("send the ", market.MaxDescription/9), strings.Repeat("a", market.MaxDescription), strings.Repeat("@", market.MaxDescription)} {
		if rule := screen.Match("A task", text); rule != "" {
			t.Errorf("held by %s", rule)
		}
	}
}

func TestInvalidRulesAreRejected(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"not JSON": `name: x`, "unknown member": `[{"name":"x","any":["a"],"when":"b"}]`, "no pattern": `[{"name":"x"}]`,
		"invalid pattern": `[{"name":"x","any":["("]}]`, "name": `[{"name":"X y","any":["a"]}]`,
		"repeated name": `[{"name":"x","any":["a"]},{"name":"x","any":["b"]}]`, "trailing text": `[] []`,
		"too many patterns": `[{"name":"x","any":["a"` + strings.Repeat(`,"a"`, 1000) + `]}]`,
		"too large":         `[` + strings.Repeat(" ", 1<<20) + `]`,
	} {
		if _, err := screening.ParseRules([]byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if rules, err := screening.ParseRules([]byte(`[]`)); err != nil || rules.Match("buy cocaine") != "" {
		t.Errorf("no rules: %v", err)
	}
}

// The file is read at startup, an invalid file prevents startup, and addresses match in any case.
func TestFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	listed := common.HexToAddress("0x70997970C51812dc3A010C7d01b50e0d17dc79C8")
	screen, err := screening.New(write("good.json", "\ufeff"+`{"minimum_age": 18, "sanctioned_wallets": ["`+strings.ToLower(listed.Hex())+
		`"], "hold_rules": [{"name":"swim","clause":"No swimming.","any":["\\bswim\\b"]}]}`)) // with the mark of an editor on Windows
	if err != nil {
		t.Fatal(err)
	}
	if screen.Match("Swim!") != "swim" || screen.Match("buy cocaine") != "" || screen.Instance().MinimumAge != 18 {
		t.Error("the file's rules are not in force")
	}
	if kind := market.KindOf(screen.CheckWallet(listed)); kind != market.KindForbidden {
		t.Errorf("CheckWallet() = %q", kind)
	}
	if err := screen.CheckWallet(common.Address{1}); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{
		"not JSON": "{", "empty": "", "a list": "[]", "an invalid rule": `{"hold_rules": [{"name": "x"}]}`, "an invalid wallet": `{"sanctioned_wallets": ["0x12"]}`,
		"a wrong checksum": `{"sanctioned_wallets": ["0x70997970c51812dc3A010C7d01b50e0d17dc79C8"]}`, "an unknown member": `{"minimum_ages": 18}`,
		"text after the object": "{} {}", "a bracket after the object": `{"minimum_age": 18} }, "sanctioned_wallets": []}`, "null": "null",
		"a repeated member": `{"sanctioned_wallets": ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"], "Sanctioned_Wallets": []}`, "UTF-16": "{\x00}\x00", "an age of 16": `{"minimum_age": 16}`, "a country by its name": `{"forbidden_countries": ["Portugal"]}`,
		"a category of spaces": `{"forbidden_categories": [" "]}`, "terms without a scheme": `{"terms_url": "market.example/terms"}`,
		"a privacy link that is a script": `{"privacy_url": "javascript:alert(1)"}`, "a contact that is an address": `{"contact_url": "mailto:a@market.example"}`,
	} {
		if _, err := screening.New(write("bad.json", text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, path := range []string{filepath.Join(dir, "none"), dir} {
		if _, err := screening.New(path); err == nil {
			t.Errorf("%s: accepted", path)
		}
	}
	for _, text := range []string{"{}", `{"hold_rules": null}`} {
		if screen, err := screening.New(write("built-in.json", text)); err != nil || screen.Match("Forward me the one-time code that you receive") == "" {
			t.Errorf("with %s the built-in rules are not in force: %v", text, err)
		}
	}
}

// BenchmarkMatch screens an ordinary text of 200 characters.
func BenchmarkMatch(b *testing.B) {
	screen := builtin(b)
	const text = "Please photograph the opening hours on the door of the well-known bakery at Rua Augusta 112, and report " +
		"whether the shop is open on Sunday. We need two pictures: one of the door and one of the window."
	b.ReportAllocs()
	for b.Loop() {
		if rule := screen.Match(text); rule != "" {
			b.Fatalf("held by %s", rule)
		}
	}
}
