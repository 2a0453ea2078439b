package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"
	"text/tabwriter"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"taskmarket/client/visible"
	"taskmarket/market"
	"taskmarket/server"
	"taskmarket/server/console"
	"taskmarket/store"
	"taskmarket/store/operators"
)

func adminCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "admin",
		Short: "Sign in to the operator's console, or perform its actions without a browser",
		Long: "Sign in to the operator's console, or perform its actions without a browser. The commands need the\n" +
			"environment of `serve`. The audit log records the operator as cli:NAME, where NAME is the operating\n" +
			"system's user.",
	}
	command.AddCommand(adminSignInCommand(), adminSignOutCommand(), adminAccountsCommand(), adminTasksCommand(),
		adminEndSessionsCommand(), adminEraseCommand(), adminAuditCommand(), moderationCommand(), rulesCommand(),
		keeperCommand(), statusCommand())
	return command
}

// byOperator returns a context that attributes actions to the operating system's user.
func byOperator(ctx context.Context) context.Context {
	name := "uid" + strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil && market.CheckOperatorName(u.Username) == nil {
		name = u.Username
	}
	name = market.CommandPrefix + name
	return market.WithOrigin(ctx, market.Origin{Operator: name[:min(len(name), market.MaxOperatorName)]})
}

// withStore returns a command function that runs do with the database only, so that the command works
// even if no node responds.
func withStore(do func(ctx context.Context, c config, s *store.Store, out io.Writer) error) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		c, err := loadConfig(os.Environ())
		if err := errors.Join(append(c.plaintextFaults(), err)...); err != nil {
			return err
		}
		if c.DatabaseURL == "" {
			return fmt.Errorf("%sDATABASE_URL is missing", prefix)
		}
		ctx := byOperator(cmd.Context())
		s, err := store.Open(ctx, string(c.DatabaseURL), c.deployment(), c.storeOptions()...)
		if err != nil {
			return err
		}
		defer s.Close()
		return do(ctx, c, s, cmd.OutOrStdout())
	}
}

func adminSignInCommand() *cobra.Command {
	var name, role string
	command := &cobra.Command{
		Use:   "sign-in --operator NAME",
		Short: "Print a link that signs an operator in to the console once, within " + market.FormatDuration(market.ConsoleLinkLifetime),
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return withStore(func(ctx context.Context, c config, s *store.Store, out io.Writer) error {
				return printSignIn(ctx, c, s, name, role, out)
			})(cmd)
		},
	}
	command.Flags().StringVar(&name, "operator", "", "the operator's name in the audit log, for example an e-mail address")
	command.Flags().StringVar(&role, "role", string(market.RoleModerator), "moderator, or operator, who may also change the keeper's transactions and end sessions")
	_ = command.MarkFlagRequired("operator") // fails only for an unknown flag
	return command
}

func printSignIn(ctx context.Context, c config, s *store.Store, name, role string, out io.Writer) error {
	if err := market.CheckOperatorName(name); err != nil {
		return err
	}
	parsed, err := market.ParseOperatorRole(role)
	if err != nil {
		return err
	}
	origin, err := c.consoleURL()
	if err != nil {
		return err
	}
	token, hash := console.NewToken()
	if err := s.Operators.SaveConsoleLink(ctx, hash, market.Operator{Name: name, Role: parsed}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, console.SignInURL(origin, token))
	return err
}

func adminSignOutCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sign-out OPERATOR",
		Short: "End all console sessions of an operator, and revoke the operator's unused sign-in links",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(func(ctx context.Context, _ config, s *store.Store, out io.Writer) error {
				ended, err := s.Operators.EndConsoleAccess(ctx, args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(out, "ended %d sessions\n", ended)
				return err
			})(cmd)
		},
	}
}

func adminAccountsCommand() *cobra.Command {
	return recordsCommand("accounts", "account", "List accounts: the newest ones, or those with a username, wallet address or id",
		func(ctx context.Context, s *store.Store, text string, table io.Writer) error {
			_, q, err := console.ParseSearch(text)
			if err != nil {
				return err
			}
			accounts, err := s.Operators.AccountRecords(ctx, q)
			fmt.Fprintln(table, "ID\tKIND\tUSERNAME\tWALLET\tLINKED ACCOUNT\tSESSIONS\tCREATED")
			for _, a := range accounts {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%q\t%d\t%s\n", a.ID, a.Kind, a.Username, a.Wallet, a.Account, a.Sessions, market.FormatTime(a.CreatedAt))
			}
			return err
		})
}

func adminTasksCommand() *cobra.Command {
	return recordsCommand("tasks", "task", "List tasks: the newest ones, those of an account, or the one with an id or a number in the escrow contract",
		func(ctx context.Context, s *store.Store, text string, table io.Writer) error {
			_, q, err := console.ParseSearch(text)
			if err != nil {
				return err
			}
			tasks, err := s.Operators.TaskRecords(ctx, q)
			fmt.Fprintln(table, "ID\tSTATUS\tAMOUNT\tAGENT\tHUMAN\tESCROW ID\tCREATED\tTITLE")
			for _, t := range tasks {
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%q\n", t.ID, t.Status, inTokens(t.Amount), t.AgentUsername, t.HumanUsername,
					t.EscrowTaskID, market.FormatTime(t.CreatedAt), t.Title)
			}
			return err
		})
}

// recordsCommand returns a command that prints a table of the records of a kind that a search finds. The audit
// log records the read.
func recordsCommand(name, kind, short string, list func(ctx context.Context, s *store.Store, text string, table io.Writer) error) *cobra.Command {
	return &cobra.Command{
		Use:   name + " [SEARCH]",
		Short: short,
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(func(ctx context.Context, _ config, s *store.Store, out io.Writer) error {
				if err := s.Operators.WriteAudit(ctx, market.AuditEntry{Kind: market.AuditRecordsRead, Detail: kind}); err != nil {
					return err
				}
				table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
				if err := list(ctx, s, append(args, "")[0], table); err != nil {
					return err
				}
				return table.Flush()
			})(cmd)
		},
	}
}

func adminEndSessionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "end-sessions HUMAN_ID",
		Short: "Sign a human out everywhere",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := uuid.Parse(args[0])
			if err != nil {
				return fmt.Errorf("%q is not the id of a human; see `taskmarketd admin accounts`", args[0])
			}
			return withStore(func(ctx context.Context, _ config, s *store.Store, out io.Writer) error {
				ended, err := s.Operators.EndHumanSessions(ctx, id)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(out, "ended %d sessions\n", ended)
				return err
			})(cmd)
		},
	}
}

func adminAuditCommand() *cobra.Command {
	var q operators.AuditQuery
	var kind, account string
	command := &cobra.Command{
		Use:   "audit",
		Short: "Print the audit log, newest entries first",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if kind != "" {
				q.Kinds = []market.AuditKind{market.AuditKind(kind)}
			}
			if account != "" {
				id, err := uuid.Parse(account)
				if err != nil {
					return fmt.Errorf("%q is not the id of an account; see `taskmarketd admin accounts`", account)
				}
				q.Account = id
			}
			return withStore(func(ctx context.Context, _ config, s *store.Store, out io.Writer) error {
				read := market.AuditEntry{Kind: market.AuditRecordsRead, Detail: "audit_log"}
				if err := s.Operators.WriteAudit(ctx, read); err != nil {
					return err
				}
				entries, err := s.Operators.AuditLog(ctx, q)
				if err != nil {
					return err
				}
				return printAudit(out, entries)
			})(cmd)
		},
	}
	command.Flags().StringVar(&kind, "kind", "", "only entries of this kind, such as sign_in")
	command.Flags().StringVar(&account, "account", "", "only entries by or about the account with this id")
	command.Flags().StringVar(&q.Operator, "operator", "", "only entries by the operator with this name")
	command.Flags().StringVar(&q.Subject, "subject", "", "only entries about the record with this id")
	command.Flags().Int64Var(&q.Before, "before", 0, "only entries before the one with this id")
	command.Flags().IntVar(&q.Limit, "limit", 100, "number of entries, at most 200")
	return command
}

func printAudit(out io.Writer, entries []market.AuditEntry) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "ID\tTIME\tKIND\tNUMBER\tBY\tSUBJECT\tDETAIL\tNETWORK\tREQUEST")
	for _, e := range entries {
		by, network, subject := e.Operator, "", ""
		if by == "" && e.Account != uuid.Nil {
			by = e.Account.String()
		}
		if e.Network.IsValid() {
			network = e.Network.String()
		}
		if e.Subject != "" {
			subject = e.SubjectKind + " " + e.Subject
		}
		fmt.Fprintf(table, "%d\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", e.ID, market.FormatTime(e.At), e.Kind, e.Count, visible.Line(by), visible.Line(subject), visible.Line(e.Detail), network, visible.Line(e.RequestID))
	}
	return table.Flush()
}

// adminEraseCommand returns the command that erases an account on behalf of its user. The command also
// needs the file store, because it adds the erasure to the restore list there before it ends.
func adminEraseCommand() *cobra.Command {
	var yes bool
	command := &cobra.Command{
		Use:   "erase ACCOUNT_ID USERNAME",
		Short: "Erase an account's personal data",
		Long: "Erase an account's personal data, as its user can do with the wallet. This cannot be undone. USERNAME must be\n" +
			"the account's username. While money is locked in a task, stake or claim of the account, the command fails and\n" +
			"prints what must end first. The erasure is recorded in the audit log, and in the list in the file store from\n" +
			"which after-restore repeats it.",
		Example: "  taskmarketd admin erase 0198c1de-7a4b-7c3e-9d52-3f1b6a2c4e80 harbour-agent",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := uuid.Parse(args[0])
			if err != nil {
				return fmt.Errorf("%q is not the id of an account; see `taskmarketd admin accounts`", args[0])
			}
			if !yes && !confirmed(cmd, "Permanently erase the account "+args[1]+"?") {
				return errNotConfirmed
			}
			return withStore(func(ctx context.Context, c config, s *store.Store, out io.Writer) error {
				return eraseAccount(ctx, c, s, id, args[1], out)
			})(cmd)
		},
	}
	command.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask for confirmation")
	return command
}

func eraseAccount(ctx context.Context, c config, s *store.Store, account uuid.UUID, username string, out io.Writer) error {
	files, err := openRestoreList(ctx, c)
	if err != nil {
		return err
	}
	defer files.Close()
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	request := store.ErasureRequest{
		Erasure: store.Erasure{ID: id, Account: account, RequestedBy: store.RequesterOperator}, Username: username,
	}
	erased, err := server.EraseAccount(ctx, c.logger(os.Stderr), files, s, request)
	if refusal, ok := errors.AsType[*market.Error](err); ok {
		for _, d := range refusal.Details {
			fmt.Fprintln(out, d.Message)
		}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "erased account %s, which is now %s\n", account, erased.Username())
	return err
}
