package console

import (
	"net/url"

	"github.com/google/uuid"

	"taskmarket/market"
)

// question is the page that asks an operator to confirm an action before it is performed.
type question struct {
	Text   string      // what the action does
	Button string      // label of the button that confirms it
	Back   string      // page to return to
	Facts  [][2]string // terms and texts that the operator checks
	Fields url.Values  // fields of the form, which are sent again
}

// confirmed reports whether the operator has confirmed the action of the form.
func (v *visit) confirmed() bool { return v.r.PostFormValue("confirmed") == "yes" }

// ask sends the page with the question. Its form sends the fields of the current form again.
func (v *visit) ask(q question) error {
	q.Fields = url.Values{}
	for name, values := range v.r.PostForm {
		if name != "csrf" && name != "confirmed" {
			q.Fields[name] = values
		}
	}
	return v.render("confirm", q)
}

// about names the subject of an action by its author, such as "profile of ada".
func (v *visit) about(subject market.Subject) (string, error) {
	names, err := v.console.Store.Operators.SubjectNames(v.ctx, []uuid.UUID{subject.ID})
	if err != nil {
		return "", err
	}
	if name, ok := names[subject.ID]; ok {
		return string(subject.Kind) + " of " + visible(name.Username), nil
	}
	return string(subject.Kind) + " " + subject.ID.String(), nil // deleted
}
