package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	gen "taskmarket/gen/client"
	"taskmarket/market"
)

// TaskRequest describes a task to create.
type TaskRequest struct {
	// Key identifies this task among the agent's tasks. A repeated request with the same key
	// resumes the creation, or returns the task that it created. With an empty key, the contents
	// identify the task until Client.Delivered is called: two tasks with the same contents need two
	// keys, or Delivered in between.
	Key         string
	Title       string
	Description string
	Amount      *big.Int   // payment locked in the escrow, in wei
	Deadline    *time.Time // truncated to whole seconds; nil for none
	Skills      []string
	Location    string
	Remote      bool
	// MaxFeeBasisPoints, when set, is the highest platform fee that is accepted.
	MaxFeeBasisPoints *uint16
	// PermitDeadline is the Deadline of a plan that was agreed to earlier. Set it if Options.Review
	// compares that plan with the new one by Plan.Covers, which requires equal deadlines. The permit
	// then has this deadline, provided that it is still valid. PermitDeadline is not part of the task's
	// identity and is not saved. If nil, CreateTask chooses a deadline.
	PermitDeadline *time.Time `json:"-"`
}

// Clean returns the request with the texts that the API stores and that the terms hash covers; see market.Clean. All
// methods that take a request use these texts.
func (r TaskRequest) Clean() TaskRequest {
	r.Title, r.Description, r.Location = market.Clean(r.Title), market.Clean(r.Description), market.Clean(r.Location)
	r.Skills = slices.Clone(r.Skills)
	for i, skill := range r.Skills {
		r.Skills[i] = market.Clean(skill)
	}
	return r
}

// valid returns an error for a request that the API would not accept. It is not called for a
// request that is already in the journal, because that one may already be paid for. newCreation and
// the escrow check the amount.
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

// CreateTask creates the task, locks its amount in the escrow and returns the funded task. The
// API's record must match the request: the amount, the text, and the terms hash, which is computed
// here and stored on the chain.
//
// It can be repeated after any error and after a crash: the same request resumes, and the amount is
// paid only once. For a request without a Key, this applies only until Delivered is called. Expected
// errors from the chain are ErrNotMined, ErrUnderWay, ErrFailed, ErrPermitExpired, ErrPermitUsed and a
// *chain.RevertError.
func (c *Client) CreateTask(ctx context.Context, request TaskRequest) (Task, error) {
	return c.create(ctx, request, false)
}

// create implements CreateTask. If resumed is true, the task's flow must already be in the journal.
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

// ConfirmCreation finishes the creation of a task whose payment was sent from this wallet by
// another program, and returns the funded task. It signs and sends nothing. tx is the hash of the
// mined payment; it is ignored if the creation is already done. The request must already be in the
// journal from a call to CreateTask; otherwise the error is ErrEnded.
func (c *Client) ConfirmCreation(ctx context.Context, request TaskRequest, tx common.Hash) (_ Task, err error) {
	defer wrap(&err, "confirm creation")
	return c.confirmCreation(ctx, request, tx)
}

func (c *Client) confirmCreation(ctx context.Context, request TaskRequest, tx common.Hash) (Task, error) {
	run, err := c.beginCreation(ctx, request, true)
	if err != nil {
		return Task{}, err
	}
	defer run.unlock()
	if run.flow.TaskID == nil {
		return Task{}, ErrEnded
	}
	if run.flow.Done {
		task, err := run.record(ctx)
		if err != nil || task.Status != gen.TaskStatusNew { // if it is new, a reorganisation dropped the payment
			return task, err
		}
	}
	task, err := c.ConfirmFunding(ctx, *run.flow.TaskID, tx)
	if err != nil {
		return Task{}, err
	}
	if err := run.check(task); err != nil {
		return Task{}, err
	}
	if _, err := run.escrowTask(ctx, task); err != nil {
		return Task{}, err
	}
	run.flow.Paid = &tx
	return task, run.markDone(ctx)
}

// Delivered records that the caller has stored the result of CreateTask or Resume, for example in a
// file or a database. After that, a request with the same contents and without a key creates
// another task. For tasks that were created with a key, Delivered does nothing, because the key
// continues to identify the task.
func (c *Client) Delivered(ctx context.Context, task uuid.UUID) error {
	if err := c.delivered(ctx, task); err != nil {
		return fmt.Errorf("mark task %s as delivered: %w", task, err)
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
			return c.removeDelivered(ctx, flow.Key, task)
		}
	}
	return nil
}

// deliverable reports whether the flow has created this task for a request without a key.
func (f *Flow) deliverable(task uuid.UUID) bool {
	return f.Done && f.Task != nil && f.Task.Key == "" && f.TaskID != nil && *f.TaskID == task
}

// removeDelivered removes the flow unless it has changed since it was listed.
func (c *Client) removeDelivered(ctx context.Context, key string, task uuid.UUID) error {
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

// creation is the execution of a flow that creates a task.
type creation struct {
	session
	request TaskRequest
	fresh   bool       // the request was not in the journal before
	until   *time.Time // the reviewed deadline for the permit of a new payment
	late    *time.Time // the deadline of an agreed permit that a new one replaces
	renews  bool       // the permit of the signed payment expired before the payment was sent
	number  *big.Int   // the nonce of the newest permit
	unlock  func()
}

// newCreation checks the request's amount and verifies the contracts. It does not load the flow.
func (c *Client) newCreation(ctx context.Context, request TaskRequest) (*creation, error) {
	if request.Amount == nil || request.Amount.Sign() <= 0 {
		return nil, errors.New("the amount must be positive")
	}
	w, err := c.newSession(ctx)
	if err != nil {
		return nil, err
	}
	return &creation{session: w, request: request.Clean()}, nil
}

// beginCreation locks and loads the flow. If the flow was in the journal before the lock but not
// afterwards, another program has finished the creation in between. Creating the task again would
// pay a second time, so beginCreation returns ErrEnded.
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

// identity returns the key and the fingerprint for the request's flow.
func (r *creation) identity() (key string, print common.Hash, err error) {
	if print, err = r.fingerprint(); err != nil {
		return "", print, err
	}
	if r.request.Key == "" {
		return print.Hex(), print, nil
	}
	return ownKey + r.request.Key, print, nil
}

// ownKey is the prefix for flow keys that the caller chose. It prevents collisions with the keys of
// other flows and of locks.
const ownKey = "task "

// fingerprint returns a hash of everything that identifies a request: contents, wallet and
// contracts.
func (r *creation) fingerprint() (common.Hash, error) {
	text, err := json.Marshal([]any{r.deployment.Deployment, r.signer.Address(), r.request.body()})
	return sha256.Sum256(text), err
}

// load loads the flow with the key. If there is none, it returns ErrEnded if must is true;
// otherwise it creates and saves a flow.
func (r *creation) load(ctx context.Context, key string, print common.Hash, must bool) (err error) {
	r.flow, err = r.flows.Load(ctx, key)
	switch {
	case err != nil:
		return err
	case r.flow != nil:
		return r.flow.checkRequest(print)
	case must:
		return ErrEnded
	}
	if err := r.request.valid(); err != nil {
		return err
	}
	r.fresh = true
	r.flow = &Flow{
		Key: key, Action: Fund(r.request).Action, ChainID: r.deployment.ChainID, Wallet: r.signer.Address(),
		Request: print, Task: &r.request, Begun: time.Now().UTC(),
	}
	return r.nextRecord(ctx)
}

// checkRequest returns ErrOtherRequest if the flow belongs to another request.
func (f *Flow) checkRequest(print common.Hash) error {
	if f.Request != print {
		return fmt.Errorf("%w: %q", ErrOtherRequest, strings.TrimPrefix(f.Key, ownKey))
	}
	return nil
}

// nextRecord prepares the flow for a new API record: it chooses a new idempotency key and saves the
// flow. If the request has a key, the idempotency key is derived from it, so that the same record
// is found even if the journal is lost, as long as the API stores the idempotency key. Otherwise the
// idempotency key is random, because the same contents can be requested more than once.
func (r *creation) nextRecord(ctx context.Context) error {
	r.flow.Attempt++
	r.flow.TaskID, r.flow.IdempotencyKey = nil, uuid.NewString()
	if r.request.Key != "" {
		name := fmt.Sprintf("%s %s %d", r.flow.Request, r.request.Key, r.flow.Attempt)
		r.flow.IdempotencyKey = uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
	}
	return r.save(ctx)
}

// finish executes the remaining steps of the flow.
func (r *creation) finish(ctx context.Context) (Task, error) {
	if err := r.checkSigned(ctx); err != nil {
		return Task{}, err
	}
	task, err := r.record(ctx)
	if err != nil || r.flow.Done && task.Status != gen.TaskStatusNew {
		return task, err
	}
	if r.flow.Done { // a reorganisation dropped the payment
		r.flow.Done, r.flow.Paid = false, nil
	}
	if err := r.authorize(ctx, task); err != nil {
		return Task{}, err
	}
	if task, err = r.fund(ctx, task); err != nil {
		return Task{}, err
	}
	return task, r.markDone(ctx)
}

// authorize calls Options.Review before a new payment is signed, or Options.Resume before a signed
// one is sent again. If the task is already paid for, it calls neither.
func (r *creation) authorize(ctx context.Context, task Task) error {
	if r.live() && r.flow.Paid == nil {
		return r.client.resume(ctx, func() (Plan, error) { return r.outline(ctx, &task) })
	}
	if !r.live() {
		if err := r.findPayment(ctx, task); err != nil {
			return err
		}
	}
	if r.flow.Paid != nil {
		return nil
	}
	return r.reviewPlan(ctx, task)
}

// findPayment searches for a payment that is not in the journal: the journal may be new, or another
// program may have sent the prepared payment.
func (r *creation) findPayment(ctx context.Context, task Task) error {
	switch {
	case r.flow.Paid != nil:
		return nil
	case task.EscrowCreationTxHash != nil:
		if _, err := r.escrowTask(ctx, task); err != nil {
			return err
		}
		r.flow.Paid = new(common.HexToHash(*task.EscrowCreationTxHash))
		return nil
	case task.Status != gen.TaskStatusNew:
		return fmt.Errorf("task %s is %s and cannot be funded; nothing was signed", task.ID, task.Status)
	}
	return r.searchChain(ctx, task)
}

// searchChain searches the chain for a payment for the record, regardless of the API's status. It
// skips a record that this run created with a random idempotency key, because it cannot have a
// payment yet.
func (r *creation) searchChain(ctx context.Context, task Task) (err error) {
	if r.fresh && r.request.Key == "" {
		return nil
	}
	if err := r.wallet.AwaitIdle(ctx); err != nil { // a pending transaction from the wallet may be this payment
		return err
	}
	since := task.CreatedAt.Time
	if begun := r.flow.Begun; !begun.IsZero() && begun.Before(since) {
		since = begun // do not trust a later time from the API, because it could hide an earlier payment
	}
	r.flow.Paid, err = r.paidFor(ctx, task, since)
	return err
}

// reviewPlan calls Options.Review with the plan. If Review returns an error, the flow is removed,
// unless an earlier review accepted it: in that case the payment may have been passed to another
// program, which can still send it.
func (r *creation) reviewPlan(ctx context.Context, task Task) error {
	plan, err := r.plan(ctx, &task)
	if err != nil {
		return err
	}
	err = r.client.review(ctx, plan)
	switch {
	case err != nil && r.flow.Agreed:
		return err
	case err != nil:
		return errors.Join(err, r.remove(ctx))
	}
	if agreed := r.flow.PermitDeadline; agreed != nil && !sameMoment(agreed, plan.Deadline) {
		r.late = agreed
	}
	r.agreed, r.until, r.flow.Agreed, r.flow.PermitDeadline = plan.Transaction, plan.Deadline, true, plan.Deadline
	return r.save(ctx)
}

// record returns the task's current record, creating it if it does not exist. A record can become
// stale before anything is signed, for example when the platform's fee changes. It is then replaced
// once, unless the chain contains a payment for it.
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
		return Task{}, fmt.Errorf("task %s is %s and cannot be funded; nothing was signed; try again", task.ID, task.Status)
	}
	return task, r.check(task)
}

// replace creates a new record in place of a stale one. If the stale record is already paid for,
// replace returns it unchanged.
func (r *creation) replace(ctx context.Context, old Task) (Task, error) {
	if err := r.check(old); err != nil {
		return Task{}, err
	}
	if err := r.searchChain(ctx, old); err != nil || r.flow.Paid != nil {
		return old, err
	}
	r.flow.Transactions, r.renews = nil, false // these transactions cannot pay any more, because their permit has expired
	if err := r.nextRecord(ctx); err != nil {
		return Task{}, err
	}
	return r.fetch(ctx)
}

// stale reports whether the record is unpaid and can no longer be funded. A record that moderation
// withholds is not stale: another one with the same text would be withheld too.
func (r *creation) stale(task Task) bool {
	return !r.live() && r.flow.Paid == nil && !r.flow.Done && !task.Fundable && isShown(task) && (task.Status == gen.TaskStatusNew || task.Status == gen.TaskStatusExpired)
}

func (r *creation) fetch(ctx context.Context) (Task, error) {
	if r.flow.TaskID != nil {
		return r.client.Task(ctx, *r.flow.TaskID)
	}
	params := &gen.CreateTaskParams{IdempotencyKey: &r.flow.IdempotencyKey}
	task, err := created[Task](r.client.api.CreateTaskWithResponse(ctx, params, r.request.body()))
	if CodeOf(err) == market.KindInvalid && r.fresh {
		return Task{}, errors.Join(err, r.remove(ctx)) // the API will never accept this request
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
	return r.client.Task(ctx, task.ID) // the API's response to a repeated idempotency key may be outdated
}

// markDone marks the flow as done. It stays in the journal to identify this task: until Delivered
// is called, or permanently if the caller chose the key.
func (r *creation) markDone(ctx context.Context) error {
	r.flow.Done = true
	return r.save(ctx)
}
