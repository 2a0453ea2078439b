package pg

import "context"

// Guard is a condition that must hold for the caller to read a list. It is evaluated in the same
// snapshot as the rows. The zero value always holds.
type Guard struct {
	Condition string // SQL with one ? for each of Args
	Args      []any
	Err       error // returned if the condition is false
}

// Column returns a result column that contains the value of the condition, and args followed by the
// condition's arguments.
func (g Guard) Column(args []any) (sql string, all []any) {
	if g.Condition == "" {
		return "", args
	}
	f := Filter{args: args}
	f.Add(g.Condition, g.Args...)
	return ", " + f.conditions[0] + " AS guarded", f.args
}

// Check returns the guard's error if held is false.
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
