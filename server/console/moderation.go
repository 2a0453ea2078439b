package console

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"taskmarket/market"
	"taskmarket/server/content"
	"taskmarket/server/gate"
	"taskmarket/server/operate"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
)

func (c *Console) getModeration(v *visit) error {
	page, text := 1, v.r.URL.Query().Get("page")
	if text != "" {
		var err error
		if page, err = strconv.Atoi(text); err != nil {
			return market.Invalid("page", "range", "must be from 1 to %d", moderation.MaxCasePage)
		}
	}
	queue, err := operate.ReadQueue(v.ctx, c.Store, page)
	if err != nil {
		return err
	}
	authors := make([]uuid.UUID, len(queue.Appeals))
	for i, appeal := range queue.Appeals {
		authors[i] = appeal.AuthorID
	}
	usernames, err := c.Store.Operators.Usernames(v.ctx, authors)
	if err != nil {
		return err
	}
	return v.render("moderation", struct {
		operate.Queue

		Names names
	}{queue, usernames})
}

// casePage contains a subject and everything that a decision on it is based on.
type casePage struct {
	operate.Case

	Names    names
	Clause   string // what the terms forbid according to the rule that holds the task; empty if no rule holds it
	Withheld string // why the content is not shown; empty if it is
	Entries  auditList
	Draft    market.Decision // a decision that was refused, shown for correction
	Fault    error           // why it was refused
	Done     string          // what has just been done
}

// done contains a message for each completed action. The keys are the values of the query parameter done in
// the redirect that follows the action.
var done = map[string]string{
	"decided": "The decision has been recorded.", "lifted": "The measure has ended.",
	string(market.AppealUpheld): "The measure stays in force.", string(market.AppealReversed): "The decision is reversed.",
}

// Former returns text, a copy of the content, if the current content differs or is withheld, and
// otherwise "".
func (p casePage) Former(text string) string {
	if p.Withheld == "" && text == p.Content.Full() {
		return ""
	}
	return text
}

// Undecided reports whether there is something to close without a measure.
func (p casePage) Undecided() bool { return len(p.Reports) > 0 || p.Held() }

// Held reports whether a rule holds the task.
func (p casePage) Held() bool { return p.Content.State == string(market.VisibilityHeld) }

// Measures lists the measures that can be imposed now.
func (p casePage) Measures() []market.Measure {
	measure := market.MeasureNone
	for _, d := range p.Decisions {
		if inForce(d) {
			measure = d.Measure
		}
	}
	return slices.DeleteFunc(slices.Clone(market.Measures(p.Subject.Kind)), func(m market.Measure) bool {
		return m == market.MeasureNone || m.Replaces(measure, p.Subject.Kind) != nil
	})
}

// inForce reports whether the decision imposes a measure now.
func inForce(d market.Notice) bool { return d.Measure != market.MeasureNone && d.EndedAt == nil }

// pathSubject returns the subject in the path.
func pathSubject(v *visit) (market.Subject, error) {
	subject := market.Subject{Kind: market.SubjectKind(v.r.PathValue("kind"))}
	var err error
	if subject.ID, err = pathID(v); err == nil && !slices.Contains(market.SubjectKinds(), subject.Kind) {
		err = errNoPage
	}
	return subject, err
}

func (c *Console) getCase(v *visit) error {
	subject, err := pathSubject(v)
	if err != nil {
		return err
	}
	return c.showCase(v, http.StatusOK, casePage{Case: operate.Case{Subject: subject}, Done: done[v.r.URL.Query().Get("done")], Draft: market.Decision{Territory: "worldwide"}})
}

// showCase sends the page of a subject. Reading the content is recorded in the audit log.
func (c *Console) showCase(v *visit, status int, p casePage) error {
	var withheld, err error
	if p.Case, withheld, err = operate.ReadCase(v.ctx, c.Store, p.Subject, v.operator.Name); err != nil {
		return err
	}
	if withheld != nil {
		p.Withheld = gate.RefusalOf(withheld).Message
	}
	p.Clause = c.Clause(p.Content.Rule)
	entries, err := c.Store.Operators.AuditLog(v.ctx, operators.AuditQuery{Subject: p.Subject.ID.String(), Limit: auditPage})
	if err != nil {
		return err
	}
	if p.Entries, err = c.named(v.ctx, entries); err != nil {
		return err
	}
	reporters := make([]uuid.UUID, len(p.Reports))
	for i, report := range p.Reports {
		reporters[i] = report.ReporterID
	}
	if p.Names, err = c.Store.Operators.Usernames(v.ctx, reporters); err != nil {
		return err
	}
	return v.send("case", status, p)
}

// getFile sends the content of a reported file as a download, which browsers do not open automatically.
func (c *Console) getFile(v *visit) error {
	id, err := pathID(v)
	if err != nil {
		return err
	}
	name, reader, err := operate.OpenFile(v.ctx, c.Store, c.Files, id, v.operator.Name)
	if err != nil {
		return err
	}
	defer reader.Close()
	header := v.w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", content.Disposition(name))
	header.Set("Content-Length", strconv.FormatInt(reader.Size(), 10))
	header.Set(gate.PolicyHeader, gate.DownloadPolicy)
	if _, err := io.Copy(v.w, reader); err != nil {
		panic(http.ErrAbortHandler) // the status has been sent, so only an incomplete response can show the failure
	}
	return nil
}

// formText returns the text of a form field with CRLF, which browsers send for line breaks, replaced by LF.
func formText(v *visit, name string) string {
	return strings.ReplaceAll(v.r.PostFormValue(name), "\r\n", "\n")
}

func (c *Console) postDecision(v *visit) error {
	subject, err := pathSubject(v)
	if err != nil {
		return err
	}
	d := market.Decision{ID: uuid.Must(uuid.NewV7()), Subject: subject, Measure: market.Measure(v.r.PostFormValue("measure")), DecidedBy: v.operator.Name}
	if d.Measure != market.MeasureNone {
		d.Facts, d.Clause, d.Territory = formText(v, "facts"), formText(v, "clause"), formText(v, "territory")
	}
	if !v.confirmed() {
		if err = d.Check(); err == nil {
			return v.askDecision(d)
		}
	} else {
		_, err = c.Store.Moderation.Decide(v.ctx, d)
	}
	if kind := market.KindOf(err); kind == market.KindInvalid || kind == market.KindWrongStatus {
		refusal := gate.RefusalOf(err)
		return c.showCase(v, gate.StatusOf(refusal.Kind), casePage{Case: operate.Case{Subject: subject}, Draft: d, Fault: refusal})
	}
	if err != nil {
		return err
	}
	v.redirectToCase(subject, "decided")
	return nil
}

// askDecision asks the operator to confirm a decision.
func (v *visit) askDecision(d market.Decision) error {
	about, err := v.about(d.Subject)
	if err != nil {
		return err
	}
	q := question{
		Text:   fmt.Sprintf("Impose the measure “%s” on the %s? The author is notified, and can appeal.", d.Measure, about),
		Button: "Impose the measure", Back: casePath(d.Subject),
		Facts: [][2]string{{"Facts", d.Facts}, {"Clause", d.Clause}, {"Territory", d.Territory}},
	}
	if d.Measure == market.MeasureNone {
		q.Text, q.Button, q.Facts = "Decide that the "+about+" needs no measure? Open reports are closed, and a held task becomes visible.", "Decide without a measure", nil
	}
	return v.ask(q)
}

// aboutDecision names the subject of a decision or an appeal.
func (c *Console) aboutDecision(v *visit, id uuid.UUID) (string, error) {
	subject, err := c.Store.Moderation.DecisionSubject(v.ctx, id)
	if err != nil {
		return "", err
	}
	return v.about(subject)
}

func (c *Console) postLift(v *visit) error {
	id, err := pathID(v)
	if err != nil {
		return err
	}
	if !v.confirmed() {
		about, err := c.aboutDecision(v, id)
		if err != nil {
			return err
		}
		return v.ask(question{Text: "End the measure on the " + about + "?", Button: "End the measure", Back: "/moderation"})
	}
	lifted, err := c.Store.Moderation.Lift(v.ctx, id, v.operator.Name)
	if err != nil {
		return err
	}
	v.redirectToCase(lifted.Subject, "lifted")
	return nil
}

func (c *Console) postAppealDecision(v *visit) error {
	id, err := pathID(v)
	if err != nil {
		return err
	}
	outcome := market.AppealOutcome(v.r.PostFormValue("outcome"))
	if !v.confirmed() {
		about, err := c.aboutDecision(v, id)
		if err != nil {
			return err
		}
		q := question{
			Text: "Uphold the decision on the " + about + "? The measure stays.", Button: "Uphold the decision", Back: "/moderation",
			Facts: [][2]string{{"Reasons (shown to the author)", formText(v, "reasons")}},
		}
		if outcome == market.AppealReversed {
			q.Text, q.Button = "Reverse the decision on the "+about+"? The measure ends.", "Reverse the decision"
		}
		return v.ask(q)
	}
	notice, err := c.Store.Moderation.DecideAppeal(v.ctx, id, outcome, formText(v, "reasons"), v.operator.Name)
	if err != nil {
		return err
	}
	v.redirectToCase(notice.Subject, string(outcome))
	return nil
}

func (v *visit) redirectToCase(subject market.Subject, done string) {
	v.redirect(casePath(subject) + "?done=" + done)
}

// casePath returns the path of the page of a subject.
func casePath(s market.Subject) string { return "/moderation/" + string(s.Kind) + "/" + s.ID.String() }
