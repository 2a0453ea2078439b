package market

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Rules for released usernames. An agent's former username stays reserved until the account is erased.
const (
	// UsernameReserve is the time for which only the former user can take a username again. The
	// database's function keep_usernames contains the same time.
	UsernameReserve = 90 * 24 * time.Hour
	// MaxReservedUsernames limits the usernames that are reserved for a human, so that one account cannot
	// hold many names.
	MaxReservedUsernames = 3
)

var usernamePattern = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,28}[A-Za-z0-9])?$`)

// reserved contains the skeletons, without hyphens, of usernames that could be mistaken for the service,
// its staff or a path.
var reserved = skeletons(
	"about", "abuse", "account", "accounts", "activity", "admin", "administrator", "agent", "agents", "anonymous",
	"api", "appeals", "arbiter", "available", "billing", "compliance", "console", "contact", "deleted", "dispute", "disputes",
	"earnings", "escrow", "everyone", "finance", "help", "helpdesk", "hostmaster", "human", "humans", "info", "keeper",
	"legal", "login", "logout", "me", "messages", "moderation", "moderator", "moderators", "null", "official", "operator",
	"operators", "payment", "payments", "payout", "payouts", "postmaster", "privacy", "profile", "refund", "refunds", "register",
	"rescue", "root", "security", "self", "service", "settings", "signin", "signup", "staff", "status", "superuser", "support",
	"sysadmin", "system", "tasks", "team", "terms", "treasury", "undefined", "validate", "validator", "validators", "verification",
	"verified", "verify", "wallet", "webmaster", "welcome", "work", "www",
)

// staff contains the skeletons of the reserved names that are also forbidden as a part of a username between
// hyphens, in the plural, and with a number: support-team, admins, admin1. The other reserved names may be parts
// of ordinary usernames, such as harbour-agent.
var staff = skeletons(
	"admin", "administrator", "billing", "compliance", "escrow", "helpdesk", "hostmaster", "moderation", "moderator", "official",
	"postmaster", "staff", "superuser", "support", "sysadmin", "treasury", "webmaster",
	"админ", "администратор", "модератор",
)

// erasedPrefix is the prefix of the usernames of erased accounts.
const erasedPrefix = "deleted-"

// brand is the skeleton of the service's name, which no username may contain.
var brand = UsernameSkeleton("taskmarket")

func skeletons(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[UsernameSkeleton(strings.Join(plainWords(name), ""))] = true
	}
	return set
}

var (
	lookalikes = strings.NewReplacer("0", "o", "1", "l", "i", "l", "m", "rn", "w", "vv")
	hyphens    = regexp.MustCompile(`-+`)
)

// UsernameSkeleton returns a text that is equal for usernames that look alike: it ignores case, the
// differences between 0 and o, between 1, i and l (a capital i looks like l), between m and rn, between w
// and vv, and repeated hyphens. Example: Paypa1, paypal and PAYPAI have the skeleton paypal. Usernames
// have only ASCII letters, so no letters of other scripts need to be compared. The database's function
// username_skeleton returns the same.
func UsernameSkeleton(username string) string {
	return hyphens.ReplaceAllString(lookalikes.Replace(strings.ToLower(username)), "-")
}

// CheckUsername returns KindInvalid if s does not have the form of a username, or if s is reserved or
// looks like a reserved name. It does not check whether the name is taken.
func CheckUsername(s string) error {
	if !usernamePattern.MatchString(s) {
		return Invalid("username", "pattern",
			"must be 1 to %d letters, digits or hyphens, and not start or end with a hyphen", MaxUsername)
	}
	if isReserved(strings.ToLower(s)) {
		return Invalid("username", "reserved", "%q is reserved or looks like a reserved name; choose another", s)
	}
	return nil
}

// digitLetters replaces digits that look like letters, beyond those that UsernameSkeleton replaces. It is applied
// only to staff names, the service's name and the prefix of erased accounts. Applied to all reserved names, it would reject ordinary
// usernames such as m3, which looks like the reserved name "me".
var digitLetters = strings.NewReplacer("3", "e", "4", "a", "5", "s", "7", "t")

// isReserved reports whether a username in lower case looks like a reserved one: because it begins with
// erasedPrefix, contains brand, is in reserved if its hyphens are removed, or has a part between hyphens
// that looks like a name in staff. Examples: sup-p0rt, support-team.
func isReserved(username string) bool {
	if strings.HasPrefix(UsernameSkeleton(digitLetters.Replace(username)), erasedPrefix) {
		return true
	}
	parts := strings.FieldsFunc(username, func(r rune) bool { return r == '-' })
	joined := strings.Join(parts, "")
	skeleton := UsernameSkeleton(joined)
	return strings.Contains(UsernameSkeleton(digitLetters.Replace(joined)), brand) || reserved[skeleton] || isStaff(joined) || slices.ContainsFunc(parts, isStaff)
}

// isStaff reports whether a part of a username looks like a name in staff, also in the plural or with a number.
func isStaff(part string) bool {
	for _, text := range []string{part, strings.TrimRight(part, "0123456789")} {
		skeleton := UsernameSkeleton(digitLetters.Replace(text))
		if staff[skeleton] || staff[strings.TrimSuffix(skeleton, "s")] {
			return true
		}
	}
	return false
}

// confusables contains letters and symbols that look like a Latin letter but that Unicode normalization does not
// decompose to it, each followed by that Latin letter.
const confusables = "" +
	// Cyrillic
	"АAВBЕEЅSІIЈJКKМMНHОOРPСCТTУYХXԌGԚQԜWҮYДAИNЯRПNЭEЗEЄEШWЦUЬBҚKҒFҢHҰYӨO" +
	"аaеeѕsіiјjкkмmоoрpсcтtуyхxһhԁdԛqԝwӏlѵvвbнhгrґrдgпnэeзeєeшwцuьbқkғfңhүyұyөo" +
	// Greek
	"ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXΛAΞEΣEΠN" +
	"αaεeηnιiκkνvοoρpτtυuχxωwσoπn" +
	// Armenian
	"ՍUՕOՏSԼLսuօoցgհhոnզqյj" +
	// Cherokee
	"ᎠDᎡRᎢTᎥiᎪAᎫJᎬEᎳWᎷMᎻHᎽYᏀGᏃZᏂhᏏbᏒRᏔWᏚSᏙVᏞLᏟCᏢPᏦKᏧdᏴBᏆI" +
	// Lisu
	"ꓮAꓐBꓚCꓓDꓰEꓝFꓖGꓧHꓲIꓙJꓗKꓡLꓟMꓠNꓳOꓑPꓣRꓢSꓔTꓴUꓦVꓪWꓫXꓬYꓜZ" +
	// Coptic
	"ⲀAⲂBⲆDⲈEⲎHⲒIⲔKⲘMⲚNⲞOⲢPⲤCⲦTⲨYⲬX" +
	"ⲁaⲃbⲇdⲉeⲏhⲓiⲕkⲙmⲛnⲟoⲣpⲥcⲧtⲩyⲭx" +
	// Canadian syllabics
	"ᗩAᗷBᑕCᗪDᗴEᖴFᕼHᒍJᒪLᗰMᑎNᗝOᑭPᑫQᖇRᔕSᑌUᐯVᗯW᙭XᘔZ" +
	// small capitals
	"ᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz" +
	// Latin letters with strokes and hooks, turned letters
	"ȺAɃBƁBƇCĐDƊDɆEƎEƏEƐEƑFƓGĦHƗIɈJƘKŁLⱠLŊNƝNØOƟOƤPⱣPⱤRɌRŦTƬTɄUƲVƳYɎYƵZ" +
	"ɑaɐaʌaⱥaƀbɓbƈcɕcđdɖdɗdɇeɛeəeǝeɘeƒfɡgɠgħhɦhıiɨiɩiɉjɟjʝjƙkłlⱡlƚlɫlɭlɱmɯmŋnɲnɳnƞnøoɵoɔoƥpɋqʠqɍrɹrɽrɾrʂsȿsŧtƭtʈtʇtʉuʋvʎyƴyɏyƶzʐzʑzȥz" +
	// currencies and other symbols
	"₳A฿B₿B₵C₡C₣F₲G₭K₤L£L₥M₦N₱P₽P₹R₴S₮T₸T₩W¥Y¢c₫d§s∆A🆎A○O◯O⭕O℮e∂d©c®r"

// latin maps each of the confusables to its Latin letter.
var latin = func() map[rune]rune {
	letters, pairs := []rune(confusables), map[rune]rune{}
	for i := 0; i < len(letters); i += 2 {
		pairs[letters[i]] = letters[i+1]
	}
	return pairs
}()

// enclosed contains the first letter, A, of each alphabet of letters in circles or squares, or of flags, that
// Unicode normalization does not decompose. Each alphabet is contiguous from A to Z.
var enclosed = []rune{'🅐', '🅰', '🇦'}

// Undisguise replaces a letter that looks like a Latin one. It returns -1 for a mark around letters.
func Undisguise(r rune) rune {
	if r <= unicode.MaxASCII {
		return r
	}
	if unicode.Is(unicode.Me, r) {
		return -1
	}
	for _, first := range enclosed {
		if first <= r && r < first+26 {
			return 'A' + r - first
		}
	}
	if unicode.Is(unicode.Cherokee, r) {
		r = unicode.ToUpper(r) // its small letters look like small capitals
	}
	if letter, found := latin[r]; found {
		return letter
	}
	return r
}

// leetSymbols replaces symbols that stand for letters.
var leetSymbols = strings.NewReplacer("@", "a", "$", "s", "€", "e", "!", "i", "|", "l", "¡", "i")

// plainWords returns the words of a text as they look: in lower case, without accents, hidden characters and
// apostrophes, and with Latin letters instead of those that look like them. A word also ends before a capital
// letter that follows a small letter.
func plainWords(text string) []string {
	var out strings.Builder
	small := false
	for _, r := range norm.NFKD.String(text) {
		if Hidden(r) || unicode.IsMark(r) || strings.ContainsRune("'’ʼ`", r) {
			continue
		}
		r = Undisguise(r)
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) || small && unicode.IsUpper(r) {
			out.WriteByte(' ')
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out.WriteRune(unicode.ToLower(r))
		}
		small = unicode.IsLower(r)
	}
	return strings.Fields(out.String())
}
