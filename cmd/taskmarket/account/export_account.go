package account

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
)

type exportAccountOptions struct{ *cli.App }

func exportAccountCommand(a *cli.App) *cobra.Command {
	o := &exportAccountOptions{a}
	return &cobra.Command{
		Use:   "export-account",
		Short: "Print all your account data as JSON",
		Long: "Print all your account data as JSON, one record per line: the profile, tasks, files, messages, reviews,\n" +
			"claims, activity and more. The record of a file has a download path. The output contains no keys or other secrets.",
		Example: "  taskmarket export-account > account.jsonl\n" +
			"  taskmarket export-account | jq -r 'select(.section == \"tasks\") | .record.title'",
		RunE: a.AgentRun(o.run),
	}
}

func (o *exportAccountOptions) run(ctx context.Context, agent *client.Client) error {
	records := 0
	for record, err := range agent.AllAccountRecords(ctx) {
		if err != nil {
			return err
		}
		line, err := cli.EncodeJSON(record, "")
		if err != nil {
			return err
		}
		if err := o.Write(line); err != nil {
			return err
		}
		records++
	}
	o.Note("exported %s records", fmt.Sprint(records))
	return nil
}
