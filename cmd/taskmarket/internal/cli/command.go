package cli

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// placeholder is a word of a command's usage line that stands for an argument; in
// brackets, one that may be left out.
var placeholder = regexp.MustCompile(`\[[^\]]*\]|\S+`)

// GlobalFlags adds the flags of all commands.
func (a *App) GlobalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVar(&a.JSON, "json", false, "print the result as JSON, with the API's names")
	flags.StringVar(&a.field, "field", "", "print only this member of the JSON result, such as id or settings.api_url.value")
	flags.BoolVar(&a.verbose, "verbose", false, "tell of progress also where stderr is no terminal")
	flags.StringVar(&a.configPath, "config", "", "the configuration file")
	for _, s := range AllSettings {
		if s.Flag {
			flags.String(FlagName(s.Name), "", s.About)
		}
	}
}

// Prepare gives all commands what they have in common.
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
		// Without this, cobra answers a misspelled subcommand with help and success.
		command.RunE = func(*cobra.Command, []string) error {
			return UsageError("say which: %s", strings.Join(names(command.Commands()), ", "))
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

// usageArgs wants the arguments that the usage line of a command names.
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

// CountArgs refuses too few arguments, naming the first that is missing, and too many.
func CountArgs(args, needed []string, optional int) error {
	switch {
	case len(args) < len(needed):
		return UsageError("%s is missing", needed[len(args)])
	case len(args) > len(needed)+optional:
		return ExtraArgument(args[len(needed)+optional])
	}
	return nil
}

// ExtraArgument refuses an argument for which there is no use. One that is a time was
// meant for the flag before it, which has a value of its own.
func ExtraArgument(argument string) error {
	err := UsageError("%q is one argument too many", argument)
	if _, fault := time.ParseDuration(argument); fault == nil {
		return err.WithHint("a time belongs to its flag by a =, as in --wait=" + argument)
	}
	return err
}

// Execute runs the command line and returns the exit code.
func (a *App) Execute(ctx context.Context, root *cobra.Command, args []string) int {
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	command, err := root.ExecuteContextC(ctx)
	a.command = strings.TrimPrefix(command.CommandPath(), root.Name())
	if err != nil && !a.running {
		err = asUsage(err) // refused by the parser: no command of ours has seen it
		a.jsonErrors = asksForJSON(args)
	}
	return a.report(ctx, err)
}
