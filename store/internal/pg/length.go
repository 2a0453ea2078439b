package pg

// NoScope is the scope id for lists that do not belong to a user.
const NoScope = "'00000000-0000-0000-0000-000000000000'"

// Length is an SQL query for the length of a list.
type Length struct {
	SQL  string
	Args int // number of arguments that SQL uses, from the start of the list statement's arguments
}

// StoredLength returns a query for the total stored length of the lists in the scope. Triggers
// maintain the stored lengths, so the result equals the number of rows in the same snapshot. names
// is an SQL condition on the column that contains the list's name.
func StoredLength(scope, names string, args int) Length {
	of := " WHERE scope_id = " + scope + " AND list " + names
	return Length{Args: args, SQL: "SELECT coalesce(sum(items), 0)::bigint FROM (SELECT items FROM list_counts" + of +
		" UNION ALL SELECT items FROM list_changes" + of + ") AS kept"}
}

// StoredLengthOf returns a query for the stored length of a list that belongs to the user whose id
// is the first argument.
func StoredLengthOf(name string) Length { return StoredLength("$1", "= '"+name+"'", 1) }
