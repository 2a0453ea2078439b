package watch

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/chain"
	"taskmarket/market"
)

// transaction collects the events of one transaction in one block.
type transaction struct {
	events []Event
	logs   []market.Event
}

// add decodes a log and adds its event. Unknown logs are skipped.
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
		before := earlier.key()
		before.Ordinal = event.ordinal
		if before == event.key() {
			event.ordinal++
		}
	}
	event.Agent = decoded.Agent
	t.events = append(t.events, event)
}

// ofAgent returns the events about the agent's tasks, or all events for the zero address.
func (t *transaction) ofAgent(agent common.Address) []Event {
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

// agentOf returns the task's agent. TaskTerms and WorkCommitted do not contain the agent, but
// another event about the task in the same transaction does.
func (t *transaction) agentOf(task string) common.Address {
	for _, event := range t.events {
		if event.EscrowTaskID == task && event.Agent != (common.Address{}) {
			return event.Agent
		}
	}
	return common.Address{}
}

// appliesTo returns the ID of the task that the application is for.
func (t *transaction) appliesTo(application string) string {
	for _, log := range t.logs {
		if log.Kind == market.EventApplicationForTask && strconv.FormatUint(log.ApplicationID, 10) == application {
			return strconv.FormatUint(log.TaskID, 10)
		}
	}
	return ""
}
