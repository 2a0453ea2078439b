package market

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Limits and windows of moderation. A test compares the lengths with openapi.yaml and with the SQL
// constraints.
const (
	MaxReportComment = 2_000
	MaxOpenReports   = 50 // undecided reports of one reporter, and undecided reports by rules about one author
	MaxAppeal        = 4_000
	MaxFacts         = 4_000 // facts of a statement of reasons
	MaxClause        = 200   // clause of the terms
	MaxTerritory     = 100
	HoldWindow       = 24 * time.Hour       // time in which a held task must be decided
	AppealWindow     = 184 * 24 * time.Hour // at least six months
)

// SubjectKind is a kind of record that users can report.
type SubjectKind string

// The records that users can report.
const (
	SubjectTask    SubjectKind = "task"
	SubjectProfile SubjectKind = "profile"
	SubjectMessage SubjectKind = "message" // a message about a task, or a direct message
	SubjectFile    SubjectKind = "file"
)

// SubjectKinds lists every kind of subject.
func SubjectKinds() []SubjectKind {
	return []SubjectKind{SubjectTask, SubjectProfile, SubjectMessage, SubjectFile}
}

// Private reports whether only the parties read records of this kind. Moderators read them only while a report or
// an appeal is open.
func (k SubjectKind) Private() bool { return k == SubjectMessage || k == SubjectFile }

// Subject identifies a record that is moderated.
type Subject struct {
	Kind SubjectKind
	ID   uuid.UUID
}

// ReportCategory is the reason for a report.
type ReportCategory string

// The categories of reports.
const (
	ReportIllegal     ReportCategory = "illegal"      // goods or services that are illegal
	ReportFraud       ReportCategory = "fraud"        // fraud, credential requests or off-platform payment
	ReportPrivacy     ReportCategory = "privacy"      // identity documents, personal data or surveillance
	ReportHarassment  ReportCategory = "harassment"   // threats, hate or harassment
	ReportSexual      ReportCategory = "sexual"       // sexual content
	ReportSpam        ReportCategory = "spam"         // unsolicited advertising or referral farming
	ReportOtherReason ReportCategory = "other_reason" // any other reason, which the comment explains
)

// ReportCategories lists every category.
func ReportCategories() []ReportCategory {
	return []ReportCategory{ReportIllegal, ReportFraud, ReportPrivacy, ReportHarassment, ReportSexual, ReportSpam, ReportOtherReason}
}

// Visibility states which users can read a task, a message or a file.
type Visibility string

// The visibilities. Only a task that is shown can be funded. On a funded task, the visibility does not affect
// the actions of its parties that move money.
const (
	VisibilityShown Visibility = "shown"
	// VisibilityHeld is for a task that a rule holds until a moderator decides. Only its agent can read
	// it. If it is funded nevertheless, its applicants, its assigned human and, after a submission, its
	// validators can read it too.
	VisibilityHeld Visibility = "held"
	// VisibilityHidden withholds a record from other users; its author can still read it. A hidden task
	// is not on the board, but its parties, its applicants and, after a submission, its validators can
	// still read it.
	VisibilityHidden Visibility = "hidden"
	// VisibilityRemoved is like VisibilityHidden, but the texts of a task are withheld from applicants,
	// and a file or message is withheld from its author too.
	VisibilityRemoved Visibility = "removed"
)

// Visibilities lists every visibility.
func Visibilities() []Visibility {
	return []Visibility{VisibilityShown, VisibilityHeld, VisibilityHidden, VisibilityRemoved}
}

// AccountState determines what an account may do.
type AccountState string

// The states of an account. None of them affects actions that move money.
const (
	AccountGood      AccountState = "good"
	AccountHidden    AccountState = "hidden"    // the profile is shown to its owner only
	AccountLimited   AccountState = "limited"   // no new tasks, applications or conversations
	AccountSuspended AccountState = "suspended" // also no direct messages, messages about ended tasks, reviews, reports or changes of the profile; its tasks that have not ended are hidden
)

// AccountStates lists every state, from the least to the most severe.
func AccountStates() []AccountState {
	return []AccountState{AccountGood, AccountHidden, AccountLimited, AccountSuspended}
}

// Restricted reports whether the account is barred from creating tasks, applications and conversations.
func (s AccountState) Restricted() bool { return s == AccountLimited || s == AccountSuspended }

// Refusal returns the KindRestricted error for an operation that an account in this state may not use.
func (s AccountState) Refusal() error {
	return Errorf(KindRestricted, "your account was %s by the moderators, so you cannot do this", s).
		WithHint("read the reasons with GET /notices, and appeal with POST /notices/{noticeId}/appeal; a measure on the other account of your wallet counts too; payments are not affected")
}

// Measure is what a moderator imposes on a subject.
type Measure string

// The measures. A task, message or file can be hidden or removed; an account can be hidden, limited
// or suspended.
const (
	MeasureNone    Measure = "none" // the report was unfounded, or the held task is shown
	MeasureHide    Measure = "hide"
	MeasureRemove  Measure = "remove"
	MeasureLimit   Measure = "limit"
	MeasureSuspend Measure = "suspend"
)

// Measures lists the measures for a kind of subject, from the least to the most severe.
func Measures(kind SubjectKind) []Measure {
	if kind == SubjectProfile {
		return []Measure{MeasureNone, MeasureHide, MeasureLimit, MeasureSuspend}
	}
	return []Measure{MeasureNone, MeasureHide, MeasureRemove}
}

// Visibility returns the visibility of a task, message or file under the measure.
func (m Measure) Visibility() Visibility {
	switch m {
	case MeasureHide:
		return VisibilityHidden
	case MeasureRemove:
		return VisibilityRemoved
	case MeasureNone, MeasureLimit, MeasureSuspend:
	}
	return VisibilityShown
}

// AccountState returns the state of an account under the measure.
func (m Measure) AccountState() AccountState {
	switch m {
	case MeasureHide:
		return AccountHidden
	case MeasureLimit:
		return AccountLimited
	case MeasureSuspend:
		return AccountSuspended
	case MeasureNone, MeasureRemove:
	}
	return AccountGood
}

// Automation states which part of a decision was automated.
type Automation string

// The degrees of automation. A person makes every decision.
const (
	AutomationNone      Automation = "none"
	AutomationDetection Automation = "detection" // a rule held the task, and a person decided
)

// Decision is a moderator's decision on a subject. Its territory, facts, automation and clause are
// the statement of reasons, which the author reads.
type Decision struct {
	ID         uuid.UUID
	Subject    Subject
	AuthorKind PrincipalKind
	AuthorID   uuid.UUID
	Measure    Measure
	Territory  string
	Facts      string
	Automation Automation
	Clause     string
	DecidedBy  string // the moderator, who is never shown to users
	DecidedAt  time.Time
	EndedAt    *time.Time // when the measure was lifted, reversed or replaced; nil while in force
	EndedBy    string

	// SubjectText is the subject's text when the measure was imposed, after the earlier versions of it that were
	// reported. It is for moderators only, and empty if no appeal is possible.
	SubjectText string
}

// Check validates a decision: the measure must exist for the kind of subject, and a measure other
// than MeasureNone requires a statement of reasons.
func (d *Decision) Check() error {
	if !slices.Contains(SubjectKinds(), d.Subject.Kind) {
		return Invalid("subject", "enum", "must be task, profile, message or file")
	}
	if !slices.Contains(Measures(d.Subject.Kind), d.Measure) {
		return Invalid("measure", "enum", "must be one of: %s (for a %s)", listed(Measures(d.Subject.Kind)), d.Subject.Kind)
	}
	if err := CheckOperatorName(d.DecidedBy); err != nil {
		return err
	}
	if d.Measure == MeasureNone {
		return nil
	}
	if err := checkStatementLine("territory", d.Territory, MaxTerritory); err != nil {
		return err
	}
	if err := checkLength("facts", d.Facts, MaxFacts); err != nil {
		return err
	}
	if err := CheckText("facts", d.Facts); err != nil {
		return err
	}
	return checkStatementLine("clause", d.Clause, MaxClause)
}

func checkStatementLine(field, text string, limit int) error {
	if err := checkLength(field, text, limit); err != nil {
		return err
	}
	return CheckLine(field, text)
}

// Replaces returns KindWrongStatus if a decision with measure m cannot follow the measure in force
// (MeasureNone if there is none). A measure can only become more severe; it ends when it is lifted or
// reversed. A decision without a measure leaves the measure in force unchanged.
func (m Measure) Replaces(inForce Measure, kind SubjectKind) error {
	order := Measures(kind)
	if m == MeasureNone || inForce == MeasureNone || slices.Index(order, m) > slices.Index(order, inForce) {
		return nil
	}
	return Errorf(KindWrongStatus, "the measure %q is in force, and %q is not more severe", inForce, m).
		WithHint("lift the measure first")
}

// AppealableAt returns KindWrongStatus unless the author can appeal against the decision at time now.
func (d *Decision) AppealableAt(now time.Time) error {
	switch {
	case d.Measure == MeasureNone:
		return Errorf(KindWrongStatus, "this decision imposed no measure")
	case d.EndedAt != nil:
		return Errorf(KindWrongStatus, "the measure has ended")
	case !now.Before(d.DecidedAt.Add(AppealWindow)):
		return Errorf(KindWrongStatus, "the time to appeal ended on %s", FormatTime(d.DecidedAt.Add(AppealWindow)))
	}
	return nil
}

// AppealOutcome is the decision on an appeal.
type AppealOutcome string

// The outcomes of an appeal. An appeal without an outcome is open.
const (
	AppealUpheld   AppealOutcome = "upheld"   // the measure stays
	AppealReversed AppealOutcome = "reversed" // the measure has ended
)

// Appeal is an author's objection to a decision.
type Appeal struct {
	ID         uuid.UUID
	DecisionID uuid.UUID
	Statement  string
	CreatedAt  time.Time
	Outcome    AppealOutcome // empty while open
	Reasons    string
	DecidedBy  string // never the moderator of the decision; never shown to users
	DecidedAt  *time.Time
}

// listed joins values for a message.
func listed[T ~string](values []T) string {
	words := make([]string, len(values))
	for i, value := range values {
		words[i] = string(value)
	}
	return strings.Join(words, ", ")
}

// CheckOutcome validates a decision on an appeal. It returns KindForbidden if the moderator also made
// the first decision.
func (d *Decision) CheckOutcome(outcome AppealOutcome, reasons, moderator string) error {
	if outcome != AppealUpheld && outcome != AppealReversed {
		return Invalid("outcome", "enum", "must be upheld or reversed")
	}
	if err := CheckOperatorName(moderator); err != nil {
		return err
	}
	if err := checkLength("reasons", reasons, MaxFacts); err != nil {
		return err
	}
	if err := CheckText("reasons", reasons); err != nil {
		return err
	}
	if SamePerson(moderator, d.DecidedBy) {
		return Errorf(KindForbidden, "you made the first decision, so another person must decide the appeal")
	}
	return nil
}

// CommandPrefix is the prefix of the names of operators who use `taskmarketd admin` instead of the console.
const CommandPrefix = "cli:"

// SamePerson reports whether two operator names can belong to one person, who may use both the console and
// the commands. It ignores CommandPrefix, also if it is repeated, and case. It also ignores a domain that only one of the names has,
// because names of system users have none. Example: ada@example.org and cli:ada can be the same person.
func SamePerson(a, b string) bool {
	a, b = withoutPrefixes(a), withoutPrefixes(b)
	userA, _, addressA := strings.Cut(a, "@")
	userB, _, addressB := strings.Cut(b, "@")
	if addressA != addressB {
		a, b = userA, userB
	}
	return strings.EqualFold(a, b)
}

// withoutPrefixes removes each CommandPrefix from the name of an operator, in upper or lower case: the name of a
// sign-in link can begin with it.
func withoutPrefixes(name string) string {
	for len(name) >= len(CommandPrefix) && strings.EqualFold(name[:len(CommandPrefix)], CommandPrefix) {
		name = name[len(CommandPrefix):]
	}
	return name
}

// RemovedText replaces the texts of a removed task for those who may not read them.
const RemovedText = "[removed]"

// Notice is a decision with the appeal against it.
type Notice struct {
	Decision
	Appeal *Appeal // nil if there is none
}

// Report is the report of a subject by a user or by one of the operator's rules. The reporter is never shown to
// other users.
type Report struct {
	ID           uuid.UUID
	ReporterKind PrincipalKind // empty if a rule reported the subject
	ReporterID   uuid.UUID
	Rule         string // name of the rule; empty if a user reported the subject
	Subject      Subject
	Category     ReportCategory
	Comment      string
	CreatedAt    time.Time
	Decided      bool
	SubjectText  string // the subject's text when it was reported, for moderators only; empty after the decision
}

// Hold is the state of a task that a rule held at its creation.
type Hold struct {
	Rule  string    // name of the rule
	DueAt time.Time // when the decision is due
}

// Shown reports whether moderation leaves the record visible to all users who may read such records.
func (v Visibility) Shown() bool { return v == VisibilityShown || v == "" }

// WithheldText replaces the text of a message that moderation withholds.
const WithheldText = "This message was removed by a moderator."

// Content returns the text of a message for its author or for another reader.
func (v Visibility) Content(text string, author bool) string {
	if v.Shown() || author && v == VisibilityHidden {
		return text
	}
	return WithheldText
}
