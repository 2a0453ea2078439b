package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	gen "taskmarket/gen/client"
)

// TaskRequest is a task as an agent offers it.
type TaskRequest struct {
	// Key names this task among the agent's own. Asking again with a key
	// continues the creation, or returns the task that came of it. With an
	// empty key only an unfinished creation of the same contents is continued.
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

func (r TaskRequest) body() gen.CreateTaskRequest {
	body := gen.CreateTaskRequest{
		Title: r.Title, Description: r.Description, EscrowAmount: r.Amount.String(),
		Location: given(r.Location), Remote: given(r.Remote),
	}
	if r.Deadline != nil {
		body.Deadline = new(r.Deadline.UTC().Truncate(time.Second))
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
// request it continues, and the amount is paid once. ErrNotMined and a
// *chain.RevertError name the two errors to expect from the chain.
func (c *Client) CreateTask(ctx context.Context, request TaskRequest) (Task, error) {
	run, err := c.beginCreation(ctx, request)
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

// creation is one run of a flow.
type creation struct {
	wallet
	client     *Client
	deployment *deployment
	request    TaskRequest
	flow       *Flow
	unlock     func()
}

// newCreation checks the request and the contracts. It has no flow yet.
func (c *Client) newCreation(ctx context.Context, request TaskRequest) (*creation, error) {
	if request.Amount == nil || request.Amount.Sign() <= 0 {
		return nil, errors.New("the amount must be positive")
	}
	signer, err := c.signer()
	if err != nil {
		return nil, err
	}
	d, n, err := c.contracts(ctx)
	if err != nil {
		return nil, err
	}
	return &creation{
		client: c, deployment: d, request: request,
		wallet: newWallet(n, signer, c.options.MineTimeout),
	}, nil
}

// beginCreation makes the caller the only one that works on the flow.
func (c *Client) beginCreation(ctx context.Context, request TaskRequest) (*creation, error) {
	run, err := c.newCreation(ctx, request)
	if err != nil {
		return nil, err
	}
	key, print, err := run.identity()
	if err != nil {
		return nil, err
	}
	if run.unlock, err = c.options.Flows.Lock(ctx, key); err != nil {
		return nil, err
	}
	if run.flow, err = c.loadFlow(ctx, key, print); err != nil {
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
	if key = r.request.Key; key == "" {
		key = print.Hex()
	}
	return key, print, nil
}

// fingerprint covers everything that makes a request this one: contents, wallet
// and contracts.
func (r *creation) fingerprint() (common.Hash, error) {
	text, err := json.Marshal([]any{r.deployment.Deployment, r.signer.Address(), r.request.body()})
	return sha256.Sum256(text), err
}

// loadFlow returns the flow of the key, a fresh one when there is none.
func (c *Client) loadFlow(ctx context.Context, key string, print common.Hash) (*Flow, error) {
	flow, err := c.options.Flows.Load(ctx, key)
	if err != nil {
		return nil, err
	}
	if flow != nil {
		if flow.Request != print {
			return nil, fmt.Errorf("%w: %q", ErrOtherRequest, key)
		}
		return flow, nil
	}
	flow = &Flow{Key: key, Request: print, IdempotencyKey: uuid.NewString()}
	return flow, c.options.Flows.Save(ctx, flow)
}

// finish takes the steps that the flow has not taken yet.
func (r *creation) finish(ctx context.Context) (Task, error) {
	task, err := r.record(ctx)
	if err != nil || r.flow.Done {
		return task, err
	}
	if err := r.agree(ctx, task); err != nil {
		return Task{}, err
	}
	if task, err = r.fund(ctx, task); err != nil {
		return Task{}, err
	}
	return task, r.close(ctx)
}

// agree has the caller review what is about to be signed, unless it was signed
// before. A flow that was declined is forgotten.
func (r *creation) agree(ctx context.Context, task Task) error {
	if len(r.flow.Transactions) > 0 {
		return nil
	}
	plan, err := r.plan(ctx, &task)
	if err != nil {
		return err
	}
	if err := r.client.review(ctx, plan); err != nil {
		return errors.Join(err, r.client.options.Flows.Remove(ctx, r.flow.Key))
	}
	return nil
}

// record returns the task's record as it is now and makes one when there is
// none. A record that has gone stale before anything was signed, because the
// platform's fee has moved, is replaced once.
func (r *creation) record(ctx context.Context) (Task, error) {
	task, err := r.fetch(ctx)
	if err != nil {
		return Task{}, err
	}
	unpaid := len(r.flow.Transactions) == 0
	if unpaid && !task.Fundable && task.Status == gen.TaskStatusNew {
		r.flow.TaskID, r.flow.IdempotencyKey = nil, uuid.NewString()
		if err := r.save(ctx); err != nil {
			return Task{}, err
		}
		if task, err = r.fetch(ctx); err != nil {
			return Task{}, err
		}
	}
	if unpaid && !task.Fundable {
		return Task{}, fmt.Errorf("task %s is %s and cannot be funded now; try again", task.ID, task.Status)
	}
	return task, r.check(task)
}

func (r *creation) fetch(ctx context.Context) (Task, error) {
	if r.flow.TaskID != nil {
		return r.client.Task(ctx, *r.flow.TaskID)
	}
	params := &gen.CreateTaskParams{IdempotencyKey: &r.flow.IdempotencyKey}
	task, err := created[Task](r.client.api.CreateTaskWithResponse(ctx, params, r.request.body()))
	if err != nil {
		return Task{}, err
	}
	r.flow.TaskID = &task.ID
	return task, r.save(ctx)
}

// signed returns the flow's transactions. The first is signed and saved here,
// under the lock that keeps its nonce ours until the node has it.
func (r *creation) signed(ctx context.Context, task Task) ([]chain.Signed, error) {
	if len(r.flow.Transactions) > 0 {
		return r.decode()
	}
	if err := r.client.sending.take(ctx); err != nil {
		return nil, err
	}
	defer r.client.sending.give()
	call, err := r.posting(ctx, task)
	if err != nil {
		return nil, err
	}
	tx, err := r.prepare(ctx, call)
	if err != nil {
		return nil, err
	}
	if err := r.remember(ctx, tx); err != nil {
		return nil, err
	}
	if err := r.sender.Broadcast(ctx, tx.Raw); err != nil && !away(err) {
		return nil, err
	}
	return []chain.Signed{tx}, nil
}

// remember saves a transaction that is about to be sent.
func (r *creation) remember(ctx context.Context, tx chain.Signed) error {
	r.flow.Transactions = append(r.flow.Transactions, tx.Raw)
	return r.save(ctx)
}

func (r *creation) decode() ([]chain.Signed, error) {
	var txs []chain.Signed
	for _, raw := range r.flow.Transactions {
		var tx types.Transaction
		if err := tx.UnmarshalBinary(raw); err != nil {
			return nil, fmt.Errorf("decode saved transaction: %w", err)
		}
		txs = append(txs, chain.Signed{Hash: tx.Hash(), Nonce: tx.Nonce(), Raw: raw})
	}
	return txs, nil
}

func (r *creation) save(ctx context.Context) error { return r.client.options.Flows.Save(ctx, r.flow) }

// close ends the flow. One that the caller named is kept as done, so that its
// key always means this task.
func (r *creation) close(ctx context.Context) error {
	if r.request.Key == "" {
		return r.client.options.Flows.Remove(ctx, r.flow.Key)
	}
	r.flow.Done = true
	return r.save(ctx)
}
