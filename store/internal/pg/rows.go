package pg

import (
	"fmt"
	"reflect"

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
	members, err := membersOf(rows, &row)
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

// membersOf returns pointers to the fields of the struct that row points to, in the order of the
// columns.
func membersOf(rows *sqlx.Rows, row any) ([]any, error) {
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	value, members := reflect.ValueOf(row).Elem(), make([]any, len(columns))
	for i, path := range rows.Mapper.TraversalsByName(value.Type(), columns) {
		if len(path) == 0 {
			return nil, fmt.Errorf("column %s has no field in %T", columns[i], row)
		}
		members[i] = reflectx.FieldByIndexes(value, path).Addr().Interface()
	}
	return members, nil
}
