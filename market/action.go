package market

import (
	"slices"
	"strings"
	"time"
)

// Action is an operation that a party can perform on a task.
type Action string

// The actions that a party can perform on a task.
const (
	ActionFund       Action = "fund"
	ActionApply      Action = "apply"
	ActionWithdraw   Action = "withdraw" // withdraws an application
	ActionAccept     Action = "accept"
	ActionReject     Action = "reject" // rejects an application
	ActionSubmit     Action = "submit"
	ActionApprove    Action = "approve"
	ActionDispute    Action = "dispute"
	ActionVerdict    Action = "verdict"
	ActionCancel     Action = "cancel"
	ActionResign     Action = "resign" // the human ends the task before submitting
	ActionSettle     Action = "settle"
	ActionEmergency  Action = "emergency_release"
	ActionReview     Action = "review"
	ActionUploadFile Action = "upload_file"
	ActionMessage    Action = "message"
	ActionRespond    Action = "respond" // responds to the other side's dispute
)

// window is a span of chain time. A zero bound means that the window is open at that end.
type window struct{ opens, closes time.Time }

func (w window) contains(now time.Time) bool {
	return (w.opens.IsZero() || !now.Before(w.opens)) && (w.closes.IsZero() || now.Before(w.closes))
}

// Allow returns KindForbidden if the role does not permit the action, KindWrongStatus if the task's
// state at chain time now does not permit it, and KindInvalid for an unknown action.
func (t *Task) Allow(action Action, role Role, now time.Time) error {
	act, ok := ActNamed(string(action))
	if !ok {
		return Errorf(KindInvalid, "unknown action %q", action)
	}
	return t.check(act, role, now)
}

// Statuses returns the statuses in which the action is permitted, if the other conditions of Allow hold.
func (a Action) Statuses() []Status { return slices.Clone(ActOf(a).Statuses) }

// Timed reports whether the action depends on the time. If not, Allow ignores the time.
func (a Action) Timed() bool { return ActOf(a).when != nil }

func (t *Task) check(a Act, role Role, now time.Time) error {
	if !slices.Contains(a.Parties, role) {
		return Errorf(KindForbidden, "%s", a.parties())
	}
	if !slices.Contains(a.Statuses, t.Status) {
		return Errorf(KindWrongStatus, "the task is %s; %s", t.Status, a.sentence)
	}
	if a.visible && !t.Shown() {
		return Errorf(KindWrongStatus, "the task is %s; %s", t.Visibility, a.sentence)
	}
	if t.Escrow == nil {
		return nil
	}
	if a.only != nil && a.only(t.Escrow) != role {
		return Errorf(KindForbidden, "%s", a.sentence)
	}
	if a.unless != nil {
		if reason := a.unless(t.Escrow); reason != "" {
			return Errorf(KindWrongStatus, "the task is %s and %s; %s", t.Status, reason, a.sentence)
		}
	}
	if a.when != nil && !a.when(t.Escrow).contains(now) {
		return Errorf(KindWrongStatus, "%s; %s", a.when(t.Escrow).missed(now), a.sentence)
	}
	return nil
}

// missed explains that chain time now is before or after the window.
func (w window) missed(now time.Time) string {
	text := "it is too late: this was possible until " + FormatTime(w.closes)
	if !w.opens.IsZero() && now.Before(w.opens) {
		text = "it is too early: this is possible from " + FormatTime(w.opens)
	}
	return text + ", and the chain's time is " + FormatTime(now)
}

// partyNames describes the roles of the parties, for error messages.
var partyNames = map[Role]string{
	RoleAgent: "the task's agent", RoleHuman: "the assigned human",
	RoleApplicant: "a human with an application", RoleValidator: "a validator of the task",
}

// parties states who can perform the action.
func (a Act) parties() string {
	if slices.Contains(a.Parties, RoleOther) {
		return "the task's agent cannot do this"
	}
	var names []string
	for _, role := range a.Parties {
		names = append(names, partyNames[role])
	}
	return "only " + strings.Join(names, " and ") + " can do this"
}

// AllowedAction is an action that a role can perform now or later.
type AllowedAction struct {
	Action Action
	Opens  time.Time // zero if the action is allowed now
	Closes time.Time // zero if no end is known
}

// transitionOut returns the time at which the task leaves the act's statuses without an action, or
// zero if there is no such time.
func (t *Task) transitionOut(a Act) time.Time {
	if at := t.TransitionAt(); at != nil && !slices.Contains(a.Statuses, StatusAt(t.Escrow, t.Deadline, *at)) {
		return *at
	}
	return time.Time{}
}

// AllowedActions returns the actions that the role can perform at chain time now, and the actions
// of the current status whose time window opens later.
func (t *Task) AllowedActions(role Role, now time.Time) []AllowedAction {
	var options []AllowedAction
	for _, a := range acts() {
		if !slices.Contains(a.Parties, role) || !slices.Contains(a.Statuses, t.Status) || a.visible && !t.Shown() {
			continue
		}
		var w window
		if t.Escrow != nil {
			if a.only != nil && a.only(t.Escrow) != role || a.unless != nil && a.unless(t.Escrow) != "" {
				continue
			}
			if a.when != nil {
				w = a.when(t.Escrow)
			}
		}
		if !w.closes.IsZero() && !now.Before(w.closes) {
			continue
		}
		if !w.opens.IsZero() && !now.Before(w.opens) {
			w.opens = time.Time{}
		}
		if w.closes.IsZero() {
			w.closes = t.transitionOut(a)
		}
		options = append(options, AllowedAction{Action: a.Action, Opens: w.opens, Closes: w.closes})
	}
	return options
}
