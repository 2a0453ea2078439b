package pg

import (
	"database/sql"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
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
func scanEach[R any](rows *sqlx.Rows, take func(*R)) error {
	defer rows.Close()
	var row R
	members, err := membersOf(rows, reflect.ValueOf(&row).Elem())
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := rows.Scan(members...); err != nil {
			return err
		}
		take(&row)
	}
	return rows.Err()
}

// scanOne scans the single row into row, a struct, and closes rows. It returns sql.ErrNoRows if there is
// none.
func scanOne(rows *sqlx.Rows, row reflect.Value) error {
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	members, err := membersOf(rows, row)
	if err != nil {
		return err
	}
	if err := rows.Scan(members...); err != nil {
		return err
	}
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

// membersOf returns pointers to the fields of the struct row, in the order of the columns.
func membersOf(rows *sqlx.Rows, row reflect.Value) ([]any, error) {
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	paths, err := pathsOf(rows, row.Type(), columns)
	if err != nil {
		return nil, err
	}
	members := make([]any, len(paths))
	for i, path := range paths {
		members[i] = reflectx.FieldByIndexes(row, path).Addr().Interface()
	}
	return members, nil
}

// paths caches the paths of fields by rowShape, because finding them takes longer than scanning a row.
// The cache is bounded, because the columns of each statement in the source are constant.
var paths sync.Map

// rowShape identifies the columns that are scanned into a type. Different statements for the same type
// can return different columns.
type rowShape struct {
	row     reflect.Type
	columns string
}

func pathsOf(rows *sqlx.Rows, row reflect.Type, columns []string) ([][]int, error) {
	shape := rowShape{row, strings.Join(columns, ",")}
	if cached, ok := paths.Load(shape); ok {
		found, _ := cached.([][]int)
		return found, nil
	}
	found := rows.Mapper.TraversalsByName(row, columns)
	for i, path := range found {
		if len(path) == 0 {
			return nil, fmt.Errorf("column %s has no field in %s", columns[i], row)
		}
	}
	paths.Store(shape, found)
	return found, nil
}
