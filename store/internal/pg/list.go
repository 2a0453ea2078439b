package pg

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"taskmarket/market"
)

// Limits of lists. The page number is limited, because pages use OFFSET. A client can read a whole list
// of any length by cursor.
const (
	maxPage         = 50
	maxPageSize     = 100
	defaultPageSize = 20
)

// PageQuery selects a page of a list, by number or by cursor.
type PageQuery struct {
	Page     int    // from 1 to 50; 0 means 1
	PageSize int    // from 1 to 100; 0 means 20
	Cursor   string // NextCursor of the previous page; replaces Page
}

// Page is one page of an ordered list.
type Page[T any] struct {
	Items      []T    // never nil, so that JSON contains an array
	Total      int    // length of the whole list, counted up to market.MaxTotal unless List.Length is set
	NextCursor string // empty on the last page
}

// Check applies the defaults and rejects values that are outside the limits.
func (q PageQuery) Check() (PageQuery, error) {
	if q.Page == 0 {
		q.Page = 1
	}
	if q.PageSize == 0 {
		q.PageSize = defaultPageSize
	}
	switch {
	case q.Page < 1 || q.Page > maxPage:
		return q, market.Invalid("page", "range", "must be from 1 to %d; use cursor to read further", maxPage)
	case q.PageSize < 1 || q.PageSize > maxPageSize:
		return q, market.Invalid("page_size", "range", "must be from 1 to %d", maxPageSize)
	case q.Cursor != "" && q.Page > 1:
		return q, market.Invalid("cursor", "conflict", "cannot be combined with page")
	}
	return q, nil
}

// List defines a list in SQL.
type List[R ListedRow] struct {
	What    string // name of the operation in errors, for example "select tasks of the board"
	Columns string
	From    string // the table with its alias, which Filter and Order refer to; can contain joins if Joins is empty
	Joins   string // tables joined to each row of the page; these joins must neither remove nor repeat rows
	Filter  Filter
	Order   Order
	Length  string // SQL query for the exact length, with the arguments of Filter; if empty, the rows are counted
	Key     func(R) (key string, id uuid.UUID)
	AdHoc   bool // do not prepare the statement, because it has too many variants
}

// Listed is embedded in the rows of lists. Its column has the same value in all rows.
type Listed struct {
	Total NullInt `db:"total"` // length of the whole list, like Page.Total
}

func (l Listed) listTotal() int { return int(l.Total) }

// ListedRow is a row type that embeds Listed.
type ListedRow interface{ listTotal() int }

// SelectPage reads one page of a list and its length.
func SelectPage[R ListedRow, T any](ctx context.Context, db *DB, l List[R], query PageQuery, convert func(R) T) (Page[T], error) {
	page := Page[T]{Items: []T{}}
	query, err := query.Check()
	if err != nil {
		return page, err
	}
	rows, counted, last := 0, 0, ""
	err = l.each(ctx, db, query, func(row *R) {
		switch rows++; {
		case rows > query.PageSize:
			return
		case rows == 1:
			page.Items = make([]T, 0, query.PageSize)
		}
		counted, page.Items = (*row).listTotal(), append(page.Items, convert(*row))
		if rows == query.PageSize {
			last = l.Order.encode(l.Key(*row))
		}
	})
	if err != nil {
		return Page[T]{}, err
	}
	if rows > query.PageSize {
		page.NextCursor = last
	}
	page.Total, err = l.total(ctx, db, query, rows, counted)
	return page, err
}

// total returns the length of the whole list. On the last page by number, it follows from the number
// of rows. Otherwise, the rows contain it. A separate count is needed only for a later page without rows,
// and for an ad hoc list, whose rows omit the length because counting would repeat the search.
func (l List[R]) total(ctx context.Context, db *DB, query PageQuery, rows, counted int) (int, error) {
	switch {
	case query.Cursor == "" && rows <= query.PageSize && (rows > 0 || query.Page == 1):
		length := (query.Page-1)*query.PageSize + rows // the last page
		if l.Length == "" {
			length = min(length, market.MaxTotal)
		}
		return length, nil
	case rows > 0 && !l.AdHoc:
		return counted, nil
	}
	return l.count(ctx, db)
}

// each calls take for each row that the statement returns. It reads more rows than the page
// contains, which shows whether there is a next page.
func (l List[R]) each(ctx context.Context, db *DB, query PageQuery, take func(*R)) error {
	text, args, err := l.Statement(query)
	if err != nil {
		return err
	}
	return Translate(eachRow(ctx, l, db, text, args, take), l.What)
}

// Statement returns the statement that reads a page, and its arguments.
func (l List[R]) Statement(query PageQuery) (text string, args []any, err error) {
	f := l.Filter.clone()
	if query.Cursor != "" {
		if err := l.Order.after(&f, query.Cursor); err != nil {
			return "", nil, err
		}
	}
	text = l.sql(&f, query)
	return text, f.args, nil
}

// sql returns a statement that first selects the rows of the page and then joins the other tables
// to them, so that a distant page requires no more joins than the first one. The list's length is
// one of the columns.
func (l List[R]) sql(f *Filter, query PageQuery) string {
	// The limit is a literal, because the planner would assume a large limit for a parameter. There
	// are only two different limits, which keeps the number of prepared statements small.
	// SelectPage ignores the surplus rows.
	limit := defaultPageSize + 1
	if query.PageSize > defaultPageSize {
		limit = maxPageSize + 1
	}
	tail := f.where() + l.Order.sql() + fmt.Sprintf(" LIMIT %d", limit)
	if query.Page > 1 {
		f.args = append(f.args, (query.Page-1)*query.PageSize)
		tail += fmt.Sprintf(" OFFSET $%d", len(f.args))
	}
	extra := ""
	if !l.AdHoc {
		extra = ", (" + l.countSQL() + ") AS total"
	}
	switch {
	case l.Joins == "":
		return "SELECT " + l.Columns + extra + " FROM " + l.From + tail
	case query.Page > 1: // select only ids first, so that an index-only scan reads the skipped rows
		return "SELECT " + l.Columns + extra + " FROM " + l.From + l.Joins + " JOIN (SELECT " + l.Order.ID + " AS found_id FROM " + l.From + tail +
			") AS page ON page.found_id = " + l.Order.ID + l.Order.sql()
	default:
		alias := l.From[strings.LastIndexByte(l.From, ' ')+1:]
		return "SELECT " + l.Columns + extra + " FROM (SELECT " + alias + ".* FROM " + l.From + tail + ") AS " + alias + l.Joins + l.Order.sql()
	}
}

// CountStatement returns the statement that counts the rows of the list, and its arguments.
func (l List[R]) CountStatement() (text string, args []any) {
	return l.countSQL(), l.Filter.args
}

// countSQL returns a query for the exact length or, without one, a query that counts the rows in
// list order. Without this order, the planner would assume that common values are evenly
// distributed. To find the first 1,000 tasks on the board, it would scan the table from the oldest
// tasks, which have already ended.
func (l List[R]) countSQL() string {
	if l.Length != "" {
		return "SELECT (" + l.Length + ") AS total"
	}
	return fmt.Sprintf("SELECT count(*) AS total FROM (SELECT 1 FROM %s%s%s LIMIT %d) AS counted",
		l.From, l.Filter.where(), l.Order.sql(), market.MaxTotal)
}

func (l List[R]) count(ctx context.Context, db *DB) (int, error) {
	total := 0
	text, args := l.CountStatement()
	err := eachRow(ctx, l, db, text, args, func(row *Listed) { total = int(row.Total) })
	return total, Translate(err, "count: "+l.What)
}

// eachRow calls take for each row of a statement of the list.
func eachRow[R ListedRow, S any](ctx context.Context, l List[R], db *DB, text string, args []any, take func(*S)) error {
	ctx, cancel := within(ctx)
	defer cancel()
	if l.AdHoc {
		rows, err := db.Pool.QueryxContext(ctx, text, args...)
		if err != nil {
			return err
		}
		return scanEach(rows, new(rowPool), take)
	}
	stmt, err := db.prepared(ctx, nil, text)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryxContext(ctx, args...)
	if err != nil {
		return err
	}
	return scanEach(rows, stmt.rows, take)
}
