package client

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/client/internal/node"
	gen "taskmarket/gen/client"
	"taskmarket/gen/contracts"
	"taskmarket/market"
)

// ErrOtherWork is returned when the note, the link and the files that the API shows do not match
// the hash of the submitted work on the chain. Nothing was signed.
var ErrOtherWork = errors.New("the work that the API shows does not match the submission on the chain")

// workOnChain returns the assigned human's wallet and the hash of the submitted work. The hash is
// zero before a submission.
func (a *action) workOnChain(ctx context.Context) (human common.Address, work common.Hash, err error) {
	task, err := a.taskView(ctx)
	if err != nil {
		return human, work, err
	}
	escrow := contracts.NewEscrow()
	work, err = node.View(ctx, a.node, "the work's hash", a.deployment.Escrow, escrow.PackWorkHash(bigID(a.escrowID)),
		func(raw []byte) (common.Hash, error) { return escrow.UnpackWorkHash(raw) })
	return task.Human, work, err
}

// Work is a human's submitted work. Its hash on the chain covers the note, the link and the files.
type Work struct {
	Hash     common.Hash
	Human    common.Address // the wallet that submitted it
	Note     string
	ProofURL string
	Files    []File // the hash covers the files' SHA-256 sums, not their names
	// Evidence contains the files that the human added after the submission, for example in a
	// dispute. They are not part of the work, and the hash does not cover them.
	Evidence []File
}

// Has reports whether the file is part of the work or, if its record is not marked as submitted, of
// the evidence. The file must have the same SHA-256 in both records.
func (w Work) Has(file File) bool {
	return slices.ContainsFunc(slices.Concat(w.Files, w.Evidence), func(f File) bool {
		return f.ID == file.ID && f.Sha256 == file.Sha256 && f.Submitted == file.Submitted
	})
}

// SubmittedWork returns the submitted work for the agent's task, after checking it against its hash
// on the chain. Review only this result: an approval approves the work with this hash, while the
// API could show different data later. It returns ErrOtherWork if the hash differs or no work was
// submitted, and an error for another agent's task. It uses the Signer only for its address.
func (c *Client) SubmittedWork(ctx context.Context, task uuid.UUID) (_ Work, err error) {
	defer wrap(&err, "verify the work for task %s", task)
	return c.submittedWork(ctx, task)
}

func (c *Client) submittedWork(ctx context.Context, task uuid.UUID) (Work, error) {
	w, err := c.newSession(ctx)
	if err != nil {
		return Work{}, err
	}
	a, err := c.newAction(ctx, w, Approve(task))
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
	return a.verifiedWork(ctx, terms, human, want)
}

// verifiedWork returns the work that the API shows if it matches the hash on the chain. An approval
// contains only the task ID, so no other check ties it to the reviewed work. The API shows the
// agent a human's files only as part of the submission or as later evidence.
func (a *action) verifiedWork(ctx context.Context, terms market.Terms, human common.Address, want common.Hash) (Work, error) {
	work := Work{Hash: want, Human: human}
	if a.record.SubmissionNote != nil {
		work.Note = *a.record.SubmissionNote
	}
	if a.record.ProofURL != nil {
		work.ProofURL = *a.record.ProofURL
	}
	served := market.Work{TermsHash: terms.Hash(), Agent: terms.Agent, Human: human, Note: work.Note, ProofURL: work.ProofURL}
	for file, err := range a.client.AllFiles(ctx, a.request.TaskID, PageQuery{}) {
		if err != nil {
			return Work{}, err
		}
		if file.UploadedBy != gen.PartyHuman {
			continue
		}
		if isEvidence := file.Shared && !file.Submitted; isEvidence {
			work.Evidence = append(work.Evidence, file)
			continue
		}
		sum, err := hex.DecodeString(file.Sha256)
		if err != nil || len(sum) != common.HashLength {
			return Work{}, fmt.Errorf("file %s has an invalid SHA-256 %q", file.ID, file.Sha256)
		}
		work.Files, served.Files = append(work.Files, file), append(served.Files, common.Hash(sum))
	}
	got := served.Hash()
	switch {
	case got == want:
		return work, nil
	case want == (common.Hash{}):
		return Work{}, fmt.Errorf("%w: the node shows no submission yet; try again later", ErrOtherWork)
	case a.record.SubmittedAt == nil:
		return Work{}, fmt.Errorf("%w: the API shows no submission yet; try again later", ErrOtherWork)
	default:
		return Work{}, fmt.Errorf("%w: the hash on the chain is %s, but the hash of the shown work is %s", ErrOtherWork, want, got)
	}
}
