package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"taskmarket/client/visible"
	"taskmarket/market"
)

// PrintJSON writes v as one document, or the member of it that was asked for.
func (a *App) PrintJSON(v any) error {
	if a.field != "" {
		return a.printMember(v)
	}
	text, err := EncodeJSON(v, "  ")
	if err != nil {
		return err
	}
	return a.Write(text)
}

func (a *App) Write(text []byte) error {
	if _, err := a.Stdout.Write(text); err != nil {
		return Fail(ExitFailed, "write the result: %w", err) // of the machine, not of a network
	}
	return nil
}

// EncodeJSON ends with a newline. What a terminal would act on is escaped as
// JSON does, so that the document keeps its meaning.
func EncodeJSON(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the result: %w", err)
	}
	return visible.JSON(b.Bytes()), nil
}

// Field is a line of a record: its name and its value, which may be a stranger's
// text.
type Field [2]string

// PrintFields writes a record, its values below each other. Fields without a
// value are left out.
func (a *App) PrintFields(fields ...Field) error { return a.Write([]byte(a.FieldText(fields))) }

// FieldText formats fields as PrintFields prints them.
func (a *App) FieldText(fields []Field) string {
	width := 0
	for _, f := range fields {
		if f[1] != "" {
			width = max(width, utf8.RuneCountInString(f[0]))
		}
	}
	var b strings.Builder
	for _, f := range fields {
		if f[1] != "" {
			b.WriteString(pad(f[0], width) + blank(gap) + hang(OneLine(f[1]), width+gap, a.Width) + "\n")
		}
	}
	return b.String()
}

// PrintTable writes rows below a heading, in columns as wide as their longest
// cell. The last column is not filled up.
func (a *App) PrintTable(heading []string, rows [][]string) error {
	widths := make([]int, len(heading))
	clean := make([][]string, len(rows))
	for i, row := range append([][]string{heading}, rows...) {
		cells := make([]string, len(heading))
		for j := range heading {
			cells[j] = OneLine(row[j])
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
	if err := a.Stdout.heading(line(heading)); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	var b strings.Builder
	for _, cells := range clean {
		b.WriteString(line(cells) + "\n")
	}
	return a.Write([]byte(b.String()))
}

// gap is how many blanks are between columns.
const gap = 2

func blank(width int) string { return strings.Repeat(" ", max(0, width)) }

func pad(text string, width int) string { return text + blank(width-utf8.RuneCountInString(text)) }

// FormatTime writes a time for people: in UTC, to the second.
func FormatTime(t market.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// Optional writes what may be absent.
func Optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// YesNo formats a boolean for people.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// PrintText shows a long text that somebody wrote, below its name.
func (a *App) PrintText(name, text string) error {
	if text == "" {
		return nil
	}
	return a.Write([]byte(name + "\n" + QuotedBlock(text, a.Width)))
}

// FormatOptionalTime formats a time as FormatTime does; nil is empty.
func FormatOptionalTime(t *market.Time) string {
	if t == nil {
		return ""
	}
	return FormatTime(*t)
}
