package cli

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// placeholder matches an argument in a command's usage line; optional ones are in brackets.
var placeholder = regexp.MustCompile(`\[[^\]]*\]|\S+`)

// GlobalFlags adds the flags that all commands share.
func (a *App) GlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVar(&a.JSON, "json", false, "print the result as JSON, with the API's field names")
	flags.StringVar(&a.field, "field", "", "print only this member of the JSON result, such as id or settings.api_url.value")
	flags.BoolVar(&a.verbose, "verbose", false, "show progress even when stderr is not a terminal")
	flags.StringVar(&a.configPath, "config", "", "the configuration file")
	for _, s := range AllSettings {
		if s.Flag {
			flags.String(FlagName(s.Name), "", s.About)
		}
	}
}

// Prepare completes a command and its subcommands. It adds a check of the number of arguments, and
// stores the flags in the App before the command runs. A command that only groups subcommands
// returns a usage error.
func (a *App) Prepare(command *cobra.Command) {
	command.DisableFlagsInUseLine = false
	for _, child := range command.Commands() {
		a.Prepare(child)
	}
	switch {
	case command.RunE != nil:
		if command.Args == nil {
			command.Args = usageArgs(command.Use)
		}
		act := command.RunE
		command.RunE = func(c *cobra.Command, args []string) error {
			a.running, a.Flags, a.jsonErrors = true, c.Flags(), a.JSON
			a.JSON = a.JSON || a.field != ""
			return act(c, args)
		}
	case command.HasParent() && command.HasSubCommands():
		// Without RunE, cobra prints the help text and exits with 0 for a misspelled subcommand.
		command.RunE = func(_ *cobra.Command, args []string) error {
			fault := "subcommand is missing"
			if len(args) > 0 {
				fault = fmt.Sprintf("unknown subcommand %q", args[0])
			}
			return UsageError("%s: use one of %s", fault, strings.Join(names(command.Commands()), ", "))
		}
		command.Args = cobra.ArbitraryArgs
	}
}

func names(commands []*cobra.Command) []string {
	var all []string
	for _, c := range commands {
		if !c.Hidden {
			all = append(all, c.Name())
		}
	}
	slices.Sort(all)
	return all
}

// usageArgs returns a function that requires the arguments in the command's usage line, up to the
// first flag.
func usageArgs(usage string) cobra.PositionalArgs {
	var needed []string
	optional := 0
	for _, word := range placeholder.FindAllString(usage, -1)[1:] {
		switch {
		case strings.HasPrefix(word, "["):
			optional++
		case strings.HasPrefix(word, "--"):
			return func(_ *cobra.Command, args []string) error { return CountArgs(args, needed, optional) }
		default:
			needed = append(needed, word)
		}
	}
	return func(_ *cobra.Command, args []string) error { return CountArgs(args, needed, optional) }
}

// CountArgs returns an error if there are too many or too few arguments. In the latter case, the
// error names the first missing one.
func CountArgs(args, needed []string, optional int) error {
	switch {
	case len(args) < len(needed):
		return UsageError("%s is missing", needed[len(args)])
	case len(args) > len(needed)+optional:
		return ExtraArgument(args[len(needed)+optional])
	}
	return nil
}

// ExtraArgument returns the error for an unexpected argument. If the argument is a duration, the
// error explains how to pass it as the value of the preceding flag.
func ExtraArgument(argument string) error {
	err := UsageError("unexpected argument %q", argument)
	if _, fault := time.ParseDuration(argument); fault == nil {
		return err.WithHint("write the duration with =, as in --wait=" + argument)
	}
	return err
}

// Execute runs the command line and returns the exit code.
func (a *App) Execute(ctx context.Context, root *cobra.Command, args []string) int {
	root.SetArgs(append([]string{}, args...)) // cobra would read os.Args if the slice were nil
	command, err := root.ExecuteContextC(ctx)
	a.command = strings.TrimPrefix(command.CommandPath(), root.Name())
	if err != nil && !a.running {
		err = asUsage(err) // the parser rejected the command line, so the command did not run
		a.jsonErrors = asksForJSON(args)
	}
	return a.report(ctx, err)
}
