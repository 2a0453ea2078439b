//go:build operations

package e2e_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"taskmarket/chain/chaintest"
	gen "taskmarket/gen/client"
)

// mix returns a mix of requests at the given rate per second, with the reads multiplied by factor.
func (l *loadWorld) mix(rate, factor int) []arrivals {
	all := []arrivals{
		{"board", classRead, 22, l.read("/tasks/?scope=board")},
		{"task", classRead, 20, func(r *rand.Rand) sendResult { return l.read("/tasks/" + l.anyTask(r).ID.String() + "/")(r) }},
		{"activity", classRead, 14, l.read("/activity/")},
		{"messages", classRead, 12, l.read("/messages/")},
		{"profile", classRead, 10, func(r *rand.Rand) sendResult { return l.read("/profiles/" + l.anyHuman(r).username)(r) }},
		{"write a message", classWrite, 8, l.writeMessage},
		{"create a task twice", classWrite, 3, l.createTwice},
		{"apply", classWrite, 2, l.apply},
		{"withdraw an application", classExit, 2, l.withdraw},
		{"decide", classExit, 3, l.decide},
		{"confirm a funding", classExit, 3, l.confirmFunding},
		{"cancel a task", classExit, 1, l.cancel},
	}
	for i := range all {
		all[i].rate *= float64(rate) / 100
		if all[i].class == classRead {
			all[i].rate *= float64(factor)
		}
	}
	return all
}

func (l *loadWorld) anyTask(random *rand.Rand) funded { return l.funded[random.IntN(len(l.funded))] }

func (l *loadWorld) anyHuman(random *rand.Rand) human { return l.humans[random.IntN(len(l.humans))] }

func (l *loadWorld) anyAgent(random *rand.Rand) signature {
	return withKey(l.agents[random.IntN(len(l.agents))].Key)
}

// read returns a function that reads the path as a random human.
func (l *loadWorld) read(path string) func(*rand.Rand) sendResult {
	return func(random *rand.Rand) sendResult {
		result, _ := l.send(l.browser, http.MethodGet, path, nil, "", l.anyHuman(random).as)
		return result
	}
}

func (l *loadWorld) writeMessage(random *rand.Rand) sendResult {
	body := gen.StartConversationRequest{Username: l.anyHuman(random).username, Content: "Is the harbour still to be photographed?"}
	result, _ := l.send(l.browser, http.MethodPost, "/messages/", body, uuid.NewString(), l.anyAgent(random))
	return result
}

// createTwice sends the same request twice, which must create one task.
func (l *loadWorld) createTwice(random *rand.Rand) sendResult {
	body, key, as := gen.CreateTaskRequest{
		Title: "Photograph harbour " + strconv.FormatUint(random.Uint64(), 10), Description: "By daylight.", EscrowAmount: chaintest.Tokens(1).String(),
	}, uuid.NewString(), l.anyAgent(random)
	var made [2]struct{ ID uuid.UUID }
	for i := range made {
		result, answer := l.send(l.browser, http.MethodPost, "/tasks/", body, key, as)
		if result != (sendResult{}) {
			return result
		}
		if err := json.Unmarshal(answer, &made[i]); err != nil || made[i].ID == uuid.Nil || made[i] != made[0] {
			return sendResult{failure: fmt.Sprintf("not the same task: %v, %v", made, err)}
		}
	}
	return sendResult{}
}

// apply records an application without a stake.
func (l *loadWorld) apply(random *rand.Rand) sendResult {
	select {
	case s := <-l.free:
		result, answer := l.send(l.browser, http.MethodPost, "/tasks/"+s.task.String()+"/applications",
			gen.ApplyForTaskRequest{ApplicationMessage: "I live beside it."}, "", s.human.as)
		var made gen.ApplicationCreated
		switch {
		case result.shed:
			l.free <- s
		case result.failure == "" && json.Unmarshal(answer, &made) == nil:
			s.application = made.Application.ID
			l.applied <- s
		}
		return result
	default:
		return l.writeMessage(random)
	}
}

// withdraw withdraws an application without a stake.
func (l *loadWorld) withdraw(random *rand.Rand) sendResult {
	select {
	case s := <-l.applied:
		result := l.exit(http.MethodPost, fmt.Sprintf("/tasks/%s/applications/%s/withdraw", s.task, s.application), nil, s.human.as)
		if result.failure == "" {
			l.free <- s
		}
		return result
	default:
		return l.decide(random)
	}
}

func (l *loadWorld) decide(random *rand.Rand) sendResult {
	return l.exit(http.MethodGet, "/tasks/"+l.anyTask(random).ID.String()+"/next", nil, l.anyHuman(random).as)
}

func (l *loadWorld) confirmFunding(random *rand.Rand) sendResult {
	task := l.anyTask(random)
	return l.exit(http.MethodPost, "/tasks/"+task.ID.String()+"/confirm-create", gen.ConfirmRequest{TxHash: task.TX}, withKey(l.agent.Key))
}

// cancel gets the call that cancels a task, and does not send it to the chain.
func (l *loadWorld) cancel(random *rand.Rand) sendResult {
	return l.exit(http.MethodPost, "/tasks/"+l.anyTask(random).ID.String()+"/cancel", nil, withKey(l.agent.Key))
}

// exit sends a request that must never be refused because of the load.
func (l *loadWorld) exit(method, path string, body any, as signature) sendResult {
	result, _ := l.send(l.leaving, method, path, body, "", as)
	if result.shed {
		result.failure = "refused because of the load"
	}
	return result
}

// send sends a request to the API. idempotencyKey may be empty.
func (l *loadWorld) send(browser *http.Client, method, path string, body any, idempotencyKey string, as signature) (result sendResult, answer []byte) {
	var content []byte
	var err error
	if body != nil {
		content, err = json.Marshal(body)
	}
	request, requestErr := http.NewRequestWithContext(l.ctx, method, l.server.api()+path, bytes.NewReader(content))
	if err = errors.Join(err, requestErr); err != nil {
		return sendResult{failure: err.Error()}, nil
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", idempotencyKey)
	}
	if err := as(l.server, request); err != nil {
		return sendResult{failure: err.Error()}, nil
	}
	return l.exchange(browser, request)
}

// exchange sends the request and reads the response.
func (l *loadWorld) exchange(browser *http.Client, request *http.Request) (result sendResult, answer []byte) {
	response, err := browser.Do(request)
	if err != nil {
		return sendResult{failure: "no response: " + cause(err)}, nil
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		return sendResult{failure: "no complete response: " + cause(err)}, nil
	}
	switch {
	case response.StatusCode == http.StatusServiceUnavailable && response.Header.Get("Retry-After") != "" && strings.Contains(string(answer), "overloaded"):
		return sendResult{shed: true}, nil
	case response.StatusCode >= http.StatusMultipleChoices:
		return sendResult{failure: fmt.Sprintf("%s: %.100s", response.Status, answer)}, nil
	}
	return sendResult{}, answer
}

// cause returns the text of an error without its URL and addresses, so that equal errors are counted
// together.
func cause(err error) string {
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner
	}
	return err.Error()
}
