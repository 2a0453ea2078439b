package client

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

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
	work, err = view(ctx, a.node, "the work's hash", a.deployment.Escrow, escrow.PackWorkHash(bigID(a.escrowID)),
		func(raw []byte) (common.Hash, error) { return escrow.UnpackWorkHash(raw) })
	return held.Human, work, err
}

// checkWork holds what the API shows of the work to its hash on the chain. An
// approval names the task alone, so that nothing else ties it to what was seen.
// A human's files are shown to the agent only as part of the submission.
func (a *action) checkWork(ctx context.Context, terms market.Terms, human common.Address, want common.Hash) error {
	shown := market.Work{TermsHash: terms.Hash(), Agent: terms.Agent, Human: human}
	if a.record.SubmissionNote != nil {
		shown.Note = *a.record.SubmissionNote
	}
	if a.record.ProofURL != nil {
		shown.ProofURL = *a.record.ProofURL
	}
	for file, err := range a.client.AllFiles(ctx, a.task, PageQuery{}) {
		if err != nil {
			return err
		}
		if file.UploadedBy != gen.PartyHuman {
			continue
		}
		sum, err := hex.DecodeString(file.Sha256)
		if err != nil || len(sum) != common.HashLength {
			return fmt.Errorf("file %s has no SHA-256 but %q", file.ID, file.Sha256)
		}
		shown.Files = append(shown.Files, common.Hash(sum))
	}
	got := shown.Hash()
	switch {
	case got == want:
		return nil
	case a.record.SubmittedAt == nil:
		return fmt.Errorf("%w: it shows none yet; ask again in a while", ErrOtherWork)
	default:
		return fmt.Errorf("%w: its hash there is %s, that of what is shown %s", ErrOtherWork, want, got)
	}
}
