package store

import (
	"database/sql/driver"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// wei is an amount as the domain wei holds it; nil is NULL.
type wei struct{ *big.Int }

// Scan implements sql.Scanner.
func (w *wei) Scan(src any) error {
	var text string
	switch src := src.(type) {
	case nil:
		w.Int = nil
		return nil
	case []byte:
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
func (w wei) Value() (driver.Value, error) {
	if w.Int == nil {
		return nil, nil
	}
	return w.String(), nil
}

// nullHash is a hash whose zero is NULL.
type nullHash struct{ common.Hash }

// Scan implements sql.Scanner.
func (h *nullHash) Scan(src any) error {
	if src == nil {
		h.Hash = common.Hash{}
		return nil
	}
	return h.Hash.Scan(src)
}

// Value implements driver.Valuer.
func (h nullHash) Value() (driver.Value, error) {
	if h.Hash == (common.Hash{}) {
		return nil, nil
	}
	return h.Hash.Value()
}

// pointer returns nil for NULL.
func (h nullHash) pointer() *common.Hash {
	if h.Hash == (common.Hash{}) {
		return nil
	}
	return &h.Hash
}

// nullAddress is an address whose zero is NULL.
type nullAddress struct{ common.Address }

// Scan implements sql.Scanner.
func (a *nullAddress) Scan(src any) error {
	if src == nil {
		a.Address = common.Address{}
		return nil
	}
	return a.Address.Scan(src)
}

// Value implements driver.Valuer.
func (a nullAddress) Value() (driver.Value, error) {
	if a.Address == (common.Address{}) {
		return nil, nil
	}
	return a.Address.Value()
}

// nullTime is an instant in UTC whose zero is NULL.
type nullTime struct{ time.Time }

// Scan implements sql.Scanner.
func (t *nullTime) Scan(src any) error {
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
func (t nullTime) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil
	}
	return t.UTC(), nil
}

// pointer returns nil for NULL.
func (t nullTime) pointer() *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t.Time
}

// nullTimeOf is the inverse of pointer.
func nullTimeOf(t *time.Time) nullTime {
	if t == nil {
		return nullTime{}
	}
	return nullTime{*t}
}

// nullUint is a counter of the contracts, which start at 1: 0 is NULL.
type nullUint uint64

// Scan implements sql.Scanner.
func (n *nullUint) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*n = 0
		return nil
	case int64:
		*n = nullUint(counter(src))
		return nil
	default:
		return fmt.Errorf("scan %T into a counter", src)
	}
}

// Value implements driver.Valuer.
func (n nullUint) Value() (driver.Value, error) {
	if n == 0 {
		return nil, nil
	}
	return bigint(n), nil
}

// Numbers of blocks, logs and ids of the contracts count up from 0 or 1 and
// never come near 2^63, so that a bigint holds them.

func bigint[T ~uint | ~uint64](n T) int64 { return int64(n) }

func counter(n int64) uint64 { return uint64(n) } //nolint:gosec // see above
