package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/uuid"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/client"
	"taskmarket/market"
)

// PageFlags contains the flags of commands that print a list.
type PageFlags struct {
	page, pageSize, limit int
	cursor                string
	all                   bool
}

const (
	maxPageSize  = 100 // the API's maximum number of items per page
	maxPage      = 50  // the API's maximum page number; there is no limit with a cursor
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

// query returns the page query for the flags.
func (p *PageFlags) query(flags *pflag.FlagSet) (client.PageQuery, error) {
	for _, f := range []struct {
		name       string
		value, max int
	}{{"page", p.page, maxPage}, {"page-size", p.pageSize, maxPageSize}, {"limit", p.limit, 0}} {
		switch {
		case !flags.Changed(f.name):
		case f.max > 0 && (f.value < 1 || f.value > f.max):
			return client.PageQuery{}, UsageError("--%s %d: must be from 1 to %d", f.name, f.value, f.max)
		case f.value < 1:
			return client.PageQuery{}, UsageError("--%s %d: must be at least 1", f.name, f.value)
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

// ListCommand completes a command that lists the items of one record. The record's id is the only
// argument, and what is the name of the record type.
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

// Parts contains the members that all paginated API responses have.
type Parts[T any] struct {
	Items    *[]T
	Next     **string
	PageSize *int
	Total    int64
}

// List describes a list endpoint of the API and how to print it. P is the type of a page, and T the
// type of an item.
type List[P, T any] struct {
	Fetch func(context.Context, client.PageQuery) (P, error)
	Parts func(*P) Parts[T]
	// Show prints the items as text. If there are none, NotFound is printed.
	Show     func(P) error
	NotFound string
}

// ShowList fetches a page and prints it as JSON or as text. With text, it prints the flag that
// selects the next page on stderr.
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
		total := fmt.Sprint(p.Total)
		if p.Total == market.MaxTotal {
			total += " or more"
		}
		a.Note("shown: %d of %s; for more, add --cursor %s", len(*p.Items), total, OneLine(**p.Next))
	}
	return nil
}

// gather follows the cursors and returns up to limit items as one page. An empty page with a cursor
// is an error, because following such pages might never end.
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
			return all, errors.New("the API returned an empty page that is not the last one")
		}
		*whole.Items, *whole.Next = append(*whole.Items, *more.Items...), *more.Next
	}
	*whole.PageSize = len(*whole.Items)
	return all, nil
}

// Column is a table column: its title, and a function that returns the cell for an item.
type Column[T any] struct {
	Title string
	Cell  func(T) string
}

// LastColumn is the last column of a table. It contains third-party text, which is quoted and
// truncated to the remaining width of the terminal.
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
		width := displaywidth.String(c.Title)
		for i, item := range items {
			cell := OneLine(c.Cell(item))
			rows[i] = append(rows[i], cell)
			width = max(width, displaywidth.String(cell))
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

// Entry is an item that is printed on several lines: first facts, then third-party text, and last a
// line of advice.
type Entry struct {
	About  []string // the facts; empty strings are omitted
	Text   string
	Advice string // a line of advice, written by this program or by the service
}

// PrintEntries prints one entry after the other.
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

// fill distributes words over lines of up to width columns, minus the indentation of the
// continuation lines. A word can contain spaces, and words are separated by gap spaces.
func fill(words []string, width int) []string {
	line, lines := "", []string(nil)
	for _, word := range words {
		longer := line + blank(gap) + word
		switch {
		case line == "":
			line = word
		case width < minWidth || displaywidth.String(longer)+gap <= width:
			line = longer
		default:
			lines, line = append(lines, wrap(line, width-gap, width-gap)...), word
		}
	}
	return append(lines, wrap(line, width-gap, width-gap)...)
}

// Labelled returns "label value", or "" if the value is empty.
func Labelled(label, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf("%s %s", label, value)
}
