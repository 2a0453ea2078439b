package main

import (
	"context"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/chain"
	"taskmarket/client"
	"taskmarket/market"
)

// tokens converts whole tokens to wei.
func tokens(n int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), big.NewInt(1_000_000_000_000_000_000))
}

// inTokens formats wei as a decimal number of tokens.
func inTokens(wei *big.Int) string {
	text := new(big.Rat).SetFrac(wei, tokens(1)).FloatString(18)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// demo runs a single hire and prints each step.
type demo struct {
	*dev
	agent  *client.Client
	reader *chain.Reader
}

// runDemo hires the simulated human for one task and prints a line for each step.
func (d *dev) runDemo(ctx context.Context) error {
	w := &demo{dev: d, reader: chain.NewReader(d.node, chain.NewContracts(d.world.Deployment))}
	if err := w.prepare(ctx); err != nil {
		return err
	}
	defer w.agent.Close()
	before, err := w.balances(ctx)
	if err != nil {
		return err
	}
	task, err := w.hire(ctx)
	if err != nil {
		return err
	}
	after, err := w.balances(ctx)
	if err != nil {
		return err
	}
	d.printf("\n  task %s is %s", task.ID, task.Status)
	for i, account := range w.watched() {
		d.printf("  %-10s %12s %s", account.name, signed(new(big.Int).Sub(after[i], before[i])), tokenSymbol)
	}
	d.printf("\nEverything is up. Ctrl-C stops it.")
	return nil
}

// prepare registers and verifies the demo agent, unless an earlier run did.
func (w *demo) prepare(ctx context.Context) error {
	agent, err := client.New(client.Options{
		BaseURL: w.origin(w.world.Ports.API), APIKey: w.world.DemoKey, RPCURL: w.net.URL(), Signer: w.key(accountAgent),
		Flows: client.FileFlows(w.home.path("demo")),
	})
	if err != nil {
		return err
	}
	w.agent = agent
	if w.world.DemoKey != "" {
		return nil
	}
	registered, err := agent.Register(ctx, client.Profile{Name: "Demo agent", Username: "demo-agent", Bio: "Hires the demo human."})
	if err != nil {
		return err
	}
	w.printf("\n  the agent registers as %s", registered.Username)
	post, err := publish(ctx, w.origin(w.world.Ports.Social), "demo-agent", "Verifying my agent: "+registered.VerificationCode)
	if err != nil {
		return err
	}
	if w.agent, err = agent.WithAPIKey(registered.APIKey); err != nil {
		return err
	}
	if _, err := w.agent.Verify(ctx, registered.AgentID, post); err != nil {
		return err
	}
	w.printf("  and verifies with %s", post)
	w.world.DemoKey = registered.APIKey
	return w.home.write(w.world)
}

// hire takes one task from posting to payment.
func (w *demo) hire(ctx context.Context) (client.Task, error) {
	task, err := w.agent.CreateTask(ctx, client.TaskRequest{
		Key: "demo-" + uuid.NewString(), Title: "Describe this marketplace in one sentence",
		Description: "A task of the demo; the development human does it.", Amount: tokens(10), Skills: []string{demoSkill}, Remote: true,
	})
	if err != nil {
		return task, err
	}
	w.printf("  the agent locks %s %s in the escrow: task %s is %s", inTokens(tokens(10)), tokenSymbol, task.ID, task.Status)
	if w.config.manual {
		w.printf("  the human and the validators are manual: the task waits for you")
		return task, nil
	}
	application, err := w.application(ctx, task.ID)
	if err != nil {
		return task, err
	}
	w.printf("  %s applies and locks a stake of %s %s", application.HumanUsername, inTokens(wei(application.StakeAmount)), tokenSymbol)
	if _, err := w.agent.AcceptApplication(ctx, task.ID, application.ID); err != nil {
		return task, err
	}
	w.printf("  the agent accepts")
	if task, err = w.await(ctx, task.ID, "submitted"); err != nil {
		return task, err
	}
	w.printf("  %s submits work %s", application.HumanUsername, *task.WorkHash)
	if _, err := w.agent.Approve(ctx, task.ID); err != nil {
		return task, err
	}
	w.printf("  the agent approves; the validators vote")
	if task, err = w.await(ctx, task.ID, "approved"); err != nil {
		return task, err
	}
	w.printf("  the escrow pays %s %s", inTokens(wei(task.PayoutAmount)), tokenSymbol)
	return task, nil
}

func wei(text string) *big.Int {
	n, err := market.ParseWei(text)
	if err != nil {
		return new(big.Int)
	}
	return n
}

// application waits until the task has an application with a locked stake.
func (w *demo) application(ctx context.Context, task uuid.UUID) (client.Application, error) {
	for {
		page, err := w.agent.Applications(ctx, task, client.PageQuery{})
		if err != nil {
			return client.Application{}, err
		}
		for _, a := range page.Applications {
			if string(a.Status) == string(market.ApplicationPending) {
				return a, nil
			}
		}
		if err := pause(ctx); err != nil {
			return client.Application{}, err
		}
	}
}

func (w *demo) await(ctx context.Context, id uuid.UUID, status client.TaskStatus) (client.Task, error) {
	for {
		task, err := w.agent.Task(ctx, id)
		if err != nil || task.Status == status {
			return task, err
		}
		if err := pause(ctx); err != nil {
			return task, err
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(peoplePause):
		return nil
	}
}

type watched struct {
	name   string
	wallet common.Address
}

func (w *demo) watched() []watched {
	accounts := w.net.Accounts()
	return []watched{
		{"agent", accounts[accountAgent].Address},
		{"human", accounts[accountHuman].Address},
		{"treasury", w.world.Deployment.Treasury},
		{"escrow", w.world.Deployment.Escrow},
		{"stakes", w.world.Deployment.Staking},
	}
}

func (w *demo) balances(ctx context.Context) ([]*big.Int, error) {
	var all []*big.Int
	for _, account := range w.watched() {
		balance, _, err := w.reader.Balances(ctx, account.wallet)
		if err != nil {
			return nil, err
		}
		all = append(all, balance)
	}
	return all, nil
}

func signed(n *big.Int) string {
	if n.Sign() > 0 {
		return "+" + inTokens(n)
	}
	return inTokens(n)
}
