package main

import (
	"context"

	"github.com/spf13/cobra"

	"taskmarket/client"
	gen "taskmarket/gen/client"
)

type actionsOptions struct {
	*app
	pages pageFlags
}

func actionsCommand(a *app) *cobra.Command {
	o := &actionsOptions{app: a}
	c := &cobra.Command{
		Use:   "actions",
		Short: "Show what waits for you",
		Long:  "Show what waits for you: applications and work to judge, disputes to answer, money to get back, the nearest\ndeadline first, each with the command that does it.",
		Example: "  taskmarket actions\n" +
			"  taskmarket actions --json | jq -r '.actions[] | [.action, .task_id] | @tsv'",
		RunE: func(c *cobra.Command, _ []string) error { return o.run(c.Context()) },
	}
	o.pages.add(c.Flags())
	return c
}

func (o *actionsOptions) run(ctx context.Context) error {
	return o.withAgent(func(agent *client.Client) error {
		return showList(ctx, o.app, &o.pages, list[client.AgentActionPage, client.AgentAction]{
			fetch: agent.Actions,
			parts: func(p *client.AgentActionPage) parts[client.AgentAction] {
				return parts[client.AgentAction]{&p.Actions, &p.NextCursor, &p.PageSize, p.Total}
			},
			show: func(p client.AgentActionPage) error {
				entries := make([]entry, len(p.Actions))
				for i, action := range p.Actions {
					entries[i] = entry{about: []string{action.Title, labelled("until", optionalMoment(action.Deadline))}, advice: actionAdvice(action)}
				}
				return o.printEntries(entries)
			},
			notFound: "nothing waits for you",
		})
	})
}

// actionAdvice is the command that does what waits; what no command does, the
// service explains.
func actionAdvice(a client.AgentAction) string {
	command := map[gen.AgentActionKind]string{
		gen.AgentActionKindReviewApplication: "list-applications",
		gen.AgentActionKindReviewSubmission:  "get-task",
		gen.AgentActionKindAnswerDispute:     "get-dispute",
		gen.AgentActionKindCancelExpired:     "cancel-task",
		gen.AgentActionKindLeaveReview:       "create-review",
	}[a.Action]
	if command == "" || a.TaskID == nil {
		return a.Details
	}
	advice := "taskmarket " + command + " " + a.TaskID.String()
	if a.Action == gen.AgentActionKindLeaveReview {
		advice += " --rating RATING"
	}
	return advice
}
