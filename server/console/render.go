package console

import (
	"bytes"
	"fmt"
	"html/template"
	"log/slog"
	"math"
	"math/big"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/server/gate"
)

// page is the data of the layout that all pages share.
type page struct {
	Name     string // name of the template
	Operator market.Operator
	CSRF     string
	Body     any
}

// Title returns the page's heading.
func (p page) Title() string { return titles[p.Name] }

// Here reports whether the navigation link with the name leads to the page.
func (p page) Here(name string) bool { return p.Name == name }

var titles = map[string]string{
	"sign-in": "Sign in", "state": "Service", "keeper": "Keeper", "keeper-request": "Confirm", "accounts": "Accounts", "account": "Account",
	"tasks": "Tasks", "task": "Task", "audit": "Audit log", "moderation": "Moderation", "case": "Case", "confirm": "Confirm", "error": "This did not work",
}

// functions are the functions that the templates call.
var functions = template.FuncMap{
	"time":    func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05") },
	"iso":     market.FormatTime,
	"age":     func(d time.Duration) string { return max(0, d).Round(time.Second).String() },
	"seconds": func(n int64) string { return (time.Duration(n) * time.Second).String() },
	"past":    func(d time.Duration) string { return (-d).Round(time.Second).String() },
	"coins":   func(wei *big.Int) string { return strings.TrimSpace(market.FormatAmount(wei, "")) },
	"set":     func(id uuid.UUID) bool { return id != uuid.Nil },
	"plain":   visible,
	"lines":   visibleLines,
	"same":    market.SamePerson, "inforce": inForce,
	"moderated": func(kind string) bool { return slices.Contains(market.SubjectKinds(), market.SubjectKind(kind)) },
}

// visible replaces characters that could make a user's text look like a different text: control characters
// and zero-width characters. It keeps those of a text that market.CheckHidden permits, such as the joiners in emoji.
func visible(text string) string {
	hidden := market.CheckHidden("text", text) != nil
	return strings.Map(func(r rune) rune {
		if market.UnsafeInLine(r) || hidden && market.Hidden(r) {
			return '\uFFFD'
		}
		return r
	}, text)
}

// visibleLines is like visible, but keeps line breaks, and replaces a tab with four spaces.
func visibleLines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = visible(strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

// render sends a page. The page is rendered completely before any of it is sent, so that a template error
// does not produce a partial page.
func (v *visit) render(name string, body any) error {
	return v.send(name, http.StatusOK, body)
}

func (v *visit) send(name string, status int, body any) error {
	var html bytes.Buffer
	if err := v.console.pages.ExecuteTemplate(&html, name+".html", page{Name: name, Operator: v.operator, CSRF: v.csrf, Body: body}); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	_, _ = v.w.Write(html.Bytes()) // fails only if the client has disconnected
	return nil
}

// refuse sends an error page with the error's status.
func (v *visit) refuse(err error) {
	status := http.StatusInternalServerError
	if refusal := gate.RefusalOf(err); refusal != nil {
		status = gate.StatusOf(refusal.Kind)
	}
	v.fail(err, status)
}

// fail sends an error page with the status. The cause of an internal error is only logged.
func (v *visit) fail(err error, status int) {
	refusal := gate.RefusalOf(err)
	id := market.OriginOf(v.ctx).RequestID
	if refusal == nil || status >= http.StatusInternalServerError {
		v.console.Log.WarnContext(v.ctx, "console request failed", slog.Any("err", err), slog.String("path", v.r.URL.Path))
	}
	if refusal == nil {
		refusal = &market.Error{Message: "internal error; the cause was logged under this request id"}
	}
	if refusal.RetryAfter > 0 {
		v.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(refusal.RetryAfter.Seconds()))))
	}
	body := struct {
		Message, Hint, RequestID string
		SignIn                   bool // link to the sign-in page
	}{refusal.Message, refusal.Hint, id, refusal.Kind == market.KindUnauthorized}
	if err := v.send("error", status, body); err != nil {
		http.Error(v.w, refusal.Message, status)
	}
}
