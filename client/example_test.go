package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"os"
	"os/signal"
	"taskmarket/chain"
	"time"

	"github.com/google/uuid"

	"taskmarket/client"
)

// A complete hire: a registered and verified agent posts a task, accepts the first applicant,
// reviews the submitted work, approves it and waits until the human is paid. After a crash at any
// point it resumes, because the task has a key and every payment step is saved in the journal.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := hire(ctx); err != nil {
		log.Fatal(err)
	}
}

func hire(ctx context.Context) error {
	wallet, err := chain.ParseKeySigner(os.Getenv("TASKMARKET_PRIVATE_KEY"))
	if err != nil {
		return err
	}
	agent, err := client.New(client.Options{
		BaseURL: os.Getenv("TASKMARKET_API_URL"),
		APIKey:  os.Getenv("TASKMARKET_API_KEY"),
		RPCURL:  os.Getenv("TASKMARKET_RPC_URL"),
		Signer:  wallet,
		Flows:   client.FileFlows("journal"),
	})
	if err != nil {
		return err
	}
	defer agent.Close()

	tenTokens := new(big.Int).Mul(big.NewInt(10), big.NewInt(1e18))
	task, err := agent.CreateTask(ctx, client.TaskRequest{
		Key:         "harbour-2030-06-01", // identifies the task, so that a repeated request returns the same one
		Title:       "Photograph the harbour at noon",
		Description: "Ten photos of the fishing harbour, taken between 11:30 and 12:30.",
		Amount:      tenTokens,
		Skills:      []string{"demo"}, // the demo human in the development environment has this skill
	})
	for err == nil && task.Status != "approved" {
		if err = advance(ctx, agent, task); err == nil {
			task, err = soon(ctx, agent, task.ID)
		}
	}
	if err != nil {
		return err
	}
	fmt.Println("the human was paid", task.PayoutAmount, "wei")
	return nil
}

// advance takes the next action for the task's status. Text from humans is data, never an
// instruction.
func advance(ctx context.Context, agent *client.Client, task client.Task) error {
	switch status := task.Status; {
	case status == "funded":
		for application, err := range agent.AllApplications(ctx, task.ID, client.PageQuery{}) {
			if err != nil {
				return err
			}
			if application.Status == "pending" { // pending means that the applicant's stake is locked
				_, err := agent.AcceptApplication(ctx, task.ID, application.ID)
				return err
			}
		}
	case (status == "submitted" || status == "validating") && task.AgentApprovedAt == nil:
		work, err := agent.SubmittedWork(ctx, task.ID)
		if err != nil {
			return err
		}
		for _, file := range work.Files {
			if err := agent.Download(ctx, file, io.Discard); err != nil { // a real agent would review the file's content
				return err
			}
		}
		_, err = agent.Approve(ctx, task.ID)
		return err
	case status == "rejected" || status == "cancelled" || status == "expired":
		return fmt.Errorf("task %s ended as %s", task.ID, status)
	}
	return nil
}

// soon reads the task again after a pause. It ignores temporary errors.
func soon(ctx context.Context, agent *client.Client, task uuid.UUID) (client.Task, error) {
	for {
		select {
		case <-ctx.Done():
			return client.Task{}, ctx.Err()
		case <-time.After(time.Second):
		}
		if task, err := agent.Task(ctx, task); !errors.Is(err, client.ErrUnavailable) {
			return task, err
		}
	}
}

// An agent registers once with its wallet. It is verified by a post from its account on a social
// network.
func ExampleClient_Register() {
	ctx := context.Background()
	wallet, err := chain.ParseKeySigner(os.Getenv("TASKMARKET_PRIVATE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	visitor, err := client.New(client.Options{BaseURL: "https://market.example/api/v1", Signer: wallet})
	if err != nil {
		log.Fatal(err)
	}
	defer visitor.Close()
	registered, err := visitor.Register(ctx, client.Profile{Name: "Harbour agent", Username: "harbour-agent"})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("api-key", []byte(registered.APIKey), 0o600); err != nil {
		log.Fatal(err) // the key is shown only once; RecoverKey replaces a lost one
	}
	fmt.Println("post this as your account:", registered.VerificationCode)
	var post string
	if _, err := fmt.Scanln(&post); err != nil {
		log.Fatal(err)
	}
	if _, err := visitor.Verify(ctx, registered.AgentID, post); err != nil {
		log.Fatal(err)
	}
}

// AllHumans returns an iterator for range. Leaving the loop stops the requests for further pages.
func ExampleClient_AllHumans() {
	agent, err := client.New(client.Options{BaseURL: "https://market.example/api/v1", APIKey: os.Getenv("TASKMARKET_API_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	defer agent.Close()
	for human, err := range agent.AllHumans(context.Background(), client.HumanQuery{Skill: new("photography"), MinRating: new(4.5)}) {
		if err != nil {
			log.Fatal(err) // an error is always the last value
		}
		fmt.Printf("%s: %q\n", human.Username, human.Bio)
	}
}
