package pg

import "context"

// Guard is a condition for the caller's permission to read. It is evaluated in the same snapshot as
// the rows. The zero value is always satisfied.
type Guard struct {
	Condition string // SQL; each ? is replaced with one of Args
	Args      []any
	Err       error // returned when the condition is false
}

// Column returns a result column with the condition's value, and args followed by the condition's
// arguments.
func (g Guard) Column(args []any) (sql string, all []any) {
	if g.Condition == "" {
		return "", args
	}
	f := Filter{args: args}
	f.Add(g.Condition, g.Args...)
	return ", " + f.conditions[0] + " AS guarded", f.args
}

// Check returns the guard's error if the condition is not satisfied.
func (g Guard) Check(held bool) error {
	if g.Condition != "" && !held {
		return g.Err
	}
	return nil
}

// query evaluates only the condition, without rows.
func (g Guard) query(ctx context.Context, db *DB) error {
	if g.Condition == "" {
		return nil
	}
	var f Filter
	f.Add(g.Condition, g.Args...)
	var held bool
	if err := db.Get(ctx, nil, &held, "SELECT "+f.conditions[0], f.args...); err != nil {
		return Translate(err, "check the permission to read a list")
	}
	return g.Check(held)
}
