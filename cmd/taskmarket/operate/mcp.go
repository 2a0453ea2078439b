package operate

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/client/mcp"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type mcpOptions struct {
	*cli.App
	final       bool
	confirm     string // tty, or a command
	unconfirmed bool
}

const flagAllowFinal = "allow-final"

func mcpCommand(a *cli.App) *cobra.Command {
	o := &mcpOptions{App: a}
	command := &cobra.Command{
		Use:   "mcp",
		Short: "Serve the market's tools to an AI model over stdio",
		Long: "Serve the market's tools to an AI model over the Model Context Protocol, on stdin and stdout, with your API key and\n" +
			"your wallet. Transactions, reviews and answers to disputes are planned first, and executed only with the plan's id.\n" +
			"Messages and reports are sent at once.\n\n" +
			"Without limits and --allow-final, the tools can read, send messages, answer disputes, report content, manage\n" +
			"conversations and publish reviews. They cannot move tokens, and they cannot decide on applications or work.\n\n" +
			"--max-per-plan and --max-per-day, or the settings of these names, limit the tokens that the tools may move. Three\n" +
			"things count: the amount that a new task locks; the escrowed amount of an accepted application or of approved work,\n" +
			"once for each task, because after an acceptance, submitted work is paid for even if you do not act; and the stake\n" +
			"that a rejection forfeits. Disputes and cancellations do not count. The totals are stored in the state directory and\n" +
			"survive a restart.\n\n" +
			"--allow-final adds the tools that accept and reject applications, approve and dispute work, and cancel tasks.\n" +
			"Without it they are unavailable, and transactions of these kinds that were signed earlier are not resent. With\n" +
			"these tools, a model that follows instructions hidden in third-party text can release an escrow, up to the limits.\n\n" +
			"A person, and never the model, confirms what cannot be undone: these actions, reviews, and answers to disputes. If\n" +
			"the MCP host supports elicitation, the host asks. Otherwise, --confirm tty asks on the terminal of this program, and\n" +
			"--confirm COMMAND runs a command with the question as JSON on its stdin: the member \"text\" has the facts, one per\n" +
			"line. Exit code 0 means yes, any other no. Without an answer within five minutes, and without a way to ask, nothing\n" +
			"is done. --yes-without-confirmation lets the model decide alone.\n\n" +
			"Limits and --allow-final require pinned contracts: see `taskmarket help configuration`.",
		Example: "  taskmarket mcp --max-per-plan \"10 TASK\" --max-per-day \"30 TASK\"\n" +
			"  taskmarket mcp --max-per-plan \"10 TASK\" --max-per-day \"30 TASK\" --allow-final \\\n" +
			"      --confirm 'zenity --question --no-markup --text \"$(jq -r .text)\"'",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	command.Flags().String(cli.FlagName(cli.SettingMaxPerPlan), "", "the maximum that one plan may lock, release or forfeit")
	command.Flags().String(cli.FlagName(cli.SettingMaxPerDay), "", "the maximum that all plans in any 24 hours may lock, release or forfeit")
	command.Flags().BoolVar(&o.final, flagAllowFinal, false, "add the tools that accept, reject, approve, dispute and cancel")
	command.Flags().StringVar(&o.confirm, flagConfirm, "", "how to ask a person if the host cannot: tty, or a command")
	command.Flags().BoolVar(&o.unconfirmed, flagUnconfirmed, false, "do not ask a person about what cannot be undone")
	command.MarkFlagsMutuallyExclusive(flagConfirm, flagUnconfirmed)
	return command
}

func (o *mcpOptions) run(ctx context.Context) error {
	wallet, err := o.WalletOptions(ctx)
	if err != nil {
		return err
	}
	if o.final {
		if err := cli.RequirePinned(wallet); err != nil {
			return err
		}
	}
	spending, err := o.spending(ctx, wallet)
	if err != nil {
		return err
	}
	confirm, err := o.confirmer()
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(o.Stderr, nil))
	agent, err := mcp.NewAgent(mcp.AgentOptions{
		Client: wallet, Spending: spending.Spending, AllowFinal: o.final, Confirm: confirm, Unconfirmed: o.unconfirmed, Version: o.Version, Log: log,
	})
	if err != nil {
		return &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: "`taskmarket config` shows the configuration and its sources"}
	}
	defer agent.Close()
	o.Note("tools for wallet %s: %s; %s", wallet.Signer.Address(), spending.abilities(o.final), o.confirmation())
	o.Progress("waiting for the host on stdin")
	return agent.Serve(ctx, io.NopCloser(o.In), unclosed{o.RawOutput()})
}

// caps contains the spending limits and the symbol of their token.
type caps struct {
	mcp.Spending
	symbol string // symbol of the token; empty if no limits are set
}

// abilities describes what the tools can do with escrows and stakes.
func (c caps) abilities(final bool) string {
	capped := c.symbol != ""
	var limits string
	if capped {
		limits = fmt.Sprintf("at most %s in one plan and %s in 24 hours", market.FormatAmount(c.PerPlan, c.symbol), market.FormatAmount(c.PerDay, c.symbol))
	}
	switch {
	case capped && final:
		return "they can create tasks, accept, reject, approve, dispute and cancel; they can lock, release and forfeit " + limits
	case capped:
		return "they can create tasks and lock " + limits +
			"; they cannot accept, reject, approve, dispute or cancel (--allow-final allows it)"
	case final:
		return "they can dispute, cancel, and reject applications without a stake; they cannot lock, release or forfeit tokens, " +
			"because no limits are set (--max-per-plan and --max-per-day)"
	default:
		return "they cannot lock, release or forfeit tokens, because no limits are set (--max-per-plan and --max-per-day); " +
			"they cannot accept, reject, approve, dispute or cancel (--allow-final allows it)"
	}
}

// unclosed is a writer whose Close method does nothing. It prevents the MCP server from closing
// stdout.
type unclosed struct{ io.Writer }

// Close implements io.Closer.
func (unclosed) Close() error { return nil }

// spending returns the spending limits. It returns an error if only one of them is set, because the
// tools could then spend nothing.
func (o *mcpOptions) spending(ctx context.Context, wallet client.Options) (caps, error) {
	state, err := o.StateDir()
	if err != nil {
		return caps{}, err
	}
	spending := caps{Spending: mcp.Spending{File: filepath.Join(state, strings.ToLower(wallet.Signer.Address().Hex()), "mcp-spending.json")}}
	s, err := o.Settings()
	if err != nil {
		return spending, err
	}
	perPlan, perDay := s.Text(cli.SettingMaxPerPlan), s.Text(cli.SettingMaxPerDay)
	switch {
	case perPlan == "" && perDay == "":
		return spending, nil
	case perPlan == "" || perDay == "":
		return spending, cli.UsageError("--%s and --%s must be set together", cli.FlagName(cli.SettingMaxPerPlan), cli.FlagName(cli.SettingMaxPerDay))
	}
	if err := cli.RequirePinned(wallet); err != nil {
		return spending, err
	}
	public, err := o.PublicClient()
	if err != nil {
		return spending, err
	}
	defer public.Close()
	symbol, err := o.Symbol(ctx, public)
	if err != nil {
		return spending, err
	}
	for _, limit := range []struct {
		text string
		into **big.Int
	}{{perPlan, &spending.PerPlan}, {perDay, &spending.PerDay}} {
		if *limit.into, err = cli.ParseAmount(limit.text, symbol); err != nil {
			return spending, err
		}
	}
	spending.symbol = symbol
	return spending, nil
}
