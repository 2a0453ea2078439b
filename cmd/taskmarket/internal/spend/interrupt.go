package spend

import (
	"taskmarket/chain"
	"context"

	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// signRecorder records whether a transaction was signed.
type signRecorder struct {
	chain.Signer
	signed bool
}

// SignTx implements chain.Signer.
func (r *signRecorder) SignTx(ctx context.Context, tx *types.Transaction, chainID uint64) (*types.Transaction, error) {
	r.signed = true // set before signing: even if SignTx fails, the wallet may have created the signature
	return r.Signer.SignTx(ctx, tx, chainID)
}

// interrupted returns the error of a command that was ended by a signal.
func interrupted(signed bool) error {
	if signed {
		return cli.Fail(cli.ExitInterrupted, "interrupted after a transaction was signed, which may still be mined").
			WithHint("run the same command again, or with --resume: it continues with the signed transaction and pays nothing twice")
	}
	return cli.Fail(cli.ExitInterrupted, "interrupted: no transaction was signed").WithHint("run the same command again")
}
