package hire

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"taskmarket/client"
	"taskmarket/cmd/taskmarket/internal/cli"
	"taskmarket/cmd/taskmarket/internal/spend"
	"taskmarket/market"
)

type createTaskOptions struct {
	spend.Command
	title, description, amount, deadline string
	skills                               []string
	location, maxFee, key                string
	remote                               bool
	unlock                               func() // ends the choice of a key; nil if the user chose one
}

func createTaskCommand(a *cli.App) *cobra.Command {
	o := &createTaskOptions{Command: spend.Command{App: a}}
	c := &cobra.Command{
		Use:   "create-task",
		Short: "Post a task and lock its payment in the escrow",
		Long: "Post a task and lock its payment in the escrow, in one transaction with a permit for exactly the amount. If you\n" +
			"cancel before work is submitted, the amount is refunded. If the work is approved, the human is paid the amount less\n" +
			"the platform fee.\n\n" +
			"After a failure, run the command again with the same arguments: it resumes where it stopped and pays the amount\n" +
			"once. Without --key this applies until the task is printed; after that, the same command posts another task. With\n" +
			"--key it always applies, and two tasks with the same content need different keys. Payments are recorded in the\n" +
			"state directory. Without it, as in a disposable container, --key works for " + market.FormatDuration(market.IdempotencyLifetime) + " only.",
		Example: "  taskmarket create-task --title \"Photograph the harbour\" --description @brief.md --amount \"10 TASK\" --deadline 72h\n" +
			"  taskmarket create-task --title Demo --description \"Say hello\" --amount \"1 TASK\" --skill demo --yes --json | jq -r .id\n" +
			"  taskmarket create-task --resume",
		RunE: func(c *cobra.Command, _ []string) error { return o.create(c.Context()) },
	}
	f := c.Flags()
	f.StringVar(&o.title, "title", "", "the task in a few words")
	f.StringVar(&o.description, "description", "", "what to do: the text, @FILE, or - for stdin")
	f.StringVar(&o.amount, "amount", "", "the amount to lock: \"10 TASK\", or wei")
	f.StringVar(&o.deadline, "deadline", "", "2030-06-01T12:00:00Z, or a duration such as 72h")
	f.StringSliceVar(&o.skills, "skill", nil, "a required skill; repeatable")
	f.StringVar(&o.location, "location", "", "where to do it")
	f.BoolVar(&o.remote, "remote", false, "the task can be done remotely")
	f.StringVar(&o.maxFee, "max-fee", "", "the highest platform fee to accept, in percent, such as 5 or 2.5")
	f.StringVar(&o.key, "key", "", "an idempotency key for this task: while the state directory is preserved, the same key never pays twice")
	o.AddFlags(c)
	return c
}

func (o *createTaskOptions) create(ctx context.Context) error {
	if o.Resume || o.Discard {
		return o.Run(ctx, nil)
	}
	request, err := o.request()
	if err != nil {
		return err
	}
	defer func() {
		if o.unlock != nil {
			o.unlock()
		}
	}()
	return o.Run(ctx, func(ctx context.Context, agent *client.Client) (client.ActionRequest, error) {
		return o.begin(ctx, agent, request)
	})
}

// complete returns an error that lists all missing fields of the task.
func (o *createTaskOptions) complete() error {
	var missing []string
	for _, needed := range []struct{ flag, text string }{
		{"--title", o.title}, {"--description", o.description}, {"--amount", o.amount},
	} {
		if needed.text == "" {
			missing = append(missing, needed.flag)
		}
	}
	switch last := len(missing) - 1; {
	case last < 0:
		return nil
	case last == 0:
		return cli.UsageError("%s is missing", missing[0])
	default:
		return cli.UsageError("%s and %s are missing", strings.Join(missing[:last], ", "), missing[last])
	}
}

// request builds the task from the flags, except for the amount and the deadline. begin adds these,
// because they can require a request to the API and the journal.
func (o *createTaskOptions) request() (client.TaskRequest, error) {
	if err := o.complete(); err != nil {
		return client.TaskRequest{}, err
	}
	description, err := o.TextOrFile("--description", o.description, market.MaxDescription)
	if err != nil {
		return client.TaskRequest{}, err
	}
	fee, err := parsePercent(o.maxFee)
	return client.TaskRequest{
		Key: o.key, Title: o.title, Description: description, Skills: o.skills, Location: o.location, Remote: o.remote,
		MaxFeeBasisPoints: fee,
	}, err
}

func (o *createTaskOptions) begin(ctx context.Context, agent *client.Client, request client.TaskRequest) (_ client.ActionRequest, err error) {
	symbol, err := o.Symbol(ctx, agent)
	if err != nil {
		return client.ActionRequest{}, err
	}
	if request.Amount, err = cli.ParseAmount(o.amount, symbol); err != nil {
		return client.ActionRequest{}, err
	}
	if request.Key == "" {
		if request.Key, err = o.chooseKey(ctx, agent, request); err != nil {
			return client.ActionRequest{}, err
		}
	}
	earlier, err := o.Journal.Load(ctx, request.FlowKey())
	if err == nil && isStale(earlier) {
		err, earlier = agent.Discard(ctx, earlier.Key), nil
	}
	if err != nil {
		return client.ActionRequest{}, err
	}
	request.Deadline, err = o.deadlineOf(earlier)
	return client.Fund(request), err
}

// chooseKey returns the key for a task whose creator chose none. --max-fee does not count, because it may change
// between two runs for the same task.
func (o *createTaskOptions) chooseKey(ctx context.Context, agent *client.Client, request client.TaskRequest) (key string, err error) {
	contracts, err := agent.Deployment(ctx)
	if err != nil {
		return "", err
	}
	request.MaxFeeBasisPoints = nil
	key, o.unlock, err = o.ChooseKey(ctx, contracts.ChainID, contracts.Escrow, request.Clean(), o.deadline)
	return key, err
}

// isStale reports whether an earlier run only planned the task, and its deadline has passed.
func isStale(earlier *client.Flow) bool {
	return earlier != nil && !earlier.Signed() && !earlier.Done && !earlier.Agreed &&
		earlier.Task != nil && earlier.Task.Deadline != nil && !time.Now().Before(*earlier.Task.Deadline)
}

// deadlineOf returns the deadline. For a duration, it is the deadline that an earlier run of the command
// computed, if there is one, because a new deadline would make it a different task. A deadline was computed from the
// duration if it is at most that long after the start of the earlier run, or after now if the clock was set back.
func (o *createTaskOptions) deadlineOf(earlier *client.Flow) (*time.Time, error) {
	if o.deadline == "" {
		return nil, nil
	}
	if at, err := market.ParseTime(o.deadline); err == nil {
		return &at, nil
	}
	life, err := time.ParseDuration(o.deadline)
	if err != nil || life <= 0 {
		return nil, cli.UsageError("--deadline %q: use a time such as 2030-06-01T12:00:00Z, or a duration such as 72h", o.deadline)
	}
	fresh := time.Now().Add(life).UTC().Truncate(time.Second)
	if earlier == nil || earlier.Task == nil || earlier.Task.Deadline == nil {
		return &fresh, nil
	}
	if deadline := earlier.Task.Deadline; !deadline.After(fresh) || !deadline.After(earlier.Begun.Add(life)) {
		return deadline, nil
	}
	return &fresh, nil
}

var percentPattern = regexp.MustCompile(`^([0-9]{1,3})(?:\.([0-9]{1,2}))?\s*%?$`)

// parsePercent parses a percentage into basis points: "2.5" is 250. It returns nil for an empty
// text.
func parsePercent(text string) (*uint16, error) {
	if text == "" {
		return nil, nil
	}
	parts := percentPattern.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return nil, cli.UsageError("--max-fee %q is not a percentage with at most two decimal places, such as 5 or 2.5", text)
	}
	points, err := strconv.ParseUint(parts[1]+(parts[2] + "00")[:2], 10, 16)
	if err != nil || points > 10_000 {
		return nil, cli.UsageError("--max-fee %q is above 100%%", text)
	}
	return new(uint16(points)), nil
}
