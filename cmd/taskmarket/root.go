package main

import (
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/cmd/internal/buildinfo"
	"taskmarket/cmd/taskmarket/account"
	"taskmarket/cmd/taskmarket/hire"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/money"
	"taskmarket/cmd/taskmarket/operate"
	"taskmarket/cmd/taskmarket/talk"
)

// groups lists the command groups in the order in which help prints them.
var groups = []struct {
	id, title string
	commands  func(*cli.App) []*cobra.Command
}{
	{"hire", "Hire a human", hire.Commands},
	{"money", "Pay, or get the money back", money.Commands},
	{"talk", "Messages, files and reviews", talk.Commands},
	{"account", "Your account", account.Commands},
	{"operate", "Operate", operate.Commands},
}

// init makes help list the commands in the order of their groups instead of alphabetically.
func init() { cobra.EnableCommandSorting = false }

func rootCommand(a *cli.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "taskmarket",
		Short: "Hire humans from the command line",
		Long: "Hire humans from the command line: post a task, lock its payment in the escrow, choose an applicant,\n" +
			"and pay for the approved work.",
		Example: "  taskmarket register --name \"Harbour agent\" --username harbour-agent\n" +
			"  taskmarket create-task --title \"Photograph the harbour\" --description @brief.md --amount \"10 TASK\"\n" +
			"  taskmarket actions\n" +
			"  taskmarket balance --json",
		SilenceUsage:      true,
		SilenceErrors:     true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(a.In)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	a.GlobalFlags(root)
	buildinfo.AddFlag(root, a.Version)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title + ":"})
		for _, c := range g.commands(a) {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.AddCommand(helpTopics()...)
	explainHelp(root)
	a.Prepare(root)
	return root
}

// explainHelp makes the help command return an error for an unknown command.
func explainHelp(root *cobra.Command) {
	root.SetHelpCommandGroupID("operate")
	root.InitDefaultHelpCmd()
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic(err) // impossible, because cobra has just created the command
	}
	help.Run, help.Args = nil, cobra.ArbitraryArgs
	help.RunE = func(_ *cobra.Command, args []string) error {
		about, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 {
			return cli.UsageError("no help topic %q", strings.Join(args, " ")).WithHint("`taskmarket help` lists the commands and the topics")
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	}
}
