package pg

// NoScope is the scope of lists that do not belong to a user.
const NoScope = "'00000000-0000-0000-0000-000000000000'"

// Length is a query of the length of a list.
type Length struct {
	SQL  string
	Args int // number of leading arguments of the list's statement that SQL uses
}

// StoredLength returns a query for the sum of the stored lengths of the scope's lists. Triggers
// maintain these counts, so the result equals a count of the rows in the same snapshot. names is a
// condition on the column list.
func StoredLength(scope, names string, args int) Length {
	of := " WHERE scope_id = " + scope + " AND list " + names
	return Length{Args: args, SQL: "SELECT coalesce(sum(items), 0)::bigint FROM (SELECT items FROM list_counts" + of +
		" UNION ALL SELECT items FROM list_changes" + of + ") AS kept"}
}

// StoredLengthOf returns a query for the stored length of a list that belongs to the user in the
// first argument.
func StoredLengthOf(name string) Length { return StoredLength("$1", "= '"+name+"'", 1) }
