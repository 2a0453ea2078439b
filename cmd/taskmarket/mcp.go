package main

import (
	"context"
	"io"
	"log/slog"
	"math/big"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/client/mcp"
)

type mcpOptions struct{ *app }

func mcpCommand(a *app) *cobra.Command {
	o := &mcpOptions{a}
	command := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the market to a model as tools, over stdio",
		Long: "Offer the market to a model as tools of the Model Context Protocol, over stdin and stdout, with your API key\n" +
			"and your wallet. Whatever spends or cannot be undone is planned first and executed only by the plan's id.\n\n" +
			"The caps bound what a model that is confused, or talked into something, can spend. Without them it can spend\n" +
			"nothing; with them the contracts must be pinned. What is spent is remembered in the state directory, also when\n" +
			"the program is started anew.",
		Example: "  taskmarket mcp --max-per-plan \"10 TASK\" --max-per-day \"30 TASK\"",
		RunE:    func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	command.Flags().String(flagName(settingMaxPerPlan), "", "the most that one plan may spend")
	command.Flags().String(flagName(settingMaxPerDay), "", "the most that all plans of any 24 hours may spend")
	return command
}

func (o *mcpOptions) run(ctx context.Context) error {
	wallet, err := o.walletOptions(ctx)
	if err != nil {
		return err
	}
	spending, err := o.spending(ctx, wallet)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(o.stderr, nil))
	agent, err := mcp.NewAgent(mcp.AgentOptions{Client: wallet, Spending: spending, Version: version, Log: log})
	if err != nil {
		return &failure{code: exitUsage, err: err, hint: "`taskmarket config` shows what is set, and where"}
	}
	defer agent.Close()
	o.progress("tools for wallet %s; the host speaks on stdin", wallet.Signer.Address())
	return agent.Serve(ctx, io.NopCloser(o.in), unclosed{o.raw()})
}

// unclosed leaves stdout open for whoever opened it.
type unclosed struct{ io.Writer }

// Close implements io.Closer.
func (unclosed) Close() error { return nil }

// spending reads the caps. One alone is a mistake: it looks like a cap and
// leaves nothing to spend.
func (o *mcpOptions) spending(ctx context.Context, wallet client.Options) (mcp.Spending, error) {
	state, err := o.stateDir()
	if err != nil {
		return mcp.Spending{}, err
	}
	spending := mcp.Spending{File: filepath.Join(state, strings.ToLower(wallet.Signer.Address().Hex()), "mcp-spending.json")}
	s, err := o.settings()
	if err != nil {
		return spending, err
	}
	perPlan, perDay := s.text(settingMaxPerPlan), s.text(settingMaxPerDay)
	switch {
	case perPlan == "" && perDay == "":
		o.note("warning: no caps are set, so these tools can spend nothing; set --max-per-plan and --max-per-day")
		return spending, nil
	case perPlan == "" || perDay == "":
		return spending, usageError("--%s and --%s belong together", flagName(settingMaxPerPlan), flagName(settingMaxPerDay))
	}
	if err := needPinned(wallet); err != nil {
		return spending, err
	}
	public, err := o.publicClient()
	if err != nil {
		return spending, err
	}
	defer public.Close()
	symbol, err := o.symbol(ctx, public)
	if err != nil {
		return spending, err
	}
	for _, limit := range []struct {
		text string
		into **big.Int
	}{{perPlan, &spending.PerPlan}, {perDay, &spending.PerDay}} {
		if *limit.into, err = parseAmount(limit.text, symbol); err != nil {
			return spending, err
		}
	}
	return spending, nil
}
