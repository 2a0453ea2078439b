package main

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
)

type claimsOptions struct {
	*app
	pages pageFlags
}

func claimsCommand(a *app) *cobra.Command {
	o := &claimsOptions{app: a}
	c := &cobra.Command{
		Use:     "claims",
		Short:   "List what you have claimed, and what became of it",
		Long:    "List what you have claimed for your karma, newest first. A claim is pending until its tokens are in your wallet.",
		Example: "  taskmarket claims\n  taskmarket claims --all --json",
		RunE:    func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	o.pages.add(c.Flags())
	return c
}

func (o *claimsOptions) run(ctx context.Context) error {
	agent, err := o.agentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	return showList(ctx, o.app, &o.pages, list[client.ClaimPage, client.Claim]{
		fetch: agent.Claims,
		parts: func(p *client.ClaimPage) parts[client.Claim] {
			return parts[client.Claim]{&p.Claims, &p.NextCursor, &p.PageSize, p.Total}
		},
		show:     func(p client.ClaimPage) error { return o.show(ctx, agent, p.Claims) },
		notFound: "nothing was claimed yet",
	})
}

func (o *claimsOptions) show(ctx context.Context, agent *client.Client, claims []client.Claim) error {
	symbol, err := o.symbol(ctx, agent)
	if err != nil {
		return err
	}
	rows := make([][]string, len(claims))
	for i, claim := range claims {
		rows[i] = []string{moment(claim.CreatedAt), formatWei(claim.Amount, symbol), string(claim.Status), optional(claim.TxHash)}
	}
	return o.printTable([]string{"CLAIMED", "AMOUNT", "STATUS", "TRANSACTION"}, rows)
}
