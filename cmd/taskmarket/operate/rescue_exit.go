package operate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/client/rescue"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type exitOptions struct {
	*rescueOptions
	exit       rescue.ExitType
	id         string
	yes        bool
	dryRun     bool
	unsigned   bool
	replace    bool
	workHash   string
	signatures []string
}

// exitCommand returns the command for one type of exit: a way to withdraw money without the
// service.
func exitCommand(parent *rescueOptions, exit rescue.ExitType) *cobra.Command {
	o := &exitOptions{rescueOptions: parent, exit: exit}
	use, id := exit.Name, ""
	if exit.Subject != rescue.SubjectWallet {
		use, id = exit.Name+" "+strings.ToUpper(string(exit.Subject)), " 3"
	}
	c := &cobra.Command{
		Use: use, Short: exit.Short,
		Long: exit.Short + ".\nThe transaction is simulated and shown, and you are asked for confirmation before it is signed.",
		RunE: func(c *cobra.Command, args []string) error {
			o.id = strings.Join(args, "")
			return o.run(c.Context())
		},
	}
	if id != "" {
		c.Long += "\n" + strings.ToUpper(string(exit.Subject)) + " is the number that `taskmarket rescue` shows."
	}
	flags := c.Flags()
	switch exit.Needs {
	case rescue.NeedWorkHash:
		id += " --work-hash 0x9c22…"
		flags.StringVar(&o.workHash, "work-hash", "", "the work hash, computed as openapi.yaml defines work_hash: 0x followed by 64 hexadecimal digits")
	case rescue.NeedSignatures:
		id += " --signature first.json --signature second.json"
		flags.StringArrayVar(&o.signatures, "signature", nil,
			"a `file` with a validator's signature of the typed_data that \"rescue verdict\" prints; repeat for each validator")
	case rescue.NeedNothing:
	}
	cli.YesFlag(c, &o.yes)
	flags.BoolVar(&o.dryRun, "dry-run", false, "show the transaction; sign nothing")
	flags.BoolVar(&o.unsigned, "unsigned", false, "print the unsigned transaction, to sign it in another wallet")
	flags.BoolVar(&o.replace, "replace", false, "replace the wallet's oldest pending transaction, at a gas price of at most --max-fee-per-gas")
	c.MarkFlagsMutuallyExclusive("unsigned", "replace")
	c.MarkFlagsMutuallyExclusive("dry-run", "unsigned", "yes")
	c.Example = fmt.Sprintf("  taskmarket rescue %s%s\n  taskmarket rescue %s%s --unsigned", exit.Name, id, exit.Name, id)
	return c
}

func (o *exitOptions) run(ctx context.Context) error {
	request := rescue.Request{Exit: o.exit.Name, Replace: o.replace}
	err := o.fill(ctx, &request)
	if err != nil {
		return err
	}
	r, err := o.open(ctx, request.Wallet)
	if err != nil {
		return err
	}
	defer r.Close()
	if o.exit.Needs == rescue.NeedSignatures {
		if request.Signatures, err = o.packed(ctx, r, request.ID); err != nil {
			return err
		}
	}
	plan, err := r.Plan(ctx, request)
	if refused, ok := errors.AsType[*market.Error](err); ok && refused.Hint == "" {
		return &cli.ExitError{Code: cli.ExitCode(ctx, err), Err: err, Hint: "`taskmarket rescue` lists the possible actions and their times"}
	}
	if err != nil {
		return err
	}
	if o.dryRun || o.unsigned {
		return o.show(r, plan)
	}
	return o.carryOut(ctx, r, plan)
}

// fill reads the arguments and flags into the request, except for the signatures.
func (o *exitOptions) fill(ctx context.Context, request *rescue.Request) (err error) {
	if o.id != "" {
		if request.ID, err = cli.ParseUint(o.id); err != nil || request.ID == 0 {
			return cli.UsageError("%s %q: must be the number that `taskmarket rescue` shows", strings.ToUpper(string(o.exit.Subject)), o.id)
		}
	}
	if o.exit.Needs == rescue.NeedWorkHash {
		raw, err := hexutil.Decode(o.workHash)
		if err != nil || len(raw) != common.HashLength {
			return cli.UsageError("--work-hash %q: must be 0x followed by 64 hexadecimal digits", o.workHash)
		}
		request.WorkHash = common.BytesToHash(raw)
	}
	if o.exit.Needs == rescue.NeedSignatures && len(o.signatures) == 0 {
		return cli.UsageError("--signature is missing: use it once for each validator")
	}
	if request.Wallet, err = o.walletAddress(ctx); err != nil {
		return err
	}
	return nil
}

// rescueOutput is the command's output for an exit.
type rescueOutput struct {
	Plan        rescue.Plan `json:"plan"`
	TxHash      string      `json:"tx_hash"`
	BlockNumber uint64      `json:"block_number"`
}

// mineTimeout is how long the command waits for a transaction to be mined. It is the library's
// default.
const mineTimeout = 3 * time.Minute

// carryOut asks for confirmation, then signs and sends the transaction.
func (o *exitOptions) carryOut(ctx context.Context, r *rescue.Rescue, plan rescue.Plan) error {
	signer, err := o.signs(ctx)
	if err != nil {
		return err
	}
	if signer.Address() != plan.Wallet {
		return cli.Fail(cli.ExitChain, "the key belongs to wallet %s, not to %s", signer.Address(), plan.Wallet).
			WithHint("--unsigned prints the transaction for that wallet to sign")
	}
	if !o.yes {
		fmt.Fprint(o.Stderr, o.FieldText(planFields(r, plan)))
		if err := o.Confirm(ctx, "Sign and send this?"); err != nil {
			return err
		}
	}
	waiting, cancel := context.WithTimeout(ctx, mineTimeout)
	defer cancel()
	receipt, err := r.Execute(waiting, signer, plan)
	if errors.Is(err, client.ErrNotMined) && ctx.Err() == nil && !o.replace {
		return &cli.ExitError{
			Code: cli.ExitCode(ctx, err), Err: err, Hint: "try again later, or replace the oldest pending transaction with --replace",
		}
	}
	if err != nil {
		return err
	}
	return o.Print(rescueOutput{plan, receipt.TxHash.Hex(), receipt.BlockNumber.Uint64()},
		cli.Field{"Done", plan.Consequence},
		cli.Field{"You receive", received(r, plan)},
		cli.Field{"Transaction", receipt.TxHash.Hex()},
		cli.Field{"Block", receipt.BlockNumber.String()},
	)
}

// show prints the plan, as JSON if --json or --unsigned is set.
func (o *exitOptions) show(r *rescue.Rescue, plan rescue.Plan) error {
	if o.JSON || o.unsigned {
		return o.PrintJSON(plan)
	}
	return o.PrintFields(planFields(r, plan)...)
}

func planFields(r *rescue.Rescue, p rescue.Plan) []cli.Field {
	replaces := ""
	if p.Replaces != nil {
		replaces = fmt.Sprintf("your pending transaction with nonce %d, which is then never mined", *p.Replaces)
	}
	return []cli.Field{
		{"Action", strings.ReplaceAll(string(p.Action), "_", " ") + about(p)},
		{"Consequence", p.Consequence},
		{"You receive", received(r, p)},
		{"Replaces", replaces},
		{"Chain", fmt.Sprint(p.ChainID)},
		{"Wallet", p.Wallet.Hex()},
		{"Contract", p.Transaction.To.Hex()},
		{"Gas at most", market.FormatAmount(p.GasCost, market.ChainCoin)},
	}
}

func about(p rescue.Plan) string {
	switch {
	case p.StakeID != nil:
		return fmt.Sprintf(", application %d for task %d", *p.StakeID, *p.EscrowTaskID)
	case p.EscrowTaskID != nil:
		return fmt.Sprintf(", task %d", *p.EscrowTaskID)
	default:
		return ""
	}
}

func received(r *rescue.Rescue, p rescue.Plan) string {
	return market.FormatAmount(p.Receives, r.Token().Symbol)
}
