package watch

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/market"
)

// transaction collects what one transaction did in one block.
type transaction struct {
	events []Event
	logs   []market.Event
}

// add reads a log. One that this program does not know belongs to no line of
// the stream.
func (t *transaction) add(log types.Log, contracts *chain.Contracts) {
	decoded, err := contracts.Decode(log)
	if err != nil {
		return
	}
	t.logs = append(t.logs, decoded)
	event, ok := eventOf(log, decoded)
	if !ok {
		return
	}
	for _, earlier := range t.events {
		before := earlier.sighting()
		before.Ordinal = event.ordinal
		if before == event.sighting() {
			event.ordinal++
		}
	}
	event.Agent = decoded.Agent
	t.events = append(t.events, event)
}

// of returns the events of the agent's tasks; of the zero address: all.
func (t *transaction) of(agent common.Address) []Event {
	var events []Event
	for _, event := range t.events {
		if event.Type == EventApplication {
			event.AppliesTo = t.appliesTo(event.ApplicationID)
		} else {
			event.Agent = t.agentOf(event.EscrowTaskID)
		}
		if agent == (common.Address{}) || agent == event.Agent {
			events = append(events, event)
		}
	}
	return events
}

// agentOf returns whose the task is. TaskTerms and WorkCommitted name no agent,
// but come with an event of the same task that does.
func (t *transaction) agentOf(task string) common.Address {
	for _, event := range t.events {
		if event.EscrowTaskID == task && event.Agent != (common.Address{}) {
			return event.Agent
		}
	}
	return common.Address{}
}

// appliesTo returns the number of the task that an application is for.
func (t *transaction) appliesTo(application string) string {
	for _, log := range t.logs {
		if log.Kind == market.EventApplicationForTask && strconv.FormatUint(log.ApplicationID, 10) == application {
			return strconv.FormatUint(log.TaskID, 10)
		}
	}
	return ""
}
