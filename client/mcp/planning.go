package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/market"
)

// plannable is an action that must be planned before it is executed.
type plannable struct {
	operation string // operationId; the operation defines the arguments
	about     string
	without   []string
	// plan returns what the action would sign. It is nil for an action without a transaction, whose
	// plan contains only the effect of its act.
	plan func(context.Context, *client.Client, arguments) (client.Plan, error)
	do   func(context.Context, *client.Client, arguments) (done, error)
}

// act returns the action's entry in the table of acts.
func (s plannable) act() market.Act {
	act, _ := market.ActOfOperation(s.operation)
	return act
}

// decides reports whether the action decides about an escrow or a stake, so that it needs AgentOptions.AllowFinal.
func (s plannable) decides() bool { return s.act().Final && s.act().Call }

// done is the result of an executed action.
type done struct {
	task   *client.Task
	record map[string]any // an API response with untrusted text wrapped
	tx     *common.Hash
}

// plannables lists the actions that spend money or cannot be undone.
var plannables = []plannable{
	{
		operation: "createTask", without: []string{"idempotency_key"},
		about: "Plan to create a task: state exactly what to deliver, where and by when. Validators judge only by this text, and it cannot be changed. Locks nothing; returns what execute_plan would lock and pay. After execution, a call with the same arguments returns a plan for the same task, with already_done set to true, until another tool is called with the task's task_id.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			request, err := a.task()
			if err != nil {
				return client.Plan{}, err
			}
			return c.PlanCreateTask(ctx, request)
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			request, err := a.task()
			if err != nil {
				return done{}, err
			}
			if agreed, ok := ctx.Value(agreementKey{}).(*agreement); ok {
				request.PermitDeadline = agreed.plan.Deadline
			}
			task, err := c.CreateTask(ctx, request)
			return done{task: &task}, err
		},
	},
	{
		operation: "acceptApplication",
		about:     "Plan to assign your task to an applicant. Changes nothing; returns what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanAcceptApplication(ctx, a.id("task_id"), a.id("application_id"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.AcceptApplication(ctx, a.id("task_id"), a.id("application_id")))
		},
	},
	{
		operation: "rejectApplication",
		about:     "Plan to reject an applicant. If the application has a stake, the stake is forfeited for good, and a reason is required. To choose another applicant, accept that one instead. Changes nothing; returns what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanRejectApplication(ctx, a.id("task_id"), a.id("application_id"), a.text("reason"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			_, err := c.RejectApplication(ctx, a.id("task_id"), a.id("application_id"), a.text("reason"))
			return done{}, err
		},
	},
	{
		operation: "approveTask", without: []string{"tx_hash"},
		about: "Plan to approve submitted work, which cannot be undone. Review the work first. Changes nothing; returns what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanApprove(ctx, a.id("task_id"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.Approve(ctx, a.id("task_id")))
		},
	},
	{
		operation: "disputeTask",
		about:     "Plan to dispute submitted work, within " + market.FormatDuration(market.DisputeWindow) + " of the submission. The reason must name the requirements of the task that the work does not meet. Changes nothing; returns what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanDispute(ctx, a.id("task_id"), a.text("reason"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.Dispute(ctx, a.id("task_id"), a.text("reason")))
		},
	},
	{
		operation: "cancelTask",
		about:     "Plan to end a task without a submission and get its amount back. Changes nothing; returns what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanCancel(ctx, a.id("task_id"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.Cancel(ctx, a.id("task_id")))
		},
	},
	{
		operation: "reviewTask", without: []string{"idempotency_key"},
		about: "Plan to rate the human that you accepted for a task, after the task has ended: from 1 to 5, with an optional comment. The review is public.",
	},
	{
		operation: "answerDispute", without: []string{"idempotency_key"},
		about: "Plan to answer the human's dispute; the validators read both sides.",
	},
}

func of(outcome client.Outcome, err error) (done, error) {
	return done{task: &outcome.Task, tx: outcome.TxHash}, err
}

// arguments are an action's arguments, which were validated against its schema.
type arguments map[string]any

func (a arguments) text(name string) string { return text(a, name) }

// id parses the ID in an argument. The schema guarantees that it is valid.
func (a arguments) id(name string) uuid.UUID {
	id, _ := uuid.Parse(a.text(name))
	return id
}

// task returns the request for the task that the arguments describe.
func (a arguments) task() (client.TaskRequest, error) {
	amount, err := market.ParseWei(a.text("escrow_amount"))
	if err != nil {
		return client.TaskRequest{}, asOwnError(err)
	}
	request := client.TaskRequest{
		Title: a.text("title"), Description: a.text("description"), Amount: amount, Location: a.text("location"),
	}
	request.Remote, _ = a["remote"].(bool)
	for _, skill := range list(a, "skills") {
		request.Skills = append(request.Skills, fmt.Sprint(skill))
	}
	if deadline := a.text("deadline"); deadline != "" {
		at, err := market.ParseTime(deadline)
		if err != nil {
			return request, ownErrorf("invalid deadline %q: must be a time such as 2030-01-31T12:00:00Z", deadline)
		}
		request.Deadline = &at
	}
	return request, nil
}

// plan creates the tool that plans the action.
func (a *Agent) plan(c *contract, s plannable) (*tool, error) {
	op, known := c.operations[s.operation]
	if !known {
		return nil, fmt.Errorf("the API has no operation %s", s.operation)
	}
	in := c.arguments(op)
	properties, _ := in["properties"].(schema)
	for _, name := range s.without {
		delete(properties, name)
	}
	t, err := newTool("plan_"+snake(s.operation), s.about, reads, in, planResult())
	if err != nil {
		return nil, err
	}
	if s.plan == nil {
		s.do = recording(c, s.operation)
	}
	tasks, _ := c.shapeOf(c.operations["getTask"].answer, "", "")
	t.do = func(ctx context.Context, caller *client.Client, given map[string]any) (any, error) {
		return a.agree(ctx, caller, s, tasks, given)
	}
	return t, nil
}

// recording returns an action that only changes an API record.
func recording(c *contract, operation string) func(context.Context, *client.Client, arguments) (done, error) {
	op := c.operations[operation]
	answer, _ := c.shapeOf(op.answer, "", "")
	return func(ctx context.Context, caller *client.Client, a arguments) (done, error) {
		made, err := answer.ask(ctx, caller, op.request(a))
		return done{record: made}, err
	}
}

// agree makes a plan, stores it for execute_plan and returns it.
func (a *Agent) agree(ctx context.Context, caller *client.Client, s plannable, tasks *shape, given arguments) (any, error) {
	agreed := &agreement{spends: new(big.Int), final: s.act().Final}
	var result map[string]any
	if s.plan == nil {
		result = map[string]any{"action": snake(s.operation), "consequence": s.act().EffectInWords(market.RoleAgent), "spends": "0"}
	} else {
		plan, err := s.plan(ctx, caller, given)
		if err != nil {
			return nil, err
		}
		if !plan.Done {
			if err := a.spending.check(chargeOf(plan)); err != nil {
				return nil, err
			}
		}
		agreed.plan, agreed.spends = plan, orZero(plan.Spends)
		if result, err = members(plan); err != nil {
			return nil, err
		}
	}
	agreed.confirms = confirmationOf(s, agreed.plan, given)
	agreed.do = func(ctx context.Context) (any, error) {
		result, err := s.do(ctx, caller, given)
		if err != nil {
			return nil, err
		}
		return result.result(tasks)
	}
	if err := a.book.add(agreed); err != nil {
		return nil, err
	}
	result["plan_id"], result["expires_at"], result["arguments"] = agreed.id, market.TimeOf(agreed.expires), given
	return result, nil
}

// orZero returns 0 for a nil amount.
func orZero(wei *big.Int) *big.Int {
	if wei == nil {
		return new(big.Int)
	}
	return wei
}

// members converts a value to a map through its JSON encoding.
func members(value any) (map[string]any, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, json.Unmarshal(raw, &out)
}

// result returns the result for execute_plan.
func (d done) result(tasks *shape) (any, error) {
	result := map[string]any{"executed": true}
	if d.task != nil {
		task, err := members(d.task)
		if err != nil {
			return nil, err
		}
		result["task"] = tasks.wrap(task)
	}
	if d.tx != nil {
		result["tx_hash"] = d.tx
	}
	if d.record != nil {
		result["record"] = d.record
	}
	return result, nil
}

// planResult returns the schema for the result of every plan_… tool.
func planResult() schema {
	texts := schema{}
	for name, about := range map[string]string{
		"plan_id":        "The plan's id, for execute_plan.",
		"expires_at":     "When the plan expires.",
		"action":         "The action that execute_plan would take.",
		"consequence":    "The consequence of the action.",
		"spends":         "The amount that leaves the wallet, in wei of the token; pass it to execute_plan unchanged.",
		"releases":       "The amount that is given up without leaving the wallet, in wei of the token: the escrowed amount when an application is accepted or work is approved, or the human's stake when an application is rejected. It counts against the caps like spends, once for each escrow or stake.",
		"fee_amount":     "The platform's fee, in wei of the token.",
		"payout_amount":  "The payment to the human, in wei of the token.",
		"max_gas_cost":   "The maximum cost of gas, in wei of the chain's native coin.",
		"wallet_address": "The wallet that signs and pays.",

		"human_wallet_address": "The human's wallet, read from the chain.",
		"stake_amount":         "The human's stake in wei of the token, read from the chain.",
		"work_hash":            "The hash of the work on the chain; the note, the link and the files that the API shows match it.",
	} {
		texts[name] = schema{"type": "string", "description": about}
	}
	texts["arguments"] = schema{"type": "object", "description": "The arguments of the request."}
	return schema{"type": "object", "properties": texts, "required": []any{"plan_id", "expires_at", "action", "consequence", "spends"}}
}

// execute creates the tool that executes a plan.
func (a *Agent) execute() (*tool, error) {
	t, err := newTool("execute_plan",
		"Execute a plan. If it needs a transaction, the tool signs it, sends it and waits until it is on the chain. Each plan can be executed once. Show the plan to the person who decides before you call this. For an action that cannot be undone, the tool asks a person and does nothing if the person declines.",
		decides,
		object(schema{
			"plan_id": schema{"type": "string", "minLength": 1, "maxLength": 64, "description": "The plan's id."},
			"spends":  schema{"type": "string", "pattern": "^(0|[1-9][0-9]{0,77})$", "maxLength": 78, "description": "The plan's value of spends, unchanged: the amount that leaves the wallet, in wei of the token."},
		}, "plan_id", "spends"),
		schema{"type": "object", "required": []any{"executed"}, "properties": schema{
			"executed": schema{"type": "boolean"},
			"tx_hash":  schema{"type": "string", "description": "The hash of the mined transaction. Absent if no transaction was needed, and also for a created task or a rejected application."},
			"task":     schema{"type": "object", "description": "The task, as get_task returns it."},
			"record":   schema{"type": "object", "description": "The record that the API created or changed."},
		}})
	if err != nil {
		return nil, err
	}
	t.do = func(ctx context.Context, _ *client.Client, given map[string]any) (any, error) {
		agreed, question, err := a.approve(ctx, text(given, "plan_id"), text(given, "spends"))
		if question != nil || err != nil {
			return question, err
		}
		return agreed.do(context.WithValue(ctx, agreementKey{}, agreed))
	}
	return t, nil
}
