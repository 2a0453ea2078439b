package actor

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/google/uuid"

	"taskmarket/gen/client"
)

// Queue lists the reviews and disputes that need this validator's verdict or already have it.
func (p *Person) Queue(ctx context.Context) ([]client.Validation, error) {
	response, err := p.API.ListValidationsWithResponse(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("list validations: %w", err)
	}
	if response.JSON200 == nil {
		return nil, refused("list validations", response.Body)
	}
	return response.JSON200.Validations, nil
}

// Vote signs a verdict on an item in the queue and submits it.
func (p *Person) Vote(ctx context.Context, v client.Validation, approved bool, reason string) error {
	signature, err := p.SignVerdict(ctx, v, approved)
	if err != nil {
		return err
	}
	return p.PostVerdict(ctx, v.TaskID, approved, reason, signature)
}

// SignVerdict signs a verdict on an item in the queue, without submitting it.
func (p *Person) SignVerdict(ctx context.Context, v client.Validation, approved bool) ([]byte, error) {
	if approved {
		return p.signTyped(ctx, v.TypedData.Approve)
	}
	return p.signTyped(ctx, v.TypedData.Reject)
}

// PostVerdict submits a verdict with a signature from SignVerdict.
func (p *Person) PostVerdict(ctx context.Context, taskID uuid.UUID, approved bool, reason string, signature []byte) error {
	response, err := p.API.PostVerdictWithResponse(ctx, taskID, nil, client.PostVerdictRequest{
		Approved: approved, Reason: reason, Signature: hexutil.Encode(signature),
	})
	if err != nil {
		return fmt.Errorf("post a verdict: %w", err)
	}
	if response.JSON201 == nil {
		return refused("post a verdict", response.Body)
	}
	return nil
}
