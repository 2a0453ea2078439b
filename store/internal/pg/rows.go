package pg

import (
	"database/sql"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"
)

// Convert converts the rows. The result is never nil.
func Convert[R, T any](rows []R, convert func(R) T) []T {
	converted := make([]T, len(rows))
	for i, row := range rows {
		converted[i] = convert(row)
	}
	return converted
}

// scanEach scans each row into the same R and calls take, which must not retain the pointer. It
// closes rows.
func scanEach[R any](rows *sqlx.Rows, pool *rowPool, take func(*R)) error {
	defer rows.Close()
	into, err := pool.get(rows, reflect.TypeFor[R]())
	if err != nil {
		return err
	}
	row, _ := into.row.Addr().Interface().(*R)
	for rows.Next() {
		if err := rows.Scan(into.members...); err != nil {
			return err
		}
		take(row)
	}
	pool.put(into)
	return rows.Err()
}

// scanOne scans the single row into dest, a struct, and closes rows. Fields without a column keep their
// values. It returns sql.ErrNoRows if there is no row.
func scanOne(rows *sqlx.Rows, pool *rowPool, dest reflect.Value) error {
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	into, err := pool.get(rows, dest.Type())
	if err != nil {
		return err
	}
	into.row.Set(dest)
	if err := rows.Scan(into.members...); err != nil {
		return err
	}
	dest.Set(into.row)
	pool.put(into)
	return rows.Close() // also returns an error that follows the row, such as that of a deferred constraint
}

var (
	scannerType = reflect.TypeFor[sql.Scanner]()
	timeType    = reflect.TypeFor[time.Time]()
)

// isRow reports whether the columns of a row are scanned into the fields of t, and not into t itself.
func isRow(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != timeType && !reflect.PointerTo(t).Implements(scannerType)
}

// scannedRow is a struct with pointers to its fields, in the order of a statement's columns.
type scannedRow struct {
	row     reflect.Value
	members []any
}

// rowPool keeps the rows of one statement, because finding the fields of a row takes longer than scanning
// it. The zero value is empty.
type rowPool struct{ unused sync.Pool }

// get returns a zero row of the type for the columns of rows.
func (p *rowPool) get(rows *sqlx.Rows, t reflect.Type) (*scannedRow, error) {
	if reused, ok := p.unused.Get().(*scannedRow); ok && reused.row.Type() == t {
		return reused, nil
	}
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	fresh := &scannedRow{reflect.New(t).Elem(), make([]any, len(columns))}
	for i, path := range rows.Mapper.TraversalsByName(t, columns) {
		if len(path) == 0 {
			return nil, fmt.Errorf("column %s has no field in %s", columns[i], t)
		}
		fresh.members[i] = target(fresh.row.FieldByIndex(path).Addr())
	}
	return fresh, nil
}

// target returns what to scan a column into: the field's pointer, or something that scans the same values
// with less work. database/sql converts values to named string types and to pointers with reflection, and
// uuid.UUID copies the text that it parses.
func target(field reflect.Value) any {
	if field.Elem().Kind() == reflect.String && !field.Type().Implements(scannerType) {
		field = field.Convert(reflect.TypeFor[*string]())
	}
	switch id := field.Interface().(type) {
	case *uuid.UUID:
		return (*scannedUUID)(id)
	case **uuid.UUID:
		return scannedNullUUID{id}
	}
	return field.Interface()
}

// scannedUUID is a uuid.UUID as a scan target.
type scannedUUID uuid.UUID

// Scan implements sql.Scanner for the text of a UUID, as lib/pq returns it.
func (u *scannedUUID) Scan(value any) error {
	text, ok := value.([]byte)
	if !ok {
		return (*uuid.UUID)(u).Scan(value)
	}
	parsed, err := uuid.ParseBytes(text)
	*u = scannedUUID(parsed)
	return err
}

// scannedNullUUID is a *uuid.UUID as a scan target. NULL becomes nil.
type scannedNullUUID struct{ id **uuid.UUID }

// Scan implements sql.Scanner.
func (n scannedNullUUID) Scan(value any) error {
	*n.id = nil
	if value == nil {
		return nil
	}
	id := new(uuid.UUID)
	*n.id = id
	return (*scannedUUID)(id).Scan(value)
}

// put keeps the row for another result. The caller must not use it afterwards.
func (p *rowPool) put(used *scannedRow) {
	used.row.SetZero() // a scanner may otherwise reuse memory that the last reader of the row has kept
	p.unused.Put(used)
}

// Seconds converts a number of seconds, as PostgreSQL computes them.
func Seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
