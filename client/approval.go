package client

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ErrOtherWork is returned when the note, the link and the files that the API
// shows are not the work whose hash the human has put on the chain. Nothing was
// signed.
var ErrOtherWork = errors.New("the API shows other work than the human has submitted on the chain")

// workOnChain returns who has submitted and the hash of the work, which is zero
// before there is any.
func (a *action) workOnChain(ctx context.Context) (human common.Address, work common.Hash, err error) {
	held, err := a.heldTask(ctx)
	if err != nil {
		return human, work, err
	}
	escrow := contracts.NewEscrow()
	work, err = node.View(ctx, a.node, "the work's hash", a.deployment.Escrow, escrow.PackWorkHash(bigID(a.escrowID)),
		func(raw []byte) (common.Hash, error) { return escrow.UnpackWorkHash(raw) })
	return held.Human, work, err
}

// Work is what a human has delivered. The hash, which is on the chain, covers all of it.
type Work struct {
	Hash     common.Hash
	Human    common.Address // who has submitted it
	Note     string
	ProofURL string
	Files    []File // their SHA-256 are covered, not their names
}

// SubmittedWork returns the work that was delivered for the agent's task, held to
// its hash on the chain. Look at the work that it returns and at no other: an
// approval signs for what has this hash, and the API could show something else until
// then. Errors to expect are ErrOtherWork, also before there is work, and those of a
// task that is not the agent's. The Signer is asked for nothing but its address.
func (c *Client) SubmittedWork(ctx context.Context, task uuid.UUID) (Work, error) {
	work, err := c.submittedWork(ctx, task)
	if err != nil {
		return Work{}, fmt.Errorf("hold the work for task %s to the chain: %w", task, err)
	}
	return work, nil
}

func (c *Client) submittedWork(ctx context.Context, task uuid.UUID) (Work, error) {
	w, err := c.newSession(ctx)
	if err != nil {
		return Work{}, err
	}
	a, err := c.newAction(ctx, w, order{kind: approval(), task: task})
	if err != nil {
		return Work{}, err
	}
	terms, err := a.terms(a.record)
	if err != nil {
		return Work{}, err
	}
	human, want, err := a.workOnChain(ctx)
	if err != nil {
		return Work{}, err
	}
	return a.shownWork(ctx, terms, human, want)
}

// shownWork returns what the API shows of the work once it has the hash on the
// chain. An approval names the task alone, so that nothing else ties it to what was
// seen. A human's files are shown to the agent only as part of the submission, or as
// evidence, which came after it.
func (a *action) shownWork(ctx context.Context, terms market.Terms, human common.Address, want common.Hash) (Work, error) {
	work := Work{Hash: want, Human: human}
	if a.record.SubmissionNote != nil {
		work.Note = *a.record.SubmissionNote
	}
	if a.record.ProofURL != nil {
		work.ProofURL = *a.record.ProofURL
	}
	shown := market.Work{TermsHash: terms.Hash(), Agent: terms.Agent, Human: human, Note: work.Note, ProofURL: work.ProofURL}
	for file, err := range a.client.AllFiles(ctx, a.task, PageQuery{}) {
		if err != nil {
			return Work{}, err
		}
		if isEvidence := file.Shared && !file.Submitted; file.UploadedBy != gen.PartyHuman || isEvidence {
			continue
		}
		sum, err := hex.DecodeString(file.Sha256)
		if err != nil || len(sum) != common.HashLength {
			return Work{}, fmt.Errorf("file %s has no SHA-256 but %q", file.ID, file.Sha256)
		}
		work.Files, shown.Files = append(work.Files, file), append(shown.Files, common.Hash(sum))
	}
	got := shown.Hash()
	switch {
	case got == want:
		return work, nil
	case want == (common.Hash{}):
		return Work{}, fmt.Errorf("%w: the node does not show any yet; ask again in a while", ErrOtherWork)
	case a.record.SubmittedAt == nil:
		return Work{}, fmt.Errorf("%w: it shows none yet; ask again in a while", ErrOtherWork)
	default:
		return Work{}, fmt.Errorf("%w: its hash there is %s, that of what is shown %s", ErrOtherWork, want, got)
	}
}
