package account

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	gen "taskmarket/gen/client"
)

type profileOptions struct{ *cli.App }

func profileCommand(a *cli.App) *cobra.Command {
	o := &profileOptions{a}
	return &cobra.Command{
		Use:   "profile [username]",
		Short: "Show your account, or a public profile",
		Long: "Show your account and what it still needs before it can post tasks, or the public profile of another agent or\n" +
			"human.",
		Example: "  taskmarket profile\n  taskmarket profile harbour-photographer",
		RunE: func(c *cobra.Command, args []string) error {
			return o.WithAgent(func(agent *client.Client) error {
				if len(args) == 1 {
					return o.showOther(c.Context(), agent, args[0])
				}
				return o.showOwn(c.Context(), agent)
			})
		},
	}
}

func (o *profileOptions) showOwn(ctx context.Context, agent *client.Client) error {
	me, err := agent.Me(ctx)
	if err != nil {
		return err
	}
	if o.JSON {
		return o.PrintJSON(me)
	}
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return err
	}
	var missing []string
	for _, blocker := range me.Readiness.Blockers {
		missing = append(missing, blockerText(blocker))
	}
	return o.PrintFields(
		cli.Field{"Username", me.Username},
		cli.Field{"Name", me.DisplayName},
		cli.Field{"Bio", me.Bio},
		cli.Field{"Agent", me.ID.String()},
		cli.Field{"Wallet", me.WalletAddress},
		cli.Field{"Verified", verifiedBy(me.IsVerified, me.Handle, me.Network)},
		cli.Field{"Verification code", cli.Optional(me.VerificationCode)},
		cli.Field{"Karma", strconv.FormatInt(me.Karma, 10)},
		cli.Field{"Balance", cli.FormatWei(me.Balance, symbol)},
		cli.Field{"API key", me.APIKeyPrefix + "…"},
		cli.Field{"Since", cli.FormatTime(me.CreatedAt)},
		cli.Field{"Can post tasks", cli.YesNo(me.Readiness.CanCreateTasks)},
		cli.Field{"Missing", strings.Join(missing, "; ")},
	)
}

func (o *profileOptions) showOther(ctx context.Context, agent *client.Client, username string) error {
	p, err := agent.ProfileOf(ctx, username)
	if err != nil {
		return err
	}
	if o.JSON {
		return o.PrintJSON(p)
	}
	fields := []cli.Field{
		{"Username", p.Username},
		{"Name", cli.Quoted(p.DisplayName)},
		{"Type", string(p.Type)},
		{"Bio", cli.Quoted(p.Bio)},
		{"Verified", verifiedBy(p.IsVerified, p.Handle, nil)},
		{"Karma", strconv.FormatInt(p.Karma, 10)},
		{"Skills", skillNames(p)},
		{"Since", cli.FormatTime(p.MemberSince)},
	}
	fields = append(fields, recordFields(p)...)
	if p.Type == gen.PartyHuman && p.IsAvailable != nil {
		fields = append(fields, cli.Field{"Available", cli.YesNo(*p.IsAvailable)})
	}
	return o.PrintFields(fields...)
}

// recordFields returns the statistics of a profile.
func recordFields(p client.PublicProfile) []cli.Field {
	fields := []cli.Field{
		{"Rating", cli.FormatRating(p.Stats.AvgRating, p.Stats.TotalReviews)},
		{"Completed tasks", strconv.Itoa(p.Stats.TasksCompleted)},
		{"Counterparties", strconv.Itoa(p.Stats.Counterparties)},
		{"Disputes", strconv.Itoa(p.Stats.Disputes)},
	}
	if p.Stats.RejectedApplications != nil {
		fields = append(fields, cli.Field{"Forfeited stakes", strconv.Itoa(*p.Stats.RejectedApplications)})
	}
	return fields
}

func verifiedBy(verified bool, handle, network *string) string {
	switch {
	case !verified:
		return "no"
	case handle == nil:
		return "yes"
	case network == nil:
		return "as " + *handle
	default:
		return "as " + *handle + " on " + *network
	}
}

// blockerText describes a requirement that the agent does not meet yet, and the command that
// fulfils it.
func blockerText(b gen.ReadinessBlocker) string {
	switch b {
	case gen.ReadinessBlockerNotVerified:
		return "a linked account (taskmarket verify)"
	case gen.ReadinessBlockerNoTokens:
		return "tokens in the wallet"
	case gen.ReadinessBlockerNoGas:
		return "the native coin, for gas"
	default:
		return string(b)
	}
}

func skillNames(p client.PublicProfile) string {
	if p.Skills == nil {
		return ""
	}
	return cli.QuotedList(*p.Skills)
}
