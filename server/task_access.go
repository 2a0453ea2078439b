package server

import (
	"context"
	"time"

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
	head, err := t.store.Head(ctx)
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
	own := query.Scope != store.ScopeBoard
	if own || query.Viewer.Kind == market.PrincipalHuman {
		if err := t.involveAll(ctx, views, query.Viewer); err != nil {
			return api.TaskPage{}, err
		}
	}
	tasks := mapAll(views, toAPITask)
	if own {
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
