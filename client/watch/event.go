package watch

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// The possible values of Event.Type.
const (
	EventApplication = "application"
	EventTask        = "task_event"
)

// Event is one event on the chain. Its JSON is a line in the output of the watch command, in which
// all values are strings.
type Event struct {
	Type string `json:"type"` // EventApplication or EventTask

	// Fields for EventApplication: a human locked a stake.
	ApplicationID string `json:"applicationId,omitempty"` // the application's ID in the staking contract
	Human         string `json:"human,omitempty"`         // the applicant's wallet address
	Amount        string `json:"amount,omitempty"`        // amount of the stake, in wei
	ExpiresAt     string `json:"expiresAt,omitempty"`     // when the stake expires, in Unix seconds

	// Fields for EventTask.
	EscrowTaskID string `json:"escrowTaskId,omitempty"` // the task's ID in the escrow contract
	EventName    string `json:"eventName,omitempty"`    // name of the contract event, for example TaskSubmitted

	BlockNumber string `json:"blockNumber"`

	// The fields below are not part of the JSON.

	TxHash    common.Hash    `json:"-"` // hash of the transaction that emitted the event
	Agent     common.Address `json:"-"` // wallet address of the task's agent
	AppliesTo string         `json:"-"` // for an application: the task's ID in the escrow contract
	block     uint64         // numeric value of BlockNumber
	ordinal   int            // index among identical events in the transaction
}

// eventKey identifies an event: the effect of one transaction on one record, with a counter for
// repetitions within the transaction. It depends neither on the transaction's block nor on other
// contracts' logs. If a transaction has a different effect after a reorganisation, such as another
// task ID, that is a different event.
type eventKey struct {
	Tx      common.Hash `json:"tx"`
	Event   string      `json:"event"`
	Number  string      `json:"number"` // ID of the task or the application
	Ordinal int         `json:"ordinal,omitempty"`
}

func (e Event) key() eventKey {
	if e.Type == EventApplication {
		return eventKey{Tx: e.TxHash, Event: EventApplication, Number: e.ApplicationID, Ordinal: e.ordinal}
	}
	return eventKey{Tx: e.TxHash, Event: e.EventName, Number: e.EscrowTaskID, Ordinal: e.ordinal}
}

// eventOf returns the event for a decoded log. ok is false if the log is not part of the stream.
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
