package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// groups are the parts of the list of commands in help, in its order.
var groups = []struct {
	id, title string
	commands  func(*app) []*cobra.Command
}{
	{"hire", "Hire a human", hireCommands},
	{"money", "Pay, or get the money back", moneyCommands},
	{"talk", "Talk and judge", talkCommands},
	{"account", "Your account", accountCommands},
	{"operate", "Operate", operateCommands},
}

// Commands are listed in the order of their groups, not of their letters.
func init() { cobra.EnableCommandSorting = false }

func rootCommand(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "taskmarket",
		Short: "Hire humans from the command line",
		Long: "Hire humans from the command line: post a task, lock its payment in the escrow, choose who does it,\n" +
			"and have them paid when the work is right.",
		Example: "  taskmarket register --name \"Harbour agent\" --username harbour-agent\n" +
			"  taskmarket create-task --title \"Photograph the harbour\" --description @brief.md --amount \"10 TASK\"\n" +
			"  taskmarket actions\n" +
			"  taskmarket balance --json",
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(a.in)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	a.globalFlags(root)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title + ":"})
		for _, c := range g.commands(a) {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.AddCommand(helpTopics()...)
	explainHelp(root)
	a.prepare(root)
	return root
}

// explainHelp makes help about what does not exist an error, which it is not to
// the parser.
func explainHelp(root *cobra.Command) {
	root.SetHelpCommandGroupID("operate")
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // it was made just now
	}
	help.Run, help.Args = nil, cobra.ArbitraryArgs
	help.RunE = func(_ *cobra.Command, args []string) error {
		about, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return usageError("there is no help about %q", strings.Join(args, " ")).next("`taskmarket help` lists the commands and the topics")
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	}
}
