package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/netip"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"

	"taskmarket/chain"
	"taskmarket/chain/keeper"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
)

func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Print the state of the watcher, the keeper and the money",
		Long: "Print the state of the watcher, the keeper, the money and moderation, as read from the database and the chain,\n" +
			"and what only a replica knows, from the metrics of the replica at " + prefix + "METRICS_LISTEN.\n" +
			"It needs no running server and changes nothing. The metrics have the same values over time.",
		Args: cobra.NoArgs,
		RunE: offline(func(ctx context.Context, s *service, out io.Writer) error { return s.printStatus(ctx, out) }),
	}
}

// printStatus prints one line for each part of the service.
func (s *service) printStatus(ctx context.Context, out io.Writer) error {
	state, err := s.store.Operations(ctx)
	if market.KindOf(err) == market.KindNotFound {
		return errors.New("no watcher has started on this database: start a server with `taskmarketd serve`")
	}
	if err != nil {
		return err
	}
	reader := chain.NewReader(s.node, chain.NewContracts(s.config.deployment()))
	head, err := reader.Head(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { fmt.Fprintf(table, name+"\t"+format+"\n", args...) }
	row("chain", "head %d; followed %s", head.Number, levelLine(state.Followed, head))
	row("", "safe %s; finalized %s", levelLine(state.Safe, head), levelLine(state.Finalized, head))
	row("watcher", "%s", lease(state.Watcher))
	row("audit", "%d differences between records and contracts, %d blocks to read again", state.Findings, state.Rereads)
	if age, ok := s.store.StandbyAge(ctx); ok {
		row("standby", "has the primary's records, except those of the last %s", age.Round(time.Millisecond))
	}
	row("keeper", "%s", lease(state.Keeper))
	low, err := s.printKeeper(ctx, row, reader, state)
	if err != nil {
		return err
	}
	for _, b := range state.Jobs {
		row("jobs", "%s", backlogLine(b))
	}
	if err := s.printMoney(ctx, row); err != nil {
		return err
	}
	waiting, err := s.store.ModerationBacklog(ctx)
	if err != nil {
		return err
	}
	row("moderation", "%s", moderationLine(waiting))
	problems := overdueHolds(waiting)
	for _, reason := range append(s.keeperProblems(ctx), s.watcherProblems(ctx)...) {
		problems = append(problems, string(reason))
	}
	if low {
		problems = append(problems, "the keeper's account needs more gas money: see the runbook, TaskmarketKeeperBalanceLow")
	}
	if state.Watcher.Left <= 0 {
		problems = append(problems, "no process follows the chain: see `the watcher has stopped` in the log of the last holder")
	}
	printProblems(row, append(problems, s.printReplica(ctx, row, problems)...))
	return table.Flush()
}

func printProblems(row func(name, format string, args ...any), problems []string) {
	for _, problem := range problems {
		row("problem", "%s", problem)
	}
	if len(problems) == 0 {
		row("problems", "none")
	}
}

// printKeeper prints the state of the keeper's account, and returns whether its balance is low.
func (s *service) printKeeper(ctx context.Context, row func(name, format string, args ...any), reader *chain.Reader, state market.Operations) (low bool, err error) {
	if state.KeeperAccount == (common.Address{}) {
		return false, nil
	}
	_, balance, err := reader.Balances(ctx, state.KeeperAccount)
	if err != nil {
		return false, err
	}
	used, err := chain.NewSender(s.node, nil).UsedNoncesOf(ctx, state.KeeperAccount)
	if err != nil {
		return false, err
	}
	row("", "account %s has %s; %s spent in 24 h, with open transactions at their highest cost", state.KeeperAccount, inEther(balance), inEther(state.KeeperSpent))
	if days, ok := metrics.Runway(balance, state.KeeperSpent); ok {
		row("", "the balance lasts %.1f days at that rate", days)
	}
	if gap := metrics.NonceGap(state.Jobs, used); gap > 0 {
		row("", "%d nonces are missing below the lowest open transaction: see the runbook, TaskmarketKeeperNonceGap", gap)
	}
	return balance.Cmp(big.NewInt(keeper.DefaultLowBalance)) < 0, nil
}

func (s *service) printMoney(ctx context.Context, row func(name, format string, args ...any)) error {
	money, err := s.state.Compare(ctx)
	if errors.Is(err, chain.ErrNoState) {
		row("money", "the balances of the contracts are unknown: no node has the state of the last followed block")
	} else if err != nil {
		return err
	}
	for _, part := range []struct {
		name    string
		held    []market.Holding
		surplus *big.Int
	}{{"escrow", money.Holdings.Tasks, money.EscrowSurplus}, {"stakes", money.Holdings.Stakes, money.StakingSurplus}} {
		for _, h := range part.held {
			row(part.name, "%s: %d with %s", h.Status, h.Count, inTokens(h.Amount))
		}
		if part.surplus != nil {
			row(part.name, "the contract has %s more than the records", inTokens(part.surplus))
		}
	}
	return nil
}

// printReplica prints what only the replica at METRICS_LISTEN knows, and returns its problems without those
// that are known already.
func (s *service) printReplica(ctx context.Context, row func(name, format string, args ...any), known []string) (problems []string) {
	if !s.config.servesMetrics() {
		row("replica", "unknown: %sMETRICS_LISTEN is %q, so that no replica can be asked", prefix, s.config.MetricsListen)
		return nil
	}
	replica, err := metrics.ReadReplica(ctx, reachable(s.config.MetricsListen))
	if err != nil {
		row("replica", "unknown: %v; run this where a replica serves its metrics at %sMETRICS_LISTEN", err, prefix)
		return nil
	}
	for _, line := range replica.Lines() {
		row(line.Name, "%s", line.Text)
	}
	for _, reason := range replica.Reasons() {
		if !slices.Contains(known, reason) {
			problems = append(problems, reason)
		}
	}
	return append(problems, replica.Problems()...)
}

// reachable returns the address at which this machine reaches a listener.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if address, err := netip.ParseAddr(host); host == "" || err == nil && address.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// moderationLine describes what waits for moderators.
func moderationLine(b market.ModerationBacklog) string {
	return fmt.Sprintf("%d held tasks, %d of them overdue, the oldest for %s; %d reports, the oldest for %s; %d appeals, the oldest for %s",
		b.Held, b.Overdue, b.OldestHeld.Round(time.Second), b.Reports, b.OldestReport.Round(time.Second), b.Appeals, b.OldestAppeal.Round(time.Second))
}

// overdueHolds returns the problem of held tasks whose decision is overdue.
func overdueHolds(b market.ModerationBacklog) []string {
	if b.Overdue == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d held tasks should have been decided: see the runbook, TaskmarketHoldsOverdue", b.Overdue)}
}

// levelLine describes a level relative to the head.
func levelLine(level market.Level, head market.Block) string {
	if level.Time.IsZero() {
		return "nothing yet"
	}
	blocks := uint64(0)
	if head.Number > level.Number {
		blocks = head.Number - level.Number
	}
	return fmt.Sprintf("%d (%d blocks, %s behind)", level.Number, blocks, max(0, head.Time.Sub(level.Time)))
}

func lease(l market.LeaseState) string {
	switch {
	case l.Holder == "":
		return "never started"
	case l.Left <= 0:
		return fmt.Sprintf("no process has the lease; %s had it until %s ago", l.Holder, -l.Left.Round(time.Second))
	}
	return fmt.Sprintf("%s has the lease (epoch %d, %s left)", l.Holder, l.Epoch, l.Left.Round(time.Second))
}

func backlogLine(b market.Backlog) string {
	line := fmt.Sprintf("%d of kind %s without a transaction", b.Count, b.Kind)
	switch {
	case b.Nonce != nil:
		line = fmt.Sprintf("%d of kind %s with a transaction from nonce %d", b.Count, b.Kind, *b.Nonce)
	case b.Sent:
		line = fmt.Sprintf("%d of kind %s with a transaction of another account", b.Count, b.Kind)
	}
	since := "the oldest open for %s"
	if b.Sent {
		since = "the oldest first sent %s ago"
	}
	line += ", " + fmt.Sprintf(since, b.Oldest.Round(time.Second))
	if b.Stalled > 0 {
		line += fmt.Sprintf("; %d do not advance, the first because: %s", b.Stalled, b.Reason)
	}
	return line
}

// inEther formats wei of the chain's native currency.
func inEther(wei *big.Int) string { return inTokens(wei) + " ETH" }
