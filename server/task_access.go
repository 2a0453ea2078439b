package server

import (
	"context"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/lru"
	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/store"
)

// taskAccess reads tasks with the caller's permissions and checks whether the caller may act on
// them.
type taskAccess struct{ *contracts }

// taskFor returns a task that the caller may read, and the caller's role in it.
func (t *taskAccess) taskFor(ctx context.Context, id uuid.UUID) (market.Task, market.Role, error) {
	task, err := t.store.Task(ctx, id)
	if err != nil {
		return task, "", err
	}
	role, err := t.store.TaskRole(ctx, task, gate.PrincipalOf(ctx))
	if err != nil {
		return task, "", err
	}
	return task, role, task.ReadableBy(role)
}

// taskOf returns a task that belongs to the calling agent.
func (t *taskAccess) taskOf(ctx context.Context, id uuid.UUID) (market.Task, error) {
	task, role, err := t.taskFor(ctx, id)
	if err == nil && role != market.RoleAgent {
		err = market.Errorf(market.KindForbidden, "this task belongs to another agent")
	}
	return task, err
}

// chainTime returns the time of the last followed block. All contract windows are checked against
// it, never against this machine's clock.
func (t *taskAccess) chainTime(ctx context.Context) (time.Time, error) {
	head, err := t.store.Journal.Head(ctx)
	return head.Block.Time, err
}

// permits rejects an action that the caller's role or the task's status does not permit. It ignores
// the depth of the task's last change, so use it only for actions that move no money.
func (t *taskAccess) permits(ctx context.Context, task market.Task, action market.Action, role market.Role) error {
	if !action.Timed() {
		return task.Allow(action, role, time.Time{})
	}
	now, err := t.chainTime(ctx)
	if err != nil {
		return err
	}
	return task.Allow(action, role, now)
}

// allow is like permits, but for actions that move money: it also requires the configured finality
// of the task's last change.
func (t *taskAccess) allow(ctx context.Context, task market.Task, action market.Action, role market.Role) error {
	if err := t.permits(ctx, task, action, role); err != nil {
		return err
	}
	return t.checkFinality(task)
}

// viewFor returns a task that the caller may read, with the data that depends on the caller.
func (t *taskAccess) viewFor(ctx context.Context, id uuid.UUID) (taskView, error) {
	view := taskView{viewer: gate.PrincipalOf(ctx)}
	var err error
	if view.TaskView, err = t.store.TaskView(ctx, id); err != nil {
		return view, err
	}
	view.role = view.RoleOf(view.viewer)
	if view.byHuman() {
		if err := t.involve(ctx, &view); err != nil {
			return view, err
		}
	}
	if err := view.ReadableBy(view.role); err != nil || view.role != market.RoleAgent || view.HumanID == nil {
		return view, err
	}
	accepted, err := t.store.ApplicationOf(ctx, view.ID, *view.HumanID)
	if market.KindOf(err) == market.KindNotFound {
		return view, nil
	}
	view.application = &accepted.ID
	return view, err
}

// involve adds the viewer's involvement to a view.
func (t *taskAccess) involve(ctx context.Context, view *taskView) error {
	involvements, err := t.store.Involvements(ctx, view.viewer, view.ID)
	view.involve(involvements[view.ID])
	return err
}

func (v *taskView) involve(i store.Involvement) {
	v.involved, v.role = i, i.Role(v.Task, v.viewer)
	if i.Application != nil {
		v.application = &i.Application.ID
	}
}

// taskPage returns a page of tasks. In the caller's own lists, each task has the caller's actions.
func (t *taskAccess) taskPage(ctx context.Context, query store.TaskQuery) (api.TaskPage, error) {
	page, err := t.store.Tasks(ctx, query)
	if err != nil {
		return api.TaskPage{}, err
	}
	views := mapAll(page.Items, func(task store.TaskView) taskView {
		return taskView{TaskView: task, viewer: query.Viewer, role: task.RoleOf(query.Viewer)}
	})
	personal := query.Scope != store.ScopeBoard
	if personal || query.Viewer.Kind == market.PrincipalHuman {
		if err := t.involveAll(ctx, views, query.Viewer); err != nil {
			return api.TaskPage{}, err
		}
	}
	tasks := mapAll(views, toAPITask)
	if personal {
		now, err := t.chainTime(ctx)
		if err != nil {
			return api.TaskPage{}, err
		}
		for i, view := range views {
			tasks[i].Actions = new(mapAll(t.allowed(view, now), toAPIAllowedAction))
		}
	}
	return api.TaskPage{
		Tasks: tasks, Total: int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}, nil
}

// involveAll is involve for a page of tasks, with one statement.
func (t *taskAccess) involveAll(ctx context.Context, views []taskView, viewer market.Principal) error {
	ids := mapAll(views, func(v taskView) uuid.UUID { return v.ID })
	involvements, err := t.store.Involvements(ctx, viewer, ids...)
	for i := range views {
		views[i].involve(involvements[views[i].ID])
	}
	return err
}

// taskView is a task with the data that depends on the caller.
type taskView struct {
	store.TaskView
	viewer      market.Principal
	role        market.Role
	involved    store.Involvement // zero if the view does not need it
	application *uuid.UUID        // a human's own application, or for the agent the assigned human's; nil if there is none
}

func (v taskView) byHuman() bool { return v.viewer.Kind == market.PrincipalHuman }

func toAPITask(v taskView) api.Task {
	t := v.Task
	out := api.Task{
		ID: t.ID, AgentID: t.AgentID, AgentName: t.AgentName, AgentUsername: t.AgentUsername,
		AgentWalletAddress: addressText(t.AgentWallet), AgentIsVerified: t.AgentVerified,
		Title: t.Title, Description: t.Description, Skills: nonNil(t.Skills), Location: optional(t.Location), Remote: t.Remote,
		Status: api.TaskStatus(t.Status), Visibility: api.Visibility(t.Visibility), Hold: holdFor(t, v.role), Fundable: t.Fundable(v.CurrentFee),
		EscrowAmount: t.Amount.String(), FeePercent: market.FeePercent(t.FeeBasisPoints), FeeBasisPoints: int(t.FeeBasisPoints),
		PayoutAmount: market.Payout(t.Amount, t.FeeBasisPoints).String(), StakeAmount: market.RequiredStake(t.Amount).String(),
		Deadline: market.OptionalTime(t.Deadline), TermsHash: t.TermsHash.Hex(), ChainID: signed(t.ChainID), EscrowAddress: addressText(t.EscrowAddress),
		ValidatorCount: v.PanelSize, ValidatorApprovals: v.Tally.Approvals, ValidatorRejections: v.Tally.Rejections, ValidatorQuorum: v.Quorum,
		ApplicationCount: t.Applications, RejectedApplications: v.Rejections, ApplicationID: v.application, Finality: api.Finality(t.Finality),
		CreatedAt: market.TimeOf(t.CreatedAt), UpdatedAt: market.TimeOf(t.UpdatedAt),
	}
	if t.Status == market.StatusNew {
		out.LapsesAt = instant(t.UpdatedAt.Add(market.UnfundedLifetime))
	}
	if v.byHuman() {
		out.HasApplied = new(v.application != nil)
	}
	if t.Escrow != nil {
		addEscrow(&out, t)
	}
	if v.role == market.RoleApplicant || v.role == market.RoleOther {
		hideHuman(&out)
	}
	if t.TextsWithheldFrom(v.role) {
		out.Title, out.Description, out.Skills, out.Location = market.RemovedText, market.RemovedText, []string{}, nil
	}
	if t.Submission != nil && sees(t, v.role) {
		out.SubmissionNote, out.ProofURL = &t.Submission.Note, optional(t.Submission.ProofURL)
	}
	return out
}

// holdFor returns the hold of a task for its agent, or nil.
func holdFor(t market.Task, role market.Role) *api.Hold {
	if t.Hold == nil || role != market.RoleAgent {
		return nil
	}
	return &api.Hold{Rule: t.Hold.Rule, DueAt: market.TimeOf(t.Hold.DueAt)}
}

// sees reports whether the role may read the task's files, work, dispute and verdicts. The parties
// always may, validators may after the submission, and all other users may not.
func sees(t market.Task, role market.Role) bool {
	submitted := t.Escrow != nil && !t.Escrow.SubmittedAt.IsZero()
	return role == market.RoleAgent || role == market.RoleHuman || role == market.RoleValidator && submitted
}

// addEscrow adds the task's on-chain data.
func addEscrow(out *api.Task, t market.Task) {
	e := t.Escrow
	out.EscrowTaskID = new(strconv.FormatUint(e.ID, 10))
	out.TermsOnChain = e.TermsHash != (common.Hash{})
	out.EscrowCreationTxHash = txHash(e.Posted.TxHash)
	out.FundedAt, out.AcceptedAt, out.SubmittedAt = instant(e.PostedAt), instant(e.AcceptedAt), instant(e.SubmittedAt)
	out.DisputeDeadline, out.DisputedAt, out.AgentApprovedAt = instant(e.DisputeDeadline()), instant(e.DisputedAt), instant(e.ApprovedAt)
	out.WorkHash, out.SubmitTxHash = txHash(e.WorkHash), txHash(e.SubmitTx)
	if e.Human != (common.Address{}) {
		out.HumanID, out.HumanUsername = t.HumanID, optional(t.HumanUsername)
		out.HumanWalletAddress = new(addressText(e.Human))
	}
	switch {
	case e.Status == market.ChainCancelled:
		out.CancelledAt, out.SettleTxHash = instant(e.EndedAt), txHash(e.EndTx)
	case e.Status.Ended():
		out.SettledAt, out.SettleTxHash = instant(e.EndedAt), txHash(e.EndTx)
		if t.Status == market.StatusApproved {
			out.ApprovedAt = out.SettledAt
		}
	}
}

// hideHuman removes the identity of the assigned human. Only the parties and the validators may see it.
func hideHuman(out *api.Task) {
	out.HumanID, out.HumanUsername, out.HumanWalletAddress = nil, nil, nil
}

// txHash returns the hash in hexadecimal, or nil for the zero hash.
func txHash(h common.Hash) *string {
	if h == (common.Hash{}) {
		return nil
	}
	return new(h.Hex())
}

// instant converts t to a time in the API. It returns nil for the zero time.
func instant(t time.Time) *market.Time {
	if t.IsZero() {
		return nil
	}
	return new(market.TimeOf(t))
}

// addressTexts caches the texts of addresses, because computing their checksums would take a sixth of the time
// needed to convert a list of tasks.
var addressTexts = lru.NewCache[common.Address, string](4096)

// addressText returns the address with its checksum (EIP-55).
func addressText(a common.Address) string {
	text, ok := addressTexts.Get(a)
	if !ok {
		text = a.Hex()
		addressTexts.Add(a, text)
	}
	return text
}
