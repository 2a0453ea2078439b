package market

import (
	"regexp"
	"slices"
	"strings"
	"time"
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
