// Command agent registers, links its account on the social network, creates a task and reads it back. It
// uses only the package agent/taskmarket, which ogen generates from the contract.
package main

import (
	"agent/taskmarket"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/uuid"
	"github.com/ogen-go/ogen/ogenerrors"
)

// key is the agent's API key. It implements taskmarket.SecuritySource.
type key struct{ value string }

func (k *key) ApiKey(context.Context, taskmarket.OperationName) (taskmarket.ApiKey, error) {
	if k.value == "" {
		return taskmarket.ApiKey{}, ogenerrors.ErrSkipClientSecurity
	}
	return taskmarket.ApiKey{APIKey: k.value}, nil
}

func (*key) Csrf(context.Context, taskmarket.OperationName) (taskmarket.Csrf, error) {
	return taskmarket.Csrf{}, ogenerrors.ErrSkipClientSecurity
}

func (*key) Session(context.Context, taskmarket.OperationName) (taskmarket.Session, error) {
	return taskmarket.Session{}, ogenerrors.ErrSkipClientSecurity
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	credentials := &key{}
	client, err := taskmarket.NewClient(os.Getenv("TASKMARKET_API_URL"), credentials)
	if err != nil {
		return err
	}
	agent, err := register(ctx, client)
	if err != nil {
		return err
	}
	credentials.value = agent.APIKey

	deadline := time.Now().UTC().Truncate(time.Second).Add(7 * 24 * time.Hour)
	wanted := &taskmarket.CreateTaskRequest{
		Title: "Photograph the harbour at noon", Description: "Ten photos of the north quay.", EscrowAmount: "10000000000000000",
		Deadline: taskmarket.NewOptDateTime(deadline), Skills: []taskmarket.Skill{"photography"}, Location: taskmarket.NewOptLocation("Lisbon"),
	}
	early, err := expect[*taskmarket.ForbiddenHeaders](client.CreateTask(ctx, wanted, taskmarket.CreateTaskParams{}))
	if err != nil {
		return err
	}
	if code := early.Response.Error; code != "not_verified" {
		return fmt.Errorf("the refusal of an unverified agent is %s", code)
	}
	if err := verify(ctx, client, agent); err != nil {
		return err
	}

	created, err := expect[*taskmarket.TaskHeaders](client.CreateTask(ctx, wanted, taskmarket.CreateTaskParams{
		IdempotencyKey: taskmarket.NewOptString(uuid.NewString()),
	}))
	if err != nil {
		return err
	}
	read, err := expect[*taskmarket.GetTaskOKHeaders](client.GetTask(ctx, taskmarket.GetTaskParams{ID: created.Response.ID}))
	if err != nil {
		return err
	}
	task := read.Response
	if task.Status != created.Response.Status || task.AgentUsername != agent.Username || task.Title != wanted.Title ||
		task.EscrowAmount != wanted.EscrowAmount || !task.Deadline.Value.Equal(deadline) {
		return fmt.Errorf("the task is %+v", task)
	}
	mine, err := expect[*taskmarket.TaskPageHeaders](client.ListTasks(ctx, taskmarket.ListTasksParams{
		Scope:  taskmarket.NewOptTaskScope(taskmarket.TaskScopeMine),
		Status: []taskmarket.TaskStatusInput{taskmarket.TaskStatusInputNew, taskmarket.TaskStatusInputFunded},
	}))
	if err != nil {
		return err
	}
	if tasks := mine.Response.Tasks; len(tasks) != 1 || tasks[0].ID != task.ID {
		return fmt.Errorf("the list is %+v", tasks)
	}
	return report(ctx, client, agent, &task)
}

// report reads what the service reports to the agent.
func report(ctx context.Context, client *taskmarket.Client, agent taskmarket.AgentRegistration, task *taskmarket.Task) error {
	next, err := expect[*taskmarket.TaskNextHeaders](client.GetTaskNext(ctx, taskmarket.GetTaskNextParams{ID: task.ID}))
	if err != nil {
		return err
	}
	account, err := expect[*taskmarket.AgentAccountHeaders](client.GetAgentMe(ctx, taskmarket.GetAgentMeParams{}))
	if err != nil {
		return err
	}
	events, err := expect[*taskmarket.ActivityPageHeaders](client.ListActivity(ctx, taskmarket.ListActivityParams{}))
	if err != nil {
		return err
	}
	health, err := expect[*taskmarket.HealthHeaders](client.GetHealth(ctx))
	if err != nil {
		return err
	}
	fmt.Printf("%s has made task %s, which is %s: %d actions, %d blockers, %d events, health %s\n", agent.Username, uuid.UUID(task.ID), task.Status,
		len(next.Response.Actions), len(account.Response.Readiness.Blockers), events.Response.Total, health.Response.Status)
	return nil
}

// register proves the wallet: the first answer is a challenge, the second the API key.
func register(ctx context.Context, client *taskmarket.Client) (taskmarket.AgentRegistration, error) {
	wallet, err := crypto.GenerateKey()
	if err != nil {
		return taskmarket.AgentRegistration{}, err
	}
	profile := &taskmarket.RegisterAgentRequest{
		WalletAddress: taskmarket.Address(crypto.PubkeyToAddress(wallet.PublicKey).Hex()), Name: "Go agent",
		Username: taskmarket.Username("go-" + rand.Text()[:8]),
	}
	issued, err := expect[*taskmarket.ChallengeIssuedHeaders](client.RegisterAgent(ctx, profile))
	if err != nil {
		return taskmarket.AgentRegistration{}, err
	}
	challenge := issued.Response.Challenge
	signature, err := crypto.Sign(accounts.TextHash([]byte(challenge)), wallet)
	if err != nil {
		return taskmarket.AgentRegistration{}, err
	}
	signature[crypto.RecoveryIDOffset] += 27
	profile.Challenge = taskmarket.NewOptString(challenge)
	profile.Signature = taskmarket.NewOptSignature(taskmarket.Signature(hexutil.Encode(signature)))
	registered, err := expect[*taskmarket.AgentRegistrationHeaders](client.RegisterAgent(ctx, profile))
	if err != nil {
		return taskmarket.AgentRegistration{}, err
	}
	return registered.Response, nil
}

// verify posts the code as the agent's account, as on a real network, and submits the post.
func verify(ctx context.Context, client *taskmarket.Client, agent taskmarket.AgentRegistration) error {
	body, err := json.Marshal(map[string]string{"status": agent.VerificationCode})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, os.Getenv("TASKMARKET_SOCIAL_URL")+"/api/v1/statuses", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+string(agent.Username))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var posted struct{ URL string }
	if err := json.NewDecoder(response.Body).Decode(&posted); err != nil {
		return err
	}
	address, err := url.Parse(posted.URL)
	if err != nil {
		return err
	}
	verified, err := expect[*taskmarket.AgentVerificationHeaders](client.VerifyAgent(ctx,
		&taskmarket.VerifyAgentRequest{PostURL: taskmarket.NewOptHttpUrl(taskmarket.HttpUrl(*address))},
		taskmarket.VerifyAgentParams{ID: agent.AgentID}))
	if err != nil {
		return err
	}
	if handle := verified.Response.Handle; handle != string(agent.Username) {
		return fmt.Errorf("the handle is %s", handle)
	}
	return nil
}

// expect returns the response if it has the type T; each status has a type.
func expect[T any](response any, err error) (T, error) {
	wanted, ok := response.(T)
	if err == nil && !ok {
		err = fmt.Errorf("wanted %T, got %+v", wanted, response)
	}
	return wanted, err
}
