package watch

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// The types of Event.
const (
	EventApplication = "application"
	EventTask        = "task_event"
)

// Event is one event on the chain. As JSON it is a line of the command line's watch stream, in
// which all values are strings.
type Event struct {
	Type string `json:"type"` // EventApplication or EventTask

	// An application: a human locked a stake.
	ApplicationID string `json:"applicationId,omitempty"` // the application's number in the staking contract
	Human         string `json:"human,omitempty"`         // wallet address
	Amount        string `json:"amount,omitempty"`        // the stake in wei
	ExpiresAt     string `json:"expiresAt,omitempty"`     // Unix seconds

	// A task.
	EscrowTaskID string `json:"escrowTaskId,omitempty"` // the task's number in the escrow contract
	EventName    string `json:"eventName,omitempty"`    // for example TaskSubmitted

	BlockNumber string `json:"blockNumber"`

	// The fields below are not part of the line.

	TxHash    common.Hash    `json:"-"` // the transaction that caused it
	Agent     common.Address `json:"-"` // the task's agent
	AppliesTo string         `json:"-"` // for an application: the task's number in the escrow
	block     uint64         // BlockNumber as a number
	ordinal   int            // position among the transaction's identical events
}

// eventKey identifies an event: what one transaction does to one record, with a counter for
// repetitions within the transaction. It does not depend on the transaction's block or on the logs
// of other contracts. If a transaction has another effect after a reorganisation, such as another
// task number, that is another event.
type eventKey struct {
	Tx      common.Hash `json:"tx"`
	Event   string      `json:"event"`
	Number  string      `json:"number"` // number of the task or the application
	Ordinal int         `json:"ordinal,omitempty"`
}

func (e Event) key() eventKey {
	if e.Type == EventApplication {
		return eventKey{Tx: e.TxHash, Event: EventApplication, Number: e.ApplicationID, Ordinal: e.ordinal}
	}
	return eventKey{Tx: e.TxHash, Event: e.EventName, Number: e.EscrowTaskID, Ordinal: e.ordinal}
}

// eventOf returns the event of a decoded log. ok is false for logs that are not part of the stream.
func eventOf(log types.Log, decoded market.Event) (event Event, ok bool) {
	event = Event{BlockNumber: strconv.FormatUint(log.BlockNumber, 10), TxHash: log.TxHash, block: log.BlockNumber}
	switch {
	case decoded.Kind == market.EventStakeLocked:
		event.Type = EventApplication
		event.ApplicationID = strconv.FormatUint(decoded.ApplicationID, 10)
		event.Human = decoded.Human.Hex()
		event.Amount = decoded.Amount.String()
		event.ExpiresAt = strconv.FormatInt(decoded.ExpiresAt.Unix(), 10)
	case decoded.OfTask():
		event.Type = EventTask
		event.EscrowTaskID = strconv.FormatUint(decoded.TaskID, 10)
		event.EventName = string(decoded.Kind)
	default:
		return Event{}, false
	}
	return event, true
}
