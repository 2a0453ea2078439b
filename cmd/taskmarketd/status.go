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
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/spf13/cobra"

	"taskmarket/chain"
	"taskmarket/chain/rpc"
	"taskmarket/client/visible"
	"taskmarket/cmd/taskmarketd/internal/metrics"
	"taskmarket/market"
	"taskmarket/store/journal"
	"taskmarket/store/moderation"
	"taskmarket/store/operators"
	"taskmarket/store/outbox"
)

func statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Print the state of the watcher, the keeper and the money",
		Long: "Print the state of the watcher, the keeper, the money and moderation, as read from the database and the chain,\n" +
			"and the state of one replica, as read from its metrics at " + prefix + "METRICS_LISTEN.\n" +
			"The command needs no running server and changes nothing. Values that cannot be read, for example because no\n" +
			"node responds, are printed as unknown; the command fails only if the database cannot be read or no watcher has\n" +
			"started on it. The metrics show the same values over time.",
		Args: cobra.NoArgs,
		RunE: withService(func(ctx context.Context, s *service, out io.Writer) error { return s.printStatus(ctx, out) }),
	}
}

// report collects the output of `taskmarketd status`.
type report struct {
	table    *tabwriter.Writer
	problems []string
}

// row prints a line. It escapes line breaks and control characters, because an argument can contain the text
// of a node.
func (r *report) row(name, format string, args ...any) {
	fmt.Fprintf(r.table, "%s\t%s\n", name, visible.Line(fmt.Sprintf(format, args...)))
}

func (r *report) problem(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// flush prints the lines, with the problems at the end.
func (r *report) flush() error {
	for _, problem := range r.problems {
		r.row("problem", "%s", problem)
	}
	if len(r.problems) == 0 {
		r.row("problems", "none")
	}
	return r.table.Flush()
}

// inLine returns the text of an error without line breaks.
func inLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// printStatus prints the state of each part of the service. A part that cannot be read is printed as
// unknown.
func (s *service) printStatus(ctx context.Context, out io.Writer) error {
	if err := s.checkDatabase(ctx); err != nil {
		return err
	}
	reader := chain.NewReader(s.node, chain.NewContracts(s.config.deployment()))
	f, err := s.readFacts(ctx, reader)
	if market.KindOf(err) == market.KindNotFound {
		return errors.New("no watcher has started on this database: start a server with `taskmarketd serve`")
	}
	if err != nil {
		return err
	}
	r := &report{table: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
	replica, replicaErr := s.readReplica(ctx)
	f.audit = replica.Audit()
	f.money, f.moneyErr = s.state.Compare(ctx)
	s.printChain(ctx, r, reader, f.Operations)
	r.row("audit", "%s", auditLine(f.Operations, f.audit))
	s.printStandby(ctx, r)
	printKeeper(r, f)
	printMoney(r, f)
	printModeration(r, f)
	r.problems = append(r.problems, f.problems()...)
	for _, reason := range append(s.keeperProblems(ctx), s.watcherProblems(ctx)...) {
		r.problem("%s", reasonProblem(reason))
	}
	printReplica(r, replica, replicaErr)
	return r.flush()
}

// printChain prints the head, the followed, safe and finalized blocks, and the state of the watcher.
func (s *service) printChain(ctx context.Context, r *report, reader *chain.Reader, state operators.Operations) {
	invalid := s.checkChain(ctx)
	head, err := reader.Head(ctx)
	latest := &head
	if err != nil {
		latest = nil
		r.row("chain", "head unknown: %s; followed %s", inLine(err), levelLine(state.Followed, nil))
	} else {
		r.row("chain", "head %d; followed %s", head.Number, levelLine(state.Followed, latest))
	}
	if invalid != nil {
		err = invalid
	}
	switch {
	case errors.Is(err, errMisconfigured):
		r.problem("%s: see the runbook, TaskmarketDown", inLine(err))
	case err != nil:
		r.problem("the chain cannot be read: %s: see the runbook, TaskmarketAllProvidersFailing", inLine(err))
	}
	r.row("", "safe %s; finalized %s", levelLine(state.Safe, latest), levelLine(state.Finalized, latest))
	r.row("watcher", "%s", lease(state.Watcher))
}

func (s *service) printStandby(ctx context.Context, r *report) {
	if age, ok := s.store.StandbyAge(ctx); ok {
		r.row("standby", "has the primary's records, except those of the last %s", age.Round(time.Millisecond))
	}
}

// printKeeper prints the state of the keeper, its account and its jobs.
func printKeeper(r *report, f facts) {
	r.row("keeper", "%s", lease(f.Keeper))
	if f.KeeperAccount != (common.Address{}) {
		printAccount(r, f)
	}
	for _, b := range f.Jobs {
		r.row("jobs", "%s", backlogLine(b))
	}
}

// printAccount prints the state of the keeper's account.
func printAccount(r *report, f facts) {
	const spent = "%s spent in 24 h, with open transactions counted at their maximum cost"
	if f.balanceErr != nil {
		r.row("", "the balance of account %s is unknown: %s; "+spent, f.KeeperAccount, inLine(f.balanceErr), inEther(f.KeeperSpent))
	} else {
		r.row("", "account %s has %s; "+spent, f.KeeperAccount, inEther(f.balance), inEther(f.KeeperSpent))
		if days, ok := metrics.Runway(f.balance, f.KeeperSpent); ok {
			r.row("", "the balance lasts %.1f days at that rate", days)
		}
	}
	switch {
	case f.gapErr != nil:
		r.row("", "the missing nonces are unknown: %s", inLine(f.gapErr))
	case f.gap > 0:
		r.row("", missingNonces+seeRunbook+"TaskmarketKeeperNonceGap", f.gap)
	}
}

func printMoney(r *report, f facts) {
	money, err := f.money, f.moneyErr
	switch {
	case errors.Is(err, rpc.ErrNoState):
		r.row("money", "the balances of the contracts are unknown: no node has the state of the last followed block")
	case err != nil && money.Holdings.Block.Hash != (common.Hash{}):
		r.row("money", "the balances of the contracts are unknown: %s", inLine(err))
	case err != nil:
		r.row("money", "unknown: %s", inLine(err))
	}
	for _, part := range []struct {
		name     string
		holdings []journal.Holding
		surplus  *big.Int
	}{{"escrow", money.Holdings.Tasks, money.EscrowSurplus}, {"stakes", money.Holdings.Stakes, money.StakingSurplus}} {
		for _, h := range part.holdings {
			r.row(part.name, "%s: %d with %s", h.Status, h.Count, inTokens(h.Amount))
		}
		switch {
		case part.surplus == nil:
		case part.surplus.Sign() < 0:
			r.row(part.name, "the contract has %s less than the records", inTokens(new(big.Int).Neg(part.surplus)))
		default:
			r.row(part.name, "the contract has %s more than the records", inTokens(part.surplus))
		}
	}
}

// printModeration prints the moderation backlog.
func printModeration(r *report, f facts) {
	if f.moderationErr != nil {
		r.row("moderation", "unknown: %s", inLine(f.moderationErr))
		return
	}
	r.row("moderation", "%s", moderationLine(f.moderation))
}

// readReplica returns the metrics of the replica at METRICS_LISTEN.
func (s *service) readReplica(ctx context.Context) (metrics.Replica, error) {
	if !s.config.servesMetrics() {
		return nil, fmt.Errorf("%sMETRICS_LISTEN is %q, so no replica can be read", prefix, s.config.MetricsListen)
	}
	replica, err := metrics.ReadReplica(ctx, reachable(s.config.MetricsListen))
	if err != nil {
		return nil, fmt.Errorf("%w; run this command where a replica serves its metrics at %sMETRICS_LISTEN", err, prefix)
	}
	return replica, nil
}

// printReplica prints the state that only the replica exports, and adds the replica's problems that the
// report does not contain yet. If the replica could not be read, err is the reason.
func printReplica(r *report, replica metrics.Replica, err error) {
	if err != nil {
		r.row("replica", "unknown: %v", err)
		return
	}
	for _, line := range replica.Lines() {
		r.row(line.Name, "%s", line.Text)
	}
	problems := replica.Problems()
	for _, reason := range replica.Reasons() {
		problems = append(problems, reasonProblem(market.HealthReason(reason)))
	}
	for _, problem := range problems {
		if !slices.Contains(r.problems, problem) {
			r.problem("%s", problem)
		}
	}
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

// auditLine describes the audit. The stored differences can be outdated while no auditor compares
// records with the contracts.
func auditLine(state operators.Operations, audit metrics.Audit) string {
	const stored, blocks = "%d differences are stored, but ", "; %d blocks to read again"
	since := audit.Since.Round(time.Second)
	switch {
	case audit.Compared && audit.Since <= auditAge:
		return fmt.Sprintf("%d differences between records and contracts, compared %s ago"+blocks, state.Findings, since, state.Rereads)
	case audit.Compared:
		return fmt.Sprintf(stored+"records and contracts have not been compared for %s"+blocks, state.Findings, since, state.Rereads)
	case audit.Leads:
		return fmt.Sprintf(stored+"records and contracts have not been compared since the replica became the leader, %s ago"+blocks, state.Findings, since, state.Rereads)
	case state.Watcher.Left <= 0:
		return fmt.Sprintf(stored+"records and contracts are not compared while no process follows the chain"+blocks, state.Findings, state.Rereads)
	}
	return fmt.Sprintf(stored+"it is unknown when records and contracts were last compared: run this command where the leader, %s, serves its metrics"+blocks,
		state.Findings, state.Watcher.Holder, state.Rereads)
}

// moderationLine describes the moderation backlog.
func moderationLine(b moderation.Backlog) string {
	return fmt.Sprintf("%d held tasks, %d of them overdue, the oldest for %s; %d reports, the oldest for %s; %d appeals, the oldest for %s",
		b.Held, b.Overdue, b.OldestHeld.Round(time.Second), b.Reports, b.OldestReport.Round(time.Second), b.Appeals, b.OldestAppeal.Round(time.Second))
}

// levelLine describes a level relative to the head, which is nil if it is unknown.
func levelLine(level operators.Level, head *market.Block) string {
	switch {
	case level.Time.IsZero():
		return "nothing yet"
	case head == nil:
		return fmt.Sprintf("%d (at %s)", level.Number, market.FormatTime(level.Time))
	}
	blocks := uint64(0)
	if head.Number > level.Number {
		blocks = head.Number - level.Number
	}
	return fmt.Sprintf("%d (%d blocks, %s behind)", level.Number, blocks, max(0, head.Time.Sub(level.Time)))
}

func lease(l operators.LeaseState) string {
	switch {
	case l.Holder == "":
		return "never started"
	case l.Left <= 0:
		return fmt.Sprintf("no process has the lease; %s had it until %s ago", l.Holder, -l.Left.Round(time.Second))
	}
	return fmt.Sprintf("%s has the lease (epoch %d, %s left)", l.Holder, l.Epoch, l.Left.Round(time.Second))
}

func backlogLine(b outbox.Backlog) string {
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
