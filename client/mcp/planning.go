package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/market"
)

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
		return client.TaskRequest{}, asToolError(err)
	}
	request := client.TaskRequest{
		Key: a.text(keyArgument), Title: a.text("title"), Description: a.text("description"), Amount: amount, Location: a.text("location"),
	}
	request.Remote, _ = a["remote"].(bool)
	for _, skill := range list(a, "skills") {
		request.Skills = append(request.Skills, fmt.Sprint(skill))
	}
	if deadline := a.text("deadline"); deadline != "" {
		at, err := market.ParseTime(deadline)
		if err != nil {
			return request, toolErrorf("invalid deadline %q: must be a time such as 2030-01-31T12:00:00Z", deadline)
		}
		request.Deadline = &at
	}
	return request, nil
}

// request returns the request for the act that the arguments describe.
func (a arguments) request(act market.Act) (client.ActionRequest, error) {
	if act.Money == market.MoneyLocked {
		task, err := a.task()
		return client.Fund(task), err
	}
	return client.ActionRequest{Action: act.Action, TaskID: a.id("task_id"), Application: a.id("application_id"), Reason: a.text("reason")}, nil
}

// plan creates the tool that plans the act. An act without a call only changes an API record.
func (a *Agent) plan(c *contract, act market.Act) (*tool, error) {
	op, ok := c.operations[act.Operation]
	if !ok {
		return nil, fmt.Errorf("the API has no operation %s", act.Operation)
	}
	t, err := newTool("plan_"+snake(act.Operation), planAbout(act), reads, planArguments(c, op, act), planResult())
	if err != nil {
		return nil, err
	}
	response, _ := c.shapeOf(op.response, "", "")
	tasks, _ := c.shapeOf(c.operations["getTask"].response, "", "")
	t.do = func(ctx context.Context, caller *client.Client, args map[string]any) (any, error) {
		if act.Call {
			return a.agree(ctx, caller, act, tasks, args)
		}
		return a.agreeToRecord(act, args, func(ctx context.Context) (any, error) {
			record, err := response.ask(ctx, caller, op.request(args))
			return map[string]any{"executed": true, "record": record}, err
		})
	}
	return t, nil
}

// planAbout describes the tool that plans the act.
func planAbout(act market.Act) string {
	sentences := []string{"Plan to " + act.Does + ".", act.Advice, act.EffectInWords(market.RoleAgent), "This changes nothing: execute_plan executes the plan."}
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// planArguments returns the schema for the arguments of the tool that plans the act. A call's key in the journal makes
// it safe to repeat, so only the creation of a task, which has no id yet, needs one from the model.
func planArguments(c *contract, op operation, act market.Act) schema {
	in := c.arguments(op)
	properties, _ := in["properties"].(schema)
	delete(properties, "tx_hash")
	delete(properties, keyArgument)
	if act.Money == market.MoneyLocked {
		properties[keyArgument] = schema{
			"type": "string", "minLength": 1, "maxLength": 255,
			"description": "Your name for this task, new for each task. The same value means the same task, which is paid for once: use it again after a failure.",
		}
		required, _ := in["required"].([]any)
		in["required"] = append(slices.Clone(required), keyArgument)
	}
	return in
}

// keyArgument is the argument with the key of a task to create.
const keyArgument = "idempotency_key"

// agree makes a plan, stores it for execute_plan and returns it.
func (a *Agent) agree(ctx context.Context, caller *client.Client, act market.Act, tasks *shape, args arguments) (any, error) {
	request, err := args.request(act)
	if err != nil {
		return nil, err
	}
	plan, err := caller.Plan(ctx, request)
	if err != nil {
		return nil, err
	}
	if !plan.Done {
		if err := a.spending.check(chargeOf(plan)); err != nil {
			return nil, err
		}
	}
	result, err := members(plan)
	if err != nil {
		return nil, err
	}
	return a.store(act, args, &agreement{plan: plan, spends: orZero(plan.Spends), do: func(ctx context.Context) (any, error) {
		outcome, err := caller.Execute(ctx, plan)
		if err != nil {
			return nil, executed(err)
		}
		return resultOf(outcome, tasks)
	}}, result)
}

// executed adds what to do next to the error of an executed plan.
func executed(err error) error {
	if errors.Is(err, client.ErrOtherPlan) {
		return toolErrorf("%w; make a new plan", err)
	}
	return err
}

// agreeToRecord stores the plan for an act that only changes an API record, and returns it.
func (a *Agent) agreeToRecord(act market.Act, args arguments, do func(context.Context) (any, error)) (any, error) {
	return a.store(act, args, &agreement{spends: new(big.Int), do: do}, map[string]any{
		"action": snake(act.Operation), "consequence": act.EffectInWords(market.RoleAgent), "spends": "0",
	})
}

// store stores the agreement for execute_plan and completes the result of the plan_… tool.
func (a *Agent) store(act market.Act, args arguments, agreed *agreement, result map[string]any) (any, error) {
	agreed.final = act.Final
	agreed.confirms = confirmationOf(act, agreed.plan, args)
	if err := a.book.add(agreed); err != nil {
		return nil, err
	}
	result["plan_id"], result["expires_at"], result["arguments"] = agreed.id, market.TimeOf(agreed.expires), args
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

// resultOf returns the result for execute_plan.
func resultOf(outcome client.Outcome, tasks *shape) (any, error) {
	task, err := members(outcome.Task)
	if err != nil {
		return nil, err
	}
	result := map[string]any{"executed": true, "task": tasks.wrap(task)}
	if outcome.TxHash != nil {
		result["tx_hash"] = outcome.TxHash
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
			"tx_hash":  schema{"type": "string", "description": "The hash of the mined transaction. Absent if no transaction was needed."},
			"task":     schema{"type": "object", "description": "The task, as get_task returns it."},
			"record":   schema{"type": "object", "description": "The record that the API created or changed."},
		}})
	if err != nil {
		return nil, err
	}
	t.do = func(ctx context.Context, _ *client.Client, args map[string]any) (any, error) {
		agreed, question, err := a.approve(ctx, text(args, "plan_id"), text(args, "spends"))
		if question != nil || err != nil {
			return question, err
		}
		return agreed.do(ctx)
	}
	return t, nil
}
