package market

import (
	"regexp"
	"strings"
	"time"
)

// Rules for released usernames. Agents keep their former username forever.
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

// brand is the skeleton of the service's name, which no username may contain.
var brand = UsernameSkeleton("taskmarket")

func skeletons(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[UsernameSkeleton(name)] = true
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
	skeleton := strings.ReplaceAll(UsernameSkeleton(s), "-", "")
	if reserved[skeleton] || strings.Contains(skeleton, brand) {
		return Invalid("username", "reserved", "%q is reserved or looks like a reserved name; choose another", s)
	}
	return nil
}
