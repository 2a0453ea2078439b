package market

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
)

// PrincipalKind distinguishes agents from humans.
type PrincipalKind string

// The two kinds of users. A validator is a human whose wallet is on a panel.
const (
	PrincipalAgent PrincipalKind = "agent"
	PrincipalHuman PrincipalKind = "human"
)

// Principal is the user who makes a request.
type Principal struct {
	Kind     PrincipalKind
	ID       uuid.UUID
	Username string
	Wallet   common.Address
	Verified bool
	State    AccountState // empty means AccountGood
}

// Agent is a registered agent. The database contains only a hash of the agent's API key.
type Agent struct {
	ID               uuid.UUID
	Username         string
	UsernameChanged  bool // whether the agent has made its only permitted username change
	Name             string
	Bio              string
	Wallet           common.Address
	APIKeyPrefix     string // the first characters of the key, with which the owner can identify it
	KeyRotatedAt     *time.Time
	VerificationCode string
	CodeAccount      string // the only account that the code can link, as formatted by Account; empty if the code can link any account
	CodeExpiresAt    time.Time
	Link             *SocialLink // the linked social account; nil until verified
	LinkedCode       string      // the code that created Link; empty if that code was limited to one account
	CreatedAt        time.Time
}

// SocialLink is a social network account that a user has verified.
type SocialLink struct {
	Network    string // host name of the network, such as mastodon.social
	Handle     string
	AccountID  string // id that the network assigned to the account
	PostID     string
	PostedAt   time.Time // time at which the post's text was last changed, according to the network
	VerifiedAt time.Time
}

// Account formats a handle and a network as in verification codes, for example
// harbour@mastodon.social.
func Account(handle, network string) string {
	return strings.ToLower(strings.TrimPrefix(handle, "@") + "@" + network)
}

// Human is a user who has signed in with a wallet.
type Human struct {
	ID               uuid.UUID
	Username         string
	Name             string
	Bio              string
	Wallet           common.Address
	Skills           []string
	Location         string
	Remote           bool
	HourlyRate       *big.Int // wei per hour; nil if not set
	Available        bool
	State            AccountState // empty means AccountGood
	AdultAt          *time.Time   // when the human declared an age of 18 or more; nil if not declared
	VerificationCode string
	CodeExpiresAt    time.Time
	Link             *SocialLink
	CreatedAt        time.Time
}

var addressPattern = regexp.MustCompile(`^0x[0-9a-fA-F]{40}$`)

// ParseAddress parses an Ethereum address, which is 0x followed by 40 hexadecimal digits. A
// mixed-case address must have a valid EIP-55 checksum. The zero address is rejected. Errors are
// KindInvalid and name the request field.
func ParseAddress(field, s string) (common.Address, error) {
	if !addressPattern.MatchString(s) {
		return common.Address{}, Invalid(field, "pattern", "must be an address: 0x and 40 hexadecimal digits")
	}
	address := common.HexToAddress(s)
	digits := s[2:]
	mixed := digits != strings.ToLower(digits) && digits != strings.ToUpper(digits)
	if mixed && address.Hex() != s {
		return common.Address{}, Invalid(field, "checksum", "the address has an invalid checksum (EIP-55); copy it again")
	}
	if address == (common.Address{}) {
		return common.Address{}, Invalid(field, "zero", "must not be the zero address")
	}
	return address, nil
}

var hashPattern = regexp.MustCompile(`^0x[0-9a-fA-F]{64}$`)

// ParseHash parses a 32-byte hash, which is 0x followed by 64 hexadecimal digits. Errors are
// KindInvalid and name the request field.
func ParseHash(field, s string) (common.Hash, error) {
	if !hashPattern.MatchString(s) {
		return common.Hash{}, Invalid(field, "pattern", "must be a hash: 0x and 64 hexadecimal digits")
	}
	return common.HexToHash(s), nil
}

// CheckRotation returns KindRotationTooSoon, with RetryAfter, if less than KeyRotationInterval has
// passed since the last rotation. last is nil if the key was never rotated.
func CheckRotation(last *time.Time, now time.Time) error {
	if last == nil {
		return nil
	}
	wait := last.Add(KeyRotationInterval).Sub(now)
	if wait <= 0 {
		return nil
	}
	return &Error{
		Kind: KindRotationTooSoon, RetryAfter: wait,
		Message: fmt.Sprintf("the API key was replaced at %s; a key can be replaced at most once every %s",
			FormatTime(*last), FormatDuration(KeyRotationInterval)),
		Hint: "use the key that you received then, or try again in " + FormatDuration(roundUp(wait)),
	}
}

// Browser is a coarse name of a browser.
type Browser string

// The browsers.
const (
	BrowserChrome  Browser = "chrome" // also other browsers that are built on Chromium
	BrowserEdge    Browser = "edge"
	BrowserFirefox Browser = "firefox"
	BrowserOpera   Browser = "opera"
	BrowserSafari  Browser = "safari"
	BrowserOther   Browser = "other"
)

// System is a coarse name of an operating system.
type System string

// The systems.
const (
	SystemAndroid System = "android"
	SystemIOS     System = "ios"
	SystemLinux   System = "linux"
	SystemMacOS   System = "macos"
	SystemWindows System = "windows"
	SystemOther   System = "other"
)

// Device is the browser and operating system of a session, without versions, so that it cannot identify a
// person.
type Device struct {
	Browser Browser
	System  System
}
