package server

import (
	"context"
	"math/big"
	"time"

	"github.com/google/uuid"

	"taskmarket/gen/api"
	"taskmarket/market"
	"taskmarket/server/gate"
	"taskmarket/server/gazetteer"
	"taskmarket/store"
)

// taskFor returns a task that the caller may read, and what the caller is to it.
func (s *Server) taskFor(ctx context.Context, id uuid.UUID) (market.Task, market.Role, error) {
	task, err := s.store.Task(ctx, id)
	if err != nil {
		return task, "", err
	}
	role, err := s.store.TaskRole(ctx, task, gate.PrincipalOf(ctx))
	if err != nil {
		return task, "", err
	}
	return task, role, task.ReadableBy(role)
}

// taskOf returns a task of the calling agent.
func (s *Server) taskOf(ctx context.Context, id uuid.UUID) (market.Task, error) {
	task, role, err := s.taskFor(ctx, id)
	if err == nil && role != market.RoleAgent {
		err = market.Errorf(market.KindForbidden, "this task belongs to another agent")
	}
	return task, err
}

// chainTime is the time of the last block followed. Every window of a contract
// is judged by it, never by this machine's clock.
func (s *Server) chainTime(ctx context.Context) (time.Time, error) {
	head, err := s.store.Head(ctx)
	return head.Block.Time, err
}

// permits refuses an action that the role or the state of the task does not
// permit, whatever the depth of the task's last change: for words, which are not
// money.
func (s *Server) permits(ctx context.Context, task market.Task, action market.Action, role market.Role) error {
	now, err := s.chainTime(ctx)
	if err != nil {
		return err
	}
	return task.Allow(action, role, now)
}

// allow is permits for what moves money: the task's last change must be deep enough.
func (s *Server) allow(ctx context.Context, task market.Task, action market.Action, role market.Role) error {
	if err := s.permits(ctx, task, action, role); err != nil {
		return err
	}
	return s.checkDepth(task)
}

// CreateTask records a task; nothing is locked for it yet.
func (s *Server) CreateTask(ctx context.Context, request api.CreateTaskRequestObject) (api.CreateTaskResponseObject, error) {
	task, err := s.fromAPICreateTaskRequest(request.Body)
	if err != nil {
		return nil, err
	}
	parameters, err := s.parameters(ctx)
	if err != nil {
		return nil, err
	}
	if task.ID, err = gate.RecordID(ctx); err != nil {
		return nil, err
	}
	agent := gate.PrincipalOf(ctx)
	task.AgentID, task.AgentUsername, task.AgentWallet, task.AgentVerified = agent.ID, agent.Username, agent.Wallet, agent.Verified
	task.FeeBasisPoints = parameters.FeeBasisPoints
	task.ChainID, task.EscrowAddress = s.deployment.ChainID, s.deployment.Escrow
	task.TermsHash = task.Terms().Hash()
	created, err := s.store.CreateTask(ctx, task)
	if err != nil {
		return nil, err
	}
	return api.CreateTask201JSONResponse{Body: toAPITask(taskView{role: market.RoleAgent, TaskView: store.TaskView{
		Task: created, CurrentFee: parameters.FeeBasisPoints, Quorum: int(parameters.QuorumOf(parameters.Panel)),
	}})}, nil
}

func (s *Server) fromAPICreateTaskRequest(body *api.CreateTaskRequest) (market.Task, error) {
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
	deadline, err := s.deadline(body.Deadline.Optional())
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

// deadline cuts to whole seconds, which is all that a block can tell.
func (s *Server) deadline(asked *time.Time) (*time.Time, error) {
	if asked == nil {
		return nil, nil
	}
	now, deadline := s.now(), asked.UTC().Truncate(time.Second)
	switch {
	case !deadline.After(now):
		return nil, market.Invalid("deadline", "past", "must be in the future")
	case deadline.Sub(now) > market.MaxTaskDeadline:
		return nil, market.Invalid("deadline", "maximum", "must be within %d days", int(market.MaxTaskDeadline.Hours()/24))
	}
	return &deadline, nil
}

// GetTask answers a task to those who may read it.
func (s *Server) GetTask(ctx context.Context, request api.GetTaskRequestObject) (api.GetTaskResponseObject, error) {
	view, err := s.viewFor(ctx, request.ID)
	if err != nil {
		return nil, err
	}
	return api.GetTask200JSONResponse{Body: toAPITask(view)}, nil
}

// viewFor returns a task that the caller may read, as the caller sees it.
func (s *Server) viewFor(ctx context.Context, id uuid.UUID) (taskView, error) {
	var view taskView
	var err error
	if view.TaskView, err = s.store.TaskView(ctx, id, gate.CallerOf(ctx).CachedKey); err != nil {
		return view, err
	}
	who := gate.PrincipalOf(ctx)
	if view.role, err = s.store.TaskRole(ctx, view.Task, who); err != nil {
		return view, err
	}
	if err := view.ReadableBy(view.role); err != nil {
		return view, err
	}
	return view, s.addApplication(ctx, &view, who)
}

// addApplication adds the application of the calling human, or for the agent
// that of the assigned one.
func (s *Server) addApplication(ctx context.Context, view *taskView, who market.Principal) error {
	applicant := view.HumanID
	if who.Kind == market.PrincipalHuman {
		view.human, applicant = true, &who.ID
	}
	if applicant == nil {
		return nil
	}
	application, err := s.store.ApplicationOf(ctx, view.ID, *applicant)
	if market.KindOf(err) == market.KindNotFound {
		return nil
	}
	view.application = &application.ID
	return err
}

// ListTasks answers the tasks of the caller, or the board.
func (s *Server) ListTasks(ctx context.Context, request api.ListTasksRequestObject) (api.ListTasksResponseObject, error) {
	query, err := fromAPIListTasksParams(request.Params, gate.PrincipalOf(ctx))
	if err != nil {
		return nil, err
	}
	query.CachedKey = gate.CallerOf(ctx).CachedKey
	page, err := s.taskPage(ctx, query)
	if err != nil {
		return nil, err
	}
	return api.ListTasks200JSONResponse{Body: page}, nil
}

func (s *Server) taskPage(ctx context.Context, query store.TaskQuery) (api.TaskPage, error) {
	page, err := s.store.Tasks(ctx, query)
	if err != nil {
		return api.TaskPage{}, err
	}
	return api.TaskPage{
		Tasks: mapAll(page.Items, func(task store.TaskView) api.Task {
			view := taskView{
				TaskView: task, role: task.RoleOf(query.Viewer), human: query.Viewer.Kind == market.PrincipalHuman,
			}
			if id, applied := page.Applied[task.ID]; applied {
				view.application = &id
			}
			return toAPITask(view)
		}),
		Total: int64(page.Total), Page: query.Page, PageSize: query.PageSize, NextCursor: optional(page.NextCursor),
	}, nil
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
