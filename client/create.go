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
	// Key identifies this task among the agent's tasks; it is required. A request with a key that is in the journal
	// continues the creation, or returns the task that it created: the task is paid for once.
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
		Location: optional(r.Location), Remote: optional(r.Remote),
	}
	if r.Deadline != nil {
		body.Deadline = new(market.TimeOf(r.Deadline.Truncate(time.Second)))
	}
	if len(r.Skills) > 0 {
		body.Skills = &r.Skills
	}
	return body
}

// executeCreation executes the plan, or continues what its key has in the journal. The API's record must match the
// request: the amount, the text, and the terms hash, which is computed here and stored on the chain.
func (c *Client) executeCreation(ctx context.Context, plan Plan) (Outcome, error) {
	run, err := c.newCreation(ctx, *plan.Request.Task)
	if err != nil {
		return Outcome{}, err
	}
	run.agreed = plan
	unlock, err := run.flows.Lock(ctx, run.key())
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	if err := run.load(ctx, plan.saved); err != nil {
		return Outcome{}, err
	}
	task, err := run.finish(ctx)
	if err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Task: task}
	if task.EscrowCreationTxHash != nil {
		outcome.TxHash = new(common.HexToHash(*task.EscrowCreationTxHash))
	}
	return outcome, nil
}

// confirmCreation finishes the creation of a task that another program has paid for.
func (c *Client) confirmCreation(ctx context.Context, request TaskRequest, tx common.Hash) error {
	run, err := c.newCreation(ctx, request)
	if err != nil {
		return err
	}
	unlock, err := run.flows.Lock(ctx, run.key())
	if err != nil {
		return err
	}
	defer unlock()
	if err := run.load(ctx, true); err != nil {
		return err
	}
	if run.flow.TaskID == nil {
		return ErrEnded
	}
	if run.flow.Done {
		task, err := run.record(ctx)
		if err != nil || task.Status != gen.TaskStatusNew { // if it is new, a reorganisation dropped the payment
			return err
		}
	}
	task, err := c.ConfirmFunding(ctx, *run.flow.TaskID, tx)
	if err != nil {
		return err
	}
	if err := run.check(task); err != nil {
		return err
	}
	if _, err := run.escrowTask(ctx, task); err != nil {
		return err
	}
	run.flow.pay(tx)
	return run.markDone(ctx)
}

// creation is the execution of a flow that creates a task.
type creation struct {
	session
	request TaskRequest
	fresh   bool       // the request was not in the journal before
	until   *time.Time // the agreed deadline for the permit of a new payment
	late    *time.Time // the deadline of an agreed permit that a new one replaces
	renews  bool       // the permit of the signed payment expired before the payment was sent
	number  *big.Int   // the nonce of the newest permit
}

// newCreation checks the request's key and amount, and verifies the contracts. It does not load the flow.
func (c *Client) newCreation(ctx context.Context, request TaskRequest) (*creation, error) {
	if request.Key == "" {
		return nil, market.Errorf(market.KindInvalid, "the task has no key, which identifies it so that it is paid for once")
	}
	if request.Amount == nil || request.Amount.Sign() <= 0 {
		return nil, errors.New("the amount must be positive")
	}
	w, err := c.newSession(ctx)
	if err != nil {
		return nil, err
	}
	return &creation{session: w, request: request.Clean()}, nil
}

// key returns the key of the creation's flow.
func (r *creation) key() string { return r.request.FlowKey() }

// FlowKey returns the key of the creation's flow in the journal.
func (r TaskRequest) FlowKey() string { return callerKeyPrefix + r.Key }

// callerKeyPrefix is the prefix for flow keys that the caller chose. It prevents collisions with the keys of
// other flows and of locks.
const callerKeyPrefix = "task "

// fingerprint returns a hash of everything that identifies a request: contents, wallet and
// contracts.
func (r *creation) fingerprint() (common.Hash, error) {
	text, err := json.Marshal([]any{r.deployment.Deployment, r.signer.Address(), r.request.body()})
	return sha256.Sum256(text), err
}

// load loads the creation's flow. If there is none, it returns ErrEnded if must is true;
// otherwise it creates and saves a flow.
func (r *creation) load(ctx context.Context, must bool) error {
	print, err := r.fingerprint()
	if err != nil {
		return err
	}
	r.flow, err = r.flows.Load(ctx, r.key())
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
		Key: r.key(), Action: Fund(r.request).Action, ChainID: r.deployment.ChainID, Wallet: r.signer.Address(),
		Request: print, Task: &r.request, Begun: time.Now().UTC(),
	}
	return r.nextRecord(ctx)
}

// checkRequest returns ErrOtherRequest if the flow belongs to another request.
func (f *Flow) checkRequest(print common.Hash) error {
	if f.Request != print {
		return fmt.Errorf("%w: %q", ErrOtherRequest, strings.TrimPrefix(f.Key, callerKeyPrefix))
	}
	return nil
}

// nextRecord prepares the flow for a new API record: it chooses a new idempotency key and saves the
// flow. The idempotency key is derived from the request and its key, so that the same record
// is found even if the journal is lost, as long as the API stores the idempotency key.
func (r *creation) nextRecord(ctx context.Context) error {
	r.flow.Attempt++
	name := fmt.Sprintf("%s %s %d", r.flow.Request, r.request.Key, r.flow.Attempt)
	r.flow.TaskID, r.flow.IdempotencyKey = nil, uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
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
		r.flow.reopen()
	}
	if err := r.authorize(ctx, task); err != nil {
		return Task{}, err
	}
	if task, err = r.fund(ctx, task); err != nil {
		return Task{}, err
	}
	return task, r.markDone(ctx)
}

// authorize checks the plan before a new payment is signed, and calls Options.Allow before a payment is signed or
// sent again. If the task is already paid for, it does nothing.
func (r *creation) authorize(ctx context.Context, task Task) error {
	if r.live() && r.flow.Paid == nil {
		p, err := r.outline(ctx, &task)
		if err != nil {
			return err
		}
		return allowAgain(ctx, r.client.options.Allow, p)
	}
	if !r.live() {
		if err := r.findPayment(ctx, task); err != nil {
			return err
		}
	}
	if r.flow.Paid != nil {
		return nil
	}
	return r.allowPayment(ctx, task)
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
		r.flow.pay(common.HexToHash(*task.EscrowCreationTxHash))
		return nil
	case task.Status != gen.TaskStatusNew:
		return fmt.Errorf("task %s is %s and cannot be funded; nothing was signed", task.ID, task.Status)
	}
	return r.searchChain(ctx, task)
}

// searchChain searches the chain for a payment for the record, regardless of the API's status.
func (r *creation) searchChain(ctx context.Context, task Task) (err error) {
	if err := r.wallet.AwaitIdle(ctx); err != nil { // a pending transaction from the wallet may be this payment
		return err
	}
	r.flow.Paid, err = r.paidFor(ctx, task, r.flow.since(task))
	return err
}

// allowPayment checks that the payment is the one that was planned. If it is not, the flow is removed,
// unless an earlier execution was allowed: in that case the payment may have been passed to another
// program, which can still send it.
func (r *creation) allowPayment(ctx context.Context, task Task) error {
	plan, err := r.plan(ctx, &task)
	if err != nil {
		return err
	}
	err = r.allow(ctx, plan)
	switch {
	case err != nil && r.flow.Agreed:
		return err
	case err != nil:
		return errors.Join(err, r.remove(ctx))
	}
	if earlier := r.flow.PermitDeadline; earlier != nil && !sameMoment(earlier, plan.Deadline) {
		r.late = earlier
	}
	r.until, r.flow.Agreed, r.flow.PermitDeadline = plan.Deadline, true, plan.Deadline
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
	if err := r.flow.abandon(); err != nil { // these transactions cannot pay any more, because their permit has expired
		return Task{}, err
	}
	r.renews = false
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
	if err := r.save(ctx); err != nil {
		return task, err
	}
	return r.client.Task(ctx, task.ID) // the API's response to a repeated idempotency key may be outdated
}

// markDone marks the flow as done.
func (r *creation) markDone(ctx context.Context) error {
	if err := r.flow.finish(); err != nil {
		return err
	}
	return r.save(ctx)
}
