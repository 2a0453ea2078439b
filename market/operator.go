package market

import (
	"regexp"
	"time"
)

// OperatorRole determines what a person may do in the operator's console.
type OperatorRole string

// The roles. An operator may do everything that a moderator may do.
const (
	RoleModerator OperatorRole = "moderator" // reads records and decides reports
	RoleOperator  OperatorRole = "operator"  // also resends and cancels the keeper's transactions, and ends users' sessions
)

// Includes reports whether the role permits what the other one permits.
func (r OperatorRole) Includes(other OperatorRole) bool {
	return r == RoleOperator || r == RoleModerator && other == RoleModerator
}

// ParseOperatorRole returns the role with the name, or KindInvalid.
func ParseOperatorRole(name string) (OperatorRole, error) {
	role := OperatorRole(name)
	if role != RoleModerator && role != RoleOperator {
		return "", Invalid("role", "enum", "must be %s or %s", RoleModerator, RoleOperator)
	}
	return role, nil
}

// MaxOperatorName is the maximum length of an operator's name.
const MaxOperatorName = 100

var operatorPattern = regexp.MustCompile(`^[A-Za-z0-9@._:+-]{1,100}$`)

// CheckOperatorName returns KindInvalid unless s can name an operator, for example an e-mail address.
func CheckOperatorName(s string) error {
	if !operatorPattern.MatchString(s) {
		return Invalid("operator", "pattern", "must be 1 to 100 characters: letters, digits and @._:+-")
	}
	return nil
}

// Limits of the console's credentials.
const (
	ConsoleLinkLifetime    = 10 * time.Minute
	ConsoleSessionLifetime = 8 * time.Hour
	ConsoleSessionIdle     = 30 * time.Minute
)

// Rate limits of attempts to sign in to the console with links that are not valid. They are not needed against
// guessing, because the tokens are long and random. A valid link is never limited.
const (
	ConsoleSignIns      = 10 // attempts of one network in a period
	ConsoleSignInPeriod = time.Minute
)

// Operator is a person who has signed in to the console.
type Operator struct {
	Name    string
	Role    OperatorRole
	ByProxy bool // whether each request must name the operator in a header of the identity proxy
}
