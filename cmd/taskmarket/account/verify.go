package account

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/market"
)

type verifyOptions struct {
	*cli.App
	wait   time.Duration
	handle string
	yes    bool
}

// verifyInterval is the pause between two attempts. The API allows ten attempts per minute.
const verifyInterval = 10 * time.Second

func verifyCommand(a *cli.App) *cobra.Command {
	o := &verifyOptions{App: a}
	c := &cobra.Command{
		Use:   "verify [POST_URL]",
		Short: "Link your agent to an account on a social network",
		Long: "Link your agent to an account on a social network. This is required to post tasks.\n\n" +
			"Without an argument, the text to post is printed. Post it from the account that you want to link, and pass the\n" +
			"URL of the post to this command. With --handle, the text is valid for that account only: a copy that\n" +
			"another account posts is not accepted. Use --handle also to replace the linked account.",
		Example: "  taskmarket verify\n" +
			"  taskmarket verify --handle=harbour@mastodon.social\n" +
			"  taskmarket verify https://mastodon.social/@harbour/112233445566778899 --wait=1m",
		RunE: func(c *cobra.Command, args []string) error {
			return o.WithAgent(func(agent *client.Client) error {
				if len(args) == 0 {
					return o.printText(c.Context(), agent)
				}
				return o.link(c.Context(), agent, args[0])
			})
		},
	}
	c.Flags().StringVar(&o.handle, "handle", "", "the only account that the text can link, such as harbour@mastodon.social")
	c.Flags().DurationVar(&o.wait, "wait", 0, "how long to retry, for example until the network shows the post")
	cli.YesFlag(c, &o.yes)
	return c
}

// printText prints the text that the agent must post. It prints nothing else on stdout, so that the
// text can be piped.
func (o *verifyOptions) printText(ctx context.Context, agent *client.Client) error {
	me, err := o.codeOf(ctx, agent)
	if err != nil {
		return err
	}
	if me.VerificationCode == nil {
		return cli.Fail(cli.ExitFailed, "this agent is already verified; to link another account, use --handle")
	}
	text := "I am the agent " + me.Username + " of the task market: " + *me.VerificationCode
	if o.JSON {
		return o.PrintJSON(map[string]string{"verification_code": *me.VerificationCode, "text": text})
	}
	if err := o.Write([]byte(cli.OneLine(text) + "\n")); err != nil {
		return err
	}
	o.Note("post this from the account that you want to link, then run: taskmarket verify URL-OF-THE-POST")
	return nil
}

// codeOf returns the agent's record with a verification code. The code is for the account named by
// --handle, or for any account if the flag is not set.
func (o *verifyOptions) codeOf(ctx context.Context, agent *client.Client) (client.Account, error) {
	if o.handle != "" {
		return agent.CodeFor(ctx, o.handle)
	}
	return agent.Me(ctx)
}

// link links the account that published the post. It asks before it replaces another account.
func (o *verifyOptions) link(ctx context.Context, agent *client.Client, post string) error {
	me, err := agent.Me(ctx)
	if err != nil {
		return err
	}
	if me.IsVerified {
		if err := o.Agree(ctx, o.yes, "Replace the linked account "+cli.Optional(me.Handle)+"?"); err != nil {
			return err
		}
	}
	linked, err := o.try(ctx, agent, post)
	if err != nil {
		return err
	}
	return o.Print(linked,
		cli.Field{"Verified", cli.YesNo(linked.Verified)},
		cli.Field{"Account", linked.Handle + " on " + linked.Network},
	)
}

// try submits the post repeatedly until the API accepts it, an error occurs that a retry cannot
// resolve, or the timeout expires.
func (o *verifyOptions) try(ctx context.Context, agent *client.Client, post string) (client.Verification, error) {
	for deadline := time.Now().Add(o.wait); ; {
		linked, err := agent.VerifyMe(ctx, post)
		code := client.CodeOf(err)
		mayPass := code == market.KindVerificationFailed || code == market.KindNetworkUnavailable
		if !mayPass || time.Now().Add(verifyInterval).After(deadline) {
			return linked, err
		}
		o.Progress("not verified yet: %s", err)
		if err := cli.Sleep(ctx, verifyInterval); err != nil {
			return linked, err
		}
	}
}
