package pg

// NoScope is the scope id of lists without an owner, as an SQL literal.
const NoScope = "'00000000-0000-0000-0000-000000000000'"

// Length is an SQL query for the length of a list.
type Length struct {
	SQL  string
	Args int // number of arguments that SQL uses, from the start of the list statement's arguments
}

// StoredLength returns a query for the total stored length of the lists in the scope. Triggers
// maintain the stored lengths, so the result equals the number of rows in the same snapshot. scope
// is an SQL expression for the scope id. names is the rest of an SQL condition that begins with the
// column of the list's name, for example "= 'claims'".
func StoredLength(scope, names string, args int) Length {
	of := " WHERE scope_id = " + scope + " AND list " + names
	return Length{Args: args, SQL: "SELECT coalesce(sum(items), 0)::bigint FROM (SELECT items FROM list_counts" + of +
		" UNION ALL SELECT items FROM list_changes" + of + ") AS kept"}
}

// StoredLengthOf returns a query for the stored length of a list whose owner's id is the first
// argument. The owner is a user, a task or a conversation.
func StoredLengthOf(name string) Length { return StoredLength("$1", "= '"+name+"'", 1) }
