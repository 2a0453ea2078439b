package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/spf13/cobra"

	"taskmarket/client/rescue"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type verdictOptions struct {
	*rescueOptions
	approve, reject bool
}

func verdictCommand(parent *rescueOptions) *cobra.Command {
	o := &verdictOptions{rescueOptions: parent}
	c := &cobra.Command{
		Use:   "verdict TASK",
		Short: "Print the verdict that the validators sign",
		Long: "Print the verdict that the validators sign to decide on a task's work, as EIP-712 data in the member\n" +
			"typed_data. Write each validator's signature to a separate file: the signature as 0x and hexadecimal digits, or,\n" +
			"for a contract wallet, {\"validator\": \"0x…\", \"signature\": \"0x…\"}. `taskmarket rescue approve-submission` and\n" +
			"`reject-submission` take the signatures of a quorum.",
		Example: "  taskmarket rescue verdict 3 --approve | jq .typed_data > verdict.json\n" +
			"  cast wallet sign --data --from-file verdict.json > first.sig   # by each validator\n" +
			"  taskmarket rescue approve-submission 3 --signature first.sig --signature second.sig",
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	c.Flags().BoolVar(&o.approve, "approve", false, "the work is approved: the human is paid")
	c.Flags().BoolVar(&o.reject, "reject", false, "the work is rejected: the agent gets the amount back")
	c.MarkFlagsMutuallyExclusive("approve", "reject")
	c.MarkFlagsOneRequired("approve", "reject")
	return c
}

// verdictOutput is the output for a verdict that validators can sign.
type verdictOutput struct {
	EscrowTaskID string             `json:"escrow_task_id"`
	Approved     bool               `json:"approved"`
	Round        uint8              `json:"round"`
	OpensAt      market.Time        `json:"opens_at"`
	Deadline     market.Time        `json:"deadline"`
	Panel        uint64             `json:"panel"`
	Quorum       uint8              `json:"quorum"`
	TypedData    apitypes.TypedData `json:"typed_data"`
}

func (o *verdictOptions) run(ctx context.Context, task string) error {
	id, err := cli.ParseUint(task)
	if err != nil {
		return cli.UsageError("TASK %q: must be the number of a task in the escrow", task)
	}
	r, err := o.open(ctx, common.Address{}) // no wallet is necessary, because no transaction is sent
	if err != nil {
		return err
	}
	defer r.Close()
	v, err := r.Verdict(ctx, id, o.approve)
	if err != nil {
		return err
	}
	o.Note("at least %d of the validators in panel %d must sign this; the verdict is valid from %s to %s", v.Quorum, v.Panel, cli.FormatTime(market.TimeOf(v.Round.Opens)), cli.FormatTime(market.TimeOf(v.Round.Closes)))
	return o.PrintJSON(verdictOutput{task, v.Approved, v.Round.Number, market.TimeOf(v.Round.Opens), market.TimeOf(v.Round.Closes), v.Panel, v.Quorum, v.Data})
}

// packed reads the signature files and returns the signatures in the encoding that the contract
// expects.
func (o *exitOptions) packed(ctx context.Context, r *rescue.Rescue, task uint64) ([][]byte, error) {
	var signatures []rescue.Signature
	for _, path := range o.signatures {
		s, err := readSignature(path)
		if err != nil {
			return nil, cli.UsageError("%s: %w", path, err)
		}
		signatures = append(signatures, s)
	}
	return r.Signatures(ctx, task, o.exit.Name == rescue.ExitApproveSubmission, signatures)
}

// maxSignatureFile is the maximum size of a signature file in bytes. The limit is necessary because
// the file may come from another party. It allows a signature of almost 32 KiB in hexadecimal, more
// than the service accepts.
const maxSignatureFile = 64 << 10

// readSignature reads a signature from a file, in hexadecimal or as JSON with the validator's
// address.
func readSignature(path string) (rescue.Signature, error) {
	file, err := os.Open(path)
	if err != nil {
		return rescue.Signature{}, err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxSignatureFile+1))
	if err != nil {
		return rescue.Signature{}, err
	}
	if len(raw) > maxSignatureFile {
		return rescue.Signature{}, fmt.Errorf("the file is larger than %d bytes", maxSignatureFile)
	}
	text, err := market.FileText(raw)
	if err != nil {
		return rescue.Signature{}, err
	}
	raw = bytes.TrimSpace([]byte(text))
	if !bytes.HasPrefix(raw, []byte("{")) {
		signature, err := hexutil.Decode(string(raw))
		if err != nil {
			return rescue.Signature{}, errors.New("no signature found: expected 0x followed by hexadecimal digits")
		}
		return rescue.Signature{Bytes: signature}, nil
	}
	var wire struct {
		Validator string        `json:"validator"`
		Signature hexutil.Bytes `json:"signature"`
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		return rescue.Signature{}, errors.New(`the file must contain {"validator": "0x…", "signature": "0x…"}`)
	}
	s := rescue.Signature{Bytes: wire.Signature}
	if wire.Validator != "" {
		if s.Validator, err = market.ParseAddress("validator", wire.Validator); err != nil {
			return rescue.Signature{}, fmt.Errorf("validator %q: %s", wire.Validator, cli.AddressFault("validator", err))
		}
	}
	return s, nil
}
