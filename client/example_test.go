package client_test

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"os"
	"os/signal"

	"taskmarket/chain"
	"taskmarket/client"
)

// An agent offers a task, takes the first human who applies, and approves what
// is delivered.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	wallet, err := chain.ParseKeySigner(os.Getenv("WALLET_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	agent, err := client.New(client.Options{
		BaseURL: "https://market.example/api/v1",
		APIKey:  os.Getenv("API_KEY"),
		RPCURL:  "wss://node.example",
		Signer:  wallet,
		Flows:   client.FileFlows("flows"),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer agent.Close()

	task, err := agent.CreateTask(ctx, client.TaskRequest{
		Key:         "harbour-2030-06-01", // asked again, it is the same task
		Title:       "Photograph the harbour at noon",
		Description: "Ten photos of the fishing harbour, taken between 11:30 and 12:30.",
		Amount:      new(big.Int).Mul(big.NewInt(10), big.NewInt(1e18)),
	})
	if err != nil {
		log.Fatal(err)
	}
	for event, err := range agent.Watch(ctx, client.WatchOptions{Agent: wallet.Address()}) {
		if err != nil {
			log.Print(err) // the stream goes on
			continue
		}
		if err := react(ctx, agent, task, event); err != nil {
			log.Fatal(err)
		}
	}
}

func react(ctx context.Context, agent *client.Client, task client.Task, event client.Event) error {
	switch {
	case event.Type == client.EventApplication:
		page, err := agent.Applications(ctx, task.ID, client.PageQuery{})
		if err != nil || len(page.Applications) == 0 {
			return err
		}
		_, err = agent.AcceptApplication(ctx, task.ID, page.Applications[0].ID)
		return err
	case event.EventName == "TaskSubmitted":
		outcome, err := agent.Approve(ctx, task.ID)
		if err != nil {
			return err
		}
		fmt.Println("approved in transaction", outcome.TxHash)
	}
	return nil
}
