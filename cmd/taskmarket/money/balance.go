package money

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type balanceOptions struct{ *cli.App }

func balanceCommand(a *cli.App) *cobra.Command {
	o := &balanceOptions{a}
	return &cobra.Command{
		Use:   "balance",
		Short: "Show the balance of your wallet",
		Long: "Show your wallet's balances of tokens and of the native coin (for gas), which the service reads from the chain, and\n" +
			"the reward that you can claim for your karma.",
		Example: "  taskmarket balance\n  taskmarket balance --json | jq -r .balance",
		RunE:    o.AgentRun(o.run),
	}
}

// balanceOutput contains the amounts in the API's account record, in wei.
type balanceOutput struct {
	WalletAddress string `json:"wallet_address"`
	Balance       string `json:"balance"`
	GasBalance    string `json:"gas_balance"`
	Claimable     string `json:"claimable"`
}

func (o *balanceOptions) run(ctx context.Context, agent *client.Client) error {
	me, err := agent.Me(ctx)
	if err != nil {
		return err
	}
	if o.JSON {
		return o.PrintJSON(balanceOutput{me.WalletAddress, me.Balance, me.GasBalance, me.Claimable})
	}
	return o.print(ctx, agent, me)
}

func (o *balanceOptions) print(ctx context.Context, agent *client.Client, me client.Account) error {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	return o.PrintFields(
		cli.Field{"Wallet", me.WalletAddress},
		cli.Field{"Balance", cli.FormatWei(me.Balance, symbol)},
		cli.Field{"For gas", cli.FormatWei(me.GasBalance, market.ChainCoin)},
		cli.Field{"Claimable", cli.FormatWei(me.Claimable, symbol)},
	)
}
