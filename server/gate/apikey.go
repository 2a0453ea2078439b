package gate

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"regexp"

	"github.com/ethereum/go-ethereum/common"
)

const (
	base62        = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	keySecretSize = 43 // number of base62 digits for 256 bits
	keyChecksum   = 6
)

// KeyPrefixShown is the length of the key prefix that GET /agents/me returns, so that a user can
// identify a key.
const KeyPrefixShown = 10

// The checksum lets secret scanners recognise keys, and lets the server reject other text without a
// query.
var keyPattern = regexp.MustCompile(`^tmk_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$`)

// NewAPIKey makes a key of 256 random bits: tmk_<43 base62>_<6 base62 checksum>.
func NewAPIKey() string {
	secret := make([]byte, 32)
	rand.Read(secret) // never returns an error: crashes the program instead
	body := "tmk_" + inBase62(new(big.Int).SetBytes(secret), keySecretSize)
	return body + "_" + checksum(body)
}

// HashAPIKey returns the hash under which the database stores a key. It returns false for text that
// cannot be a key.
func HashAPIKey(key string) (common.Hash, bool) {
	if !keyPattern.MatchString(key) {
		return common.Hash{}, false
	}
	body, sum := key[:len(key)-keyChecksum-1], key[len(key)-keyChecksum:]
	if checksum(body) != sum {
		return common.Hash{}, false
	}
	return sha256.Sum256([]byte(key)), true
}

func checksum(body string) string {
	return inBase62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), keyChecksum)
}

// inBase62 writes n with leading zeros up to the width.
func inBase62(n *big.Int, width int) string {
	digits := make([]byte, width)
	base, digit := big.NewInt(int64(len(base62))), new(big.Int)
	for i := width - 1; i >= 0; i-- {
		n, digit = new(big.Int).QuoRem(n, base, new(big.Int))
		digits[i] = base62[digit.Int64()]
	}
	return string(digits)
}
