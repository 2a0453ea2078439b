package reference

import (
	"html/template"
	"regexp"
	"strings"
)

var (
	codeSpan = regexp.MustCompile("`([^`]+)`")
	boldSpan = regexp.MustCompile(`\*\*([^*]+)\*\*`)
)

// markdown renders the subset of Markdown that the document uses: paragraphs, headings, lists, code
// and bold. All other syntax is rendered as text.
func markdown(text string) template.HTML {
	var out strings.Builder
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		writeBlock(&out, strings.Split(block, "\n"))
	}
	return template.HTML(out.String()) //nolint:gosec // inline escapes all text
}

// writeBlock writes the lines between two blank lines: first the headings, then the paragraph, then
// the list.
func writeBlock(out *strings.Builder, lines []string) {
	var paragraph, items []string
	for _, line := range lines {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "## "):
			out.WriteString("<h3>" + inline(trimmed[3:]) + "</h3>")
		case strings.HasPrefix(trimmed, "- "):
			items = append(items, trimmed[2:])
		case len(items) > 0:
			items[len(items)-1] += " " + trimmed
		case trimmed != "":
			paragraph = append(paragraph, trimmed)
		}
	}
	if len(paragraph) > 0 {
		out.WriteString("<p>" + inline(strings.Join(paragraph, " ")) + "</p>")
	}
	if len(items) == 0 {
		return
	}
	out.WriteString("<ul>")
	for _, item := range items {
		out.WriteString("<li>" + inline(item) + "</li>")
	}
	out.WriteString("</ul>")
}

func inline(text string) string {
	escaped := template.HTMLEscapeString(text)
	return boldSpan.ReplaceAllString(codeSpan.ReplaceAllString(escaped, "<code>$1</code>"), "<strong>$1</strong>")
}
