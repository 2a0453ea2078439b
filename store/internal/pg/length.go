package pg

// NoScope is the scope of the lists that are nobody's own.
const NoScope = "'00000000-0000-0000-0000-000000000000'"

// Length is SQL that tells how long a list is.
type Length struct {
	SQL  string
	Args int // how many of the list's arguments, from the first on, it speaks of
}

// StoredLength returns how long the scope's lists are together, by the counts that
// triggers keep. The names are a condition on list. It is what the rows
// themselves would say at the same instant.
func StoredLength(scope, names string, args int) Length {
	of := " WHERE scope_id = " + scope + " AND list " + names
	return Length{Args: args, SQL: "SELECT coalesce(sum(items), 0)::bigint FROM (SELECT items FROM list_counts" + of +
		" UNION ALL SELECT items FROM list_changes" + of + ") AS kept"}
}

// StoredLengthOf returns the kept length of a list of whom the first argument names.
func StoredLengthOf(name string) Length { return StoredLength("$1", "= '"+name+"'", 1) }
