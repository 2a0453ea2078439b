package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/client"
)

// PageFlags are the flags of commands that show a list.
type PageFlags struct {
	page, pageSize, limit int
	cursor                string
	all                   bool
}

const (
	maxPageSize  = 100 // the API's limit
	maxPage      = 50  // the API's limit; cursors have none
	defaultLimit = 1000
)

// Add adds the flags to a command.
func (p *PageFlags) Add(flags *pflag.FlagSet) {
	flags.IntVar(&p.page, "page", 0, "page number, from 1 to 50")
	flags.IntVar(&p.pageSize, "page-size", 0, "items per page, up to 100 (default 20)")
	flags.StringVar(&p.cursor, "cursor", "", "continue after the page with this next_cursor")
	flags.BoolVar(&p.all, "all", false, "show all pages, up to --limit items")
	flags.IntVar(&p.limit, "limit", defaultLimit, "maximum number of items with --all")
}

// query returns the page that the flags request.
func (p *PageFlags) query(flags *pflag.FlagSet) (client.PageQuery, error) {
	for _, f := range []struct {
		name       string
		value, max int
	}{{"page", p.page, maxPage}, {"page-size", p.pageSize, maxPageSize}, {"limit", p.limit, 0}} {
		if flags.Changed(f.name) && (f.value < 1 || f.max > 0 && f.value > f.max) {
			return client.PageQuery{}, UsageError("--%s %d is out of range", f.name, f.value)
		}
	}
	switch {
	case p.page > 0 && p.cursor != "":
		return client.PageQuery{}, UsageError("--page and --cursor cannot be combined")
	case p.all && p.pageSize > 0:
		return client.PageQuery{}, UsageError("--page-size cannot be combined with --all: use --limit")
	case !p.all && flags.Changed("limit"):
		return client.PageQuery{}, UsageError("--limit requires --all; without it, use --page-size")
	}
	return client.PageQuery{Page: p.page, PageSize: p.pageSize, Cursor: p.cursor}, nil
}

// ListCommand completes a command that shows a list of one record, whose id is its only argument.
// The parameter what is the record's name.
func (a *App) ListCommand(
	what string, c *cobra.Command, show func(context.Context, *App, *client.Client, *PageFlags, uuid.UUID) error,
) *cobra.Command {
	var pages PageFlags
	c.RunE = func(c *cobra.Command, args []string) error {
		id, err := ParseID(what, args[0])
		if err != nil {
			return err
		}
		return a.WithAgent(func(agent *client.Client) error { return show(c.Context(), a, agent, &pages, id) })
	}
	pages.Add(c.Flags())
	return c
}

// Parts are the members that all pages of the API have in common.
type Parts[T any] struct {
	Items    *[]T
	Next     **string
	PageSize *int
	Total    int64
}

// List is a list of the API and its presentation. P is the type of its page, T of its items.
type List[P, T any] struct {
	Fetch func(context.Context, client.PageQuery) (P, error)
	Parts func(*P) Parts[T]
	// Show prints the items for people. NotFound is printed if there are none.
	Show     func(P) error
	NotFound string
}

// ShowList fetches a page and prints it: as JSON, or for people, with the flag that shows the next
// page.
func ShowList[P, T any](ctx context.Context, a *App, flags *PageFlags, l List[P, T]) error {
	query, err := flags.query(a.Flags)
	if err != nil {
		return err
	}
	var page P
	if flags.all {
		page, err = l.gather(ctx, query, flags.limit)
	} else {
		page, err = l.Fetch(ctx, query)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.PrintJSON(page)
	}
	p := l.Parts(&page)
	if len(*p.Items) == 0 {
		a.Note("%s", l.NotFound)
		return nil
	}
	if err := l.Show(page); err != nil {
		return err
	}
	if *p.Next != nil {
		a.Note("%d of %d; for more: --cursor %s", len(*p.Items), p.Total, OneLine(**p.Next))
	}
	return nil
}

// gather returns up to limit items as one page by following the cursors. An empty page with a
// cursor is an error, because the loop might not end.
func (l List[P, T]) gather(ctx context.Context, query client.PageQuery, limit int) (P, error) {
	query.PageSize = min(maxPageSize, limit)
	all, err := l.Fetch(ctx, query)
	if err != nil {
		return all, err
	}
	whole := l.Parts(&all)
	for *whole.Next != nil && len(*whole.Items) < limit {
		query = client.PageQuery{PageSize: min(maxPageSize, limit-len(*whole.Items)), Cursor: **whole.Next}
		page, err := l.Fetch(ctx, query)
		if err != nil {
			return all, err
		}
		more := l.Parts(&page)
		if len(*more.Items) == 0 && *more.Next != nil {
			return all, errors.New("the server returned an endless list")
		}
		*whole.Items, *whole.Next = append(*whole.Items, *more.Items...), *more.Next
	}
	*whole.PageSize = len(*whole.Items)
	return all, nil
}

// Column is a column of a table: its title, and a function that returns the cell of an item.
type Column[T any] struct {
	Title string
	Cell  func(T) string
}

// LastColumn is the last column of a table: third-party text, quoted, and cut to the remaining
// width of the terminal.
type LastColumn[T any] Column[T]

// minLastColumn is the minimum width of the last column.
const minLastColumn = 10

// PrintItems prints a table with a row for each item.
func PrintItems[T any](a *App, items []T, columns []Column[T], last LastColumn[T]) error {
	heading := make([]string, 0, len(columns)+1)
	rows := make([][]string, len(items))
	used := 0
	for _, c := range columns {
		heading = append(heading, c.Title)
		width := utf8.RuneCountInString(c.Title)
		for i, item := range items {
			cell := OneLine(c.Cell(item))
			rows[i] = append(rows[i], cell)
			width = max(width, utf8.RuneCountInString(cell))
		}
		used += width + gap
	}
	for i, item := range items {
		text := Quoted(last.Cell(item))
		if a.Width > 0 {
			text = shortened(last.Cell(item), max(minLastColumn, a.Width-used))
		}
		rows[i] = append(rows[i], text)
	}
	return a.PrintTable(append(heading, last.Title), rows)
}

// Entry is an item that is printed on several lines: facts, and below them third-party text.
type Entry struct {
	About  []string // empty ones are omitted
	Text   string
	Advice string // a line of the program's own text
}

// PrintEntries prints the entries below each other.
func (a *App) PrintEntries(entries []Entry) error {
	var b strings.Builder
	for _, e := range entries {
		var about []string
		for _, word := range e.About {
			if word != "" {
				about = append(about, OneLine(word))
			}
		}
		for i, line := range fill(about, a.Width) {
			indent := blank(gap)
			if i == 0 {
				indent = ""
			}
			b.WriteString(indent + line + "\n")
		}
		b.WriteString(QuotedBlock(e.Text, a.Width))
		if e.Advice != "" {
			for _, line := range wrap(OneLine(e.Advice), a.Width-gap, a.Width-gap) {
				b.WriteString(blank(gap) + line + "\n")
			}
		}
	}
	return a.Write([]byte(b.String()))
}

// fill puts words, which can contain spaces, on lines of up to width characters, separated by gap.
// Lines after the first are shorter by the indent.
func fill(words []string, width int) []string {
	line, lines := "", []string(nil)
	for _, word := range words {
		longer := line + blank(gap) + word
		switch {
		case line == "":
			line = word
		case width < minWidth || utf8.RuneCountInString(longer)+gap <= width:
			line = longer
		default:
			lines, line = append(lines, wrap(line, width-gap, width-gap)...), word
		}
	}
	return append(lines, wrap(line, width-gap, width-gap)...)
}

// Labelled returns "label value", or "" without a value.
func Labelled(label, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf("%s %s", label, value)
}
