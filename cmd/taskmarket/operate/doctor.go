package operate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"

	"taskmarket/chain"
	"taskmarket/client"
	"taskmarket/client/doctor"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type doctorOptions struct{ *cli.App }

func doctorCommand(a *cli.App) *cobra.Command {
	o := &doctorOptions{a}
	return &cobra.Command{
		Use:   "doctor",
		Short: "Find problems and suggest how to fix them",
		Long: "Find problems in the configuration, the API key, the wallet and its transactions, this machine's clock, the API,\n" +
			"the node and the contracts, and suggest how to fix them. The command signs nothing and sends no\n" +
			"transaction. A check is skipped if data that it needs is missing, or if a check on which it depends failed or was\n" +
			"skipped.\n\n" +
			"The exit code is 1 if a check failed. Warnings are not failures.\n\n" +
			"The checks are: " + wrapped(doctor.Checks()) + ".",
		Example: "  taskmarket doctor\n  taskmarket doctor --json | jq '.checks[] | select(.status == \"fail\")'",
		RunE:    func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
}

// wrapped formats the names as lines that fit into the help text.
func wrapped(names []string) string {
	const perLine = 9
	var b strings.Builder
	for i, name := range names {
		switch {
		case i > 0 && i%perLine == 0:
			b.WriteString(",\n  ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String()
}

// checksOutput is the command's result.
type checksOutput struct {
	Checks []doctor.Result `json:"checks"`
}

func (o *doctorOptions) run(ctx context.Context) error {
	results := doctor.Examine(ctx, o.setup())
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := o.print(results); err != nil {
		return err
	}
	if doctor.Failed(results) {
		return cli.Fail(cli.ExitFailed, "checks failed: %s", strings.Join(failed(results), ", ")).
			WithHint("follow the advice for each failed check; the first failure may be the cause of the others")
	}
	return nil
}

// setup returns the configuration, or only its error if any part of it is invalid. The doctor then
// reports the error as a failed check.
func (o *doctorOptions) setup() doctor.Setup {
	setup := doctor.Setup{Version: o.Version}
	s, err := o.Settings()
	if err == nil {
		setup.Options.Contracts, err = s.Contracts()
	}
	if err != nil {
		setup.Fault = err
		if f, ok := errors.AsType[*cli.ExitError](err); ok {
			setup.FaultHint = f.Hint
		}
		return setup
	}
	setup.Options = client.Options{
		BaseURL: s.Text(cli.SettingAPIURL), APIKey: s.Text(cli.SettingAPIKey), RPCURL: s.Text(cli.SettingRPCURL), Contracts: setup.Options.Contracts,
		InsecureNode: s.InsecureNode(), Node: s.NodeOptions(),
	}
	setup.Wallet, setup.Unfinished = walletOf(s), o.unfinished
	return setup
}

// unfinished returns the commands that have unfinished operations in the wallet's journal.
func (o *doctorOptions) unfinished(ctx context.Context, wallet common.Address) ([]string, error) {
	journal, err := o.Flows(wallet)
	if err != nil {
		return nil, err
	}
	flows, err := journal.List(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, flow := range flows {
		if flow.Done || flow.Wallet != wallet {
			continue
		}
		name := market.ActOf(flow.Action).CommandName()
		if flow.TaskID != nil {
			name += " " + flow.TaskID.String()
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// walletOf returns the address of the wallet if it is known without a prompt. A keystore, for
// example, requires a password.
func walletOf(s *cli.Settings) common.Address {
	if s.Text(cli.SettingWalletAddress) != "" {
		return s.Address(cli.SettingWalletAddress)
	}
	if key, err := chain.ParseKeySigner(s.Text(cli.SettingPrivateKey)); err == nil {
		return key.Address()
	}
	return common.Address{}
}

func failed(results []doctor.Result) []string {
	var names []string
	for _, r := range results {
		if r.Status == doctor.Fail {
			names = append(names, r.Name)
		}
	}
	return names
}

func (o *doctorOptions) print(results []doctor.Result) error {
	if o.JSON {
		return o.PrintJSON(checksOutput{results})
	}
	rows := make([][]string, 0, len(results))
	for _, r := range results {
		rows = append(rows, []string{r.Name, string(r.Status), r.Message})
		if r.Hint != "" {
			rows = append(rows, []string{"", "", "→ " + r.Hint})
		}
	}
	return o.PrintTable([]string{"CHECK", "STATUS", "FINDING"}, rows)
}
