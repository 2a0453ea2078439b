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
	var view taskView
	var err error
	if view.TaskView, err = t.store.TaskView(ctx, id); err != nil {
		return view, err
	}
	who := gate.PrincipalOf(ctx)
	if view.role, err = t.store.TaskRole(ctx, view.Task, who); err != nil {
		return view, err
	}
	if err := view.ReadableBy(view.role); err != nil {
		return view, err
	}
	return view, t.addApplication(ctx, &view, who)
}

// addApplication adds an application to the view: a human's own application, or for the agent the
// application of the assigned human.
func (t *taskAccess) addApplication(ctx context.Context, view *taskView, who market.Principal) error {
	applicant := view.HumanID
	if who.Kind == market.PrincipalHuman {
		view.human, applicant = true, &who.ID
	}
	if applicant == nil {
		return nil
	}
	application, err := t.store.ApplicationOf(ctx, view.ID, *applicant)
	if market.KindOf(err) == market.KindNotFound {
		return nil
	}
	view.application = &application.ID
	return err
}

func (t *taskAccess) taskPage(ctx context.Context, query store.TaskQuery) (api.TaskPage, error) {
	page, err := t.store.Tasks(ctx, query)
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
