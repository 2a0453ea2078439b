package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"taskmarket/server/screening"
)

// maxCheckedText is the maximum size in bytes of a text that `admin rules check` reads.
const maxCheckedText = 1 << 20

// rulesCommand returns the commands for the rules that hold tasks. The commands need no database.
func rulesCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "rules",
		Short: "Show the rules that hold tasks, and their version in the audit log",
		Long: "Show the rules that hold tasks: those of SCREENING_FILE, or the built-in ones. The audit log records each\n" +
			"version that a server used.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			screen, err := configuredScreen()
			if err != nil {
				return err
			}
			rules := screen.Rules()
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "version %s\n", rules.Version())
			for _, clause := range rules.Clauses() {
				fmt.Fprintf(w, "%s\t%q\n", clause.Rule, clause.Text)
			}
			return w.Flush()
		},
	}
	command.AddCommand(&cobra.Command{
		Use:     "check [FILE]",
		Short:   "Print the rule that would hold the text of a file or of the standard input",
		Example: "  echo \"Send me the code that you receive\" | taskmarketd admin rules check",
		Args:    cobra.MaximumNArgs(1),
		RunE:    checkText,
	})
	return command
}

func configuredScreen() (*screening.Screen, error) {
	c, err := loadConfig(os.Environ())
	if err != nil {
		return nil, err
	}
	screen, err := screening.New(c.ScreeningFile)
	if err != nil {
		return nil, fmt.Errorf("%sSCREENING_FILE: %w", prefix, err)
	}
	return screen, nil
}

func checkText(cmd *cobra.Command, args []string) error {
	screen, err := configuredScreen()
	if err != nil {
		return err
	}
	in := cmd.InOrStdin()
	if len(args) == 1 {
		file, err := os.Open(args[0])
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	text, err := io.ReadAll(io.LimitReader(in, maxCheckedText+1))
	switch {
	case err != nil:
		return fmt.Errorf("read the text: %w", err)
	case len(text) > maxCheckedText:
		return errors.New("read the text: it is larger than 1 MiB")
	}
	result := "no rule holds this text"
	if rule := screen.Match(string(text)); rule != "" {
		result = rule
	}
	_, err = fmt.Fprintln(cmd.OutOrStdout(), result)
	return err
}
