package pg

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// Copy inserts n rows with COPY, which takes less time for each row than INSERT, but fails if a row exists.
// into is the table with its columns in parentheses, and values returns a row's values in their order. Copy
// returns the driver's errors, like Get.
func (*DB) Copy(ctx context.Context, tx *sqlx.Tx, into string, n int, values func(i int) ([]any, error)) error {
	if n == 0 {
		return nil
	}
	rows, err := tx.PrepareContext(ctx, "COPY "+into+" FROM STDIN")
	if err != nil {
		return err
	}
	defer rows.Close()
	for i := range n {
		row, err := values(i)
		if err != nil {
			return err
		}
		if _, err := rows.ExecContext(ctx, row...); err != nil {
			return err
		}
	}
	_, err = rows.ExecContext(ctx) // without values, it ends the COPY and returns the errors of all rows
	return err
}
