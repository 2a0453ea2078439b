package server

import (
	"cmp"
	"context"
	"math/big"
	"time"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/gazetteer"
	"taskmarket/store"
)

// tasksHandler handles the operations with the tag "tasks".
type tasksHandler struct {
	*confirmations

	now func() time.Time
}

// CreateTask records a task; no money is locked yet. The operator's rules can put the task on hold.
func (h *tasksHandler) CreateTask(ctx context.Context, request api.CreateTaskRequestObject) (api.CreateTaskResponseObject, error) {
	task, err := h.fromAPICreateTaskRequest(request.Body)
	if err != nil {
		return nil, err
	}
	if err := h.checkAcceptable(ctx, &task); err != nil {
		return nil, err
	}
	parameters, err := h.parameters(ctx)
	if err != nil {
		return nil, err
	}
	if task.ID, err = gate.RecordID(ctx); err != nil {
		return nil, err
	}
	agent := gate.PrincipalOf(ctx)
	task.AgentID, task.AgentUsername, task.AgentWallet, task.AgentVerified = agent.ID, agent.Username, agent.Wallet, agent.Verified
	task.FeeBasisPoints = parameters.FeeBasisPoints
	task.ChainID, task.EscrowAddress = h.deployment.ChainID, h.deployment.Escrow
	task.TermsHash = task.Terms().Hash()
	created, err := h.store.CreateTask(ctx, task)
	if err != nil {
		return nil, err
	}
	return api.CreateTask201JSONResponse{Body: toAPITask(taskView{role: market.RoleAgent, TaskView: store.TaskView{
		Task: created, CurrentFee: parameters.FeeBasisPoints, PanelSize: parameters.PanelSize(parameters.Panel), Quorum: int(parameters.QuorumOf(parameters.Panel)),
	}})}, nil
}

// checkAcceptable returns an error if the operator forbids the task or the caller's wallet, and puts the task
// on hold if one of the operator's rules matches it.
func (h *tasksHandler) checkAcceptable(ctx context.Context, task *market.Task) error {
	if err := h.screen.CheckWallet(gate.PrincipalOf(ctx).Wallet); err != nil {
		return err
	}
	instance := h.screen.Instance()
	if err := instance.CheckTask(task.Skills, task.Location); err != nil {
		return err
	}
	texts := append([]string{task.Title, task.Description, task.Location}, task.Skills...)
	if rule := cmp.Or(h.screen.Match(texts...), instance.Match(*task)); rule != "" {
		task.Hold = &market.Hold{Rule: rule}
	}
	return nil
}

func (h *tasksHandler) fromAPICreateTaskRequest(body *api.CreateTaskRequest) (market.Task, error) {
	amount, err := market.ParseWei(body.EscrowAmount)
	if err != nil {
		return market.Task{}, err
	}
	if amount.Cmp(market.MinimumEscrow()) < 0 {
		return market.Task{}, market.Invalid("escrow_amount", "minimum", "must be at least %s wei", market.MinimumEscrow())
	}
	if amount.Cmp(market.MaximumEscrow()) > 0 {
		return market.Task{}, market.Invalid("escrow_amount", "maximum", "must be at most %s wei", market.MaximumEscrow())
	}
	deadline, err := h.deadline(body.Deadline.Optional())
	if err != nil {
		return market.Task{}, err
	}
	task := market.Task{
		Title: body.Title, Description: body.Description, Amount: amount, Deadline: deadline,
		Skills: deref(body.Skills), Location: deref(body.Location), Place: gazetteer.Fold(deref(body.Location)),
		Remote: deref(body.Remote),
	}
	return task, market.CheckTaskContents(task.Title, task.Description, task.Location, task.Skills)
}

// deadline truncates the deadline to whole seconds, the resolution of block times, and checks it.
func (h *tasksHandler) deadline(requested *time.Time) (*time.Time, error) {
	if requested == nil {
		return nil, nil
	}
	now, deadline := h.now(), requested.UTC().Truncate(time.Second)
	switch {
	case !deadline.After(now):
		return nil, market.Invalid("deadline", "past", "must be in the future")
	case deadline.Sub(now) > market.MaxTaskDeadline:
		return nil, market.Invalid("deadline", "maximum", "must be within %d days", int(market.MaxTaskDeadline.Hours()/24))
	}
	return &deadline, nil
}

// GetTask returns a task if the caller may read it.
func (h *tasksHandler) GetTask(ctx context.Context, request api.GetTaskRequestObject) (api.GetTaskResponseObject, error) {
	view, err := h.viewFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	return api.GetTask200JSONResponse{Body: toAPITask(view)}, nil
}

// ListTasks returns the caller's tasks, or the board.
func (h *tasksHandler) ListTasks(ctx context.Context, request api.ListTasksRequestObject) (api.ListTasksResponseObject, error) {
	query, err := fromAPIListTasksParams(request.Params, gate.PrincipalOf(ctx))
	if err != nil {
		return nil, err
	}
	page, err := h.taskPage(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListTasks200JSONResponse{Body: page}, nil
}

func fromAPIListTasksParams(p api.ListTasksParams, viewer market.Principal) (store.TaskQuery, error) {
	query := store.TaskQuery{
		PageQuery: pageQuery(p.Page, p.PageSize, p.Cursor), Viewer: viewer, Scope: store.ScopeBoard,
		Q: deref(p.Q), Skill: deref(p.Skill), Place: gazetteer.Fold(deref(p.Location)), Remote: p.Remote,
		DueAfter: p.DueAfter.Optional(), AgentUsername: deref(p.Agent), Sort: store.TaskSort(deref(p.Sort)),
	}
	if viewer.Kind == market.PrincipalAgent {
		query.Scope = store.ScopeMine
	}
	if p.Scope != nil {
		query.Scope = store.TaskScope(*p.Scope)
	}
	for _, status := range deref(p.Status) {
		query.Status = append(query.Status, market.Status(status))
	}
	if p.Location != nil && query.Place == "" {
		return query, errBlankPlace
	}
	var err error
	if query.MinAmount, err = weiParameter("min_amount", p.MinAmount); err != nil {
		return query, err
	}
	query.MaxAmount, err = weiParameter("max_amount", p.MaxAmount)
	return query, err
}

func weiParameter(name string, text *api.Wei) (*big.Int, error) {
	if text == nil {
		return nil, nil
	}
	amount, err := market.ParseWei(*text)
	if err != nil {
		return nil, market.Invalid(name, "maximum", "must be below 2^256")
	}
	return amount, nil
}

// GetBoard returns the open tasks; it is public.
func (h *tasksHandler) GetBoard(ctx context.Context, request api.GetBoardRequestObject) (api.GetBoardResponseObject, error) {
	p := request.Params
	query := pageQuery(p.Page, p.PageSize, p.Cursor)
	page, err := h.store.Board(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.GetBoard200JSONResponse{Body: api.BoardPage{
		Tasks: mapAll(page.Items, toAPIBoardTask),
		Total: int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}}, nil
}

func toAPIBoardTask(t store.BoardTask) api.BoardTask {
	return api.BoardTask{
		ID: t.ID, Title: t.Title, Skills: nonNil(t.Skills), Location: optional(t.Location), Remote: t.Remote,
		EscrowAmount: t.Amount, Deadline: market.OptionalTime(t.Deadline),
		AgentName: t.AgentName, AgentUsername: t.AgentUsername, AgentIsVerified: t.AgentVerified,
	}
}

// ApproveTask returns the call that approves the work. If the request has a transaction hash, it
// first confirms that transaction.
func (h *tasksHandler) ApproveTask(ctx context.Context, request api.ApproveTaskRequestObject) (api.ApproveTaskResponseObject, error) {
	task, err := h.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	if request.Body != nil && request.Body.TxHash != nil {
		if task, err = h.awaitApproval(ctx, task, *request.Body.TxHash); err != nil {
			return nil, err
		}
	}
	p, err := h.approveCall(ctx, task)
	if err != nil {
		return nil, err
	}
	return api.ApproveTask200JSONResponse{Body: api.ApproveCalldata{
		Message:             p.say("Sign and send this call to approve the work.", "Your approval is already on-chain."),
		ApproveTaskCalldata: p.data(), To: p.to(), ChainID: p.chainID, Value: noValue,
		Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (h *tasksHandler) awaitApproval(ctx context.Context, task market.Task, text string) (market.Task, error) {
	tx, err := market.ParseHash("tx_hash", text)
	if err != nil || approvedIn(task) {
		return task, err
	}
	block, err := h.reader.ProveTx(ctx, tx, market.EventAgentApproved, &task)
	if err != nil {
		return task, err
	}
	return h.await(ctx, task.ID, block, approvedIn)
}

func approvedIn(task market.Task) bool { return task.Escrow != nil && task.Escrow.AgentApproved }

func (h *tasksHandler) approveCall(ctx context.Context, task market.Task) (prepared, error) {
	call := func() market.Call { return h.calls.ApproveTask(task.EscrowAddress, task.Escrow.ID) }
	if approvedIn(task) {
		return h.repeat(call()), nil
	}
	if err := h.allow(ctx, task, market.ActionApprove, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call())
}

// CancelTask returns the call that cancels the task and refunds its amount to the agent.
func (h *tasksHandler) CancelTask(ctx context.Context, request api.CancelTaskRequestObject) (api.CancelTaskResponseObject, error) {
	task, err := h.taskOf(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	p, err := h.cancelCall(ctx, task)
	if err != nil {
		return nil, err
	}
	return api.CancelTask200JSONResponse{Body: api.CancelCalldata{
		Message:            p.say("Sign and send this call to cancel the task and get the locked amount back.", "The task has already been cancelled on-chain."),
		CancelTaskCalldata: p.data(), To: p.to(), ChainID: p.chainID, Value: noValue,
		Simulated: p.simulated, AlreadyDone: p.alreadyDone(),
	}}, nil
}

func (h *tasksHandler) cancelCall(ctx context.Context, task market.Task) (prepared, error) {
	call := func() market.Call { return h.calls.CancelTask(task.EscrowAddress, task.Escrow.ID) }
	if task.Status == market.StatusCancelled {
		return h.repeat(call()), nil
	}
	if err := h.allow(ctx, task, market.ActionCancel, market.RoleAgent); err != nil {
		return prepared{}, err
	}
	return h.prepare(ctx, call())
}
