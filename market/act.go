package market

import (
	"slices"
	"strings"
	"sync"
)

// Act describes an action on a task, for every place that offers, checks, explains or performs it: the server's
// rules and operations, the Go client, the tools of MCP, the command line, the rescue command and the rescue page.
type Act struct {
	Action Action
	Does   string // completes "You can …"

	// Path is the path of the API operation, a POST, relative to the task; empty if the service has no operation.
	Path string
	// Operation is the operationId with which an agent begins the action; empty if agents cannot begin it in the API.
	Operation string
	// Advice says what an agent must know before it decides, in sentences; empty if the effect is sufficient.
	Advice string
	// Record means that the service stores a record for the action, before the call if there is one.
	Record bool
	// Call means that the action is a call to a contract, sent by the party's wallet.
	Call bool
	// Final means that the agent cannot undo the action, so that a person should confirm it.
	Final bool
	// Money is what the action does with the task's money.
	Money Money
	// Function is the escrow contract's function; empty if the action is only a record, or a call to another contract.
	Function string
	// Command is the rest of the command line after "taskmarket", with the placeholders TASK, the task's id, and NUMBER,
	// its number in the escrow; empty if agents have no command.
	Command string
	// Exit is the name of the rescue command's subcommand, which needs only the contracts; empty if there is none.
	Exit string

	Parties  []Role
	Statuses []Status

	sentence string // the rule in words, for error messages
	// The next three are conditions on the task in the escrow, so an action on a task that is not funded has none.
	only    func(*EscrowTask) Role   // returns the only role allowed for this task; if nil, every role in Parties is allowed
	when    func(*EscrowTask) window // returns the time window; if nil, the action is possible at any time
	unless  func(*EscrowTask) string // returns the reason why the action is not allowed, or ""; nil if there is no such condition
	visible bool                     // whether the task must be shown, so that no agent pays for a task that humans cannot see

	// effects says what the action does, to each party that it needs to be explained to before a decision.
	effects map[Role]string
}

// Money is what an action does with a task's amount or a stake.
type Money string

// The values of Money.
const (
	MoneyStays     Money = ""
	MoneyLocked    Money = "locked"    // taken from the wallet with a permit, which the wallet signs first
	MoneyPromised  Money = "promised"  // the agent gives up the amount: the human gets it later if nothing else is decided
	MoneyForfeited Money = "forfeited" // the human loses the stake
	MoneyReturned  Money = "returned"  // the human gets the stake
	MoneyRefunded  Money = "refunded"  // the agent gets the amount, and an accepted human the stake
	MoneyPaid      Money = "paid"      // the human gets the payment and the stake
)

// OnApplication reports whether the action is about one application, not about the whole task.
func (a Act) OnApplication() bool { return strings.Contains(a.Path, "{appId}") }

// Effect says what the action does, in sentences to the party that performs it. It contains {amount}, {payout}, {fee}
// and {stake} in place of the task's amounts: see EffectInWords. It is empty if the action explains itself.
func (a Act) Effect(role Role) string { return a.effects[role] }

// EffectInWords is Effect with words in place of the amounts.
func (a Act) EffectInWords(role Role) string { return amountWords.Replace(a.effects[role]) }

var amountWords = strings.NewReplacer(
	" of {stake}", "", " The fee is {fee}.", "", "{amount}", "the amount", "{payout}", "the amount minus the fee")

// ChainStatuses returns the states of the escrow contract in which the action can be possible.
func (a Act) ChainStatuses() []ChainStatus {
	var statuses []ChainStatus
	for _, row := range StatusTable() {
		if slices.ContainsFunc(row.Statuses, func(s Status) bool { return slices.Contains(a.Statuses, s) }) &&
			(a.unless == nil || a.unless(&EscrowTask{Status: row.Chain}) == "") {
			statuses = append(statuses, row.Chain)
		}
	}
	return statuses
}

// Acts returns the acts in the order in which they are offered.
func Acts() []Act { return slices.Clone(acts()) }

// ActOf returns the act of an action. It panics if the action is unknown.
func ActOf(action Action) Act {
	act, ok := ActNamed(string(action))
	if !ok {
		panic("market: unknown action " + action)
	}
	return act
}

// ActNamed returns the act of an action with this name, and whether there is one.
func ActNamed(name string) (Act, bool) {
	return findAct(func(a Act) bool { return string(a.Action) == name })
}

// ActOfOperation returns the act that an agent begins with the API operation, and whether there is one.
func ActOfOperation(id string) (Act, bool) {
	return findAct(func(a Act) bool { return a.Operation == id })
}

// ActOfCommand returns the act that the subcommand of the command line performs, and whether there is one.
func ActOfCommand(name string) (Act, bool) {
	return findAct(func(a Act) bool { return a.CommandName() == name })
}

// CommandName returns the name of the subcommand in Command.
func (a Act) CommandName() string {
	name, _, _ := strings.Cut(a.Command, " ")
	return name
}

func findAct(matches func(Act) bool) (Act, bool) {
	i := slices.IndexFunc(acts(), matches)
	if i < 0 {
		return Act{}, false
	}
	return acts()[i], true
}

// acts is the table of acts, which contains the service's rules and the contracts' rules. Handlers check these rules
// before they return calldata.
var acts = sync.OnceValue(func() []Act { return append(append(recordActs(), hiringActs()...), workActs()...) })

// recordActs returns the actions on records that only the service stores.
func recordActs() []Act {
	return []Act{
		{
			Action: ActionUploadFile, Record: true, Does: "upload a file", Path: "/files/", Command: "files upload TASK PATH",
			Parties:  []Role{RoleAgent, RoleHuman},
			Statuses: []Status{StatusFunded, StatusActive, StatusExpired, StatusSubmitted, StatusValidating, StatusDisputed},
			sentence: "files can be added only to a task that is funded and has not ended",
		},
		{
			Action: ActionMessage, Record: true, Does: "write to the other party", Path: "/messages/", Command: "send-message TASK TEXT",
			Parties: []Role{RoleAgent, RoleHuman},
			Statuses: []Status{
				StatusActive, StatusExpired, StatusSubmitted, StatusValidating, StatusDisputed,
				StatusApproved, StatusRejected, StatusCancelled,
			},
			sentence: "the agent and the human can write to each other once a human is assigned", unless: neverAssigned,
		},
		{
			Action: ActionReview, Record: true, Does: "review the other party", Path: "/reviews", Command: "create-review TASK --rating RATING",
			Operation: "reviewTask", Final: true, Advice: "Possible after the task has ended: rate the human that you accepted from 1 to 5, with an optional comment.",
			Parties: []Role{RoleAgent, RoleHuman}, Statuses: []Status{StatusApproved, StatusRejected, StatusCancelled},
			sentence: "a task can be reviewed only after it has ended, and only if a human was assigned", unless: neverAssigned,
			effects: map[Role]string{RoleAgent: "The review is published under your name and is final."},
		},
		{
			Action: ActionRespond, Record: true, Does: "answer the dispute", Path: "/dispute/response", Command: "answer-dispute TASK TEXT",
			Operation: "answerDispute", Final: true,
			Parties: []Role{RoleAgent, RoleHuman}, Statuses: []Status{StatusDisputed}, only: accused,
			sentence: "only the party that did not open the dispute can answer it, within " + FormatDuration(ResponseWindow),
			when:     func(e *EscrowTask) window { return window{closes: e.DisputedAt.Add(ResponseWindow)} },
			effects:  map[Role]string{RoleAgent: "The answer is sent to the validators and is final."},
		},
	}
}

// hiringActs returns the actions until work is submitted that are calls to the contracts. The contracts enforce their
// rules too, except for ActionFund: only the service knows whether a task is new and shown.
func hiringActs() []Act {
	return []Act{
		{
			Action: ActionFund, Does: "lock the amount in the escrow", Path: "/confirm-create", Command: "create-task --resume",
			Operation: "createTask", Record: true, Call: true, Money: MoneyLocked,
			Advice:  "State exactly what to deliver, where and by when. Validators judge only by this text, and it cannot be changed.",
			Parties: []Role{RoleAgent}, Statuses: []Status{StatusNew}, visible: true,
			sentence: "only a new task that is shown can be funded",
			effects: map[Role]string{RoleAgent: "You lock {amount} in the escrow. The human gets {payout} when the work is approved. " +
				"You get {amount} back if validators reject the work, or if you cancel the task before work is submitted."},
		},
		{
			Action: ActionApply, Does: "apply for the task", Path: "/applications",
			Record: true, Call: true, Money: MoneyLocked,
			Parties: []Role{RoleOther, RoleApplicant, RoleValidator, RoleHuman}, Statuses: []Status{StatusFunded},
			sentence: "humans can apply only for a funded task",
		},
		{
			Action: ActionWithdraw, Does: "withdraw the application and its stake", Path: "/applications/{appId}/withdraw", Exit: "withdraw",
			Call: true, Money: MoneyReturned,
			Parties: []Role{RoleApplicant},
			Statuses: []Status{
				StatusFunded, StatusActive, StatusExpired, StatusSubmitted, StatusValidating, StatusDisputed,
				StatusApproved, StatusRejected, StatusCancelled,
			},
			sentence: "only a pending application, or an application with a locked stake, can be withdrawn",
			effects:  map[Role]string{RoleApplicant: "The application ends, and you get your stake of {stake} back."},
		},
		{
			Action: ActionAccept, Does: "accept an application", Path: "/applications/{appId}/accept",
			Operation: "acceptApplication", Call: true, Final: true, Money: MoneyPromised,
			Command: "accept-application TASK APPLICATION, from list-applications TASK",
			Parties: []Role{RoleAgent}, Statuses: []Status{StatusFunded},
			sentence: "an application can be accepted only while the task is funded",
			effects: map[Role]string{RoleAgent: "The task is assigned to this human, who can cancel until work is submitted. " +
				"From then on the task cannot be cancelled. The other applicants can withdraw their stakes."},
		},
		{
			Action: ActionReject, Does: "reject an application", Path: "/applications/{appId}/reject", Exit: "reject",
			Operation: "rejectApplication", Record: true, Call: true, Final: true, Money: MoneyForfeited,
			Advice:  "A reason is required if there is a stake. To choose another applicant, accept that one instead.",
			Command: "reject-application TASK APPLICATION, from list-applications TASK",
			Parties: []Role{RoleAgent}, Statuses: []Status{StatusFunded, StatusExpired},
			sentence: "an application can be rejected only while the task waits for a human", unless: humanAssigned,
			effects: map[Role]string{RoleAgent: "The application is rejected, and its stake of {stake} is lost to the treasury. This cannot be undone."},
		},
		{
			Action: ActionSubmit, Does: "submit the work", Path: "/submission", Function: "submitTask(uint256,bytes32)", Exit: "submit",
			Record: true, Call: true,
			Parties: []Role{RoleHuman}, Statuses: []Status{StatusActive, StatusExpired},
			sentence: "work can be submitted only for an active task", unless: noHuman,
			effects: map[Role]string{RoleHuman: "The hash of your work is stored on the chain. If the agent does nothing and validators do not decide, " +
				"anyone can release the payment to you " + FormatDuration(SettleDelay) + " from now. " +
				"If validators reject the work, you are not paid and lose your stake of {stake}."},
		},
		{
			Action: ActionCancel, Does: "cancel the task", Path: "/cancel", Function: "cancelTask(uint256)", Command: "cancel-task TASK", Exit: "cancel",
			Operation: "cancelTask", Call: true, Final: true, Money: MoneyRefunded,
			Parties: []Role{RoleAgent}, Statuses: []Status{StatusFunded, StatusActive, StatusExpired},
			sentence: "only a funded, active or expired task without a submission can be cancelled",
			effects: map[Role]string{RoleAgent: "The task ends for good, and you get {amount} back. An accepted human is not paid and gets the stake back; " +
				"other applicants can withdraw theirs."},
		},
		{
			Action: ActionResign, Does: "give up the task", Function: "cancelTask(uint256)", Exit: "resign",
			Call: true, Money: MoneyRefunded,
			Parties: []Role{RoleHuman}, Statuses: []Status{StatusActive, StatusExpired},
			sentence: "only an active task without a submission can be given up", unless: noHuman,
			effects: map[Role]string{RoleHuman: "The task ends. The agent gets {amount} back, and you get your stake of {stake} back."},
		},
	}
}

// workActs returns the actions on submitted work that are calls to the contracts, which enforce their rules too.
func workActs() []Act {
	underReview := []Status{StatusSubmitted, StatusValidating, StatusDisputed}
	settled := "The time for a decision is over. The human is paid {payout} and gets the stake of {stake} back. The fee is {fee}."
	return []Act{
		{
			Action: ActionApprove, Does: "approve the work", Path: "/approve", Function: "agentApproveTask(uint256)",
			Operation: "approveTask", Call: true, Final: true, Money: MoneyPromised, Advice: "Review the work first.",
			Command: "approve-submission TASK", Exit: "approve",
			Parties: []Role{RoleAgent}, Statuses: underReview,
			sentence: "only submitted work can be approved", unless: approvedAlready,
			effects: map[Role]string{RoleAgent: "The human is paid {payout} when validators confirm the work, or when anyone releases the payment, " +
				"which is possible from " + FormatDuration(ApprovedReview) + " after your approval. This cannot be undone."},
		},
		{
			Action: ActionDispute, Does: "dispute the work", Path: "/dispute", Function: "disputeTask(uint256)",
			Operation: "disputeTask", Record: true, Call: true, Final: true,
			Advice:  "The reason must name the requirements of the task that the work does not meet.",
			Command: "dispute-task TASK --reason TEXT", Exit: "dispute",
			Parties: []Role{RoleAgent, RoleHuman}, Statuses: []Status{StatusSubmitted},
			sentence: "only submitted work can be disputed, within " + FormatDuration(DisputeWindow) + " of the submission",
			when:     func(e *EscrowTask) window { return window{closes: e.DisputeDeadline()} }, unless: approvedAlready,
			effects: map[Role]string{
				RoleAgent: "Validators decide, and this cannot be undone. If they reject the work, you get {amount} back and the human loses the stake of {stake}. " +
					"If they do not decide, anyone can release the payment to the human " + FormatDuration(DisputedReview) + " from now.",
				RoleHuman: "Validators decide, and this cannot be undone. If they reject the work, the agent gets {amount} back and you lose your stake of {stake}. " +
					"If they do not decide, anyone can release the payment to you " + FormatDuration(SettleDelay) + " from now.",
			},
		},
		{
			Action: ActionVerdict, Does: "decide about the work", Path: "/verdicts",
			Record:  true,
			Parties: []Role{RoleValidator}, Statuses: underReview,
			sentence: "verdicts are accepted only while a review or a dispute is open",
			when:     func(e *EscrowTask) window { r := e.Round(); return window{r.Opens, r.Closes} },
		},
		{
			Action: ActionSettle, Does: "settle the overdue work", Function: "settle(uint256)", Command: "rescue settle NUMBER", Exit: "settle",
			Call: true, Money: MoneyPaid,
			Parties: []Role{RoleAgent, RoleHuman, RoleApplicant, RoleValidator, RoleOther}, Statuses: underReview,
			sentence: "only work under review can be settled",
			when:     func(e *EscrowTask) window { return window{opens: e.SettleAt()} },
			effects: map[Role]string{
				RoleAgent: settled, RoleApplicant: settled, RoleValidator: settled, RoleOther: settled,
				RoleHuman: "The time for a decision is over. You are paid {payout} and get your stake of {stake} back. The fee is {fee}.",
			},
		},
		{
			Action: ActionEmergency, Does: "collect the payment", Function: "emergencyRelease(uint256)", Exit: "emergency-release",
			Call: true, Money: MoneyPaid,
			Parties: []Role{RoleHuman}, Statuses: underReview,
			sentence: "a payment can be collected only while the work is under review, after " + FormatDuration(EmergencyDelay) + " without activity",
			when:     func(e *EscrowTask) window { return window{opens: e.EmergencyAt()} },
			effects: map[Role]string{RoleHuman: "Nothing has happened for " + FormatDuration(EmergencyDelay) +
				": you are paid {payout} and get your stake of {stake} back. The fee is {fee}."},
		},
	}
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
