package pg

import (
	"database/sql/driver"
	"fmt"
	"math/big"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"
	"github.com/lib/pq"
)

// Wei is an amount in a column of the SQL domain wei. Nil represents NULL.
type Wei struct{ *big.Int }

// Scan implements sql.Scanner.
func (w *Wei) Scan(src any) error {
	var text string
	switch src := src.(type) {
	case nil:
		w.Int = nil
		return nil
	case []byte:
		if n, err := strconv.ParseInt(string(src), 10, 64); err == nil { // SetString takes several times as long
			w.Int = big.NewInt(n)
			return nil
		}
		text = string(src)
	case string:
		text = src
	default:
		return fmt.Errorf("scan %T into wei", src)
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return fmt.Errorf("scan %q into wei", text)
	}
	w.Int = n
	return nil
}

// Value implements driver.Valuer.
func (w Wei) Value() (driver.Value, error) {
	if w.Int == nil {
		return nil, nil
	}
	return w.String(), nil
}

// NullHash is a nullable hash. The zero hash represents NULL.
type NullHash struct{ common.Hash }

// Scan implements sql.Scanner.
func (h *NullHash) Scan(src any) error {
	if src == nil {
		h.Hash = common.Hash{}
		return nil
	}
	return h.Hash.Scan(src)
}

// Value implements driver.Valuer.
func (h NullHash) Value() (driver.Value, error) {
	if h.Hash == (common.Hash{}) {
		return nil, nil
	}
	return h.Hash.Value()
}

// Pointer returns nil for NULL.
func (h NullHash) Pointer() *common.Hash {
	if h.Hash == (common.Hash{}) {
		return nil
	}
	return &h.Hash
}

// NullAddress is a nullable address. The zero address represents NULL.
type NullAddress struct{ common.Address }

// Scan implements sql.Scanner.
func (a *NullAddress) Scan(src any) error {
	if src == nil {
		a.Address = common.Address{}
		return nil
	}
	return a.Address.Scan(src)
}

// Value implements driver.Valuer.
func (a NullAddress) Value() (driver.Value, error) {
	if a.Address == (common.Address{}) {
		return nil, nil
	}
	return a.Address.Value()
}

// NullTime is a nullable time in UTC. The zero time represents NULL.
type NullTime struct{ time.Time }

// Scan implements sql.Scanner.
func (t *NullTime) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		t.Time = time.Time{}
		return nil
	case time.Time:
		t.Time = src.UTC()
		return nil
	default:
		return fmt.Errorf("scan %T into an instant", src)
	}
}

// Value implements driver.Valuer.
func (t NullTime) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil
	}
	return t.UTC(), nil
}

// Pointer returns nil for NULL.
func (t NullTime) Pointer() *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t.Time
}

// NullTimeOf is the inverse of NullTime.Pointer.
func NullTimeOf(t *time.Time) NullTime {
	if t == nil {
		return NullTime{}
	}
	return NullTime{*t}
}

// NullUint is a nullable id or number from the contracts, which count from 1. Zero represents NULL.
type NullUint uint64

// Scan implements sql.Scanner.
func (n *NullUint) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*n = 0
		return nil
	case int64:
		*n = NullUint(Counter(src))
		return nil
	default:
		return fmt.Errorf("scan %T into a counter", src)
	}
}

// Value implements driver.Valuer.
func (n NullUint) Value() (driver.Value, error) {
	if n == 0 {
		return nil, nil
	}
	return BigInt(n), nil
}

// Block numbers, log indexes and contract ids start at 0 or 1 and stay far below 2^63, so they fit
// into a bigint.

// BigInt converts an unsigned counter to a bigint column value.
func BigInt[T ~uint | ~uint64](n T) int64 { return int64(n) }

// Counter is the inverse of BigInt.
func Counter(n int64) uint64 { return uint64(n) } //nolint:gosec // see above

// OrZero returns *p, or the zero value if p is nil.
func OrZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// Text returns *s, or "" if s is nil.
func Text(s *string) string { return OrZero(s) }

// NullText is the inverse of Text.
func NullText(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// StringArray returns an array that is never NULL.
func StringArray(s []string) pq.StringArray {
	if s == nil {
		return pq.StringArray{}
	}
	return s
}

// NullInt is a nullable number. NULL is scanned as 0.
type NullInt int

// Scan implements sql.Scanner.
func (n *NullInt) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*n = 0
	case int64:
		*n = NullInt(src)
	default:
		return fmt.Errorf("scan %T into a number", src)
	}
	return nil
}

// UUIDArray is an array of ids. A NULL array is scanned as nil.
type UUIDArray []uuid.UUID

// Scan implements sql.Scanner.
func (a *UUIDArray) Scan(src any) error { return pq.Array((*[]uuid.UUID)(a)).Scan(src) }

// Hashes converts a scanned bytea[], whose elements must have 32 bytes.
func Hashes(raw [][]byte) []common.Hash {
	list := make([]common.Hash, len(raw))
	for i, b := range raw {
		list[i] = common.BytesToHash(b)
	}
	return list
}

// AddressArray converts addresses to a bytea[].
func AddressArray(addresses []common.Address) pq.ByteaArray {
	array := make(pq.ByteaArray, len(addresses))
	for i, address := range addresses {
		array[i] = address.Bytes()
	}
	return array
}
