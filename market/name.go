package market

import (
	"iter"
	"slices"
	"strings"
	"unicode"
)

// badges are check marks that look like the badge of a verified account.
const badges = "✅✓✔☑🗸🗹"

// CheckName validates a displayed name: one line with a letter or a digit that does not look like the service, its
// staff or a verification badge. The rules of usernames apply to its words; letters of other scripts count as the
// Latin letters that they look like. The word "verified" and check marks are also forbidden. Examples of forbidden
// names: "Task Market Support", "Аdmin" with a Cyrillic letter, "✅ Ada", "Ada (verified)".
func CheckName(field, name string) error {
	if err := CheckLine(field, name); err != nil {
		return err
	}
	if !strings.ContainsFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return Invalid(field, "no_letter", "must contain a letter or a digit")
	}
	if word := reservedIn(name); word != "" {
		return Invalid(field, "reserved",
			"%q looks like the service, its staff or a verification badge, which names must not contain; choose another name", word)
	}
	return nil
}

// reservedIn returns the part of a name that CheckName forbids, or "".
func reservedIn(name string) string {
	if at := strings.IndexAny(name, badges); at >= 0 {
		return string([]rune(name[at:])[:1])
	}
	for _, text := range []string{name, leetSymbols.Replace(name)} {
		words := plainWords(text)
		if isReservedName(words, isASCII(name)) {
			return strings.Join(words, " ")
		}
		for i, j := range runs(words) {
			if joined := strings.Join(words[i:j], ""); isStaff(joined) || isAuthority(joined) || isBrand(words[i:j]) {
				return strings.Join(words[i:j], " ")
			}
		}
	}
	return ""
}

// isReservedName reports whether the words together look like a reserved name. Short words in other scripts can look
// like a reserved name by chance, so they are not compared. Example: the Greek name Άρι looks like API.
func isReservedName(words []string, ascii bool) bool {
	const minCompared = 4
	joined := strings.Join(words, "")
	return reserved[UsernameSkeleton(joined)] && (ascii || len(joined) >= minCompared) ||
		strings.HasPrefix(strings.Join(words, "-"), erasedPrefix)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
}

// runs yields the start and the end of each run of words that could together be one word that is divided, such as
// "ad min".
func runs(words []string) iter.Seq2[int, int] {
	const maxLength = 16 // in bytes; longer than administrators
	return func(yield func(int, int) bool) {
		for i := range words {
			for j, length := i+1, 0; j <= len(words); j++ {
				if length += len(words[j-1]); j > i+1 && length > maxLength {
					break
				}
				if !yield(i, j) {
					return
				}
			}
		}
	}
}

// isBrand reports whether a run of words looks like the service's name, also in the plural, or is one word that
// contains it.
func isBrand(run []string) bool {
	skeleton := UsernameSkeleton(digitLetters.Replace(strings.Join(run, "")))
	return strings.TrimSuffix(skeleton, "s") == brand || len(run) == 1 && strings.Contains(skeleton, brand)
}

// Words of the senders that titles must not pretend to have. A pretended sender consists only of these words.
var (
	authorities = wordSet("admin administrator moderator official staff superuser sysadmin verified webmaster")
	notices     = wordSet("alert announcement billing compliance escrow help helpdesk message moderation notice security service support system " +
		"team treasury update verification warning")
	fillers = wordSet("account agent all and attention by customer from human important of our please the to urgent user you your")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[UsernameSkeleton(word)], set[UsernameSkeleton(word+"s")] = true, true
	}
	return set
}

// CheckTitle validates the title of a task: one line that does not look like a notice of the service. Words such as
// admin or support are permitted in a title, except where they look like its sender. A title is refused if
//
//  1. a part of it is the service's name, alone or with words such as support, team, notice or security;
//  2. its first part, before a colon, a dash or a bracket, consists only of such words, and one of them is
//     admin, moderator, official, staff or verified;
//  3. it contains a check mark, and a word such as verified or official.
//
// Examples: "Task Market Support: confirm your account", "[Official notice] Sign in again", "✅ Verified job".
func CheckTitle(title string) error {
	if err := CheckLine("title", title); err != nil {
		return err
	}
	if part := pretendedSender(title); part != "" {
		return Invalid("title", "reserved",
			"%q looks like a notice of the service, its staff or a verification badge; say what there is to do instead", part)
	}
	return nil
}

// pretendedSender returns the part of a title that CheckTitle forbids, or "".
func pretendedSender(title string) string {
	marked := strings.ContainsAny(title, badges)
	for _, text := range []string{title, leetSymbols.Replace(title)} {
		first := true
		for _, part := range titleParts(text) {
			words := plainWords(part)
			if len(words) == 0 {
				continue
			}
			if marked && slices.ContainsFunc(words, isAuthority) || hasBrandedSender(words) ||
				first && isSender(words) {
				return strings.TrimSpace(part)
			}
			first = first && areSenderWords(words)
		}
	}
	return ""
}

// titleParts divides a title at colons, brackets, dashes between spaces, and other punctuation between its parts.
func titleParts(title string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(title, " - ", " – "), func(r rune) bool {
		return strings.ContainsRune(":|–—•·;()[]{}【】「」<>«»!?", r) || strings.ContainsRune(badges, r)
	})
}

func isAuthority(word string) bool { return authorities[UsernameSkeleton(digitLetters.Replace(word))] }

func isNotice(word string) bool { return notices[UsernameSkeleton(digitLetters.Replace(word))] }

func areSenderWords(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool {
		return !isAuthority(word) && !isNotice(word) && !fillers[UsernameSkeleton(word)]
	})
}

// isSender reports whether all words can be those of a sender with authority.
func isSender(words []string) bool {
	for i, j := range runs(words) {
		if isAuthority(strings.Join(words[i:j], "")) && areSenderWords(words[:i]) && areSenderWords(words[j:]) {
			return true
		}
	}
	return false
}

// hasBrandedSender reports whether the words contain the service's name and otherwise only words of a sender, or the
// service's name directly before such a word or after a word such as official.
func hasBrandedSender(words []string) bool {
	for i, j := range runs(words) {
		if isBrand(words[i:j]) && (areSenderWords(words[:i]) && areSenderWords(words[j:]) ||
			i > 0 && isAuthority(words[i-1]) || j < len(words) && (isAuthority(words[j]) || isNotice(words[j]))) {
			return true
		}
	}
	return false
}
