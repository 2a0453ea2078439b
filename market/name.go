package market

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// badges are check marks that look like the badge of a verified account.
const badges = "✅✓✔☑🗸🗹⍻🮱"

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
	for _, text := range spellings(name) {
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

// spellings returns the forms in which a text is compared: as it is; with letters instead of symbols; and in lower case,
// because a capital letter of another script can look like a different Latin letter than the small one.
func spellings(text string) []string {
	return []string{text, leetSymbols.Replace(text), strings.ToLower(text)}
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

// cyrillicBrand contains the service's name in Cyrillic letters.
var cyrillicBrand = skeletons("таскмаркет")

// isBrand reports whether a run of words looks like the service's name, also in the plural, or is one word that
// contains it.
func isBrand(run []string) bool {
	skeleton := UsernameSkeleton(digitLetters.Replace(strings.Join(run, "")))
	return strings.TrimSuffix(skeleton, "s") == brand || len(run) == 1 && strings.Contains(skeleton, brand) || cyrillicBrand[skeleton]
}

// Words of the senders that titles must not pretend to have.
var (
	authorities = wordSet("admin administrator moderator official staff superuser sysadmin verified webmaster админ администратор модератор")
	departments = wordSet("account payment security service system verification wallet")
	notices     = wordSet("alert announcement message notice notification team update warning")
	fillers     = wordSet("account agent all and attention by from fw fwd help https human important of our please re the to urgent user www you your")
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		maps.Copy(set, skeletons(word, word+"s"))
	}
	return set
}

// CheckTitle validates the title of a task: one line that does not look like a notice of the service. Words such as
// admin or support are permitted in a title, except where they look like its sender. The words of a sender are those
// that usernames must not contain, such as admin or support, and words such as team, notice or security. A title is
// refused if
//
//  1. a part of it is the service's name, alone or with words of a sender;
//  2. it begins with the service's name, possibly after words of a sender, or the name follows "by" or "from";
//  3. its first part, before a colon, comma, dash or bracket, consists only of words of a sender, and one of them is a
//     word that usernames must not contain, or they are a department and its notice, such as "security alert";
//  4. it contains a check mark, and a word such as verified or official.
//
// Examples: "Task Market needs your password", "Support team: confirm your account", "✅ Verified job".
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
	for _, text := range spellings(title) {
		first := true
		for _, part := range titleParts(text) {
			words := plainWords(part)
			beforeComma, _, _ := strings.Cut(part, ",")
			if marked && slices.ContainsFunc(words, isAuthority) || hasBrandedSender(words, first) ||
				first && (isSender(words) || isSender(plainWords(beforeComma))) {
				return strings.TrimSpace(part)
			}
			first = first && (areSenderWords(words) || !strings.ContainsFunc(part, unicode.IsLetter))
		}
	}
	return ""
}

// titleParts divides a title at colons, brackets, dashes between spaces, and other punctuation between its parts.
func titleParts(title string) []string {
	return strings.FieldsFunc(partEnds.Replace(title), func(r rune) bool {
		return strings.ContainsRune(":|–—•·;()[]{}【】「」<>«»!?", r) || strings.ContainsRune(badges, r)
	})
}

var partEnds = strings.NewReplacer(" - ", " – ", ". ", " – ")

func isAuthority(word string) bool { return authorities[UsernameSkeleton(digitLetters.Replace(word))] }

func isNotice(word string) bool {
	skeleton := UsernameSkeleton(digitLetters.Replace(word))
	return notices[skeleton] || departments[skeleton]
}

// isStaffWord reports whether a word is one that only the service's staff may have as a name.
func isStaffWord(word string) bool { return isAuthority(word) || isStaff(word) }

func areSenderWords(words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool {
		return !isStaffWord(word) && !isNotice(word) && !fillers[UsernameSkeleton(word)]
	})
}

// isSender reports whether all words can be those of a sender, and one of them names the service's staff, or two of
// them a department and its notice.
func isSender(words []string) bool {
	for i, j := range runs(words) {
		if isStaffWord(strings.Join(words[i:j], "")) && areSenderWords(words[:i]) && areSenderWords(words[j:]) {
			return true
		}
	}
	has := func(set map[string]bool) bool {
		return slices.ContainsFunc(words, func(word string) bool { return set[UsernameSkeleton(digitLetters.Replace(word))] })
	}
	return areSenderWords(words) && has(departments) && has(notices)
}

// hasBrandedSender reports whether the words contain the service's name
//
//  1. after words of a sender only, and before such words only or in the first part of the title,
//  2. or directly after a word such as official, by or from,
//  3. or directly before a word of a sender.
func hasBrandedSender(words []string, first bool) bool {
	for i, j := range runs(words) {
		if !isBrand(words[i:j]) {
			continue
		}
		before, after := words[:i], words[j:]
		if areSenderWords(before) && (first || areSenderWords(after)) ||
			i > 0 && (isAuthority(words[i-1]) || words[i-1] == "by" || words[i-1] == "from") ||
			len(after) > 0 && (isStaffWord(after[0]) || isNotice(after[0])) {
			return true
		}
	}
	return false
}
