package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/market"
)

// step is something that is planned before it is done.
type step struct {
	operation string // operationId, whose arguments it takes
	about     string
	without   []string
	final     bool // decides over an escrow or a stake: needs AgentOptions.AllowFinal
	// plan says what do would sign; nil for what is no transaction and has the
	// consequence alone.
	plan        func(context.Context, *client.Client, arguments) (client.Plan, error)
	consequence string
	do          func(context.Context, *client.Client, arguments) (done, error)
}

// done is what came of a step.
type done struct {
	task   *client.Task
	record map[string]any // an answer of the API, words of others wrapped
	tx     *common.Hash
}

// plannable are the steps that spend or cannot be undone.
var plannable = []step{
	{
		operation: "createTask", without: []string{"idempotency_key"},
		about: "Plan a task: say exactly what is to be delivered, where and by when; validators judge by this text alone and it cannot be changed. Locks nothing; answers what execute_plan would lock and pay. The same contents again are the same task, already_done, until a tool was called with its task_id.",
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
			task, err := c.CreateTask(ctx, request)
			return done{task: &task}, err
		},
	},
	{
		operation: "acceptApplication", final: true,
		about: "Plan to give your task to an applicant. Changes nothing; answers what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanAcceptApplication(ctx, a.id("task_id"), a.id("application_id"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.AcceptApplication(ctx, a.id("task_id"), a.id("application_id")))
		},
	},
	{
		operation: "rejectApplication", final: true,
		about: "Plan to turn an applicant down, which takes the human's stake for good. To choose somebody else, accept that one instead. Changes nothing; answers what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanRejectApplication(ctx, a.id("task_id"), a.id("application_id"), a.text("reason"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			_, err := c.RejectApplication(ctx, a.id("task_id"), a.id("application_id"), a.text("reason"))
			return done{}, err
		},
	},
	{
		operation: "approveTask", without: []string{"tx_hash"}, final: true,
		about: "Plan to approve delivered work, which cannot be taken back. Look at the work first. Changes nothing; answers what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanApprove(ctx, a.id("task_id"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.Approve(ctx, a.id("task_id")))
		},
	},
	{
		operation: "disputeTask", final: true,
		about: "Plan to dispute delivered work, within " + market.FormatDuration(market.DisputeWindow) + " of it: the reason says which words of the task are not met. Changes nothing; answers what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanDispute(ctx, a.id("task_id"), a.text("reason"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.Dispute(ctx, a.id("task_id"), a.text("reason")))
		},
	},
	{
		operation: "cancelTask", final: true,
		about: "Plan to end a task for which nothing was delivered, and get its amount back. Changes nothing; answers what execute_plan would do.",
		plan: func(ctx context.Context, c *client.Client, a arguments) (client.Plan, error) {
			return c.PlanCancel(ctx, a.id("task_id"))
		},
		do: func(ctx context.Context, c *client.Client, a arguments) (done, error) {
			return of(c.Cancel(ctx, a.id("task_id")))
		},
	},
	{
		operation: "reviewTask", without: []string{"idempotency_key"},
		about:       "Plan to rate the human of an ended task from 1 to 5, with a comment for everybody to read.",
		consequence: "The review is published under your name. It can be said once and never changed.",
	},
	{
		operation: "answerDispute", without: []string{"idempotency_key"},
		about:       "Plan to answer the human's dispute; the validators read both sides.",
		consequence: "The answer goes to the validators. It can be said once and never changed.",
	},
}

func of(outcome client.Outcome, err error) (done, error) {
	return done{task: &outcome.Task, tx: outcome.TxHash}, err
}

// arguments are those of a step. They have passed its schema.
type arguments map[string]any

func (a arguments) text(name string) string { return text(a, name) }

// id reads an identifier. One that the schema lets pass is one.
func (a arguments) id(name string) uuid.UUID {
	id, _ := uuid.Parse(a.text(name))
	return id
}

// task reads the task to create.
func (a arguments) task() (client.TaskRequest, error) {
	amount, err := market.ParseWei(a.text("escrow_amount"))
	if err != nil {
		return client.TaskRequest{}, asOwn(err)
	}
	request := client.TaskRequest{
		Title: a.text("title"), Description: a.text("description"), Amount: amount, Location: a.text("location"),
	}
	request.Remote, _ = a["remote"].(bool)
	for _, skill := range list(a, "skills") {
		request.Skills = append(request.Skills, fmt.Sprint(skill))
	}
	if deadline := a.text("deadline"); deadline != "" {
		at, err := time.Parse(time.RFC3339, deadline)
		if err != nil {
			return request, ownf("deadline %q is no time like 2030-01-31T12:00:00Z", deadline)
		}
		request.Deadline = &at
	}
	return request, nil
}

// plan makes the tool that plans a step.
func (a *Agent) plan(c *contract, s step) (*tool, error) {
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

// recording does a step that is a record of the API alone.
func recording(c *contract, operation string) func(context.Context, *client.Client, arguments) (done, error) {
	op := c.operations[operation]
	answer, _ := c.shapeOf(op.answer, "", "")
	return func(ctx context.Context, caller *client.Client, a arguments) (done, error) {
		made, err := answer.ask(ctx, caller, op.request(a))
		return done{record: made}, err
	}
}

// agree makes the plan, remembers it, and tells it.
func (a *Agent) agree(ctx context.Context, caller *client.Client, s step, tasks *shape, given arguments) (any, error) {
	agreed := &agreement{spends: new(big.Int)}
	told := map[string]any{"action": snake(s.operation), "consequence": s.consequence, "spends": "0"}
	if s.plan != nil {
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
		if told, err = members(plan); err != nil {
			return nil, err
		}
	}
	agreed.do = func(ctx context.Context) (any, error) {
		result, err := s.do(ctx, caller, given)
		if err != nil {
			return nil, err
		}
		return result.tell(tasks)
	}
	if err := a.book.add(agreed); err != nil {
		return nil, err
	}
	told["plan_id"], told["expires_at"], told["arguments"] = agreed.id, market.TimeOf(agreed.expires), given
	return told, nil
}

// orZero is an amount that a plan leaves out where there is none.
func orZero(wei *big.Int) *big.Int {
	if wei == nil {
		return new(big.Int)
	}
	return wei
}

// members returns the members of a value's JSON.
func members(value any) (map[string]any, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	return out, json.Unmarshal(raw, &out)
}

// tell is the result of a plan that was executed.
func (d done) tell(tasks *shape) (any, error) {
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

// planResult describes what every plan_ tool answers.
func planResult() schema {
	texts := schema{}
	for name, about := range map[string]string{
		"plan_id":        "For execute_plan.",
		"expires_at":     "Until when it can be executed.",
		"action":         "What would be done.",
		"consequence":    "What follows from it.",
		"spends":         "Wei of the token that leave the wallet; execute_plan wants it repeated.",
		"releases":       "Wei of the token that the agent gives up without spending them: the escrowed amount when an application is accepted or work is approved, the human's stake when an application is rejected. Counts against the caps like spends, once for each escrow or stake.",
		"fee_amount":     "Wei of the token that the platform keeps of it.",
		"payout_amount":  "Wei of the token that the human gets of it.",
		"max_gas_cost":   "The most that gas costs, in wei of the chain's coin.",
		"wallet_address": "The wallet that signs and pays.",

		"human_wallet_address": "The wallet of whom it is about, as the chain has it.",
		"stake_amount":         "Wei of the token that the human has locked for it, as the chain has it.",
		"work_hash":            "The hash of the work on the chain; the note, the link and the files that the API shows have it.",
	} {
		texts[name] = schema{"type": "string", "description": about}
	}
	texts["arguments"] = schema{"type": "object", "description": "What was asked for."}
	return schema{"type": "object", "properties": texts, "required": []any{"plan_id", "expires_at", "action", "consequence", "spends"}}
}

// execute makes the tool that does what was planned.
func (a *Agent) execute() (*tool, error) {
	t, err := newTool("execute_plan",
		"Do what a plan says: it signs, sends and waits until the chain has it. Once for each plan. Show the plan to whoever decides before you call this.",
		decides,
		object(schema{
			"plan_id": schema{"type": "string", "minLength": 1, "maxLength": 64, "description": "Of the plan."},
			"spends":  schema{"type": "string", "pattern": "^(0|[1-9][0-9]{0,77})$", "maxLength": 78, "description": "The plan's spends, unchanged: wei of the token that leave the wallet."},
		}, "plan_id", "spends"),
		schema{"type": "object", "required": []any{"executed"}, "properties": schema{
			"executed": schema{"type": "boolean"},
			"tx_hash":  schema{"type": "string", "description": "Of the transaction that was mined; absent when none was needed."},
			"task":     schema{"type": "object", "description": "As get_task answers it."},
			"record":   schema{"type": "object", "description": "What was written down."},
		}})
	if err != nil {
		return nil, err
	}
	t.do = func(ctx context.Context, _ *client.Client, given map[string]any) (any, error) {
		agreed, err := a.book.take(text(given, "plan_id"), text(given, "spends"))
		if err != nil {
			return nil, err
		}
		return agreed.do(context.WithValue(ctx, agreementKey{}, agreed))
	}
	return t, nil
}
