package money

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	gen "taskmarket/gen/client"
	"taskmarket/market"
)

type claimOptions struct {
	*cli.App
	wait time.Duration
	yes  bool
}

// claimInterval is the pause between two requests for a pending claim.
const claimInterval = time.Second

func claimCommand(a *cli.App) *cobra.Command {
	o := &claimOptions{App: a}
	c := &cobra.Command{
		Use:   "claim",
		Short: "Claim the tokens that your karma has earned",
		Long: "Claim the tokens that your karma has earned (at most once every " + market.FormatDuration(market.ClaimInterval) + "). The service sends them to your wallet and\n" +
			"pays the gas. `taskmarket balance` shows how much you can claim, and `taskmarket claims` the status of earlier\n" +
			"claims.",
		Example: "  taskmarket claim --yes --wait=1m",
		RunE:    o.AgentRun(o.run),
	}
	c.Flags().DurationVar(&o.wait, "wait", 0, "how long to wait for the tokens")
	cli.YesFlag(c, &o.yes)
	return c
}

func (o *claimOptions) run(ctx context.Context, agent *client.Client) error {
	if err := o.Agree(ctx, o.yes, "Claim your reward now? The next claim is possible in "+market.FormatDuration(market.ClaimInterval)+"."); err != nil {
		return err
	}
	claim, err := agent.Claim(ctx)
	if err != nil {
		return err
	}
	if claim, err = o.await(ctx, agent, claim); err != nil {
		return err
	}
	if o.JSON {
		err = o.PrintJSON(claim)
	} else {
		err = o.print(ctx, agent, claim)
	}
	switch {
	case err != nil:
		return err
	case claim.Status == gen.ClaimStatusFailed:
		return cli.Fail(cli.ExitChain, "claim %s failed: the service gave up the payment", claim.ID).WithHint("no tokens were lost: run `taskmarket claim` again")
	case o.wait > 0 && claim.Status == gen.ClaimStatusPending:
		return cli.Fail(cli.ExitLater, "claim %s was not paid within %s", claim.ID, o.wait).WithHint("`taskmarket claims` shows its status")
	default:
		return nil
	}
}

// await polls until the claim is no longer pending or the timeout expires, and returns the latest
// claim.
func (o *claimOptions) await(ctx context.Context, agent *client.Client, claim client.Claim) (client.Claim, error) {
	deadline := time.Now().Add(o.wait)
	for first := true; claim.Status == gen.ClaimStatusPending && time.Now().Before(deadline); first = false {
		if first {
			o.Progress("waiting for claim %s to be paid", claim.ID)
		}
		if err := cli.Sleep(ctx, claimInterval); err != nil {
			return claim, err
		}
		latest, err := findClaim(ctx, agent, claim.ID)
		if err != nil {
			return claim, err
		}
		if latest != nil {
			claim = *latest
		}
	}
	return claim, nil
}

// findClaim searches for the claim on the first page, which has the newest claims. It returns nil if
// the claim is not there. One page is sufficient, because an agent cannot make another claim while
// one is pending.
func findClaim(ctx context.Context, agent *client.Client, id uuid.UUID) (*client.Claim, error) {
	page, err := agent.Claims(ctx, client.PageQuery{})
	if err != nil {
		return nil, err
	}
	for _, claim := range page.Claims {
		if claim.ID == id {
			return &claim, nil
		}
	}
	return nil, nil
}

func (o *claimOptions) print(ctx context.Context, agent *client.Client, claim client.Claim) error {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	return o.PrintFields(
		cli.Field{"Claim", claim.ID.String()},
		cli.Field{"Amount", cli.FormatWei(claim.TokensClaimed, symbol)},
		cli.Field{"Status", string(claim.Status)},
		cli.Field{"Transaction", cli.Optional(claim.TxHash)},
	)
}
