package market

import (
	"slices"
	"strings"
	"sync"
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

// rule defines which roles can perform an action, in which statuses and at which times.
type rule struct {
	action   Action
	roles    []Role
	statuses []Status
	sentence string                   // the rule in words, for error messages
	only     func(*EscrowTask) Role   // returns the only role allowed for this task; if nil, every role in roles is allowed
	when     func(*EscrowTask) window // returns the time window; if nil, the action is possible at any time
	unless   func(*EscrowTask) string // returns the reason why the action is not allowed, or ""; nil if there is no such condition
	shown    bool                     // whether the task must be shown, so that no agent pays for a task that humans cannot see
}

func approvedAlready(e *EscrowTask) string {
	if e.AgentApproved {
		return "the agent has approved this work"
	}
	return ""
}

func noHuman(e *EscrowTask) string {
	if e.Status != ChainActive {
		return "no human is assigned"
	}
	return ""
}

func humanAssigned(e *EscrowTask) string {
	if e.Status != ChainPosted {
		return "a human is already assigned"
	}
	return ""
}

func neverAssigned(e *EscrowTask) string {
	if e.AcceptedAt.IsZero() {
		return "no human was assigned"
	}
	return ""
}

// accused returns the role of the party that the dispute is against.
func accused(e *EscrowTask) Role {
	if e.DisputedBy == e.Agent {
		return RoleHuman
	}
	return RoleAgent
}

// rules returns the action table, which contains the service's rules and the contracts' rules.
// Handlers check these rules before they return calldata.
var rules = sync.OnceValue(func() []rule { return append(recordRules(), contractRules()...) })

// recordRules returns the rules for actions on records that only the service stores.
func recordRules() []rule {
	return []rule{
		{
			action: ActionUploadFile, roles: []Role{RoleAgent, RoleHuman},
			statuses: []Status{StatusFunded, StatusActive, StatusExpired, StatusSubmitted, StatusValidating, StatusDisputed},
			sentence: "files can be added only to a task that is funded and has not ended",
		},
		{
			action: ActionMessage, roles: []Role{RoleAgent, RoleHuman},
			statuses: []Status{
				StatusActive, StatusExpired, StatusSubmitted, StatusValidating, StatusDisputed,
				StatusApproved, StatusRejected, StatusCancelled,
			},
			sentence: "the agent and the human can write to each other once a human is assigned", unless: neverAssigned,
		},
		{
			action: ActionReview, roles: []Role{RoleAgent, RoleHuman}, statuses: []Status{StatusApproved, StatusRejected, StatusCancelled},
			sentence: "a task can be reviewed only after it has ended, and only if a human was assigned", unless: neverAssigned,
		},
		{
			action: ActionRespond, roles: []Role{RoleAgent, RoleHuman}, statuses: []Status{StatusDisputed}, only: accused,
			sentence: "only the party that did not open the dispute can answer it, within " + FormatDuration(ResponseWindow),
			when:     func(e *EscrowTask) window { return window{closes: e.DisputedAt.Add(ResponseWindow)} },
		},
	}
}

// contractRules returns the rules for actions that are calls to the contracts. The contracts enforce them too,
// except for ActionFund: only the service knows whether a task is new and shown.
func contractRules() []rule {
	underReview := []Status{StatusSubmitted, StatusValidating, StatusDisputed}
	return []rule{
		{
			action: ActionFund, roles: []Role{RoleAgent}, statuses: []Status{StatusNew}, shown: true,
			sentence: "only a new task that is shown can be funded",
		},
		{
			action: ActionApply, roles: []Role{RoleOther, RoleApplicant, RoleValidator, RoleHuman}, statuses: []Status{StatusFunded},
			sentence: "humans can apply only for a funded task",
		},
		{
			action: ActionWithdraw, roles: []Role{RoleApplicant},
			statuses: []Status{
				StatusFunded, StatusActive, StatusExpired, StatusSubmitted, StatusValidating, StatusDisputed,
				StatusApproved, StatusRejected, StatusCancelled,
			},
			sentence: "only a pending application, or an application with a locked stake, can be withdrawn",
		},
		{
			action: ActionAccept, roles: []Role{RoleAgent}, statuses: []Status{StatusFunded},
			sentence: "an application can be accepted only while the task is funded",
		},
		{
			action: ActionReject, roles: []Role{RoleAgent}, statuses: []Status{StatusFunded, StatusExpired},
			sentence: "an application can be rejected only while the task waits for a human", unless: humanAssigned,
		},
		{
			action: ActionSubmit, roles: []Role{RoleHuman}, statuses: []Status{StatusActive, StatusExpired},
			sentence: "work can be submitted only for an active task", unless: noHuman,
		},
		{
			action: ActionApprove, roles: []Role{RoleAgent}, statuses: underReview,
			sentence: "only submitted work can be approved", unless: approvedAlready,
		},
		{
			action: ActionDispute, roles: []Role{RoleAgent, RoleHuman}, statuses: []Status{StatusSubmitted},
			sentence: "only submitted work can be disputed, within " + FormatDuration(DisputeWindow) + " of the submission",
			when:     func(e *EscrowTask) window { return window{closes: e.DisputeDeadline()} }, unless: approvedAlready,
		},
		{
			action: ActionVerdict, roles: []Role{RoleValidator}, statuses: underReview,
			sentence: "verdicts are accepted only while a review or a dispute is open",
			when:     func(e *EscrowTask) window { r := e.Round(); return window{r.Opens, r.Closes} },
		},
		{
			action: ActionCancel, roles: []Role{RoleAgent}, statuses: []Status{StatusFunded, StatusActive, StatusExpired},
			sentence: "only a funded, active or expired task without a submission can be cancelled",
		},
		{
			action: ActionResign, roles: []Role{RoleHuman}, statuses: []Status{StatusActive, StatusExpired},
			sentence: "only an active task without a submission can be given up", unless: noHuman,
		},
		{
			action: ActionSettle, roles: []Role{RoleAgent, RoleHuman, RoleApplicant, RoleValidator, RoleOther}, statuses: underReview,
			sentence: "only work under review can be settled",
			when:     func(e *EscrowTask) window { return window{opens: e.SettleAt()} },
		},
		{
			action: ActionEmergency, roles: []Role{RoleHuman}, statuses: underReview,
			sentence: "a payment can be collected only while the work is under review, after " + FormatDuration(EmergencyDelay) + " without activity",
			when:     func(e *EscrowTask) window { return window{opens: e.EmergencyAt()} },
		},
	}
}

// Allow returns KindForbidden if the role does not permit the action, KindWrongStatus if the task's
// state at chain time now does not permit it, and KindInvalid for an unknown action.
func (t *Task) Allow(action Action, role Role, now time.Time) error {
	for _, r := range rules() {
		if r.action == action {
			return t.check(r, role, now)
		}
	}
	return Errorf(KindInvalid, "unknown action %q", action)
}

// Statuses returns the statuses in which the action is permitted, if the other conditions of Allow hold.
func (a Action) Statuses() []Status {
	for _, r := range rules() {
		if r.action == a {
			return slices.Clone(r.statuses)
		}
	}
	return nil
}

// Timed reports whether the action depends on the time. If not, Allow ignores the time.
func (a Action) Timed() bool {
	return slices.ContainsFunc(rules(), func(r rule) bool { return r.action == a && r.when != nil })
}

func (t *Task) check(r rule, role Role, now time.Time) error {
	if !slices.Contains(r.roles, role) {
		return Errorf(KindForbidden, "%s", r.parties())
	}
	if !slices.Contains(r.statuses, t.Status) {
		return Errorf(KindWrongStatus, "the task is %s; %s", t.Status, r.sentence)
	}
	if r.shown && !t.Shown() {
		return Errorf(KindWrongStatus, "the task is %s; %s", t.Visibility, r.sentence)
	}
	if t.Escrow == nil {
		return nil
	}
	if r.only != nil && r.only(t.Escrow) != role {
		return Errorf(KindForbidden, "%s", r.sentence)
	}
	if r.unless != nil {
		if reason := r.unless(t.Escrow); reason != "" {
			return Errorf(KindWrongStatus, "the task is %s and %s; %s", t.Status, reason, r.sentence)
		}
	}
	if r.when != nil && !r.when(t.Escrow).contains(now) {
		return Errorf(KindWrongStatus, "%s; %s", r.when(t.Escrow).missed(now), r.sentence)
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
func (r rule) parties() string {
	if slices.Contains(r.roles, RoleOther) {
		return "the task's agent cannot do this"
	}
	var names []string
	for _, role := range r.roles {
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

// transitionOut returns the time at which the task leaves the rule's statuses without an action, or
// zero if there is no such time.
func (t *Task) transitionOut(r rule) time.Time {
	if at := t.TransitionAt(); at != nil && !slices.Contains(r.statuses, StatusAt(t.Escrow, t.Deadline, *at)) {
		return *at
	}
	return time.Time{}
}

// AllowedActions returns the actions that the role can perform at chain time now, and the actions
// of the current status whose time window opens later.
func (t *Task) AllowedActions(role Role, now time.Time) []AllowedAction {
	var options []AllowedAction
	for _, r := range rules() {
		if !slices.Contains(r.roles, role) || !slices.Contains(r.statuses, t.Status) || r.shown && !t.Shown() {
			continue
		}
		var w window
		if t.Escrow != nil {
			if r.only != nil && r.only(t.Escrow) != role || r.unless != nil && r.unless(t.Escrow) != "" {
				continue
			}
			if r.when != nil {
				w = r.when(t.Escrow)
			}
		}
		if !w.closes.IsZero() && !now.Before(w.closes) {
			continue
		}
		if !w.opens.IsZero() && !now.Before(w.opens) {
			w.opens = time.Time{}
		}
		if w.closes.IsZero() {
			w.closes = t.transitionOut(r)
		}
		options = append(options, AllowedAction{Action: r.action, Opens: w.opens, Closes: w.closes})
	}
	return options
}
