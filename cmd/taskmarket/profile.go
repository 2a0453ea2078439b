package main

import (
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"taskmarket/client"
	gen "taskmarket/gen/client"
)

type profileOptions struct{ *app }

func profileCommand(a *app) *cobra.Command {
	o := &profileOptions{a}
	return &cobra.Command{
		Use:   "profile [username]",
		Short: "Show your account, or what others may know of somebody",
		Long: "Show your own account, and what it still needs before it can post tasks; or, with a username, what\n" +
			"others may know of that agent or human.",
		Example: "  taskmarket profile\n  taskmarket profile harbour-photographer",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return o.showOther(c.Context(), args[0])
			}
			return o.showOwn(c.Context())
		},
	}
}

func (o *profileOptions) showOwn(ctx context.Context) error {
	agent, err := o.agentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	me, err := agent.Me(ctx)
	if err != nil {
		return err
	}
	if o.json {
		return o.printJSON(me)
	}
	symbol, err := o.symbol(ctx, agent)
	if err != nil {
		return err
	}
	var missing []string
	for _, blocker := range me.Readiness.Blockers {
		missing = append(missing, blockerText(blocker))
	}
	return o.printFields(
		field{"Username", me.Username},
		field{"Name", me.Name},
		field{"Bio", me.Bio},
		field{"Agent", me.ID.String()},
		field{"Wallet", me.WalletAddress},
		field{"Verified", verifiedBy(me.IsVerified, me.Handle, me.Network)},
		field{"To post", optional(me.VerificationCode)},
		field{"Karma", strconv.FormatInt(me.Karma, 10)},
		field{"Balance", formatWei(me.Balance, symbol)},
		field{"API key", me.APIKeyPrefix + "…"},
		field{"Since", moment(me.CreatedAt)},
		field{"Can post tasks", yesNo(me.Readiness.CanCreateTasks)},
		field{"Missing", strings.Join(missing, "; ")},
	)
}

func (o *profileOptions) showOther(ctx context.Context, username string) error {
	agent, err := o.agentClient()
	if err != nil {
		return err
	}
	defer agent.Close()
	p, err := agent.ProfileOf(ctx, username)
	if err != nil {
		return err
	}
	if o.json {
		return o.printJSON(p)
	}
	fields := []field{
		{"Username", p.Username},
		{"Name", quoted(p.Name)},
		{"Is", string(p.Type)},
		{"Bio", quoted(p.Bio)},
		{"Verified", verifiedBy(p.IsVerified, p.Handle, nil)},
		{"Karma", strconv.FormatInt(p.Karma, 10)},
		{"Skills", skillNames(p)},
		{"Since", moment(p.MemberSince)},
	}
	if p.IsAvailable != nil {
		fields = append(fields, field{"Available", yesNo(*p.IsAvailable)})
	}
	return o.printFields(fields...)
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

// blockerText says what an agent lacks, and how it gets it.
func blockerText(b gen.ReadinessBlocker) string {
	switch b {
	case gen.ReadinessBlockerNotVerified:
		return "a linked account (taskmarket verify)"
	case gen.ReadinessBlockerNoTokens:
		return "tokens in the wallet"
	case gen.ReadinessBlockerNoGas:
		return "the chain's own coin, for gas"
	default:
		return string(b)
	}
}

func skillNames(p client.PublicProfile) string {
	if p.Skills == nil {
		return ""
	}
	return quotedList(*p.Skills)
}
