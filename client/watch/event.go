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

// Event is one thing that happened on the chain. As JSON it is a line of the
// command line's watch stream; all its members are strings.
type Event struct {
	Type string `json:"type"` // EventApplication or EventTask

	// Of an application: a human locked a stake.
	ApplicationID string `json:"applicationId,omitempty"` // in the staking contract
	Human         string `json:"human,omitempty"`         // wallet address
	Amount        string `json:"amount,omitempty"`        // the stake in wei
	ExpiresAt     string `json:"expiresAt,omitempty"`     // Unix seconds

	// Of a task.
	EscrowTaskID string `json:"escrowTaskId,omitempty"` // in the escrow contract
	EventName    string `json:"eventName,omitempty"`    // for example TaskSubmitted

	BlockNumber string `json:"blockNumber"`

	// What follows is no part of the line.

	TxHash    common.Hash    `json:"-"` // the transaction that did it
	Agent     common.Address `json:"-"` // whose task it is
	AppliesTo string         `json:"-"` // of an application: the task's number in the escrow
	block     uint64         // BlockNumber
	ordinal   int            // among the transaction's equal events
}

// sighting is what makes an event this one and no other: what one transaction
// does to one record, the first time it does so, the second, and so on. It stays
// the same in whatever block the transaction ends up, and whatever other
// contracts log beside it. A transaction that after a reorganisation has another
// effect, such as another task's number, is another event.
type sighting struct {
	Tx      common.Hash `json:"tx"`
	Event   string      `json:"event"`
	Number  string      `json:"number"` // of the task, or of the application
	Ordinal int         `json:"ordinal,omitempty"`
}

func (e Event) sighting() sighting {
	if e.Type == EventApplication {
		return sighting{Tx: e.TxHash, Event: EventApplication, Number: e.ApplicationID, Ordinal: e.ordinal}
	}
	return sighting{Tx: e.TxHash, Event: e.EventName, Number: e.EscrowTaskID, Ordinal: e.ordinal}
}

// eventOf returns the event that a decoded log stands for; ok is false for logs
// that are no part of the stream.
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
