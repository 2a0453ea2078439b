package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"taskmarket/client/visible"
	"taskmarket/market"
)

// printJSON writes v as one document, or the member of it that was asked for.
func (a *app) printJSON(v any) error {
	if a.field != "" {
		return a.printMember(v)
	}
	text, err := encodeJSON(v, "  ")
	if err != nil {
		return err
	}
	return a.write(text)
}

func (a *app) write(text []byte) error {
	if _, err := a.stdout.Write(text); err != nil {
		return fail(exitFailed, "write the result: %w", err) // of the machine, not of a network
	}
	return nil
}

// encodeJSON ends with a newline. What a terminal would act on is escaped as
// JSON does, so that the document keeps its meaning.
func encodeJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return visible.JSON(b.Bytes()), nil
}

// field is a line of a record: its name and its value, which may be a stranger's
// text.
type field [2]string

// printFields writes a record, its values below each other. Fields without a
// value are left out.
func (a *app) printFields(fields ...field) error { return a.write([]byte(a.fieldText(fields))) }

func (a *app) fieldText(fields []field) string {
	width := 0
	for _, f := range fields {
		if f[1] != "" {
			width = max(width, utf8.RuneCountInString(f[0]))
		}
	}
	var b strings.Builder
	for _, f := range fields {
		if f[1] != "" {
			b.WriteString(pad(f[0], width) + blank(gap) + hang(oneLine(f[1]), width+gap, a.width) + "\n")
		}
	}
	return b.String()
}

// printTable writes rows below a heading, in columns as wide as their longest
// cell. The last column is not filled up.
func (a *app) printTable(heading []string, rows [][]string) error {
	widths := make([]int, len(heading))
	clean := make([][]string, len(rows))
	for i, row := range append([][]string{heading}, rows...) {
		cells := make([]string, len(heading))
		for j := range heading {
			cells[j] = oneLine(row[j])
			widths[j] = max(widths[j], utf8.RuneCountInString(cells[j]))
		}
		if i > 0 {
			clean[i-1] = cells
		}
	}
	line := func(cells []string) string {
		var b strings.Builder
		for j, cell := range cells {
			b.WriteString(pad(cell, widths[j]) + blank(gap))
		}
		return strings.TrimRight(b.String(), " ")
	}
	if err := a.stdout.heading(line(heading)); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	var b strings.Builder
	for _, cells := range clean {
		b.WriteString(line(cells) + "\n")
	}
	return a.write([]byte(b.String()))
}

// gap is how many blanks are between columns.
const gap = 2

func blank(width int) string { return strings.Repeat(" ", max(0, width)) }

func pad(text string, width int) string { return text + blank(width-utf8.RuneCountInString(text)) }

// moment writes a time for people: in UTC, to the second.
func moment(t market.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// optional writes what may be absent.
func optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// printText shows a long text that somebody wrote, below its name.
func (a *app) printText(name, text string) error {
	if text == "" {
		return nil
	}
	return a.write([]byte(name + "\n" + block(text, a.width)))
}

func optionalMoment(t *market.Time) string {
	if t == nil {
		return ""
	}
	return moment(*t)
}
