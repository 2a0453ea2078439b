package market

import (
	"context"
	"net/netip"
	"time"

	"github.com/google/uuid"
)

// AuditKind is the kind of an act in the audit log, which is unrelated to the auditor of the chain's
// records.
type AuditKind string

// The acts of users.
const (
	AuditSignIn       AuditKind = "sign_in"
	AuditSignOut      AuditKind = "sign_out" // with the detail AuditSessionLimit, if another sign-in ended the session
	AuditRegistration AuditKind = "registration"
	AuditKeyRotation  AuditKind = "key_rotation"
	AuditKeyRecovery  AuditKind = "key_recovery"
	AuditErasure      AuditKind = "erasure" // the account's personal data was erased, at its own or an operator's request
)

// The refused requests. One entry can stand for several requests of a minute; see AuditEntry.Count.
const (
	AuditSignInRefused AuditKind = "sign_in_refused"
	AuditKeyRefused    AuditKind = "key_refused"
	AuditCSRFRefused   AuditKind = "csrf_refused"
	AuditProofRefused  AuditKind = "proof_refused" // a wrong proof of the wallet, for example in a registration
	AuditForbidden     AuditKind = "forbidden"     // responses with status 403
)

// The acts of moderation.
const (
	AuditReport         AuditKind = "report"          // an account reported the subject
	AuditReportRead     AuditKind = "report_read"     // a moderator read private content through a report
	AuditDecision       AuditKind = "decision"        // a decision on the subject, with or without a measure
	AuditDecisionLifted AuditKind = "decision_lifted" // the end of a measure
	AuditAppeal         AuditKind = "appeal"
	AuditAppealDecision AuditKind = "appeal_decision"
	AuditRules          AuditKind = "rules" // a change of the rules that hold tasks
)

// The acts of operators.
const (
	AuditConsoleSignIn        AuditKind = "console_sign_in"
	AuditConsoleSignInRefused AuditKind = "console_sign_in_refused"
	AuditConsoleSignOut       AuditKind = "console_sign_out"
	AuditConsoleLink          AuditKind = "console_link"    // a sign-in link was created
	AuditConsoleRefused       AuditKind = "console_refused" // an operator without the required role
	AuditKeeperResend         AuditKind = "keeper_resend"
	AuditKeeperCancel         AuditKind = "keeper_cancel"
	AuditRecordsRead          AuditKind = "records_read"   // an operator read records of users, or the audit log
	AuditSessionsEnded        AuditKind = "sessions_ended" // all sessions of an account
	AuditReindex              AuditKind = "reindex"
	AuditRestore              AuditKind = "restore" // all credentials were revoked after a restore
	AuditFilesAdopted         AuditKind = "files_adopted"
)

// AuditSessionLimit is the detail of AuditSignOut if a new sign-in ended the session, because the human
// had MaxSessions open sessions.
const AuditSessionLimit = "session_limit"

// AuditKinds returns all kinds.
func AuditKinds() []AuditKind {
	return []AuditKind{
		AuditSignIn, AuditSignOut, AuditRegistration, AuditKeyRotation, AuditKeyRecovery, AuditErasure,
		AuditSignInRefused, AuditKeyRefused, AuditCSRFRefused, AuditProofRefused, AuditForbidden,
		AuditReport, AuditReportRead, AuditDecision, AuditDecisionLifted, AuditAppeal, AuditAppealDecision, AuditRules,
		AuditConsoleSignIn, AuditConsoleSignInRefused, AuditConsoleSignOut, AuditConsoleLink, AuditConsoleRefused,
		AuditKeeperResend, AuditKeeperCancel, AuditRecordsRead, AuditSessionsEnded, AuditReindex, AuditRestore, AuditFilesAdopted,
	}
}

// AuditEntry is a row of the audit log. It contains identifiers only: never secrets, and never texts of
// users. The database rejects spaces in every text field.
type AuditEntry struct {
	ID          int64
	At          time.Time
	Kind        AuditKind
	Account     uuid.UUID // account that acted; zero if it is unknown or an operator acted
	SubjectKind string    // kind of the record that the act concerns, such as task; empty without one
	Subject     string    // id of that record
	Detail      string    // code that qualifies the act, such as a measure or an operationId; empty without one
	Count       int       // number of acts that the entry stands for; 0 means 1
	Origin
}

// Origin is where an act comes from. It is the zero value for acts of the service itself.
type Origin struct {
	Network   netip.Prefix // network of the client: an IPv4 /24 or an IPv6 /48; zero if it is unknown
	RequestID string       // id of the request in the logs
	Operator  string       // name of the operator; empty for users
}

// AuditNetwork returns the part of an IP address that the audit log stores.
func AuditNetwork(address netip.Addr) netip.Prefix {
	const v4Bits, v6Bits = 24, 48
	address = address.Unmap().WithZone("")
	bits := v6Bits
	if address.Is4() {
		bits = v4Bits
	}
	network, _ := address.Prefix(bits) // the zero prefix for the zero address
	return network
}

type originKey struct{}

// WithOrigin returns a context for acts from the origin.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

// OriginOf returns the origin of the acts in a context; the zero value if it has none.
func OriginOf(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	return o
}
