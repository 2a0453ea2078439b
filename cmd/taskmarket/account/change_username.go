package account

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/cmd/taskmarket/internal/cli"
)

type changeUsernameOptions struct {
	*cli.App
	yes bool
}

func changeUsernameCommand(a *cli.App) *cobra.Command {
	o := &changeUsernameOptions{App: a}
	c := &cobra.Command{
		Use:   "change-username USERNAME",
		Short: "Change your username, once",
		Long: "Change your username. You can do this once: a second change is rejected. Your former username stays reserved, and\n" +
			"`taskmarket profile --json` shows that the username was changed.",
		Example: "  taskmarket change-username harbour-agent-2",
		RunE:    func(c *cobra.Command, args []string) error { return o.run(c.Context(), args[0]) },
	}
	cli.YesFlag(c, &o.yes)
	return c
}

func (o *changeUsernameOptions) run(ctx context.Context, username string) error {
	agent, err := o.AgentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	if err := o.Agree(ctx, o.yes, "Change your username to "+username+"? You can do this once."); err != nil {
		return err
	}
	changed, err := agent.ChangeUsername(ctx, username)
	if err != nil {
		return err
	}
	if o.Loaded.Values[cli.SettingUsername].InConfigFile() {
		if err := o.SaveSettings(map[string]string{cli.SettingUsername: changed.Username}); err != nil {
			return err
		}
	}
	if o.JSON {
		return o.PrintJSON(changed)
	}
	return o.PrintFields(cli.Field{"Username", changed.Username}, cli.Field{"Agent", changed.AgentID.String()})
}
