package store

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"taskmarket/market"
)

// Bounds of lists. Pages are found by skipping, so they end; cursors do not.
const (
	maxPage         = 50
	maxPageSize     = 100
	defaultPageSize = 20
	maxCount        = maxPage * maxPageSize // as far as pages reach
)

// PageQuery says which part of a list is wanted.
type PageQuery struct {
	Page     int    // from 1 to 50; 0 is 1
	PageSize int    // from 1 to 100; 0 is 20
	Cursor   string // the NextCursor of the page before, in place of Page
}

// Page is a part of a list that has a total order.
type Page[T any] struct {
	Items      []T    // never nil
	Total      int    // of the whole list; where nobody keeps count, up to 5,000, which is as far as pages reach
	NextCursor string // empty on the last page
}

// check applies the defaults and refuses what is out of range.
func (q PageQuery) check() (PageQuery, error) {
	if q.Page == 0 {
		q.Page = 1
	}
	if q.PageSize == 0 {
		q.PageSize = defaultPageSize
	}
	switch {
	case q.Page < 1 || q.Page > maxPage:
		return q, market.Invalid("page", "range", "must be from 1 to %d; to go further use cursor", maxPage)
	case q.PageSize < 1 || q.PageSize > maxPageSize:
		return q, market.Invalid("page_size", "range", "must be from 1 to %d", maxPageSize)
	case q.Cursor != "" && q.Page > 1:
		return q, market.Invalid("cursor", "conflict", "give page or cursor, not both")
	}
	return q, nil
}

// filter collects conditions and the arguments that they refer to.
type filter struct {
	conditions []string
	args       []any
}

// add appends a condition; each ? in it stands for one of args.
func (f *filter) add(condition string, args ...any) {
	for _, arg := range args {
		f.args = append(f.args, arg)
		condition = strings.Replace(condition, "?", "$"+strconv.Itoa(len(f.args)), 1)
	}
	f.conditions = append(f.conditions, condition)
}

func (f *filter) where() string {
	if len(f.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.conditions, " AND ")
}

// clone returns a copy that can grow on its own.
func (f *filter) clone() filter {
	return filter{conditions: append([]string(nil), f.conditions...), args: append([]any(nil), f.args...)}
}

// order is the total order of a list: a key column, then the id.
type order struct {
	name       string // in cursors, so that no cursor serves another order
	key        string // SQL
	id         string // SQL
	descending bool
	parse      func(string) (any, error)
}

func (o order) sql() string {
	if o.descending {
		return " ORDER BY " + o.key + " DESC, " + o.id + " DESC"
	}
	return " ORDER BY " + o.key + ", " + o.id
}

// after restricts f to what follows the cursor.
func (o order) after(f *filter, cursor string) error {
	key, id, err := o.decode(cursor)
	if err != nil {
		return market.Invalid("cursor", "malformed", "this is not a next_cursor of this list in this order")
	}
	comparison := " > (?, ?)"
	if o.descending {
		comparison = " < (?, ?)"
	}
	f.add("("+o.key+", "+o.id+")"+comparison, key, id)
	return nil
}

// encode makes the cursor of a row.
func (o order) encode(key string, id uuid.UUID) string {
	return base64.RawURLEncoding.EncodeToString([]byte(o.name + " " + key + " " + id.String()))
}

func (o order) decode(cursor string) (key any, id uuid.UUID, err error) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return nil, id, err
	}
	parts := strings.Split(string(text), " ")
	if len(parts) != 3 || parts[0] != o.name {
		return nil, id, fmt.Errorf("cursor of another list: %q", text)
	}
	if id, err = uuid.Parse(parts[2]); err != nil || id.String() != parts[2] {
		return nil, id, fmt.Errorf("cursor without an id: %q", text)
	}
	key, err = o.parse(parts[1])
	return key, id, err
}

// timeKey and parseTimeKey write an instant in a cursor; zero is none.
func timeKey(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// An offset that Go takes can be more than PostgreSQL does, so it is reckoned away.
func parseTimeKey(s string) (any, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return t.UTC(), err
}

// orNever is the key of an instant that may be NULL, and comes last then. A
// condition on the column and another one for NULL would not find a page by an
// index.
func orNever(column string) string { return "coalesce(" + column + ", 'infinity'::timestamptz)" }

func parseTimeOrNever(s string) (any, error) {
	if s == "" {
		return "infinity", nil
	}
	return parseTimeKey(s)
}

func parseWeiKey(s string) (any, error) {
	n, err := market.ParseWei(s)
	return wei{n}, err
}

// listing is a list in SQL.
type listing[R listedRow] struct {
	what    string // for errors: "select tasks of the board"
	columns string
	found   string // what filter and order speak of: a table with its alias, or joined tables when joins is empty
	joins   string // the rest, which drops and doubles no row
	filter  filter
	order   order
	claim   KeyClaim // confirmed by the statement that reads the rows
	length  length   // told where it is kept; else the list is counted
	place   func(R) (key string, id uuid.UUID)
	adHoc   bool // the text has too many variants to keep prepared
}

// listed is embedded in the rows of lists: what one statement says in each of
// its rows.
type listed struct {
	Total    int  `db:"total"`     // of the whole list, as Page has it
	KeyHolds bool `db:"key_holds"` // the key claim, when one was made
}

func (l listed) told() listed { return l }

type listedRow interface{ told() listed }

// selectPage reads one page of a list and counts the whole.
func selectPage[R listedRow, T any](ctx context.Context, s *Store, l listing[R], query PageQuery, convert func(R) T) (Page[T], error) {
	page := Page[T]{Items: []T{}}
	query, err := query.check()
	if err != nil {
		return page, err
	}
	rows, told, last := 0, listed{}, ""
	err = l.each(ctx, s, query, func(row *R) {
		switch rows++; {
		case rows > query.PageSize:
			return
		case rows == 1:
			page.Items = make([]T, 0, query.PageSize)
		}
		told, page.Items = (*row).told(), append(page.Items, convert(*row))
		if rows == query.PageSize {
			last = l.order.encode(l.place(*row))
		}
	})
	if err != nil {
		return Page[T]{}, err
	}
	if err := l.confirm(ctx, s, rows, told); err != nil {
		return Page[T]{}, err
	}
	if rows > query.PageSize {
		page.NextCursor = last
	}
	page.Total, err = l.total(ctx, s, query, rows, told)
	return page, err
}

func (l listing[R]) confirm(ctx context.Context, s *Store, rows int, told listed) error {
	if rows == 0 {
		return s.confirm(ctx, l.claim)
	}
	return l.claim.check(told.KeyHolds)
}

// total returns the length of the whole list, which the rows tell unless there
// are none, or a search found them, whose every count is a search again.
func (l listing[R]) total(ctx context.Context, s *Store, query PageQuery, rows int, told listed) (int, error) {
	switch {
	case query.Cursor == "" && rows <= query.PageSize && (rows > 0 || query.Page == 1):
		return (query.Page-1)*query.PageSize + rows, nil // the last page
	case rows > 0 && !l.adHoc:
		return told.Total, nil
	}
	return l.count(ctx, s)
}

// each reads more rows than the page holds, to know whether there is a next one.
func (l listing[R]) each(ctx context.Context, s *Store, query PageQuery, take func(*R)) error {
	text, args, err := l.statement(query)
	if err != nil {
		return err
	}
	rows, err := l.query(ctx, s, text, args)
	if err == nil {
		err = scanEach(rows, take)
	}
	return translate(err, l.what)
}

// statement returns what reads a page, and its arguments.
func (l listing[R]) statement(query PageQuery) (text string, args []any, err error) {
	f := l.filter.clone()
	if query.Cursor != "" {
		if err := l.order.after(&f, query.Cursor); err != nil {
			return "", nil, err
		}
	}
	text = l.sql(&f, query)
	return text, f.args, nil
}

// sql finds the rows of the page first and joins the rest to them, so that a
// page far down costs no more joins than the first. The length of the list
// comes with them, in one go.
func (l listing[R]) sql(f *filter, query PageQuery) string {
	// A literal, because the planner expects much from a limit it does not
	// know; one of two, to keep the number of prepared statements small.
	limit := defaultPageSize + 1
	if query.PageSize > defaultPageSize {
		limit = maxPageSize + 1
	}
	tail := f.where() + l.order.sql() + fmt.Sprintf(" LIMIT %d", limit)
	if query.Page > 1 {
		f.args = append(f.args, (query.Page-1)*query.PageSize)
		tail += fmt.Sprintf(" OFFSET $%d", len(f.args))
	}
	extra, args := l.claim.column(f.args)
	f.args = args
	if !l.adHoc {
		extra += ", (" + l.countSQL() + ") AS total"
	}
	switch {
	case l.joins == "":
		return "SELECT " + l.columns + extra + " FROM " + l.found + tail
	case query.Page > 1: // what is skipped is read from the index alone
		return "SELECT " + l.columns + extra + " FROM " + l.found + l.joins + " JOIN (SELECT " + l.order.id + " AS found_id FROM " + l.found + tail +
			") AS page ON page.found_id = " + l.order.id + l.order.sql()
	default:
		alias := l.found[strings.LastIndexByte(l.found, ' ')+1:]
		return "SELECT " + l.columns + extra + " FROM (SELECT " + alias + ".* FROM " + l.found + tail + ") AS " + alias + l.joins + l.order.sql()
	}
}

// countSQL counts in the order of the list: the planner takes what many rows have
// for evenly spread, and would look for the first 5,000 of the board in all of
// tasks, which begin with those that ended long ago.
func (l listing[R]) countSQL() string {
	if l.length.sql != "" {
		return "SELECT (" + l.length.sql + ") AS total"
	}
	return fmt.Sprintf("SELECT count(*) AS total FROM (SELECT 1 FROM %s%s%s LIMIT %d) AS counted",
		l.found, l.filter.where(), l.order.sql(), maxCount)
}

func (l listing[R]) count(ctx context.Context, s *Store) (int, error) {
	total, args := 0, l.filter.args
	if l.length.sql != "" {
		args = args[:l.length.args]
	}
	rows, err := l.query(ctx, s, l.countSQL(), args)
	if err == nil {
		err = scanEach(rows, func(row *listed) { total = row.Total })
	}
	return total, translate(err, "count: "+l.what)
}

func (l listing[R]) query(ctx context.Context, s *Store, text string, args []any) (*sqlx.Rows, error) {
	if l.adHoc {
		return s.db.QueryxContext(ctx, text, args...)
	}
	stmt, err := s.prepared(ctx, nil, text) //nolint:sqlclosecheck // it lives as long as the pool
	if err != nil {
		return nil, err
	}
	return stmt.QueryxContext(ctx, args...)
}
