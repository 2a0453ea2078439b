package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"taskmarket/cmd/taskmarket/internal/cli"
)

// each calls do with every command and help topic below the root.
func each(command *cobra.Command, do func(*cobra.Command)) {
	for _, c := range command.Commands() {
		do(c)
		each(c, do)
	}
}

// Every command without subcommands has an example, every top-level command belongs to a group, and each
// help text matches its golden file in testdata/help. Help topics need neither.
func TestHelp(t *testing.T) {
	u := newUser(t)
	wantGolden(t, "help/taskmarket.txt", u.run().ok().stdout)
	root := rootCommand(cli.New(u.streams(nil, nil), nil))
	each(root, func(c *cobra.Command) {
		words := strings.Fields(c.CommandPath())[1:]
		if c.Name() == "help" {
			return
		}
		help := u.run(append([]string{"help"}, words...)...).ok()
		wantGolden(t, "help/"+strings.Join(words, "-")+".txt", help.stdout)
		if help.stderr != "" {
			t.Errorf("help %s writes to stderr: %s", words, help.stderr)
		}
		switch {
		case c.IsAdditionalHelpTopicCommand():
		case c.Example == "" && !c.HasSubCommands():
			t.Errorf("%s has no example", c.CommandPath())
		case c.Parent() == root && c.GroupID == "":
			t.Errorf("%s is in no group", c.CommandPath())
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if value, _ := pflag.UnquoteUsage(f); strings.Contains(value, " ") {
				t.Errorf("help %s: --%s takes a value called %q", words, f.Name, value)
			}
		})
		for line := range strings.Lines(help.stdout) {
			if len([]rune(line)) > maxHelpLine && !strings.Contains(line, "--") {
				t.Errorf("help %s: a line of %d characters: %s", words, len([]rune(line)), line)
			}
		}
	})
}

// maxHelpLine is the maximum length of a line of help text. Lines with flags are exempt.
const maxHelpLine = 120

func TestWrongUsage(t *testing.T) {
	for name, c := range map[string]struct {
		args       []string
		wantStderr string
	}{
		"an unknown command":             {[]string{"hire"}, `unknown command "hire"`},
		"a misspelled command":           {[]string{"balanc"}, "did you mean: balance?"},
		"an unknown flag":                {[]string{"balance", "--fast"}, "unknown flag: --fast\nhint: `taskmarket help balance` shows the usage"},
		"a missing subcommand":           {[]string{"files"}, "subcommand is missing: use one of download, list, upload\nhint: `taskmarket help files` shows the usage"},
		"an invalid id":                  {[]string{"files", "list", "one"}, "hint: `taskmarket help files list` shows the usage"},
		"a flag without a value":         {[]string{"balance", "--api-url"}, "flag needs an argument: --api-url"},
		"an extra argument":              {[]string{"version", "now"}, `unexpected argument "now"`},
		"two arguments instead of one":   {[]string{"profile", "one", "two"}, `unexpected argument "two"`},
		"a task without flags":           {[]string{"create-task"}, "--title, --description and --amount are missing"},
		"a task without an amount":       {[]string{"create-task", "--title", "x", "--description", "y"}, "--amount is missing"},
		"an argument with --resume":      {[]string{"accept-application", "x", "--resume"}, "takes no arguments"},
		"--wait without =":               {[]string{"approve-submission", "x", "--wait", "1h"}, "as in --wait=1h"},
		"--first --wait without =":       {[]string{"accept-application", "x", "--first", "--wait", "1h"}, "as in --wait=1h"},
		"three arguments instead of two": {[]string{"accept-application", "x", "y", "z"}, `unexpected argument "z"`},
		"a missing text":                 {[]string{"send-message", "x"}, "TEXT is missing"},
		"help for an unknown command":    {[]string{"help", "hire"}, "no help topic \"hire\"\nhint: `taskmarket help` lists"},
		"help for an unknown subcommand": {[]string{"help", "files", "hire"}, "no help topic \"files hire\""},
		"no configuration":               {[]string{"balance"}, "no API is configured"},
		"a secret as a flag":             {[]string{"balance", "--api-key", "x"}, "unknown flag: --api-key"},
		"an invalid API URL":             {[]string{"profile", "x", "--api-url", "market"}, "must begin with https:// or http://"},
		"an API key over plain http":     {[]string{"profile", "x", "--api-url", "http://market.example"}, "plain http"},
	} {
		t.Run(name, func(t *testing.T) {
			u := newUser(t)
			u.set("API_KEY", "tm_"+"none")
			r := u.run(c.args...).ended(cli.ExitUsage).wantStderr(c.wantStderr).wantStderr("taskmarket: ")
			if !strings.Contains(r.stderr, "\nhint: ") || r.stdout != "" {
				t.Errorf("no hint, or a result: %s%s", r.stderr, r.stdout)
			}
		})
	}
}
