package hire

import (
	"context"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/uuid"

	"taskmarket/client"
	"taskmarket/client/watch"
	"taskmarket/cmd/taskmarket/internal/cli"
)

const (
	// enrichTimeout is the maximum delay of a line while the API does not have the record yet. The
	// API can lag behind the chain.
	enrichTimeout = 5 * time.Second
	enrichPause   = 500 * time.Millisecond
	newestTasks   = 100 // number of recent tasks that a repeated lookup searches
)

// enrichedLine is an event with the ids of its records in the API, if known.
type enrichedLine struct {
	watch.Event
	Task        string `json:"task_id,omitempty"`
	Application string `json:"application_id,omitempty"`
	Transaction string `json:"tx_hash"`
}

// enricher looks up the API's records for events.
type enricher struct {
	agent *client.Client
	me    common.Address       // wallet of the agent to which the API key belongs
	tasks map[string]uuid.UUID // task ids, by task number in the escrow
}

// enrich adds the API's ids to an event of one of the agent's own tasks. It waits at most
// enrichTimeout for the records. Events of other tasks get only the transaction hash.
func (e *enricher) enrich(ctx context.Context, event watch.Event) enrichedLine {
	line := enrichedLine{Event: event, Transaction: event.TxHash.Hex()}
	if event.Agent != e.me {
		return line
	}
	ctx, cancel := context.WithTimeout(ctx, enrichTimeout)
	defer cancel()
	for again := false; !e.find(ctx, &line, again); again = true {
		select {
		case <-ctx.Done():
			return line
		case <-time.After(enrichPause):
		}
	}
	return line
}

// find looks up the records for the line and reports whether it found all of them. If again is set,
// it searches only the newest tasks.
func (e *enricher) find(ctx context.Context, line *enrichedLine, again bool) bool {
	number := line.EscrowTaskID + line.AppliesTo // one of the two is always empty
	task, ok := e.task(ctx, number, again)
	if !ok {
		return false
	}
	line.Task = task.String()
	if line.Type != watch.EventApplication {
		return true
	}
	for a, err := range e.agent.AllApplications(ctx, task, client.PageQuery{}) {
		if err != nil {
			return false
		}
		if cli.Optional(a.OnchainApplicationID) == line.ApplicationID {
			line.Application = a.ID.String()
			return true
		}
	}
	return false
}

// task returns the id of the task with this number in the escrow. A cached id is verified, because
// a reorganisation may have assigned the number to another task.
func (e *enricher) task(ctx context.Context, number string, again bool) (uuid.UUID, bool) {
	if id, ok := e.tasks[number]; ok {
		task, err := e.agent.Task(ctx, id)
		if err == nil && cli.Optional(task.EscrowTaskID) == number {
			return id, true
		}
	}
	seen := 0
	for task, err := range e.agent.AllTasks(ctx, client.TaskQuery{}) {
		if err != nil || again && seen == newestTasks {
			return uuid.Nil, false
		}
		seen++
		e.tasks[cli.Optional(task.EscrowTaskID)] = task.ID
		if cli.Optional(task.EscrowTaskID) == number {
			return task.ID, true
		}
	}
	return uuid.Nil, false
}
