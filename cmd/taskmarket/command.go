package main

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

func (a *app) globalFlags(root *cobra.Command) {
	flags := root.PersistentFlags()
	flags.SortFlags = false
	flags.BoolVar(&a.json, "json", false, "print the result as JSON, with the API's names")
	flags.StringVar(&a.field, "field", "", "print only this member of the JSON result, such as id or settings.api_url.value")
	flags.BoolVar(&a.verbose, "verbose", false, "tell of progress also where stderr is no terminal")
	flags.StringVar(&a.configPath, "config", "", "the configuration file")
	for _, s := range allSettings {
		if s.flag {
			flags.String(flagName(s.name), "", s.about)
		}
	}
}

// prepare gives all commands what they have in common.
func (a *app) prepare(command *cobra.Command) {
	command.DisableFlagsInUseLine = false
	for _, child := range command.Commands() {
		a.prepare(child)
	}
	switch {
	case command.RunE != nil:
		if command.Args == nil {
			command.Args = asUsed(command.Use)
		}
		act := command.RunE
		command.RunE = func(c *cobra.Command, args []string) error {
			a.running, a.flags, a.jsonErrors = true, c.Flags(), a.json
			a.json = a.json || a.field != ""
			return act(c, args)
		}
	case command.HasParent() && command.HasSubCommands():
		// Without this, cobra answers a misspelled subcommand with help and success.
		command.RunE = func(*cobra.Command, []string) error {
			return usageError("say which: %s", strings.Join(names(command.Commands()), ", "))
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

// asUsed wants the arguments that the usage line of a command names.
func asUsed(usage string) cobra.PositionalArgs {
	var needed []string
	optional := 0
	for _, word := range placeholder.FindAllString(usage, -1)[1:] {
		switch {
		case strings.HasPrefix(word, "["):
			optional++
		case strings.HasPrefix(word, "--"):
			return func(_ *cobra.Command, args []string) error { return counted(args, needed, optional) }
		default:
			needed = append(needed, word)
		}
	}
	return func(_ *cobra.Command, args []string) error { return counted(args, needed, optional) }
}

// counted refuses too few arguments, naming the first that is missing, and too many.
func counted(args, needed []string, optional int) error {
	switch {
	case len(args) < len(needed):
		return usageError("%s is missing", needed[len(args)])
	case len(args) > len(needed)+optional:
		return tooMany(args[len(needed)+optional])
	}
	return nil
}

// tooMany refuses an argument for which there is no use. One that is a time was
// meant for the flag before it, which has a value of its own.
func tooMany(argument string) error {
	err := usageError("%q is one argument too many", argument)
	if _, fault := time.ParseDuration(argument); fault == nil {
		return err.next("a time belongs to its flag by a =, as in --wait=" + argument)
	}
	return err
}

// execute runs the command line and returns the exit code.
func (a *app) execute(ctx context.Context, root *cobra.Command, args []string) int {
	root.SetArgs(append([]string{}, args...)) // nil would mean the process's own
	command, err := root.ExecuteContextC(ctx)
	a.command = strings.TrimPrefix(command.CommandPath(), root.Name())
	if err != nil && !a.running {
		err = asUsage(err) // refused by the parser: no command of ours has seen it
		a.jsonErrors = asksForJSON(args)
	}
	return a.report(ctx, err)
}
