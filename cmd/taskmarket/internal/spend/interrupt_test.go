package spend

import (
	"taskmarket/chain"
	"context"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// refusingSigner is a signer that always fails to sign transactions.
type refusingSigner struct{ chain.Signer }

func (refusingSigner) SignTx(context.Context, *types.Transaction, uint64) (*types.Transaction, error) {
	return nil, errors.New("no answer")
}

func TestInterruptedReportsSignature(t *testing.T) {
	for signed, want := range map[bool]string{
		false: "interrupted: no transaction was signed",
		true:  "interrupted after a transaction was signed, which may still be mined",
	} {
		recorder := &signRecorder{Signer: refusingSigner{}}
		if signed {
			_, err := recorder.SignTx(t.Context(), nil, 1)
			if err == nil {
				t.Error("the signer's error was lost")
			}
		}
		err := interrupted(recorder.signed)
		if err.Error() != want || cli.ExitCode(t.Context(), err) != cli.ExitInterrupted {
			t.Errorf("interrupted(%t) = %v", signed, err)
		}
	}
}
