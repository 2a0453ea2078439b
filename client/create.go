package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// TaskRequest is a task as an agent offers it.
type TaskRequest struct {
	// Key names this task among the agent's own. Asking again with a key
	// continues the creation, or returns the task that came of it. With an empty
	// key the contents are the name, until Client.Delivered ends that: two tasks
	// of the same contents need two keys, or Delivered in between.
	Key         string
	Title       string
	Description string
	Amount      *big.Int   // wei, locked in the escrow
	Deadline    *time.Time // cut to whole seconds; nil for none
	Skills      []string
	Location    string
	Remote      bool
	// MaxFeeBasisPoints, when set, refuses a higher platform fee.
	MaxFeeBasisPoints *uint16
}

// valid refuses contents that the market does not record. A request that the journal has
// already is not checked: it may be paid for. The escrow judges the amount.
func (r TaskRequest) valid() error {
	return market.CheckTaskContents(r.Title, r.Description, r.Location, r.Skills)
}

func (r TaskRequest) body() gen.CreateTaskRequest {
	body := gen.CreateTaskRequest{
		Title: r.Title, Description: r.Description, EscrowAmount: r.Amount.String(),
		Location: given(r.Location), Remote: given(r.Remote),
	}
	if r.Deadline != nil {
		body.Deadline = new(market.TimeOf(r.Deadline.Truncate(time.Second)))
	}
	if len(r.Skills) > 0 {
		body.Skills = &r.Skills
	}
	return body
}

// CreateTask records the task, locks its amount in the escrow and returns it as
// funded. What the API recorded must be what was asked for: the amount, the
// text and the terms hash, which is computed here and goes on the chain.
//
// It may be called again after any error and after a crash: with the same
// request it continues, and the amount is paid once. That holds until the caller
// has kept the result and says so with Delivered: a program may die with the
// task in its hands. ErrNotMined and a *chain.RevertError name the two errors to
// expect from the chain.
func (c *Client) CreateTask(ctx context.Context, request TaskRequest) (Task, error) {
	return c.create(ctx, request, false)
}

// create is CreateTask; resumed is for a creation that must be under way.
func (c *Client) create(ctx context.Context, request TaskRequest, resumed bool) (Task, error) {
	run, err := c.beginCreation(ctx, request, resumed)
	if err != nil {
		return Task{}, fmt.Errorf("create task: %w", err)
	}
	defer run.unlock()
	task, err := run.finish(ctx)
	if err != nil {
		return Task{}, fmt.Errorf("create task: %w", err)
	}
	return task, nil
}

// ConfirmCreation ends a creation that another wallet program has paid for by the
// mined transaction, and returns the task as funded. It signs nothing. What was
// prepared must be the same request; ErrEnded tells that the journal has none.
func (c *Client) ConfirmCreation(ctx context.Context, request TaskRequest, tx common.Hash) (Task, error) {
	task, err := c.confirmCreation(ctx, request, tx)
	if err != nil {
		return Task{}, fmt.Errorf("confirm the creation: %w", err)
	}
	return task, nil
}

func (c *Client) confirmCreation(ctx context.Context, request TaskRequest, tx common.Hash) (Task, error) {
	run, err := c.beginCreation(ctx, request, true)
	if err != nil {
		return Task{}, err
	}
	defer run.unlock()
	switch {
	case run.flow.TaskID == nil:
		return Task{}, ErrEnded
	case run.flow.Done, run.signed():
		return run.finish(ctx)
	}
	task, err := c.ConfirmFunding(ctx, *run.flow.TaskID, tx)
	if err != nil {
		return Task{}, err
	}
	if err := run.check(task); err != nil {
		return Task{}, err
	}
	if _, err := run.own(ctx, task); err != nil {
		return Task{}, err
	}
	run.flow.Paid = &tx
	return task, run.close(ctx)
}

// Delivered says that the result of CreateTask or Resume has reached whoever
// asked for it, such as a file, a database or a screen, so that a request
// without a key and with the same contents is for another task from now on. A
// request's own key goes on to name its task. A task that no request without a
// key has made changes nothing.
func (c *Client) Delivered(ctx context.Context, task uuid.UUID) error {
	if err := c.delivered(ctx, task); err != nil {
		return fmt.Errorf("note that task %s is delivered: %w", task, err)
	}
	return nil
}

func (c *Client) delivered(ctx context.Context, task uuid.UUID) error {
	flows, err := c.options.Flows.List(ctx)
	if err != nil {
		return err
	}
	for _, flow := range flows {
		if flow.deliverable(task) {
			return c.forgetDelivered(ctx, flow.Key, task)
		}
	}
	return nil
}

// deliverable reports whether the flow has made the task for a request without
// a key.
func (f *Flow) deliverable(task uuid.UUID) bool {
	return f.Done && f.Task != nil && f.Task.Key == "" && f.TaskID != nil && *f.TaskID == task
}

// forgetDelivered removes the flow unless it has become another one meanwhile.
func (c *Client) forgetDelivered(ctx context.Context, key string, task uuid.UUID) error {
	unlock, err := c.options.Flows.Lock(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	flow, err := c.options.Flows.Load(ctx, key)
	if err != nil || flow == nil || !flow.deliverable(task) {
		return err
	}
	return c.options.Flows.Remove(ctx, key)
}

// creation is one run of the flow that makes a task.
type creation struct {
	session
	request TaskRequest
	fresh   bool       // the journal did not know the request
	until   *time.Time // the permit counts, as it was reviewed; of a fresh payment
	number  *big.Int   // of the permit that was made last
	unlock  func()
}

// newCreation checks the request and the contracts. It has no flow yet.
func (c *Client) newCreation(ctx context.Context, request TaskRequest) (*creation, error) {
	if request.Amount == nil || request.Amount.Sign() <= 0 {
		return nil, errors.New("the amount must be positive")
	}
	w, err := c.newSession(ctx)
	if err != nil {
		return nil, err
	}
	return &creation{session: w, request: request}, nil
}

// beginCreation makes the caller the only one that works on the flow. A flow
// that was under way before and is gone once the caller has it was ended by
// another program, and is not begun anew: that would pay a second time.
func (c *Client) beginCreation(ctx context.Context, request TaskRequest, resumed bool) (*creation, error) {
	run, err := c.newCreation(ctx, request)
	if err != nil {
		return nil, err
	}
	key, print, err := run.identity()
	if err != nil {
		return nil, err
	}
	before, err := run.flows.Load(ctx, key)
	if err != nil {
		return nil, err
	}
	if run.unlock, err = run.flows.Lock(ctx, key); err != nil {
		return nil, err
	}
	if err := run.load(ctx, key, print, resumed || before != nil); err != nil {
		run.unlock()
		return nil, err
	}
	return run, nil
}

// identity returns the key of the request's flow and its fingerprint.
func (r *creation) identity() (key string, print common.Hash, err error) {
	if print, err = r.fingerprint(); err != nil {
		return "", print, err
	}
	if r.request.Key == "" {
		return print.Hex(), print, nil
	}
	return ownKey + r.request.Key, print, nil
}

// ownKey begins the keys of flows that the caller named, apart from those of
// other flows and from the names of locks.
const ownKey = "task "

// fingerprint covers everything that makes a request this one: contents, wallet
// and contracts.
func (r *creation) fingerprint() (common.Hash, error) {
	text, err := json.Marshal([]any{r.deployment.Deployment, r.signer.Address(), r.request.body()})
	return sha256.Sum256(text), err
}

// load takes up the flow of the key, or begins one where none must be there.
func (r *creation) load(ctx context.Context, key string, print common.Hash, must bool) (err error) {
	r.flow, err = r.flows.Load(ctx, key)
	switch {
	case err != nil:
		return err
	case r.flow != nil:
		return r.flow.mustBe(print)
	case must:
		return ErrEnded
	}
	if err := r.request.valid(); err != nil {
		return err
	}
	r.fresh = true
	r.flow = &Flow{
		Key: key, Action: market.ActionFund, ChainID: r.deployment.ChainID, Wallet: r.signer.Address(),
		Request: print, Task: &r.request, Begun: time.Now().UTC(),
	}
	return r.nextRecord(ctx)
}

// mustBe refuses a flow of another request.
func (f *Flow) mustBe(print common.Hash) error {
	if f.Request != print {
		return fmt.Errorf("%w: %q", ErrOtherRequest, strings.TrimPrefix(f.Key, ownKey))
	}
	return nil
}

// nextRecord has the flow make a new record with a key of its own. A key that
// the caller gave to the task makes the same one again, even when the journal
// is lost, for as long as the API remembers keys; without, the same contents may be
// asked for twice.
func (r *creation) nextRecord(ctx context.Context) error {
	r.flow.Attempt++
	r.flow.TaskID, r.flow.IdempotencyKey = nil, uuid.NewString()
	if r.request.Key != "" {
		name := fmt.Sprintf("%s %s %d", r.flow.Request, r.request.Key, r.flow.Attempt)
		r.flow.IdempotencyKey = uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
	}
	return r.save(ctx)
}

// finish takes the steps that the flow has not taken yet.
func (r *creation) finish(ctx context.Context) (Task, error) {
	task, err := r.record(ctx)
	if err != nil || r.flow.Done && task.Status != gen.TaskStatusNew {
		return task, err
	}
	if r.flow.Done { // a reorganisation has dropped the payment since
		r.flow.Done, r.flow.Paid = false, nil
	}
	if err := r.permitted(ctx, task); err != nil {
		return Task{}, err
	}
	if task, err = r.fund(ctx, task); err != nil {
		return Task{}, err
	}
	return task, r.close(ctx)
}

// permitted has the caller agree to what is signed, or sent again, next. A payment
// that is found needs no agreement.
func (r *creation) permitted(ctx context.Context, task Task) error {
	if r.signed() && r.flow.Paid == nil {
		return r.client.resume(ctx, func() (Plan, error) { return r.outline(ctx, &task) })
	}
	if !r.signed() {
		if err := r.look(ctx, task); err != nil {
			return err
		}
	}
	if r.flow.Paid != nil {
		return nil
	}
	return r.agree(ctx, task)
}

// look finds a payment that is not in the journal: the journal may be a new one,
// or another program has sent what was prepared for it.
func (r *creation) look(ctx context.Context, task Task) error {
	switch {
	case r.flow.Paid != nil:
		return nil
	case task.EscrowCreationTxHash != nil:
		if _, err := r.own(ctx, task); err != nil {
			return err
		}
		r.flow.Paid = new(common.HexToHash(*task.EscrowCreationTxHash))
		return nil
	case task.Status != gen.TaskStatusNew:
		return fmt.Errorf("task %s is %s and cannot be funded now", task.ID, task.Status)
	}
	return r.search(ctx, task)
}

// search asks the chain for a payment for the record, whatever the API says of
// it. A record that this run has made under a key of chance cannot have one.
func (r *creation) search(ctx context.Context, task Task) (err error) {
	if r.fresh && r.request.Key == "" {
		return nil
	}
	if err := r.wallet.AwaitIdle(ctx); err != nil { // what the wallet has sent may be this payment
		return err
	}
	since := task.CreatedAt.Time
	if begun := r.flow.Begun; !begun.IsZero() && begun.Before(since) {
		since = begun // the API's word cannot hide what was paid in between
	}
	r.flow.Paid, err = r.paidFor(ctx, task, since)
	return err
}

// agree has the caller review what is about to be signed. A flow that was
// declined is forgotten, unless it was agreed to before: then a wallet elsewhere
// may have it, and send it later.
func (r *creation) agree(ctx context.Context, task Task) error {
	plan, err := r.plan(ctx, &task)
	if err != nil {
		return err
	}
	err = r.client.review(ctx, plan)
	switch {
	case err != nil && r.flow.Agreed:
		return err
	case err != nil:
		return errors.Join(err, r.forget(ctx))
	}
	r.agreed, r.until, r.flow.Agreed = plan.Transaction, plan.Deadline, true
	return r.save(ctx)
}

// record returns the task's record as it is now and makes one when there is
// none. A record that has gone stale before anything was signed, because the
// platform's fee has moved, is replaced once, unless the chain shows that it is
// paid for.
func (r *creation) record(ctx context.Context) (Task, error) {
	task, err := r.fetch(ctx)
	if err != nil {
		return Task{}, err
	}
	if r.stale(task) {
		if task, err = r.replace(ctx, task); err != nil {
			return Task{}, err
		}
	}
	if r.stale(task) {
		return Task{}, fmt.Errorf("task %s is %s and cannot be funded now; try again", task.ID, task.Status)
	}
	return task, r.check(task)
}

// replace makes another record in place of one that cannot be paid for, and
// returns the old one where it is paid for already.
func (r *creation) replace(ctx context.Context, old Task) (Task, error) {
	if err := r.check(old); err != nil {
		return Task{}, err
	}
	if err := r.search(ctx, old); err != nil || r.flow.Paid != nil {
		return old, err
	}
	if err := r.nextRecord(ctx); err != nil {
		return Task{}, err
	}
	return r.fetch(ctx)
}

// stale reports whether the record can never be paid for.
func (r *creation) stale(task Task) bool {
	return !r.signed() && r.flow.Paid == nil && !r.flow.Done && !task.Fundable && (task.Status == gen.TaskStatusNew || task.Status == gen.TaskStatusExpired)
}

func (r *creation) fetch(ctx context.Context) (Task, error) {
	if r.flow.TaskID != nil {
		return r.client.Task(ctx, *r.flow.TaskID)
	}
	params := &gen.CreateTaskParams{IdempotencyKey: &r.flow.IdempotencyKey}
	task, err := created[Task](r.client.api.CreateTaskWithResponse(ctx, params, r.request.body()))
	if CodeOf(err) == market.KindInvalid && r.fresh {
		return Task{}, errors.Join(err, r.forget(ctx)) // it will never be recorded
	}
	if err != nil {
		return Task{}, err
	}
	r.flow.TaskID = &task.ID
	if err := r.check(task); err != nil {
		return Task{}, err
	}
	if err := r.save(ctx); err != nil || r.request.Key == "" {
		return task, err
	}
	return r.client.Task(ctx, task.ID) // an answer that the key had before may be old
}

// close ends the flow, which stays: its name means this task until the result
// is delivered, and for good when the caller gave the name.
func (r *creation) close(ctx context.Context) error {
	r.flow.Done = true
	return r.save(ctx)
}
