package chain

import (
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"taskmarket/market"
)

// ErrUnknownEvent is returned for a log of the contracts that this program cannot decode. Skipping
// the log would make the records wrong, so the watcher stops, unless the provider may have forged it.
var ErrUnknownEvent = errors.New("unknown event")

// Decode decodes a log of one of the deployment's contracts. It returns ErrUnknownEvent for a log
// that these contracts cannot emit.
func (c *Contracts) Decode(log types.Log) (market.Event, error) {
	contract, ours := c.abis[log.Address]
	if !ours {
		return market.Event{}, fmt.Errorf("%w: %s is not a contract of the deployment", ErrUnknownEvent, log.Address)
	}
	return decode(contract, log)
}

func decode(contract *abi.ABI, log types.Log) (market.Event, error) {
	if len(log.Topics) == 0 {
		return market.Event{}, fmt.Errorf("%w: log without topics", ErrUnknownEvent)
	}
	definition, err := contract.EventByID(log.Topics[0])
	if err != nil {
		return market.Event{}, fmt.Errorf("%w: topic %s of %s", ErrUnknownEvent, log.Topics[0], log.Address)
	}
	event := market.Event{Kind: market.EventKind(definition.Name)}
	if !event.OfTask() && !event.OfStake() && !event.OfParameters() && !event.OfReward() {
		return market.Event{Kind: market.EventOther}, nil
	}
	values, err := arguments(definition, log)
	if err != nil {
		return market.Event{}, fmt.Errorf("%w: %s: %w", ErrUnknownEvent, definition.Name, err)
	}
	for name, value := range values {
		if err := assign(&event, name, value); err != nil {
			return market.Event{}, fmt.Errorf("%w: %s: %w", ErrUnknownEvent, definition.Name, err)
		}
	}
	return event, nil
}

// arguments returns the event's arguments by name, indexed and not indexed.
func arguments(definition *abi.Event, log types.Log) (map[string]any, error) {
	var indexed abi.Arguments
	for _, input := range definition.Inputs {
		if input.Indexed {
			indexed = append(indexed, input)
		}
	}
	if len(log.Topics) != len(indexed)+1 {
		return nil, fmt.Errorf("%d topics instead of %d", len(log.Topics), len(indexed)+1)
	}
	values := make(map[string]any, len(definition.Inputs))
	if err := abi.ParseTopicsIntoMap(values, indexed, log.Topics[1:]); err != nil {
		return nil, fmt.Errorf("read topics: %w", err)
	}
	plain := definition.Inputs.NonIndexed()
	if len(plain) == 0 && len(log.Data) == 0 {
		return values, nil
	}
	if err := plain.UnpackIntoMap(values, log.Data); err != nil {
		return nil, fmt.Errorf("read data: %w", err)
	}
	return values, nil
}

// assign sets the field of the event for an argument. Except for account, an argument's name has the
// same meaning in all events of the contracts.
func assign(e *market.Event, name string, value any) (err error) {
	switch name {
	case "taskId":
		e.TaskID, err = counter(value)
	case "applicationId":
		e.ApplicationID, err = counter(value)
	case "agent", "intendedAgent":
		e.Agent, err = as[common.Address](value)
	case "human":
		e.Human, err = as[common.Address](value)
	case "caller", "validator":
		e.Caller, err = as[common.Address](value)
	case "amount", "humanAmount", "refundAmount":
		e.Amount, err = as[*big.Int](value)
	case "feeAmount":
		e.Fee, err = as[*big.Int](value)
	case "feeBasisPoints":
		e.FeeBasisPoints, err = as[uint16](value)
	case "termsHash", "workHash":
		e.Hash, err = as[[32]byte](value)
	case "expiresAt":
		e.ExpiresAt, err = instant(value)
	case "panel":
		e.Panel, err = counter(value)
	case "quorum":
		e.Quorum, err = as[uint8](value)
	case "cumulative":
		e.Cumulative, err = as[*big.Int](value)
	case "account": // in other events, the account that paused or unpaused the contract, which is not recorded
		if e.OfReward() {
			e.Agent, err = as[common.Address](value)
		}
	case "submittedAt", "disputedAt": // not stored, because both equal the block's time
	default:
		err = errors.New("unknown argument")
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func as[T any](value any) (T, error) {
	v, ok := value.(T)
	if !ok {
		return v, fmt.Errorf("unexpected type %T", value)
	}
	return v, nil
}

// counter reads a number that the contracts count up from 1.
func counter(value any) (uint64, error) {
	n, err := as[*big.Int](value)
	if err != nil {
		return 0, err
	}
	if !n.IsInt64() || n.Sign() <= 0 {
		return 0, fmt.Errorf("invalid id %s", n)
	}
	return n.Uint64(), nil
}

func instant(value any) (time.Time, error) {
	seconds, err := as[*big.Int](value)
	if err != nil {
		return time.Time{}, err
	}
	if seconds.BitLen() > 40 { // times have 40 bits in the contracts, which suffice for 34,000 years
		return time.Time{}, fmt.Errorf("invalid time: %s seconds", seconds)
	}
	return time.Unix(seconds.Int64(), 0).UTC(), nil
}

// MayContainLogs reports whether a block with the bloom filter can contain a log of the contracts.
// Such a log sets the bits of its address and of its event.
func (c *Contracts) MayContainLogs(bloom types.Bloom) bool {
	for address, contract := range c.abis {
		if !types.BloomLookup(bloom, address) {
			continue
		}
		for _, event := range contract.Events {
			if types.BloomLookup(bloom, event.ID) {
				return true
			}
		}
	}
	return false
}
