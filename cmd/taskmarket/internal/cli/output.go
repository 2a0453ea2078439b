package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"taskmarket/client/visible"
	"taskmarket/market"
)

// PrintJSON prints v as a JSON document, or only the member selected by --field.
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

// Print prints a result: v as JSON if --json is set, and otherwise the fields as text.
func (a *App) Print(v any, fields ...Field) error {
	if a.JSON {
		return a.PrintJSON(v)
	}
	return a.PrintFields(fields...)
}

// Write prints text on stdout.
func (a *App) Write(text []byte) error {
	if _, err := a.Stdout.Write(text); err != nil {
		// The explicit exit code prevents the error from being classified as a network error.
		return Fail(ExitFailed, "write the result: %w", err)
	}
	return nil
}

// EncodeJSON encodes v, followed by a newline. It writes terminal control characters as JSON
// escapes, so the decoded value is unchanged.
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

// Field is a line of a printed record: a name and a value.
type Field [2]string

// PrintFields prints a record with aligned values. It omits fields with an empty value.
func (a *App) PrintFields(fields ...Field) error { return a.Write([]byte(a.FieldText(fields))) }

// FieldText returns the text that PrintFields prints for the fields.
func (a *App) FieldText(fields []Field) string {
	width := 0
	for _, f := range fields {
		if f[1] != "" {
			width = max(width, displaywidth.String(f[0]))
		}
	}
	var b strings.Builder
	for _, f := range fields {
		if f[1] != "" {
			b.WriteString(pad(f[0], width) + blank(gap) + wrapIndented(OneLine(f[1]), width+gap, a.Width) + "\n")
		}
	}
	return b.String()
}

// PrintTable prints a heading and rows. Each column is as wide as its longest cell.
func (a *App) PrintTable(heading []string, rows [][]string) error {
	widths := make([]int, len(heading))
	clean := make([][]string, len(rows))
	for i, row := range append([][]string{heading}, rows...) {
		cells := make([]string, len(heading))
		for j := range heading {
			cells[j] = OneLine(row[j])
			widths[j] = max(widths[j], displaywidth.String(cells[j]))
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

// gap is the number of spaces between columns.
const gap = 2

func blank(width int) string { return strings.Repeat(" ", max(0, width)) }

// pad adds spaces up to a number of terminal columns. Wide characters take two columns, combining ones none.
func pad(text string, width int) string { return text + blank(width-displaywidth.String(text)) }

// FormatTime formats a time in UTC with a precision of seconds.
func FormatTime(t market.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// Optional returns the text, or "" for nil.
func Optional(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// YesNo returns "yes" or "no".
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// PrintText prints third-party text below a heading.
func (a *App) PrintText(name, text string) error {
	if text == "" {
		return nil
	}
	return a.Write([]byte(name + "\n" + QuotedBlock(text, a.Width)))
}

// FormatOptionalTime is like FormatTime; for nil it returns "".
func FormatOptionalTime(t *market.Time) string {
	if t == nil {
		return ""
	}
	return FormatTime(*t)
}
