package actor

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"mime/multipart"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/market"
)

// Apply records an application and locks its stake with one permit and one transaction.
func (p *Person) Apply(ctx context.Context, contracts *chain.Contracts, taskID uuid.UUID, message string) (client.Application, error) {
	response, err := p.API.ApplyForTaskWithResponse(ctx, taskID, nil, client.ApplyForTaskRequest{ApplicationMessage: message})
	if err != nil {
		return client.Application{}, fmt.Errorf("apply: %w", err)
	}
	if response.JSON201 == nil {
		return client.Application{}, refused("apply", response.Body)
	}
	return response.JSON201.Application, p.lockStake(ctx, contracts, *response.JSON201)
}

func (p *Person) lockStake(ctx context.Context, contracts *chain.Contracts, created client.ApplicationCreated) error {
	signature, err := p.signTyped(ctx, created.Permit)
	if err != nil {
		return err
	}
	stake, err := market.ParseWei(created.RequiredStake)
	if err != nil {
		return err
	}
	deadline, ok := new(big.Int).SetString(fmt.Sprint(created.Permit.Message["deadline"]), 10)
	if !ok {
		return fmt.Errorf("the permit has no valid deadline: %v", created.Permit.Message)
	}
	taskID, err := number(created.EscrowTaskID)
	if err != nil {
		return err
	}
	call, err := contracts.LockStakeWithPermit(taskID, stake, deadline, signature)
	if err != nil {
		return err
	}
	if _, err := p.Send.Send(ctx, call); err != nil {
		return fmt.Errorf("lock the stake: %w", err)
	}
	return nil
}

// Withdraw withdraws an application, which returns its stake. The receipt is nil if the application
// has no stake.
func (p *Person) Withdraw(ctx context.Context, taskID, applicationID uuid.UUID) (*types.Receipt, error) {
	response, err := p.API.WithdrawApplicationWithResponse(ctx, taskID, applicationID)
	if err != nil {
		return nil, fmt.Errorf("withdraw: %w", err)
	}
	if response.JSON200 == nil {
		return nil, refused("withdraw", response.Body)
	}
	if response.JSON200.To == nil || response.JSON200.WithdrawStakeCalldata == nil {
		return nil, nil // the application has no stake, so no transaction is needed
	}
	return p.call(ctx, *response.JSON200.To, *response.JSON200.WithdrawStakeCalldata)
}

// Upload adds a file to a task.
func (p *Person) Upload(ctx context.Context, taskID uuid.UUID, filename string, content []byte) (client.TaskFile, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", filename)
	if err != nil {
		return client.TaskFile{}, fmt.Errorf("upload: %w", err)
	}
	if _, err := part.Write(content); err != nil {
		return client.TaskFile{}, fmt.Errorf("upload: %w", err)
	}
	if err := form.Close(); err != nil {
		return client.TaskFile{}, fmt.Errorf("upload: %w", err)
	}
	response, err := p.API.UploadTaskFileWithBodyWithResponse(ctx, taskID, form.FormDataContentType(), &body)
	if err != nil {
		return client.TaskFile{}, fmt.Errorf("upload: %w", err)
	}
	if response.JSON201 == nil {
		return client.TaskFile{}, refused("upload", response.Body)
	}
	return *response.JSON201, nil
}

// Prepare records the submission through the API and returns the call that submits its hash on the
// chain.
func (p *Person) Prepare(ctx context.Context, taskID uuid.UUID, note string, files ...uuid.UUID) (client.SubmitCalldata, error) {
	if files == nil {
		files = []uuid.UUID{}
	}
	response, err := p.API.SubmitWorkWithResponse(ctx, taskID, nil, client.SubmitWorkRequest{Note: note, FileIds: files})
	if err != nil {
		return client.SubmitCalldata{}, fmt.Errorf("submit: %w", err)
	}
	if response.JSON201 == nil {
		return client.SubmitCalldata{}, refused("submit", response.Body)
	}
	return *response.JSON201, nil
}

// Submit records the submission through the API and submits its hash on the chain.
func (p *Person) Submit(ctx context.Context, taskID uuid.UUID, note string, files ...uuid.UUID) (*types.Receipt, error) {
	prepared, err := p.Prepare(ctx, taskID, note, files...)
	if err != nil {
		return nil, err
	}
	return p.call(ctx, prepared.To, prepared.SubmitTaskCalldata)
}

// Dispute records the human's dispute and sends its transaction.
func (p *Person) Dispute(ctx context.Context, taskID uuid.UUID, reason string) (*types.Receipt, error) {
	response, err := p.API.DisputeTaskWithResponse(ctx, taskID, nil, client.DisputeTaskRequest{Reason: reason})
	if err != nil {
		return nil, fmt.Errorf("dispute: %w", err)
	}
	if response.JSON200 == nil {
		return nil, refused("dispute", response.Body)
	}
	return p.call(ctx, response.JSON200.To, response.JSON200.DisputeTaskCalldata)
}

// Task returns a task as this user sees it in the API.
func (p *Person) Task(ctx context.Context, taskID uuid.UUID) (client.Task, error) {
	response, err := p.API.GetTaskWithResponse(ctx, taskID, nil)
	if err != nil {
		return client.Task{}, fmt.Errorf("read the task: %w", err)
	}
	if response.JSON200 == nil {
		return client.Task{}, refused("read the task", response.Body)
	}
	return *response.JSON200, nil
}

// Await polls a task until it has the status or ctx ends.
func (p *Person) Await(ctx context.Context, taskID uuid.UUID, status client.TaskStatus) (client.Task, error) {
	for {
		task, err := p.Task(ctx, taskID)
		if err != nil || task.Status == status {
			return task, err
		}
		select {
		case <-ctx.Done():
			return task, fmt.Errorf("wait for the task to be %s: it is %s: %w", status, task.Status, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
