package main

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

// pageFlags are the flags of all commands that show a list.
type pageFlags struct {
	page, pageSize, limit int
	cursor                string
	all                   bool
}

const (
	largestPage  = 100 // items; the API's limit
	deepestPage  = 50  // the API's limit; a cursor leads further
	defaultLimit = 1000
)

func (p *pageFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&p.page, "page", 0, "which page, from 1 to 50")
	flags.IntVar(&p.pageSize, "page-size", 0, "how many on a page, up to 100 (the API's default is 20)")
	flags.StringVar(&p.cursor, "cursor", "", "go on where a page ended: its next_cursor")
	flags.BoolVar(&p.all, "all", false, "show all pages as one, up to --limit")
	flags.IntVar(&p.limit, "limit", defaultLimit, "how many --all shows at most")
}

// query is where the list is asked to begin.
func (p *pageFlags) query(flags *pflag.FlagSet) (client.PageQuery, error) {
	for _, f := range []struct {
		name       string
		value, max int
	}{{"page", p.page, deepestPage}, {"page-size", p.pageSize, largestPage}, {"limit", p.limit, 0}} {
		if flags.Changed(f.name) && (f.value < 1 || f.max > 0 && f.value > f.max) {
			return client.PageQuery{}, usageError("--%s %d is out of range", f.name, f.value)
		}
	}
	switch {
	case p.page > 0 && p.cursor != "":
		return client.PageQuery{}, usageError("--page and --cursor both say where to begin")
	case p.all && p.pageSize > 0:
		return client.PageQuery{}, usageError("--all has one page only: use --limit")
	case !p.all && flags.Changed("limit"):
		return client.PageQuery{}, usageError("--limit is for --all; without, use --page-size")
	}
	return client.PageQuery{Page: p.page, PageSize: p.pageSize, Cursor: p.cursor}, nil
}

// listOf completes a command that shows a list of one record, whose id is its
// only argument; what says of which kind the record is.
func (a *app) listOf(
	what string, c *cobra.Command, show func(context.Context, *app, *client.Client, *pageFlags, uuid.UUID) error,
) *cobra.Command {
	var pages pageFlags
	c.RunE = func(c *cobra.Command, args []string) error {
		id, err := parseID(what, args[0])
		if err != nil {
			return err
		}
		return a.withAgent(func(agent *client.Client) error { return show(c.Context(), a, agent, &pages, id) })
	}
	pages.add(c.Flags())
	return c
}

// parts are the members that all pages of the API have.
type parts[T any] struct {
	items    *[]T
	next     **string
	pageSize *int
	total    int64
}

// list is a list of the API and how it is shown. P is its page, T an item.
type list[P, T any] struct {
	fetch func(context.Context, client.PageQuery) (P, error)
	parts func(*P) parts[T]
	// show writes the items for people; notFound is said when there are none.
	show     func(P) error
	notFound string
}

// showList runs a command that shows a list: its page as the API answers it in
// JSON, or for people, who are told how to see more.
func showList[P, T any](ctx context.Context, a *app, flags *pageFlags, l list[P, T]) error {
	query, err := flags.query(a.flags)
	if err != nil {
		return err
	}
	var page P
	if flags.all {
		page, err = l.gather(ctx, query, flags.limit)
	} else {
		page, err = l.fetch(ctx, query)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(page)
	}
	p := l.parts(&page)
	if len(*p.items) == 0 {
		a.note("%s", l.notFound)
		return nil
	}
	if err := l.show(page); err != nil {
		return err
	}
	if *p.next != nil {
		a.note("%d of %d; go on with --cursor %s", len(*p.items), p.total, oneLine(**p.next))
	}
	return nil
}

// gather makes one page of up to limit items by following the cursors. Each page
// must bring something, so that it comes to an end.
func (l list[P, T]) gather(ctx context.Context, query client.PageQuery, limit int) (P, error) {
	query.PageSize = min(largestPage, limit)
	all, err := l.fetch(ctx, query)
	if err != nil {
		return all, err
	}
	whole := l.parts(&all)
	for *whole.next != nil && len(*whole.items) < limit {
		query = client.PageQuery{PageSize: min(largestPage, limit-len(*whole.items)), Cursor: **whole.next}
		page, err := l.fetch(ctx, query)
		if err != nil {
			return all, err
		}
		more := l.parts(&page)
		if len(*more.items) == 0 && *more.next != nil {
			return all, errors.New("the server answered a list without an end")
		}
		*whole.items, *whole.next = append(*whole.items, *more.items...), *more.next
	}
	*whole.pageSize = len(*whole.items)
	return all, nil
}

// column is a column of a table, the cell of an item in it.
type column[T any] struct {
	title string
	cell  func(T) string
}

// titled is what a table shows last of each item: a text that somebody wrote,
// quoted, and cut to what the terminal has left.
type titled[T any] column[T]

// leastTitle is how much of the last column is always shown.
const leastTitle = 10

func printItems[T any](a *app, items []T, columns []column[T], last titled[T]) error {
	heading := make([]string, 0, len(columns)+1)
	rows := make([][]string, len(items))
	used := 0
	for _, c := range columns {
		heading = append(heading, c.title)
		width := utf8.RuneCountInString(c.title)
		for i, item := range items {
			cell := oneLine(c.cell(item))
			rows[i] = append(rows[i], cell)
			width = max(width, utf8.RuneCountInString(cell))
		}
		used += width + gap
	}
	for i, item := range items {
		text := quoted(last.cell(item))
		if a.width > 0 {
			text = shortened(last.cell(item), max(leastTitle, a.width-used))
		}
		rows[i] = append(rows[i], text)
	}
	return a.printTable(append(heading, last.title), rows)
}

// entry is an item that is shown in a few lines: words of ours about it, and below
// them the text that somebody wrote.
type entry struct {
	about  []string // empty ones are left out
	text   string
	advice string // a line of ours
}

func (a *app) printEntries(entries []entry) error {
	var b strings.Builder
	for _, e := range entries {
		var about []string
		for _, word := range e.about {
			if word != "" {
				about = append(about, oneLine(word))
			}
		}
		for i, line := range fill(about, a.width) {
			indent := blank(gap)
			if i == 0 {
				indent = ""
			}
			b.WriteString(indent + line + "\n")
		}
		b.WriteString(block(e.text, a.width))
		if e.advice != "" {
			for _, line := range wrap(oneLine(e.advice), a.width-gap, a.width-gap) {
				b.WriteString(blank(gap) + line + "\n")
			}
		}
	}
	return a.write([]byte(b.String()))
}

// fill puts words, which may hold spaces, on lines of up to the width, a gap
// apart. Lines after the first have room for an indent.
func fill(words []string, width int) []string {
	line, lines := "", []string(nil)
	for _, word := range words {
		longer := line + blank(gap) + word
		switch {
		case line == "":
			line = word
		case width < narrowest || utf8.RuneCountInString(longer)+gap <= width:
			line = longer
		default:
			lines, line = append(lines, wrap(line, width-gap, width-gap)...), word
		}
	}
	return append(lines, wrap(line, width-gap, width-gap)...)
}

// labelled puts a word before a value; without a value it is empty.
func labelled(label, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf("%s %s", label, value)
}
