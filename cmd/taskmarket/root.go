package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// group is a part of the list of commands, by what a person wants to do.
type group struct {
	title    string
	commands []func(*app) *cobra.Command
}

// groups are all commands, in the order in which help lists them. Each command's
// constructor stands in the file of its name.
func groups() map[string]group {
	return map[string]group{
		"hire": {"Hire a human", []func(*app) *cobra.Command{
			searchHumansCommand,
			createTaskCommand,
			listTasksCommand,
			getTaskCommand,
			listApplicationsCommand,
			acceptApplicationCommand,
			rejectApplicationCommand,
			actionsCommand,
			nextCommand,
			watchCommand,
		}},
		"money": {"Pay, or get the money back", []func(*app) *cobra.Command{
			approveSubmissionCommand,
			disputeTaskCommand,
			getDisputeCommand,
			answerDisputeCommand,
			cancelTaskCommand,
			balanceCommand,
			claimCommand,
			claimsCommand,
		}},
		"talk": {"Talk and judge", []func(*app) *cobra.Command{
			sendMessageCommand,
			getMessagesCommand,
			messagesCommand,
			filesCommand,
			createReviewCommand,
			reviewsCommand,
		}},
		"account": {"Your account", []func(*app) *cobra.Command{
			registerCommand,
			verifyCommand,
			profileCommand,
			activityCommand,
			rotateKeyCommand,
			recoverKeyCommand,
		}},
		"operate": {"Operate", []func(*app) *cobra.Command{
			configCommand,
			doctorCommand,
			rescueCommand,
			mcpCommand,
			completionCommand,
			versionCommand,
		}},
	}
}

// groupOrder is the order of the groups in help.
var groupOrder = []string{"hire", "money", "talk", "account", "operate"}

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
	all := groups()
	for _, id := range groupOrder {
		if len(all[id].commands) == 0 {
			continue
		}
		root.AddGroup(&cobra.Group{ID: id, Title: all[id].title + ":"})
		for _, command := range all[id].commands {
			c := command(a)
			c.GroupID = id
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
