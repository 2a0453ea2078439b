package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/market"
	"taskmarket/server/operate"
	"taskmarket/store"
)

// moderationCommand returns the commands for moderators, which do the same as the moderation pages of the
// console. They need only the database, except for download, which also reads the file store. Each act is
// recorded in the audit log.
func moderationCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "moderation",
		Short: "List reports, held tasks and appeals, and decide them",
		Long: "List reports, held tasks and appeals, and decide them. The audit log records the moderator as cli:NAME, where\n" +
			"NAME is the operating system's user. The author of a record never sees this name. An appeal must be decided by\n" +
			"a different moderator. No measure affects payments.",
	}
	run := func(do action) func(*cobra.Command, []string) error {
		return func(cmd *cobra.Command, args []string) error { return moderate(cmd, args, do) }
	}
	command.AddCommand(
		&cobra.Command{Use: "queue [PAGE]", Short: "List held tasks, reports and appeals, and count them", Args: cobra.MaximumNArgs(1), RunE: run((*moderator).queue)},
		&cobra.Command{Use: "show KIND ID", Short: "Show a record with its reports and decisions", Args: cobra.ExactArgs(2), RunE: run((*moderator).show)},
		&cobra.Command{Use: "download FILE PATH", Short: "Write a reported file to a new file at PATH", Args: cobra.ExactArgs(2), RunE: run((*moderator).download)},
		decideCommand(run),
		&cobra.Command{Use: "lift DECISION", Short: "End a measure", Args: cobra.ExactArgs(1), RunE: run((*moderator).lift)},
		decideAppealCommand(run),
	)
	return command
}

// action is a command of a moderator.
type action = func(*moderator, context.Context, []string) error

type runner = func(action) func(*cobra.Command, []string) error

func decideCommand(run runner) *cobra.Command {
	var d market.Decision
	command := &cobra.Command{
		Use:   "decide KIND ID MEASURE",
		Short: "Decide on a task, profile, message or file",
		Long: "Decide on a task, profile, message or file. MEASURE is none, hide or remove, and for a profile none, hide,\n" +
			"limit or suspend. With none, open reports are closed and a held task is shown. With another measure, the author\n" +
			"gets a notice with the statement of reasons, and can appeal for six months.",
		Example: "  taskmarketd admin moderation decide task 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 remove --facts \"It asks for passports.\" --clause \"3.1 Identity documents\"",
		Args:    cobra.ExactArgs(3),
		RunE: run(func(m *moderator, ctx context.Context, args []string) error {
			d.Measure = market.Measure(args[2])
			return m.decide(ctx, args, d)
		}),
	}
	command.Flags().StringVar(&d.Facts, "facts", "", "the facts on which the decision is based")
	command.Flags().StringVar(&d.Clause, "clause", "", "the clause of the terms or of the law")
	command.Flags().StringVar(&d.Territory, "territory", "worldwide", "where the measure applies")
	return command
}

func decideAppealCommand(run runner) *cobra.Command {
	var reasons string
	command := &cobra.Command{
		Use:   "appeal APPEAL upheld|reversed",
		Short: "Decide an appeal: upheld leaves the measure in force, reversed ends it",
		Args:  cobra.ExactArgs(2),
		RunE: run(func(m *moderator, ctx context.Context, args []string) error {
			return m.decideAppeal(ctx, args, reasons)
		}),
	}
	command.Flags().StringVar(&reasons, "reasons", "", "the reasons, which the author reads")
	return command
}

// moderator runs the commands under a name, which is recorded with each act.
type moderator struct {
	name   string
	config config
	store  *store.Store
	out    io.Writer
}

func moderate(cmd *cobra.Command, args []string, do action) error {
	return withStore(func(ctx context.Context, c config, s *store.Store, out io.Writer) error {
		return do(&moderator{market.OriginOf(ctx).Operator, c, s, out}, ctx, args)
	})(cmd)
}

// subject parses KIND and ID. A profile can be named by its username.
func (m *moderator) subject(ctx context.Context, args []string) (market.Subject, error) {
	subject := market.Subject{Kind: market.SubjectKind(args[0])}
	id, err := uuid.Parse(args[1])
	if err != nil && subject.Kind == market.SubjectProfile {
		profile, err := m.store.Profile(ctx, args[1])
		return market.Subject{Kind: subject.Kind, ID: profile.ID}, err
	}
	if err != nil {
		return subject, fmt.Errorf("%q is not an id", args[1])
	}
	subject.ID = id
	return subject, nil
}

func (m *moderator) queue(ctx context.Context, args []string) error {
	page := 1
	if len(args) == 1 {
		var err error
		if page, err = strconv.Atoi(args[0]); err != nil {
			return fmt.Errorf("%q is not a page number", args[0])
		}
	}
	q, err := operate.ReadQueue(ctx, m.store, page)
	if err != nil {
		return err
	}
	fmt.Fprintf(m.out, "%d reports, %d held tasks (%d overdue), %d appeals\n", q.Backlog.Reports, q.Backlog.Held, q.Backlog.Overdue, q.Backlog.Appeals)
	w := tabwriter.NewWriter(m.out, 0, 0, 2, ' ', 0)
	for _, c := range q.Cases {
		hold := ""
		if c.Hold != nil {
			hold = "held by " + c.Hold.Rule + ", due " + market.FormatTime(c.Hold.DueAt)
		}
		fmt.Fprintf(w, "%s\t%s\tby %s\t%d reports %s\tsince %s\t%s\n", c.Subject.Kind, c.Subject.ID, c.AuthorUsername,
			c.Reports, strings.Join(c.Categories, ","), market.FormatTime(c.Since), hold)
	}
	for _, a := range q.Appeals {
		fmt.Fprintf(w, "appeal\t%s\tagainst %s of %s %s\tdecided by %s\tsince %s\t\n", a.Appeal.ID, a.Measure, a.Subject.Kind, a.Subject.ID,
			a.DecidedBy, market.FormatTime(a.Appeal.CreatedAt))
	}
	if q.Next > 0 {
		fmt.Fprintf(w, "more on page %d\n", q.Next)
	}
	return w.Flush()
}

// show prints a record with its reports and decisions. Texts are quoted, so that they cannot control the
// terminal. The text of a record without an open report or appeal may be private. In this case, only the
// decisions are printed.
func (m *moderator) show(ctx context.Context, args []string) error {
	subject, err := m.subject(ctx, args)
	if err != nil {
		return err
	}
	c, withheld, err := operate.ReadCase(ctx, m.store, subject, m.name)
	if err != nil {
		return err
	}
	if withheld == nil {
		fmt.Fprintf(m.out, "%s by %s, %s\n%q\n%q\n", subject.Kind, c.Content.AuthorUsername, c.Content.State, c.Content.Title, c.Content.Text)
	}
	for _, r := range c.Reports {
		by := "a user"
		if r.Rule != "" {
			by = "the rule " + r.Rule
		}
		fmt.Fprintf(m.out, "report %s by %s: %s %q\n", market.FormatTime(r.CreatedAt), by, r.Category, r.Comment)
		if r.SubjectText != "" && r.SubjectText != c.Content.Full() {
			fmt.Fprintf(m.out, "when it was reported: %q\n", r.SubjectText)
		}
	}
	for _, d := range c.Decisions {
		fmt.Fprintln(m.out, describeDecision(d))
		if d.SubjectText != "" && d.SubjectText != c.Content.Full() {
			fmt.Fprintf(m.out, "when it was reported and when the measure was imposed: %q\n", d.SubjectText)
		}
	}
	if market.KindOf(withheld) == market.KindForbidden {
		return withheld
	}
	return nil
}

// download writes the content of a reported file to a new file that only this user can read.
func (m *moderator) download(ctx context.Context, args []string) error {
	id, err := uuid.Parse(args[0])
	if err != nil {
		return fmt.Errorf("%q is not the id of a file", args[0])
	}
	bucket, err := openFiles(ctx, m.config.BlobURL)
	if err != nil {
		return err
	}
	defer bucket.Close()
	_, content, err := operate.OpenFile(ctx, m.store, bucket, id, m.name)
	if err != nil {
		return err
	}
	defer content.Close()
	out, err := os.OpenFile(args[1], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, content)
	if err := errors.Join(err, out.Close()); err != nil {
		return errors.Join(fmt.Errorf("download file %s: %w", id, err), os.Remove(args[1]))
	}
	fmt.Fprintf(m.out, "written to %q; the file can be harmful: open it only in an isolated environment\n", args[1])
	return nil
}

// describeDecision returns a decision with its appeal in one line.
func describeDecision(d market.Notice) string {
	line := fmt.Sprintf("decision %s: %s by %s at %s, %q, %q", d.ID, d.Measure, d.DecidedBy, market.FormatTime(d.DecidedAt), d.Facts, d.Clause)
	if d.EndedAt != nil {
		line += ", ended at " + market.FormatTime(*d.EndedAt)
	}
	if d.Appeal != nil {
		line += fmt.Sprintf("; appeal %s: %q", d.Appeal.ID, d.Appeal.Statement)
		if d.Appeal.Outcome != "" {
			line += ", decision " + string(d.Appeal.Outcome)
		}
	}
	return line
}

func (m *moderator) decide(ctx context.Context, args []string, d market.Decision) error {
	var err error
	if d.Subject, err = m.subject(ctx, args); err != nil {
		return err
	}
	if d.ID, err = uuid.NewV7(); err != nil {
		return err
	}
	d.DecidedBy = m.name
	if d, err = m.store.Moderation.Decide(ctx, d); err != nil {
		return err
	}
	fmt.Fprintf(m.out, "decision %s: %s\n", d.ID, d.Measure)
	return nil
}

func (m *moderator) lift(ctx context.Context, args []string) error {
	id, err := uuid.Parse(args[0])
	if err != nil {
		return fmt.Errorf("%q is not the id of a decision", args[0])
	}
	if _, err := m.store.Moderation.Lift(ctx, id, m.name); err != nil {
		return err
	}
	fmt.Fprintln(m.out, "the measure has ended")
	return nil
}

func (m *moderator) decideAppeal(ctx context.Context, args []string, reasons string) error {
	id, err := uuid.Parse(args[0])
	if err != nil {
		return fmt.Errorf("%q is not the id of an appeal", args[0])
	}
	notice, err := m.store.Moderation.DecideAppeal(ctx, id, market.AppealOutcome(args[1]), reasons, m.name)
	if err != nil {
		return err
	}
	fmt.Fprintf(m.out, "the decision was %s\n", notice.Appeal.Outcome)
	return nil
}
