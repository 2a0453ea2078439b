package client

import (
	"strconv"

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
}

// eventOf returns the event that a decoded log stands for; ok is false for logs
// that are no part of the stream.
func eventOf(log types.Log, decoded market.Event) (event Event, ok bool) {
	block := strconv.FormatUint(log.BlockNumber, 10)
	switch {
	case decoded.Kind == market.EventStakeLocked:
		return Event{
			Type:          EventApplication,
			ApplicationID: strconv.FormatUint(decoded.ApplicationID, 10),
			Human:         decoded.Human.Hex(),
			Amount:        decoded.Amount.String(),
			ExpiresAt:     strconv.FormatInt(decoded.ExpiresAt.Unix(), 10),
			BlockNumber:   block,
		}, true
	case decoded.OfTask():
		return Event{
			Type:         EventTask,
			EscrowTaskID: strconv.FormatUint(decoded.TaskID, 10),
			EventName:    string(decoded.Kind),
			BlockNumber:  block,
		}, true
	default:
		return Event{}, false
	}
}
