package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"taskmarket/chain"
	"taskmarket/gen/client"
	"taskmarket/market"
	"taskmarket/test/actor"
)

// demoSkill is the skill that marks the tasks for which the simulated human applies.
const demoSkill = "demo"

const peoplePause = 500 * time.Millisecond

// people waits until the API is healthy, writes the world's env file, and runs the simulated users.
func (d *dev) people(ctx context.Context, databaseURL string) error {
	if err := d.awaitHealth(ctx); err != nil {
		return err
	}
	// Fund these accounts before the env file publishes the faucet's key. Afterwards, other programs can
	// use the key, and their transactions may use the same nonces.
	for _, account := range []int{accountHuman, accountAgent} {
		if err := d.faucet.fill(ctx, d.net.Accounts()[account].Address); err != nil {
			return fmt.Errorf("fund the development accounts: %w", err)
		}
	}
	if err := d.home.replace("env", environment(d.variables(databaseURL))); err != nil {
		return err
	}
	d.printf("web app    %s\nAPI        %s/api/v1\nreference  %s/docs\nmetrics    %s/metrics\nconsole    %s (see `taskmarketd dev console`)\nsocial     %s\nvariables  %s", d.origin(d.world.Ports.API), d.origin(d.world.Ports.API),
		d.origin(d.world.Ports.API), d.origin(d.world.Ports.Metrics), d.origin(d.world.Ports.Console), d.origin(d.world.Ports.Social), d.home.path("env"))
	group, ctx := errgroup.WithContext(ctx)
	if !d.config.manual {
		for i := range validatorCount {
			group.Go(func() error { return d.runPerson(ctx, "validator", accountValidators+i, d.vote) })
		}
		group.Go(func() error { return d.runPerson(ctx, "human", accountHuman, d.work) })
	}
	if d.config.demo {
		group.Go(func() error {
			if err := d.runDemo(ctx); err != nil && ctx.Err() == nil {
				return fmt.Errorf("demo: %w", err)
			}
			return nil
		})
	}
	return group.Wait()
}

// awaitHealth waits until GET /health reports the status "ok".
func (d *dev) awaitHealth(ctx context.Context) error {
	api, err := client.NewClientWithResponses(d.origin(d.world.Ports.API) + "/api/v1")
	if err != nil {
		return fmt.Errorf("create an API client: %w", err)
	}
	for {
		health, err := api.GetHealthWithResponse(ctx)
		if err == nil && health.JSON200 != nil && health.JSON200.Status == client.HealthStatusOK {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// variables returns the addresses and keys that programs need to use this world.
func (d *dev) variables(databaseURL string) [][2]string {
	keys := make([]string, validatorCount)
	for i := range keys {
		keys[i] = d.privateKey(accountValidators + i)
	}
	return append([][2]string{
		{"API_URL", d.origin(d.world.Ports.API) + "/api/v1"},
		{"WEB_URL", d.origin(d.world.Ports.API)},
		{"SOCIAL_URL", d.origin(d.world.Ports.Social)},
		{"FAUCET_URL", d.origin(d.world.Ports.Social) + "/faucet"},
		{"METRICS_URL", d.origin(d.world.Ports.Metrics)},
		{"CONSOLE_URL", d.origin(d.world.Ports.Console)},
		{"RPC_URL", d.net.URL()},
		{"WS_URL", d.net.WSURL()},
		{"DEV_DATABASE_URL", databaseURL},
		{"FAUCET_PRIVATE_KEY", d.privateKey(accountFaucet)},
		{"VALIDATOR_PRIVATE_KEYS", strings.Join(keys, ",")},
	}, contractVariables(d.world.Deployment)...)
}

// socialTransport returns a transport that sends requests from a different loopback address, if the
// system has one, so that the simulated users do not consume the rate limits of the developer's address.
func socialTransport() http.RoundTripper {
	transport := &http.Transport{IdleConnTimeout: time.Minute}
	if runtime.GOOS == "linux" {
		dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}
		transport.DialContext = dialer.DialContext
	}
	return transport
}

// runPerson signs a simulated user in and calls act repeatedly. It logs errors and retries.
func (d *dev) runPerson(ctx context.Context, name string, account int, act func(context.Context, *actor.Person) error) error {
	var person *actor.Person
	for ctx.Err() == nil {
		var err error
		if person == nil {
			person, err = actor.SignIn(ctx, d.origin(d.world.Ports.API)+"/api/v1", socialTransport(), d.node, d.key(account))
		}
		if err == nil {
			err = act(ctx, person)
		} else {
			person = nil
		}
		if refusal, ok := errors.AsType[*actor.RefusalError](err); ok && refusal.Body.Error == string(market.KindUnauthorized) {
			person = nil // sign in again, because the session has expired
		}
		if err != nil && ctx.Err() == nil {
			d.log.WarnContext(ctx, "simulated user failed; will retry", slog.String("person", name), slog.Any("err", err))
		}
		select {
		case <-ctx.Done():
		case <-time.After(peoplePause):
		}
	}
	return nil
}

// vote approves the work in every open round in which this validator has not voted.
func (d *dev) vote(ctx context.Context, validator *actor.Person) error {
	queue, err := validator.Queue(ctx)
	if err != nil {
		return err
	}
	head, err := chain.NewReader(d.node, chain.NewContracts(d.world.Deployment)).Head(ctx)
	if err != nil {
		return err
	}
	for _, v := range queue {
		if v.Mine == nil && !head.Time.Before(v.OpensAt.Time) && head.Time.Before(v.ClosesAt.Time) {
			if err := validator.Vote(ctx, v, true, "The development validator approves everything."); err != nil {
				return err
			}
		}
	}
	return nil
}

// work applies for demo tasks and submits work for tasks whose application was accepted.
func (d *dev) work(ctx context.Context, human *actor.Person) error {
	board, err := human.API.ListTasksWithResponse(ctx, &client.ListTasksParams{
		Scope: new(client.TaskScopeBoard), Skill: new(demoSkill),
	})
	if err != nil {
		return fmt.Errorf("read the board: %w", err)
	}
	if board.JSON200 != nil {
		for _, task := range board.JSON200.Tasks {
			if task.HasApplied != nil && *task.HasApplied {
				continue
			}
			if _, err := human.Apply(ctx, chain.NewContracts(d.world.Deployment), task.ID, "I can do this at once."); err != nil {
				return err
			}
		}
	}
	mine, err := human.API.ListTasksWithResponse(ctx, &client.ListTasksParams{
		Scope: new(client.TaskScopeMine), Status: &[]client.TaskStatus{client.TaskStatusActive},
	})
	if err != nil {
		return fmt.Errorf("read my tasks: %w", err)
	}
	if mine.JSON200 != nil {
		for _, task := range mine.JSON200.Tasks {
			if _, err := human.Submit(ctx, task.ID, "Done, as described."); err != nil {
				return err
			}
		}
	}
	return nil
}
