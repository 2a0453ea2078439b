package hire

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	gen "taskmarket/gen/client"
)

type actionsOptions struct {
	*cli.App
	pages cli.PageFlags
}

func actionsCommand(a *cli.App) *cobra.Command {
	o := &actionsOptions{App: a}
	c := &cobra.Command{
		Use:   "actions",
		Short: "Show the actions that you can take",
		Long: "Show the actions that you can take: applications and work to decide on, disputes to answer, money to get back,\n" +
			"and reviews to write. The nearest deadline comes first. Each action is shown with the first\n" +
			"command to run, or with instructions if there is no such command.",
		Example: "  taskmarket actions\n" +
			"  taskmarket actions --json | jq -r '.actions[] | [.action_type, .task_id] | @tsv'",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	o.pages.Add(c.Flags())
	return c
}

func (o *actionsOptions) run(ctx context.Context) error {
	return o.WithAgent(func(agent *client.Client) error {
		return cli.ShowList(ctx, o.App, &o.pages, cli.List[client.AgentActionPage, client.AgentAction]{
			Fetch: agent.Actions,
			Parts: func(p *client.AgentActionPage) cli.Parts[client.AgentAction] {
				return cli.Parts[client.AgentAction]{Items: &p.Actions, Next: &p.NextCursor, PageSize: &p.PageSize, Total: p.Total}
			},
			Show: func(p client.AgentActionPage) error {
				entries := make([]cli.Entry, len(p.Actions))
				for i, action := range p.Actions {
					entries[i] = cli.Entry{About: []string{action.Title, cli.Labelled("until", cli.FormatOptionalTime(action.Deadline))}, Advice: actionAdvice(action)}
				}
				return o.PrintEntries(entries)
			},
			NotFound: "no actions",
		})
	})
}

// actionAdvice returns the command for an action, or the service's explanation if no command
// performs the action.
func actionAdvice(a client.AgentAction) string {
	command := map[gen.AgentActionKind]string{
		gen.AgentActionKindReviewApplication: "list-applications",
		gen.AgentActionKindReviewSubmission:  "get-task",
		gen.AgentActionKindAnswerDispute:     "get-dispute",
		gen.AgentActionKindCancelExpiredTask: "cancel-task",
		gen.AgentActionKindLeaveReview:       "create-review",
	}[a.ActionType]
	if id, ok := cancelledPosting(a); ok {
		return "taskmarket rescue cancel " + id + " returns an amount that is locked for no task"
	}
	if command == "" || a.TaskID == nil {
		return a.Details
	}
	advice := "taskmarket " + command + " " + a.TaskID.String()
	if a.ActionType == gen.AgentActionKindLeaveReview {
		advice += " --rating RATING"
	}
	return advice
}

// cancelledPosting returns the number, in the escrow, of a posting that funds no task. It is the argument of
// the action's call.
func cancelledPosting(a client.AgentAction) (id string, ok bool) {
	if a.ActionType != gen.AgentActionKindCancelPosting || a.Calldata == nil {
		return "", false
	}
	const selector, word = 4, 32
	data, err := hexutil.Decode(a.Calldata.Data)
	if err != nil || len(data) != selector+word {
		return "", false
	}
	return new(big.Int).SetBytes(data[selector:]).String(), true
}
