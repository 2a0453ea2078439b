package money

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

type claimsOptions struct {
	*cli.App
	pages cli.PageFlags
}

func claimsCommand(a *cli.App) *cobra.Command {
	o := &claimsOptions{App: a}
	c := &cobra.Command{
		Use:     "claims",
		Short:   "List your claims",
		Long:    "List your claims, newest first. A claim is pending until the tokens are in your wallet (status paid)\nor the service gives up the payment (status failed). If it failed, claim again.",
		Example: "  taskmarket claims\n  taskmarket claims --all --json",
		RunE:    o.AgentRun(o.run),
	}
	o.pages.Add(c.Flags())
	return c
}

func (o *claimsOptions) run(ctx context.Context, agent *client.Client) error {
	return cli.ShowList(ctx, o.App, &o.pages, cli.List[client.ClaimPage, client.Claim]{
		Fetch: agent.Claims,
		Parts: func(p *client.ClaimPage) cli.Parts[client.Claim] {
			return cli.Parts[client.Claim]{Items: &p.Claims, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
		},
		Show:     func(p client.ClaimPage) error { return o.show(ctx, agent, p.Claims) },
		NotFound: "no claims yet",
	})
}

func (o *claimsOptions) show(ctx context.Context, agent *client.Client, claims []client.Claim) error {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	rows := make([][]string, len(claims))
	for i, claim := range claims {
		rows[i] = []string{cli.FormatTime(claim.ClaimedAt), cli.FormatWei(claim.TokensClaimed, symbol), string(claim.Status), cli.Optional(claim.TxHash)}
	}
	return o.PrintTable([]string{"CLAIMED", "AMOUNT", "STATUS", "TRANSACTION"}, rows)
}
