package gate

import (
	"crypto/rand"
	"crypto/sha256"
	"hash/crc32"
	"math/big"
	"strings"

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

const (
	keyMark   = "tmk_"
	keyBody   = len(keyMark) + keySecretSize // length of the mark and the secret
	keyLength = keyBody + 1 + keyChecksum    // length of a key
)

// NewAPIKey makes a key of 256 random bits: tmk_<43 base62>_<6 base62 checksum>.
func NewAPIKey() string {
	secret := make([]byte, 32)
	rand.Read(secret) // never returns an error; it crashes the program instead
	body := keyMark + inBase62(new(big.Int).SetBytes(secret), keySecretSize)
	return body + "_" + checksum(body)
}

// HashAPIKey returns the hash under which the database stores a key. It returns false for text that
// cannot be a key.
func HashAPIKey(key string) (common.Hash, bool) {
	if len(key) != keyLength || !strings.HasPrefix(key, keyMark) || key[keyBody] != '_' {
		return common.Hash{}, false
	}
	for _, letter := range []byte(key[len(keyMark):keyBody]) {
		if !isBase62(letter) {
			return common.Hash{}, false
		}
	}
	if checksum(key[:keyBody]) != key[keyBody+1:] {
		return common.Hash{}, false
	}
	return sha256.Sum256([]byte(key)), true
}

func isBase62(letter byte) bool {
	return '0' <= letter && letter <= '9' || 'A' <= letter && letter <= 'Z' || 'a' <= letter && letter <= 'z'
}

// checksum lets secret scanners recognize keys, and lets the server reject other text without a query.
func checksum(body string) string {
	var digits [keyChecksum]byte
	sum := crc32.ChecksumIEEE([]byte(body))
	for i := keyChecksum - 1; i >= 0; i-- {
		digits[i] = base62[sum%uint32(len(base62))]
		sum /= uint32(len(base62))
	}
	return string(digits[:])
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
